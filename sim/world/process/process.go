// Package process models a candidate from the operating system's point of view: the process that runs an elector and
// does the leader's work. The process starts, pauses, crashes and restarts. Its work drains when the elector's context
// ends, and a kubelet's probes watch it.
//
// Guarantee: a Process is a plain value. What it does is a function of the settings and inputs that it gets, and Step
// allocates nothing when its outputs fit. Non-guarantee: it keeps no clock, sets no timer and runs no elector; the
// world carries out its outputs, in order, before it passes in the next input.
package process

import "github.com/leaselab/leaselab/sim/trace"

// Process is the process of one node. The zero value has not started yet. Only Step changes it; other packages read
// its fields. The fields that every request reads come last, next to the hottest fields of a world's node.
type Process struct {
	begunNs  int64 // start of the process, or of its elector's newest run
	PausedNs int64 // when the latest pause began

	Starts      uint32
	restarts    int32 // number of restarts in a row, for the back-off
	failures    int32 // number of failed probes in a row
	PauseSource int32 // source of the act that paused the process

	EndSource   int32 // source of the act that asked the process to stop or crashed it; -1 if it died on its own
	Run         int16 // number of the elector's run on this node, from 0
	DrainingRun int16 // the run that Draining is about
	Life        Life
	Alive       bool // the process exists
	Paused      bool // how the process or its elector hangs: see PauseKind
	PauseKind   trace.PauseKind
	StopAsked   bool // an act has cancelled the context of the process
	Active      bool // the process does a leader's work: from StartedLeading until its context and its drain have ended
	Draining    bool // the work continues after its context has ended
}

// Life is the state of a node's process.
type Life uint8

const (
	Unborn Life = iota // the process has not started yet
	Living
	Gone // Run returned, and nothing restarts it
	Crashed
	Removed
)

// InputKind says what happens to a process.
type InputKind uint8

const (
	// These inputs come from acts. If an act does not apply, Step answers with Refused.
	Start   InputKind = iota // the process starts for the first time
	Restart                  // the process restarts; Busy means that it still runs, so a restart does not apply
	Pause                    // PauseKind, Source
	Resume
	Crash  // Source
	Remove // the process leaves for good
	Panic  // the process crashes on its own
	Stop   // an act cancels the context of the process: Leading, Running, Source
	Kill   // the grace period is over: the process that Source told to stop ends now

	// These inputs say what the process's elector does.
	Begun        // the elector runs
	Leads        // the elector reports StartedLeading
	ContextEnded // the elector's leading context ends: Cancelled, Releases
	Returned     // the elector's Run returns: Cancelled
	WorkReturned // the work of a program has ended

	// These inputs say that a timer from SetTimer is due. Number identifies the timer.
	DrainDue // Leading
	RunDue
	StartDue
	ProbeDue // Healthy

	// These inputs say that something that fell due during a pause happens now, after the pause.
	StopLate // Leading, Running
	RunLate
)

// Input is something that happens to a process.
type Input struct {
	Kind      InputKind
	PauseKind trace.PauseKind
	Busy      bool
	Leading   bool // the elector leads
	Running   bool // the elector's Run has not returned
	Cancelled bool // the elector was told to stop
	Releases  bool // the elector releases the Lease only after the work
	Healthy   bool // answer of the elector's health check
	Reported  bool // about a program, which reports its work (GoesOn, and WorkReturned later) and its own crashes
	GoesOn    bool // the work has not ended
	Source    int32
	Number    uint32
	UntilNs   int64 // Pause: when the act ends the pause; 0 if open
}

// OutputKind says what the world does for a process.
type OutputKind uint8

const (
	Refused    OutputKind = iota // the act does not apply, so nothing has changed
	SetTimer                     // pass the process the input Timer, with Number, at AtNs
	Defer                        // pass the process the input Timer, with Number, when it resumes
	Started                      // the first process starts
	Restarted                    // another process starts; its node has slept for SleptNs
	RunElector                   // run a new elector, with what runs beside it
	RunAgain                     // run the elector again in the same process
	HasPaused                    // the process pauses: PauseKind, until AtNs
	HasResumed                   // the process resumes: PauseKind; its node has slept for SleptNs
	HasCrashed                   // the process ends as Number says, one of the deaths; its node has slept for SleptNs
	HasRemoved                   // the process leaves; its node has slept for SleptNs
	HasPanicked
	StopBegins // the context of the process ends now
	Cancel     // tell the elector to stop
	Drains     // the work continues for LeftNs: 0 means not at all, -1 until the process ends
	DrainEnds  // the work ends after its drain
	WorkEnds   // the work ends at once because the process was told to stop
	WorkIsCut  // the work ends with the process that did it
	HasEnded   // the process ends on its own
	Unhealthy  // a probe failed
)

