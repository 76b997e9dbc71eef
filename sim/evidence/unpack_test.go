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

// The unpacker reads all members of a file, whatever the chunks. Damage and a missing end are errors.
func TestUnpacker(t *testing.T) {
	var packed bytes.Buffer
	members := []string{"one\n", strings.Repeat("two\n", 1_500_000), "", "three\n"}
	for _, text := range members {
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	unpack := func(data []byte, size int) (string, error) {
		u := evidence.NewUnpacker()
		defer u.Close()
		var out strings.Builder
		for {
			n := min(size, len(data))
			part, err := u.Next(data[:n])
			for ; len(part) > 0; part, err = u.More() {
				require.Less(t, len(part), 2<<20, "a bomb comes in parts")
				out.Write(part)
			}
			if err != nil || n == 0 {
				return out.String(), err
			}
			data = data[n:]
		}
	}
	whole := packed.Bytes()
	for _, size := range []int{1, 7, 28, 1 << 20} {
		text, err := unpack(whole, size)
		require.NoError(t, err)
		assert.Equal(t, strings.Join(members, ""), text, size)
	}
	_, err := unpack(whole[:len(whole)-4], 1000)
	require.ErrorIs(t, err, evidence.ErrPacked)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-6] ^= 1
	text, err := unpack(damaged, 1000)
	require.ErrorIs(t, err, evidence.ErrPacked)
	assert.True(t, strings.HasPrefix(text, "one\ntwo\n"), "what came before is read")
}
