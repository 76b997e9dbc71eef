package storage

import "slices"

const chunkSize = 128

// Log is an append-only list of versions in chunks. Clones share them all: a version does not change once it is filled
// in, and whoever did not begin a chunk copies it before it adds to it.
type Log struct {
	chunks [][]Version
	first  int // ordinal of the oldest version kept
	length int // ordinal after the newest

	starts  []int // ordinals at which resourceVersions went back
	settled int   // ordinal after what the last of them restored
}

// Append adds a version, the newest, for the caller to fill in.
func (l *Log) Append() *Version {
	if (l.length-l.base())%chunkSize == 0 {
		l.chunks = append(l.chunks, make([]Version, 0, chunkSize))
	}
	last := &l.chunks[len(l.chunks)-1]
	if len(*last) == cap(*last) {
		*last = append(make([]Version, 0, chunkSize), *last...)
	}
	*last = (*last)[:len(*last)+1]
	l.length++
	return &(*last)[len(*last)-1]
}

func (l *Log) base() int { return l.first / chunkSize * chunkSize }

// Len is the number of versions ever stored; ordinals run from First to Len-1.
func (l *Log) Len() int { return l.length }

// First is the ordinal of the oldest version that compaction has left.
func (l *Log) First() int { return l.first }

// At returns a version by ordinal, First() <= i < Len().
func (l *Log) At(i int) *Version {
	i -= l.base()
	return &l.chunks[i/chunkSize][i%chunkSize]
}

// Clone copies the list of chunks. Only the original goes on in the last one.
func (l *Log) Clone() Log {
	c := *l
	c.chunks = append([][]Version(nil), l.chunks...)
	if n := len(c.chunks); n > 0 {
		c.chunks[n-1] = slices.Clip(c.chunks[n-1])
	}
	return c
}

// Compact forgets all but the newest keep versions, in whole chunks.
func (l *Log) Compact(keep int) {
	oldest := l.length - keep
	if oldest <= l.first {
		return
	}
	drop := oldest/chunkSize - l.first/chunkSize
	l.chunks = append([][]Version(nil), l.chunks[drop:]...)
	l.first = max(l.first, oldest/chunkSize*chunkSize)
}

// IndexAt returns the ordinal of the newest version stored at or before an instant, -1 if there is none.
func (l *Log) IndexAt(atNs int64) int {
	low, high := l.first, l.length
	for low < high {
		mid := (low + high) / 2
		if l.At(mid).AtNs <= atNs {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == l.first {
		return -1
	}
	return low - 1
}

// OrdinalOf is the ordinal of the newest version with a resourceVersion, -1 if there is none.
func (l *Log) OrdinalOf(resourceVersion int64) int {
	end := l.length
	for k := len(l.starts) - 1; k >= 0 && l.starts[k] >= l.first; k-- {
		if i := l.ordinalOf(resourceVersion, l.starts[k], end); i >= 0 {
			return i
		}
		end = l.starts[k]
	}
	return l.ordinalOf(resourceVersion, l.first, end)
}

// ordinalOf looks where resourceVersions only grow.
func (l *Log) ordinalOf(resourceVersion int64, from, to int) int {
	low, high := from, to
	for low < high {
		mid := (low + high) / 2
		if l.At(mid).Object.ResourceVersion < resourceVersion {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == to || l.At(low).Object.ResourceVersion != resourceVersion {
		return -1
	}
	return low
}
