package check_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	recording "github.com/leaselab/leaselab/sim/testsupport/recorded/elector"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sec = int64(time.Second)

// runChecked runs a scenario under the checks.
func runChecked(t *testing.T, duration, rest string) (*world.World, *check.Checks) {
	t.Helper()
	s, err := scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":%q,%s}`,
		scenario.APIVersion, duration, rest)))
	require.NoError(t, err)
	setup := compile.Scenario(s)
	w, c := world.New(setup), check.For(setup)
	w.Run(int64(s.Duration), c.Observe)
	return w, &c // not settled: TestSettle is about that
}

func rulesBroken(c *check.Checks) []string {
	all := []string{}
	for _, v := range c.Violations {
		all = append(all, v.Rule)
	}
	return all
}

const abc = `"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"},{"name":"c","startAt":"100ms"}]`

// older are the rules of TestRules; rules_test.go has all of them.
var older = map[string]bool{rules.MoreThanOneActive: true, rules.WriteByNonHolder: true,
	rules.TransitionsMiscount: true}

// Each of the older rules, in more runs that break it or nearly do.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name string
		rest string
		want []string
	}{
		{"a pause longer than the lease", abc + `,"actions":[{"at":"20s","act":"pause","target":"a","for":"30s"}]`,
			[]string{rules.MoreThanOneActive}},
		{"a pause shorter than the lease", abc + `,"actions":[{"at":"20s","act":"pause","target":"a","for":"10s"}]`,
			[]string{}},
		{"two with one name", `"candidates":[{"name":"a","identity":"x"},{"name":"b","identity":"x","startAt":"1s"}]`,
			[]string{rules.MoreThanOneActive}},
		{"two with two names", `"candidates":[{"name":"a","identity":"x"},{"name":"b","identity":"y","startAt":"1s"}]`,
			[]string{}},

		// A follower whose clock runs three times too fast takes a lease that has 10 s to go.
		{"a fast clock takes early",
			`"candidates":[{"name":"a","elector":{"retryPeriod":"6s"}},{"name":"b","startAt":"1s","clock":{"ratePpm":3000000}}]`,
			[]string{rules.WriteByNonHolder, rules.MoreThanOneActive}},
		{"a fast clock without anything to take",
			`"candidates":[{"name":"a","clock":{"ratePpm":3000000}},{"name":"b","startAt":"1s"}]`, []string{}},
		// Released late: a is paused with the release in flight, resumes after b has taken over, and empties b's Lease.
		{"a release over a successor's lease", `"elector":{"releaseOnCancel":true},` + abc +
			`,"actions":[{"at":"20s","act":"pause","target":"a","for":"30s"},{"at":"21s","act":"stop","target":"a"}]`,
			// the successor takes the emptied Lease back, and client-go counts that
			[]string{rules.MoreThanOneActive, rules.WriteByNonHolder, rules.TransitionsMiscount}},
		{"a release in time", `"elector":{"releaseOnCancel":true},` + abc +
			`,"actions":[{"at":"20s","act":"stop","target":"a"}]`, []string{}},

		{"an administrator names a stranger", abc +
			`,"actions":[{"at":"20s","act":"write","op":"patch","spec":{"holderIdentity":"stranger"}}]`,
			[]string{rules.TransitionsMiscount}},
		{"an administrator names a stranger and counts", abc +
			`,"actions":[{"at":"20s","act":"write","op":"patch","spec":{"holderIdentity":"stranger","leaseTransitions":1}}]`, []string{}},
		{"an administrator touches the metadata", abc + `,"actions":[{"at":"20s","act":"write","op":"touch"}]`,
			[]string{}},
		{"an administrator deletes, and another one creates it",
			`"candidates":[{"name":"a"},{"name":"b"}],"actions":[{"at":"20s","act":"cut","target":"b","for":"1s"},{"at":"25s","act":"write","op":"delete"}]`,
			[]string{rules.TransitionsMiscount, rules.MoreThanOneActive}},
		{"an administrator deletes, and the holder creates it",
			`"candidates":[{"name":"a"}],"actions":[{"at":"25s","act":"write","op":"delete"}]`, []string{}},
		{"a crash", abc + `,"actions":[{"at":"20s","act":"crash","target":"a"}]`, []string{}},
		// The Lease of a dead leader is the same after the restore, and its successor goes on counting.
		{"a rollback to the same Lease", abc +
			`,"actions":[{"at":"15s","act":"crash","target":"a"},{"at":"29s","act":"rollback","to":"28s"}]`,
			[]string{}},
		{"a rollback to an older Lease", abc +
			`,"actions":[{"at":"15s","act":"crash","target":"a"},{"at":"29s","act":"rollback","to":"10s"}]`,
			[]string{}},
		{"an empty Lease taken by its last holder",
			`"elector":{"releaseOnCancel":true},"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"stop","target":"a"},{"at":"30s","act":"restart","target":"a"}]`,
			[]string{rules.TransitionsMiscount}}, // no other candidate ever held it, and yet client-go counts one more
	} {
		t.Run(c.name, func(t *testing.T) {
			w, checks := runChecked(t, "100s", c.rest)
			seen := map[string]bool{}
			first := []string{}
			for _, rule := range rulesBroken(checks) {
				if !seen[rule] && older[rule] {
					seen[rule] = true
					first = append(first, rule)
				}
			}
			assert.ElementsMatch(t, c.want, first, "%+v", checks.Violations)
			for _, v := range checks.Violations {
				assert.LessOrEqual(t, v.FromNs, w.Now())
				assert.NotZero(t, v.Ordinal)
			}
		})
	}
}

