package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study/advise"
)

// words of a command line, without the quotes.
func line(text string) []string {
	all := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(text, -1)
	for i := range all {
		all[i] = strings.Trim(all[i], "'")
	}
	return all[1:] // without leaselab
}

// The command beside a measure gives the figure again.
func TestAdviceCanBeReplayed(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: many runs")
	}
	text, err := leaselab("advise", "takeover=20s", "latency=500ms", "-o", "json")
	require.NoError(t, err)
	var advice advise.Advice
	require.NoError(t, json.Unmarshal([]byte(text), &advice))
	require.NotEmpty(t, advice.Settings)
	for _, one := range advice.Settings[:1] {
		for _, m := range one.Measured {
			out, _ := leaselab(line(m.Replay)...) // a rule of observation or liveness may be broken
			var row struct{ WritesPerMinute, RequestsPerMinute, LeaderChangesPerRun float64 }
			switch m.Goal {
			case advise.Takeover:
				assert.Contains(t, out, fmt.Sprintf(" %.3f ", m.Value), m.Replay)
			case advise.Writes, advise.Requests, advise.Latency:
				require.NoError(t, json.Unmarshal([]byte(out), &row), m.Replay)
				value := map[string]float64{advise.Writes: row.WritesPerMinute, advise.Requests: row.RequestsPerMinute, advise.Latency: row.LeaderChangesPerRun}[m.Goal]
				assert.InDelta(t, m.Value, value, 0.001, m.Replay)
			}
		}
	}
}

// advise says what contradicts what, and refuses what cannot be measured.
func TestAdviseInWords(t *testing.T) {
	for goals, says := range map[string]string{
		"cost=3":                  "use one of: survive, takeover",
		"takeover=30s -o yaml":    "must be text or json",
		"takeover=30s --scenario": "flag needs an argument",
	} {
		_, err := leaselab(append([]string{"advise"}, strings.Fields(goals)...)...)
		assert.ErrorContains(t, err, says)
	}
	_, err := leaselab("advise")
	assert.ErrorContains(t, err, "a goal, such as takeover=30s is missing")
	if testing.Short() {
		t.Skip("run without -short: many runs")
	}
	out, err := leaselab("advise", "takeover=5s", "writes=10", "overlap=1s", "--color", "always")
	require.NoError(t, err)
	assert.Contains(t, out, "\x1b[31mThese contradict each other: takeover=5s and writes=10. takeover=5s is possible alone, and so is writes=10.\x1b[0m\n")
	assert.Contains(t, out, "renewDeadline > 7.194 s")
	assert.Contains(t, out, "replay: leaselab run fault-free --seeds 1..16")
}

// What cannot be read back keeps nothing: a device would be read forever.
func TestResumeFromNoFile(t *testing.T) {
	for _, args := range []string{"hunt crash --runs 3", "explore crash --states 10", "sweep crash --set duration=100s"} {
		for _, name := range []string{"/dev/zero", t.TempDir()} {
			_, err := leaselab(append(strings.Fields(args), "--resume", name)...)
			assert.ErrorContains(t, err, "--resume ")
			assert.ErrorContains(t, err, name)
		}
		_, err := leaselab(append(strings.Fields(args), "--resume", "/dev/zero")...)
		assert.ErrorContains(t, err, "is not a regular file")
		_, err = leaselab(append(strings.Fields(args), "--resume", "")...)
		assert.ErrorContains(t, err, "--resume is empty: give it a value, or leave it out")
	}
}
