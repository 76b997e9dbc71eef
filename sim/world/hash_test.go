package world_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/hashes.txt anew")

const hashFile = "testdata/hashes.txt"

// hashTable runs every shipped scenario with its own seed and with seeds 1 and 2.
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
			fmt.Fprintln(&b, s.Name, seed, w.Hash())
		}
	}
	return b.String()
}

// The same run has the same hash on every platform: this test runs natively, as 386, with GOAMD64=v3 and under wasm, and
// compares with one table. A hash that changes is a change of behaviour: raise world.Engine in the same commit, then write
// the table anew with -update.
func TestHashes(t *testing.T) {
	head := fmt.Sprintf("engine %d\n", world.Engine)
	table := hashTable()
	old, err := os.ReadFile(hashFile)
	if *update {
		if err == nil && bytes.HasPrefix(old, []byte(head)) {
			require.True(t, stillTrue(string(old), table), "a hash has changed, yet the engine is still number %d: raise world.Engine first", world.Engine)
		}
		require.NoError(t, os.WriteFile(hashFile, []byte(head+table), 0o644))
		return
	}
	require.NoError(t, err)
	assert.Equal(t, head+table, string(old))
}

// stillTrue reports whether every line of a table that both have is the same; lines may come and go.
func stillTrue(old, now string) bool {
	hashes := map[string]string{}
	for _, line := range strings.Split(now, "\n") {
		if f := strings.Fields(line); len(f) == 3 {
			hashes[f[0]+" "+f[1]] = f[2]
		}
	}
	for _, line := range strings.Split(old, "\n") {
		f := strings.Fields(line)
		if len(f) == 3 && hashes[f[0]+" "+f[1]] != "" && hashes[f[0]+" "+f[1]] != f[2] {
			return false
		}
	}
	return true
}

// The guard above opens its eyes: a changed hash is seen, a new or a lost scenario is none.
func TestStillTrue(t *testing.T) {
	assert.True(t, stillTrue("engine 1\na 1 x\nb 1 y\n", "a 1 x\nc 1 z\n"))
	assert.False(t, stillTrue("engine 1\na 1 x\n", "a 1 y\n"))
}
