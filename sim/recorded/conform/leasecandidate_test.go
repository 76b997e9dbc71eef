package conform

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every trace of the real LeaseCandidate client comes out of its script and its answers alone, byte for byte. Broken by
// hand, alone: the wait for the cache (7 of 7 traces differ), the back-off (2), that a ping must be later than the renewal
// (1), that a deletion is not noticed (1), that the earliest delay counts (1). No trace pins that success forgets no
// failure, that an addition is not looked at for a ping, the resync, and that an object's versions stay as they are: the
// tests of core/leasecandidate do.
func TestEveryCandidateTrace(t *testing.T) {
	paths, err := filepath.Glob("testdata/leasecandidate/*.json.gz")
	require.NoError(t, err)
	require.Len(t, paths, 7)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			data := recorded(t, path)
			traces, array, err := ParseCandidateTraces(data)
			require.NoError(t, err)
			assert.False(t, array)
			ours := traces[0].Run()
			assert.Equal(t, strings.TrimSpace(string(data)), strings.TrimSpace(string(ours.JSON())))
		})
	}
}
