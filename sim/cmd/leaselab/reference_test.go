package main

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// The documentation has every command that --help lists, with every flag, and every checker.
func TestReferenceIsComplete(t *testing.T) {
	r := referenceOf(command())
	require.Len(t, r.Checkers, len(rules.All()))
	flags := map[string]int{}
	for _, c := range r.Commands {
		assert.NotEmpty(t, c.Short, c.Line)
		for _, f := range c.Flags {
			assert.NotEmpty(t, f.Usage, "%s --%s", c.Line, f.Name)
			flags[f.Name]++
		}
	}
	for _, known := range []string{"seed", "seeds", "break", "set", "addr", "scenario", "feature-gates", "counterfactuals"} {
		assert.NotZero(t, flags[known], known)
	}
	listed := 0
	for _, c := range command().Commands() {
		if !c.Hidden {
			listed++
		}
	}
	assert.GreaterOrEqual(t, len(r.Commands), listed)
}

// Runs measure the margins that the documentation gives.
func TestMarginsOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../../web/docs/guarantees.md")
	require.NoError(t, err)
	for says, settings := range map[string]string{
		"client-go's defaults (15 s, 10 s, 2 s)": `"elector":{}`,
		"the same, and the answer to a renewal takes 3 s": `"elector":{},"actions":[{"at":"20s","act":"latency",` +
			`"target":"a","response":"3s"}]`,
		"the same, and the answer takes 4.9 s": `"elector":{},"actions":[{"at":"20s","act":"latency","target":"a",` +
			`"response":"4.9s"}]`,
		"leaseDuration 20 s": `"elector":{"leaseDuration":"20s"}`,
		"renewDeadline 5 s":  `"elector":{"renewDeadline":"5s"}`,
	} {
		s, err := scenario.Decode(
			[]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"40s",` +
				`"candidates":[{"name":"a"},{"name":"b","startAt":"100ms"}],` + settings + `}`))
		require.NoError(t, err)
		r := run.Plain(s)
		r.To(int64(40*time.Second), nil)
		_, least, ok := r.Checks.Margin()
		require.True(t, ok)
		assert.Contains(t, string(page), "| "+says+" | "+words.Seconds(least)+" |\n")
	}
}
