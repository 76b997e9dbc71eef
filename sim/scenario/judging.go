package scenario

import "github.com/leaselab/leaselab/sim/judge/rules"

// Resource is something outside the cluster that the leader writes to while it works: a database, a cloud API, an address.
// It is reached without the API server, so a leader that is cut off from its Lease still gets there.
type Resource struct {
	Fence      string   `json:"fence"`                // what it compares: "none", "leaseTransitions" or "resourceVersion"
	WriteEvery Duration `json:"writeEvery,omitempty"` // between a leader's writes; default 1s, at least 1ms
	Latency    Duration `json:"latency,omitempty"`    // until a write arrives; default 1ms
	CleanUp    string   `json:"cleanUp,omitempty"`    // the step that gives it up when the work ends: "" there is none, "works" or "fails"
}

// Bounds are what a run must keep; zero: no bound.
type Bounds struct {
	Leaderless        Duration `json:"leaderless,omitempty"`        // the longest time without an active worker
	Recovery          Duration `json:"recovery,omitempty"`          // somebody works this long after the last fault ended
	RequestsPerSecond int      `json:"requestsPerSecond,omitempty"` // requests sent in any second of the run's clock
}

// Words of a resource.
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

// checkRule refuses a name that no rule has.
func checkRule(path, name string) *FieldError {
	if _, known := rules.Named(name); known {
		return nil
	}
	return refuse(path, name, "must be the name of a checker's rule"+advice(name, "they are", rules.Names()))
}

// resource checks what concerns the resource and the acts on it.
func (v *validator) resource() *FieldError {
	r := v.s.Resource
	if r == nil {
		for i, a := range v.s.Actions {
			if a.Act == ActCutResource || a.Act == ActHealResource {
				return refuse(join(index("actions", i), "act"), a.Act, "needs resource: there is none to be cut off from")
			}
		}
		return nil
	}
	if r.Fence == "" {
		return refuseField("resource.fence", "missing; "+fieldOf("Resource.fence").missing)
	}
	if r.WriteEvery != 0 && r.WriteEvery < minWriteEvery {
		return refuseDuration("resource.writeEvery", r.WriteEvery, "must be at least 1ms")
	}
	return nil
}

// resolveResource fills in the defaults; the zero value is no resource.
func resolveResource(r *Resource) Resource {
	if r == nil {
		return Resource{}
	}
	return Resource{
		Fence: r.Fence, WriteEvery: orDefault(r.WriteEvery, defaultWriteEvery),
		Latency: orDefault(r.Latency, defaultResourceLatency), CleanUp: r.CleanUp,
	}
}
