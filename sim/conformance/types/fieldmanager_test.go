package types

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// writer draws writes over few names and values, so that they often conflict.
type writer struct {
	draw
	k kind
}

func (w *writer) value() string { return w.one("1", "2", "a b", `"`, "é") }

func (w *writer) some(max int, add func()) {
	for range w.IntN(max + 1) {
		add()
	}
}

// document returns an object without managedFields; an applied one may contain nulls and whatever else a client may
// send.
func (w *writer) document(applied bool) map[string]any {
	meta := map[string]any{"name": "x", "namespace": "default"}
	texts := func(name string) {
		if w.chance(50) {
			all := map[string]any{}
			w.some(3, func() { all[w.one("a", "b", "c.d/e", "f g")] = w.value() })
			meta[name] = all
		}
	}
	texts("labels")
	texts("annotations")
	if w.chance(10) {
		meta["generateName"] = w.one("g-", "h-")
	}
	if w.chance(50) {
		list, seen := []any{}, map[string]bool{}
		w.some(3, func() {
			f := w.one("f/a", "f/b", `f/"c"`, "f/d e")
			if !seen[f] || w.chance(2) {
				list = append(list, f)
			}
			seen[f] = true
		})
		meta["finalizers"] = list
	}
	if w.chance(50) {
		list, seen := []any{}, map[string]bool{}
		w.some(3, func() {
			uid := w.one("u1", "u2", `u"3`)
			o := map[string]any{"apiVersion": w.one("v1", "v2"), "kind": "Pod", "name": w.value(), "uid": uid}
			if w.chance(30) {
				o["controller"] = w.chance(50)
			}
			if w.chance(30) {
				o["blockOwnerDeletion"] = w.chance(50)
			}
			if applied && w.chance(20) {
				delete(o, w.one("apiVersion", "kind", "name", "controller"))
			}
			if !seen[uid] || w.chance(3) {
				list = append(list, o)
			}
			seen[uid] = true
		})
		meta["ownerReferences"] = list
	}
	spec := map[string]any{}
	set := func(name string, value any) {
		switch {
		case w.chance(50):
			spec[name] = value
		case applied && w.chance(5):
			spec[name] = nil
		}
	}
	at := fmt.Sprintf("2026-01-01T00:00:0%d.000000Z", w.IntN(4))
	if w.k.name == "Lease" {
		set("holderIdentity", w.value())
		set("leaseDurationSeconds", w.IntN(3))
		set("leaseTransitions", w.IntN(3))
		set("acquireTime", at)
		set("renewTime", at)
		set("strategy", w.one("OldestEmulationVersion", "x/y"))
		set("preferredHolder", w.value())
	} else {
		set("leaseName", w.value())
		set("pingTime", at)
		set("renewTime", at)
		set("binaryVersion", w.one("1.35.0", "1.36.0"))
		set("emulationVersion", w.one("1.35.0", "1.36.0"))
		set("strategy", w.one("OldestEmulationVersion", "x/y"))
	}
	o := map[string]any{"apiVersion": w.k.apiVersion, "kind": w.k.name, "metadata": meta, "spec": spec}
	if applied && w.chance(8) {
		w.spoil(o)
	}
	if w.chance(8) {
		delete(o, "spec")
	}
	return o
}

// spoil makes a configuration invalid, or almost.
func (w *writer) spoil(o map[string]any) {
	meta, spec := o["metadata"].(map[string]any), o["spec"].(map[string]any)
	switch w.IntN(12) {
	case 0:
		spec["nope"] = 1
	case 1:
		meta["labels"] = map[string]any{"a": 1}
	case 2:
		meta["finalizers"] = []any{"f/a", nil}
	case 3:
		meta["managedFields"] = []any{}
	case 4:
		meta["managedFields"] = []any{map[string]any{"manager": "m"}}
	case 5:
		o["kind"] = "Pod"
	case 6:
		o["apiVersion"] = w.one("v1", "coordination.k8s.io/v1alpha1", "a/b/c", "")
	case 7:
		o["spec"] = w.one("x", "")
	case 8:
		meta["ownerReferences"] = []any{map[string]any{"name": "no uid"}}
	case 9:
		meta["labels"] = nil
		meta["finalizers"] = nil
	case 10:
		meta["ownerReferences"] = map[string]any{}
	case 11:
		spec["renewTime"] = w.one("x", "2026-01-01T00:00:00Z")
	}
}

