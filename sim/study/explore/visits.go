package explore

import (
	"iter"
	"math/bits"

	"github.com/leaselab/leaselab/core/digest"
)

// visit is when a search has been in a state: it knows all that follows within the rest of the window and of the depth.
type visit struct {
	atNs  int64
	depth int32
}

// visits are the states that a search has been in: tables of open addressing with linear probing. A name is a hash already: its first
// half chooses the table, its second half the place. Each table grows by itself, a little at a time, so that 24 bytes of a state (28 in a
// search with a depth) take 33 (39) on average, and no growth needs the whole twice.
type visits struct {
	tables [1 << tableBits]table
	count  int
	depths bool // visits have depths
}

// tableBits is how many bits of a name choose its table: a table of a search of a million states stays in a core's cache.
const tableBits = 8

type table struct {
	entries []entry
	depths  []int32 // of the entries; nil: all are 0
	count   int
}

// entry is a state that is known, or a free place.
type entry struct {
	name digest.Name
	at   int64 // one more than the instant, 0: free
}

const fewEntries = 16

// at returns the place of a name, or the free place where it belongs.
func (t *table) at(name digest.Name) (k int, known bool) {
	if len(t.entries) == 0 {
		return 0, false
	}
	first, _ := bits.Mul64(name[1], uint64(len(t.entries)))
	k = int(first)
	for {
		e := &t.entries[k]
		if e.at == 0 || e.name == name {
			return k, e.at != 0
		}
		if k++; k == len(t.entries) {
			k = 0
		}
	}
}

func (t *table) get(k int) visit {
	v := visit{atNs: t.entries[k].at - 1}
	if t.depths != nil {
		v.depth = t.depths[k]
	}
	return v
}

func (t *table) put(k int, name digest.Name, v visit) {
	t.entries[k] = entry{name, v.atNs + 1}
	if t.depths != nil {
		t.depths[k] = v.depth
	}
}

// full reports whether there must be more places for one more state. An unsuccessful look takes 13 places at 4 of 5.
func (t *table) full() bool { return 5*(t.count+1) > 4*len(t.entries) }

// grow makes a quarter more places.
func (t *table) grow(depths bool) {
	before := *t
	size := max(fewEntries, len(before.entries)+len(before.entries)/4)
	t.entries = make([]entry, size)
	if depths {
		t.depths = make([]int32, size)
	}
	for i := range before.entries {
		if e := &before.entries[i]; e.at != 0 {
			k, _ := t.at(e.name)
			t.put(k, e.name, before.get(i))
		}
	}
}

func (v *visits) tableOf(name digest.Name) *table { return &v.tables[name[0]>>(64-tableBits)] }

// get returns the visit of a state.
func (v *visits) get(name digest.Name) (known visit, is bool) {
	t := v.tableOf(name)
	k, is := t.at(name)
	if is {
		known = t.get(k)
	}
	return known, is
}

// put notes a visit of a state.
func (v *visits) put(name digest.Name, now visit) {
	t := v.tableOf(name)
	k, known := t.at(name)
	v.set(t, k, known, name, now)
}

// set notes a visit at the place that at has returned.
func (v *visits) set(t *table, k int, known bool, name digest.Name, now visit) {
	if !known {
		if t.full() {
			t.grow(v.depths)
			k, _ = t.at(name)
		}
		t.count++
		v.count++
	}
	t.put(k, name, now)
}

// names are the states that are known, in no order that means anything.
func (v *visits) names() iter.Seq[digest.Name] {
	return func(yield func(digest.Name) bool) {
		for i := range v.tables {
			for k := range v.tables[i].entries {
				if e := &v.tables[i].entries[k]; e.at != 0 && !yield(e.name) {
					return
				}
			}
		}
	}
}
