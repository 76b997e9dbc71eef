package hunt_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/hunt"
)

var defaultRuns = flag.Int("defaults", 600, "how many runs hunt at client-go's defaults")

// class is a kind of failure that client-go with its default settings permits.
type class struct {
	name string
	why  string
	has  func(f *hunt.Failure) bool
}

// classes are what a hunt at client-go's defaults may find, and why. Everything else is a mistake of the simulator, or news. The first
// that fits counts. The list was written before the 100,000 runs that it was held against; the last two entries are the news of such runs.
var classes = []class{
	{
		"paused leader", "A process that does not run cannot look at its deadline: it stays active while its Lease expires, and works on for up to renewDeadline after it wakes.",
		safety(acts(scenario.ActPause, scenario.ActHang, scenario.ActSuspend)),
	},
	{
		"write of another client", "The Lease has no owner but its last writer: a holder that an administrator removes or replaces learns of it at its next request, and client-go then goes on until renewDeadline.",
		safety(acts(scenario.ActWrite)),
	},
	{
		"clock rate", "Only clocks of one speed count 15 s and 12 s in the right order: the defaults bear a ratio of 1.25, less what answers take.",
		func(f *hunt.Failure) bool { return slices.ContainsFunc(f.Scenario.Actions, isRated) },
	},
	{
		"settings", "client-go checks that leaseDuration is longer than renewDeadline, not that it is longer than renewDeadline and retryPeriod together.",
		safety(acts(scenario.ActSet)),
	},
	{
		"slow answer", "The followers count from when a renewal is stored, the leader from its answer: an answer that takes longer than the margin of 3 s uses it up.",
		safety(late),
	},
	{
		"deaf holder", "A candidate whose writes are stored and whose answers are lost keeps the Lease without ever leading.",
		liveness(deaf),
	},
	{
		"counts anew", "A follower counts from its own first look: one that starts late, or that first hears of the last renewal after a fault, counts the whole leaseDuration again.",
		liveness(acts(scenario.ActCrash, scenario.ActStop, scenario.ActRestart, scenario.ActSet)),
	},
	{
		"last request", "A request that a fault swallowed is waited for until its timeout, so that a candidate first looks up to a request timeout and a poll after the fault.",
		liveness(acts(scenario.ActCut, scenario.ActFail, scenario.ActLatency, scenario.ActIntercept)),
	},
	{
		"no candidate runs", "A process that does not run takes no Lease; one that wakes counts on.",
		liveness(acts(scenario.ActPause, scenario.ActHang, scenario.ActSuspend)),
	},
	{
		"longer Lease", "A Lease that an administrator wrote to name a candidate which does not know of it is waited for like any other.",
		liveness(acts(scenario.ActWrite)),
	},
	{
		"renewal of the same second", "client-go compares records whose renewTime has whole seconds (LeaseSpecToLeaderElectionRecord, metav1.Time). A leader whose wall clock is set back by as long as it was away renews with the second of its last renewal: a follower sees no change, and takes a Lease that was just renewed.",
		safety(func(a scenario.Action) bool { return back(a.Offset) || back(a.Jump) }),
	},
	{
		"restart in the same second", "A holder that stops and starts again within the second of its last renewal acquires its own Lease, and renews it, with that second: a follower that has read the renewal before sees no change, counts from there, and takes the Lease before it has expired if the holder ends soon.",
		func(f *hunt.Failure) bool {
			return f.Rule == rules.WriteByNonHolder && slices.ContainsFunc(f.Scenario.Actions, acts(scenario.ActRestart))
		},
	},
}

func back(by *scenario.Duration) bool { return by != nil && *by < 0 }

func safety(has func(a scenario.Action) bool) func(f *hunt.Failure) bool {
	return of(rules.Safety, has)
}

func liveness(has func(a scenario.Action) bool) func(f *hunt.Failure) bool {
	return of(rules.Liveness, has)
}

func of(severity rules.Severity, has func(a scenario.Action) bool) func(f *hunt.Failure) bool {
	return func(f *hunt.Failure) bool {
		return f.Crash == "" && f.Severity == severity && slices.ContainsFunc(f.Scenario.Actions, has)
	}
}

func acts(words ...string) func(a scenario.Action) bool {
	return func(a scenario.Action) bool { return slices.Contains(words, a.Act) }
}

func isRated(a scenario.Action) bool { return a.RatePpm != 0 && a.RatePpm != 1_000_000 }

// late reports whether an act delays answers: a latency, or what holds messages.
func late(a scenario.Action) bool {
	holds := a.Mode == scenario.ModeHold || a.Mode == scenario.ModeLate || a.Effect == scenario.EffectHold || a.Effect == scenario.EffectLate
	return a.Act == scenario.ActLatency || holds || a.Error == scenario.ErrorStall
}

// deaf reports whether requests arrive and their answers do not.
func deaf(a scenario.Action) bool {
	return a.Direction == scenario.DirectionDown || a.Effect == scenario.EffectDropResponse || slices.Contains([]string{"http504Applied", "dropResponse", "broken", "empty"}, a.Error) || late(a)
}

// Every failure that hunts find at client-go's defaults belongs to a class; none is one of the engine.
func TestDefaults(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	const each = 10_000
	counts := map[string]int{}
	for left, seed := *defaultRuns, uint64(1); left > 0; left, seed = left-each, seed+1 {
		o := runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: seed, Runs: min(left, each)})
		assert.NotEmpty(t, o.Failures)
		for i := range o.Failures {
			f := &o.Failures[i]
			assert.Empty(t, f.Crash, "%s", scenario.Encode(f.Scenario))
			k := slices.IndexFunc(classes, func(c class) bool { return c.has(f) })
			if assert.GreaterOrEqual(t, k, 0, "of no class: %s %v\n%s", f.Rule, f.Causes, scenario.Encode(f.Scenario)) {
				counts[classes[k].name]++
			}
		}
	}
	for _, c := range classes {
		assert.NotEmpty(t, c.why)
		t.Logf("%-22s %d distinct failures", c.name, counts[c.name])
	}
}
