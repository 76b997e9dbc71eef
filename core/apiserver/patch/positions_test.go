package patch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
)

// Upstream's own loops, over short lists of few values.

func distinctByLoops(list []any) []any {
	last := len(list) - 1
	for i := 0; i < last; i++ {
		for j := i + 1; j <= last; j++ {
			if list[i] == list[j] {
				list[j] = list[last]
				list = list[:last]
				last--
				j--
			}
		}
	}
	return list
}

func deletedByLoops(list, keys []any, mergeKey string) []any {
	for _, key := range keys {
		for at := 0; at < len(list); {
			if have, has := list[at].(wire.Map)[mergeKey]; has && wire.Equal(have, key) {
				list = append(list[:at], list[at+1:]...)
				at = 0
				continue
			}
			at++
		}
	}
	return list
}

func TestDistinctIsUpstreamsLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		list := make([]any, random.IntN(12))
		for i := range list {
			list[i] = []any{"a", "b", "c", "d", int64(1), 1.0, true}[random.IntN(1+random.IntN(7))]
		}
		want := distinctByLoops(slices.Clone(list))
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(distinct(slices.Clone(list))), "%v", list)
	}
}

func TestDeletedIsUpstreamsLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	how := merging{mergeKey: "uid"}
	for range 20_000 {
		list := make([]any, random.IntN(8))
		for i := range list {
			list[i] = wire.Map{"n": int64(i)}
			if key := random.IntN(5); key > 0 {
				list[i].(wire.Map)["uid"] = int64(key)
			}
		}
		keys := make([]any, random.IntN(4))
		for i := range keys {
			keys[i] = int64(random.IntN(5))
		}
		left, right := slices.Clone(list), slices.Clone(list)
		require.Equal(t, deletedByLoops(left, keys, "uid"), how.deleteKeys(right, keys), "%v %v", list, keys)
		require.Equal(t, left, right, "the full slice after the deletion: %v %v", list, keys)
	}
}

func TestIdentityIsEquality(t *testing.T) {
	values := []any{nil, true, false, int64(1), 1.0, "1", "", wire.Map{}, []any{}, wire.Map{"a": int64(1)}, wire.Map{"a": 1.0}, wire.Map{"a": nil},
		[]any{"a", "b"}, []any{"a b"}, []any{[]any{"a"}, "b"}, `{0`, `[0`, wire.Map{"a": wire.Map{"b": "c"}}, wire.Map{"a": "b", "b": "c"}, []any{0.0}, []any{int64(0)}, []any{nil}, []any{"nil"}}
	for _, a := range values {
		for _, b := range values {
			require.Equal(t, wire.Equal(a, b), wire.Identity(a) == wire.Identity(b), "%#v and %#v", a, b)
		}
	}
}