// The ways in which a process can die.
const (
	ByCrash uint32 = iota
	ByWatchdog
	ByGrace // the grace period is over
)

// Output is something that the world does for a process.
type Output struct {
	Kind      OutputKind
	Timer     InputKind
	PauseKind trace.PauseKind
	Run       int16 // WorkIsCut: number of the run that did the work
	Number    uint32
	AtNs      int64
	LeftNs    int64
	SleptNs   int64
}

// MostOutputs is the highest number of outputs for one input.
const MostOutputs = 4

// Works reports whether the work is going on now. If only the elector hangs, the work still goes on.
func (p *Process) Works() bool {
	return p.Active && (!p.Paused || p.PauseKind == trace.ElectorHangs)
}

// RunsAgain reports whether the process will run for election again on its own after its elector's Run returns.
func (p *Process) RunsAgain(s *Settings) bool { return !p.StopAsked && s.Restart != Exit }

// Step passes an input to the process and appends what the world has to do, in order. An act does not always apply: a
// process that runs cannot restart, for example. Step then outputs only Refused, and the process stays unchanged.
func (p *Process) Step(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	switch in.Kind {
	case Start:
		if p.Life != Unborn { // removed before its first start
			return refuse(out)
		}
		return p.start(nowNs, s, append(out, Output{Kind: Started}))
	case Restart:
		if p.Alive && in.Busy || p.Life == Removed || p.Life == Unborn { // the process will start anyway
			return refuse(out)
		}
		return p.startAgain(nowNs, s, out)
	case Pause:
		return p.pause(nowNs, in, out)
	case Resume:
		return p.resume(nowNs, out)
	case Crash, Remove:
		return p.end(nowNs, s, in, out)
	case Kill:
		return p.kill(nowNs, in, out)
	case Panic:
		p.die(nowNs)
		return append(out, Output{Kind: HasPanicked})
	case Stop, StopLate:
		return p.stop(nowNs, s, in, out)
	case Begun:
		p.Alive, p.Life = true, Living
	case Leads:
		p.Active = true
	case ContextEnded:
		return p.contextEnded(nowNs, s, in, out)
	case Returned:
		return p.takeReturn(nowNs, s, in, out)
	case WorkReturned:
		if !p.Active {
			return out
		}
		p.Active, p.Draining = false, false
		return append(out, Output{Kind: DrainEnds})
	case DrainDue:
		return p.drainDue(in, out)
	case RunDue, RunLate:
		return p.runDue(nowNs, s, in, out)
	case StartDue:
		if p.Alive || p.Life == Removed || p.Starts != in.Number {
			return out
		}
		return p.startAgain(nowNs, s, out)
	case ProbeDue:
		return p.probeDue(nowNs, s, in, out)
	}
	return out
}

func refuse(out []Output) []Output { return append(out, Output{Kind: Refused}) }

// start begins a process.
func (p *Process) start(nowNs int64, s *Settings, out []Output) []Output {
	p.Starts++
	p.begunNs, p.failures = nowNs, 0
	if s.WatchdogPeriodNs > 0 {
		out = append(out, Output{Kind: SetTimer, Timer: ProbeDue, Number: p.Starts, AtNs: nowNs + s.WatchdogPeriodNs})
	}
	return append(out, Output{Kind: RunElector})
}

// startAgain begins another process on a node that is awake. The work of the previous process ends with that process.
func (p *Process) startAgain(nowNs int64, s *Settings, out []Output) []Output {
	if p.Draining {
		out = append(out, Output{Kind: WorkIsCut, Run: p.Run})
	}
	restarted := Output{Kind: Restarted, SleptNs: p.sleptNs(nowNs)}
	p.Run++
	p.Paused, p.StopAsked, p.Draining, p.Active = false, false, false, false
	return p.start(nowNs, s, append(out, restarted))
}