// sentManaged returns a list of managedFields as clients send it: the live one, changed, cleared or made up.
func (w *writer) sentManaged(live []any) any {
	switch w.IntN(12) {
	case 0:
		return []any{}
	case 1:
		return []any{map[string]any{}}
	case 2:
		return []any{map[string]any{
			"manager": w.one("sent", "m1"), "operation": w.one("Update", "Apply"), "apiVersion": w.one(w.k.apiVersion, "coordination.k8s.io/v0"),
			"fieldsType": "FieldsV1", "time": "2025-01-01T00:00:00Z",
			"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{".": map[string]any{}, "f:a": map[string]any{}}}, "f:spec": map[string]any{"f:renewTime": map[string]any{}}},
		}}
	case 3:
		return []any{map[string]any{"manager": "bad", "operation": "Other"}}
	case 4:
		if len(live) > 1 {
			return live[1:]
		}
	case 5, 6, 7, 8:
		return nil
	}
	return live
}

// answer is one side's answer to one write.
type answer struct {
	object string
	err    string
}

// sides is one object, written on both sides.
type sides struct {
	t       *testing.T
	k       kind
	manager *managedfields.FieldManager
	real    runtime.Object // nil if it does not exist
	ours    wire.Map
}

// recordedTypes returns a field manager's schema of a kind, from the OpenAPI document of a kube-apiserver v1.36; its
// own field manager uses the same.
func recordedTypes(t *testing.T, k kind) managedfields.TypeConverter {
	cases, err := exchange.Cases()
	require.NoError(t, err)
	for i := range cases {
		for _, step := range cases[i].Steps {
			if step.Path != "/openapi/v3/apis/"+k.apiVersion || step.Status != 200 {
				continue
			}
			var document struct {
				Components struct{ Schemas map[string]*spec.Schema }
			}
			require.NoError(t, json.Unmarshal([]byte(step.Answer), &document))
			types, err := managedfields.NewTypeConverter(document.Components.Schemas, false)
			require.NoError(t, err)
			return types
		}
	}
	require.FailNow(t, "the document is not recorded", k.apiVersion)
	return nil
}

func newSides(t *testing.T, k kind, types managedfields.TypeConverter) *sides {
	gvk := schema.FromAPIVersionAndKind(k.apiVersion, k.name)
	manager, err := managedfields.NewDefaultFieldManager(types, scheme, scheme, scheme, gvk, gvk.GroupVersion(), "", nil)
	require.NoError(t, err)
	return &sides{t: t, k: k, manager: manager}
}

func (s *sides) write(manager string) fieldmanager.Write {
	return fieldmanager.Write{
		Type: s.k.ours, Kind: s.k.name, APIVersion: s.k.apiVersion, Served: []string{s.k.apiVersion}, Manager: manager,
		Instant: time.Now().UTC().Format(time.RFC3339),
	}
}

func (s *sides) live() runtime.Object {
	o := s.k.empty()
	if s.real != nil {
		o = s.real.DeepCopyObject()
	}
	o.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(s.k.apiVersion, s.k.name))
	return o
}

func (s *sides) encodeReal(o runtime.Object) string {
	o.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(s.k.apiVersion, s.k.name))
	data, err := json.Marshal(o)
	require.NoError(s.t, err)
	return string(data)
}

func (s *sides) encodeOurs(o wire.Map) string {
	o = wire.CopyMap(o)
	o["kind"], o["apiVersion"] = s.k.name, s.k.apiVersion
	return string(wire.Encode(nil, o, s.k.ours))
}

// update does a plain write on both sides.
func (s *sides) update(document map[string]any, manager string) (theirs, ours answer) {
	data, err := json.Marshal(document)
	require.NoError(s.t, err)
	sent := s.k.empty()
	require.NoError(s.t, json.Unmarshal(data, sent))
	real, err := s.manager.Update(s.live(), sent, manager)
	require.NoError(s.t, err)

	n, err := wire.Parse(data)
	require.NoError(s.t, err)
	o, _, err := wire.Decode(n, s.k.ours)
	require.NoError(s.t, err)
	delete(o, "kind")
	delete(o, "apiVersion")
	mine := s.write(manager).Update(wire.CopyMap(s.ours), o)
	theirs, ours = answer{object: s.encodeReal(real)}, answer{object: s.encodeOurs(mine)}
	s.real, s.ours = real, mine
	return theirs, ours
}

