package advise

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
)

func base(t *testing.T) scenario.Scenario {
	s, known := shipped.ByName("fault-free")
	require.True(t, known)
	return s
}

func manyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: many runs")
	}
}

func goalsOf(t *testing.T, texts ...string) []Goal {
	goals, err := ParseGoals(texts)
	require.NoError(t, err)
	return goals
}

func newAdviser(t *testing.T, s scenario.Scenario, goals []Goal) *Adviser {
	a, err := New(s, goals)
	require.NoError(t, err)
	return a
}

// makeAdvice makes the runs of an adviser.
func makeAdvice(t *testing.T, a *Adviser) Advice {
	for {
		plan, err := a.Next()
		require.NoError(t, err)
		if plan == nil {
			return a.Advice("fault-free")
		}
		s := study.New(plan, study.Shard{})
		s.Go(plan.Runs())
		for number, one, more := s.Take(); more; number, one, more = s.Take() {
			a.Take(number, one)
		}
	}
}

// The runs of a task equal the plan's, although an adviser in another stage made them.
func TestTasks(t *testing.T) {
	goals := goalsOf(t, "takeover=20s", "writes=20")
	a, other := newAdviser(t, base(t), goals), newAdviser(t, base(t), goals)
	plan, err := a.Next()
	require.NoError(t, err)
	for _, number := range []int{0, 5, 100, plan.Runs() - 1} {
		task := a.Task(number, 3)
		runs, err := other.Make(task)
		require.NoError(t, err)
		require.NotEmpty(t, runs)
		for i, one := range runs {
			assert.Equal(t, plan.Run(number+i), one)
		}
	}
	assert.Equal(t, 1, a.Task(plan.Runs()-1, 3).Runs, "a task ends with its setting")
	_, err = other.Make(Task{Probes: []uint8{9}})
	assert.ErrorContains(t, err, "unknown probe 9")
	task := a.Task(0, 3)
	task.From = 10_000
	_, err = other.Make(task)
	assert.ErrorContains(t, err, "runs, not 3 from run 10000 on")
}

func TestParseGoals(t *testing.T) {
	var texts []string
	for _, g := range goalsOf(t, "survive=1m", "takeover=30s", "takeover-p50=1.5s", "takeover-max=10m", "writes=10",
		"requests=0.5", "latency=3s", "overlap=0s") {
		texts = append(texts, g.String())
	}
	assert.Equal(t, []string{"survive=60s", "takeover=30s", "takeover-p50=1.5s", "takeover-max=600s", "writes=10",
		"requests=0.5", "latency=3s", "overlap=0s"}, texts)
	for text, says := range map[string]string{
		"":                         "a goal is missing",
		"cost=3":                   `unknown goal "cost"; use one of: survive, takeover, writes, requests, latency, overlap (`,
		"takeove=30s":              `did you mean "takeover"?`,
		"takeover":                 "takeover: the bound is missing, such as takeover=30s",
		"takeover=":                "the bound is missing",
		"takeover=30":              "must be a length from 1ms to 10m with its unit",
		"takeover=-1s":             "must be a length",
		"takeover=11m":             "must be a length",
		"takeover=1ns":             "must be a length",
		"survive=0s":               "must be a length",
		"writes=0":                 "must be a number from 0.5 to 100000",
		"writes=NaN":               "must be a number",
		"writes=1e300":             "must be a number",
		"writes=ten":               "must be a number",
		"takeover-p98=3s":          "only takeover has quantiles",
		"writes-p99=3":             "only takeover has quantiles",
		"takeover=3s takeover=4s":  "takeover: the goal appears twice",
		"takeover=3s takeover-p9=": "unknown goal",
	} {
		_, err := ParseGoals(strings.Fields(text))
		assert.ErrorContains(t, err, says, text)
	}
}

