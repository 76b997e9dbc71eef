package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		text    string
		limit   int
		deepest int
		at      int
	}{
		{``, 0, 0, -1},
		{`7`, 0, 0, -1},
		{`{}`, 1, 1, -1},
		{`{}`, 0, 1, 0},
		{`{"a":[{}],"b":{}}`, 3, 3, -1},
		{`{"a":[{}],"b":{}}`, 2, 3, 6},
		{`"[[[["`, 0, 0, -1},
		{`["\"[[",["\\"],[]]`, 2, 2, -1},
		{`{"a":"` + `\`, 1, 1, -1},
		{`]]]][[`, 0, 0, -1},
		{strings.Repeat(`[`, 1_000_000), 400, 401, 400},
	} {
		deepest, at := Depth([]byte(c.text), c.limit)
		assert.Equal(t, c.deepest, deepest, "%.40s", c.text)
		assert.Equal(t, c.at, at, "%.40s", c.text)
	}
}
