package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

func run(args ...string) (out, notes string, err error) {
	var stdout, stderr bytes.Buffer
	err = conform(args, &stdout, &stderr)
	return stdout.String(), stderr.String(), err
}

// It accepts a bare schedule as well as a trace, and prints the recording's format.
func TestConformElector(t *testing.T) {
	schedule := `{"name":"s","durationNs":20000000000,"jitterSeed":1,"candidates":[{"name":"A","identity":"A-id",` +
		`"lease":"l","startNs":11,"leaseDurationNs":15000000000,"renewDeadlineNs":9999999999,` +
		`"retryPeriodNs":2000000000,"clientTimeoutNs":5000000000,"reqLatencyNs":2000000,"respLatencyNs":3000000}]}`
	dir := t.TempDir()
	bare, trace := filepath.Join(dir, "schedule.json"), filepath.Join(dir, "trace.json")
	require.NoError(t, os.WriteFile(bare, []byte(schedule), 0o600))
	out, _, err := run("elector", bare)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(trace, []byte(out), 0o600))
	again, _, err := run("elector", trace)
	require.NoError(t, err)
	assert.Equal(t, out, again)
	var format struct {
		Format string
		Events []struct{ Kind string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &format))
	assert.Equal(t, "elector-oracle/1", format.Format)
	assert.Equal(t, "start", format.Events[0].Kind)
}

// A trace of the LeaseCandidate client and a recording of requests come out as they went in.
func TestConformUnchanged(t *testing.T) {
	for kind, recording := range map[string]string{
		"leasecandidate": "../leasecandidate/testdata/lc-ping.json.gz",
		"requests":       "../requests/testdata/429-retry-after-1.json.gz",
	} {
		data, err := recorded.Read(recording)
		require.NoError(t, err)
		out, _, err := run(kind, recording)
		require.NoError(t, err)
		assert.Equal(t, strings.TrimSpace(string(data)), strings.TrimSpace(out))
	}
}

// The timelines come out as an array of our controller's writes. The constants go to standard error, so that the output
// stays JSON.
func TestConformTimelines(t *testing.T) {
	const recording = "../coordinated/testdata/timelines.json.gz"
	out, notes, err := run("cle", recording)
	require.NoError(t, err)
	var runs []struct {
		Name             string
		ControllerWrites []struct {
			T          float64
			Kind, Name string
			Spec       map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &runs))
	require.Len(t, runs, 22)
	assert.Equal(t, "single-unrenewed", runs[0].Name)
	assert.Equal(t, "Lease", runs[0].ControllerWrites[0].Kind)
	assert.Equal(t, "<t+0.01>", runs[0].ControllerWrites[0].Spec["renewTime"])
	assert.Equal(t, "assumed for every timeline: controller latency 1.2ms one way, overhead 2ms per cycle\n", notes)
	out, _, err = run("cle", "--explain", recording)
	require.NoError(t, err)
	assert.Contains(t, out, "electee")
}

// Each kind says what is wrong with its input.
func TestConformRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "name the kind"},
		{[]string{"timeline", "/dev/null"}, "must be elector"},
		{[]string{"elector"}, "name one recording"},
		{[]string{"elector", "/dev/null"}, "neither a schedule nor a trace"},
		{[]string{"leasecandidate", "/dev/null"}, "neither a trace of a LeaseCandidate client"},
		{[]string{"requests", "/dev/null"}, "not a recording of requests"},
		{[]string{"cle", "/dev/null"}, "neither a timeline"},
	} {
		_, _, err := run(c.args...)
		require.ErrorContains(t, err, c.says, c.args)
	}
}