// The wishes of the issue: the advice names the two that contradict each other, with the proof, and the measurements
// agree with it.
func TestContradiction(t *testing.T) {
	manyRuns(t)
	advice := makeAdvice(t, newAdviser(t, base(t), goalsOf(t, "survive=60s", "takeover=30s", "writes=10", "latency=3s")))
	require.NotNil(t, advice.Contradiction)
	c := advice.Contradiction
	assert.Equal(t, []string{"survive=60s", "takeover=30s"}, c.Goals)
	assert.True(t, c.Proved)
	why := strings.Join(c.Why, "\n")
	assert.Contains(t, why, "leaseDuration > renewDeadline > 60 s")
	assert.Contains(t, why, "more than 59.5")
	require.Len(t, c.Nearest, 2)
	assert.Equal(t, "kept in 0 of 16", c.Nearest[0].Measure.Says)
	assert.Greater(t, c.Nearest[1].Measure.Value, 59.5)
	assert.Nil(t, advice.Region)
	assert.Empty(t, advice.Settings)
}

// Each kind of wish that needs a renewDeadline contradicts a quicker takeover, with a separate proof. With a slower
// one nothing is proved.
func TestProofs(t *testing.T) {
	known := newAdviser(t, base(t), goalsOf(t, "takeover=1s")).ground()
	assert.Equal(t, 3, known.candidates)
	for _, c := range []struct{ wish, takeover, slower, says string }{
		{"survive=60s", "50s", "61s", "renewDeadline longer than 60 s"},
		{"writes=10", "6s", "8s", "at most 10 writes a minute need a retryPeriod of at least"},
		{"requests=10", "12s", "20s",
			"each of the 2 others once every 1.6 retryPeriods on average, plus the time of the request: at most 10 " +
				"requests a minute need a retryPeriod of at least 13.091 s."},
		{"latency=3s", "4s", "6s", "both tries fail"},
	} {
		why := strings.Join(contradicts(goalsOf(t, c.wish, "takeover="+c.takeover), known), "\n")
		assert.Contains(t, why, c.says)
		assert.Contains(t, why, "but your goal is "+c.takeover[:len(c.takeover)-1]+" s")
		assert.Nil(t, contradicts(goalsOf(t, c.wish, "takeover="+c.slower), known), c.wish)
		assert.Nil(t, contradicts(goalsOf(t, c.wish), known), c.wish)
	}
}

// All runs have the latency of the goals. If no measured setting takes over in time, the latency is why, and the
// advice names it.
func TestLatencyContradicts(t *testing.T) {
	a := newAdviser(t, base(t), goalsOf(t, "latency=3s", "takeover=3s"))
	a.settings = a.settings[:1]
	a.tried[0] = []measurement{{value: 0, runs: 16}, {value: 5 * second, runs: 16}}
	a.contradict()
	assert.Equal(t, []int{0, 1}, a.set)
	assert.NotEmpty(t, a.proof)
	c := a.contradiction("fault-free", 1)
	assert.True(t, c.Proved)
	assert.False(t, c.Minimal)
}

// Each of three wishes can be met without the others, each two together, and not all three.
func TestMeasuredContradictionIsMinimal(t *testing.T) {
	a := newAdviser(t, base(t), goalsOf(t, "survive=10s", "takeover=60s", "writes=5"))
	a.settings = a.settings[:3]
	for i, met := range [][]bool{{true, true, false}, {true, false, true}, {false, true, true}} {
		for _, is := range met {
			value := int64(0)
			if !is {
				value = math.MaxInt64
			}
			a.tried[i] = append(a.tried[i], measurement{value: value, runs: 16})
		}
	}
	a.contradict()
	assert.Equal(t, []int{0, 1, 2}, a.set)
	assert.Nil(t, a.proof)
	c := a.contradiction("fault-free", 3)
	assert.Equal(t,
		"Of 3 measured settings, none does all of that: survive 10 s without the API, and take over within "+
			"60 s at p99, and write the lock at most 5 times a minute.", c.Why[0])
	assert.Len(t, c.Nearest, 3)

	a.tried[1][1].value, a.set = 0, nil
	a.contradict()
	assert.Nil(t, a.set, "the second setting meets all")
	a.tried[0][0].value, a.tried[1][0].value, a.tried[2][0].value = 1, 1, 1
	a.contradict()
	assert.Equal(t, []int{0}, a.set)
	assert.Equal(t, "Of 3 measured settings, none does it: survive 10 s without the API.",
		a.contradiction("", 3).Why[0])
}

