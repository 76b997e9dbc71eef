package breakpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/world"
)

func TestParse(t *testing.T) {
	for text, canonical := range map[string]string{
		"active=2": "active = 2", "active  >=  2": "active >= 2", "holder = b": "holder = b",
		`holder != "kube-system/x y"`: `holder != "kube-system/x y"`,
		"role of a = lost":            "role of a = lost", "leaderless >= 90s": "leaderless >= 1m30s",
		"leaderless >= 60m": "leaderless >= 1h", "leader change": "leader change",
		"violation": "violation", "violation = moreThanOneActive": "violation = moreThanOneActive",
		"holder = b and active = 0 and leaderless >= 1.5s": "holder = b and active = 0 and leaderless >= 1.5s",
	} {
		c, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, canonical, c.String())
		again, err := Parse(c.String())
		require.NoError(t, err)
		assert.Equal(t, c, again)
	}
}

// An error names the place and what may stand there.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `breakpoint "", character 1: expected active, holder, role of, leaderless, leader change or violation, found the end`,
		"actve = 2":             `breakpoint "actve = 2", character 1: expected active, holder, role of, leaderless, leader change or violation, found "actve"`,
		"active 2":              `breakpoint "active 2", character 8: expected one of = != < <= > >=, found "2"`,
		"active = two":          `breakpoint "active = two", character 10: expected a whole number, found "two"`,
		"active = -1":           `breakpoint "active = -1", character 10: expected a whole number, found "-1"`,
		"holder > b":            `breakpoint "holder > b", character 8: expected one of = !=, found ">"`,
		"holder =":              `breakpoint "holder =", character 9: expected a name, or nobody, found the end`,
		"role of a = king":      `breakpoint "role of a = king", character 13: expected one of waiting, following, leading, lost, paused, down, stopped, found "king"`,
		"leaderless >= 10":      `breakpoint "leaderless >= 10", character 15: expected a length of time above zero, such as 10s or 1m30s, found "10"`,
		"leader = b":            `breakpoint "leader = b", character 8: expected "change" (to match a node, write holder = NODE or role of NODE = leading), found "="`,
		"leaderless = 10s":      `breakpoint "leaderless = 10s", character 12: expected ">=", found "="`,
		"holder = b or active=": `breakpoint "holder = b or active=", character 12: expected "and" or the end, found "or"`,
		"holder = b and":        `breakpoint "holder = b and", character 15: expected active, holder, role of, leaderless, leader change or violation, found the end`,
		"holder = (b)":          `breakpoint "holder = (b)", character 10: expected a name, or nobody, found "("`,
		"violation = twoLead": `breakpoint "violation = twoLead", character 13: expected one of ` +
			strings.Join(rules.Names(), ", ") + `, found "twoLead"`,
		strings.TrimSuffix(strings.Repeat("active<1 and ", 15),
			" and "): `breakpoint "active<1 and active<…", character 201: ` +
			`expected at most 200 bytes, with a space on each side of every comparison, found "more"`,
		"holder = \"\xff\"": "breakpoint \"holder = \\\"\ufffd\\\"\", character 1: expected UTF-8 text, found " +
			"\"something else\"",
		`holder = "b`: "breakpoint \"holder = \\\"b\", character 10: expected a name, or nobody, found \"\\\"b\"",
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, want, text)
	}
}

// fires runs a scenario and lists where a condition fires.
func fires(t *testing.T, name, text string) []int64 {
	s, found := shipped.ByName(name)
	require.True(t, found)
	c, err := Parse(text)
	require.NoError(t, err)
	w, checks := world.New(compile.Scenario(s)), check.New()
	watch := c.Begin()
	var all []int64
	for {
		next := min(w.NextAt(), int64(s.Duration)+1)
		if at := watch.DueBefore(w, &checks, next); at >= 0 {
			all = append(all, at)
		}
		if !w.Step(int64(s.Duration)) {
			return all
		}
		checks.Observe(w.Records())
		if watch.Step(w, &checks) {
			all = append(all, w.Now())
		}
	}
}

func TestFires(t *testing.T) {
	const name = "a-leader-dies" // a leads at once, dies at 20.000000013 s; b leads at 34.038760571 s
	const dies, leads = int64(20_000_000_013), int64(34_038_760_571)
	changes := fires(t, name, "leader change")
	require.Len(t, changes, 2)
	assert.Equal(t, leads, changes[1])
	assert.Equal(t, []int64{dies}, fires(t, name, "role of a = down"))
	assert.Equal(t, []int64{dies + 10e9}, fires(t, name, "leaderless >= 10s"), "between two events, to the nanosecond")
	assert.Equal(t, []int64{dies + 10e9}, fires(t, name, "holder = a and leaderless >= 10s"))
	assert.Equal(t, fires(t, name, "holder = b"), fires(t, name, "holder = b and leaderless >= 10s"),
		"b holds the Lease before it works")
	assert.Empty(t, fires(t, name, "holder = c and leaderless >= 10s"))
	assert.Empty(t, fires(t, name, "leaderless >= 15s"))
	assert.Len(t, fires(t, name, "holder = b"), 1)
	assert.Less(t, fires(t, name, "holder = b")[0], leads, "the Lease turns at the commit")
	assert.Empty(t, fires(t, name, "active >= 2"))
	assert.Empty(t, fires(t, name, "violation"))
	assert.Len(t, fires(t, name, "active = 0"), 2, "at the beginning, and when the leader dies")
	assert.NotEmpty(t, fires(t, "paused-leader", "active >= 2"))
	assert.Equal(t, fires(t, "paused-leader", "active >= 2"),
		fires(t, "paused-leader", "violation = moreThanOneActive"))
}