// Only safety and liveness change the verdict, and what is expected does not count.
func TestWorst(t *testing.T) {
	nothing := func(string) bool { return false }
	_, fine := runChecked(t, "60s", abc)
	assert.Equal(t, 0, fine.Worst(nothing))
	_, miscount := runChecked(t, "60s", abc+
		`,"actions":[{"at":"20s","act":"write","op":"patch","spec":{"holderIdentity":"stranger"}}]`)
	require.NotEmpty(t, miscount.Violations)
	assert.Equal(t, 0, miscount.Worst(nothing), "an observation")
	_, two := runChecked(t, "100s", abc+`,"actions":[{"at":"20s","act":"pause","target":"a","for":"30s"}]`)
	assert.Equal(t, 3, two.Worst(nothing))
	assert.Equal(t, 0, two.Worst(func(rule string) bool { return rule == rules.MoreThanOneActive }))
}

// Who is active when, by hand: a crash at 20 s, a paused leader that still counts, and work that outlasts its context.
func TestTotals(t *testing.T) {
	w, c := runChecked(t, "30s", `"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"crash","target":"a"}]`)
	none, two := c.Totals(30 * sec)
	assert.Equal(t, 10*sec+10_000_000, none, "10 ms before it led, and 10 s after its crash")
	assert.Zero(t, two)
	assert.Equal(t, "a", w.Node(c.Changes[0].To).Name())
	assert.Equal(t, int32(-1), c.Changes[0].From)
	assert.Equal(t, int64(10_000_000), c.Changes[0].LeaderlessNs)

	_, c = runChecked(t, "30s", `"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"pause","target":"a"}]`)
	none, _ = c.Totals(30 * sec)
	assert.Equal(t, int64(10_000_000), none, "a paused process is active")
	assert.Equal(t, []int32{0}, c.Active())

	_, c = runChecked(t, "30s",
		`"candidates":[{"name":"a","workTail":"3s"}],"actions":[{"at":"20s","act":"stop","target":"a"}]`)
	none, _ = c.Totals(30 * sec)
	assert.Equal(t, 7*sec+10_000_000, none, "the work ends 3 s after the context")
}

