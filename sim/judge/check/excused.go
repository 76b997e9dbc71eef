package check

// excused is the part of a leaderless time that does not count toward the default bound.
type excused struct {
	ns       int64 // time during which no candidate could lead
	sinceNs  int64 // when candidates became unable to lead; -1 while one can lead
	longerNs int64 // how much longer a Lease during the wait was than every candidate's leaseDuration
}

// `nothing` is the state at the beginning of a wait in which a candidate can lead.
var nothing = excused{sinceNs: -1}

// `follow` takes note of whether a candidate can lead from now on.
func (e *excused) follow(c *Checks, able bool, nowNs int64) {
	switch {
	case able && e.sinceNs >= 0:
		e.ns += nowNs - e.sinceNs
		e.sinceNs = -1
	case !able && e.sinceNs < 0:
		e.sinceNs = nowNs
	}
	if c.exists && c.spec.HolderIdentity != 0 {
		e.longerNs = max(e.longerNs, int64(c.spec.LeaseDurationSeconds)*1e9-c.settings.leaseNs)
	}
}

// boundNs returns the default bound: the longest failover by the formula, plus the excused time.
func (e *excused) boundNs(c *Checks) int64 { return c.settings.worstNs + e.longerNs + e.ns }
