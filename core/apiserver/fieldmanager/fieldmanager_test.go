package fieldmanager_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

const v1 = "coordination.k8s.io/v1"

// by returns a write of a manager at a second of one fixed minute.
func by(manager string, second int) fieldmanager.Write {
	return fieldmanager.Write{
		Type: coordination.LeaseType, Kind: "Lease", APIVersion: v1, Served: []string{v1}, Manager: manager, Instant: fmt.Sprintf("2026-01-01T00:00:%02dZ", second),
	}
}

func object(t testing.TB, text string) wire.Map {
	n, err := wire.Parse([]byte(text))
	require.NoError(t, err)
	o, _, err := wire.Decode(n, coordination.LeaseType)
	require.NoError(t, err)
	delete(o, "kind")
	delete(o, "apiVersion")
	return o
}

// config parses an applied configuration as the recorder of these tests did: its numbers are floats.
func config(t testing.TB, text string) wire.Map {
	var m wire.Map
	require.NoError(t, json.Unmarshal([]byte(text), &m))
	return m
}

func withKind(o wire.Map) wire.Map {
	if o == nil {
		return nil
	}
	w := wire.CopyMap(o)
	w["kind"], w["apiVersion"] = "Lease", v1
	return w
}

func encode(o wire.Map) string { return string(wire.Encode(nil, withKind(o), coordination.LeaseType)) }

// entries prints the owners of all fields, one entry per line.
func entries(o wire.Map) string {
	text := ""
	for _, item := range wire.List(o, "metadata", "managedFields") {
		e := item.(wire.Map)
		text += fmt.Sprintf("%s %s %s %s\n", e["manager"], e["operation"], wire.Text(e, "time"), e["fieldsV1"])
	}
	return text
}