// If the lattice has no setting that meets the goals, and no proof says that none can exist, the adviser tries a
// finer one.
func TestFinerLattice(t *testing.T) {
	manyRuns(t)
	a := newAdviser(t, base(t), goalsOf(t, "takeover-p50=10s", "requests=30"))
	coarse := len(a.settings)
	advice := makeAdvice(t, a)
	assert.Greater(t, len(a.settings), coarse)
	assert.Nil(t, advice.Contradiction)
	assert.NotEmpty(t, advice.Settings)
}

// Few writes need a long retryPeriod, and with it two leaders go on for long unless leaseDuration is longer still: then
// a takeover is late. Each two of the three wishes are possible.
func TestOverlapContradicts(t *testing.T) {
	known := newAdviser(t, base(t), goalsOf(t, "takeover=1s")).ground()
	all := []string{"writes=5", "takeover-p50=18s", "overlap=0s"}
	why := strings.Join(contradicts(goalsOf(t, all...), known), "\n")
	assert.Contains(t, why, "need a retryPeriod of at least 11.9")
	assert.Contains(t, why, "leads until retryPeriod + renewDeadline after its last renewal")
	assert.Contains(t, why, "For an overlap of at most 0 s, leaseDuration > renewDeadline + 0.81 × retryPeriod")
	assert.Contains(t, why, "but your goal is 18 s")
	for i := range all {
		assert.Nil(t, contradicts(goalsOf(t, slices.Delete(slices.Clone(all), i, i+1)...), known), "without %s", all[i])
	}
	assert.Nil(t, contradicts(goalsOf(t, "writes=5", "takeover-p50=18s", "overlap=5s"), known),
		"two leaders for a while")
	known.plain = false
	assert.Nil(t, contradicts(goalsOf(t, all...), known), "a clock that runs fast lets the leader give up sooner")
}

// If two wishes only measurably contradict each other, the adviser names a third wish that gives a proof.
func TestOverlapProves(t *testing.T) {
	a := newAdviser(t, base(t), goalsOf(t, "writes=5", "takeover-p50=18s", "overlap=0s"))
	a.settings = a.settings[:2]
	a.tried[0] = []measurement{{value: 5000, runs: 16}, {value: 23 * second, runs: 16}, {value: 0, runs: 16}}
	a.tried[1] = []measurement{{value: 9000, runs: 16}, {value: 17 * second, runs: 16}, {value: 0, runs: 16}}
	a.contradict()
	assert.Equal(t, []int{0, 1, 2}, a.set)
	c := a.contradiction("fault-free", 2)
	assert.True(t, c.Proved)
	assert.False(t, c.Minimal)
	assert.Contains(t, c.Why[len(c.Why)-2],
		"For an overlap of at most 0 s, leaseDuration > renewDeadline + 0.81 × retryPeriod")
}

// A thousand runs of a setting have two leaders for longer than the proof says, at every relation of its lengths.
func TestOverlapIsMeasured(t *testing.T) {
	manyRuns(t)
	a := newAdviser(t, base(t), goalsOf(t, "overlap=0s", "takeover=1s"))
	a.settings = nil
	for _, retry := range []int64{2, 8, 12, 20} {
		for _, tenths := range []int64{13, 20, 23, 35} {
			renew := retry * second * tenths / 10
			for _, tenths := range []int64{10, 12} {
				a.settings = append(a.settings,
					Setting{Lease: ceil(renew*tenths/10+1, second), Renew: renew, Retry: retry * second,
						Timeout: timeout(renew, 0)})
			}
		}
	}
	a.tried, a.failed = make([][]measurement, len(a.settings)), make([]bool, len(a.settings))
	plan, err := a.begin(indexes(len(a.settings)), proofRuns, a.goals[:1])
	require.NoError(t, err)
	for number := range plan.Runs() {
		a.Take(number, plan.Run(number))
	}
	known := a.ground()
	said := 0
	for k, measured := range a.outcome {
		s := &a.settings[a.stage[k]]
		least := float64(s.Renew-s.Lease) +
			(1-late(known.candidates-1, proofRuns, s.Lease <= 2*s.Retry))*float64(s.Retry) - messages*known.latencyNs
		assert.GreaterOrEqual(t, float64(measured[0].value), least, s.String())
		if least > 0 {
			said++
		}
	}
	assert.Greater(t, said, 10, "the proof says something of most of them")
}

