package main

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/explore"
)

// A search on one, two, three or seven goroutines is the same search: what it keeps is the same bytes on its way and at its end, and
// so are the counts and the counterexample.
func TestSearchOfSeveralWorkersIsTheSame(t *testing.T) {
	path := cutOffFile(t)
	s, err := load(path)
	require.NoError(t, err)
	kept := func(workers int) (all []string) {
		x, err := explore.New(explore.Plan{
			Scenario: s, Sets: []string{"actions[0].for=10s..20s/2s"}, Draws: []float64{explore.Middle, explore.Low}, Order: true, FromNs: 3e9, ToNs: 20e9,
			Rules: []explore.Rule{{Name: rules.WriteByNonHolder}},
		})
		require.NoError(t, err)
		e := newExplorers(x, workers)
		note := func() {
			var bytes bytes.Buffer
			require.NoError(t, x.Save(&bytes))
			all = append(all, bytes.String())
		}
		for k := 0; e.round(); k++ {
			if k%40 == 0 {
				note()
			}
		}
		note()
		c, err := x.Counterexample()
		require.NoError(t, err)
		require.NotNil(t, c)
		return append(all, fmt.Sprintf("%+v %s %d %+v %s", x.Counts(), c.Rule, c.AtNs, c.Choices, scenario.Encode(c.Scenario)))
	}
	one := kept(1)
	require.Greater(t, len(one), 4, "there is something to compare")
	for _, workers := range []int{2, 3, 7} {
		assert.True(t, slices.Equal(one, kept(workers)), "%d workers", workers)
	}
}
