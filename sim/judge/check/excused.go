package check

// excused is the part of a wait for a leader that does not count toward the default bound.
type excused struct {
	ns       int64 // time in which no candidate could lead
	sinceNs  int64 // since when no candidate can lead; -1 while one can
	longerNs int64 // by how much a Lease during the wait was longer than every candidate's leaseDuration
}

// nothing is the state in which a wait begins if a candidate can lead.
var nothing = excused{sinceNs: -1}

// follow records whether a candidate can lead from now on.
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
