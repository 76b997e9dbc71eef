package numbers_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

var update = flag.Bool("update", false, "write testdata/table.json")

// settings are 40 settings from 200 ms to 26 s: some that people use, and every ratio of the durations that matters.
func settings() (all []numbers.Setting) {
	add := func(lease, renew, retry time.Duration) {
		all = append(all, numbers.Setting{LeaseDuration: lease, RenewDeadline: renew, RetryPeriod: retry})
	}
	add(15e9, 10e9, 2e9)
	add(137e9, 107e9, 26e9)
	add(60e9, 40e9, 15e9)
	add(2500e6, 1e9, 500e6)
	all = append(all, numbers.Setting{LeaseDuration: 40e9, RetryPeriod: 10e9, NoDeadline: true})
	leases := []time.Duration{110, 150, 200, 125, 300}
	for i, retry := range []time.Duration{200e6, 500e6, 1e9, 2e9, 3e9, 5e9, 10e9} {
		for k, tenths := range []time.Duration{13, 20, 33, 50, 80} {
			renew := retry * tenths / 10
			lease := renew * leases[(i+k)%len(leases)] / 100
			add(max(2e9, (lease+1e9-1).Truncate(time.Second)), renew, retry)
		}
	}
	return all
}

// candidatesOf returns how many candidates the setting with this index has.
func candidatesOf(i int) int { return []int{3, 3, 2, 5}[i%4] }

// entry is one line of the table that the page's formulas also pass.
type entry struct {
	Text       string          `json:"text"`
	Candidates int             `json:"candidates"`
	Answer     *numbers.Answer `json:"answer,omitempty"`
	Refused    string          `json:"refused,omitempty"`
}

// The table holds the formulas of Go and of JavaScript to the same values, and to the values before.
func TestTable(t *testing.T) {
	const file = "testdata/table.json"
	var texts []string
	for _, s := range settings() {
		texts = append(texts, s.String())
	}
	texts = append(texts, "15 / 10 / 2", "1m30s/1m/15s", "15s/10s/2500ms", "0.5h/1m/5s", "40s/–/10s", // spellings
		"10s/10s/2s", "15s/2.4s/2s", "15s/10s/0s", "15s/10s/-1s", "0s/-1s/-2s", "15s/-1s/-2s", "500ms/400ms/100ms", // refused
		"1s/260ms/200ms", "1.9s/1.8s/1.4s",
		"3s/100ms/5ms", "25h/1h/1m", "2000s/10s/1s", "10s/-/9s", "15s/10s", "15s/ten/2s", "//", "15s/10s/2x", "1s/")
	var table []entry
	for i, text := range texts {
		e := entry{Text: text, Candidates: candidatesOf(i)}
		s, err := numbers.Parse(text)
		if err == nil {
			err = s.Refusal()
		}
		if err == nil {
			a := s.Closed(e.Candidates)
			e.Answer = &a
		} else {
			e.Refused = err.Error()
		}
		table = append(table, e)
	}
	var lines bytes.Buffer
	for i := range table {
		line, err := json.Marshal(&table[i])
		require.NoError(t, err)
		fmt.Fprintf(&lines, "%s%s", map[bool]string{true: "[\n", false: ",\n"}[i == 0], line)
	}
	lines.WriteString("\n]\n")
	if *update {
		require.NoError(t, os.WriteFile(file, lines.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(kept), lines.String(), "go test ./sim/study/numbers -update writes the table")
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{"15s/10s/2s": "15s/10s/2s", "15 / 10 / 2": "15s/10s/2s", "40s/-/10s": "40s/-/10s",
		"1m30s/1m/1500ms": "90s/60s/1.5s"} {
		s, err := numbers.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, s.String())
		again, err := numbers.Parse(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, again)
	}
}

func base(t *testing.T) scenario.Scenario {
	s, known := shipped.ByName(numbers.Base)
	require.True(t, known)
	return s
}

func answerOf(t *testing.T, text string, candidates int) numbers.Answer {
	s, err := numbers.Parse(text)
	require.NoError(t, err)
	require.NoError(t, s.Refusal())
	return s.Closed(candidates)
}

// The checkers have the same formulas for the bound of a takeover and for the safety margin.
func TestFormulasOfTheCheckers(t *testing.T) {
	for _, s := range settings() {
		changed, err := scenario.SetAll(base(t), s.Changes())
		require.NoError(t, err)
		a, c := s.Closed(3), &compile.Scenario(changed).Candidates[0]
		if s.LeaseDuration%time.Second == 0 { // the checkers' bound does not round
			assert.Equal(t, summary.Seconds(check.WorstNs(c)), a.Takeover.Max, s)
		}
		if !s.NoDeadline && s.RetryPeriod >= time.Second {
			assert.Equal(t, summary.Seconds(check.MarginNs(c)), *a.Margin, s)
		}
	}
}

// gaps makes runs on all cores.
func gaps[T any](plan study.Plan[T], runs int, of func(T) int64) []int64 {
	all := make([]int64, runs)
	var group sync.WaitGroup
	for core := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := core; i < runs; i += runtime.GOMAXPROCS(0) {
				all[i] = of(plan.Run(i))
			}
		})
	}
	group.Wait()
	return all
}

