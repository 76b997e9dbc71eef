package storage

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
)

// scramble sets every number in a value at random.
func scramble(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			scramble(r, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			scramble(r, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	default:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()))
	}
}

// Every field of a version survives packing, even at its extremes. A field that the code forgot to pack would fail.
func TestPackedVersionsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		versions := make([]Version, chunkSize)
		for i := range versions {
			scramble(r, reflect.ValueOf(&versions[i]).Elem())
			if i > 0 && r.IntN(2) == 0 { // equal to the previous version in all but one or two fields
				one := versions[i]
				versions[i] = versions[i-1]
				versions[i].AtNs, versions[i].Object.ResourceVersion = one.AtNs, one.Object.ResourceVersion
				if r.IntN(2) == 0 {
					versions[i].Object.Managers = one.Object.Managers
				}
			}
		}
		require.Equal(t, versions, pack(versions).unpack())
	}
}

// leaves calls see with each field of a struct that has no fields itself.
func leaves(v reflect.Value, path string, see func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, see)
		}
	case reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprint(path, i), see)
		}
	default:
		see(path, v)
	}
}

// A renewal in which any one field differs from what a renewal changes comes back with it, each of its bits.
func TestARenewalWithAnotherFieldComesBack(t *testing.T) {
	const at = 3
	renewals := func() []Version {
		versions := make([]Version, chunkSize)
		for i := range versions {
			v := &versions[i]
			v.AtNs, v.Object.ResourceVersion = int64(i+1)*2_000_000_000, int64(i+1)
			v.Object.Spec.RenewTime, v.Object.Spec.Present = coordination.MicroTime(v.AtNs/1000), coordination.HasRenewTime
			v.Object.Managers[0].Seconds = int32(v.AtNs / 1_000_000_000)
		}
		return versions
	}
	var paths []string
	leaves(reflect.ValueOf(&Version{}).Elem(), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	require.Len(t, paths, numberCount)
	for _, path := range paths {
		for bit := range 64 {
			versions := renewals()
			leaves(reflect.ValueOf(&versions[at]).Elem(), "", func(other string, v reflect.Value) {
				switch {
				case other != path:
				case v.Kind() == reflect.Bool:
					v.SetBool(!v.Bool())
				case bit >= v.Type().Bits():
				case v.CanUint():
					v.SetUint(v.Uint() ^ 1<<bit)
				default:
					v.SetInt(v.Int() ^ 1<<(bit%v.Type().Bits()))
				}
			})
			require.True(t, slices.Equal(versions, pack(versions).unpack()), "%s, bit %d", path, bit)
		}
	}
}

// Renewals, which are nearly all versions, take about 7 bytes.
func TestRenewalsTakeLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	versions := make([]Version, chunkSize)
	o := Object{ResourceVersion: 1000, UID: 1, Spec: coordination.Record{HolderIdentity: 3, LeaseDurationSeconds: 15, Present: 31}}
	at := int64(86_400_000_000_000)
	for i := range versions {
		at += 2_000_000_000 + r.Int64N(4_000_000)
		o.ResourceVersion++
		o.Spec.RenewTime = coordination.MicroTimeOf(at - 1_000_000 - r.Int64N(1_000_000))
		o.Managers[0] = Manager{Seconds: int32(at / 1_000_000_000), Owned: 31}
		versions[i] = Version{AtNs: at, By: 2, Object: o}
	}
	packed := pack(versions)
	assert.Equal(t, versions, packed.unpack())
	assert.Less(t, packed.size(), int64(12*chunkSize), "with its head and the first version, which is stored in full")
}

// A search unpacks one chunk, and reading on inside that chunk unpacks none.
func TestASearchUnpacksOneChunk(t *testing.T) {
	var l Log
	fill(&l, 1000*chunkSize)
	for _, ordinal := range []int{0, 1, chunkSize - 1, chunkSize, 500*chunkSize + 7, 998*chunkSize + 63} {
		l.read = reading{}
		require.Equal(t, ordinal, l.OrdinalOf(int64(ordinal+1)))
		before := l.read.of
		require.Equal(t, int64(ordinal+1), l.At(ordinal).Object.ResourceVersion)
		assert.Same(t, before, l.read.of)
	}
}

func TestSizes(t *testing.T) {
	if strconv.IntSize != 64 {
		return // Bytes is approximate there, and only compared with other runs
	}
	require.EqualValues(t, versionBytes, reflect.TypeFor[Version]().Size())
	require.EqualValues(t, chunkHeaderBytes, reflect.TypeFor[chunk]().Size())
}
