package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

func tree(t *testing.T, text string) wire.Map {
	n, err := wire.Parse([]byte(text))
	require.NoError(t, err)
	return wire.Tree(n).(wire.Map)
}

// The converter wraps integers and reads whole floats, where a decoder refuses both.
func TestConvert(t *testing.T) {
	for text, want := range map[string]string{
		`{"spec":{"leaseDurationSeconds":4294967301,"leaseTransitions":3.0}}`: `{"metadata":{},"spec":{"leaseDurationSeconds":5,"leaseTransitions":3}}`,
		`{"metadata":{"labels":{"a":null},"finalizers":[null],"name":null}}`:  `{"metadata":{"labels":{"a":""},"finalizers":[""]},"spec":{}}`,
		`{"spec":{"renewTime":"2026-01-01T02:00:00.000000+02:00"}}`:           `{"metadata":{},"spec":{"renewTime":"2026-01-01T00:00:00.000000Z"}}`,
	} {
		o, _, err := wire.Convert(tree(t, text), coordination.LeaseType, false)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(wire.Encode(nil, o, coordination.LeaseType)))
	}
	for text, want := range map[string]string{
		`{"spec":{"leaseTransitions":1.5}}`:          "cannot convert float64 to int32",
		`{"spec":{"leaseTransitions":"1"}}`:          "unrecognized type: int32",
		`{"spec":{"strategy":1}}`:                    "cannot convert int64 to v1.CoordinatedLeaseStrategy",
		`{"spec":{"strategy":true}}`:                 "unrecognized type: string",
		`{"spec":"x"}`:                               "cannot restore struct from: string",
		`{"metadata":{"labels":[]}}`:                 "cannot restore map from slice",
		`{"metadata":{"finalizers":{}}}`:             "cannot restore slice from map",
		`{"metadata":{"creationTimestamp":5}}`:       "json: cannot unmarshal number into Go value of type string",
		`{"spec":{"renewTime":"2026-01-01T00:00Z"}}`: `parsing time "2026-01-01T00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ":"`,
	} {
		_, _, err := wire.Convert(tree(t, text), coordination.LeaseType, false)
		assert.EqualError(t, err, want, text)
	}
	_, unknown, err := wire.Convert(tree(t, `{"z":1,"metadata":{"ownerReferences":[{},{"b":1}],"a":{"c":1}}}`), coordination.LeaseType, true)
	require.NoError(t, err)
	assert.Equal(t, []string{`unknown field "metadata.a"`, `unknown field "metadata.ownerReferences[1].b"`, `unknown field "z"`}, unknown)
}

// Decode checks a value of type Any for duplicate members and for numbers beyond float64.
func TestDecodeAnything(t *testing.T) {
	anything := &wire.Type{Shape: wire.AMap, GoType: "map[string]interface {}", Elem: wire.AnyType}
	n, err := wire.Parse([]byte(`{"a":{"b":[{"c":1,"c":2}],"d":1,"d":2}}`))
	require.NoError(t, err)
	_, strict, err := wire.Decode(n, anything)
	require.NoError(t, err)
	assert.Equal(t, []string{`duplicate field "a.b[0].c"`, `duplicate field "a.d"`}, strict)

	n, err = wire.Parse([]byte(`{"a":[1e999]}`))
	require.NoError(t, err)
	_, _, err = wire.Decode(n, anything)
	assert.EqualError(t, err, "json: cannot unmarshal number 1e999 into Go value of type float64")
}