// The measured quantiles lie in the interval of a sweep of the scenario in which the leader crashes much later, and no
// run of either exceeds the bound.
func TestSweepAgrees(t *testing.T) {
	all, runs := settings(), numbers.Runs
	if testing.Short() {
		all, runs = all[:5], 400 // make test-long tries all
	}
	require.GreaterOrEqual(t, len(settings()), 40)
	for i, s := range all {
		n := candidatesOf(i)
		plan, err := numbers.NewPlan(base(t), s, n)
		require.NoError(t, err)
		ours := gaps(plan, runs, func(gap int64) int64 { return gap })
		a := plan.Answer(ours)

		at, crash := 40*s.RetryPeriod, base(t)
		crash.Candidates = nil
		for k := range n {
			crash.Candidates = append(crash.Candidates, scenario.Candidate{Name: string(rune('a' + k)), StartJitterMax: 1e9})
		}
		crash.Expect = nil
		crash.Duration = scenario.Duration(2*at) + 2*scenario.Duration(a.Takeover.Max)
		crash.Actions = []scenario.Action{{At: scenario.Duration(at), Act: scenario.ActCrash, Target: scenario.TargetHolder}}
		if s.RetryPeriod < time.Second {
			crash.Actions[0].Within = 1e9 // else as long as retryPeriod, by --vary-phase
		}
		combination, err := grid.With(crash, s.Changes())
		require.NoError(t, err)
		combinations := []grid.Combination{combination}
		grid.VaryPhases(combinations)
		theirs := gaps(grid.NewPlan(combinations, 1, runs), runs, func(one grid.Run) int64 { return one.LeaderlessNs })

		slices.Sort(theirs)
		for share, p := range map[float64]summary.Seconds{0.5: a.Takeover.P50, 0.99: a.Takeover.P99} {
			low, high := interval(theirs, share)
			assert.True(t, low <= int64(p) && int64(p) <= high, "%v, %d candidates: p%v %v outside %v to %v", s, n, 100*share,
				time.Duration(p), time.Duration(low), time.Duration(high))
		}
		assert.Less(t, a.Measured.Slowest, a.Takeover.Max, s)
		assert.Less(t, theirs[len(theirs)-1], int64(a.Takeover.Max), s)
	}
}

// interval returns the interval of a quantile of sorted values, four standard errors of two samples wide on each side.
func interval(sorted []int64, share float64) (low, high int64) {
	n := float64(len(sorted))
	// the variance of a rank is n·share·(1−share); both samples have it
	width := 0
	for float64(width*width) < 16*2*n*share*(1-share) {
		width++
	}
	rank := int(share * n)
	return sorted[max(0, rank-width)], sorted[min(len(sorted)-1, rank+width)]
}

// play runs a scenario of three candidates with many seeds, and counts the runs that meet a condition.
func play(t *testing.T, s numbers.Setting, timeout time.Duration, action scenario.Action, seeds int,
	more func(*scenario.Scenario), met func(*run.Run) bool) (count int) {
	changed, err := scenario.SetAll(base(t), append(s.Changes(), scenario.Change{Path: "elector.requestTimeout",
		Value: timeout.String()}))
	require.NoError(t, err)
	changed.Expect = nil
	changed.Duration = scenario.Duration(20*s.RetryPeriod + 4*s.LeaseDuration)
	action.At, action.Within = scenario.Duration(10*s.RetryPeriod), scenario.Duration(s.RetryPeriod)
	changed.Actions = []scenario.Action{action}
	if more != nil {
		more(&changed)
	}
	require.NoError(t, scenario.Validate(changed))
	compiled := compile.ForSeeds(changed)
	for seed := range seeds {
		r := run.New(compiled.Setup(uint64(seed)+1), run.Watchers{})
		r.To(r.EndNs(), nil)
		if met(r) {
			count++
		}
	}
	return count
}

func lost(r *run.Run) bool { return len(r.Checks.Changes) > 1 || len(r.Checks.Active()) == 0 }

func twoLed(r *run.Run) bool { return r.Checks.DoubleNs > 0 }

