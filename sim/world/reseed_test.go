package world_test

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	drawn "github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// streams finds every Stream that a world holds, by its path.
func streams(v reflect.Value, path string, found map[string]uint64) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[drawn.Stream]() {
			found[path] = v.Field(0).Uint()
			return
		}
		for i := range v.NumField() {
			streams(v.Field(i), path+"."+v.Type().Field(i).Name, found)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			streams(v.Index(i), path+"["+strconv.Itoa(i)+"]", found)
			if n := len(found); n > 0 && i > 200 {
				return
			}
		}
	}
}

// Reseed renews every stream in a world. Every salt gives another future, and the same salt the same one. What the walk
// does not reach through values (the setup, which a run does not change) holds no stream.
func TestReseedReachesEveryStream(t *testing.T) {
	futures := map[trace.Hash]bool{}
	const salts = 8
	for n := range uint64(20) {
		s := random.Scenario(n)
		w := world.New(compile.Scenario(s))
		w.Run(int64(s.Duration)/4, func([]trace.Record) {})
		before, after := map[string]uint64{}, map[string]uint64{}
		other := w.Clone()
		other.Reseed(1)
		streams(reflect.ValueOf(w).Elem(), "world", before)
		streams(reflect.ValueOf(other).Elem(), "world", after)
		require.NotEmpty(t, before)
		for path, state := range before {
			assert.NotEqual(t, state, after[path], "%s is not renewed by Reseed", path)
		}
		for salt := range uint64(salts) {
			var hashes [2]trace.Hash
			for k := range hashes {
				future := w.Clone()
				future.Reseed(salt)
				future.Run(int64(s.Duration), func([]trace.Record) {})
				hashes[k] = future.Hash()
			}
			require.Equal(t, hashes[0], hashes[1], "one salt, one future")
			futures[hashes[0]] = true
		}
	}
	assert.Greater(t, len(futures), 20*salts*3/4, "another salt is another future") // some have nothing left to draw
}