// The adviser never proves impossible what a setting was measured to do.
func TestProofsAreSound(t *testing.T) {
	manyRuns(t)
	for _, latency := range []string{"", "latency=1s"} {
		texts := []string{"survive=11s", "takeover=1s", "writes=1", "requests=1"}
		if latency != "" {
			texts = append(texts, latency)
		}
		a := newAdviser(t, base(t), goalsOf(t, texts...))
		var few []Setting
		for i := 3; i < len(a.settings); i += 29 {
			few = append(few, a.settings[i])
		}
		a.settings, a.tried, a.failed = few, make([][]measurement, len(few)), make([]bool, len(few))
		plan, err := a.begin(indexes(len(few)), 40, a.goals)
		require.NoError(t, err)
		for number := range plan.Runs() {
			a.Take(number, plan.Run(number))
		}
		proved := 0
		known := a.ground()
		known.runs = plan.Seeds // a thousand runs show more than these
		for k, measured := range a.outcome {
			goals := slices.Clone(a.goals)
			goals[1].Bound, goals[2].Bound, goals[3].Bound = measured[1].value, measured[2].value, measured[3].value
			if measured[0].value > 0 { // it does not survive so long
				goals = goals[1:]
			}
			goals = slices.DeleteFunc(goals,
				func(g Goal) bool { return g.Name == Latency && measured[len(measured)-1].value > 0 })
			assert.Nil(t, contradicts(goals, known), few[a.stage[k]].String())
			for i := range goals {
				if goals[i].Name == Takeover {
					goals[i].Bound /= 4
				}
			}
			if contradicts(goals, known) != nil {
				proved++
			}
		}
		assert.Positive(t, proved, "a quarter of the takeover is too little for some")
	}
}

// The advised settings meet the goals in a thousand runs, and are of the region.
func TestAdvisedSettings(t *testing.T) {
	manyRuns(t)
	goals := goalsOf(t, "takeover=30s", "writes=20")
	a := newAdviser(t, base(t), goals)
	advice := makeAdvice(t, a)
	require.Nil(t, advice.Contradiction)
	require.NotNil(t, advice.Region)
	assert.Positive(t, advice.Region.Settings)
	require.Len(t, advice.Settings, 3)
	assert.True(t, advice.NeverTwo)
	for _, one := range advice.Settings {
		met := 0
		for _, m := range one.Measured {
			assert.Equal(t, proofRuns, m.Runs)
			verb := "run"
			if m.Goal == Writes || m.Goal == Requests {
				verb = "sweep"
			}
			assert.Contains(t, m.Replay, "leaselab "+verb+" fault-free --seeds 1..1000 --set elector.leaseDuration="+
				one.Values.LeaseDuration)
			switch {
			case m.Goal == Takeover:
				met++
				assert.LessOrEqual(t, m.Value, 30.0)
			case m.Goal == Writes:
				met++
				assert.LessOrEqual(t, m.Value, 20.0)
			case m.Goal == Overlap:
				assert.Zero(t, m.Value)
			}
			assert.Equal(t, m.Goal == Takeover || m.Goal == Writes, m.Wished)
		}
		assert.Equal(t, 2, met)
	}
}

