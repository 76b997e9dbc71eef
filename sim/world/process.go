package world

import (
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Package process holds the state machine of a process. This file passes inputs to that state machine and carries out
// its outputs.

// `special` holds the settings that every request reads.
type special uint8

const (
	hasLimiter special = 1 << iota
	asksServer         // the dialect is ttlLock
	asksOnce           // the dialect is noRetries
	runsProgram
)

func (c *Candidate) special() special {
	s := special(0)
	if c.Client.PerSecond > 0 {
		s |= hasLimiter
	}
	if c.Dialect&elector.TTLLock != 0 {
		s |= asksServer
	}
	if c.Dialect&elector.NoRetries != 0 {
		s |= asksOnce
	}
	if c.Program {
		s = runsProgram
	}
	return s
}

// stepProcess passes an input to a node's process and carries out its outputs. `act` is the source of the act behind
// the input, or -1. It reports false if the act does not apply to the process now.
func (w *World) stepProcess(i int32, in process.Input, act int32) bool {
	n := &w.nodes[i]
	var room [process.MostOutputs]process.Output
	for _, o := range n.process.Step(w.now, &w.settings[n.settings].Process, &in, room[:0]) {
		switch o.Kind {
		case process.Refused:
			return false
		case process.SetTimer:
			w.queue.push(event{at: o.AtNs, key: orderKey(ownTimer, i, o.Number), what: processTimers[o.Timer]})
		case process.Defer:
			w.deferred.add(w.now, event{key: orderKey(deferredClass[o.Timer], i, 0), slot: -1,
				what: processTimers[o.Timer]})
		default:
			w.handleProcessOutput(i, &o, act)
		}
	}
	return true
}

// processTimers lists the events for the timers of a process, and processInputs the inputs for these events.
var (
	processTimers = [...]eventKind{
		process.DrainDue: drainDue, process.RunDue: runDue, process.StartDue: startDue, process.ProbeDue: probeDue,
		process.StopLate: stopDeferred, process.RunLate: runDue,
	}
	processInputs = [...]process.InputKind{drainDue: process.DrainDue, runDue: process.RunDue,
		startDue: process.StartDue, probeDue: process.ProbeDue}
	deferredClass = [...]class{process.DrainDue: ownTimer, process.RunLate: ownTimer, process.StopLate: control}
)

// handleProcessTimer passes a timer to its process.
func (w *World) handleProcessTimer(i int32, kind process.InputKind, number uint32) {
	in := process.Input{Kind: kind, Number: number, Leading: w.nodes[i].machine.Leading()}
	if kind == process.ProbeDue {
		in.Healthy = w.Node(i).healthy(w.settings[w.nodes[i].settings].Process.WatchdogToleranceNs)
	}
	w.stepProcess(i, in, -1)
}

// handleProcessOutput carries out one output of a process.
func (w *World) handleProcessOutput(i int32, o *process.Output, act int32) {
	n := &w.nodes[i]
	switch o.Kind {
	case process.Started, process.Restarted:
		w.handleStart(i, o, act)
	case process.RunElector:
		w.electors.begin(w, i)
		w.startBesideElector(i)
	case process.RunAgain:
		w.runAgain(i)
	case process.HasPaused:
		w.handlePause(i, o, act)
	case process.HasResumed:
		w.handleResume(i, o, act)
	case process.HasCrashed:
		said := trace.Record{Kind: trace.Crashed, Candidate: i, Run: n.process.Run, Control: act}
		said.Payload = trace.Crash{ByWatchdog: o.Number == process.ByWatchdog,
			ByGrace: o.Number == process.ByGrace}.Payload()
		w.emit(said)
		w.handleDeath(i, o.SleptNs)
	case process.HasRemoved:
		w.emit(trace.Record{Kind: trace.Removed, Candidate: i, Run: n.process.Run, Control: act})
		w.handleDeath(i, o.SleptNs)
	case process.HasPanicked:
		w.servers.handleCrash(w, i)
	case process.StopBegins:
		w.emit(trace.Record{Kind: trace.StopAsked, Candidate: i, Run: n.process.Run, Control: act})
	case process.Cancel:
		w.electors.step(w, i, &elector.Input{Kind: elector.Cancel})
	case process.Drains:
		w.emit(trace.Record{Kind: trace.LeadingDone, Candidate: i, Run: n.process.Run,
			Payload: trace.Work{LeftNs: o.LeftNs}.Payload()})
		if o.LeftNs == 0 {
			w.resource.giveUp(w, i)
		}
	case process.DrainEnds:
		w.handleDrainEnd(i)
	case process.WorkEnds:
		w.say(trace.WorkDone, i)
		w.resource.giveUp(w, i)
	case process.WorkIsCut:
		w.emit(trace.Record{Kind: trace.WorkDone, Candidate: i, Run: o.Run})
	case process.HasEnded:
		w.stopBesideElector(i)
	case process.Unhealthy:
		w.emit(w.Node(i).healthRecord(false))
	}
}

// handleStart records a new process and gives it an identity and a rate limiter.
func (w *World) handleStart(i int32, o *process.Output, act int32) {
	said := trace.Record{Kind: trace.Started, Candidate: i, Run: w.nodes[i].process.Run, Control: act,
		Payload: w.Node(i).versions()}
	if o.Kind == process.Restarted {
		w.nodes[i].clock.wake(w.now, o.SleptNs)
		w.forget(i)
		said.Kind, said.Name = trace.Restarted, w.Node(i).nextIdentity()
		w.emit(said)
		w.takeIdentity(i)
		w.takeFreshIdentity(i)
	} else {
		w.emit(said)
	}
	n := &w.nodes[i]
	n.limiter.fill(&w.settings[n.settings].Client)
}

// handlePause records a pause. It stops the clock of a suspended node.
func (w *World) handlePause(i int32, o *process.Output, act int32) {
	n := &w.nodes[i]
	if n.process.Active {
		n.limiter.countWork(&w.settings[n.running].Client, w.now)
	}
	if o.PauseKind == trace.NodeSuspended {
		n.clock.suspend(w.now)
		n.plainClock = false
	}
	said := trace.Pause{UntilNs: o.AtNs, Kind: o.PauseKind}
	w.emit(trace.Record{Kind: trace.Paused, Candidate: i, Run: n.process.Run, Control: act, Payload: said.Payload()})
}

// handleResume resumes a process. Before anything else, the process handles what fell due or arrived during the pause.
func (w *World) handleResume(i int32, o *process.Output, act int32) {
	n := &w.nodes[i]
	w.emit(trace.Record{Kind: trace.Resumed, Candidate: i, Run: n.process.Run, Control: act,
		Payload: trace.Pause{Kind: o.PauseKind}.Payload()})
	if o.PauseKind != trace.ElectorHangs {
		n.limiter.workNs = max(n.limiter.workNs, w.now)
	}
	n.clock.wake(w.now, o.SleptNs)
	if o.SleptNs > 0 {
		w.delayTimers(i, o.SleptNs)
	}
	if n.kind == monitorNode {
		w.heartbeats.resume(w, n.number)
	}
	w.resume(i)
	w.resumeBesideElector(i)
}

// handleDeath drops what the process had under way, and wakes a suspended node.
func (w *World) handleDeath(i int32, sleptNs int64) {
	w.nodes[i].clock.wake(w.now, sleptNs)
	w.forget(i)
	if w.nodes[i].special&runsProgram != 0 {
		w.programs.end(w, i)
	}
}

// handleDrainEnd ends the work, and tells the elector if the elector waits for that.
func (w *World) handleDrainEnd(i int32) {
	n := &w.nodes[i]
	n.limiter.countWork(&w.settings[n.running].Client, w.now)
	w.say(trace.WorkDone, i)
	w.resource.giveUp(w, i)
	if w.settings[n.running].ReleaseAfterWork && n.process.Alive {
		w.electors.step(w, i, &elector.Input{Kind: elector.WorkOver})
	}
}

// runAgain runs the elector of a process again, or starts a new one.
func (w *World) runAgain(i int32) {
	n := &w.nodes[i]
	s := &w.settings[n.settings].Process
	if n.kind != serverNode { // if controllers run for election again, their API server does not restart
		identity := n.identity
		if s.Restart == process.NewElector && s.FreshIdentity {
			identity = w.Node(i).nextIdentity()
		}
		w.emit(trace.Record{Kind: trace.Restarted, Candidate: i, Run: n.process.Run, Name: identity, Control: -1})
	}
	if s.Restart == process.NewElector {
		w.takeFreshIdentity(i)
		w.electors.begin(w, i)
		return
	}
	w.electors.step(w, i, &elector.Input{Kind: elector.Start})
}

// takeFreshIdentity gives a new process its own identity: name-2, name-3, …
func (w *World) takeFreshIdentity(i int32) {
	if w.settings[w.nodes[i].settings].Process.FreshIdentity {
		w.nodes[i].identity = w.Node(i).nextIdentity()
	}
}

// delayTimers postpones every timer of a process by the time that its node slept. Go's timers run on a monotonic
// clock, which stops while the node sleeps, so a timer with 3 s left still has 3 s left. The wall clock, on the
// other hand, jumps ahead.
func (w *World) delayTimers(i int32, sleptNs int64) {
	w.nodes[i].machine.Shift(sleptNs)
	for k := range w.net.list {
		if m := &w.net.list[k]; m.client == i && m.waited && m.timeoutNs != never {
			m.timeoutNs += sleptNs // hear checks this when the event comes
		}
		if m := &w.net.list[k]; m.client == i && m.waited && m.call >= 0 {
			w.net.calls.list[m.call].Shift(sleptNs)
		}
	}
	w.queue.rebuild(func(e *event) (keep bool) {
		if e.candidate() == i && e.at > w.now && isDelayed(e.what) {
			e.at += sleptNs
		}
		return true
	})
	w.delayDeferred(i, sleptNs) // resumed last, because its events are already late
}

// isDelayed reports whether a timer runs on the monotonic clock of its node, which stops during a suspension.
func isDelayed(what eventKind) bool {
	return what == drainDue || what == runDue || what == callWakes
}

// delayDeferred restarts the timers that fell due while the node slept.
func (w *World) delayDeferred(i int32, sleptNs int64) {
	p := &w.nodes[i].process
	w.deferred.removeIf(func(e event) bool {
		if e.candidate() != i || e.what != clientGivesUp && !isDelayed(e.what) {
			return false
		}
		number := e.number()
		switch e.what {
		case drainDue:
			number = uint32(p.DrainingRun)
		case runDue:
			number = uint32(p.Run)
		case clientGivesUp: // the event may have come twice: when due, and when the request reached the server
			if m := &w.net.list[e.slot]; m.client == i && m.order == number {
				w.net.timeoutIfBefore(w, e.slot, never)
			}
			return true
		}
		w.queue.push(event{at: e.at + sleptNs, key: orderKey(e.class(), i, number), slot: e.slot, what: e.what})
		return true
	})
}

// startBesideElector starts what runs beside an elector: a LeaseCandidate client, or the controllers of an API
// server.
func (w *World) startBesideElector(i int32) {
	n := &w.nodes[i]
	n.link.Open(w.now)
	n.link.Queue = w.settings[n.settings].Server
	if !n.process.Alive {
		return
	}
	if n.kind == serverNode {
		w.servers.begin(w, n.number)
	}
	if n.client >= 0 {
		w.clients.begin(w, n.client)
	}
}

// stopBesideElector stops what ran beside the elector of a dead process.
func (w *World) stopBesideElector(i int32) {
	if k := w.nodes[i].client; k >= 0 {
		w.clients.stop(k)
	}
}

// resumeBesideElector wakes what runs beside the elector of a resumed process.
func (w *World) resumeBesideElector(i int32) {
	n := &w.nodes[i]
	if n.client >= 0 {
		w.clients.resume(w, n.client)
	}
	if n.kind == serverNode && n.process.Alive {
		w.servers.step(w, n.number, coordinator.Input{Kind: coordinator.Wake})
	}
}

// rearmBesideElector queues the next wake of what runs beside an elector again, because the node's clock has changed.
func (w *World) rearmBesideElector(i int32) {
	n := &w.nodes[i]
	if n.client >= 0 {
		w.clients.rearm(w, n.client)
	}
	if n.kind == serverNode {
		w.servers.arm(w, n.number)
	}
}

// takeIdentity gives a node the identity in its settings before its next process starts.
func (w *World) takeIdentity(i int32) {
	n := &w.nodes[i]
	settings := &w.settings[n.settings]
	if identity := w.setup.Symbols.Intern(settings.Identity); identity != n.identity {
		n.identity = identity
		w.clients.add(w, i, settings)
	}
}

// stopInput returns the input that tells a process to stop.
func (w *World) stopInput(i int32, kind process.InputKind) process.Input {
	n := &w.nodes[i]
	return process.Input{Kind: kind, Leading: n.leads(), Running: n.machine.Running() || n.programRuns}
}

// `forget` drops the timers and the received messages of a dead process. The process's requests stay on the wire: the
// server carries out whatever left before the crash.
func (w *World) forget(i int32) {
	n := &w.nodes[i]
	w.timers.set(i, never)
	w.deferred.removeIf(func(e event) bool {
		mine := e.candidate() == i
		if mine && (e.what == callWakes || e.what == callEnds) {
			w.net.list[e.slot].onWire = false
		}
		return mine
	})
	for k := range w.net.list {
		if m := &w.net.list[k]; m.client == i && !senders[m.sender].isOneWay {
			m.waited = false
			w.net.release(int32(k))
		}
	}
	n.flight = -1
	n.machine = elector.New(n.machine.Config(), 1, 1)
}

// `resume` handles what fell due or arrived during a pause, one at a time and in the order of the original instants. A
// paused process checks its deadlines after it resumes. In contrast, the freeze points in the recordings checked
// their deadlines when these fell due.
func (w *World) resume(i int32) {
	n := &w.nodes[i]
	for {
		first := w.deferred.first(i)
		due := n.machine.NextWakeNs()
		timerFirst := due <= w.now && (first < 0 || due <= w.deferred[first].at)
		switch {
		case n.process.Paused || !n.process.Alive:
			return
		case timerFirst:
			if !w.setup.FreezePoints {
				due = w.now
			}
			w.electors.step(w, i, &elector.Input{Kind: elector.Wake, DueNs: due})
		case first >= 0:
			w.handleDeferred(i, w.deferred.take(first))
		default:
			w.timers.set(i, due)
			return
		}
	}
}

// handleDeferred handles an event that reached the process during its pause.
func (w *World) handleDeferred(i int32, e event) {
	switch e.what {
	case stopDeferred:
		w.stepProcess(i, w.stopInput(i, process.StopLate), -1)
	case runDue:
		w.handleProcessTimer(i, process.RunLate, 0)
	case drainDue:
		w.handleProcessTimer(i, process.DrainDue, uint32(w.nodes[i].process.DrainingRun))
	case resourceDue:
		w.resource.handleWriteDue(w, i, int32(e.number()))
	case responseArrives, clientGivesUp:
		// Otherwise the timeout or the answer came earlier, so the slot may hold another message by now.
		if m := &w.net.list[e.slot]; m.client == i && m.order == e.number() && m.waited {
			senders[m.sender].hear(w, e.slot, m)
		}
	default:
		w.deliver(e)
	}
}