// apply does a server-side apply on both sides.
func (s *sides) apply(document map[string]any, manager string, force bool) (theirs, ours answer) {
	data, err := json.Marshal(document)
	require.NoError(s.t, err)
	config := &unstructured.Unstructured{}
	require.NoError(s.t, json.Unmarshal(data, &config.Object)) // as in the API server, every number is a float64
	real, realErr := s.manager.Apply(s.live(), config, manager, force)

	var o wire.Map
	require.NoError(s.t, json.Unmarshal(data, &o))
	var live wire.Map
	if s.ours != nil {
		live = wire.CopyMap(s.ours)
		live["kind"], live["apiVersion"] = s.k.name, s.k.apiVersion
	}
	mine, err := s.write(manager).Apply(live, o, force)
	if realErr != nil {
		theirs.err = inOrder(realErr.Error())
	} else {
		theirs.object = s.encodeReal(real)
	}
	if err != nil {
		ours.err = inOrder(err.Error())
	} else {
		ours.object = s.encodeOurs(mine)
	}
	if realErr == nil && err == nil {
		s.real, s.ours = real, mine
	}
	return theirs, ours
}

// inOrder sorts the errors of a configuration, because upstream iterates over a map.
func inOrder(text string) string {
	if before, list, several := strings.Cut(text, "errors:\n"); several {
		lines := strings.Split(list, "\n")
		sort.Strings(lines)
		return before + "errors:\n" + strings.Join(lines, "\n")
	}
	return text
}

// store adds what the registry adds to a created object.
func (s *sides) store(revision int) {
	if s.real == nil {
		return
	}
	accessor := s.real.(interface {
		SetUID(uid apitypes.UID)
		SetResourceVersion(string)
	})
	accessor.SetUID("uid")
	accessor.SetResourceVersion(fmt.Sprint(revision))
	wire.Set(s.ours, "uid", "metadata", "uid")
	wire.Set(s.ours, fmt.Sprint(revision), "metadata", "resourceVersion")
}

// Series of updates and applies give the same objects, managedFields and errors in apimachinery's field manager and in
// ours.
func TestFieldManager(t *testing.T) {
	const series, steps = 250, 16
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			counts, types := map[string]int{}, recordedTypes(t, k)
			for i := range series * *times {
				synctest.Test(t, func(t *testing.T) {
					w := &writer{draw: from(5<<32 + i), k: k}
					s := newSides(t, k, types)
					var told strings.Builder
					for step := range steps {
						time.Sleep(time.Second)
						manager := w.one("m1", "m2", "m3", "kubectl", "kubectl-client-side-apply", "before-first-apply")
						if i%4 == 0 { // more managers than the limit
							manager = fmt.Sprint("many", w.IntN(30))
						}
						document := w.document(false)
						meta := document["metadata"].(map[string]any)
						var theirs, ours answer
						what := "update"
						if (step == 0 && w.chance(50)) || w.chance(50) {
							if last, err := json.Marshal(w.document(true)); err == nil && w.chance(15) {
								annotations, _ := meta["annotations"].(map[string]any)
								if annotations == nil {
									annotations = map[string]any{}
								}
								annotations["kubectl.kubernetes.io/last-applied-configuration"] = w.one(string(last), "{", "", string(last)+" ")
								meta["annotations"] = annotations
							}
							var live []any
							if s.ours != nil {
								meta["uid"] = "uid"
								var tree map[string]any
								require.NoError(t, json.Unmarshal([]byte(s.encodeOurs(s.ours)), &tree))
								live, _ = tree["metadata"].(map[string]any)["managedFields"].([]any)
								if w.chance(20) { // read-modify-write: little changes
									changed := document
									document = tree
									meta = tree["metadata"].(map[string]any)
									document["spec"] = changed["spec"]
								}
							}
							delete(meta, "managedFields")
							if list := w.sentManaged(live); list != nil {
								meta["managedFields"] = list
							}
							theirs, ours = s.update(document, manager)
						} else {
							document = w.document(true)
							if i%8 < 3 { // configurations that shrink and grow, so that managers give up members
								manager = w.one("m1", "kubectl")
							}
							force := w.chance(50)
							what = fmt.Sprint("apply force=", force)
							theirs, ours = s.apply(document, manager, force)
						}
						sent, err := json.Marshal(document)
						require.NoError(t, err)
						fmt.Fprintf(&told, "%s by %s: %s\n", what, manager, sent)
						require.Equal(t, theirs, ours, "series %d step %d\n%s", i, step, told.String())
						switch {
						case strings.Contains(theirs.err, "conflict"):
							counts["conflicts"]++
						case theirs.err != "":
							counts["refused"]++
						default:
							counts[strings.Fields(what)[0]]++
						}
						s.store(step + 2)
					}
				})
				if t.Failed() {
					return
				}
			}
			t.Log(counts)
			for _, what := range []string{"update", "apply", "conflicts", "refused"} {
				assert.Greater(t, counts[what], series/10, what)
			}
		})
	}
}