// If settings exist that meet all goals, the adviser finds some, and the region contains every one that it advises.
// The cases are close to what is possible, with few requests, with a short retryPeriod and requestTimeout, and with
// two leaders at times.
func TestSettingsAtTheBoundsAreFound(t *testing.T) {
	manyRuns(t)
	for _, c := range []struct {
		goals []string
		least int // advised settings
	}{
		{[]string{"takeover=30s", "writes=10", "latency=3s"}, 1}, // such as 13s/12s/6s with a requestTimeout of 4s
		{[]string{"requests=3"}, 3},                              // such as 90s/75s/60s
		{[]string{"survive=20s", "takeover=40s"}, 3},             // such as 24s/23s/1s with a requestTimeout of 1s
	} {
		t.Run(strings.Join(c.goals, " "), func(t *testing.T) {
			t.Parallel()
			advice := makeAdvice(t, newAdviser(t, base(t), goalsOf(t, c.goals...)))
			require.Nil(t, advice.Contradiction, c.goals)
			require.NotNil(t, advice.Region, c.goals)
			assert.GreaterOrEqual(t, len(advice.Settings), c.least, c.goals)
			r := advice.Region
			for _, one := range advice.Settings {
				for _, field := range []struct {
					is string
					of Range
				}{{one.Values.LeaseDuration, r.LeaseDuration}, {one.Values.RenewDeadline, r.RenewDeadline},
					{one.Values.RetryPeriod, r.RetryPeriod}} {
					length := func(text string) time.Duration {
						d, err := time.ParseDuration(text)
						require.NoError(t, err)
						return d
					}
					assert.LessOrEqual(t, length(field.of.From), length(field.is), "%v: the %s", c.goals, one.Role)
					assert.LessOrEqual(t, length(field.is), length(field.of.To), "%v: the %s", c.goals, one.Role)
				}
			}
		})
	}
}

// Goals may contradict each other in more than one way. The advice names each proved contradiction, and what it calls
// possible is possible.
func TestEveryProvedContradictionIsNamed(t *testing.T) {
	t.Parallel()
	manyRuns(t)
	c := makeAdvice(t, newAdviser(t, base(t), goalsOf(t, "survive=60s", "takeover=30s", "writes=1",
		"latency=3s"))).Contradiction
	require.NotNil(t, c)
	assert.Equal(t, []string{"survive=60s", "takeover=30s"}, c.Goals)
	assert.Equal(t, [][]string{{"takeover=30s", "writes=1"}}, c.Also)
	assert.Equal(t, []string{"So do these: takeover=30s and writes=1.",
		"survive=60s is possible alone, and so is takeover=30s."}, c.Sentences())
}

// A setting that misses a goal rules out every setting that does no better for it.
func TestFail(t *testing.T) {
	a := newAdviser(t, base(t), goalsOf(t, "takeover=30s"))
	s := func(lease, renew, retry int64) Setting {
		return Setting{lease * second, renew * second, retry * second, 5 * second}
	}
	a.settings = []Setting{s(15, 10, 2), s(15, 9, 2), s(20, 10, 3), s(10, 8, 1)}
	for name, want := range map[string][]bool{
		Survive: {true, true, true, false}, Takeover: {true, true, true, false}, Writes: {true, true, false, true},
		Overlap: {true, false, false, false},
	} {
		a.failed = make([]bool, 4)
		i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
		a.fail(&Goal{Kind: &kinds[i]}, 0, false)
		assert.Equal(t, want, a.failed, name)
	}
}

// A scenario that the adviser cannot set, or with which no setting works, is an error with the reason.
func TestAdviserRefuses(t *testing.T) {
	s := base(t)
	s.Candidates[0].Elector = &scenario.Elector{RenewDeadline: new(scenario.Duration(9e9))}
	_, err := New(s, goalsOf(t, "takeover=30s"))
	assert.ErrorContains(t, err, "candidates[0].elector: the candidate has its own durations")
	s = base(t)
	s.Candidates = s.Candidates[:1]
	_, err = New(s, goalsOf(t, "writes=10", "takeover-p50=30s"))
	assert.EqualError(t, err,
		"cannot measure takeover-p50: the scenario has 1 candidate and needs 2: add one, or leave the goal out")
	_, err = New(s, goalsOf(t, "writes=10", "survive=30s"))
	assert.NoError(t, err)
	s = base(t)
	s.Candidates[0].Replicas = 200
	_, err = New(s, goalsOf(t, "takeover=30s"))
	assert.ErrorContains(t, err, "the scenario has 202 candidates; the limit is 100")
	s = base(t)
	s.Elector.Dialect = []string{"nonsense"}
	_, err = newAdviser(t, s, goalsOf(t, "takeover=30s")).Next()
	assert.ErrorContains(t, err, "no setting fits the scenario: ")
}

var _ study.Plan[grid.Run] = (*grid.Plan)(nil)
