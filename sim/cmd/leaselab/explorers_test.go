package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		defer e.end()
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

// Schedules that may come to new names, which the workers' worlds keep in one table, are explored by one worker.
func TestSearchWithNewNamesHasOneWorker(t *testing.T) {
	for name, text := range map[string]string{
		"identities": strings.Replace(cutOff, "actions: [", "process: {identityAtRestart: new, restartAfterCrash: 1s}\nactions: [{at: 5s, act: crash, target: a}, {at: 9s, act: crash, target: b}, ", 1),
		"settings":   strings.Replace(cutOff, "actions: [", "actions: [{at: 5s, act: set, target: a, elector: {retryPeriod: 3s}}, ", 1),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mine.yaml")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			s, err := load(path)
			require.NoError(t, err)
			x, err := explore.New(explore.Plan{Scenario: s, Draws: []float64{explore.Middle, explore.Low, explore.High}, Order: true, FromNs: 3e9, ToNs: 20e9})
			require.NoError(t, err)
			e := newExplorers(x, 3)
			defer e.end()
			assert.Len(t, e.followers, 1)
			for x.Counts().Transitions < 20_000 && e.round() {
			}
			assert.Greater(t, x.Counts().States, int64(500))
		})
	}
}
