// Package elector is client-go's LeaderElector as a step machine: it takes inputs and returns outputs, and has no clock
// and no goroutine.
//
// # The problem
//
// Several copies of a program run, and one of them should work. They agree through one object in the API server, a
// Lease. The Lease says who holds it, when the holder last renewed, and how long the others should wait. client-go's
// LeaderElector does this with goroutines, timers and callbacks, so nobody can replay what it did. This package has the
// same logic without any of them. The caller controls time, the network and chance. So it can run a thousand electors
// through the same second twice.
//
// # The types
//
// Machine is one elector. Step takes an Input at an instant and appends what the elector does to a slice of Output.
// Config holds the durations, and the Dialect bits for older client-go and for other libraries.
//
//	m := elector.New(config, retryPeriodNs, renewDeadlineNs)
//	out = m.Step(at, &elector.Input{Kind: elector.Start}, out[:0])
//	for _, o := range out {
//		switch o.Kind {
//		case elector.Send:     // put m.Outgoing() on the wire; step Answer when the answer comes
//		case elector.NeedDraw: // step Draw with a random number in [0,1), at the same instant
//		}
//	}
//	// step Wake at m.NextWakeNs()
//
// # One election
//
// A follower attempts to acquire, waits between 1 and 2.2 retryPeriods, and attempts again. A leader renews, waits
// for retryPeriod, and renews again. If a renewal fails, it tries again every retryPeriod. If none of these attempts
// succeeds within renewDeadline, it gives up, releases the Lease if configured to, and its Run returns.
//
//	Start --> acquiring --> drawing --> acquireWait --+
//	             ^   |won                             |
//	             |   v                                |
//	             |  renewing <--> tickWait            |
//	             |   |  ^                             |
//	             |   v  |                             |
//	             | renewWait ---- renewDeadline or Cancel ----> releasing --> returned
//	             +------------------------------------+
//
// An attempt consists of up to three requests, in the steps that attempt.go numbers:
//
//	1  it leads, and its lease is valid    Update at once (the fast path); after an error go on with 2
//	2  otherwise                           Get; NotFound: Create; another error: the attempt fails
//	3  the record differs from the last    remember it, and when
//	4  another's lease that is valid       the attempt fails
//	5  its own, a free or an expired one   make the new record: the term goes on, or leaseTransitions + 1
//	6                                      Update; an error, such as a conflict: the attempt fails
//
// A follower never compares renewTime with its own clock. It remembers when it last saw the record change, and it
// takes the Lease when the record's own leaseDuration has passed since then, on its monotonic clock. That is why a
// constant difference between clocks does no harm, but clocks that run at different rates do.
//
// The same rule gives the safety margin. A leader without a network stops at most retryPeriod + renewDeadline after
// its last renewal. The others wait for leaseDuration after they saw that renewal:
//
//	last renewal                 leader stops             a follower may take the Lease
//	     |---------- 2 s + 10 s --------|------- 3 s -------|
//	     |------------------- leaseDuration 15 s -----------|
//
// # Guarantee
//
// Given the same answers and draws at the same instants, the machine issues the same requests, records, callbacks and
// metrics as client-go v0.37.2 tools/leaderelection, to the nanosecond. Recorded traces of the real library pin this. A
// Machine is a plain value: assigning it copies it.
//
// # Non-guarantee
//
// The package promises no more than client-go, which says that it "does not guarantee that only one client is acting as
// a leader". Two electors may lead at once when a process pauses, when clock rates differ, or when an administrator
// edits the Lease. Only a resource that compares fencing tokens prevents harm. The machine sends nothing and sets no
// timer: if a caller forgets a Wake, its elector hangs.
//
// # Errors
//
// Config.Validate refuses what client-go's constructor refuses, with the same messages. A failed request is an input,
// not an error. Step panics on an input that no caller may send, such as an answer without a request.
//
// # Units and upstream
//
// Instants and durations are nanoseconds, and their names end in Ns. step.Reading has three clocks. Timers run on Now,
// which is world time. A record expires by Mono, the node's monotonic clock. The elector writes Wall into records.
//
// attempt.go follows tryAcquireOrRenew and tryCoordinatedRenew, loops.go follows acquire, renew and release,
// config.go follows NewLeaderElector, and multilock.go follows resourcelock.MultiLock.
package elector
