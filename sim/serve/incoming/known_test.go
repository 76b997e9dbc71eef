package incoming

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
)

// What is remembered is what would have been converted, whatever came between; what is not JSON is never remembered.
func TestKnownValues(t *testing.T) {
	k := new(known)
	for round := range 4 {
		for n := range 3 * knownCount { // more than it holds
			for _, s := range []shape{text, rawSet, instant, microInstant} {
				data := fmt.Sprintf(`{"f:%d":{}}`, n)
				if s == instant || s == microInstant {
					data = string([]byte{0x08, byte(n % 100)}) // seconds
				}
				want, wantErr := converted(s, data)
				got, err := k.value(s, data)
				require.Equal(t, wantErr, err)
				require.Equal(t, want, got, "round %d", round)
			}
		}
		_, err := k.value(rawSet, "{")
		require.ErrorIs(t, err, errProtobuf)
	}
	for range 3 {
		value, err := k.value(rawSet, `{}`)
		require.NoError(t, err)
		assert.Equal(t, wire.Encoded(`{}`), value)
		value, err = k.value(text, `{}`)
		require.NoError(t, err)
		assert.Equal(t, `{}`, value, "of another shape")
	}
	before := testing.AllocsPerRun(100, func() { _, _ = k.value(text, "the-same-holder") })
	assert.Zero(t, before, "a value that comes again needs no memory")
}
