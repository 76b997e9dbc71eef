package coordination_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A MicroTime prints six digits. It drops the nanoseconds, rounding down even before 1970, as formatting a time does.
func TestMicroTime(t *testing.T) {
	for _, ns := range []int64{0, 1, 999, 1000, 1001, 999_999_999, 1_000_000_000, 946_684_834_028_757_571, -1, -999, -1000, -1001, -1_000_000_000, -1_000_000_001, 1<<63 - 1, -1 << 63} {
		m := coordination.MicroTimeOf(ns)
		wall := time.Unix(0, ns).UTC()
		assert.Equal(t, wall.Format("2006-01-02T15:04:05.000000Z07:00"), m.String(), "%d ns", ns)
		assert.Equal(t, wall.Unix(), m.Seconds(), "%d ns", ns)
		text, err := json.Marshal(m)
		require.NoError(t, err)
		assert.Equal(t, `"`+m.String()+`"`, string(text))
		var back coordination.MicroTime
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, m, back)
	}
	assert.Equal(t, "2000-01-01T00:00:34.028757Z", coordination.MicroTimeOf(946_684_834_028_757_571).String())
}

// Decoding refuses times that are not in the form of the wire; another time zone is the same instant.
func TestTimesThatAreRefused(t *testing.T) {
	var m coordination.MicroTime
	for _, bad := range []string{`1`, `true`, `""`, `"now"`, `"2000-01-01"`, `"2000-01-01T00:00:00.1234567Z"`, `"2000-13-01T00:00:00.000000Z"`, `{}`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &m), bad)
	}
	require.NoError(t, json.Unmarshal([]byte(`"2000-01-01T02:00:00.000001+02:00"`), &m))
	assert.Equal(t, coordination.MicroTime(946_684_800_000_001), m)
}

// SameRaw compares as an elector does: times in whole seconds, an absent number or string as zero, all else exactly.
func TestSameRaw(t *testing.T) {
	base := coordination.Record{
		HolderIdentity: 1, LeaseDurationSeconds: 15, AcquireTime: 5_000_000, RenewTime: 7_000_000, LeaseTransitions: 2,
		Present: coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds | coordination.HasAcquireTime | coordination.HasRenewTime | coordination.HasLeaseTransitions,
	}
	for _, c := range []struct {
		name   string
		change func(r *coordination.Record)
		same   bool
	}{
		{"nothing", func(r *coordination.Record) {}, true},
		{"renewTime within its second", func(r *coordination.Record) { r.RenewTime = 7_999_999 }, true},
		{"renewTime in the next second", func(r *coordination.Record) { r.RenewTime = 8_000_000 }, false},
		{"renewTime one microsecond into the second before", func(r *coordination.Record) { r.RenewTime = 6_999_999 }, false},
		{"acquireTime within its second", func(r *coordination.Record) { r.AcquireTime = 5_999_999 }, true},
		{"acquireTime in another second", func(r *coordination.Record) { r.AcquireTime = 4_999_999 }, false},
		{"holder", func(r *coordination.Record) { r.HolderIdentity = 2 }, false},
		{"duration", func(r *coordination.Record) { r.LeaseDurationSeconds = 16 }, false},
		{"transitions", func(r *coordination.Record) { r.LeaseTransitions = 3 }, false},
		{"strategy", func(r *coordination.Record) { r.Strategy, r.Present = 3, r.Present|coordination.HasStrategy }, false},
		{"preferredHolder", func(r *coordination.Record) {
			r.PreferredHolder, r.Present = 3, r.Present|coordination.HasPreferredHolder
		}, false},
		{"an empty strategy instead of none", func(r *coordination.Record) { r.Present |= coordination.HasStrategy }, true},
		{"a missing time", func(r *coordination.Record) { r.RenewTime, r.Present = 0, r.Present&^coordination.HasRenewTime }, false},
	} {
		other := base
		c.change(&other)
		assert.Equal(t, c.same, base.SameRaw(&other), c.name)
		assert.Equal(t, c.same, other.SameRaw(&base), "%s, the other way round", c.name)
	}
	// An absent time is null and the instant 0 is a date: they differ, although both are zero as values.
	var none coordination.Record
	zero := coordination.Record{Present: coordination.HasRenewTime}
	assert.False(t, none.SameRaw(&zero))
	// Before 1970, too, a second begins at its earlier end.
	early, late := coordination.Record{RenewTime: -1_000_000, Present: coordination.HasRenewTime}, coordination.Record{RenewTime: -1, Present: coordination.HasRenewTime}
	assert.True(t, early.SameRaw(&late))
}

// The boundaries come from the API's validation.
func TestValid(t *testing.T) {
	for _, c := range []struct {
		r  coordination.Record
		ok bool
	}{
		{coordination.Record{}, true},
		{coordination.Record{LeaseDurationSeconds: 1, Present: coordination.HasLeaseDurationSeconds}, true},
		{coordination.Record{LeaseDurationSeconds: 0, Present: coordination.HasLeaseDurationSeconds}, false},
		{coordination.Record{LeaseDurationSeconds: -1, Present: coordination.HasLeaseDurationSeconds}, false},
		{coordination.Record{LeaseTransitions: 0, Present: coordination.HasLeaseTransitions}, true},
		{coordination.Record{LeaseTransitions: -1, Present: coordination.HasLeaseTransitions}, false},
		{coordination.Record{PreferredHolder: 1, Present: coordination.HasPreferredHolder}, false},
		{coordination.Record{PreferredHolder: 1, Strategy: 2, Present: coordination.HasPreferredHolder | coordination.HasStrategy}, true},
		{coordination.Record{PreferredHolder: 0, Present: coordination.HasPreferredHolder}, true},
	} {
		assert.Equal(t, c.ok, c.r.Valid(), "%+v", c.r)
	}
}

// Equal texts have equal symbols and hashes, and the empty string is symbol 0. Nothing depends on the order in which
// the table met the texts.
func TestSymbols(t *testing.T) {
	a, b := coordination.NewSymbols(), coordination.NewSymbols()
	texts := []string{"", "a", "b", "worker-1", "日本", strings.Repeat("x", 1000)}
	for _, text := range texts {
		a.Intern(text)
	}
	for i := range texts {
		b.Intern(texts[len(texts)-1-i])
	}
	assert.Zero(t, a.Intern(""))
	assert.Zero(t, b.Intern(""))
	for _, text := range texts {
		assert.Equal(t, text, a.Text(a.Intern(text)))
		assert.Equal(t, a.Hash(a.Intern(text)), b.Hash(b.Intern(text)))
	}
	// FNV-1a of "a" and of the empty string, from the published test vectors.
	assert.Equal(t, uint64(0xaf63dc4c8601ec8c), coordination.Hash64("a"))
	assert.Equal(t, uint64(0xcbf29ce484222325), coordination.Hash64(""))
}
