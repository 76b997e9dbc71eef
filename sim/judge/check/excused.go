package check

// excused is the part of a wait for a leader that its default bound does not count.
type excused struct {
	ns       int64 // in which no candidate was there that could lead
	sinceNs  int64 // since when there is none, -1 while there is one
	longerNs int64 // that a Lease in it was to count more than any candidate's
}

// nothing is what a wait begins with while a candidate could lead.
var nothing = excused{sinceNs: -1}

// follow notes whether a candidate could lead from now on.
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

// boundNs is the default bound: the longest failover by the formula, and what is excused.
func (e *excused) boundNs(c *Checks) int64 { return c.settings.worstNs + e.longerNs + e.ns }
