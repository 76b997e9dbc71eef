package random

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Limits of one run in a fuzz target.
const (
	fuzzedSteps = 1500
	// stepsAtOnce is how many events of one instant a node and an act may make.
	stepsAtOnce = 100
)

// FuzzRun: any bytes that are a scenario run, with everything that watches and explains a run. A run halfway copied goes the
// same way, and time goes on.
func FuzzRun(f *testing.F) {
	for i, s := range shipped.List() {
		if i%4 == 0 {
			f.Add(scenario.Encode(s))
		}
	}
	for number := range uint64(10) {
		f.Add(scenario.Encode(Scenario(number)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := scenario.Decode(data); err == nil {
			runFuzzed(t, &s)
		}
	})
}

// FuzzMutants puts scenarios together anew, each field with values that others have in it, and runs what is valid.
func FuzzMutants(f *testing.F) {
	p := scenarioParts(f)
	for seed := range uint64(16) {
		f.Add(seed, uint8(seed%16))
	}
	f.Fuzz(func(t *testing.T, seed uint64, edits uint8) {
		s, err := scenario.Decode(p.mutant(seed, int(edits%16)))
		if err != nil {
			var refused *scenario.FieldError
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Message)
			return
		}
		runFuzzed(t, &s)
	})
}

// runFuzzed runs the beginning of a scenario within the cost that its size allows.
func runFuzzed(t *testing.T, s *scenario.Scenario) {
	size := len(scenario.Encode(*s))
	resolved := scenario.Resolve(*s)
	nodes := len(resolved.Candidates) + len(resolved.APIServers)
	if h := s.Heartbeats; h != nil {
		nodes += h.Nodes + len(h.Monitors)
	}
	for i := range s.Actions {
		if c := s.Actions[i].Candidate; c != nil {
			nodes += max(1, c.Replicas)
		}
	}
	runCost.Do(t, size+nodes, func() { runBeginning(t, s, nodes) })
}

// runCost is what compiling, fifteen hundred steps of two runs and telling of them may allocate. A node counts as a byte.
var runCost = bounded.Limit{Fixed: 32 << 20, PerByte: 1000}

func runBeginning(t *testing.T, s *scenario.Scenario, nodes int) {
	setup, untilNs := compile.Scenario(*s), int64(s.Duration)
	r := run.New(setup, run.Watchers{Explanation: true, Clauses: s.Expect})
	w := r.World
	var twin *world.World
	atOnce, nowNs := 0, int64(-1)
	for step := range fuzzedSteps {
		if step == fuzzedSteps/3 {
			twin = w.Clone()
		}
		if !r.Step(untilNs, func(record *trace.Record, note explain.Note) { explain.Say(w, record, note) }) {
			break
		}
		require.GreaterOrEqual(t, w.Now(), nowNs, "time went back")
		require.LessOrEqual(t, w.Now(), untilNs)
		if atOnce++; w.Now() != nowNs {
			atOnce, nowNs = 0, w.Now()
		}
		require.Less(t, atOnce, stepsAtOnce*(nodes+len(setup.Controls)+1), "events without end at %d ns", nowNs)
		if twin != nil {
			require.True(t, twin.Step(untilNs))
		}
	}
	if twin != nil {
		require.Equal(t, w.Hash(), twin.Hash(), "a copy went another way")
		require.Equal(t, w.Counts(), twin.Counts())
	}
	r.Settle(w.Now())
	sum := summary.Of(*s, r, w.Now())
	summary.Verdict(*s, r, &sum)
}
