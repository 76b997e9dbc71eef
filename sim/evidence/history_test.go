package evidence

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run/history"
)

// The history of the paused incident has both leaders at once, as long as the report says, and each read that names no candidate belongs to no node.
func TestHistoryOfThePausedIncident(t *testing.T) {
	report := reportOf(t, 1<<16, "testdata/pause-1/audit.jsonl.gz", "testdata/pause-1/node-*.klog")
	l := leaseNamed(t, &report, "ns-a/demo")
	h := l.History()
	require.Len(t, h.Leaders, 2)
	assert.Equal(t, []string{"node-a", "node-b"}, []string{h.Leaders[0].Leader, h.Leaders[1].Leader})
	assert.InDelta(t, l.Overlaps[0].Seconds, float64(h.Leaders[0].ToNs-h.Leaders[1].FromNs)/1e9, 0.001)
	assert.Equal(t, history.Open, h.Leaders[1].ToNs)
	unnamed := 0
	for i := range h.Events {
		if h.Events[i].Text == "reads the Lease." && h.Events[i].Node == "" {
			unnamed++
		}
	}
	assert.Equal(t, l.Unattributed, unnamed)
}

// Evidence written as a trace reads back as the same history: leaders, instants and cause.
func TestEvidenceAsATrace(t *testing.T) {
	for _, incident := range []string{"crash-1", "pause-1", "partition-1", "release-1", "slow-1"} {
		report := reportOf(t, 1<<16, "testdata/"+incident+"/audit.jsonl.gz", "testdata/"+incident+"/node-*.klog")
		l := leaseNamed(t, &report, "ns-a/demo")
		h := l.History()
		var file bytes.Buffer
		require.NoError(t, h.NDJSON(&file, nil, 0))
		r := NewReader(Options{})
		r.Feed("again.ndjson", file.Bytes())
		r.End("again.ndjson")
		again := r.Report()
		assert.Empty(t, again.Problems)
		assert.Equal(t, len(h.Events)+1, again.Files[0].Records["trace"], again.Files[0].Says)
		other := leaseNamed(t, &again, "ns-a/demo")
		require.Len(t, other.LeaderChanges, len(l.LeaderChanges), incident)
		for i, c := range l.LeaderChanges {
			assert.Equal(t, c.At, other.LeaderChanges[i].At)
			assert.Equal(t, c.To, other.LeaderChanges[i].To)
		}
		_, err := history.Read(strings.NewReader(file.String()))
		assert.EqualError(t, err, "line 1 has no scenario, so it is a trace of evidence or of real programs and cannot run again; leaselab import reads it as evidence")
	}
}
