package storage

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fill appends n versions. The revision is ordinal + 1, and every three versions share an instant.
func fill(l *Log, n int) {
	for range n {
		i := l.Len()
		*l.Append() = Version{AtNs: int64(i / 3 * 10), Object: Object{ResourceVersion: int64(i + 1)}}
	}
}

// Look-ups by instant and by revision equal a linear search, before and after Compact and across chunks.
func TestLookUps(t *testing.T) {
	for _, n := range []int{0, 1, 2, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7} {
		for _, keep := range []int{n, n - 1, chunkSize, 1, 0} {
			var l Log
			fill(&l, n)
			l.Compact(keep)
			require.Equal(t, n, l.Len())
			require.LessOrEqual(t, l.First(), max(n-keep, 0), "the newest entries are kept")
			require.Greater(t, l.First(), n-keep-chunkSize, "and less than a chunk beyond them")
			for at := int64(-5); at <= int64(n)*4; at++ {
				want := -1
				for i := l.First(); i < l.Len(); i++ {
					if l.At(i).AtNs <= at {
						want = i
					}
				}
				require.Equal(t, want, l.IndexAt(at), "n %d keep %d at %d", n, keep, at)
			}
			for rv := int64(0); rv <= int64(n)+2; rv++ {
				want := -1
				if i := int(rv) - 1; i >= l.First() && i < l.Len() {
					want = i
				}
				require.Equal(t, want, l.OrdinalOf(rv), "n %d keep %d rv %d", n, keep, rv)
			}
		}
	}
}

// Deletions and other Leases leave gaps in the revisions: a look-up of a missing revision finds nothing.
func TestOrdinalOfAHole(t *testing.T) {
	var l Log
	for _, rv := range []int64{2, 5, 9} {
		*l.Append() = Version{Object: Object{ResourceVersion: rv}}
	}
	assert.Equal(t, []int{-1, 0, -1, 1, -1, 2, -1}, []int{l.OrdinalOf(1), l.OrdinalOf(2), l.OrdinalOf(3), l.OrdinalOf(5), l.OrdinalOf(8), l.OrdinalOf(9), l.OrdinalOf(10)})
}

// A log without clones packs its chunks in one room. A log with a clone leaves the clone what it reads.
func TestRoomIsUsedAgain(t *testing.T) {
	var l Log
	fill(&l, chunkSize/2)
	room := &l.open[0]
	fill(&l, chunkSize)
	assert.Same(t, room, &l.open[0])
	c := l.Clone()
	fill(&l, chunkSize)
	assert.NotSame(t, room, &l.open[0], "the clone reads it")
	for i := range c.Len() {
		assert.Equal(t, int64(i+1), c.At(i).Object.ResourceVersion)
	}
	room = &l.open[0]
	fill(&l, chunkSize)
	assert.Same(t, room, &l.open[0], "no clone knows the new one")
	fill(&c, chunkSize)
	for i := range l.Len() {
		assert.Equal(t, int64(i+1), l.At(i).Object.ResourceVersion)
	}
}

// Clones that append and compact at random equal plain slices: none sees another's versions, although they share
// chunks.
func TestClonesAgainstSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	type pair struct {
		log  Log
		copy []int64
	}
	family := []*pair{{}}
	next := int64(0)
	for range 2000 {
		p := family[r.IntN(len(family))]
		switch r.IntN(6) {
		case 0:
			if len(family) < 12 {
				family = append(family, &pair{log: p.log.Clone(), copy: append([]int64(nil), p.copy...)})
			}
		case 1:
			p.log.Compact(r.IntN(3 * chunkSize))
		default:
			for range r.IntN(40) {
				next++
				*p.log.Append() = Version{AtNs: next}
				p.copy = append(p.copy, next)
			}
		}
		for _, q := range family {
			require.Equal(t, len(q.copy), q.log.Len())
			for i := q.log.First(); i < q.log.Len(); i++ {
				if q.log.At(i).AtNs != q.copy[i] {
					require.Equal(t, q.copy[i], q.log.At(i).AtNs)
				}
			}
		}
	}
	require.Greater(t, family[0].log.Len(), chunkSize)
}
