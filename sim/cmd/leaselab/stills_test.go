package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	lessons "github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// A scenario that is not shipped has its still, too: `make site` draws the ones in the documentation.
func TestStillOfOneScenario(t *testing.T) {
	directory := t.TempDir()
	file := filepath.Join(directory, "mine.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario",`+
		`"name":"mine","duration":"30s","candidates":[{"name":"shop-1"},{"name":"shop-2","startAt":"1s"}]}`), 0o600))
	require.NoError(t, drawOne(directory, file, "q-mine"))
	picture, err := os.ReadFile(filepath.Join(directory, "q-mine.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(picture), "shop-2")
	require.Error(t, drawOne(directory, "no-such-scenario", "q-mine"))
}

// Every address that an embed can have without its own run has a still.
func TestStills(t *testing.T) {
	all, err := stills()
	require.NoError(t, err)
	var names []string
	for _, one := range all {
		names = append(names, one.names...)
	}
	for _, e := range shipped.Catalogue() {
		assert.Contains(t, names, e.Name)
		if e.Variant == scenario.VariantFailing {
			assert.Contains(t, names, "museum-"+e.Catalogue)
		}
	}
	for _, e := range lessons.Catalogue() {
		assert.Contains(t, names, fmt.Sprintf("lesson-%d", e.Number))
		for step := range e.Steps {
			assert.Contains(t, names, fmt.Sprintf("lesson-%d-%d", e.Number, step+1))
		}
	}
	slices.Sort(names)
	assert.Equal(t, names, slices.Compact(slices.Clone(names)), "no two have one name")
}

// A still of a lesson shows what the step shows: nothing of the future before the prediction, and the act after it.
func TestStillsOfALesson(t *testing.T) {
	l := lessons.Find("1")
	drawnOf := func(step int) string {
		one, err := stillOf(l, step)
		require.NoError(t, err)
		look, err := one.look()
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, one.write(dir, look))
		picture, err := os.ReadFile(filepath.Join(dir, one.names[0]+".svg"))
		require.NoError(t, err)
		return string(picture)
	}
	for step := range l.Steps {
		picture := drawnOf(step)
		switch l.Steps[step].Kind {
		case "look", "act":
			assert.NotContains(t, picture, "a crashes", step)
		case "bet":
			assert.NotContains(t, picture, "14.191", step)
			assert.Contains(t, picture, "a crashes", step)
		default:
			assert.Contains(t, picture, "14.191", step)
		}
	}
}

func TestStillsCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: every scenario")
	}
	dir := filepath.Join(t.TempDir(), "stills")
	_, err := leaselab("stills", dir)
	require.NoError(t, err)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Greater(t, len(files), 200)
	for _, f := range files {
		if f.Name() == "strips.json" {
			continue
		}
		picture, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(picture), "<svg "), f.Name())
		assert.Less(t, len(picture), 64<<10, f.Name())
	}
}

// The strip of an incident has who led, who worked without the Lease, and what its clauses measure.
func TestStrips(t *testing.T) {
	stripFor := func(name string) strip {
		s, found := shipped.ByName(name)
		require.True(t, found)
		look, err := still{scenario: s, liveNs: int64(s.Duration)}.look()
		require.NoError(t, err)
		return stripOf(look, &s)
	}
	paused := stripFor("paused-leader")
	assert.EqualValues(t, 80_000, paused.End)
	assert.Contains(t, paused.Led, [4]int64{0, 50_000, 60_000, 1}, "awake, but the Lease names c")
	assert.Contains(t, paused.Led, [4]int64{2, 36_050, 80_000, 0})
	assert.Contains(t, paused.Bands, [3]int64{36_050, 60_000, 2})
	fixed := stripFor("b04-released-too-early-fixed")
	assert.Contains(t, fixed.Led, [4]int64{0, 20_000, 28_000, 0}, "a works on, and still holds the Lease")
	assert.EqualValues(t, 20, stripFor("b53-forty-five-over-forty").Counts["nodeReadyMismatch"])
	herd := stripFor("b43-all-together")
	assert.GreaterOrEqual(t, herd.Counts["requestServed"], 290.0)
	assert.GreaterOrEqual(t, slices.Max(herd.Bars), 290)
	assert.Nil(t, stripFor("a-leader-dies").Counts, "not an incident")
}
