package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// These are the odd cases of encoding/json; sim/conformance compares random documents with sigs.k8s.io/json.
func TestDecodeOddDocuments(t *testing.T) {
	decode := func(document string) (string, []string, error) {
		n, err := wire.Parse([]byte(document))
		require.NoError(t, err)
		o, strict, err := wire.Decode(n, coordination.LeaseType)
		return string(wire.Encode(nil, o, coordination.LeaseType)), strict, err
	}
	for document, want := range map[string]string{
		// A duplicate member decodes into the existing value, a list by position.
		`{"metadata":{"name":"a","labels":{"x":"1"}},"metadata":{"uid":"u","labels":{"y":"2"}}}`: `{"metadata":{"name":"a","uid":"u","labels":{"x":"1","y":"2"}},"spec":{}}`,
		`{"metadata":{"finalizers":["a","b"],"finalizers":[null]}}`:                              `{"metadata":{"finalizers":["a"]},"spec":{}}`,
		`{"metadata":{"ownerReferences":[{"name":"a"}],"ownerReferences":[{"uid":"u"},{}]}}`: `{"metadata":{"ownerReferences":[{"apiVersion":"","kind":"","name":"a","uid":"u"},` +
			`{"apiVersion":"","kind":"","name":"","uid":""}]},"spec":{}}`,
		// A null clears a pointer, a map or a list, and leaves other values unchanged.
		`{"metadata":{"name":"a","labels":{"x":"1"},"name":null,"labels":null},"spec":{"holderIdentity":"h","holderIdentity":null},"spec":null}`: `{"metadata":{"name":"a"},"spec":{}}`,
		`{"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z","creationTimestamp":null}}`:                                                     `{"metadata":{},"spec":{}}`,
	} {
		got, strict, err := decode(document)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.NotEmpty(t, strict, document)
	}
	for document, want := range map[string]string{
		`{"metadata":{"name":1},"spec":{"renewTime":{}}}`:  "json: cannot unmarshal object into Go struct field LeaseSpec.spec.renewTime of type string",
		`{"metadata":{"name":1},"spec":{"renewTime":"x"}}`: `parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"`,
		`{"metadata":{"name":1},"spec":[]}`:                "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
	} {
		_, _, err := decode(document)
		assert.EqualError(t, err, want)
	}
	_, strict, err := decode(`{"metadata":{"labels":{"[x":"1","[x":"2"}}}`)
	require.NoError(t, err)
	assert.Equal(t, []string{`duplicate field "metadata.labels.[x"`}, strict)
}
