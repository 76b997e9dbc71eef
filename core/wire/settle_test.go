package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// Settle makes the object that Decode makes of the same JSON, or leaves the tree to Decode.
func TestSettleDecodes(t *testing.T) {
	for _, c := range []struct {
		document string
		settles  bool
	}{
		{`{}`, true},
		{`{"kind":"Lease","apiVersion":"v1","metadata":{"name":"x","namespace":"","generation":0,"creationTimestamp":null}}`, true},
		{`{"metadata":{"labels":{"a":"","b":"c"},"annotations":{},"finalizers":["f"],"deletionGracePeriodSeconds":0}}`, true},
		{`{"metadata":{"managedFields":[{"time":"2026-01-01T00:00:00Z"},{}],"ownerReferences":[]},"spec":{}}`, true},
		{`{"metadata":{"managedFields":[],"ownerReferences":[{"name":"p","controller":false}],"creationTimestamp":"2026-01-01T00:00:00Z"}}`, true},
		{`{"spec":{"holderIdentity":"","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z","acquireTime":null}}`, true},
		{`{"metadata":null,"spec":null}`, true},
		{`{"unknown":1}`, false},
		{`{"spec":{"holderIdentity":1}}`, false},
		{`{"spec":{"leaseDurationSeconds":2147483648}}`, false},
		{`{"spec":{"leaseDurationSeconds":1.5}}`, false},
		{`{"spec":{"renewTime":"2026-02-29T23:59:59.999999Z"}}`, false},
		{`{"spec":{"renewTime":"2024-02-29T23:59:59.999999Z"}}`, true},
		{`{"spec":{"renewTime":"2026-12-28T24:00:00.000000Z"}}`, false},
		{`{"spec":{"renewTime":"2026-12-28T23:60:00.000000Z"}}`, false},
		{`{"spec":{"renewTime":"2026-13-28T23:00:00.000000Z"}}`, false},
		{`{"spec":{"renewTime":"2026-01-01T00:00:00.00000+Z"}}`, false},
		{`{"spec":{"renewTime":"2026-01-01T00:00:00,000000Z"}}`, false},
		{`{"metadata":{"creationTimestamp":"2026-01-00T00:00:00Z"}}`, false},
		{`{"metadata":{"creationTimestamp":"2026-01-01T00:00:00z"}}`, false},
		{`{"spec":{"renewTime":"2026-01-01T01:00:00.000000+01:00"}}`, false},
		{`{"spec":{"renewTime":"2026-01-01T00:00:00Z"}}`, false},
		{`{"metadata":{"creationTimestamp":"soon"}}`, false},
		{`{"metadata":{"finalizers":[null]}}`, false},
		{`{"metadata":{"labels":{"a":null}}}`, false},
		{`{"metadata":[]}`, false},
		{`{"spec":"text"}`, false},
	} {
		n, err := wire.Parse([]byte(c.document))
		require.NoError(t, err, c.document)
		tree, _ := wire.Tree(n).(wire.Map)
		if !assert.Equal(t, c.settles, wire.Settle(tree, coordination.LeaseType), c.document) || !c.settles {
			continue
		}
		decoded, strict, err := wire.Decode(n, coordination.LeaseType)
		require.NoError(t, err, c.document)
		assert.Empty(t, strict, c.document)
		assert.Equal(t, decoded, tree, c.document)
	}
}

// A string that is not UTF-8 needs Decode, and so do field sets that are not objects. Other values do not change.
func TestSettleKeepsFieldSets(t *testing.T) {
	entry := func(member string, value any) wire.Map {
		return wire.Map{"metadata": wire.Map{"managedFields": []any{wire.Map{member: value}}}}
	}
	kept := entry("fieldsV1", wire.Encoded(`{"f:spec":{}}`))
	assert.True(t, wire.Settle(kept, coordination.LeaseType))
	assert.Equal(t, wire.Encoded(`{"f:spec":{}}`), wire.List(kept, "metadata", "managedFields")[0].(wire.Map)["fieldsV1"])
	assert.False(t, wire.Settle(entry("fieldsV1", wire.Encoded(`null`)), coordination.LeaseType))
	assert.False(t, wire.Settle(entry("manager", "\xff"), coordination.LeaseType))
	assert.False(t, wire.Settle(wire.Map{"metadata": wire.Map{"labels": wire.Map{"\xff": "a"}}}, coordination.LeaseType))
}
