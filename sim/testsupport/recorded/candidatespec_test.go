package recorded

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A LeaseCandidate decodes and encodes field by field in the order of the wire; an absent time stays absent.
func TestLeaseCandidateJSON(t *testing.T) {
	const wire = `{"leaseName":"l",` +
		`"pingTime":"2026-01-02T03:04:05.000006Z","renewTime":"2026-01-02T03:04:04.000000Z","binaryVersion":"1.36.0","emulationVersion":"1.35.0","strategy":"OldestEmulationVersion"}`
	var l LeaseCandidateSpec
	require.NoError(t, json.Unmarshal([]byte(wire), &l))
	symbols := coordination.NewSymbols()
	value := l.Candidate(symbols)
	assert.True(t, value.Unacked())
	again, err := json.Marshal(CandidateSpecOf(&value, false, symbols))
	require.NoError(t, err)
	assert.Equal(t, wire, string(again))

	value.Present = coordination.HasPing
	assert.False(t, value.Unacked(), "without renewTime the ping is not unacked")
	spec := CandidateSpecOf(&value, false, symbols)
	assert.Nil(t, spec.RenewTime)

	lists := LeaseCandidateSpec{LeaseName: "l", PreferredStrategies: []string{"x/y", coordination.OldestEmulationVersion}}
	value = lists.Candidate(symbols)
	assert.Equal(t, lists, CandidateSpecOf(&value, true, symbols))
}

// Every spec that decodes survives the conversion to a value and back.
func FuzzLeaseCandidate(f *testing.F) {
	f.Add([]byte(`{"spec":{"leaseName":"l","renewTime":"2026-01-02T03:04:05.000006Z","strategy":"x/y"}}`))
	f.Add([]byte(`{"spec":{"preferredStrategies":["a/b","c/d"],"pingTime":null}}`))
	cost := bounded.Limit{Fixed: 1 << 20, PerByte: 50}
	f.Fuzz(func(t *testing.T, data []byte) {
		var l struct{ Spec LeaseCandidateSpec }
		fits := false
		cost.Do(t, len(data), func() { fits = json.Unmarshal(data, &l) == nil })
		if !fits {
			return
		}
		symbols := coordination.NewSymbols()
		value := l.Spec.Candidate(symbols)
		list := len(l.Spec.PreferredStrategies) > 0
		for _, s := range l.Spec.PreferredStrategies {
			if s == "" || strings.Contains(s, ",") {
				return // not the name of a strategy
			}
		}
		back := CandidateSpecOf(&value, list, symbols)
		again := back.Candidate(symbols)
		assert.Equal(t, value, again)
	})
}
