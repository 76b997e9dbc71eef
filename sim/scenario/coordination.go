package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Coordinated election has a second object, the LeaseCandidate, which the API server validates. The rules are long
// (semantic versions, strategies with domain prefixes) and belong to the API. So this package does not repeat them:
// it sends the LeaseCandidate to the simulated API server of package core/apiserver, and passes on the answer.

// apiServers checks the API servers and registers their names.
func (v *validator) apiServers() {
	for i, a := range v.s.APIServers {
		path := index("apiServers", i)
		v.add(checkNodeName(a.Name, path))
		if a.StartAt > v.s.Duration {
			v.add(refuseDuration(join(path, "startAt"), a.StartAt, "lies after the end of the run at "+
				v.s.Duration.String()))
		}
		v.register(join(path, "name"), a.Name)
		if a.Version != "" {
			v.checkVersions(join(path, "version"), "", a.Version, "")
		}
	}
}

// checkCoordinated checks the fields of a candidate's LeaseCandidate, with the API server's rules and messages.
// v1alpha1 has a list of strategies and v1beta1 a single one. A candidate without a strategy is a plain elector, even
// if it has a version. A plain elector may have a version, because an upgrade changes how that version compares with
// the API servers' versions.
func (v *validator) checkCoordinated(c Candidate, path string) {
	if c.APIServer != "" && !v.isServer(c.APIServer) {
		v.relate(refuse(join(path, "apiServer"), c.APIServer, "names no API server in apiServers"), "apiServers")
	}
	lists := v.s.LeaseCandidateVersion == CandidateV1alpha1
	plain := c.Strategy == "" && c.PreferredStrategies == nil
	switch {
	case lists && c.Strategy != "":
		v.relate(refuse(join(path, "strategy"), c.Strategy,
			"belongs to v1beta1; leaseCandidateVersion v1alpha1 has the list preferredStrategies"))
	case !lists && c.PreferredStrategies != nil:
		v.relate(refuse(join(path, "preferredStrategies"), listWords(c.PreferredStrategies, "and"),
			"belongs to v1alpha1; set leaseCandidateVersion: v1alpha1, or name one strategy"), "leaseCandidateVersion")
	case plain && c.LeaseCandidate != "":
		v.relate(refuse(join(path, "leaseCandidate"), c.LeaseCandidate,
			"belongs to a candidate with a strategy; other candidates have no LeaseCandidate"))
	case plain && c.BinaryVersion == "" && c.EmulationVersion == "":
	case len(v.s.APIServers) == 0:
		v.relate(refuse(join(path, "binaryVersion"), c.BinaryVersion, "needs apiServers: their controllers read it"),
			"apiServers")
	case plain && !c.elects(v.s): // a plain elector with a version, without a LeaseCandidate
		v.checkVersions(join(path, "binaryVersion"), join(path, "emulationVersion"), c.BinaryVersion,
			c.EmulationVersion)
	default:
		v.leaseCandidates(c, path, lists)
	}
}

// leaseCandidates checks the LeaseCandidate of each replica. Each replica has its own object, so each needs its own
// check. It stops after the first replica with an error, since the other replicas would have the same error.
func (v *validator) leaseCandidates(c Candidate, path string, lists bool) {
	for i := range c.count() {
		identity := orDefault(c.Identity, c.replicaName(i))
		if c.LeaseCandidate != "" && c.LeaseCandidate != identity {
			v.relate(refuse(join(path, "leaseCandidate"), c.LeaseCandidate, "must be the candidate's identity, "+
				quote(identity)+
				": the controller writes the LeaseCandidate's name into the Lease, and the elector waits for its "+
				"identity"))
			return
		}
		wanted := wantedCandidate{identity, v.s.Lease, c.BinaryVersion, c.EmulationVersion, c.Strategy,
			c.PreferredStrategies, lists}
		causes := wanted.faults()
		for _, cause := range causes {
			v.relate(refuse(join(path, cause.field), cause.value, cause.message), "lease")
		}
		if len(causes) > 0 {
			return
		}
	}
}

