package hunt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// planted is a bug that a hunt must find: a dialect of the elector, switched on for every candidate. Everything else is client-go's
// default.
type planted struct {
	dialect string
	rule    string // that it breaks
	why     string // the dialect breaks it where client-go keeps it
	acts    string // a schedule that shows it, with some seed from 1 to 20
}

// plantedBugs are the ten dialects that break a safety or liveness rule under faults that client-go survives. The list was written
// before the hunt was. The other dialects break no such rule with the defaults: some are fixes (deadlineFromSend,
// stopAtOtherHolder), some concern a release, which the defaults do not make (releaseIgnored, blindRelease, releaseWithoutRetry,
// zeroDurationRelease), some only count wrongly or cost requests (transitionsReset, transitionsInflated, noFastPath, noRetries), and
// ttlLock with its default factor expires when client-go's Lease does.
var plantedBugs = []planted{
	{
		dialect: "noRequestTimeout", rule: rules.MoreThanOneActive,
		why:  "renewDeadline is looked at only between two attempts: a leader whose request gets no answer waits for it and works on, while its Lease expires.",
		acts: "[{at: 20s, act: cut, target: a, for: 40s}]",
	},
	{
		dialect: "ownLeaseDuration", rule: rules.MoreThanOneActive,
		why:  "A follower counts its own leaseDuration. A leader that was given longer durations keeps trying for its longer renewDeadline, while a follower with the old ones has taken the Lease.",
		acts: "[{at: 10s, act: set, target: a, elector: {leaseDuration: 30s, renewDeadline: 25s}}, {at: 12s, act: crash, target: a, for: 1s}, {at: 40s, act: cut, target: a, for: 40s}]",
	},
	{
		dialect: "wallClockExpiry", rule: rules.MoreThanOneActive,
		why:  "A follower compares renewTime, which the leader's wall clock wrote, with its own wall clock: one that is ahead sees a dead Lease.",
		acts: "[{at: 20s, act: clock, target: b, jump: 30s}]",
	},
	{
		dialect: "wallClockObservation", rule: rules.MoreThanOneActive,
		why:  "A follower counts from its own observation, but by its wall clock: a jump while the Lease stays unchanged for a poll or two uses up the whole leaseDuration.",
		acts: "[{at: 30s, act: cut, target: a, for: 15s}, {at: 33s, act: clock, target: b, jump: 1m}]",
	},
	{
		dialect: "trustRenewTime", rule: rules.MoreThanOneActive,
		why:  "A process that starts takes the first record to be as old as its renewTime says by its own wall clock: one that is ahead sees a dead Lease, once.",
		acts: "[{at: 10s, act: clock, target: b, jump: 30s}, {at: 20s, act: crash, target: b, for: 1s}]",
	},
	{
		dialect: "callbackBeforeWrite", rule: rules.CallbacksOutOfOrder,
		why:  "A leader that starts again within leaseDuration reads its own name and begins its work before it has written anything.",
		acts: "[{at: 30s, act: crash, target: a, for: 1s}]",
	},
	{
		dialect: "forLife", rule: rules.LeaderlessTooLong,
		why:  "A Lease with a holder never expires: a leader that is down for longer than a failover takes is waited for all the same.",
		acts: "[{at: 30s, act: crash, target: a, for: 1m}]",
	},
	{
		dialect: "noDeadline", rule: rules.MoreThanOneActive,
		why:  "A leader that cannot reach the API server only logs it and works on until it reads another holder.",
		acts: "[{at: 20s, act: cut, target: a, for: 40s}]",
	},
	{
		dialect: "readsResetDeadline", rule: rules.MoreThanOneActive,
		why:  "Each read that succeeds starts renewDeadline again: a leader whose reads pass and whose writes fail never gives up.",
		acts: "[{at: 20s, act: fail, target: a, error: http500, verb: writes, for: 40s}]",
	},
	{
		dialect: "observeFromSend", rule: rules.MoreThanOneActive,
		why:  "A follower counts from when it sent its read, which may be a request timeout before the record that it read was written: its countdown ends up to 5 s early, more than the margin of 3 s.",
		acts: "[{at: 34s, act: latency, target: b, request: 4.9s, for: 7s}, {at: 42s, act: cut, target: a, for: 40s}]",
	},
}

// base is where every hunt for a planted bug starts: three candidates with client-go's defaults, and no acts.
func base(t testing.TB, acts string) scenario.Scenario {
	t.Helper()
	s, err := yaml.Decode([]byte(strings.Join([]string{
		"apiVersion: leaselab.dev/v1alpha1", "kind: Scenario", "name: planted", "seed: 1", "duration: 2m",
		"candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]", "actions: " + acts, "",
	}, "\n")))
	require.NoError(t, err)
	return s
}

// with is a scenario in the dialect of a planted bug.
func (p *planted) with(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	s.Elector.Dialect = []string{p.dialect}
	return s
}

func breaks(s scenario.Scenario, rule string) bool {
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	return brokenIn(&r.Checks, rule)
}

func brokenIn(c *check.Checks, rule string) bool {
	for i := range c.Violations {
		if c.Violations[i].Rule == rule && c.Violations[i].Severity != rules.Observation {
			return true
		}
	}
	return false
}

// Each planted bug is one: some seed breaks the rule with the dialect, and none without it.
func TestPlantedBugs(t *testing.T) {
	require.Len(t, plantedBugs, 10)
	for i := range plantedBugs {
		p := &plantedBugs[i]
		t.Run(p.dialect, func(t *testing.T) {
			require.NotZero(t, elector.DialectNamed(p.dialect))
			assert.NotEmpty(t, p.why)
			s := base(t, p.acts)
			broken := 0
			for seed := uint64(1); seed <= 20; seed++ {
				s.Seed = seed
				assert.False(t, breaks(s, p.rule), "client-go breaks %s with seed %d", p.rule, seed)
				if breaks(p.with(s), p.rule) {
					broken++
				}
			}
			t.Logf("%d of 20 seeds", broken)
			assert.Positive(t, broken)
		})
	}
}
