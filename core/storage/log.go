package storage

import "slices"

// chunkSize is the number of versions in a chunk: reading one version unpacks a whole chunk.
const chunkSize = 64

// Log is an append-only list of versions. It packs all but the newest into chunks, because a run of 90 days has four
// million versions. Clones share the chunks: a packed version never changes, and a clone copies the newest chunk
// before it appends, unless it started that chunk itself. Packing a chunk frees its memory for the next one, unless
// a clone may still read it.
type Log struct {
	sealed []*chunk  // full chunks, packed
	open   []Version // the newest versions, unpacked
	shared bool      // whether a clone may still read the memory of open
	first  int       // ordinal of the oldest version that the log keeps
	length int       // ordinal after the newest version
	packed int64     // total bytes of all chunks ever sealed
	read   reading   // the latest chunk that a read unpacked

	starts  []int // ordinals at which a rollback lowered the resourceVersion
	settled int   // ordinal after the versions that the last rollback restored
}

// reading is an unpacked chunk. It never changes, so clones share it.
type reading struct {
	of       *chunk
	versions []Version
}

// Append adds a version and returns it. The caller must set every field, because the memory may hold an older
// version.
func (l *Log) Append() *Version {
	switch {
	case len(l.open) == chunkSize:
		sealed := pack(l.open)
		l.packed += sealed.size()
		l.sealed = append(l.sealed, sealed)
		l.reopen()
	case len(l.open) == cap(l.open):
		l.open, l.shared = append(make([]Version, 0, chunkSize), l.open...), false
	}
	l.open = l.open[:len(l.open)+1]
	l.length++
	return &l.open[len(l.open)-1]
}

// reopen begins an empty chunk, in the memory of the last one if no clone reads it.
func (l *Log) reopen() {
	if l.shared {
		l.open, l.shared = make([]Version, 0, chunkSize), false
	}
	l.open = l.open[:0]
}

func (l *Log) base() int { return l.first / chunkSize * chunkSize }

// Len returns the number of versions ever stored; ordinals run from First to Len-1.
func (l *Log) Len() int { return l.length }

// First returns the ordinal of the oldest version that Compact has kept.
func (l *Log) First() int { return l.first }

// At returns the version with an ordinal, First() <= i < Len(). It is valid until the next Append.
func (l *Log) At(i int) *Version {
	i -= l.base()
	k := i / chunkSize
	if k == len(l.sealed) {
		return &l.open[i%chunkSize]
	}
	if c := l.sealed[k]; l.read.of != c {
		l.read = reading{of: c, versions: c.unpack()}
	}
	return &l.read.versions[i%chunkSize]
}

// Clone returns a log that shares all versions. Only the original may append to the newest chunk in place. Several
// goroutines may clone a clone that has never been appended to, because that only reads it.
func (l *Log) Clone() Log {
	if !l.shared {
		l.shared = true
	}
	c := *l
	c.sealed, c.open = slices.Clip(l.sealed), slices.Clip(l.open)
	return c
}

// Compact drops whole chunks of old versions. The argument is how many of the newest versions must stay.
func (l *Log) Compact(keep int) {
	oldest := l.length - keep
	if oldest <= l.first {
		return
	}
	drop := oldest/chunkSize - l.first/chunkSize
	if drop > len(l.sealed) {
		l.open, drop = nil, len(l.sealed)
	}
	l.sealed = append([]*chunk(nil), l.sealed[drop:]...)
	l.first = max(l.first, oldest/chunkSize*chunkSize)
}

// PackedBytes returns the bytes of all chunks ever sealed, including compacted ones.
func (l *Log) PackedBytes() int64 { return l.packed }

// Bytes returns the approximate memory of the log. Clones share its chunks.
func (l *Log) Bytes() int64 {
	per := int64(chunkBytes)
	if n := l.length / chunkSize; n > 0 {
		per = l.packed / int64(n)
	}
	return int64(len(l.sealed))*per + OpenBytes
}

// IndexAt returns the ordinal of the newest version stored at or before an instant, or -1.
func (l *Log) IndexAt(atNs int64) int {
	after := l.search(l.first, l.length, func(at, _ int64) bool { return at > atNs })
	if after == l.first {
		return -1
	}
	return after - 1
}

// OrdinalOf returns the ordinal of the newest version with a given resourceVersion, or -1.
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

// ordinalOf searches a range in which resourceVersions only grow.
func (l *Log) ordinalOf(resourceVersion int64, from, to int) int {
	i := l.search(from, to, func(_, rv int64) bool { return rv >= resourceVersion })
	if i == to || l.At(i).Object.ResourceVersion != resourceVersion {
		return -1
	}
	return i
}

// search returns the first ordinal in [from, to) for which the function beyond returns true. If there is none, it
// returns the argument "to". It reads the heads of packed chunks and unpacks only one.
func (l *Log) search(from, to int, beyond func(atNs, resourceVersion int64) bool) int {
	at := func(i int) bool {
		if k := (i - l.base()) / chunkSize; i%chunkSize == 0 && k < len(l.sealed) {
			return beyond(l.sealed[k].atNs, l.sealed[k].resourceVersion)
		}
		v := l.At(i)
		return beyond(v.AtNs, v.Object.ResourceVersion)
	}
	low, high := from, to
	for low < high {
		mid := (low + high) / 2
		if head := mid / chunkSize * chunkSize; head > low {
			mid = head
		} else if head += chunkSize; head < high {
			mid = head
		}
		if at(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
