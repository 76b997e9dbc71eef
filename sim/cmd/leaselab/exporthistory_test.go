package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

const pausedLogs = incidents + "pause-1/audit.jsonl.gz"

// A run, a link, a saved session, a trace file and evidence are sources of each format.
func TestExportFromEverySource(t *testing.T) {
	folder := t.TempDir()
	session, traced := filepath.Join(folder, "s.json"), filepath.Join(folder, "t.ndjson")
	dies, known := shipped.ByName("a-leader-dies")
	require.True(t, known)
	saved, err := json.Marshal(lab.Session{APIVersion: scenario.APIVersion, Kind: lab.SessionKind,
		Branches: []lab.SessionBranch{{Name: "main", Parent: -1, Scenario: scenario.Encode(dies)}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(session, saved, 0o600))
	_, err = leaselab("export", "ndjson", "a-leader-dies", "--out", traced)
	require.NoError(t, err)
	link, err := leaselab("export", "link", "a-leader-dies")
	require.NoError(t, err)
	for format, begins := range map[string]string{"ndjson": `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,`, "csv": "seconds,n,"} {
		want, err := leaselab("export", format, "a-leader-dies", "--to", "40s")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(want, begins), want[:80])
		for _, source := range []string{strings.TrimSpace(link), session, traced} {
			got, err := leaselab("export", format, source, "--to", "40s")
			require.NoError(t, err)
			assert.Equal(t, want, got, source)
		}
		got, err := leaselab("export", format, pausedLogs, incidents+"pause-1/node-a.klog", "--lease", "ns-a/demo")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(got, begins), got[:80])
		assert.Contains(t, got, "node-b")
	}
}

// A record of real programs leaves in each format, replayed and as evidence alike.
func TestExportOfARecord(t *testing.T) {
	packed := incidents + "record.ndjson.gz"
	file, err := os.Open(packed)
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	record := filepath.Join(t.TempDir(), "run.ndjson")
	require.NoError(t, os.WriteFile(record, data, 0o600))
	for format, begins := range map[string]string{
		"csv":    "seconds,n,",
		"ndjson": `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"title":"short-pause","lease":"default/demo","epoch":"2026-11-23T10:02:17.269634756Z","leaseDurationSeconds":4,`,
	} {
		for _, source := range []string{record, packed} {
			got, err := leaselab("export", format, source)
			require.NoError(t, err, "%s %s", format, source)
			if source == record || format != "ndjson" {
				assert.True(t, strings.HasPrefix(got, begins), "%s %s: %s", format, source, got[:min(300, len(got))])
			}
			name := filepath.Join(t.TempDir(), "out")
			require.NoError(t, os.WriteFile(name, []byte(got), 0o600))
			if format == "ndjson" {
				told, err := leaselab("import", "trace", name, "-o", "json")
				require.NoError(t, err)
				assert.Contains(t, told, `"cause":"pause","confidence":1`)
				assert.Contains(t, told, `"seconds":3.058,"who":["a","b"]`)
			}
		}
	}
	told, err := leaselab("import", record, "-o", "json")
	require.NoError(t, err)
	assert.Contains(t, told, `"leases":[{"name":"default/demo","leaderChanges":[`)
	out, err := leaselab("export", "csv", record, "--of", "leaders")
	require.NoError(t, err)
	assert.Contains(t, out, "a,14.004704777,17.062879386,3.058174609,2026-11-23T10:02:31.274339Z,2026-11-23T10:02:34.332514Z")
}

func TestExportLeadersOfEvidence(t *testing.T) {
	out, err := leaselab("export", "csv", pausedLogs, incidents+"pause-1/node-a.klog", "--of", "leaders", "--lease", "ns-a/demo")
	require.NoError(t, err)
	assert.Equal(t, "leader,from,to,seconds,fromTime,toTime\r\nnode-a,0.556272,51.571802,51.01553,2026-11-20T19:16:38.556272Z,2026-11-20T19:17:29.571802Z\r\n"+
		"node-b,35.564184,,40.99307,2026-11-20T19:17:13.564184Z,\r\n", out)
}

// import trace reads a trace file back to an equal run, and refuses one that does not agree; -o scenario is the run's own scenario.
func TestImportOfATraceFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crash.ndjson")
	_, err := leaselab("export", "ndjson", "crash", "--seed", "17", "--out", file)
	require.NoError(t, err)
	hash, err := leaselab("run", "crash", "--seed", "17", "-o", "json")
	require.NoError(t, err)
	told, err := leaselab("import", "trace", file)
	require.NoError(t, err)
	assert.Regexp(t, `reproduces exactly the same run: crash, seed 17, engine 4, trace hash [0-9a-f]{16}, \d+ records`, told)
	_, after, _ := strings.Cut(told, "trace hash ")
	assert.Contains(t, hash, after[:16])
	again, err := leaselab("run", file, "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, hash, again)
	own, err := leaselab("import", file, "-o", "scenario")
	require.NoError(t, err)
	assert.Contains(t, own, "seed: 17\n")

	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(data), `"text":"crashes.`, `"text":"smiles.`, 1)), 0o600))
	_, err = leaselab("import", "trace", file)
	assert.ErrorContains(t, err, `says "a smiles."`)
	told, err = leaselab("import", file)
	require.NoError(t, err, "the records are evidence all the same")
	assert.Contains(t, told, "running the trace again gives a different run: line ")
}

func TestExportOfHistoriesRefuses(t *testing.T) {
	pod := filepath.Join(t.TempDir(), "pod.json")
	require.NoError(t, os.WriteFile(pod, []byte("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}\n"), 0o600))
	two := filepath.Join(t.TempDir(), "two.jsonl")
	var watch strings.Builder
	for i, lease := range []string{"one", "two", "one", "two"} {
		fmt.Fprintf(&watch, `{"receivedAt":"2026-11-20T19:00:0%[1]dZ","type":"ADDED","object":{"kind":"Lease","metadata":{"name":%[2]q,"namespace":"ns"},"spec":{"holderIdentity":"n-%[1]d","renewTime":"2026-11-20T19:00:0%[1]dZ"}}}`+"\n", i, lease)
	}
	require.NoError(t, os.WriteFile(two, []byte(watch.String()), 0o600))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"export", "csv"}, "a scenario, or files of evidence, such as audit.jsonl is missing"},
		{[]string{"export", "csv", "crsh"}, `did you mean "crash"?`},
		{[]string{"export", "csv", "crash", "--of", "nodes"}, `--of "nodes" must be events or leaders`},
		{[]string{"export", "csv", "crash", "--to", "3h"}, "--to 3h0m0s must lie between 0 and the end, 2m"},
		{[]string{"export", "ndjson", pod}, "pod.json: "},
		{[]string{"export", "csv", two}, "these files are about 2 Leases; choose one: --lease ns/one"},
		{[]string{"export", "csv", "crash", "--out", "/nowhere/crash.csv"}, "/nowhere/crash.csv"},
	} {
		_, err := leaselab(c.args...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says, c.args)
	}
}
