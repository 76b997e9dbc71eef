package storage_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/storage"
)

// The keyspace equals one that keeps every past state.
// With large values it keeps fewer events and refuses older revisions, but it always keeps the newest write.
func TestKeyspaceIsBoundedInBytes(t *testing.T) {
	k := storage.NewKeyspace[int](10, 1000)
	k.Bound(100, func(value int) int64 { return int64(value) })
	for i := range 9 {
		k.Put(string(rune('a'+i)), 10)
	}
	assert.Equal(t, int64(10), k.Oldest(), "90 fit")
	k.Put("x", 20)
	assert.Equal(t, int64(16), k.Oldest(), "110 bytes do not fit: down to 50")
	assert.Len(t, k.After(16, 100), 4)
	k.Put("x", 1000)
	assert.Len(t, k.After(k.Oldest(), 100), 1, "the newest event stays, whatever its size")
	assert.Equal(t, int64(21), k.Revision())
	k.Delete("x")
	k.Put("y", 1)
	assert.Len(t, k.After(k.Oldest(), 100), 2)
}

func TestKeyspaceRemembers(t *testing.T) {
	const first, kept = 100, 16
	k := storage.NewKeyspace[int](first, kept)
	states := map[int64]map[string]int{first: {}}
	seed := uint64(1)
	draw := func(n uint64) uint64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return seed >> 33 % n
	}
	for i := range 2000 {
		key := fmt.Sprintf("/%c/%d", 'a'+rune(draw(3)), draw(6))
		next := map[string]int{}
		for name, value := range states[k.Revision()] {
			next[name] = value
		}
		if _, has := next[key]; has && draw(3) == 0 {
			delete(next, key)
			k.Delete(key)
		} else {
			next[key] = i
			k.Put(key, i)
		}
		states[k.Revision()] = next

		prefix := fmt.Sprintf("/%c/", 'a'+rune(draw(3)))
		revision := k.Oldest() + int64(draw(uint64(k.Revision()-k.Oldest()+1)))
		want := keysUnder(states[revision], prefix)
		then := k.View(revision)
		require.Equal(t, want, listKeys(then.Range, prefix, ""), "at %d", revision)
		require.Equal(t, len(want), then.Count(prefix, ""))
		if !k.Changed(prefix, revision) {
			require.Equal(t, want, keysUnder(next, prefix))
		}
		from := prefix + fmt.Sprint(draw(7))
		require.Equal(t, len(listKeys(k.Range, prefix, from)), k.Count(prefix, from))
		assert.LessOrEqual(t, len(k.After(k.Oldest(), 1<<30)), 2*kept)
		assert.GreaterOrEqual(t, k.Revision()-k.Oldest(), min(int64(i+1), kept))
	}
}

// A view shows the state at its revision, whatever happens to the keyspace later, also with many keys.
func TestViewsNeverChange(t *testing.T) {
	k, live, random := storage.NewKeyspace[int](0, 100), map[string]int{}, uint64(1)
	draw := func(n uint64) uint64 {
		random = random*6364136223846793005 + 1442695040888963407
		return (random >> 33) % n
	}
	type kept struct {
		view storage.View[int]
		want []string
	}
	var views []kept
	for i := range 6000 {
		key := fmt.Sprintf("/%c/%04d", 'a'+rune(draw(2)), draw(2000))
		if _, has := live[key]; has && (draw(3) == 0 || i > 4000) {
			k.Delete(key)
			delete(live, key)
		} else {
			k.Put(key, i)
			live[key] = i
		}
		if i%7 == 0 { // what a caller undoes has never happened
			before, was := k.Revision(), keysUnder(live, "")
			for range 3 {
				k.Put(fmt.Sprintf("/a/%04d", draw(2000)), -1)
				k.Delete(fmt.Sprintf("/b/%04d", draw(2000)))
			}
			require.True(t, k.Undo(before))
			require.Equal(t, before, k.Revision())
			if i%700 == 0 {
				require.Equal(t, was, listKeys(k.Range, "", ""))
			}
		}
		if i%100 == 99 {
			views = append(views, kept{k.View(k.Revision()), keysUnder(live, "/b/")})
		}
	}
	require.Len(t, live, k.Len())
	require.False(t, k.Undo(k.Oldest()-1))
	for i := range views {
		require.Equal(t, views[i].want, listKeys(views[i].view.Range, "/b/", ""))
		for _, one := range views[i].want {
			key, _, _ := strings.Cut(one, "=")
			e, has := views[i].view.Get(key)
			require.True(t, has)
			require.Equal(t, one, fmt.Sprint(e.Key, "=", e.Value))
		}
	}
}

// Fits counts all live values, however they entered the keyspace.
func TestKeyspaceFits(t *testing.T) {
	k := storage.NewKeyspace[int](10, 4)
	k.Bound(1<<40, func(value int) int64 { return int64(value) })
	live, random := map[string]int{}, uint64(1)
	draw := func(n uint64) uint64 {
		random = random*6364136223846793005 + 1442695040888963407
		return (random >> 33) % n
	}
	for range 2000 {
		key, value := fmt.Sprint(draw(9)), int(draw(50))
		switch draw(4) {
		case 0:
			k.Delete(key)
			delete(live, key)
		case 1:
			k.Place(key, k.Revision()+1, value)
			live[key] = value
		default:
			k.Put(key, value)
			live[key] = value
		}
		held := 0
		for _, value := range live {
			held += value
		}
		require.True(t, k.Fits("new", 7, int64(held+7)))
		require.False(t, k.Fits("new", 7, int64(held+6)))
		require.True(t, k.Fits(key, live[key], 0), "a value that does not grow always fits")
	}
}

func keysUnder(state map[string]int, prefix string) []string {
	var all []string
	for key, value := range state {
		if strings.HasPrefix(key, prefix) {
			all = append(all, fmt.Sprint(key, "=", value))
		}
	}
	sort.Strings(all)
	return all
}

func listKeys(each func(prefix, from string, yield func(storage.Entry[int]) bool), prefix, from string) []string {
	var all []string
	each(prefix, from, func(e storage.Entry[int]) bool {
		all = append(all, fmt.Sprint(e.Key, "=", e.Value))
		return true
	})
	return all
}
