package world

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sec = int64(time.Second)

// plainSetup is n candidates with client-go's defaults. Requests take 100 ns there and 50 ns back, so that a test can
// hit an instant on purpose.
func plainSetup(n int) *Setup {
	s := &Setup{Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: 3600 * sec, LeaseNames: []string{"demo"}}
	for i := range n {
		name := string(rune('a' + i))
		s.Candidates = append(s.Candidates, Candidate{
			Name: name, Identity: name, Config: elector.Config{LeaseDuration: 15 * time.Second,
				RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
			RequestNs: 100, ResponseNs: 50,
		})
	}
	return s
}

// runUntil runs a world and returns all its records.
func runUntil(w *World, ns int64) []trace.Record {
	var all []trace.Record
	w.Run(ns, func(records []trace.Record) { all = append(all, records...) })
	return all
}

// find returns the records of a kind and a candidate.
func find(all []trace.Record, kind trace.Kind, candidate int32) []trace.Record {
	var found []trace.Record
	for _, r := range all {
		if r.Kind == kind && r.Candidate == candidate {
			found = append(found, r)
		}
	}
	return found
}

// At one instant, an act comes before a request that arrives: the read finds the Lease that an administrator puts there
// in the same nanosecond.
func TestControlBeforeArrival(t *testing.T) {
	for late, want := range map[int64]storage.Outcome{0: storage.OK, 1: storage.NotFound} {
		s := plainSetup(1)
		s.Controls = []Control{{AtNs: 100 + late, Kind: DoWrite, Write: &Write{Op: trace.Put}, Source: -1}}
		served := find(runUntil(New(s), 149), trace.RequestServed, 0)
		require.Len(t, served, 1)
		assert.Equal(t, want, served[0].Outcome)
	}
}

// An act comes before an answer that arrives: a process that crashes in that nanosecond does not see it.
func TestControlBeforeResponse(t *testing.T) {
	for late, ended := range map[int64]int{0: 0, 1: 1} {
		s := plainSetup(1)
		s.Controls = []Control{{AtNs: 150 + late, Kind: DoCrash, Target: 0, Source: -1}}
		assert.Len(t, find(runUntil(New(s), 200), trace.RequestEnded, 0), ended)
	}
}

// A candidate's own timer comes before an act: a process stopped in the nanosecond of its poll has polled.
func TestOwnTimerBeforeControl(t *testing.T) {
	calm := find(runUntil(New(plainSetup(2)), 20*sec), trace.RequestSent, 1)
	require.Greater(t, len(calm), 2)
	look := calm[2].At // a look of b: decided by its draw alone
	for early, sent := range map[int64]int{0: 3, 1: 2} {
		s := plainSetup(2)
		s.Controls = []Control{{AtNs: look - early, Kind: DoPause, Target: 1, Source: -1}}
		assert.Len(t, find(runUntil(New(s), 20*sec), trace.RequestSent, 1), sent)
	}
}

// An arrival comes before a response, and a response before the client's own timeout.
func TestArrivalThenResponseThenTimeout(t *testing.T) {
	s := plainSetup(2)
	s.Candidates[1].StartNs = 50 // its read arrives at 150, with the answer to a's
	all := runUntil(New(s), 150)
	kinds := []trace.Kind{}
	for _, r := range all {
		if r.At == 150 && (r.Kind == trace.RequestServed || r.Kind == trace.RequestEnded) {
			kinds = append(kinds, r.Kind)
		}
	}
	assert.Equal(t, []trace.Kind{trace.RequestServed, trace.RequestEnded}, kinds)

	for timeout, want := range map[int64]step.Result{149: step.ClientTimeout, 150: step.NotFound, 151: step.NotFound} {
		s := plainSetup(1)
		s.Candidates[0].RequestTimeoutNs = timeout
		ended := find(runUntil(New(s), 151), trace.RequestEnded, 0)
		require.NotEmpty(t, ended)
		assert.Equal(t, want, ended[0].Result, "timeout %d", timeout)
	}
}

// Two requests in one nanosecond: the server serves the lower node first, whatever the order of sending.
func TestIndexBreaksTies(t *testing.T) {
	s := plainSetup(2)
	s.Candidates[0].StartNs, s.Candidates[0].RequestNs = 40, 60 // a sends later, both arrive at 100
	all := runUntil(New(s), 100)
	var order []int32
	for _, r := range all {
		if r.Kind == trace.RequestServed {
			order = append(order, r.Candidate)
		}
	}
	assert.Equal(t, []int32{0, 1}, order)
}

// Acts at one instant apply in the order of their list.
func TestControlsKeepTheirOrder(t *testing.T) {
	for _, kinds := range [][]ControlKind{{DoCrash, DoRestart}, {DoRestart, DoCrash}} {
		s := plainSetup(1)
		for _, k := range kinds {
			s.Controls = append(s.Controls, Control{AtNs: 5 * sec, Kind: k, Target: 0, Source: -1})
		}
		w := New(s)
		all := runUntil(w, 6*sec)
		if kinds[0] == DoCrash {
			assert.True(t, w.Node(0).Alive())
			assert.Len(t, find(all, trace.Restarted, 0), 1)
		} else {
			assert.False(t, w.Node(0).Alive())
			assert.Len(t, find(all, trace.Skipped, 0), 1, "it runs: there is nothing to restart")
		}
	}
}

// slowRenewal is a leader whose renewal at about 2 s takes nearly until its deadline, 10 s later.
func slowRenewal(answerNs int64) (s *Setup, sentNs, deadlineNs int64) {
	s = plainSetup(1)
	sentNs = find(runUntil(New(s), 3*sec), trace.RequestSent, 0)[3].At // get, create, update, and 2 s later this update
	s.Latencies = []network.Latency{{Client: 0, FromNs: sentNs, UntilNs: sentNs + 1, Verb: network.AnyVerb,
		RequestNs: 100, ResponseNs: answerNs - 100}}
	return s, sentNs, sentNs + 10*sec
}

// A resumed process handles what happened during the pause in the order in which it fell due: of an answer and a
// deadline the earlier one wins.
func TestResumeKeepsTheOrder(t *testing.T) {
	for answer, want := range map[int64]step.Result{10*sec + 1: step.ContextDeadline, 10*sec - 1: step.Success} {
		s, sent, deadline := slowRenewal(answer)
		s.Controls = []Control{
			{AtNs: sent + 5*sec, Kind: DoPause, Target: 0, Source: -1},
			{AtNs: deadline + 3*sec, Kind: DoResume, Target: 0, Source: -1},
		}
		all := runUntil(New(s), deadline+3*sec)
		ended := find(all, trace.RequestEnded, 0)
		last := ended[len(ended)-1]
		for _, r := range ended {
			if r.Exchange().SentNs == sent {
				last = r
			}
		}
		require.Equal(t, sent, last.Exchange().SentNs)
		assert.Equal(t, want, last.Result, "the answer came %d ns after the request", answer)
		assert.Equal(t, deadline+3*sec, last.At, "and is noticed when the process is resumed")
		lost := find(all, trace.LeadingDone, 0)
		if want == step.Success {
			assert.Empty(t, lost)
		} else {
			require.Len(t, lost, 1)
			assert.Equal(t, deadline+3*sec, lost[0].At)
		}
	}
}

// A paused process learns of nothing. Asked to stop meanwhile, it stops when it resumes.
func TestStopDuringPause(t *testing.T) {
	s := plainSetup(1)
	s.Controls = []Control{
		{AtNs: 5 * sec, Kind: DoPause, Target: 0, Source: -1},
		{AtNs: 6 * sec, Kind: DoStop, Target: 0, Source: -1},
		{AtNs: 9 * sec, Kind: DoResume, Target: 0, Source: -1},
	}
	w := New(s)
	all := runUntil(w, 20*sec)
	returned := find(all, trace.RunReturned, 0)
	require.Len(t, returned, 1)
	assert.Equal(t, 9*sec, returned[0].At)
	assert.False(t, w.Node(0).Alive())
}

// A message gets lost if the cut is active at its send or at its arrival instant. It does not if the cut began and
// ended while the message was under way. Cuts include their first nanosecond and exclude their last.
func TestCuts(t *testing.T) {
	const reads, arrives, answers = int64(0), int64(100), int64(150)
	for _, c := range []struct {
		direction     network.Direction
		from, until   int64
		served, ended bool
	}{
		{network.Up, reads, reads + 1, false, false},
		{network.Up, reads + 1, arrives, true, true},
		{network.Up, arrives, arrives + 1, false, false},
		{network.Up, arrives - 1, arrives, true, true},
		{network.Up, arrives + 1, 0, true, true}, // answers pass
		{network.Down, reads, arrives, true, true},
		{network.Down, arrives, arrives + 1, true, false},
		{network.Down, arrives + 1, answers, true, true},
		{network.Down, answers, answers + 1, true, false},
		{network.Down, answers + 1, 0, true, true},
		{network.BothWays, arrives + 1, answers, true, true},
		{network.BothWays, reads, 0, false, false},
	} {
		s := plainSetup(1)
		s.Cuts = []network.Cut{{Client: 0, FromNs: c.from, UntilNs: c.until, Direction: c.direction}}
		all := runUntil(New(s), answers)
		assert.Equal(t, c.served, len(find(all, trace.RequestServed, 0)) > 0, "%+v", c)
		assert.Equal(t, c.ended, len(find(all, trace.RequestEnded, 0)) > 0, "%+v", c)
	}
	// A client notices a refusing cut after the request latency, at send and at arrival alike.
	for _, from := range []int64{reads, arrives} {
		s := plainSetup(1)
		s.Cuts = []network.Cut{{Client: Everybody, FromNs: from, UntilNs: from + 1, Refuse: true}}
		ended := find(runUntil(New(s), answers), trace.RequestEnded, 0)
		require.Len(t, ended, 1)
		assert.Equal(t, step.ConnRefused, ended[0].Result)
		assert.Equal(t, arrives, ended[0].At)
	}
	// The cut of another candidate does not matter.
	s := plainSetup(2)
	s.Cuts = []network.Cut{{Client: 1, FromNs: 0}}
	assert.NotEmpty(t, find(runUntil(New(s), answers), trace.RequestEnded, 0))
}

// Each fault: what the client sees, and whether the store accepts the write.
func TestFaults(t *testing.T) {
	for kind, want := range map[network.FaultKind]struct {
		result step.Result
		stored bool
	}{
		network.Http429: {step.TooManyRequests, false}, network.Http500: {step.InternalError, false},
		network.Http503: {step.Unavailable, false},
		network.Http504: {step.GatewayTimeout, false}, network.HttpConflict: {step.Conflict, false},
		network.Http504Applied: {step.GatewayTimeout, true},
		network.DropRequest:    {step.ClientTimeout, false}, network.DropResponse: {step.ClientTimeout, true},
		network.RefuseConnection: {step.ConnRefused, false},
	} {
		s := plainSetup(1)
		s.Candidates[0].RequestTimeoutNs = sec
		s.Faults = []network.Fault{{Client: 0, Verb: network.Create, Count: 1, Kind: kind}}
		w := New(s)
		all := runUntil(w, sec+200)
		ended := find(all, trace.RequestEnded, 0)
		require.Len(t, ended, 2)
		assert.Equal(t, want.result, ended[1].Result)
		_, outcome := w.Store().Get(0)
		assert.Equal(t, want.stored, outcome == storage.OK, "fault %d", kind)
		// Once is once: the next attempt goes through.
		runUntil(w, 10*sec)
		_, outcome = w.Store().Get(0)
		assert.Equal(t, storage.OK, outcome)
	}
}