// The totals of every recorded run, dual and leaderless, equal the totals in the recording.
func TestTotalsOfTheRecordings(t *testing.T) {
	paths, err := filepath.Glob("../../testsupport/recorded/elector/testdata/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	withTwo := 0
	for _, path := range paths {
		f, err := os.Open(path)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		var trace struct {
			Schedule         json.RawMessage `json:"schedule"`
			DualLeadershipNs int64           `json:"dualLeadershipNs"`
			NoLeaderNs       int64           `json:"noLeaderNs"`
		}
		require.NoError(t, json.NewDecoder(z).Decode(&trace))
		require.NoError(t, f.Close())
		schedule, _, err := recording.Parse(trace.Schedule)
		require.NoError(t, err)
		setup, err := schedule.Setup()
		require.NoError(t, err)
		w, c := world.New(setup), check.New()
		w.Run(schedule.DurationNs-1, c.Observe)
		none, two := c.Totals(schedule.DurationNs)
		assert.Equal(t, trace.NoLeaderNs, none, path)
		assert.Equal(t, trace.DualLeadershipNs, two, path)
		broken := false
		for _, v := range c.Violations {
			broken = broken || v.Rule == rules.MoreThanOneActive
		}
		assert.Equal(t, two > 0, broken, path)
		if two > 0 {
			withTwo++
		}
	}
	assert.NotZero(t, withTwo)
}

// On random runs the totals, the changes and the violations agree with what one sees by watching every candidate.
func TestChecksAgainstWatching(t *testing.T) {
	broken := map[string]int{}
	runs := uint64(300)
	if testing.Short() {
		runs = 75
	}
	for n := range runs {
		s := random.Scenario(n)
		w, c := world.New(compile.Scenario(s)), check.New()
		none, two, last, starts := int64(0), int64(0), int64(0), 0
		active := map[int32]bool{}
		count := func(now int64) {
			switch {
			case len(active) == 0:
				none += now - last
			case len(active) > 1:
				two += now - last
			}
			last = now
		}
		for w.Step(int64(s.Duration)) {
			count(w.Now())
			c.Observe(w.Records())
			for _, r := range w.Records() {
				if r.Kind == trace.StartedLeading {
					starts++
				}
			}
			clear(active)
			for i := range int32(w.Nodes()) {
				if w.Node(i).Active() {
					active[i] = true
				}
			}
			require.Len(t, c.Active(), len(active), "number %d at %d", n, w.Now())
		}
		count(int64(s.Duration))
		gotNone, gotTwo := c.Totals(int64(s.Duration))
		require.Equal(t, none, gotNone, "number %d", n)
		require.Equal(t, two, gotTwo, "number %d", n)
		require.Len(t, c.Changes, starts)
		overlapping := int64(0)
		for _, v := range c.Violations {
			broken[v.Rule]++
			if v.Rule == rules.MoreThanOneActive {
				until := v.UntilNs
				if until < 0 {
					until = int64(s.Duration)
				}
				overlapping += until - v.FromNs
			}
		}
		require.Equal(t, two, overlapping, "number %d: the violations' lengths", n)
	}
	for _, rule := range []string{rules.MoreThanOneActive, rules.WriteByNonHolder, rules.TransitionsMiscount} {
		assert.NotZero(t, broken[rule], rule)
	}
}

// A clone goes its own way.
func TestCloneIsIndependent(t *testing.T) {
	record := trace.Record{At: 5, Kind: trace.StartedLeading, Candidate: 1, Spec: coordination.Record{}}
	c := check.New()
	wrote := func(at int64, i int32) trace.Record {
		return trace.Record{At: at, Kind: trace.RequestServed, Verb: elector.Update, Outcome: storage.Updated,
			Candidate: i, Name: 1, Spec: coordination.Record{HolderIdentity: 1}}
	}
	c.Observe([]trace.Record{wrote(1, 0), {At: 1, Kind: trace.StartedLeading}})
	d := c.Clone()
	d.Observe([]trace.Record{wrote(5, 1), record})
	assert.Len(t, c.Active(), 1)
	assert.Len(t, d.Active(), 2)
	assert.Empty(t, c.Violations)
	assert.Len(t, d.Violations, 1)
}
