package scenario

import "time"

// Controllers are the constants of coordinated leader election that differ from upstream's. A nil field means
// upstream's value. Source: kubernetes v1.36 pkg/controlplane/controller/leaderelection, client-go v0.37.2
// tools/leaderelection leasecandidate.go. They are constants upstream, so nobody can change them in a cluster. A
// scenario can change them, to find out what would happen.
type Controllers struct {
	ElectionDuration *Duration `json:"electionDuration,omitempty"`
	Requeue          *Duration `json:"requeue,omitempty"`
	LeaseDuration    *Duration `json:"leaseDuration,omitempty"`
	CandidateValid   *Duration `json:"candidateValid,omitempty"`
	CandidateRenew   *Duration `json:"candidateRenew,omitempty"`
	CollectEvery     *Duration `json:"collectEvery,omitempty"`
	PingSpacing      Duration  `json:"pingSpacing,omitempty"`
}

// Coordination says how coordinated leader election works where upstream leaves it to chance. With Ties order, the
// default, the name decides between candidates with equal versions and the same creation second. With flap, chance
// decides at each reconcile, as upstream.
type Coordination struct {
	Ties string `json:"ties,omitempty"`
}

// leastTerm is the smallest value of a constant: with 0, a controller would run forever at one instant.
const leastTerm = Duration(100 * time.Millisecond)

// `controllers` checks each constant by itself, since upstream does not compare them.
func (v *validator) controllers() {
	if v.s.Coordination.Ties != "" && len(v.s.APIServers) == 0 {
		v.relate(refuse("coordination.ties", v.s.Coordination.Ties, "needs apiServers: their controllers use it"),
			"apiServers")
	}
	c := v.s.Controllers
	if c == nil {
		return
	}
	if len(v.s.APIServers) == 0 {
		v.relate(refuseField("controllers", "needs apiServers: their controllers use it"), "apiServers")
	}
	for _, d := range []struct {
		name  string
		value *Duration
	}{
		{"electionDuration", c.ElectionDuration}, {"requeue", c.Requeue}, {"leaseDuration", c.LeaseDuration},
		{"candidateValid", c.CandidateValid}, {"candidateRenew", c.CandidateRenew}, {"collectEvery", c.CollectEvery},
	} {
		if d.value != nil && *d.value < leastTerm {
			v.add(refuseDuration("controllers."+d.name, *d.value, "must be at least "+leastTerm.String()))
		}
	}
	if l := c.LeaseDuration; l != nil && (*l%Duration(time.Second) != 0 || *l == 0) {
		v.add(refuseDuration("controllers.leaseDuration", *l,
			"must be whole seconds: the Lease says leaseDurationSeconds"))
	}
}
