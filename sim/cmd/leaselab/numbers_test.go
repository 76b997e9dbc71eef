package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study/numbers"
)

// The command that the answer names makes the same runs.
func TestNumbersCommandMakesTheSameRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: tens of thousands of runs")
	}
	for _, arg := range []string{"15s/10s/2s", "40s/-/10s", "30s/20s/5s --candidates 5"} {
		text, err := leaselab(append(append([]string{"numbers"}, strings.Fields(arg)...), "-o", "json")...)
		require.NoError(t, err)
		var a struct {
			Takeover struct{ P50, P99 json.Number } `json:"takeoverSeconds"`
			Measured struct {
				Slowest json.Number `json:"slowestSeconds"`
				Command string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &a))
		words := strings.Fields(strings.ReplaceAll(a.Measured.Command, "'", ""))
		text, err = leaselab(append(words[1:], "-o", "json")...)
		require.NoError(t, err)
		var row struct {
			LeaderlessSeconds struct {
				Median, P99, Longest json.Number
				Unended              int
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &row))
		swept := row.LeaderlessSeconds
		assert.Equal(t, []json.Number{swept.Median, swept.P99, swept.Longest},
			[]json.Number{a.Takeover.P50, a.Takeover.P99, a.Measured.Slowest}, arg)
		assert.Zero(t, swept.Unended)
	}
}

func TestNumbersAsText(t *testing.T) {
	text, err := leaselab("numbers", "15/10/2", "137/107/26", "--candidates", "2")
	require.NoError(t, err)
	for _, line := range []string{"15s/10s/2s     137s/107s/26s", "API may be away, if it refuses requests",
		"8 s             104 s", "slow by                                20 %             2.9 %", "24 s             252 s",
		"15s/10s/2s, 2 candidates: the slowest of 10,000 runs took ", "left on n-1's countdown"} {
		assert.Contains(t, text, line)
	}
}

// numbersText writes answers without runs, whose quantiles are 0.
func numbersText(t *testing.T, format string, settings ...string) string {
	var answers []numbers.Answer
	for _, text := range settings {
		s, err := numbers.Parse(text)
		require.NoError(t, err)
		a := s.Closed(3)
		a.Measured = &numbers.Measured{Command: "leaselab sweep --set"}
		answers = append(answers, a)
	}
	var out strings.Builder
	require.NoError(t, writeNumbers(&out, answers, format))
	return out.String()
}

func TestNumbersAsMarkdown(t *testing.T) {
	table := numbersText(t, "markdown", "15/10/2", "15/14/5")
	assert.True(t, strings.HasPrefix(table, "|  | 15s/10s/2s | 15s/14s/5s |\n| --- | ---: | ---: |\n| takeover after a crash"), table)
	assert.Contains(t, table, "| a clock may be slow by | 20 % | 0 % |\n")
	assert.NotContains(t, table, "--set")
}

func TestNumbersBadge(t *testing.T) {
	good, bad := numbersText(t, "badge", "15/10/2"), numbersText(t, "badge", "15/14/5")
	const file = "testdata/numbers.svg"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(good+bad), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(kept), good+bad)
	assert.Contains(t, good, ">15s/10s/2s: takeover ≤ 24 s<")
	assert.NotEqual(t, strings.Contains(good, "#b42318"), strings.Contains(bad, "#b42318"))
}

func TestNumbersRefuses(t *testing.T) {
	for args, why := range map[string]string{
		"10s/10s/2s":                   "leaseDuration 10s: client-go refuses it: leaseDuration must be greater than renewDeadline. Make",
		"15s/10s":                      "must be three durations",
		"15s/10s/2s --candidates 1":    "must be from 2 to 100",
		"15/10/2 20/15/3 -o badge":     "-o badge shows one setting; leave 20/15/3 out",
		"15s/10s/2s 3s/100ms/5ms":      "leaselab measures 10ms and more",
		"500ms/400ms/100ms -o json":    "the API server refuses it",
		"15s/10s/2s 1/2/3 4/5/6":       "",
		"15s/10s/2s --candidates 1001": "must be from 2 to 100",
	} {
		_, err := leaselab(append([]string{"numbers"}, strings.Fields(args)...)...)
		require.ErrorContains(t, err, why)
	}
}
