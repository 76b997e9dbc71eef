package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A pile returns what was added, even after an earlier call, and a returned slice never changes.
func TestPile(t *testing.T) {
	var p pile[int]
	assert.Nil(t, p.all())
	var want []int
	for n := range 3 * partMost {
		p.add(n)
		want = append(want, n)
		if n == 100 || n == partMost {
			before := p.all()
			p.add(-1)
			assert.Equal(t, want, before)
			want = append(want, -1)
		}
	}
	assert.Equal(t, len(want), p.len())
	assert.Equal(t, want, p.all())
}
