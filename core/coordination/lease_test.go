package coordination_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded is what a kube-apiserver answered to the creation of a Lease (recorded body, with the server's own uid,
// version and time filled in where the recording has placeholders).
const recorded = `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"full","namespace":"ns-a",` +
	`"uid":"e6b1bd10-3c9f-4b6f-9d7a-0c3c1ad7bd5f","resourceVersion":"212","creationTimestamp":"2026-01-01T00:00:10Z","labels":{"app":"x"},"annotations":{"note":"hello"},` +
	`"managedFields":[{"manager":"simtest","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2026-01-01T00:00:10Z","fieldsType":"FieldsV1",` +
	`"fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:note":{}},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:acquireTime":{},"f:holderIdentity":{},` +
	`"f:leaseDurationSeconds":{},"f:leaseTransitions":{},"f:renewTime":{}}}}]},"spec":{"holderIdentity":"holder-1","leaseDurationSeconds":15,` +
	`"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:10.123456Z","leaseTransitions":1}}` + "\n"

// The bytes of a Lease are those a real API server sent: same fields, same order, same line end.
func TestLeaseJSONIsTheServers(t *testing.T) {
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return parsed
	}
	holder, duration, transitions := "holder-1", int32(15), int32(1)
	acquired := coordination.MicroTime(at("2026-01-01T00:00:00Z").UnixMicro())
	renewed := coordination.MicroTime(at("2026-01-01T00:00:10.123456Z").UnixMicro())
	created := coordination.Time(at("2026-01-01T00:00:10Z").Unix())
	lease := coordination.Lease{
		Kind: "Lease", APIVersion: "coordination.k8s.io/v1",
		Metadata: coordination.ObjectMeta{
			Name: "full", Namespace: "ns-a", UID: "e6b1bd10-3c9f-4b6f-9d7a-0c3c1ad7bd5f", ResourceVersion: "212", CreationTimestamp: &created,
			Labels: map[string]string{"app": "x"}, Annotations: map[string]string{"note": "hello"},
			ManagedFields: []coordination.ManagedFieldsEntry{{
				Manager: "simtest", Operation: "Update", APIVersion: "coordination.k8s.io/v1", Time: &created, FieldsType: "FieldsV1",
				FieldsV1: json.RawMessage(`{"f:metadata":{"f:annotations":{".":{},"f:note":{}},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:acquireTime":{},"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:leaseTransitions":{},"f:renewTime":{}}}`),
			}},
		},
		Spec: coordination.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &duration, AcquireTime: &acquired, RenewTime: &renewed, LeaseTransitions: &transitions},
	}
	assert.Equal(t, recorded, string(lease.JSON()))
	var back coordination.Lease
	require.NoError(t, json.Unmarshal([]byte(recorded), &back))
	assert.Equal(t, lease, back)
	// An empty spec is {} and absent times are left out: recorded with a Lease that had none.
	assert.Equal(t, `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"min","namespace":"ns-a"},"spec":{}}`+"\n", string((&coordination.Lease{
		Kind: "Lease", APIVersion: "coordination.k8s.io/v1", Metadata: coordination.ObjectMeta{Name: "min", Namespace: "ns-a"},
	}).JSON()))
	// Empty is not absent: the server keeps an empty holder that was sent.
	empty := ""
	assert.Contains(t, string((&coordination.Lease{Spec: coordination.LeaseSpec{HolderIdentity: &empty}}).JSON()), `"spec":{"holderIdentity":""}`)
	// The API server's encoder escapes what HTML would take for markup.
	markup := `<a href="x">&`
	assert.Contains(t, string((&coordination.Lease{Spec: coordination.LeaseSpec{HolderIdentity: &markup}}).JSON()), `"\u003ca href=\"x\"\u003e\u0026"`)
}

// A MicroTime has six digits and drops the nanoseconds, downwards also before 1970, as formatting a time does.
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
		seconds, err := json.Marshal(coordination.Time(wall.Unix()))
		require.NoError(t, err)
		assert.Equal(t, `"`+wall.Format(time.RFC3339)+`"`, string(seconds), "metadata has whole seconds")
	}
	assert.Equal(t, "2000-01-01T00:00:34.028757Z", coordination.MicroTimeOf(946_684_834_028_757_571).String())
}

// Times that are not the wire's are refused, never guessed; another time zone is the same instant.
func TestTimesThatAreRefused(t *testing.T) {
	var m coordination.MicroTime
	for _, bad := range []string{`1`, `true`, `""`, `"now"`, `"2000-01-01"`, `"2000-01-01T00:00:00.1234567Z"`, `"2000-13-01T00:00:00.000000Z"`, `{}`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &m), bad)
	}
	require.NoError(t, json.Unmarshal([]byte(`"2000-01-01T02:00:00.000001+02:00"`), &m))
	assert.Equal(t, coordination.MicroTime(946_684_800_000_001), m)
	var lease coordination.Lease
	require.NoError(t, json.Unmarshal([]byte(`{"spec":{"renewTime":null,"acquireTime":"2000-01-01T00:00:00.000000Z"}}`), &lease))
	assert.Nil(t, lease.Spec.RenewTime)
	assert.NotNil(t, lease.Spec.AcquireTime)
}

