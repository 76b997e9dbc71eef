package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
)

// A value has the number of the line on which it begins. A line feed inside a string reads
// and ends no line.
func TestLines(t *testing.T) {
	n, err := wire.Parse([]byte("\n{\"a\":\n 1, \"b\": [\"x\\ny\",\r\n true,\n\n{}], \"c\": null}\n"))
	require.NoError(t, err)
	assert.EqualValues(t, 2, n.Line)
	assert.EqualValues(t, 3, n.Member("a").Line)
	b := n.Member("b")
	assert.EqualValues(t, 3, b.Line)
	for i, line := range []int32{3, 4, 6} {
		assert.Equal(t, line, b.Items[i].Line, i)
	}
	assert.EqualValues(t, 6, n.Member("c").Line)
}
