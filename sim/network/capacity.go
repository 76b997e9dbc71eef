package network

// Capacity says how a server copes with load. The zero value answers everything at once.
type Capacity struct {
	ServiceNs        int64 // time for one request, if the server handles one after another; 0 for any number at once
	Queue            int64 // maximum number of waiting requests; 0 for no limit
	DropWhenFull     bool  // drop a request that finds the queue full; otherwise answer 429 with Retry-After
	QueueTimeoutNs   int64 // answer 504 to a request that waits longer; 0 for no limit
	SlowPerRequestNs int64 // extra time for each other request of the last second
	NewLeaderNs      int64 // extra time, for NewLeaderForNs after a leader has started
	NewLeaderForNs   int64
	HangNs           int64 // time until a hanging request gets 504; 0 for DefaultHangNs
}

// DefaultHangNs is kube-apiserver's --request-timeout.
const DefaultHangNs = 60_000_000_000

// isLimited reports whether the capacity may keep a request at the server.
func (c *Capacity) isLimited() bool {
	return c.ServiceNs > 0 || c.SlowPerRequestNs > 0 || c.NewLeaderNs > 0
}

// Capacity returns how the servers cope with load now.
func (r *Rules) Capacity() Capacity { return r.capacity }

// queue is the FIFO queue of a server. The server handles requests one after another, so the queue only needs to know
// when the last request ends.
type queue struct {
	busyUntilNs int64
	tenth       int64     // the tenth of a second of the newest count
	counts      [10]int32 // arrivals in the last ten tenths of a second
}

// count adds an arrival and returns how many others arrived in the last second.
func (q *queue) count(now int64) int64 {
	tenth := now / 100_000_000
	for ; q.tenth < tenth; q.tenth++ {
		if tenth-q.tenth > 10 {
			q.counts, q.tenth = [10]int32{}, tenth-1
		}
		q.counts[(q.tenth+1)%10] = 0
	}
	q.counts[tenth%10]++
	others := int64(-1)
	for _, n := range q.counts {
		others += int64(n)
	}
	return others
}

// admission says what a server does with a request that arrives.
type admission uint8

const (
	admitted admission = iota
	shed               // answer 429 at once
	dropped            // give no answer
	overdue            // the request would wait too long and gets 504
)

// enqueue decides what a server does with an arriving request, and how long the request stays at the server.
func (r *Rules) enqueue(now int64, server int32) (delayNs int64, result admission) {
	c, q := &r.capacity, &r.queues[server]
	slowNs := q.count(now) * c.SlowPerRequestNs
	if c.NewLeaderNs > 0 && r.led && now-r.leaderNs < c.NewLeaderForNs {
		slowNs += c.NewLeaderNs
	}
	if c.ServiceNs == 0 {
		return slowNs, admitted
	}
	waitNs := max(q.busyUntilNs-now, 0)
	if ahead := (waitNs + c.ServiceNs - 1) / c.ServiceNs; c.Queue > 0 && ahead > c.Queue {
		// one of them is not waiting: the server is working on it
		if c.DropWhenFull {
			return 0, dropped
		}
		return 0, shed
	}
	if c.QueueTimeoutNs > 0 && waitNs > c.QueueTimeoutNs {
		return c.QueueTimeoutNs, overdue
	}
	q.busyUntilNs = now + waitNs + c.ServiceNs
	return waitNs + c.ServiceNs + slowNs, admitted
}

// Stay returns how long a request would stay at a server if it arrived now, and whether the server would turn it
// away.
func (r *Rules) Stay(now int64, server int32) (ns int64, away bool) {
	if !r.capacity.isLimited() {
		return 0, false
	}
	q := &r.queues[server]
	before := *q
	ns, result := r.enqueue(now, server)
	*q = before
	return ns, result == shed || result == dropped
}
