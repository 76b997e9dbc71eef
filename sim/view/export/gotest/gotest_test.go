package gotest

import (
	"go/format"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

func export(t *testing.T, s scenario.Scenario) *Test {
	t.Helper()
	one, err := Export(s, Options{Encode: yaml.Encode})
	require.NoError(t, err)
	formatted, err := format.Source([]byte(one.Text))
	require.NoError(t, err)
	require.Equal(t, string(formatted), one.Text, "as gofmt writes it")
	return one
}

func byName(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	return s
}

func decode(t *testing.T, rest string) scenario.Scenario {
	t.Helper()
	s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nduration: 2m\n" + rest))
	require.NoError(t, err)
	return s
}

// A test has the scenario, the program and the leader changes, and the same scenario gives the same text.
func TestExport(t *testing.T) {
	one := export(t, byName(t, "a-leader-dies"))
	assert.Equal(t, "TestALeaderDies", one.Name)
	assert.Equal(t, "a_leader_dies_test.go", one.File())
	assert.Contains(t, one.Text, "requestLatency: 2.002007ms")
	assert.Contains(t, one.Text, "renewDeadline: 9.999999999s", "a deadline that meets a tick")
	assert.Contains(t, one.Text, `{[]string{""}, []string{"a"}, 10_000_019, 10_000_019},`, "two requests of 5.000004 ms after 11 ns")
	assert.Contains(t, one.Text, `{[]string{"a"}, []string{"b", "c"}, `)
	assert.Contains(t, one.Text, "const tolerance time.Duration = 4_400_000_000 // 4.4s", "2.2 times 2 s")
	assert.NotContains(t, export(t, byName(t, "first-election")).Text, "tolerance", "no jitter decides anything")
	assert.NotContains(t, one.Text, "expect:")
	assert.Equal(t, one.Text, export(t, byName(t, "a-leader-dies")).Text)
}

// A test of b05 asserts the wipe, which its scenario expects first, and names the function of client-go. Without the flag
// it fails on every broken rule, and a standalone one has nothing of leaselab.
func TestBreach(t *testing.T) {
	s := byName(t, "b05-wiped-lease")
	plain := export(t, s)
	b := plain.Breach
	assert.Equal(t, rules.WriteByNonHolder, b.Rule)
	assert.Equal(t, []string{"a"}, b.Who)
	assert.Equal(t, "release", b.Function)
	assert.InDelta(t, 35.007e9, b.EarliestNs, 10e6, "the cut ends at 35 s, and three messages follow")
	assert.InDelta(t, 35.007e9, b.LatestNs, 10e6)
	assert.NotContains(t, plain.Text, "Allow")
	for _, o := range []Options{{Violation: true}, {Standalone: true}, {Violation: true, Standalone: true}} {
		o.Encode = yaml.Encode
		one, err := Export(s, o)
		require.NoError(t, err)
		formatted, err := format.Source([]byte(one.Text))
		require.NoError(t, err)
		assert.Equal(t, string(formatted), one.Text)
		assert.Contains(t, one.Text, "release in tools/leaderelection/leaderelection.go of client-go v0.37.2 reads")
		assert.Equal(t, o.Violation, strings.Contains(one.Text, `v.Rule == "writeByNonHolder"`))
		assert.Equal(t, o.Standalone, !strings.Contains(one.Text, "github.com/leaselab"))
	}
	share := Breach{Runs: 500}
	assert.Equal(t, 30, share.seeds(999), "2 to the power of -30 is just below 1e-9")
	share.Runs = 990
	assert.Equal(t, 5, share.seeds(999))
}

// What a test cannot assert, or cannot play on its own, is refused in one line that says what to change.
func TestRefusedOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"crash":                    {Options{Violation: true}, "seed: with it the scenario breaks no rule of safety or liveness"},
		"b27-slow-answer":          {Options{Violation: true}, "seed: with it the scenario breaks no rule of safety or liveness"},
		"b57-unreadable-answer":    {Options{Standalone: true}, "a standalone test knows crash, cut, latency and stop; leave out --standalone"},
		"long-tail":                {Options{Standalone: true}, "a standalone test has only constant latencies"},
		"rolling-update":           {Options{Standalone: true}, "; leave out --standalone"},
		"paused-leader":            {Options{Violation: true, Standalone: true}, "a goroutine cannot be stopped from outside"},
		"b36-half-open-connection": {Options{Standalone: true}, "a standalone test has only whole cuts of named nodes"},
	} {
		_, err := Export(byName(t, name), c.o)
		if assert.Error(t, err, name) {
			assert.Contains(t, err.Error(), c.want, name)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// Whatever the electors draw, a run stays inside the intervals and their tolerance, and what is exact is the same.
func TestDrawsStayInside(t *testing.T) {
	if testing.Short() {
		t.Skip("3,000 runs")
	}
	for _, name := range []string{"crash", "upgrade-plain", "b36-half-open-connection"} {
		s := byName(t, name)
		found := changesOf(s, nil)
		stream, setup := random.New(17), compile.Scenario(s)
		setup.Jitter = func(int32, int64) float64 { return stream.Float64() }
		for n := range 500 {
			r := run.New(setup, run.Watchers{})
			r.To(setup.DurationNs, nil)
			require.GreaterOrEqual(t, len(r.Checks.Changes), found.Least, "%s, run %d", name, n)
			require.LessOrEqual(t, len(r.Checks.Changes), len(found.All), "%s, run %d", name, n)
			for k, c := range r.Checks.Changes {
				in, tolerance := &found.All[k], found.ToleranceNs
				if in.EarliestNs == in.LatestNs {
					tolerance = 0
				}
				require.GreaterOrEqual(t, c.AtNs, in.EarliestNs-tolerance, "%s, run %d, change %d", name, n, k)
				require.LessOrEqual(t, c.AtNs, in.LatestNs+tolerance, "%s, run %d, change %d", name, n, k)
				require.Contains(t, in.From, nameOf(r.World, c.From))
				require.Contains(t, in.To, nameOf(r.World, c.To))
			}
		}
	}
}

// The ends of an interval, as counted by hand for a crash: no run leads beyond their tolerance. The leader's last write
// is at 58.63 s; the earliest follower reads it 10 ms later and tries when it expires 15 s later; the latest reads 4.4
// s later, tries just before the Lease expires, and again 4.4 s later.
func TestToleranceOfACrash(t *testing.T) {
	found := changesOf(byName(t, "crash"), nil)
	require.Len(t, found.All, 2)
	assert.Equal(t, Change{From: []string{""}, To: []string{"a"}, EarliestNs: 40e6, LatestNs: 40e6}, found.All[0])
	takeover := found.All[1]
	assert.Equal(t, []string{"b", "c"}, takeover.To)
	const ms = int64(1e6)
	const write, way, lease, wait = 58_630 * ms, 10 * ms, 15_000 * ms, 4_400 * ms
	earliest, latest := write+way+lease+4*way, write+way+wait+2*way+lease+2*way+wait+4*way
	assert.LessOrEqual(t, earliest, takeover.EarliestNs)
	assert.LessOrEqual(t, takeover.LatestNs, latest)
	assert.LessOrEqual(t, takeover.EarliestNs-found.ToleranceNs, earliest)
	assert.LessOrEqual(t, latest, takeover.LatestNs+found.ToleranceNs)
}

// What the scenario says of the work and of the client becomes code.
func TestProgramsOfAScenario(t *testing.T) {
	if testing.Short() {
		t.Skip("eleven searches")
	}
	for rest, want := range map[string]string{
		"candidates: [{name: a, workTail: 13s}]":                                                                   "time.Sleep(13 * time.Second)",
		"candidates: [{name: a}]\nprocess: {onLoss: ignore, drainAfterCancel: 1500ms}":                             "<-ctx.Done()\n\t\t\t\t\t\ttime.Sleep(1500 * time.Millisecond)",
		"candidates: [{name: a}]\nprocess: {onLoss: exit, drainAfterCancel: 2s}":                                   "if ctx.Err() != nil { // cancelled, not lost\n\t\t\t\t\t\t\ttime.Sleep(2 * time.Second)",
		"candidates: [{name: a}]\nprocess: {drainAfterLoss: 2m, drainAfterCancel: 1s}":                             "electiontest.Grace(5*time.Minute)",
		"candidates: [{name: a}]\nclient: {qps: 2.5, burst: 3}":                                                    "config.QPS, config.Burst = 2.5, 3",
		"candidates: [{name: a}]\nelector: {releaseOnCancel: true, releaseAfterWork: true}":                        "context.AfterFunc(ctx, func() { working.Wait(); stop() })",
		"candidates: [{name: a}]\nactions: [{at: 20s, act: add, candidate: {name: late-1, workTail: 3s}}]":         `case "late-1":`,
		"candidates: [{name: a, elector: {renewDeadline: 8s}}]":                                                    "renewDeadline: 7.999999999s",
		"candidates: [{name: a}]\nelector: {leaseDuration: 30s, renewDeadline: 21s, retryPeriod: 2s}":              "renewDeadline: 21s",
		"preset: controller-runtime\ncandidates: [{name: a}]":                                                      "renewDeadline: 9.999999999s",
		"candidates: [{name: a}, {name: b, startAt: 50ms}]\nactions: [{at: 20s, within: 2s, act: cut, target: a}]": "at: 21.",
	} {
		assert.Contains(t, export(t, decode(t, rest)).Text, want, rest)
	}
}

// A scenario that no test can express is refused with the field and the reason; every other is one that electiontest
// runs.
func TestRefusals(t *testing.T) {
	for rest, want := range map[string]string{
		"candidates: [{name: a}]\nactions: [{at: 1s, act: pause, target: a}]":   "actions[0].act: pause: a goroutine cannot be stopped from outside",
		"candidates: [{name: a, clock: {ratePpm: 900000}}]":                     "clock of candidate a: all programs of a test share one clock",
		"candidates: [{name: a}]\nelector: {dialect: [ownLeaseDuration]}":       "elector.dialect of candidate a: ownLeaseDuration is not client-go's elector",
		"candidates: [{name: a}]\nelector: {jitterFactor: 0.5}":                 "elector.jitterFactor of candidate a: client-go has no such setting",
		"candidates: [{name: a}]\nnetwork: {readLag: 1s}":                       "network.readLag of candidate a: the API of a test has no cache that lags",
		"candidates: [{name: a, replicas: 101}]":                                "candidates: 101 real electors are too many for a test; the limit is 100",
		"candidates: [{name: a}]\nactions: [{at: 30s, act: rollback, to: 20s}]": "actions[0].act: rollback: the API of a test does not go back",
	} {
		_, err := Export(decode(t, rest), Options{Encode: yaml.Encode})
		require.Error(t, err, rest)
		assert.Contains(t, err.Error(), want)
	}
	for word := range inexpressible {
		assert.NotNil(t, scenario.ActNamed(word), word)
	}
	expressible := 0
	for _, s := range shipped.List() {
		if Expressible(s) == nil {
			expressible++
			assert.NoError(t, electiontest.Expressible(&s), s.Name)
		}
	}
	assert.GreaterOrEqual(t, expressible, 40)
}

// Decision: a renewDeadline that meets a tick is a nanosecond shorter in an exported test. It changes no leader of the
// shipped scenarios that can be exported, and moves an instant by a nanosecond for each Lease that was lost before it.
func TestTheNanosecondChangesNoRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every scenario twice")
	}
	for _, s := range shipped.List() {
		if Expressible(s) != nil {
			continue
		}
		with, prepared := s.Clone(), scenario.Scenario{}
		prepared, _ = prepare(s)
		with.Elector, with.Candidates = prepared.Elector, prepared.Candidates
		for i := range with.Candidates {
			with.Candidates[i].JitterDraws = s.Candidates[i].JitterDraws
		}
		a, b := leadersOf(s), leadersOf(with)
		require.Len(t, b, len(a), s.Name)
		for k := range a {
			assert.Equal(t, a[k].to, b[k].to, s.Name)
			assert.InDelta(t, a[k].atNs, b[k].atNs, 50, s.Name)
		}
	}
}

type leaderChange struct {
	to   string
	atNs int64
}

func leadersOf(s scenario.Scenario) (all []leaderChange) {
	r := run.Plain(s)
	r.To(int64(s.Duration), nil)
	for _, c := range r.Checks.Changes {
		all = append(all, leaderChange{r.World.Node(c.To).Name(), c.AtNs})
	}
	return all
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"a-leader-dies": "TestALeaderDies", "b05-wiped-lease": "TestB05WipedLease", "": "TestElection", "ü": "TestElection", "API outage, 8 s": "TestAPIOutage8S",
	} {
		assert.Equal(t, want, functionName(name))
	}
	assert.Equal(t, "1_000_000_000", digits(1e9))
	assert.Equal(t, "40_000_000", digits(40e6))
	assert.Equal(t, "0", digits(0))
	assert.Equal(t, "90 * time.Minute", goDuration(90*time.Minute))
	assert.Equal(t, "1500000", goDuration(1500*time.Microsecond))
}
