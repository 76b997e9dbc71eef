package requests

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/recorded"
)

// Every recording of client-go over its REST client comes out of its case: each exchange and each event at its nanosecond.
func TestEveryRecording(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	require.Len(t, paths, 60)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			data, err := recorded.Read(path)
			require.NoError(t, err)
			all, array, err := Parse(data)
			require.NoError(t, err)
			require.False(t, array)
			ours := Run(&all[0])
			assert.Equal(t, all[0].Exchanges, ours.Exchanges)
			assert.Equal(t, all[0].Events, ours.Events)
			assert.Equal(t, strings.TrimSpace(string(data)), strings.TrimSpace(string(JSON([]Recording{ours}, array))))
		})
	}
}
