package whatif

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/random"
)

func ask(t *testing.T, s scenario.Scenario, subject Subject, slice int64) Outcome {
	t.Helper()
	c := New(Plan{Scenario: s, Subject: subject})
	for !c.Go(slice) {
	}
	require.NoError(t, c.Err())
	return c.Outcome()
}

// askByNumber makes the runs by their numbers, the last ones first, on several cores.
func askByNumber(t *testing.T, s scenario.Scenario, subject Subject) Outcome {
	t.Helper()
	c := New(Plan{Scenario: s, Subject: subject})
	plan, err := c.Next()
	require.NoError(t, err)
	results := make([]Result, plan.Runs())
	var all sync.WaitGroup
	for core := range 3 {
		all.Go(func() {
			for number := len(results) - 1 - core; number >= 0; number -= 3 {
				results[number] = plan.Run(number)
			}
		})
	}
	all.Wait()
	for number, one := range results {
		c.Take(number, one)
	}
	none, err := c.Next()
	require.NoError(t, err)
	require.Nil(t, none)
	return c.Outcome()
}

func byName(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	return s
}

func find(o Outcome, label string) *Line {
	for i := range o.Lines {
		if o.Lines[i].Label == label {
			return &o.Lines[i]
		}
	}
	return nil
}

// secondChange runs a scenario and measures its second leader.
func secondChange(t *testing.T, s scenario.Scenario) Result {
	t.Helper()
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	require.Greater(t, len(r.Checks.Changes), 1)
	second := r.Checks.Changes[1]
	return Result{LengthNs: second.LeaderlessNs, AtNs: second.AtNs}
}

// What would have changed the 14 s after a crash: not the crash, or a leader that releases; releaseOnCancel alone does not
// help one that crashes. The ranking is by what is left of the gap.
func TestACrash(t *testing.T) {
	s := byName(t, "a-leader-dies")
	o := ask(t, s, Subject{Number: 1}, 1<<40)
	assert.Equal(t, secondChange(t, s), o.Base)
	assert.Equal(t, o.Of, o.Done)
	assert.Equal(t, NoChange, find(o, "no crash of a at 20s").Result.Fate)
	assert.Equal(t, o.Base, find(o, "releaseOnCancel").Result)
	faster, err := scenario.Set(s, "elector.retryPeriod", "1s")
	require.NoError(t, err)
	assert.Equal(t, secondChange(t, faster), find(o, "retryPeriod 1 s").Result)
	assert.Greater(t, find(o, "leaseDuration 30 s").Result.LengthNs, int64(25e9))
	assert.Nil(t, find(o, "true clocks"), "nothing to change")
	for k := 1; k < len(o.Lines); k++ {
		assert.LessOrEqual(t, o.Lines[k-1].Result.weight(), o.Lines[k].Result.weight())
	}
}

// A graceful stop without release waits for the lease; with it the gap is a poll.
func TestARelease(t *testing.T) {
	o := ask(t, byName(t, "graceful-stop"), Subject{Number: 1}, 1<<40)
	best := find(o, "releaseOnCancel")
	require.NotNil(t, best)
	assert.Less(t, best.Result.LengthNs, int64(4e9))
	assert.Greater(t, o.Base.LengthNs, int64(10e9))
	assert.Equal(t, []Entry{{"elector.releaseOnCancel", "true"}}, best.Patch)
}

// Two leaders because one was paused: no pause, no violation; nor with a lease longer than the pause.
func TestAPause(t *testing.T) {
	s := byName(t, "paused-leader")
	r, number := run.Plain(s), -1
	r.To(r.EndNs(), nil)
	for k := range r.Checks.Violations {
		if r.Checks.Violations[k].Rule == rules.MoreThanOneActive {
			number = k
		}
	}
	o := ask(t, s, Subject{Violation: true, Number: number}, 1<<40)
	assert.Equal(t, rules.MoreThanOneActive, o.Rule)
	assert.Equal(t, Measured, o.Base.Fate)
	assert.Equal(t, NoViolation, o.Lines[0].Result.Fate)
	none := find(o, "no pause of the holder at 20s")
	require.NotNil(t, none)
	assert.Equal(t, NoViolation, none.Result.Fate)
	assert.Zero(t, none.Result.LeaderlessNs)
}

// Every variant is a valid scenario, differs in one thing, and its line is what running it tells: over random scenarios,
// the patch makes the same scenario, and slicing changes nothing.
func TestVariantsAreWhatTheySay(t *testing.T) {
	lines, measured, scenarios := 0, 0, uint64(25)
	if testing.Short() {
		scenarios = 8
	}
	for n := range scenarios {
		s := random.Scenario(n)
		base := run.Plain(s)
		base.To(base.EndNs(), nil)
		if len(base.Checks.Changes) < 2 {
			continue
		}
		subject := Subject{Number: len(base.Checks.Changes) - 1}
		o := ask(t, s, subject, 1<<40)
		require.Equal(t, o, ask(t, s, subject, 97))
		require.Equal(t, o, askByNumber(t, s, subject))
		switch change := base.Checks.Changes[subject.Number]; o.Base.Fate {
		case Measured:
			measured++
			require.Equal(t, Result{LengthNs: change.LeaderlessNs, AtNs: change.AtNs}, o.Base)
		case Overlap:
			require.Zero(t, change.LeaderlessNs, "two led, so nobody was missing")
			require.Positive(t, o.Base.LengthNs)
		default:
			require.Fail(t, "the change has happened", "number %d: %s", n, o.Base.Fate)
		}
		for _, l := range o.Lines {
			require.NoError(t, scenario.Validate(l.Scenario))
			patched := s
			for _, e := range l.Patch {
				var err error
				patched, err = scenario.Set(patched, e.Path, e.Value)
				require.NoError(t, err)
			}
			if len(l.Patch) > 0 {
				require.Equal(t, string(scenario.Encode(patched)), string(scenario.Encode(l.Scenario)), l.Label)
			}
			if l.Result.Fate == Measured {
				again, found := run.Plain(l.Scenario), false
				again.To(max(again.EndNs(), l.Result.AtNs), nil) // a candidate may lead again after the end
				for _, change := range again.Checks.Changes {
					found = found || change.AtNs == l.Result.AtNs && change.LeaderlessNs == l.Result.LengthNs
				}
				require.True(t, found, "number %d: %s", n, l.Label)
			}
			lines++
		}
	}
	assert.Greater(t, lines, 20)
	assert.Positive(t, measured)
}

