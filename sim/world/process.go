package world

import (
	"slices"
	"strconv"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// Conduct is what a candidate does beside its elector. The zero value is a process that does nothing else.
type Conduct struct {
	ExpiryPpm   int64 // dialect ttlLock: of the published duration
	LockDelayNs int64
	Lock        elector.Lock

	OwnDrains          bool // the two drains count, else WorkTailNs
	DrainAfterCancelNs int64
	DrainAfterLossNs   int64
	OnLoss             LossPolicy

	StartsAfterCrash    bool // RestartAfterCrashNs counts
	RestartAfterCrashNs int64
	RestartBackoffMaxNs int64 // 0: every wait is the same
	FreshIdentity       bool  // every start but the first has an identity of its own

	WatchdogPeriodNs    int64 // 0: none
	WatchdogToleranceNs int64
	WatchdogFailures    int32

	TokenNs        int64 // the client's rate limiter: one token every so often, 0: none
	Burst          int64
	OwnLeaseClient bool
	WorkEveryNs    int64 // the leader's work sends a request every so often, 0: none
}

// LossPolicy says what becomes of the work of a leader that lost the Lease without being asked to stop.
type LossPolicy uint8

const (
	EndWork     LossPolicy = iota
	ExitProcess            // the process and its work end at once
	IgnoreLoss             // the work was never tied to the Lease
)

// special are the few things of a Conduct that every request asks about.
type special uint8

const (
	hasLimiter special = 1 << iota
	asksServer         // dialect ttlLock
)

func (c *Candidate) special() special {
	s := special(0)
	if c.Conduct.TokenNs > 0 {
		s |= hasLimiter
	}
	if c.Dialect&elector.TTLLock != 0 {
		s |= asksServer
	}
	return s
}

// process is what a node's process is beside its elector; nodes without a Conduct never touch theirs.
type process struct {
	limiter    flowcontrol.Limiter
	workNs     int64 // up to when the work's own requests have been counted
	begunNs    int64
	stoppedNs  int64 // when the node was suspended
	sleptNs    int64 // how long it has slept in all: so far its monotonic clock is behind its wall clock
	rate       int64 // of its clock before that
	restarts   int32 // in a row, for the back-off
	generation uint32
	failures   int32 // failed probes in a row
	standstill trace.PauseKind
}

// drainNs is how long the work of a leader goes on after its context has ended, -1 for ever.
func (w *World) drainNs(i int32) int64 {
	n := &w.nodes[i]
	c := &w.settings[n.settings]
	d := &c.Conduct
	stopped := n.machine.Cancelled()
	switch {
	case d.OnLoss == EndWork && !d.OwnDrains:
		return c.WorkTailNs
	case !stopped && d.OnLoss == IgnoreLoss:
		return -1
	case !stopped && d.OnLoss == ExitProcess && !c.ReleaseAfterWork:
		return 0
	case !d.OwnDrains:
		return c.WorkTailNs
	case stopped:
		return d.DrainAfterCancelNs
	}
	return d.DrainAfterLossNs
}

// ignoredEnds ends work that outlived its leadership: the process is asked to stop.
func (w *World) ignoredEnds(i int32) {
	n := &w.nodes[i]
	c := &w.settings[n.settings]
	if !n.tail || c.Conduct.OnLoss != IgnoreLoss || n.machine.Leading() {
		return
	}
	drain := c.WorkTailNs
	if c.Conduct.OwnDrains {
		drain = c.Conduct.DrainAfterCancelNs
	}
	if drain > 0 {
		w.queue.push(event{at: w.now + drain, key: orderKey(ownTimer, i, uint32(n.tailRun)), what: workEnds})
		return
	}
	n.tail, n.active = false, false
	w.say(WorkDone, i)
	w.giveUpResource(i)
}

// processBegins notes that a process has started on a node.
func (w *World) processBegins(i int32) {
	p, d := &w.processes[i], &w.settings[w.nodes[i].settings].Conduct
	p.generation++
	p.begunNs, p.failures = w.now, 0
	if d.TokenNs > 0 {
		p.limiter = flowcontrol.NewLimiter(d.TokenNs, d.Burst, w.now)
	}
	if d.WatchdogPeriodNs > 0 {
		w.queue.push(event{at: w.now + d.WatchdogPeriodNs, key: orderKey(ownTimer, i, p.generation), what: watchdogAsks})
	}
}

// restartWaitNs is how long a node waits before its next process or elector starts, with its back-off.
func (w *World) restartWaitNs(i int32, baseNs int64) int64 {
	most := w.settings[w.nodes[i].settings].Conduct.RestartBackoffMaxNs
	if most == 0 {
		return baseNs
	}
	p := &w.processes[i]
	if w.now-p.begunNs > 2*most {
		p.restarts = 0
	}
	wait := baseNs
	for range p.restarts {
		if wait *= 2; wait >= most {
			break
		}
	}
	p.restarts++
	return min(wait, most)
}

// startsLater lets a new process start on a node whose process has ended.
func (w *World) startsLater(i int32, baseNs int64) {
	at := w.now + w.restartWaitNs(i, baseNs)
	w.queue.push(event{at: at, key: orderKey(ownTimer, i, w.processes[i].generation), what: processStarts})
}

func (w *World) startProcess(i int32, generation uint32) {
	n := &w.nodes[i]
	if n.alive || n.life == removed || w.processes[i].generation != generation {
		return
	}
	w.startAgain(i, Record{Candidate: i, Control: -1})
}

// crashedBySelf follows a crash: the kubelet starts the process again where it is told to.
func (w *World) crashedBySelf(i int32, killed bool) {
	d := &w.settings[w.nodes[i].settings].Conduct
	if d.StartsAfterCrash || killed {
		w.startsLater(i, d.RestartAfterCrashNs)
	}
}

// freshIdentity gives a new process an identity of its own: name-2, name-3, …
func (w *World) freshIdentity(i int32) {
	if w.settings[w.nodes[i].settings].Conduct.FreshIdentity {
		w.nodes[i].identity = w.nextIdentity(i)
	}
}

// nextIdentity is the identity of a process that starts now, by the settings.
func (w *World) nextIdentity(i int32) coordination.Symbol {
	n := &w.nodes[i]
	c := &w.settings[n.settings]
	if c.Conduct.FreshIdentity && n.run > 0 {
		return w.setup.Symbols.Intern(c.Identity + "-" + strconv.Itoa(int(n.run)+1))
	}
	return w.setup.Symbols.Intern(c.Identity)
}

// askWatchdog is one probe of the kubelet. A process that is stopped does not answer; one whose elector hangs does.
func (w *World) askWatchdog(i int32, generation uint32) {
	n, p := &w.nodes[i], &w.processes[i]
	d := &w.settings[n.settings].Conduct
	if !n.alive || p.generation != generation {
		return
	}
	if n.paused && p.standstill == trace.NodeSuspended { // the kubelet sleeps too
		p.failures = 0
	} else {
		healthy := w.healthy(i, d.WatchdogToleranceNs) && !(n.paused && p.standstill == trace.ProcessStopped)
		p.failures++
		if healthy {
			p.failures = 0
		} else {
			w.emit(w.healthOf(i, healthy))
		}
	}
	if p.failures < d.WatchdogFailures {
		w.queue.push(event{at: w.now + d.WatchdogPeriodNs, key: orderKey(ownTimer, i, generation), what: watchdogAsks})
		return
	}
	w.emit(Record{Kind: Crashed, Candidate: i, Run: n.run, Control: -1, Payload: trace.Crash{ByWatchdog: true}.Payload()})
	w.dies(i)
	w.crashedBySelf(i, true)
}

// dies ends a process without a word.
func (w *World) dies(i int32) {
	n := &w.nodes[i]
	w.thaw(i)
	n.alive, n.paused, n.tail, n.active = false, false, false, false
	n.life = crashed
	w.forget(i)
}

// suspend lets a node sleep: its process stops, and so does its monotonic clock.
func (w *World) suspend(i int32) {
	n, p := &w.nodes[i], &w.processes[i]
	p.standstill, p.stoppedNs, p.rate = trace.NodeSuspended, w.now, n.clock.ratePpm
	n.clock.set(w.now, n.clock.offsetNs, stoppedRate)
}

// thaw lets the clock of a suspended node go on; its wall clock is set to what it would be by now.
func (w *World) thaw(i int32) (sleptNs int64) {
	n, p := &w.nodes[i], &w.processes[i]
	if !n.paused || p.standstill != trace.NodeSuspended {
		return 0
	}
	sleptNs = w.now - p.stoppedNs
	n.clock.set(w.now, n.clock.offsetNs+sleptNs, p.rate)
	p.standstill = trace.ProcessStopped
	p.sleptNs += sleptNs
	return sleptNs
}

// wakeUp is thaw for a process that goes on: every timer of its is later by the sleep.
func (w *World) wakeUp(i int32) {
	sleptNs := w.thaw(i)
	if sleptNs == 0 {
		return
	}
	n := &w.nodes[i]
	n.machine.Shift(sleptNs)
	for k := range w.messages {
		if m := &w.messages[k]; m.client == i && m.waited && m.timeoutNs != never {
			m.timeoutNs += sleptNs // its event finds that out
		}
	}
	kept := w.deferred[:0]
	for _, d := range w.deferred {
		late := d.candidate == i && (d.what == clientGivesUp || d.what == workEnds || d.what == processReturns || d.what == limiterAdmits)
		if !late {
			kept = append(kept, d)
			continue
		}
		number := d.seq
		switch d.what {
		case workEnds:
			number = uint32(n.tailRun)
		case processReturns:
			number = uint32(n.run)
		case clientGivesUp: // it may have come twice: when it was due, and again when the request reached the server
			if m := &w.messages[d.slot]; m.client == i && m.order == d.seq {
				w.timeoutIfBefore(d.slot, never)
			}
			continue
		}
		w.queue.push(event{at: d.at + sleptNs, key: orderKey(d.class, i, number), slot: d.slot, what: d.what})
	}
	w.deferred = kept
	var later []event
	w.queue = slices.DeleteFunc(w.queue, func(m event) bool {
		mine := m.candidate() == i && m.at > w.now && (m.what == workEnds || m.what == processReturns || m.what == limiterAdmits)
		if mine {
			later = append(later, m)
		}
		return mine
	})
	if len(later) == 0 {
		return
	}
	rest := w.queue
	w.queue = nil
	for _, m := range rest {
		w.queue.push(m)
	}
	for _, m := range later {
		m.at += sleptNs
		w.queue.push(m)
	}
}

// throttle keeps a request back until the client's rate limiter lets it go, and reports whether it did.
func (w *World) throttle(i, slot int32) bool {
	n, m := &w.nodes[i], &w.messages[slot]
	w.countWork(i)
	limit := never
	if deadline := n.machine.RequestDeadlineNs(); deadline != never {
		limit = deadline - w.now
	}
	wait, ok := w.processes[i].limiter.Wait(w.now, limit)
	if ok && wait == 0 {
		return false
	}
	m.throttled = true
	e := event{at: w.now + wait, key: orderKey(ownTimer, i, m.order), slot: slot, what: limiterAdmits}
	if ok {
		w.emit(Record{Kind: Throttled, Candidate: i, Run: n.run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Payload: trace.Limited{WaitNs: wait}.Payload()})
	} else {
		e.key, e.what = orderKey(response, i, m.order), limiterRefuses
		m.result = step.RateLimited
	}
	w.queue.push(e)
	return true
}

// endThrottle ends the wait of a request for its token.
func (w *World) endThrottle(e event) {
	m := &w.messages[e.slot]
	i := m.client
	switch {
	case !m.waited:
		m.onWire = false
		w.release(e.slot)
		return
	case w.nodes[i].paused:
		w.deferred = append(w.deferred, deferred{at: w.now, class: class(e.key >> 56), candidate: i, slot: e.slot, seq: m.order, what: e.what})
		return
	}
	m.throttled = false
	if e.what == limiterAdmits {
		w.sendRequest(e.slot)
		return
	}
	result := m.result
	w.notSent(e.slot, result)
	in := elector.Input{Kind: elector.Answer, Result: result}
	if w.nodes[i].lock != elector.ConfigMapsLeases || !w.nextPart(i, &in) {
		w.step(i, in)
	}
}

// notSent ends a request that was kept back.
func (w *World) notSent(slot int32, why step.Result) {
	m := &w.messages[slot]
	n := &w.nodes[m.client]
	w.emit(Record{Kind: RequestNotSent, Candidate: m.client, Run: n.run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Result: why, ResourceVersion: m.version, Spec: m.record})
	m.waited = false
	n.flight = -1
	if why == step.RateLimited { // else an event still looks for it
		m.onWire = false
		w.release(slot)
	}
}

// countWork counts the requests that the work of a leader has sent through the limiter up to now.
func (w *World) countWork(i int32) {
	n, p := &w.nodes[i], &w.processes[i]
	d := &w.settings[n.running].Conduct
	if d.WorkEveryNs == 0 || d.OwnLeaseClient || !n.active || n.paused && p.standstill != trace.ElectorHangs {
		return
	}
	count := (w.now - p.workNs) / d.WorkEveryNs
	p.limiter.Steady(count, p.workNs, d.WorkEveryNs)
	p.workNs += count * d.WorkEveryNs
}

// burst lets a process send requests of its own through its limiter.
func (w *World) burst(c *Control, i int32) {
	n := &w.nodes[i]
	d := &w.settings[n.running].Conduct
	if !n.alive || d.TokenNs == 0 {
		w.skip(c, i)
		return
	}
	sent := trace.Requests{Count: c.Count}
	if !d.OwnLeaseClient {
		w.countWork(i)
		sent.LastWaitNs = w.processes[i].limiter.Take(c.Count, w.now)
	}
	w.emit(Record{Kind: Burst, Candidate: i, Run: n.run, Control: c.Source, Payload: sent.Payload()})
}

// lockExpired is a lock server's judgement: the last write is so old that the lock is free.
func (w *World) lockExpired(i int32) bool {
	d := &w.settings[w.nodes[i].running].Conduct
	o, _ := w.store.Get(w.nodes[i].lease)
	return w.now-w.leaseWrittenNs >= mulDiv(int64(o.Spec.LeaseDurationSeconds)*1e9, d.ExpiryPpm, 1_000_000)+d.LockDelayNs
}

// endWork ends a work tail. A paused process ends its work when it goes on.
func (w *World) endWork(i int32, run int16) {
	n := &w.nodes[i]
	if !n.tail || n.tailRun != run {
		return
	}
	if n.paused {
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, what: workEnds})
		return
	}
	n.tail = false
	if n.machine.Leading() {
		return // it leads again, and works on for that
	}
	w.countWork(i)
	n.active = false
	w.say(WorkDone, i)
	w.giveUpResource(i)
	if w.settings[n.running].ReleaseAfterWork && n.alive {
		w.step(i, elector.Input{Kind: elector.WorkOver})
	}
}

// returnProcess lets a process run for election again after its restart delay.
func (w *World) returnProcess(i int32, run int16) {
	n := &w.nodes[i]
	if !n.alive || n.run != run || n.stopAsked {
		return
	}
	if n.paused {
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, what: processReturns})
		return
	}
	w.rerun(i)
}
