package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The list has one entry per shipped scenario with exactly these members; an exhibit also lists its acts and
// assertions.
func TestScenariosAsJSON(t *testing.T) {
	out, err := leaselab("scenarios", "-o", "json")
	require.NoError(t, err)
	var all struct{ Items []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	byName := map[string]map[string]any{}
	for _, one := range all.Items {
		members := []string{}
		for name := range one {
			members = append(members, name)
		}
		sort.Strings(members)
		want := []string{"catalogue", "expects", "lesson", "name", "onPrograms", "source", "title", "variant"}
		if one["suite"] != nil {
			want = slices.Insert(want, 6, "suite")
		}
		require.Equal(t, want, members)
		assert.NotEmpty(t, one["expects"], one["name"])
		byName[one["name"].(string)] = one
	}
	assert.Equal(t, "", byName["a-leader-dies"]["catalogue"])
	assert.Equal(t, "", byName["a-leader-dies"]["variant"])
	assert.Equal(t, true, byName["operator-crash"]["onPrograms"])
	assert.Equal(t, "operator", byName["operator-crash"]["suite"])
	assert.Equal(t, false, byName["clock-rate"]["onPrograms"], "programs share one clock")
	failing, fixed := byName["b02-three-second-margin"], byName["b02-three-second-margin-fixed"]
	assert.Equal(t, "failing", failing["variant"])
	assert.Equal(t, "fixed", fixed["variant"])
	for _, one := range []map[string]any{failing, fixed} {
		assert.Equal(t, "B02", one["catalogue"])
		assert.Equal(t, 10.0, one["lesson"])
		assert.Contains(t, one["source"], "openshift/library-go#305 (https://github.com/openshift/library-go/issues/305)")
	}
	assert.Equal(t, map[string]any{"violation": "moreThanOneActive", "atMost": 0.0}, fixed["expects"].([]any)[0])
	_, err = leaselab("scenarios", "-o", "yaml")
	require.ErrorContains(t, err, `--output "yaml" must be text, json or whole`)
}

// A failed assertion makes the exit code 2 and prints the measured value.
func TestUnmetExpectation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wrong.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 1m
candidates: [{name: a}, {name: b, startAt: 50ms}]
actions: [{at: 20s, act: crash, target: a}]
expect:
  - {measure: leaderlessLongest, atMost: 10s}
  - {leader: a, at: 30s}
`), 0o644))
	out, err := leaselab("run", file, "-o", "json")
	var exit exitError
	require.True(t, errors.As(err, &exit))
	assert.Equal(t, 2, exit.code)
	var sum struct{ Unmet []string }
	require.NoError(t, json.Unmarshal([]byte(out), &sum))
	require.Len(t, sum.Unmet, 2)
	assert.Regexp(t, `^expected: the longest time without an active leader, .*, at most 10s \(leaderlessLongest\); measured: 1\d\.\d+ s$`, sum.Unmet[0])
	assert.Equal(t, "expected: a leads at 30s; measured: nobody", sum.Unmet[1])
}
