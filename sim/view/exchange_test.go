package view_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/view"
)

// failedExchange returns the first request of a after 10 s, which meets a fault, as it goes over the wire.
func failedExchange(t *testing.T, fault string) *protocol.Exchange {
	t.Helper()
	s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: 1\nduration: 30s\ncandidates: [{name: a}]\nactions: [{at: 10s, act: fail, target: a, count: 1, " + fault + "}]\n"))
	require.NoError(t, err)
	l := lab.New(nil)
	end := &timeline.Cursor{T: 20e9, N: -1}
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: end, Live: end}))
	look := l.Look()
	var at timeline.Cursor
	run := look.Run.At(timeline.Cursor{T: 10e9, N: -1})
	for at.T == 0 && run.Step(20e9, func(r *trace.Record, note explain.Note) {
		if r.Kind == trace.RequestEnded && at.T == 0 {
			at = timeline.Cursor{T: r.At, N: note.Place.Ordinal}
		}
	}) {
	}
	e, err := view.Exchange(look, at)
	require.NoError(t, err)
	return e
}

// An answer shows its Retry-After, and as much of its body as the client got.
func TestExchangesOfFaults(t *testing.T) {
	e := failedExchange(t, "error: http429, retryAfter: 2s")
	assert.Equal(t, 429, e.Status)
	assert.Equal(t, []string{"Retry-After: 2"}, e.AnswerHeaders)
	assert.Empty(t, failedExchange(t, "error: http502").AnswerHeaders)
	assert.Equal(t, 502, failedExchange(t, "error: http502").Status)

	whole := failedExchange(t, "error: conflict, verb: get").Answer
	require.NotEmpty(t, whole)
	e = failedExchange(t, "error: broken")
	assert.Equal(t, 200, e.Status)
	assert.Equal(t, whole[:len(e.Answer)], e.Answer)
	assert.Equal(t, len(whole)/2, len(e.Answer))
	e = failedExchange(t, "error: empty")
	assert.Equal(t, 200, e.Status)
	assert.Empty(t, e.Answer)
}
