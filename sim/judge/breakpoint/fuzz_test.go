package breakpoint

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/world"
)

// fuzzedRun is how many steps of a run a condition is watched over.
const fuzzedRun = 400

// FuzzCondition: any text is refused at a place in it, or is a condition whose canonical form means the same. Watched
// over a run it fires in the same places again, never twice without an event between.
func FuzzCondition(f *testing.F) {
	for _, seed := range []string{
		"active = 2", "active  >=  2", "holder = b", `holder != "kube-system/x y"`, "holder = nobody", `holder = ""`,
		"role of a = down", `role of "a" != waiting`, "leaderless >= 10s",
		"leaderless >= 1h1m1.5s", "leader change", "violation", "violation = moreThanOneActive",
		"holder = a and active = 0 and leaderless >= 1.5s", "active = 99999999999",
		"leaderless >= 9223372036854775807ns", "role of * = leading", "violation = ", `holder = "b`, "and",
		"active<=1 and leader change and violation", "\x00", "holder = µ",
	} {
		f.Add(seed)
	}
	crash, found := shipped.ByName("a-leader-dies")
	require.True(f, found)
	setup := compile.Scenario(crash)
	parsing, watching := bounded.Limit{Fixed: 1 << 19, PerByte: 500}, bounded.Limit{Fixed: 8 << 20, PerByte: 100}
	f.Fuzz(func(t *testing.T, text string) {
		var c Condition
		var err error
		parsing.Do(t, len(text), func() { c, err = Parse(text) })
		if err != nil {
			var refused *ParseError
			require.ErrorAs(t, err, &refused)
			require.True(t, refused.At >= 1 && refused.At <= max(len(text), MaxText)+1, "character %d of %q",
				refused.At, text)
			require.NotEmpty(t, refused.Allowed)
			return
		}
		again, err := Parse(c.String())
		require.NoError(t, err, "%q of %q", c.String(), text)
		require.Equal(t, c, again)
		require.Equal(t, c.String(), again.String())
		watching.Do(t, len(text), func() {
			require.Equal(t, firings(t, setup, c), firings(t, setup, again))
		})
	})
}

// firings are the instants of a run's beginning at which a condition fires.
func firings(t *testing.T, setup *world.Setup, c Condition) []int64 {
	w, checks := world.New(setup), check.For(setup)
	watch := c.Begin()
	var all []int64
	for range fuzzedRun {
		next := min(w.NextAt(), setup.DurationNs+1)
		if at := watch.DueBefore(w, &checks, next); at >= 0 {
			require.True(t, at > w.Now() && at < next, "%d is not between %d and %d", at, w.Now(), next)
			all = append(all, at)
		}
		if !w.Step(setup.DurationNs) {
			break
		}
		checks.Observe(w.Records())
		if watch.Step(w, &checks) {
			all = append(all, w.Now())
		}
	}
	return all
}
