package evidence

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files under testdata are five incidents of real client-go electors against a real kube-apiserver: its audit log, a
// watch, the electors' logs, and what was done to them with their callbacks.

func contents(t testing.TB, name string) []byte {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		data, err = io.ReadAll(z)
		require.NoError(t, err)
	}
	return data
}

func reportOf(t testing.TB, chunk int, patterns ...string) Report {
	r := NewReader(Options{Year: 2026})
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			for data := contents(t, name); len(data) > 0; {
				n := min(chunk, len(data))
				r.Feed(name, data[:n])
				data = data[n:]
			}
			r.End(name)
		}
	}
	return r.Report()
}

func leaseNamed(t testing.TB, r *Report, name string) *LeaseReport {
	for i := range r.Leases {
		if r.Leases[i].Name == name {
			return &r.Leases[i]
		}
	}
	require.Fail(t, "no Lease "+name)
	return nil
}

type truthEvent struct {
	Event, Action, ID string
	Time              time.Time
}

func truthOf(t *testing.T, incident string) (led []truthEvent, overlap time.Duration) {
	var all []truthEvent
	require.NoError(t, json.Unmarshal(contents(t, "testdata/"+incident+"/truth.json"), &all))
	for _, e := range all {
		switch {
		case e.Event == "started_leading":
			led = append(led, e)
		case e.Event == "stopped_leading" && len(led) > 1 && led[len(led)-1].ID != e.ID:
			overlap = e.Time.Sub(led[len(led)-1].Time)
		}
	}
	return led, overlap
}

var incidentSources = []struct {
	name     string
	patterns []string
	causes   map[string]string // what this source can name
}{
	{"audit", []string{"audit.jsonl.gz"}, map[string]string{
		"crash-1": "crash, pause or partition", "pause-1": "pause", "partition-1": "partition", "release-1": "release", "slow-1": "slow"}},
	{"watch", []string{"watch.jsonl.gz"}, map[string]string{
		"crash-1": "crash, pause or partition", "pause-1": "crash, pause or partition", "partition-1": "crash, pause or partition",
		"release-1": "release", "slow-1": "slow"}},
	{"klog", []string{"node-*.klog"}, map[string]string{
		"crash-1": "crash or release", "pause-1": "pause", "partition-1": "partition or slow", "release-1": "crash or release", "slow-1": "slow"}},
	{"together", []string{"audit.jsonl.gz", "watch.jsonl.gz", "node-*.klog"}, map[string]string{
		"crash-1": "crash", "pause-1": "pause", "partition-1": "partition", "release-1": "release", "slow-1": "slow"}},
}

// Each source alone and all of them together give the leader changes to 2.5 s, and the cause, or the causes that the source cannot
// tell apart.
func TestIncidentsComeOutOfTheirEvidence(t *testing.T) {
	for _, source := range incidentSources {
		for incident, cause := range source.causes {
			t.Run(source.name+" "+incident, func(t *testing.T) {
				var patterns []string
				for _, p := range source.patterns {
					patterns = append(patterns, "testdata/"+incident+"/"+p)
				}
				report := reportOf(t, 1<<16, patterns...)
				assert.Empty(t, report.Problems)
				l := leaseNamed(t, &report, "ns-a/demo")
				led, overlap := truthOf(t, incident)
				require.Len(t, l.LeaderChanges, len(led))
				before := ""
				for i, c := range l.LeaderChanges {
					at, err := time.Parse(time.RFC3339Nano, c.At)
					require.NoError(t, err)
					assert.Equal(t, led[i].ID, c.To)
					assert.Equal(t, before, c.From)
					assert.InDelta(t, 0, at.Sub(led[i].Time).Seconds(), 2.5)
					assert.NotEmpty(t, c.Lines)
					before = c.To
				}
				assert.Equal(t, cause, l.Causes())
				assert.Contains(t, append([]string{l.Cause}, l.Alternatives...), strings.TrimSuffix(incident, "-1"))
				assert.NotEmpty(t, l.Limits)
				switch {
				case overlap > 0 && source.name != "watch":
					require.Len(t, l.Overlaps, 1)
					assert.InDelta(t, overlap.Seconds(), l.Overlaps[0].Seconds, 0.1)
					assert.Equal(t, []string{"node-a", "node-b"}, l.Overlaps[0].Who)
				default:
					assert.Empty(t, l.Overlaps)
				}
			})
		}
	}
}

// The sizes of the chunks do not change the report.
func TestChunksDoNotMatter(t *testing.T) {
	whole := reportOf(t, 1<<30, "testdata/pause-1/*.klog", "testdata/pause-1/*.jsonl.gz")
	for _, size := range []int{1, 7, 4096} {
		assert.Equal(t, whole, reportOf(t, size, "testdata/pause-1/*.klog", "testdata/pause-1/*.jsonl.gz"), size)
	}
}

// The report counts reads of electors that share a client without attributing them. A log attributes the reads that
// it mentions.
func TestReadsAreNotGuessed(t *testing.T) {
	alone := reportOf(t, 1<<16, "testdata/pause-1/audit.jsonl.gz")
	both := reportOf(t, 1<<16, "testdata/pause-1/audit.jsonl.gz", "testdata/pause-1/node-a.klog")
	a, b := leaseNamed(t, &alone, "ns-a/demo").Unattributed, leaseNamed(t, &both, "ns-a/demo").Unattributed
	assert.Equal(t, 43, a, "42 reads of the Lease, and the first, which found none")
	assert.Equal(t, a-5, b, "node-a logs the answers to five of them")
}
