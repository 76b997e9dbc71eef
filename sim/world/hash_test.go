package world_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/hashes.txt anew")

const hashFile = "testdata/hashes.txt"

// hashTable runs every shipped scenario with its own seed and with seeds 1 and 2. A line is the scenario's name, the
// seed, the digest of what the run is a function of, and the trace hash.
func hashTable() string {
	var b strings.Builder
	for _, s := range shipped.List() {
		done := map[uint64]bool{}
		for _, seed := range []uint64{s.Seed, 1, 2} {
			if done[seed] {
				continue
			}
			done[seed] = true
			s.Seed = seed
			w := world.New(compile.Scenario(s))
			w.Run(int64(s.Duration), func([]trace.Record) {})
			fmt.Fprintln(&b, s.Name, seed, digest(s), w.Hash())
		}
	}
	return b.String()
}

// digest names the canonical form of a scenario without its texts and expectations, which no run depends on.
func digest(s scenario.Scenario) string {
	s.Title, s.Summary, s.Museum, s.Expect = "", "", nil, nil
	sum := sha256.Sum256(scenario.Encode(s))
	return hex.EncodeToString(sum[:4])
}

// The same run has the same hash on every platform: this test runs natively, as 386, with GOAMD64=v3 and under wasm,
// and compares with one table. A hash that changes while its scenario does not is a change of behavior: raise
// world.Engine in the same commit, then rewrite the table with -update. After an edit of a scenario -update is enough.
func TestHashes(t *testing.T) {
	table := fmt.Sprintf("engine %d\n%s", world.Engine, hashTable())
	old, err := os.ReadFile(hashFile)
	require.NoError(t, err)
	require.Empty(t, changedBehavior(string(old), table),
		"the hashes of these runs changed, yet neither their scenarios nor world.Engine, which is %d: raise it",
		world.Engine)
	if *update {
		require.NoError(t, os.WriteFile(hashFile, []byte(table), 0o644))
		return
	}
	assert.Equal(t, string(old), table)
}

// changedBehavior lists the runs of two tables with one engine whose scenario is the same and whose hash is not.
// Either table may have lines that the other has not.
func changedBehavior(old, now string) (changed []string) {
	oldHead, oldLines, _ := strings.Cut(old, "\n")
	head, lines, _ := strings.Cut(now, "\n")
	if oldHead != head {
		return nil
	}
	hashes := map[string]string{}
	each := func(table string, see func(run, hash string)) {
		for line := range strings.Lines(table) {
			if run, hash, found := cutLast(strings.TrimSpace(line)); found {
				see(run, hash)
			}
		}
	}
	each(oldLines, func(run, hash string) { hashes[run] = hash })
	each(lines, func(run, hash string) {
		if was := hashes[run]; was != "" && was != hash {
			changed = append(changed, run)
		}
	})
	return changed
}

// cutLast splits a line before its last word.
func cutLast(line string) (before, last string, found bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return "", "", false
	}
	return line[:i], line[i+1:], true
}

// A changed hash differs from an edited scenario, a new run, a lost run and a new engine.
func TestChangedBehavior(t *testing.T) {
	const old = "engine 1\na 1 00 x\nb 1 01 y\n"
	assert.Equal(t, []string{"a 1 00"}, changedBehavior(old, "engine 1\na 1 00 z\nb 1 01 y\n"))
	for name, now := range map[string]string{
		"nothing":            old,
		"an edited scenario": "engine 1\na 1 02 z\nb 1 01 y\n",
		"a lost and a new":   "engine 1\nb 1 01 y\nc 1 03 z\n",
		"a new engine":       "engine 2\na 1 00 z\nb 1 01 y\n",
	} {
		assert.Empty(t, changedBehavior(old, now), name)
	}
}

// Texts and clauses do not change the digest of a scenario; everything else does.
func TestDigest(t *testing.T) {
	s, known := shipped.ByName("a-leader-dies")
	require.True(t, known)
	same, other := s, s
	same.Title, same.Summary, same.Expect = "other", "other", nil
	assert.Equal(t, digest(s), digest(same))
	other.Duration++
	assert.NotEqual(t, digest(s), digest(other))
}
