package process

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/trace"
)

// hand hands a process an input and returns its outputs.
func hand(p *Process, nowNs int64, s *Settings, in Input) []Output { return p.Step(nowNs, s, &in, nil) }

// running returns a process whose elector runs, started at instant 0.
func running(t *testing.T, s *Settings) *Process {
	t.Helper()
	p := &Process{}
	out := hand(p, 0, s, Input{Kind: Start})
	assert.Equal(t, RunElector, out[len(out)-1].Kind)
	hand(p, 0, s, Input{Kind: Begun})
	return p
}

// Step refuses an act that does not apply, and changes nothing.
func TestRefusedActsChangeNothing(t *testing.T) {
	s := &Settings{}
	paused := running(t, s)
	hand(paused, 1, s, Input{Kind: Pause})
	stopping := running(t, s)
	hand(stopping, 1, s, Input{Kind: Stop, Running: true})
	removed := running(t, s)
	hand(removed, 1, s, Input{Kind: Remove})
	for name, c := range map[string]struct {
		p    *Process
		acts []Input
	}{
		"unborn":   {&Process{}, []Input{{Kind: Restart}, {Kind: Pause}, {Kind: Resume}, {Kind: Crash}, {Kind: Stop}}},
		"running":  {running(t, s), []Input{{Kind: Start}, {Kind: Restart, Busy: true}, {Kind: Resume}}},
		"paused":   {paused, []Input{{Kind: Start}, {Kind: Pause}}},
		"stopping": {stopping, []Input{{Kind: Stop, Running: true}}},
		"removed":  {removed, []Input{{Kind: Start}, {Kind: Restart}, {Kind: Pause}, {Kind: Crash}, {Kind: Remove}, {Kind: Stop}}},
	} {
		for _, act := range c.acts {
			before := *c.p
			assert.Equal(t, []Output{{Kind: Refused}}, hand(c.p, 2, s, act), "%s, %+v", name, act)
			assert.Equal(t, before, *c.p, name)
		}
	}
}

// How long a leader's work goes on depends on why its context ended.
func TestDrains(t *testing.T) {
	own := Settings{WorkTailNs: 1, OwnDrains: true, DrainAfterCancelNs: 2, DrainAfterLossNs: 3}
	exits, ignores := own, own
	exits.OnLoss, ignores.OnLoss = ExitProcess, IgnoreLoss
	for _, c := range []struct {
		name                string
		s                   Settings
		cancelled, releases bool
		leftNs              int64
	}{
		{name: "one tail for both", s: Settings{WorkTailNs: 1}, leftNs: 1},
		{name: "told to stop", s: own, cancelled: true, leftNs: 2},
		{name: "lost", s: own, leftNs: 3},
		{name: "exits when lost", s: exits, leftNs: 0},
		{name: "told to stop before it could exit", s: exits, cancelled: true, leftNs: 2},
		{name: "works on before it releases", s: exits, releases: true, leftNs: 3},
		{name: "ignores the loss", s: ignores, leftNs: -1},
	} {
		p := running(t, &c.s)
		hand(p, 5, &c.s, Input{Kind: Leads})
		out := hand(p, 10, &c.s, Input{Kind: ContextEnded, Cancelled: c.cancelled, Releases: c.releases})
		assert.Equal(t, Output{Kind: Drains, LeftNs: c.leftNs}, out[0], c.name)
		assert.Equal(t, c.leftNs != 0, p.Active && p.Draining, c.name)
		if c.leftNs <= 0 {
			assert.Len(t, out, 1, c.name)
			continue
		}
		assert.Equal(t, []Output{{Kind: SetTimer, Timer: DrainDue, AtNs: 10 + c.leftNs}}, out[1:], c.name)
		assert.Equal(t, []Output{{Kind: DrainEnds}}, hand(p, 10+c.leftNs, &c.s, Input{Kind: DrainDue}), c.name)
		assert.False(t, p.Active || p.Draining, c.name)
	}
}

// A drain ends late in a paused process, and not at all if the elector leads again by then.
func TestDrainDueWaitsForResume(t *testing.T) {
	s := &Settings{WorkTailNs: 5}
	p := running(t, s)
	hand(p, 0, s, Input{Kind: Leads})
	hand(p, 10, s, Input{Kind: ContextEnded})
	hand(p, 11, s, Input{Kind: Pause})
	assert.Equal(t, []Output{{Kind: Defer, Timer: DrainDue}}, hand(p, 15, s, Input{Kind: DrainDue}))
	hand(p, 20, s, Input{Kind: Resume})
	assert.Empty(t, hand(p, 20, s, Input{Kind: DrainDue, Number: 1}), "the drain of another run")
	assert.Empty(t, hand(p, 20, s, Input{Kind: DrainDue, Leading: true}))
	assert.True(t, p.Active && !p.Draining)
}

