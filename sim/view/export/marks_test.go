package export

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Marks that are too narrow to stand apart become one, and it shows the gravest of them.
func TestANarrowOverlapKeepsItsColorBesideAGap(t *testing.T) {
	p := &picture{scale: scale{toNs: 1000e9, w: 1000 * px}, liveNs: 1000e9}
	gap, two := mark{class: "nobody"}, mark{class: "two", text: "bad", grave: true}
	for _, order := range [][]mark{{gap, two}, {two, gap}} {
		var all []mark
		for i, m := range order {
			from := int64(500e9) + int64(i)*100e6
			all = p.add(all, from, from+100e6, m)
		}
		assert.Len(t, all, 1)
		assert.Equal(t, "two", all[0].class)
		assert.Equal(t, []string{"×2"}, all[0].words)
	}
}
