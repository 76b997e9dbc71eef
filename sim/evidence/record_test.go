package evidence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testdata/record.ndjson.gz is what `leaselab test --record` kept of two client-go electors with a leaseDuration of 4 s, of which the leader
// was stopped for 8 s. As evidence it has the leaseDuration of its scenario, names the pause, and shows where the paused one works again.
func TestARecordIsEvidence(t *testing.T) {
	r := NewReader(Options{Year: 2026})
	r.Feed("run.ndjson", contents(t, "testdata/record.ndjson.gz"))
	r.End("run.ndjson")
	report := r.Report()
	assert.Empty(t, report.Problems)
	l := leaseNamed(t, &report, "default/demo")
	require.Len(t, l.LeaderChanges, 2)
	assert.Equal(t, "pause", l.Cause)
	assert.InDelta(t, 1, l.Confidence, 0)
	assert.Equal(t, Setting{Name: "leaseDuration", Value: "4s", Confidence: 1, By: "leaseDurationSeconds of the Lease"}, l.Settings[0])
	require.Len(t, l.Overlaps, 1)
	assert.InDelta(t, 3.058, l.Overlaps[0].Seconds, 0.001, "from the second start of a to its stop, not from the takeover")
	assert.Equal(t, []string{"a", "b"}, l.Overlaps[0].Who)
	assert.Empty(t, l.Clocks, "a trace has one clock")

	// What leaves as a trace is the same evidence again.
	h := l.History()
	var out strings.Builder
	require.NoError(t, h.NDJSON(&out, nil, 0))
	again := NewReader(Options{Year: 2026})
	again.Feed("again.ndjson", []byte(out.String()))
	again.End("again.ndjson")
	second := again.Report()
	same := leaseNamed(t, &second, "default/demo")
	require.Len(t, same.LeaderChanges, 2)
	for i, c := range same.LeaderChanges {
		assert.Equal(t, []string{l.LeaderChanges[i].At, l.LeaderChanges[i].To, l.LeaderChanges[i].Cause}, []string{c.At, c.To, c.Cause})
	}
	require.Len(t, same.Overlaps, 1)
	assert.Equal(t, l.Overlaps[0].Seconds, same.Overlaps[0].Seconds)
}

// A trace whose scenario names no leaseDuration has the default; one without a scenario says nothing of it.
func TestTheLeaseDurationOfATrace(t *testing.T) {
	for header, want := range map[string]int64{
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"scenario":{"elector":{"leaseDuration":"40s","retryPeriod":"2s"},"seed":1}}`: 40,
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"scenario":{"elector":{"leaseDuration":7}}}`:                                 15,
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"scenario":{}}`:                                                              15,
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"leaseDurationSeconds":9}`:                                                   9,
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1}`:                                                                            0,
	} {
		r := NewReader(Options{})
		r.Feed("x", []byte(header+"\n"))
		assert.Equal(t, want, r.files[0].traceSeconds, header)
	}
}
