package main

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden outputs")

// golden compares a command's output with a file, or rewrites the file.
func golden(t *testing.T, file, args string) {
	t.Helper()
	got, err := leaselab(strings.Fields(args)...)
	require.NoError(t, err)
	got = "$ leaselab " + args + "\n" + got
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s: run the tests of this package with -update and read the difference", file)
}

// The complete output of explain and reroll.
func TestExplainGolden(t *testing.T) {
	for name, args := range map[string]string{
		"a-leader-dies":       "explain a-leader-dies --counterfactuals",
		"partition-leader":    "explain partition-leader",
		"paused-leader":       "explain paused-leader --violation 1 --counterfactuals",
		"upgrade-coordinated": "explain upgrade-coordinated --change 2",
		"point-of-no-return":  "explain clock-rate --point-of-no-return --rule moreThanOneActive",
	} {
		golden(t, filepath.Join("testdata", "explain", name+".golden"), args)
	}
}

// The JSON and the text agree exactly: parts add up to the nanosecond, and every event is one of the run's.
func TestExplainJSON(t *testing.T) {
	text, err := leaselab("explain", "a-leader-dies", "--counterfactuals", "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(text, "\n"), "one line")
	type part struct {
		From, Seconds json.Number
		Text          string
		Event         struct {
			T json.Number
			N int
		}
	}
	var all struct {
		Scenario string
		Engine   int
		Changes  []struct {
			Number            int
			From, To          string
			At                json.Number
			LeaderlessSeconds json.Number
			Parts, Chain      []part
			Story             []struct{ Text string }
			Counterfactuals   []struct {
				With, Result string
				Seconds      float64
				Longer       float64
				Patch        map[string]string
			}
		}
		Violations []any
	}
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	require.Len(t, all.Changes, 2)
	c := all.Changes[1]
	assert.Equal(t, "14.038760558", c.LeaderlessSeconds.String())
	sum := int64(0)
	for _, p := range c.Parts {
		sum += nanos(t, p.Seconds)
	}
	assert.Equal(t, int64(14_038_760_558), sum)
	assert.NotEmpty(t, c.Chain)
	assert.NotEmpty(t, c.Story)
	require.NotEmpty(t, c.Counterfactuals)
	for _, l := range c.Counterfactuals {
		if l.With == "retryPeriod 1 s" {
			assert.Equal(t, map[string]string{"elector.retryPeriod": "1s"}, l.Patch)
			assert.InDelta(t, 1.616, l.Longer, 0.001)
		}
	}
	assert.NotNil(t, all.Violations, "a list, if an empty one")
}

func nanos(t *testing.T, n json.Number) int64 {
	t.Helper()
	f, err := n.Float64()
	require.NoError(t, err)
	return int64(math.Round(f * 1e9))
}

func TestRerollJSON(t *testing.T) {
	text, err := leaselab("explain", "clock-rate", "--point-of-no-return", "--rule", "moreThanOneActive", "--runs", "50", "--points", "5", "-o", "json")
	require.NoError(t, err)
	var all struct {
		Runs                      int
		HappensAt, InevitableFrom *float64
		Turn                      *struct{ Happened []struct{ Text string } }
		Points                    []struct{ At, Share, Low, High float64 }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	assert.Equal(t, 50, all.Runs)
	assert.InDelta(t, 34.73, *all.HappensAt, 0.01)
	assert.LessOrEqual(t, *all.InevitableFrom, *all.HappensAt)
	require.NotNil(t, all.Turn)
	require.NotEmpty(t, all.Turn.Happened)
	assert.Contains(t, all.Turn.Happened[0].Text, "b waits 3.937 s")
	assert.GreaterOrEqual(t, len(all.Points), 5)
}

// A refusal quotes the argument and states the rule.
func TestExplainBadInput(t *testing.T) {
	for args, says := range map[string]string{
		"explain a-leader-dies --change 3":                                                        "--change 3: the run has 2 leader changes",
		"explain a-leader-dies --violation 1":                                                     "--violation 1: the run has 0 violations",
		"explain a-leader-dies -o yaml":                                                           `--output "yaml" must be text or json`,
		"explain nowhere":                                                                         `named "nowhere"`,
		"explain a-leader-dies --point-of-no-return":                                              "--rule: the rule is missing",
		"explain a-leader-dies --point-of-no-return --rule leaderless>x":                          "put a duration after leaderless>",
		"explain a-leader-dies --point-of-no-return --rule moreThanOneActive --runs 0":            "runs 0 must be 1 to 10000",
		"explain a-leader-dies --point-of-no-return --rule moreThanOneActive --from 1h":           "--from 1h0m0s must lie between 0 and the scenario's duration",
		"explain a-leader-dies --point-of-no-return --rule moreThanOneActive --points 1":          "points 1 must be 2 to 200",
		"explain a-leader-dies --point-of-no-return --rule moreThanOneActive --from 30s --to 10s": "--from 30s must not be after --to 10s",
	} {
		_, err := leaselab(strings.Fields(args)...)
		assert.ErrorContains(t, err, says, args)
	}
}
