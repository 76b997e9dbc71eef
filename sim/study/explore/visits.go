package explore

import (
	"slices"

	"github.com/leaselab/leaselab/core/digest"
)

// visit contains the instant at which a search was in a state. The search has tried, or will try, everything that
// follows from there within the rest of the window and the depth.
type visit struct {
	atNs  int64
	depth int32
}

// visits is the set of states that a search has been in. All its tables have the same size. A name is already a hash,
// and the first bits of a name select the table. A nearly full table splits in two by one more bit. So growing wastes
// no memory: a state of 24 bytes (28 with a depth bound) takes 40 bytes (47) on average.
type visits struct {
	tables []*table // indexed by the first bits of a name
	bits   int      // number of first bits that select a table
	count  int
	depths bool    // whether visits have depths
	room   []entry // buffer for a table that splits
}

// `table` uses linear probing. The second half of a name determines the first slot to check.
type table struct {
	entries []entry
	depths  []int32 // depths of the entries; nil if all are 0
	count   int
	bits    int // number of leading bits that all names in the table share
}

// entry is a known state, or a free slot.
type entry struct {
	name digest.Name
	at   int64 // the instant plus one; 0 for a free slot
}

const (
	places = 1 << 12 // per table: 96 KiB, which fits a core's cache
	// limit on the number of tables, as a multiple of the number for random names; only a forged file needs more, and
	// then tables grow instead
	mostUneven = 64
)

func newTable(size, bits int, depths bool) *table {
	t := &table{entries: make([]entry, size), bits: bits}
	if depths {
		t.depths = make([]int32, size)
	}
	return t
}

func newVisits(depths bool) visits {
	return visits{tables: []*table{newTable(places, 0, depths)}, depths: depths}
}

// tableOf returns the table of a name.
func (v *visits) tableOf(name digest.Name) *table { return v.tables[name[0]>>(64-v.bits)] }

// `at` returns the slot of a name, or the free slot where that name belongs.
func (t *table) at(name digest.Name) (k int, known bool) {
	last := len(t.entries) - 1
	for k = int(name[1]>>32) & last; ; k = (k + 1) & last {
		e := &t.entries[k]
		if e.at == 0 || e.name == name {
			return k, e.at != 0
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

// `full` reports whether one more state needs a larger table. If four fifths of a table are in use, an unsuccessful
// look-up probes 13 places.
func (t *table) full() bool { return 5*(t.count+1) > 4*len(t.entries) }

// `split` splits a table in two. If very many names have the same first bits, it makes the table larger instead.
func (v *visits) split(t *table) {
	before := *t
	v.room = append(v.room[:0], t.entries...)
	depths := append([]int32(nil), t.depths...)
	if 1<<t.bits > mostUneven*(1+v.count/places) {
		*t = *newTable(2*len(before.entries), t.bits, v.depths)
	} else {
		clear(t.entries)
		v.divide(t)
	}
	t.count = 0
	for i := range v.room {
		if e := &v.room[i]; e.at != 0 {
			to := v.tableOf(e.name)
			k, _ := to.at(e.name)
			to.entries[k] = *e
			if v.depths {
				to.depths[k] = depths[i]
			}
			to.count++
		}
	}
}

// `divide` moves the second half of a table's names to a new table. If the table already uses all bits of the index,
// the index doubles first, and then every other table appears in the index twice.
func (v *visits) divide(t *table) {
	if t.bits == v.bits {
		wider := make([]*table, 2*len(v.tables))
		for i := range wider {
			wider[i] = v.tables[i/2]
		}
		v.tables, v.bits = wider, v.bits+1
	}
	t.bits++
	other := newTable(len(t.entries), t.bits, v.depths)
	first := slices.Index(v.tables, t)
	half := 1 << (v.bits - t.bits)
	for i := range half {
		v.tables[first+half+i] = other
	}
}

// `get` returns the visit of a state.
func (v *visits) get(name digest.Name) (known visit, is bool) {
	p := v.placeOf(name)
	if p.known {
		known = p.table.get(p.k)
	}
	return known, p.known
}

// place is the slot that contains a name, or the free slot where the name belongs.
type place struct {
	*table
	k     int
	known bool
}

func (v *visits) placeOf(name digest.Name) place {
	p := place{table: v.tableOf(name)}
	p.k, p.known = p.at(name)
	return p
}

// `set` stores a visit in the slot of the state's name.
func (v *visits) set(p place, name digest.Name, now visit) {
	if !p.known {
		for p.full() {
			v.split(p.table)
			p = v.placeOf(name)
		}
		p.count++
		v.count++
	}
	p.put(p.k, name, now)
}
