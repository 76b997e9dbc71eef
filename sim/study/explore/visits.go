package explore

import (
	"slices"

	"github.com/leaselab/leaselab/core/digest"
)

// visit is when a search has been in a state: it knows all that follows within the rest of the window and of the depth.
type visit struct {
	atNs  int64
	depth int32
}

// visits are the states that a search has been in: tables of one size, found by the first bits of a name, which is a
// hash already. A table that is nearly full splits in two by one bit more. So 24 bytes of a state (28 in a search with
// a depth) take 40 (47) on average, and no growth leaves memory that is of no use.
type visits struct {
	tables []*table // by the first bits of a name
	bits   int      // how many
	count  int
	depths bool    // visits have depths
	room   []entry // of a table that splits
}

// table has linear probing from the place that the second half of a name chooses.
type table struct {
	entries []entry
	depths  []int32 // of the entries; nil: all are 0
	count   int
	bits    int // that the names in it have in common
}

// entry is a state that is known, or a free place.
type entry struct {
	name digest.Name
	at   int64 // one more than the instant, 0: free
}

const (
	places = 1 << 12 // of a table: 96 KiB, which a core's cache has room for
	// tables as there would be with names of chance; beyond it, which only a forged file has, a table grows instead
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

// at returns the place of a name, or the free place where it belongs.
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

// full reports whether there must be more places for one more state. An unsuccessful look takes 13 places at 4 of 5.
func (t *table) full() bool { return 5*(t.count+1) > 4*len(t.entries) }

// split makes two tables of one, or a larger one if very many names begin alike.
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

// divide gives the second half of the names of a table to a new one.
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

// get returns the visit of a state.
func (v *visits) get(name digest.Name) (known visit, is bool) {
	p := v.placeOf(name)
	if p.known {
		known = p.table.get(p.k)
	}
	return known, p.known
}

// place is where a name is, or belongs.
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

// set notes a visit at the place of its name.
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