// Work that ignores the loss of the Lease ends when its process is asked to stop.
func TestStopEndsIgnoredWork(t *testing.T) {
	s := &Settings{OnLoss: IgnoreLoss}
	p := running(t, s)
	hand(p, 0, s, Input{Kind: Leads})
	hand(p, 10, s, Input{Kind: ContextEnded})
	assert.Empty(t, hand(p, 10, s, Input{Kind: Returned}), "the process lives on for its work")
	assert.True(t, p.Alive && p.Active)
	assert.Equal(t, []Output{{Kind: StopBegins}, {Kind: WorkEnds}}, hand(p, 20, s, Input{Kind: Stop}))
	assert.Equal(t, Gone, p.Life)
	assert.False(t, p.Alive || p.Active)
}

// A paused process notices a request to stop when it resumes.
func TestStopDuringPause(t *testing.T) {
	s := &Settings{}
	p := running(t, s)
	hand(p, 1, s, Input{Kind: Pause})
	assert.Equal(t, []Output{{Kind: StopBegins}, {Kind: Defer, Timer: StopLate}}, hand(p, 2, s, Input{Kind: Stop, Running: true}))
	hand(p, 3, s, Input{Kind: Resume})
	assert.Equal(t, []Output{{Kind: Cancel}}, hand(p, 3, s, Input{Kind: StopLate, Running: true}))
}

// Every restart in a row doubles the wait, up to the longest; a process that has run for twice that long ends the row.
func TestRestartsBackOff(t *testing.T) {
	s := &Settings{StartsAfterCrash: true, RestartAfterCrashNs: 10, RestartBackoffMaxNs: 35}
	p := running(t, s)
	now := int64(0)
	crash := func(afterNs int64) (waitNs int64) {
		now += afterNs
		out := hand(p, now, s, Input{Kind: Crash})
		assert.Equal(t, HasCrashed, out[0].Kind)
		assert.Equal(t, StartDue, out[1].Timer)
		waitNs = out[1].AtNs - now
		now = out[1].AtNs
		started := hand(p, now, s, Input{Kind: StartDue, Number: out[1].Number})
		assert.Equal(t, []Output{{Kind: Restarted}, {Kind: RunElector}}, started)
		hand(p, now, s, Input{Kind: Begun})
		return waitNs
	}
	for _, wantNs := range []int64{10, 20, 35, 35} {
		assert.Equal(t, wantNs, crash(1))
	}
	assert.Equal(t, int64(35), crash(70), "twice the longest wait is not yet long enough")
	assert.Equal(t, int64(10), crash(71))
	assert.Equal(t, int16(6), p.Run)
}

// A start that is due belongs to the process that crashed: nothing happens if an act has started another process meanwhile.
func TestStartDueOfAnotherProcess(t *testing.T) {
	s := &Settings{StartsAfterCrash: true}
	p := running(t, s)
	due := hand(p, 1, s, Input{Kind: Crash})[1]
	hand(p, 2, s, Input{Kind: Restart})
	hand(p, 2, s, Input{Kind: Begun})
	hand(p, 3, s, Input{Kind: Crash})
	assert.Empty(t, hand(p, 4, s, Input{Kind: StartDue, Number: due.Number}))
}

// A kubelet kills a process after enough failed probes in a row. A paused process does not answer, a process whose elector
// hangs does, and on a suspended node the kubelet sleeps too.
func TestProbes(t *testing.T) {
	s := &Settings{WatchdogPeriodNs: 10, WatchdogFailures: 2}
	probe := func(p *Process, healthy bool) []Output {
		return hand(p, 100, s, Input{Kind: ProbeDue, Number: 1, Healthy: healthy})
	}
	again := Output{Kind: SetTimer, Timer: ProbeDue, Number: 1, AtNs: 110}
	p := running(t, s)
	assert.Equal(t, []Output{{Kind: Unhealthy}, again}, probe(p, false))
	assert.Equal(t, []Output{again}, probe(p, true), "a good answer ends the row")
	assert.Equal(t, []Output{{Kind: Unhealthy}, again}, probe(p, false))
	killed := []Output{{Kind: Unhealthy}, {Kind: HasCrashed, Number: 1}, {Kind: SetTimer, Timer: StartDue, Number: 1, AtNs: 100}}
	assert.Equal(t, killed, probe(p, false), "and another start, whatever the policy after a crash")
	assert.Empty(t, probe(p, false), "nothing is left to probe")

	for kind, answers := range map[trace.PauseKind]bool{trace.ProcessStopped: false, trace.ElectorHangs: true, trace.NodeSuspended: true} {
		p = running(t, s)
		hand(p, 1, s, Input{Kind: Pause, PauseKind: kind})
		want := []Output{{Kind: Unhealthy}, again}
		if answers {
			want = want[1:]
		}
		assert.Equal(t, want, probe(p, true), "%d", kind)
	}
}