// `elects` reports whether the candidate has a coordinated elector. The candidate's own setting wins over the
// scenario's.
func (c Candidate) elects(s Scenario) bool {
	for _, e := range []*Elector{c.Elector, &s.Elector} {
		if e != nil && e.Coordinated != nil {
			return *e.Coordinated
		}
	}
	return false
}

// isServer reports whether an API server has this name.
func (v *validator) isServer(name string) bool {
	return slices.ContainsFunc(v.s.APIServers, func(a APIServer) bool { return a.Name == name })
}

// checkVersions checks versions as the API checks the versions of a LeaseCandidate. It adds a strategy that is always
// valid, so that only the versions can be wrong.
func (v *validator) checkVersions(binaryPath, emulationPath, binary, emulation string) {
	any := wantedCandidate{name: "x", binary: binary, emulation: orDefault(emulation, binary),
		strategy: "example.com/any"}
	for _, cause := range any.faults() {
		path := binaryPath
		if cause.field == "emulationVersion" && emulationPath != "" && emulation != "" {
			path = emulationPath
		}
		v.relate(refuse(path, cause.value, cause.message))
	}
}

// candidateFault is one reason why the API refuses an object, with the scenario's field that the reason is about.
type candidateFault struct{ field, value, message string }

// wantedCandidate is the LeaseCandidate that a scenario describes.
type wantedCandidate struct {
	name                        string
	lease                       Lease
	binary, emulation, strategy string
	strategies                  []string
	lists                       bool // v1alpha1
}

// `faults` lists the reasons why the API server would refuse the LeaseCandidate. It sends the object to a new server,
// which has the namespace and nothing else. The answer lists causes with paths such as spec.binaryVersion, and `faults`
// finds the scenario's field for each path. A refusal without causes is about the object's name, which is the
// candidate's identity.
func (c wantedCandidate) faults() []candidateFault {
	version := CandidateV1beta1
	spec := map[string]any{"leaseName": orDefault(c.lease.Name, DefaultLeaseName), "binaryVersion": c.binary,
		"emulationVersion": c.emulation}
	if c.lists {
		version = CandidateV1alpha1
		spec["preferredStrategies"] = c.strategies
	} else {
		spec["strategy"] = c.strategy
	}
	server := apiserver.New(apiserver.Config{Coordinated: true, Versions: []string{version}})
	now := time.Unix(0, 0).UTC()
	namespace := orDefault(c.lease.Namespace, DefaultNamespace)
	if err := server.Load(now, []byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`,
		namespace))); err != nil {
		return nil // another check refuses the namespace
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": c.name}, "spec": spec})
	if err != nil {
		return nil
	}
	answer := server.Handle(now, &apiserver.Request{
		Method: "POST", Path: "/apis/coordination.k8s.io/" + version + "/namespaces/" + namespace + "/leasecandidates",
		Header: map[string]string{}, Body: body,
	})
	var status struct {
		Message string
		Details struct {
			Causes []struct{ Message, Field string }
		}
	}
	if answer.Status < 300 || json.Unmarshal(answer.Body, &status) != nil {
		return nil
	}
	var all []candidateFault
	for _, cause := range status.Details.Causes {
		fault := candidateFault{field: "identity", value: c.name, message: cause.Message}
		values := map[string]string{
			"binaryVersion": c.binary, "emulationVersion": c.emulation, "strategy": c.strategy,
			"preferredStrategies": strings.Join(c.strategies, ", "),
		}
		for field, value := range values {
			if field == "strategy" && c.lists {
				continue // the path of a list entry ends in .strategy, too
			}
			if strings.Contains(cause.Field, "."+field) {
				fault.field, fault.value = field, value
			}
		}
		all = append(all, fault)
	}
	if len(all) == 0 {
		all = append(all, candidateFault{field: "identity", value: c.name, message: status.Message})
	}
	return all
}
