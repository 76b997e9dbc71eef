package world

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// What every request of a follower reads of its node is three whole lines of the cache, and the nodes lie on lines.
func TestHotFields(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the offsets are those of amd64")
	}
	const line, lines = 64, 3
	var n node
	begin := unsafe.Offsetof(n.process) + unsafe.Offsetof(n.process.EndSource)
	assert.Zero(t, begin%line, "the first hot field begins a line")
	assert.LessOrEqual(t, unsafe.Offsetof(n.machine)+128, begin+lines*line,
		"the hot fields of the elector end with the third")
	assert.Zero(t, unsafe.Sizeof(n)%line, "the next node begins a line")
}
