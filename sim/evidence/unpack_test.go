package evidence_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/evidence"
)

// The unpacker reads all members of a file, whatever the chunks. Before damage, it returns what it can.
func TestUnpacker(t *testing.T) {
	var packed bytes.Buffer
	members := []string{"one\n", strings.Repeat("two\n", 1_500_000), "", "three\n"}
	for _, text := range members {
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	unpack := func(data []byte, size int) string {
		u := evidence.NewUnpacker("log", "log")
		defer u.Close()
		var out strings.Builder
		for {
			n := min(size, len(data))
			for part := u.Next(data[:n]); len(part) > 0; part = u.More() {
				require.Less(t, len(part), 2<<20, "a bomb comes in parts")
				out.Write(part)
			}
			if n == 0 {
				return out.String()
			}
			data = data[n:]
		}
	}
	whole := packed.Bytes()
	for _, size := range []int{1, 7, 28, 1 << 20} {
		assert.Equal(t, strings.Join(members, ""), unpack(whole, size), size)
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-6] ^= 1
	assert.True(t, strings.HasPrefix(unpack(damaged, 1000), "one\ntwo\n"), "what came before is read")
}
