package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A link to a step of a lesson runs what the page shows there: before the act without it, after it with it.
func TestLinksOfLessonsAndIncidents(t *testing.T) {
	const page = "https://example.com/leaselab/"
	hashOf := func(args ...string) string {
		out, err := leaselab(append([]string{"run", "-o", "json"}, args...)...)
		require.NoError(t, err, args)
		return string(regexp.MustCompile(`"hash": ?"(\w+)"`).Find([]byte(out)))
	}
	assert.Equal(t, hashOf("a-leader-at-work", "--seed", "2"), hashOf(page+"#lesson=1"))
	assert.Equal(t, hashOf("a-leader-at-work", "--seed", "2"), hashOf(page+"#lesson=a-leader-dies&step=4"), "the act is still to come")
	assert.NotEqual(t, hashOf("a-leader-at-work", "--seed", "2"), hashOf(page+"#lesson=1&step=6&bet=30"))
	assert.Equal(t, hashOf("b19-gc-pause-fenced-fixed"), hashOf(page+"#lesson=9"))

	out, err := leaselab("explain", page+"#lesson=1&step=6")
	require.NoError(t, err)
	assert.Contains(t, out, "14.191 s")
	failing, _ := leaselab("run", page+"#museum=B02", "-o", "json")
	assert.Contains(t, failing, "b02-three-second-margin")
	for arg, says := range map[string]string{
		"#lesson=99":          "no lesson is named \"99\"; `leaselab scenarios --lessons` lists them",
		"#lesson=none":        "no lesson is named \"none\"",
		"#lesson=1&step=99":   `lesson 1 has 8 steps, but the link names step "99"`,
		"#lesson=1&step=last": `but the link names step "last"`,
		"#museum=B99":         `the museum has no incident "B99"`,
	} {
		_, err := leaselab("run", page+arg)
		assert.ErrorContains(t, err, says, arg)
	}
}
