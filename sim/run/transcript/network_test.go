package transcript

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the network's rules do to messages that are not an elector's: each scenario in testdata/network beside what a
// person reads of it. `go test ./sim/run/transcript -update` writes the files.
func TestGoldenNetwork(t *testing.T) {
	files, err := filepath.Glob("testdata/network/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		s, err := yaml.Decode(source)
		require.NoError(t, err, file)
		require.Equal(t, s.Name+".yaml", filepath.Base(file))
		var out bytes.Buffer
		write(&out, s)
		text := withoutQuiet(out.String())
		path := strings.TrimSuffix(file, ".yaml") + ".txt"
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), text, file)
	}
}

// withoutQuiet leaves out what repeats itself: renewals, and reads by which a follower learns nothing.
func withoutQuiet(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		repeats := strings.Contains(line, " it names a itself. (")
		for _, q := range quiet {
			repeats = repeats || strings.Contains(line, q)
		}
		if !repeats {
			b.WriteString(line)
		}
	}
	return b.String()
}
