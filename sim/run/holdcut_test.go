package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
)

// A cut of the holder ends at its time, although the Lease names nobody who lives by then.
func TestCutOfAFormerHolderEnds(t *testing.T) {
	s, err := yaml.Decode([]byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 40s
candidates: [{name: a}, {name: b}]
actions:
  - {at: 8s, act: cut, target: holder, mode: hold, for: 6s}
  - {at: 10s, act: write, op: patch, spec: {holderIdentity: intruder}, renewNow: true}
`))
	require.NoError(t, err)
	r := run.WithAll(s)
	var ends []int64
	r.To(r.EndNs(), func(record *trace.Record, _ explain.Note) {
		switch record.Kind {
		case trace.CutEnded:
			ends = append(ends, record.At)
		case trace.Skipped:
			assert.Fail(t, "no act is skipped")
		}
	})
	assert.Equal(t, []int64{14e9}, ends)
}