// Series of writes leave the same object or error as apimachinery's own field manager. The 70 random series of up to 14
// updates and applies were recorded with apimachinery v0.36.2, client-go's schema and structured-merge-diff v6.3.2.
func TestRecordedWrites(t *testing.T) {
	var series [][]struct {
		Op, Manager, Instant, Error string
		Force                       bool
		Doc, Want                   json.RawMessage
	}
	f, err := os.Open("testdata/writes.json.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(&series))
	steps := 0
	for i, writes := range series {
		var live wire.Map
		for k, step := range writes {
			at := fmt.Sprintf("series %d step %d: %s by %s: %s", i, k, step.Op, step.Manager, step.Doc)
			w := by(step.Manager, 0)
			w.Instant = step.Instant
			before := encode(live)
			var made wire.Map
			if step.Op == "update" {
				made = w.Update(live, object(t, string(step.Doc)))
			} else {
				made, err = w.Apply(withKind(live), config(t, string(step.Doc)), step.Force)
				if step.Error != "" {
					require.EqualError(t, err, step.Error, at)
					continue
				}
				require.NoError(t, err, at)
			}
			require.Equal(t, before, encode(live), "%s: the live object was changed", at)
			wire.Set(made, "the-uid", "metadata", "uid")
			require.Equal(t, string(step.Want), encode(made), at)
			live = made
			steps++
		}
	}
	assert.Greater(t, steps, 600)
}

func TestTrackingBeginsAndEnds(t *testing.T) {
	bare := by("a", 1).Update(nil, object(t, `{"metadata":{"name":"x"}}`))
	assert.Empty(t, entries(bare), "no write has set a tracked field")
	wire.Set(bare, "u", "metadata", "uid")
	later := by("a", 2).Update(bare, object(t, `{"metadata":{"name":"x","uid":"u"},"spec":{"holderIdentity":"h"}}`))
	assert.Empty(t, entries(later), "tracking begins at creation or not before the first apply")

	applied, err := by("b", 3).Apply(withKind(later), config(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"leaseTransitions":1}}`), false)
	require.NoError(t, err)
	assert.Equal(t, "b Apply 2026-01-01T00:00:03Z {\"f:spec\":{\"f:leaseTransitions\":{}}}\n"+
		"before-first-apply Update 2026-01-01T00:00:03Z {\"f:spec\":{\"f:holderIdentity\":{}}}\n", entries(applied))

	for _, cleared := range []string{`[]`, `[{}]`} {
		sent := object(t, `{"metadata":{"name":"x","uid":"u","managedFields":`+cleared+`},"spec":{"holderIdentity":"other"}}`)
		assert.Empty(t, entries(by("a", 4).Update(applied, sent)), cleared)
	}
	for _, kept := range []string{`null`, `[{"manager":"x","operation":"Bogus"}]`, `[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f":{}}}]`} {
		sent := object(t, `{"metadata":{"name":"x","uid":"u","managedFields":`+kept+`},"spec":{"holderIdentity":"h","leaseTransitions":1}}`)
		assert.Equal(t, entries(applied), entries(by("a", 4).Update(applied, sent)), kept)
	}
}

func TestEntriesOfVersionsThatAreNotServedGo(t *testing.T) {
	o := by("a", 1).Update(nil, object(t, `{"metadata":{"name":"x","managedFields":[
		{"manager":"old","operation":"Update","apiVersion":"coordination.k8s.io/v0","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:strategy":{}}}},
		{"manager":"new","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:strategy":{}}}}
	]},"spec":{"holderIdentity":"h"}}`))
	assert.Equal(t, "new Update  {\"f:spec\":{\"f:strategy\":{}}}\na Update 2026-01-01T00:00:01Z {\"f:spec\":{\"f:holderIdentity\":{}}}\n", entries(o))
}

// The eleventh updater merges the two oldest entries. An entry without a time is the oldest.
func TestOldUpdatersAreFolded(t *testing.T) {
	o := by("m00", 0).Update(nil, object(t, `{"metadata":{"name":"x"},"spec":{"holderIdentity":"h"}}`))
	wire.Set(o, "u", "metadata", "uid")
	for i := 1; i <= 11; i++ {
		next := wire.CopyMap(o)
		wire.Set(next, "v", "metadata", "labels", fmt.Sprintf("k%02d", i))
		o = by(fmt.Sprintf("m%02d", i), i).Update(o, next)
	}
	lines := strings.Split(strings.TrimSpace(entries(o)), "\n")
	require.Len(t, lines, 10)
	assert.Equal(t, `ancient-changes Update 2026-01-01T00:00:02Z {"f:metadata":{"f:labels":{".":{},"f:k01":{},"f:k02":{}}},"f:spec":{"f:holderIdentity":{}}}`, lines[0])
}

func TestConflictsAreToldByManagerAndPath(t *testing.T) {
	apply := func(live wire.Map, manager, spec string, force bool) (wire.Map, error) {
		return by(manager, 1).Apply(withKind(live), config(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":`+spec+`}`), force)
	}
	o, err := apply(nil, "a", `{"holderIdentity":"h","leaseTransitions":1}`, false)
	require.NoError(t, err)
	o, err = apply(o, "b", `{"holderIdentity":"h"}`, false)
	require.NoError(t, err, "the same value is shared")
	assert.Equal(t, "b Apply  {\"f:spec\":{\"f:holderIdentity\":{}}}\na Apply 2026-01-01T00:00:01Z {\"f:spec\":{\"f:holderIdentity\":{},\"f:leaseTransitions\":{}}}\n", entries(o))

	_, err = apply(o, "c", `{"holderIdentity":"other","leaseTransitions":2}`, false)
	require.EqualError(t, err, "Apply failed with 3 conflicts: conflicts with \"a\":\n- .spec.holderIdentity\n- .spec.leaseTransitions\nconflicts with \"b\":\n- .spec.holderIdentity")

	o, err = apply(o, "c", `{"holderIdentity":"other","leaseTransitions":2}`, true)
	require.NoError(t, err)
	assert.Equal(t, "c Apply 2026-01-01T00:00:01Z {\"f:spec\":{\"f:holderIdentity\":{},\"f:leaseTransitions\":{}}}\n", entries(o))
}

func TestConfigurationsThatDoNotFit(t *testing.T) {
	for text, want := range map[string]string{
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Pod"}`:                                                                "invalid object type: coordination.k8s.io/v1, Kind=Pod",
		`{"apiVersion":"a/b/c","kind":"Pod"}`:                                                                                 "invalid object type: /, Kind=",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"managedFields":[]}}`:                              "metadata.managedFields must be nil",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","labels":{"a":1}}}`:                     "failed to create typed patch object (/x; coordination.k8s.io/v1, Kind=Lease): .metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","finalizers":["a","a"]}}`:               "failed to create typed patch object (/x; coordination.k8s.io/v1, Kind=Lease): .metadata.finalizers: duplicate entries for key [=\"a\"]",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","ownerReferences":[{"uid":"u"},null]}}`: "failed to create typed patch object (/x; coordination.k8s.io/v1, Kind=Lease): .metadata.ownerReferences: element 1: associative list with keys may not have a null element",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","ownerReferences":[{"uid":"u","controller":1}]},"spec":[]}`: "failed to create typed patch object (/x; coordination.k8s.io/v1, Kind=Lease): errors:\n" +
			"  .metadata.ownerReferences[uid=\"u\"].controller: expected boolean, got &{1}\n  .spec: expected map, got &{[]}",
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"leaseTransitions":1.5}}`: "failed to convert new object (/x; coordination.k8s.io/v1, Kind=Lease) to proper version: unable to convert unstructured object to coordination.k8s.io/v1, Kind=Lease: cannot convert float64 to int32",
	} {
		_, err := by("m", 1).Apply(nil, config(t, text), false)
		assert.EqualError(t, err, want)
	}
}

// A server-side apply by kubectl may change what kubectl applied client-side, unless another manager has changed it
// since.
func TestKubectlTakesOverWhatItApplied(t *testing.T) {
	last := `{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"x\"},\"spec\":{\"holderIdentity\":\"h\",\"leaseTransitions\":1}}`
	o := by("kubectl-client-side-apply", 1).Update(nil, object(t, `{"metadata":{"name":"x","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"`+last+`"}},"spec":{"holderIdentity":"h","leaseTransitions":2}}`))
	wire.Set(o, "u", "metadata", "uid")
	sent := config(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"holderIdentity":"i"}}`)
	_, err := by("other", 2).Apply(withKind(o), sent, false)
	require.ErrorContains(t, err, "1 conflict")
	made, err := by("kubectl", 2).Apply(withKind(o), sent, false)
	require.NoError(t, err)
	assert.Equal(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"holderIdentity":"i"}}`+"\n",
		wire.Text(made, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"))

	sent = config(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"holderIdentity":"i","leaseTransitions":3}}`)
	_, err = by("kubectl", 2).Apply(withKind(o), sent, false)
	require.EqualError(t, err, `Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using coordination.k8s.io/v1: .spec.leaseTransitions`,
		"another manager changed it since")
}

func TestKeepTimes(t *testing.T) {
	live := by("a", 1).Update(nil, object(t, `{"metadata":{"name":"x"},"spec":{"holderIdentity":"h"}}`))
	later := func(text string) wire.Map {
		o := by("a", 5).Update(nil, object(t, text))
		fieldmanager.KeepTimes(o, live)
		return o
	}
	assert.Equal(t, encode(live), encode(later(`{"metadata":{"name":"x"},"spec":{"holderIdentity":"h"}}`)), "only the times differ")
	assert.Contains(t, entries(later(`{"metadata":{"name":"x"},"spec":{"holderIdentity":"other"}}`)), "00:00:05Z")
}

// Names sort as path elements, not as text: "a b" comes after "a", although a space sorts before a quote.
func TestFieldsAreInTheOrderOfTheirElements(t *testing.T) {
	o := object(t, `{"metadata":{"name":"x","managedFields":[{"manager":"m","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{
		"v:\"a b\"":{},"v:\"a\"":{},"v:true":{},"v:2":{},"v:10":{},"i:2":{},"i:10":{},"k:{\"b\":1,\"a\":2}":{".":{},"f:x":{}},"f:z":{},"x:later":{}}}]}}`)
	fieldmanager.Settle(o)
	entry := wire.List(o, "metadata", "managedFields")[0].(wire.Map)
	assert.Equal(t, wire.Encoded(`{"f:z":{},"k:{\"a\":2,\"b\":1}":{".":{},"f:x":{}},"v:2":{},"v:10":{},"v:\"a\"":{},"v:\"a b\"":{},"v:true":{},"i:2":{},"i:10":{}}`), entry["fieldsV1"])
}