// The engine confirms each limit from both sides: just below it nothing happens with any seed, and above it something
// does with some.
func TestLimits(t *testing.T) {
	seeds := 400
	texts := []string{"15s/10s/2s", "137s/107s/26s", "30s/20s/5s", "9s/6s/4s", "3s/1s/0.2s", "5s/3s/0.5s"}
	if testing.Short() {
		seeds, texts = 100, texts[:2] // make test-long tries all
	}
	for _, text := range texts {
		s, err := numbers.Parse(text)
		require.NoError(t, err)
		a, part := answerOf(t, text, 3), s.RetryPeriod/4
		lasting := func(act scenario.Action, length summary.Seconds, by time.Duration) scenario.Action {
			act.For = scenario.Duration(length) + scenario.Duration(by)
			return act
		}
		refusing := scenario.Action{Act: scenario.ActFail, Target: scenario.TargetEverybody, Error: "refused"}
		silent := scenario.Action{Act: scenario.ActCut, Target: scenario.TargetEverybody, Mode: "drop"}
		pause := scenario.Action{Act: scenario.ActPause, Target: scenario.TargetHolder}
		half := s.RenewDeadline / 2
		assert.Zero(t, play(t, s, half, lasting(refusing, *a.APIOutage, -20*time.Millisecond), seeds, nil, lost), text)
		assert.Positive(t, play(t, s, half, lasting(refusing, *a.APIOutage, part), seeds, nil, lost), text)
		assert.Zero(t, play(t, s, half, lasting(silent, *a.SilentOutage, -20*time.Millisecond), seeds, nil, lost), text)
		assert.Positive(t, play(t, s, half, lasting(silent, *a.SilentOutage, part), seeds, nil, lost), text)
		assert.Zero(t, play(t, s, half, lasting(pause, a.Pause, 0), seeds, nil, twoLed), text)
		assert.Positive(t, play(t, s, half, lasting(pause, a.Pause, s.RetryPeriod), seeds, nil, twoLed), text)

		// A cut leader with a slow clock: up to the tolerance nobody leads beside it.
		cut := scenario.Action{Act: scenario.ActCut, Target: scenario.TargetHolder}
		slow := func(percent float64) func(*scenario.Scenario) {
			return func(s *scenario.Scenario) {
				for i := range s.Candidates {
					s.Candidates[i].StartAt = scenario.Duration(i) * 1e9
				}
				s.Candidates[0].Clock = &scenario.Clock{RatePpm: int64((1 - percent/100) * 1e6)}
			}
		}
		if *a.Clock > 0 {
			assert.Zero(t, play(t, s, half, cut, seeds, slow(*a.Clock-0.1), twoLed), text)
		}
		assert.Positive(t, play(t, s, half, cut, seeds, slow(max(0, *a.Clock)+20), twoLed), text)
	}
}

// After a release, the quantiles of the formula lie in the interval of the runs.
func TestAfterRelease(t *testing.T) {
	seeds := 2000
	if testing.Short() {
		seeds = 300 // make test-long tries more
	}
	for _, text := range []string{"15s/10s/2s", "137s/107s/26s"} {
		for _, n := range []int{2, 3, 6} {
			s, err := numbers.Parse(text)
			require.NoError(t, err)
			a := answerOf(t, text, n)
			var all []int64
			play(t, s, s.RenewDeadline/2, scenario.Action{Act: scenario.ActStop, Target: scenario.TargetHolder}, seeds,
				func(one *scenario.Scenario) {
					release := true
					one.Elector.ReleaseOnCancel = &release
					one.Candidates = []scenario.Candidate{{Name: "n", Replicas: n, SpreadStart: 100e6}}
				}, func(r *run.Run) bool {
					all = append(all, r.Checks.Changes[1].LeaderlessNs)
					return true
				})
			slices.Sort(all)
			for share, p := range map[float64]summary.Seconds{0.5: a.AfterRelease.P50, 0.99: a.AfterRelease.P99} {
				low, high := interval(all, share)
				assert.True(t, low <= int64(p) && int64(p) <= high, "%v, %d candidates: p%v %v outside %v to %v", s, n,
					100*share, time.Duration(p), time.Duration(low), time.Duration(high))
			}
			assert.LessOrEqual(t, all[len(all)-1], int64(a.AfterRelease.Max))
		}
	}
}

// The formula of requests agrees with an hour without a fault.
func TestRequests(t *testing.T) {
	s, a := base(t), answerOf(t, "15s/10s/2s", 3)
	one := grid.One(&s, run.Plain(s))
	minutes := float64(one.VirtualNs) / float64(time.Minute)
	assert.InEpsilon(t, float64(one.Writes)/minutes, a.Writes, 0.001)
	assert.InEpsilon(t, float64(one.Requests)/minutes, a.Requests, 0.01)
}

// A run opens at its takeover, and its phases add up to it.
func TestOpen(t *testing.T) {
	s, err := numbers.Parse("20s/15s/3s")
	require.NoError(t, err)
	plan, err := numbers.NewPlan(base(t), s, 4)
	require.NoError(t, err)
	a := plan.Answer(gaps(plan, 50, func(gap int64) int64 { return gap }))
	sum, runs := summary.Seconds(0), 0
	for _, phase := range a.Measured.Middle {
		sum += phase.Seconds
	}
	for _, n := range a.Measured.Histogram.Runs {
		runs += n
	}
	assert.Equal(t, a.Takeover.P50, sum)
	assert.Equal(t, 50, runs)
	document, at, end := plan.Open(a.Measured.SlowestSeed)
	opened, err := scenario.Decode(document)
	require.NoError(t, err)
	r := run.Plain(opened)
	r.To(end, nil)
	last := r.Checks.Changes[1]
	assert.Equal(t, at, last.AtNs)
	assert.Equal(t, int64(a.Measured.Slowest), last.LeaderlessNs)
	assert.Len(t, opened.Candidates, 1)
	_, err = numbers.NewPlan(base(t), s, 1)
	assert.ErrorContains(t, err, "candidates 1: must be from 2 to 100")
}