// The outputs say for how long a suspended node has slept, whether its process is resumed, restarted or dies.
func TestSuspendedNodeSaysHowLongItSlept(t *testing.T) {
	s := &Settings{}
	for in, want := range map[InputKind]OutputKind{Resume: HasResumed, Crash: HasCrashed, Remove: HasRemoved} {
		p := running(t, s)
		hand(p, 10, s, Input{Kind: Pause, PauseKind: trace.NodeSuspended, UntilNs: 50})
		assert.False(t, p.Works())
		out := hand(p, 40, s, Input{Kind: in})[0]
		assert.Equal(t, want, out.Kind)
		assert.Equal(t, int64(30), out.SleptNs)
	}
	p := running(t, s)
	hand(p, 10, s, Input{Kind: Pause, PauseKind: trace.NodeSuspended})
	assert.Equal(t, []Output{{Kind: Restarted, SleptNs: 30}, {Kind: RunElector}}, hand(p, 40, s, Input{Kind: Restart}))
}

// The work of a leader goes on while only its elector hangs.
func TestWorkGoesOnWhileTheElectorHangs(t *testing.T) {
	s := &Settings{}
	for kind, works := range map[trace.PauseKind]bool{trace.ProcessStopped: false, trace.ElectorHangs: true, trace.NodeSuspended: false} {
		p := running(t, s)
		hand(p, 0, s, Input{Kind: Leads})
		hand(p, 1, s, Input{Kind: Pause, PauseKind: kind})
		assert.Equal(t, works, p.Works(), "%d", kind)
	}
}

// The policies of a process decide what happens after Run has returned.
func TestRunReturned(t *testing.T) {
	for _, c := range []struct {
		name string
		s    Settings
		in   Input
		want []Output
		life Life
	}{
		{"it exits", Settings{}, Input{Kind: Returned}, []Output{{Kind: HasEnded}}, Gone},
		{"it exits and its kubelet starts it again", Settings{OnLoss: ExitProcess, Restart: NewElector, RestartAfterNs: 3}, Input{Kind: Returned},
			[]Output{{Kind: HasEnded}, {Kind: SetTimer, Timer: StartDue, Number: 1, AtNs: 13}}, Gone},
		{"it runs again", Settings{Restart: SameElector, RestartAfterNs: 3}, Input{Kind: Returned}, []Output{{Kind: SetTimer, Timer: RunDue, AtNs: 13}}, Living},
	} {
		p := running(t, &c.s)
		assert.Equal(t, c.want, hand(p, 10, &c.s, c.in), c.name)
		assert.Equal(t, c.life, p.Life, c.name)
	}
	s := &Settings{Restart: SameElector}
	p := running(t, s)
	hand(p, 1, s, Input{Kind: Pause})
	assert.Equal(t, []Output{{Kind: Defer, Timer: RunLate}}, hand(p, 2, s, Input{Kind: RunDue}))
	hand(p, 3, s, Input{Kind: Resume})
	assert.Equal(t, []Output{{Kind: RunAgain}}, hand(p, 3, s, Input{Kind: RunLate}))
	assert.Equal(t, int16(1), p.Run)
	assert.Empty(t, hand(p, 4, s, Input{Kind: RunDue}), "the delay of another run")
}

// A step whose outputs fit allocates nothing.
func TestStepAllocatesNothing(t *testing.T) {
	s := &Settings{WatchdogPeriodNs: 10, WatchdogFailures: 1}
	var p Process
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		var room [MostOutputs]Output
		for _, in := range []Input{{Kind: Start}, {Kind: Begun}, {Kind: Leads}, {Kind: ContextEnded}, {Kind: ProbeDue, Number: p.Starts}, {Kind: Restart}} {
			if out := p.Step(1, s, &in, room[:0]); len(out) > MostOutputs {
				panic("too many outputs")
			}
		}
	}))
}
