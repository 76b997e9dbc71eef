package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/recorded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// conform prints a trace of the LeaseCandidate client unchanged, and accepts its own output.
func TestConformLeaseCandidate(t *testing.T) {
	const recording = "../../recorded/leasecandidate/testdata/lc-ping.json.gz"
	recorded, err := recorded.Read(recording)
	require.NoError(t, err)
	out, err := leaselab("conform", "leasecandidate", recording)
	require.NoError(t, err)
	assert.Equal(t, string(recorded), out)
	_, err = leaselab("conform", "leasecandidate", "/dev/null")
	require.ErrorContains(t, err, "neither a trace of a LeaseCandidate client")
}

// A recording of requests comes out as it went in; a case alone is run, too.
func TestConformRequests(t *testing.T) {
	const recording = "../../recorded/requests/testdata/429-retry-after-1.json.gz"
	recorded, err := recorded.Read(recording)
	require.NoError(t, err)
	out, err := leaselab("conform", "requests", recording)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(string(recorded)), strings.TrimSpace(out))
	_, err = leaselab("conform", "requests", "/dev/null")
	require.ErrorContains(t, err, "not a recording of requests")
}

// conform prints the timelines as an array of our controller's writes. The constants go to standard error, so that the
// output stays JSON.
func TestConformTimelines(t *testing.T) {
	const recording = "../../recorded/coordinated/testdata/timelines.json.gz"
	c := command()
	var stdout, stderr bytes.Buffer
	c.SetOut(&stdout)
	c.SetErr(&stderr)
	c.SetArgs([]string{"conform", "cle", recording})
	require.NoError(t, c.Execute())
	var runs []struct {
		Name             string
		ControllerWrites []struct {
			T          float64
			Kind, Name string
			Spec       map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &runs))
	require.Len(t, runs, 22)
	assert.Equal(t, "single-unrenewed", runs[0].Name)
	assert.Equal(t, "Lease", runs[0].ControllerWrites[0].Kind)
	assert.Equal(t, "<t+0.01>", runs[0].ControllerWrites[0].Spec["renewTime"])
	assert.Equal(t, "assumed for every timeline: controller latency 1.2ms one way, overhead 2ms per cycle\n", stderr.String())

	out, err := leaselab("conform", "cle", "--explain", recording)
	require.NoError(t, err)
	assert.Contains(t, out, "electee")
	_, err = leaselab("conform", "cle", "/dev/null")
	require.ErrorContains(t, err, "neither a timeline")
}
