package scenario

import "time"

// Controllers are the constants of coordinated leader election where they are other than upstream's. Left out: upstream's.
// Source: kubernetes v1.36 pkg/controlplane/controller/leaderelection, client-go v0.37.2 tools/leaderelection leasecandidate.go.
type Controllers struct {
	ElectionDuration *Duration `json:"electionDuration,omitempty"` // 5s
	Requeue          *Duration `json:"requeue,omitempty"`          // 5s
	LeaseDuration    *Duration `json:"leaseDuration,omitempty"`    // 5s, whole seconds
	CandidateValid   *Duration `json:"candidateValid,omitempty"`   // 30m
	CandidateRenew   *Duration `json:"candidateRenew,omitempty"`   // 5m
	CollectEvery     *Duration `json:"collectEvery,omitempty"`     // 30m
	PingSpacing      Duration  `json:"pingSpacing,omitempty"`      // 0
}

// leastTerm is the least value of what may be set: a controller that never rests would not let time pass.
const leastTerm = Duration(100 * time.Millisecond)

func (v *validator) controllers() *FieldError {
	c := v.s.Controllers
	if c == nil {
		return nil
	}
	if len(v.s.APIServers) == 0 {
		return refuseField("controllers", "needs apiServers: their controllers go by it")
	}
	for _, d := range []struct {
		name  string
		value *Duration
	}{
		{"electionDuration", c.ElectionDuration}, {"requeue", c.Requeue}, {"leaseDuration", c.LeaseDuration},
		{"candidateValid", c.CandidateValid}, {"candidateRenew", c.CandidateRenew}, {"collectEvery", c.CollectEvery},
	} {
		if d.value != nil && *d.value < leastTerm {
			return refuseDuration("controllers."+d.name, *d.value, "must be at least "+leastTerm.String())
		}
	}
	if l := c.LeaseDuration; l != nil && (*l%Duration(time.Second) != 0 || *l == 0) {
		return refuseDuration("controllers.leaseDuration", *l, "must be whole seconds: the Lease says leaseDurationSeconds")
	}
	return nil
}
