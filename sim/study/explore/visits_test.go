package explore

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/digest"
)

// putVisit notes a visit of a state.
func (v *visits) putVisit(name digest.Name, now visit) {
	v.set(v.placeOf(name), name, now)
}

// names returns the known states, in order.
func (v *visits) names() iter.Seq[digest.Name] {
	return func(yield func(digest.Name) bool) {
		var all []digest.Name
		for i, t := range v.tables { // which are in the order of the bits that their names begin with
			if i > 0 && t == v.tables[i-1] {
				continue
			}
			all = all[:0]
			for k := range t.entries {
				if e := &t.entries[k]; e.at != 0 {
					all = append(all, e.name)
				}
			}
			slices.SortFunc(all, func(a, b digest.Name) int { return slices.Compare(a[:], b[:]) })
			for _, name := range all {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// allVisits is the states as a map.
func allVisits(v *visits) map[digest.Name]visit {
	all := map[digest.Name]visit{}
	for name := range v.names() {
		all[name], _ = v.get(name)
	}
	return all
}

// The tables know what a map knows, with many names at one place and with names of zeros, with depths and without.
func TestVisitsAgainstAMap(t *testing.T) {
	for _, depths := range []bool{false, true} {
		draw := rand.New(rand.NewPCG(1, 2))
		all, v := map[digest.Name]visit{}, newVisits(depths)
		for range 300_000 {
			name := digest.Name{draw.Uint64(), draw.Uint64()}
			switch draw.IntN(8) {
			case 0:
				name = digest.Name{draw.Uint64N(4), draw.Uint64N(4)}
			case 1:
				name[0] = 1<<63 | name[0]&0xff // one table
			case 2:
				name = digest.Name{0, 1<<64 - 1 - draw.Uint64N(1000)} // the last place, and on from the first
			}
			now := visit{atNs: draw.Int64N(1000)}
			if depths {
				now.depth = draw.Int32N(1000)
			}
			before, is := all[name]
			got, has := v.get(name)
			if !assert.Equal(t, is, has) || !assert.Equal(t, before, got) {
				return
			}
			all[name] = now
			v.putVisit(name, now)
		}
		assert.Equal(t, len(all), v.count)
		assert.Equal(t, all, allVisits(&v))
		assert.True(t, slices.IsSortedFunc(slices.Collect(v.names()), func(a, b digest.Name) int { return slices.Compare(a[:], b[:]) }))
		got := 0
		for i, one := range v.tables {
			if i == 0 || one != v.tables[i-1] {
				got += len(one.entries)
			}
		}
		assert.Less(t, got, len(all)*3, "there are few places that are free")
	}
}
