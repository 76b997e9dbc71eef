package programs

import "time"

// Attendance says how far the programs of a cluster have come. A test needs it, because a run in which no program ever
// asked for the Lease breaks no rule, and yet proves nothing.
type Attendance struct {
	Running int           // number of processes that run
	Asked   bool          // a process has asked for the Lease
	Held    bool          // the Lease has had a holder
	Worked  bool          // a process has reported work
	Over    bool          // no process runs, and nothing will start one
	BegunAt time.Duration // when the first process began
	AskedAt time.Duration // when a process first asked for the Lease
	HeardAt time.Duration // when a process last sent a request
}

// Attendance returns how far the programs have come.
//
// Programs that end before they ask for the Lease would only end again. So the cluster then counts as over, although a
// kubelet would start them again and again.
func (c *Cluster) Attendance() Attendance {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp()
	a := c.attendance
	for n := range c.processes() {
		if !n.exited && !n.ended {
			a.Running++
		}
	}
	a.Over = a.Running == 0 && len(c.nodes) > 0 && !c.run.World.MayStart() &&
		(!a.Asked || c.run.Checks.NobodyCompetes())
	return a
}

// seeRequest records that a program has sent a request.
func (c *Cluster) seeRequest(asksForLease bool) {
	at := time.Duration(c.atNs)
	c.attendance.HeardAt = at
	if asksForLease && !c.attendance.Asked {
		c.attendance.Asked, c.attendance.AskedAt = true, at
	}
}
