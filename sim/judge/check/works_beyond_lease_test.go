package check_test

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var _ = tests(rules.WorksBeyondLease)

// setupOf is the setup of three candidates, which are real programs or simulated.
func setupOf(t *testing.T, program bool) *world.Setup {
	t.Helper()
	s, err := scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":"100s",%s}`,
		scenario.APIVersion, abc)))
	require.NoError(t, err)
	setup := compile.Scenario(s)
	for i := range setup.Candidates {
		setup.Candidates[i].Program = program
	}
	return setup
}

func beyondFigure(c *check.Checks) string {
	for _, f := range c.Findings(100 * sec) {
		if f.Rule.Name == rules.WorksBeyondLease {
			return f.Figure
		}
	}
	return ""
}

// beyond feeds the rules a program that renews a Lease of 15 s at 10 s and works from then on, and then the records of a
// case. It returns the breaches of rule 17 at 100 s.
func beyond(t *testing.T, program bool, records ...trace.Record) (*check.Checks, []check.Violation) {
	t.Helper()
	c := check.For(setupOf(t, program))
	renewal := trace.Record{At: 10*sec + 5, Kind: trace.RequestEnded, Verb: elector.Update,
		Spec: coordination.Record{HolderIdentity: 1, LeaseDurationSeconds: 15}, Payload: trace.Exchange{ServedNs: 10 * sec}.Payload()}
	works := trace.Record{At: 11 * sec, Kind: trace.StartedLeading}
	for _, r := range append([]trace.Record{renewal, works}, records...) {
		c.Observe([]trace.Record{r})
	}
	c.Settle(100 * sec)
	return &c, of(&c, rules.WorksBeyondLease)
}

// A program that works on after leaseDuration without a renewal breaks rule 17 until it stops, or until another one
// begins. A simulated candidate does not, and neither does a program that stops in time, also after a pause.
func TestWorksBeyondLease(t *testing.T) {
	record := func(at int64, kind trace.Kind, candidate int32) trace.Record {
		return trace.Record{At: at * sec, Kind: kind, Candidate: candidate}
	}
	c, broken := beyond(t, true)
	require.Len(t, broken, 1)
	assert.Equal(t, []int64{25 * sec, -1}, []int64{broken[0].FromNs, broken[0].UntilNs})
	assert.Contains(t, beyondFigure(c), "up to 75.000 s after")
	_, broken = beyond(t, true, record(40, trace.WorkDone, 0))
	require.Len(t, broken, 1)
	assert.Equal(t, 40*sec, broken[0].UntilNs)
	acquires := trace.Record{At: 39 * sec, Kind: trace.RequestEnded, Candidate: 1, Verb: elector.Update,
		Spec: coordination.Record{HolderIdentity: 2, LeaseDurationSeconds: 15}, Payload: trace.Exchange{ServedNs: 39 * sec}.Payload()}
	_, broken = beyond(t, true, acquires, record(40, trace.StartedLeading, 1))
	require.Len(t, broken, 1)
	assert.Equal(t, 40*sec, broken[0].UntilNs)
	for name, records := range map[string][]trace.Record{
		"it stops at the last moment": {record(25, trace.WorkDone, 0)},
		"another one works, too":      {record(20, trace.StartedLeading, 1)},
		"it is paused, and stops": {record(20, trace.Paused, 0), record(50, trace.Resumed, 0),
			record(65, trace.WorkDone, 0)},
	} {
		_, broken = beyond(t, true, records...)
		assert.Empty(t, broken, name)
	}
	_, broken = beyond(t, true, record(20, trace.Paused, 0), record(50, trace.Resumed, 0), record(66, trace.WorkDone, 0))
	require.Len(t, broken, 1)
	assert.Equal(t, 65*sec, broken[0].FromNs, "a leaseDuration after the pause")
	c, broken = beyond(t, false)
	assert.Empty(t, broken)
	assert.Equal(t, "no real programs", beyondFigure(c))
}

// A real program that has ended is not healthy: of course it loses the Lease. A simulated one may have ended itself
// because an answer was slow.
func TestAProgramThatHasEndedIsNotHealthy(t *testing.T) {
	for _, program := range []bool{true, false} {
		c := check.For(setupOf(t, program))
		write := func(at int64, candidate int32, holder coordination.Symbol) trace.Record {
			return trace.Record{At: at * sec, Kind: trace.RequestServed, Candidate: candidate, Verb: elector.Update, Name: holder,
				Outcome: storage.Updated, Spec: coordination.Record{HolderIdentity: holder, LeaseDurationSeconds: 15}}
		}
		c.Observe([]trace.Record{write(10, 0, 1)})
		c.Observe([]trace.Record{{At: 20 * sec, Kind: trace.RunReturned}})
		c.Observe([]trace.Record{write(30, 1, 2)})
		assert.Equal(t, program, len(of(&c, rules.NeedlessChange)) == 0)
	}
}