// `pause` stops the process, or hangs its elector.
func (p *Process) pause(nowNs int64, in *Input, out []Output) []Output {
	if !p.Alive || p.Paused {
		return refuse(out)
	}
	p.Paused, p.PauseKind, p.PauseSource, p.PausedNs = true, in.PauseKind, in.Source, nowNs
	return append(out, Output{Kind: HasPaused, PauseKind: p.PauseKind, AtNs: in.UntilNs})
}

// `resume` lets a paused process go on.
func (p *Process) resume(nowNs int64, out []Output) []Output {
	if !p.Paused {
		return refuse(out)
	}
	sleptNs := p.sleptNs(nowNs)
	p.Paused = false
	return append(out, Output{Kind: HasResumed, PauseKind: p.PauseKind, SleptNs: sleptNs})
}

// sleptNs returns how long the node of a paused process has been suspended.
func (p *Process) sleptNs(nowNs int64) int64 {
	if !p.Paused || p.PauseKind != trace.NodeSuspended {
		return 0
	}
	return nowNs - p.PausedNs
}

// `end` ends the process without notice. After a crash its kubelet may start another one.
func (p *Process) end(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	if !p.Alive && in.Kind == Crash || p.Life == Removed {
		return refuse(out)
	}
	died := p.die(nowNs)
	p.EndSource = in.Source
	if in.Kind == Remove {
		p.Life, died.Kind = Removed, HasRemoved
		return append(out, died)
	}
	out = append(out, died)
	switch {
	case s.StartsAfterCrash:
		out = p.startLater(nowNs, s, s.RestartAfterCrashNs, out)
	case in.Reported && s.OnLoss == ExitProcess && s.Restart != Exit: // a kubelet treats it like an exit
		out = p.startLater(nowNs, s, s.RestartAfterNs, out)
	}
	return out
}

func (p *Process) die(nowNs int64) Output {
	sleptNs := p.sleptNs(nowNs)
	p.Alive, p.Paused, p.Draining, p.Active = false, false, false, false
	p.Life, p.EndSource = Crashed, -1
	return Output{Kind: HasCrashed, SleptNs: sleptNs}
}

// `kill` ends a process that was told to stop, and its work, without notice. Nothing starts it again.
func (p *Process) kill(nowNs int64, in *Input, out []Output) []Output {
	if !p.StopAsked || p.EndSource != in.Source || !p.Alive && !p.Draining {
		return refuse(out)
	}
	died := p.die(nowNs)
	died.Number = ByGrace
	return append(out, died)
}

// `stop` cancels the context of the process. A paused process notices after it resumes.
func (p *Process) stop(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	if in.Kind == Stop {
		if !p.Alive || p.StopAsked {
			return refuse(out)
		}
		p.StopAsked, p.EndSource = true, in.Source
		out = append(out, Output{Kind: StopBegins})
		if p.Paused {
			return append(out, Output{Kind: Defer, Timer: StopLate})
		}
	}
	if p.Draining && s.OnLoss == IgnoreLoss && !in.Leading { // the work has outlived the leadership
		if drainNs := s.drainAfterCancelNs(); drainNs > 0 {
			out = append(out, Output{Kind: SetTimer, Timer: DrainDue, Number: uint32(p.DrainingRun), AtNs: nowNs +
				drainNs})
		} else {
			p.Draining, p.Active = false, false
			out = append(out, Output{Kind: WorkEnds})
		}
	}
	if in.Running {
		return append(out, Output{Kind: Cancel})
	}
	p.Alive, p.Life = false, Gone // the elector is between two runs, so it will not come back
	return out
}

// contextEnded lets the work drain.
func (p *Process) contextEnded(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	leftNs := s.drainNs(in.Cancelled, in.Releases)
	if in.Reported {
		leftNs = 0
		if in.GoesOn {
			leftNs = trace.UntilReported
		}
	}
	p.Active = leftNs != 0
	out = append(out, Output{Kind: Drains, LeftNs: leftNs})
	if leftNs != 0 {
		p.Draining, p.DrainingRun = true, p.Run
	}
	if leftNs > 0 {
		out = append(out, Output{Kind: SetTimer, Timer: DrainDue, Number: uint32(p.Run), AtNs: nowNs + leftNs})
	}
	return out
}