func TestNothingToAskAbout(t *testing.T) {
	for _, subject := range []Subject{{Number: 9}, {Number: -1}, {Violation: true}} {
		c := New(Plan{Scenario: byName(t, "a-leader-dies"), Subject: subject})
		for !c.Go(1000) {
		}
		assert.ErrorContains(t, c.Err(), "the run has no")
		_, err := New(Plan{Scenario: byName(t, "a-leader-dies"), Subject: subject}).Next()
		assert.ErrorContains(t, err, "the run has no")
	}
}

// A variant that keeps the rule says what did not happen: "moreThanOneActive is kept" reads as its opposite.
func TestSentenceOfAKeptRule(t *testing.T) {
	line := Line{Variant: Variant{Label: "leaseDuration 60 s"}, Result: Result{Fate: NoViolation, LeaderlessNs: 2_000_000_000}}
	assert.Equal(t, "leaseDuration 60 s: never two at once; no leader for 2.000 s", line.Sentence(&Outcome{Rule: "moreThanOneActive"}))
	assert.Equal(t, "leaseDuration 60 s: noRecovery is not broken; no leader for 2.000 s", line.Sentence(&Outcome{Rule: "noRecovery"}))
}

// A run that ends before anybody leads again says nothing of the gap: it goes on until it does, and "nobody leads again" is
// said only where no candidate is left.
func TestNobodyLeadsAgainOnlyIfSo(t *testing.T) {
	o := ask(t, byName(t, "crash"), Subject{Number: 1}, 1<<40)
	long := find(o, "leaseDuration 60 s and renewDeadline 40 s")
	require.NotNil(t, long)
	assert.Equal(t, Measured, long.Result.Fate)
	assert.Greater(t, long.Result.LengthNs, int64(60e9))
	for _, l := range o.Lines {
		assert.NotContains(t, l.Sentence(&o), "nobody leads again", "b and c live")
	}

	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"60s",
		"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"crash","target":"a"},{"at":"30s","act":"restart","target":"a"}]}`))
	require.NoError(t, err)
	o = ask(t, s, Subject{Number: 1}, 1<<40)
	gone := find(o, "no restart of a at 30s")
	require.NotNil(t, gone)
	assert.Equal(t, NeverAgain, gone.Result.Fate)
	assert.Contains(t, gone.Sentence(&o), "no candidate is left")
}

// What cures an overlap after a release is among the variants: to release after the work, a shorter hook; and where a hook
// outlives its grace, a longer grace.
func TestTheCuresOfAStop(t *testing.T) {
	const drained = `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"2m","elector":{"releaseOnCancel":true%s},
		"process":{"drainAfterCancel":"%s"},"candidates":[{"name":"a"},{"name":"b","startAt":"500ms"}],
		"resource":{"fence":"none"},"actions":[{"at":"40s","act":"stop","target":"holder"}%s]}`
	s, err := scenario.Decode([]byte(fmt.Sprintf(drained, "", "20s", "")))
	require.NoError(t, err)
	o := ask(t, s, overlapOf(t, s), 1<<40)
	assert.Equal(t, NoViolation, find(o, "releaseAfterWork").Result.Fate)
	hook := find(o, "a shutdown hook of 10 s")
	require.NotNil(t, hook)
	assert.Less(t, hook.Result.LengthNs, o.Base.LengthNs)
	fence := find(o, "a resource fenced by leaseTransitions")
	require.NotNil(t, fence)
	assert.Equal(t, o.Base.LengthNs, fence.Result.LengthNs, "two still lead")
	assert.Less(t, fence.Result.StaleWrites, o.Base.StaleWrites, "but the resource refuses the old one's writes")
	assert.Contains(t, fence.Sentence(&o), "stale write")
	assert.Equal(t, "better", fence.Effect(&o))

	s, err = scenario.Decode([]byte(fmt.Sprintf(drained, `,"releaseAfterWork":true`, "40s", `,{"at":"70s","act":"crash","target":"a"}`)))
	require.NoError(t, err)
	o = ask(t, s, Subject{Number: 1}, 1<<40)
	for _, cure := range []string{"a grace of 50 s for a", "a shutdown hook of 15 s"} {
		line := find(o, cure)
		require.NotNil(t, line, cure)
		assert.Less(t, line.Result.LengthNs, o.Base.LengthNs/2, cure)
	}
}

// overlapOf is the first overlap of a run.
func overlapOf(t *testing.T, s scenario.Scenario) Subject {
	t.Helper()
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	k := slices.IndexFunc(r.Checks.Violations, func(v check.Violation) bool { return v.Rule == rules.MoreThanOneActive })
	require.GreaterOrEqual(t, k, 0)
	return Subject{Violation: true, Number: k}
}
