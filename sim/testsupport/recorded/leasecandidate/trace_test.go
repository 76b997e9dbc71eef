package leasecandidate

import (
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"

	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Our client repeats every trace of the real LeaseCandidate client from its script and its answers, byte for byte.
// Breaking one rule by hand makes this many of the 7 traces differ: the wait for the cache (7), the back-off (2), that
// a ping must be later than the renewal (1), that a deletion is not noticed (1), that the earliest delay counts (1). No
// trace pins that success forgets no failure, that an addition is not checked for a ping, the resync, and that an
// object's versions do not change: the tests of core/leasecandidate do.
func TestEveryCandidateTrace(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	require.Len(t, paths, 7)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			data, err := recorded.Read(path)
			require.NoError(t, err)
			traces, array, err := Parse(data)
			require.NoError(t, err)
			assert.False(t, array)
			ours := traces[0].Run()
			assert.Equal(t, strings.TrimSpace(string(data)), strings.TrimSpace(string(ours.JSON())))
		})
	}
}

// Every input that parses as traces runs to an end, and prints traces that parse again.
func FuzzCandidateTrace(f *testing.F) {
	for _, name := range []string{"lc-ping", "lc-update-errors", "lc-deleted"} {
		data, err := recorded.Read("testdata/" + name + ".json.gz")
		require.NoError(f, err)
		f.Add(data)
	}
	cost := bounded.Limit{Fixed: 16 << 20, PerByte: 1000} // an hour of a run
	f.Fuzz(func(t *testing.T, data []byte) { cost.Do(t, len(data), func() { runTraces(t, data) }) })
}

func runTraces(t *testing.T, data []byte) {
	all, array, err := Parse(data)
	if err != nil || len(all) == 0 || len(all) > 3 {
		return
	}
	var runs []Trace
	for i := range all {
		all[i].DurationNs = min(all[i].DurationNs, 3_600_000_000_000)
		runs = append(runs, all[i].Run())
	}
	back, again, err := Parse(JSON(runs, array))
	require.NoError(t, err)
	assert.Equal(t, array, again)
	assert.Len(t, back, len(runs))
}