// drainDue ends the work after its drain. A paused process ends it after it resumes.
func (p *Process) drainDue(in *Input, out []Output) []Output {
	switch {
	case !p.Draining || p.DrainingRun != int16(in.Number):
		return out
	case p.Paused:
		return append(out, Output{Kind: Defer, Timer: DrainDue})
	}
	p.Draining = false
	if in.Leading {
		return out // the elector leads again, so the work continues
	}
	p.Active = false
	return append(out, Output{Kind: DrainEnds})
}

// takeReturn lets the process end or run again after its elector's Run returned.
func (p *Process) takeReturn(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	switch {
	case !in.Cancelled && !p.StopAsked && s.OnLoss == ExitProcess && s.Restart != Exit:
		p.Alive, p.Life = false, Gone
		return p.startLater(nowNs, s, s.RestartAfterNs, append(out, Output{Kind: HasEnded}))
	case !p.RunsAgain(s):
		if p.Draining && s.OnLoss == IgnoreLoss && !p.StopAsked {
			return out // the process stays alive for its work
		}
		p.Alive, p.Life = false, Gone
		return append(out, Output{Kind: HasEnded})
	}
	return append(out, Output{Kind: SetTimer, Timer: RunDue, Number: uint32(p.Run), AtNs: nowNs +
		p.restartWaitNs(nowNs, s, s.RestartAfterNs)})
}

// runDue lets the process run for election again after its restart delay.
func (p *Process) runDue(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	if in.Kind == RunDue {
		if !p.Alive || p.Run != int16(in.Number) || p.StopAsked {
			return out
		}
		if p.Paused {
			return append(out, Output{Kind: Defer, Timer: RunLate})
		}
	}
	p.Run++
	if s.Restart == NewElector {
		p.begunNs = nowNs
	}
	return append(out, Output{Kind: RunAgain})
}

// probeDue runs one probe of the kubelet. A paused process does not answer; a process whose elector hangs does.
func (p *Process) probeDue(nowNs int64, s *Settings, in *Input, out []Output) []Output {
	if !p.Alive || p.Starts != in.Number {
		return out
	}
	switch {
	case p.Paused && p.PauseKind == trace.NodeSuspended: // the kubelet sleeps too
		p.failures = 0
	case in.Healthy && !(p.Paused && p.PauseKind == trace.ProcessStopped):
		p.failures = 0
	default:
		p.failures++
		out = append(out, Output{Kind: Unhealthy})
	}
	if p.failures < s.WatchdogFailures {
		return append(out, Output{Kind: SetTimer, Timer: ProbeDue, Number: in.Number, AtNs: nowNs + s.WatchdogPeriodNs})
	}
	killed := p.die(nowNs)
	killed.Number = ByWatchdog
	return p.startLater(nowNs, s, s.RestartAfterCrashNs, append(out, killed))
}

// startLater schedules another process after a wait.
func (p *Process) startLater(nowNs int64, s *Settings, baseNs int64, out []Output) []Output {
	return append(out, Output{Kind: SetTimer, Timer: StartDue, Number: p.Starts, AtNs: nowNs +
		p.restartWaitNs(nowNs, s, baseNs)})
}

// restartWaitNs returns the wait before the next process or run, with the kubelet's back-off. Each consecutive
// restart doubles the wait. The count starts over after a process has run for twice the longest wait. Source:
// kubernetes v1.36 pkg/kubelet/kuberuntime, client-go util/flowcontrol Backoff.
func (p *Process) restartWaitNs(nowNs int64, s *Settings, baseNs int64) int64 {
	longestNs := s.RestartBackoffMaxNs
	if longestNs == 0 {
		return baseNs
	}
	if nowNs-p.begunNs > 2*longestNs {
		p.restarts = 0
	}
	waitNs := baseNs
	for range p.restarts {
		if waitNs *= 2; waitNs >= longestNs {
			break
		}
	}
	p.restarts++
	return min(waitNs, longestNs)
}
