package scenario

import "strings"

// The limits of names depend on where the names appear. A scenario's name becomes part of a file name and a URL. A
// candidate's name becomes the holderIdentity and, for coordinated election, the name of an object.

// The longest names in bytes: the scenario and its namespace have DNS labels, and objects have Kubernetes' limit.
const (
	maxLabel    = 63
	maxSubname  = 253
	maxIdentity = 512
)

// `candidates` checks the names of the scenario and its Lease, and then each candidate.
func (v *validator) candidates() {
	s := v.s
	if s.Name != "" && !isDNS(s.Name, maxLabel, "") {
		v.add(refuse("name", s.Name,
			"must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit"))
	}
	if s.Lease.Namespace != "" && !isDNS(s.Lease.Namespace, maxLabel, "") {
		v.add(refuse("lease.namespace", s.Lease.Namespace,
			"must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit"))
	}
	if s.Lease.Name != "" && !isDNS(s.Lease.Name, maxSubname, ".") {
		v.add(refuse("lease.name", s.Lease.Name,
			"must be a DNS name: at most 253 of a-z, 0-9, - and ., beginning and ending with a letter or digit"))
	}
	// Check the scenario's elector settings as for a candidate that does not override them.
	v.checkElector(termsOf(&s, &Candidate{}), level{"elector", &s.Elector})
	v.checkProcess(&s.Process, "")
	for i, c := range s.Candidates {
		if v.full() {
			return
		}
		v.candidate(c, index("candidates", i), 0)
	}
}

// `candidate` checks one entry that joins at an instant, and registers its names. It stops at the first name that is
// already taken, because the next 9,999 replicas would all clash, too.
func (v *validator) candidate(c Candidate, path string, joins Duration) {
	v.checkNode(c, path)
	if joins+c.StartAt > v.s.Duration {
		v.add(refuseDuration(join(path, "startAt"), c.StartAt, "lies after the end of the run at "+
			v.s.Duration.String()))
	}
	v.checkCoordinated(c, path)
	v.checkNetwork(c.Network, join(path, "network"))
	levels := []level{{"elector", &v.s.Elector}}
	if c.Elector != nil {
		levels = append(levels, level{join(path, "elector"), c.Elector})
	}
	v.checkElector(termsOf(&v.s, &c), levels...)
	v.checkConduct(c, path)
	for i := range c.count() {
		name := c.replicaName(i)
		if _, taken := v.joined[name]; taken {
			v.add(refuse(join(path, "name"), name,
				"is already taken; give every candidate its own name (two may share an identity)"))
			return
		}
		v.joined[name] = joins
		v.names = append(v.names, name)
	}
}

// checkNode checks the fields that concern only this candidate.
func (v *validator) checkNode(c Candidate, path string) {
	v.add(checkNodeName(c.Name, path))
	if len(c.Identity) > maxIdentity {
		v.add(refuse(join(path, "identity"), c.Identity, "must be at most 512 bytes"))
	}
	if c.SpreadStart != 0 && c.Replicas == 0 {
		v.relate(refuseDuration(join(path, "spreadStart"), c.SpreadStart,
			"needs replicas: it is the time over which they start"))
	}
	if c.RestartAfter != 0 && c.Restart == RestartNever {
		v.relate(refuseDuration(join(path, "restartAfter"), c.RestartAfter, "needs restart: new or same"))
	}
}

// checkNodeName checks the name of a candidate, an API server or a monitor.
func checkNodeName(name, path string) *FieldError {
	switch {
	case !isNodeName(name):
		return refuse(join(path, "name"), name,
			"must be 1 to 63 letters, digits, -, _ or ., beginning and ending with a letter or digit")
	case name == TargetHolder || name == LeaderNobody:
		return refuse(join(path, "name"), name,
			"is a reserved word (a target or an expectation); choose another name")
	}
	return nil
}

// isNodeName reports whether a name can stand for a node. A node's name is also the default holderIdentity, which
// client-go does not restrict.
func isNodeName(name string) bool {
	return isName(name, maxLabel, "-_.", true)
}

// register reserves a name that exists from the start of the run; path is the field with the name.
func (v *validator) register(path, name string) {
	if _, taken := v.joined[name]; taken {
		v.add(refuse(path, name, "is already taken; give every node its own name"))
		return
	}
	v.joined[name] = 0
	v.names = append(v.names, name)
}

// isDNS reports whether a name is a DNS label. If the argument inside is ".", it may also be a DNS subdomain.
func isDNS(name string, most int, inside string) bool {
	return isName(name, most, "-"+inside, false)
}

// isName reports whether a name has only letters, digits and punctuation, but no punctuation at its beginning or end.
func isName(name string, most int, punctuation string, upper bool) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'):
		case upper && c >= 'A' && c <= 'Z':
		case i > 0 && i < len(name)-1 && strings.IndexByte(punctuation, c) >= 0:
		default:
			return false
		}
	}
	return name != "" && len(name) <= most
}
