package scenario

import "github.com/leaselab/leaselab/sim/scenario/rules"

// Resource is something outside the cluster that the leader writes to while it works: a database, a cloud API, an
// address. Writes to a resource bypass the API server, so a leader that cannot reach its Lease can still write.
// Leader election exists to protect the resource, and two leaders may damage it. Its only defense is a fence: each
// write comes with a token from the Lease, and the resource refuses a token lower than the highest one that it has
// seen.
type Resource struct {
	Fence      string   `json:"fence"`
	WriteEvery Duration `json:"writeEvery,omitempty"`
	Latency    Duration `json:"latency,omitempty"`
	CleanUp    string   `json:"cleanUp,omitempty"`
}

// Bounds are limits on a run; zero means no limit. A bound turns a figure into a rule: with leaderless 30s, a gap of 31
// s is a violation. The time of Recovery starts at the last fault.
type Bounds struct {
	Leaderless        Duration `json:"leaderless,omitempty"`
	Recovery          Duration `json:"recovery,omitempty"`
	RequestsPerSecond int      `json:"requestsPerSecond,omitempty"`
}

// The allowed words in a resource's fields. A fence needs a number that grows with every leader. leaseTransitions does,
// and resourceVersion even grows with every renewal.
const (
	FenceNone             = "none"
	FenceLeaseTransitions = "leaseTransitions"
	FenceResourceVersion  = "resourceVersion"

	CleanUpWorks = "works"
	CleanUpFails = "fails"
)

const (
	minWriteEvery = Duration(1e6)

	defaultWriteEvery      = Duration(1e9)
	defaultResourceLatency = Duration(1e6)
)

// checkRule refuses an unknown rule. The names come from package rules, which the checkers use as well.
func checkRule(path, name string) *FieldError {
	if _, known := rules.ByName(name); known {
		return nil
	}
	return refuse(path, name, "must be the name of a checker's rule"+advice(name, "they are", rules.Names()))
}

// `resource` checks the resource and the acts on it.
func (v *validator) resource() {
	r := v.s.Resource
	if r == nil {
		for i, a := range v.s.Actions {
			if a.Act == ActCutResource || a.Act == ActHealResource {
				v.relate(refuse(join(index("actions", i), "act"), a.Act,
					"needs a resource to cut; add one to the scenario, such as resource: {fence: none}"), "resource")
			}
		}
		return
	}
	if r.Fence == "" {
		v.add(refuseField("resource.fence", "missing; "+fieldOf("Resource.fence").missing))
	}
	if r.WriteEvery != 0 && r.WriteEvery < minWriteEvery {
		v.add(refuseDuration("resource.writeEvery", r.WriteEvery, "must be at least 1ms"))
	}
}

// resolveResource fills in the defaults. If the scenario has no resource, it returns the zero value. A resource's
// WriteEvery is never 0, so the simulator tests that field to see whether a run has a resource.
func resolveResource(r *Resource) Resource {
	if r == nil {
		return Resource{}
	}
	return Resource{
		Fence: r.Fence, WriteEvery: orDefault(r.WriteEvery, defaultWriteEvery),
		Latency: orDefault(r.Latency, defaultResourceLatency), CleanUp: r.CleanUp,
	}
}