// What an elector takes for a change: times in whole seconds, absent numbers and strings as zero, all else exactly.
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
		{"a time that is gone", func(r *coordination.Record) { r.RenewTime, r.Present = 0, r.Present&^coordination.HasRenewTime }, false},
	} {
		other := base
		c.change(&other)
		assert.Equal(t, c.same, base.SameRaw(&other), c.name)
		assert.Equal(t, c.same, other.SameRaw(&base), "%s, the other way round", c.name)
	}
	// A missing time is null and the instant 0 is a date: not the same, although both count as zero.
	var none coordination.Record
	zero := coordination.Record{Present: coordination.HasRenewTime}
	assert.False(t, none.SameRaw(&zero))
	// Before 1970 a second still begins at its lower end.
	early, late := coordination.Record{RenewTime: -1_000_000, Present: coordination.HasRenewTime}, coordination.Record{RenewTime: -1, Present: coordination.HasRenewTime}
	assert.True(t, early.SameRaw(&late))
}

// A spec as a value and back is the same spec, whichever of its seven fields are there.
func TestSpecAndRecord(t *testing.T) {
	full := map[coordination.Fields]string{
		coordination.HasHolderIdentity: `"holderIdentity":"a"`, coordination.HasLeaseDurationSeconds: `"leaseDurationSeconds":15`,
		coordination.HasAcquireTime: `"acquireTime":"2000-01-01T00:00:00.000001Z"`, coordination.HasRenewTime: `"renewTime":"1999-12-31T23:59:59.999999Z"`,
		coordination.HasLeaseTransitions: `"leaseTransitions":0`, coordination.HasStrategy: `"strategy":"OldestEmulationVersion"`, coordination.HasPreferredHolder: `"preferredHolder":""`,
	}
	order := []coordination.Fields{
		coordination.HasHolderIdentity, coordination.HasLeaseDurationSeconds, coordination.HasAcquireTime, coordination.HasRenewTime,
		coordination.HasLeaseTransitions, coordination.HasStrategy, coordination.HasPreferredHolder,
	}
	symbols := coordination.NewSymbols()
	for set := range coordination.Fields(128) {
		var parts []string
		for _, f := range order {
			if set&f != 0 {
				parts = append(parts, full[f])
			}
		}
		text := "{" + strings.Join(parts, ",") + "}"
		var spec coordination.LeaseSpec
		require.NoError(t, json.Unmarshal([]byte(text), &spec))
		record := spec.Record(symbols)
		assert.Equal(t, set, record.Present)
		again, err := json.Marshal(coordination.SpecOf(&record, symbols))
		require.NoError(t, err)
		assert.Equal(t, text, string(again))
		// managedFields of a manager who owns exactly these: in the alphabet's order, as the API server sorts them.
		var owned struct {
			Spec map[string]struct{} `json:"f:spec"`
		}
		require.NoError(t, json.Unmarshal(coordination.FieldsV1(set), &owned))
		assert.Len(t, owned.Spec, len(parts))
		sorted, err := json.Marshal(map[string]any{"f:spec": owned.Spec}) // encoding/json sorts keys
		require.NoError(t, err)
		assert.Equal(t, string(sorted), string(coordination.FieldsV1(set)))
		for _, f := range order {
			name := strings.Split(full[f], `"`)[1]
			_, has := owned.Spec["f:"+name]
			assert.Equal(t, set&f != 0, has, name)
		}
	}
}

// Which records the API accepts; the boundaries are those of its validation.
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

// A symbol is its text: equal texts, equal symbols and hashes; the empty string is symbol 0; nothing depends on the
// order in which texts were met.
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

// FuzzLeaseJSON: what we read we write so that it reads the same: decoding and encoding are stable after one turn.
func FuzzLeaseJSON(f *testing.F) {
	f.Add([]byte(recorded))
	f.Add([]byte(`{"spec":{"holderIdentity":"\u2028<\ud83d\ude00","renewTime":"1969-12-31T23:59:59.999999-01:00"}}`))
	f.Add([]byte(`{"metadata":{"managedFields":[{"fieldsV1":{"f:spec":{"f:a":{}}}}]},"spec":{"leaseDurationSeconds":-1}}`))
	cost := bounded.Limit{Fixed: 1 << 20, PerByte: 50}
	f.Fuzz(func(t *testing.T, data []byte) { cost.Do(t, len(data), func() { readTwice(t, data) }) })
}

func readTwice(t *testing.T, data []byte) {
	var first, second coordination.Lease
	if json.Unmarshal(data, &first) != nil {
		return
	}
	for _, at := range []*coordination.MicroTime{first.Spec.AcquireTime, first.Spec.RenewTime} {
		if at != nil && (at.String()[0] == '-' || len(at.String()) != len("2000-01-01T00:00:00.000000Z")) {
			return // a time zone moved it out of the years 0 to 9999, which RFC 3339 cannot write
		}
	}
	once := first.JSON()
	if json.Unmarshal(once, &second) != nil {
		for _, at := range timesOf(&first) {
			if year := time.Unix(int64(*at), 0).UTC().Year(); year < 0 || year > 9999 {
				return
			}
		}
		t.Fatalf("%s does not decode", once)
	}
	require.Equal(t, string(once), string(second.JSON()))
	symbols := coordination.NewSymbols()
	record := second.Spec.Record(symbols)
	again, err := json.Marshal(coordination.SpecOf(&record, symbols))
	require.NoError(t, err)
	want, err := json.Marshal(second.Spec)
	require.NoError(t, err)
	require.Equal(t, string(want), string(again))
}

func timesOf(l *coordination.Lease) []*coordination.Time {
	var all []*coordination.Time
	if l.Metadata.CreationTimestamp != nil {
		all = append(all, l.Metadata.CreationTimestamp)
	}
	for _, m := range l.Metadata.ManagedFields {
		if m.Time != nil {
			all = append(all, m.Time)
		}
	}
	return all
}
