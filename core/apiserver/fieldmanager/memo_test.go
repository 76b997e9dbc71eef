//go:build !page

package fieldmanager

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// A renewal keeps its manager's field set; every other update computes the sets anew. Both leave the same object.
func TestRenewalsKeepTheFieldSet(t *testing.T) {
	const v1 = "coordination.k8s.io/v1"
	by := func(manager string, memo *Memo) Write {
		return Write{Type: coordination.LeaseType, Kind: "Lease", APIVersion: v1, Served: []string{v1}, Manager: manager, Instant: "2026-01-01T00:00:01Z", Memo: memo}
	}
	lease := func(text string) wire.Map {
		n, err := wire.Parse([]byte(text))
		require.NoError(t, err)
		o, _, err := wire.Decode(n, coordination.LeaseType)
		require.NoError(t, err)
		return o
	}
	live := by("m", nil).Update(nil, lease(`{"metadata":{"name":"l","labels":{"a":"1"}},"spec":{"holderIdentity":"a","leaseTransitions":1}}`))
	wire.Set(live, "u", "metadata", "uid")
	sent := lease(`{"metadata":{"name":"l","resourceVersion":"7","labels":{"a":"1"}},"spec":{"holderIdentity":"b","leaseTransitions":2}}`)
	wire.Set(sent, wire.Copy(wire.List(live, "metadata", "managedFields")), "metadata", "managedFields")
	shared := wire.CopyMap(live)
	shared = by("first", nil).Update(shared, lease(`{"metadata":{"name":"l","uid":"u","labels":{"a":"1"},"annotations":{"b":"1"}},"spec":{"holderIdentity":"a","leaseTransitions":1}}`))
	wire.Set(shared, "u", "metadata", "uid")
	later := by("n", nil)
	later.Instant = "2026-01-01T00:00:02Z"
	shared = later.Update(wire.CopyMap(shared), lease(`{"metadata":{"name":"l","uid":"u","labels":{"a":"1"},"annotations":{"b":"1"}},"spec":{"holderIdentity":"b","leaseTransitions":1}}`))
	require.Len(t, wire.List(shared, "metadata", "managedFields"), 3)
	memo := &Memo{}
	for _, c := range []struct {
		what, manager string
		updated       wire.Map
		renews        bool
	}{
		{"values", "m", lease(`{"metadata":{"name":"l","resourceVersion":"7","labels":{"a":"2"}},"spec":{"holderIdentity":"b","leaseTransitions":2}}`), true},
		{"the entries sent, too", "m", sent, true},
		{"another manager", "n", lease(`{"metadata":{"name":"l","labels":{"a":"1"}},"spec":{"holderIdentity":"b","leaseTransitions":1}}`), false},
		{"one more field", "m", lease(`{"metadata":{"name":"l","labels":{"a":"1"}},"spec":{"holderIdentity":"b","leaseTransitions":1,"strategy":"s"}}`), false},
		{"one field less", "m", lease(`{"metadata":{"name":"l","labels":{"a":"1"}},"spec":{"holderIdentity":"b"}}`), false},
		{"nothing", "m", lease(`{"metadata":{"name":"l","labels":{"a":"1"}},"spec":{"holderIdentity":"a","leaseTransitions":1}}`), false},
		{"cleared", "m", lease(`{"metadata":{"name":"l","managedFields":[{}]},"spec":{"holderIdentity":"b","leaseTransitions":1}}`), false},
	} {
		again, apart := wire.CopyMap(c.updated), wire.CopyMap(c.updated)
		list := by(c.manager, memo).renewalFields(live, c.updated)
		assert.Equal(t, c.renews, list != nil, c.what)
		before := wire.CopyMap(live)
		want, changes := by(c.manager, nil).Update(live, again), by(c.manager, memo)
		assert.Equal(t, want, changes.Update(live, c.updated), c.what)
		changes.Apart = true
		assert.Equal(t, want, changes.Update(live, apart), "%s, with its own parts", c.what)
		assert.Equal(t, before, live, "%s: nothing changes the live object", c.what)
	}
	for _, c := range []struct {
		what, manager, instant, spec string
	}{
		{"the last of several", "n", "2026-01-01T00:00:03Z", `"holderIdentity":"c","leaseTransitions":1`},
		{"a field of another", "n", "2026-01-01T00:00:03Z", `"holderIdentity":"c","leaseTransitions":2`},
		{"an earlier manager", "m", "2026-01-01T00:00:03Z", `"holderIdentity":"b","leaseTransitions":2`},
		{"a clock set back", "n", "2026-01-01T00:00:01Z", `"holderIdentity":"c","leaseTransitions":1`},
	} {
		for _, apart := range []bool{false, true} {
			from := wire.CopyMap(shared)
			if apart { // the two that have the same second
				wire.List(from, "metadata", "managedFields")[0].(wire.Map)["time"] = "2026-01-01T00:00:00Z"
			}
			body := `{"metadata":{"name":"l","uid":"u","labels":{"a":"1"},"annotations":{"b":"1"}},"spec":{` + c.spec + `}}`
			plain, remembers := by(c.manager, nil), by(c.manager, memo)
			plain.Instant, remembers.Instant = c.instant, c.instant
			assert.Equal(t, apart && c.what == "the last of several", remembers.renewalFields(from, lease(body)) != nil, c.what)
			assert.Equal(t, plain.Update(from, lease(body)), remembers.Update(from, lease(body)), c.what)
		}
	}
}
