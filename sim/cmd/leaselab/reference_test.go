package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/rules"
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

// The margins of the documentation: each second that the answer takes is a second less.
func TestMarginsOfTheDocumentation(t *testing.T) {
	all, err := margins()
	require.NoError(t, err)
	require.Len(t, all, len(marginsMeasured))
	assert.Equal(t, "0.000 s", all[1].Margin, "15 - 10 - 2 - 3")
	assert.Equal(t, "-1.900 s", all[2].Margin)
}
