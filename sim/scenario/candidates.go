package scenario

// Lengths of names in bytes: DNS labels for the scenario and its namespace, and Kubernetes' limit for objects.
const (
	maxLabel    = 63
	maxSubname  = 253
	maxIdentity = 512
)

func (v *validator) candidates() *FieldError {
	s := v.s
	if s.Name != "" && !isDNS(s.Name, maxLabel, "") {
		return refuse("name", s.Name,
			"must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit")
	}
	if s.Lease.Namespace != "" && !isDNS(s.Lease.Namespace, maxLabel, "") {
		return refuse("lease.namespace", s.Lease.Namespace,
			"must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit")
	}
	if s.Lease.Name != "" && !isDNS(s.Lease.Name, maxSubname, ".") {
		return refuse("lease.name", s.Lease.Name,
			"must be a DNS name: at most 253 of a-z, 0-9, - and ., beginning and ending with a letter or digit")
	}
	// The scenario's elector settings, as a candidate without settings of its own inherits them.
	if err := checkElector(termsOf(&s, &Candidate{}), level{"elector", &s.Elector}); err != nil {
		return err
	}
	if err := checkProcess(&s.Process, ""); err != nil {
		return err
	}
	for i, c := range s.Candidates {
		path := index("candidates", i)
		if err := v.candidate(c, path, 0); err != nil {
			return err
		}
	}
	return nil
}

// candidate checks one entry that joins at an instant, and registers its names.
func (v *validator) candidate(c Candidate, path string, joins Duration) *FieldError {
	if err := checkNode(c, path); err != nil {
		return err
	}
	if joins+c.StartAt > v.s.Duration {
		return refuseDuration(join(path, "startAt"), c.StartAt, "lies after the end of the run at "+
			v.s.Duration.String())
	}
	if err := v.coordinated(c, path); err != nil {
		return err
	}
	if err := checkNetwork(c.Network, join(path, "network")); err != nil {
		return err
	}
	levels := []level{{"elector", &v.s.Elector}}
	if c.Elector != nil {
		levels = append(levels, level{join(path, "elector"), c.Elector})
	}
	if err := checkElector(termsOf(&v.s, &c), levels...); err != nil {
		return err
	}
	if err := v.checkConduct(c, path); err != nil {
		return err
	}
	for i := range c.count() {
		name := c.replicaName(i)
		if _, taken := v.joined[name]; taken {
			return refuse(join(path, "name"), name,
				"is already taken; every candidate has a name of its own (two may share an identity)")
		}
		v.joined[name] = joins
		v.names = append(v.names, name)
	}
	return nil
}

// checkNode checks the fields that concern this candidate alone.
func checkNode(c Candidate, path string) *FieldError {
	if err := checkNodeName(c.Name, path); err != nil {
		return err
	}
	switch {
	case len(c.Identity) > maxIdentity:
		return refuse(join(path, "identity"), c.Identity, "must be at most 512 bytes")
	case c.SpreadStart != 0 && c.Replicas == 0:
		return refuseDuration(join(path, "spreadStart"), c.SpreadStart,
			"needs replicas: it is the time over which they start")
	case c.RestartAfter != 0 && c.Restart == RestartNever:
		return refuseDuration(join(path, "restartAfter"), c.RestartAfter, "needs restart: new or same")
	}
	return nil
}

// checkNodeName checks the name of a candidate, an API server or a monitor.
func checkNodeName(name, path string) *FieldError {
	switch {
	case !isNodeName(name):
		return refuse(join(path, "name"), name,
			"must be 1 to 63 letters, digits, -, _ or ., beginning and ending with a letter or digit")
	case name == TargetHolder || name == LeaderNobody:
		return refuse(join(path, "name"), name,
			"is a word of the format (a target, an expectation); choose another name")
	}
	return nil
}

func isNodeName(name string) bool {
	return isName(name, maxLabel, "-_.", true)
}

// register takes a name that exists from the start of the run; path is the field that gives it.
func (v *validator) register(path, name string) *FieldError {
	if _, taken := v.joined[name]; taken {
		return refuse(path, name, "is already taken; every node has a name of its own")
	}
	v.joined[name] = 0
	v.names = append(v.names, name)
	return nil
}

func isDNS(name string, most int, inside string) bool {
	return isName(name, most, "-"+inside, false)
}

// isName reports whether a name has only letters and digits, and punctuation neither first nor last.
func isName(name string, most int, punctuation string, upper bool) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'):
		case upper && c >= 'A' && c <= 'Z':
		case i > 0 && i < len(name)-1 && containsByte(punctuation, c):
		default:
			return false
		}
	}
	return name != "" && len(name) <= most
}

func containsByte(set string, c byte) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}
