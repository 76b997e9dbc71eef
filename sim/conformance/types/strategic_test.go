package types

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

const strategicMedia = "application/strategic-merge-patch+json"

// patches draws valid and invalid strategic merge patches.
type patches struct{ draw }

func (p patches) texts() any {
	m := map[string]any{}
	for range p.IntN(4) {
		m[p.one("a", "b", "c.d/e")] = p.oneOf("1", "2", nil)
	}
	if p.chance(6) {
		m["$patch"] = p.oneOf("replace", "delete", "merge", "bogus", 1)
	}
	if p.chance(4) {
		m["$retainKeys"] = p.oneOf([]any{"a"}, []any{"a", "b", "c.d/e"}, "a", []any{1})
	}
	return m
}

func (p patches) oneOf(of ...any) any { return of[p.IntN(len(of))] }

func (p patches) names() []any {
	list := []any{}
	for range p.IntN(4) {
		list = append(list, p.one("f/a", "f/b", "f/c", "f/d"))
	}
	if p.chance(3) {
		list = append(list, p.oneOf(1, nil, map[string]any{"$patch": "delete"}, []any{"f/a"}))
	}
	return list
}

func (p patches) owners() []any {
	list := []any{}
	for range p.IntN(4) {
		o := map[string]any{"uid": p.one("u1", "u2", "u3"), "name": p.one("n", "m"), "kind": "Pod", "apiVersion": p.one("v1", "v2")}
		switch p.IntN(14) {
		case 0, 1:
			o["$patch"] = p.oneOf("delete", "replace", "merge", "bogus")
		case 2:
			delete(o, p.one("uid", "name", "kind"))
		case 3:
			o["controller"] = p.oneOf(true, nil)
		case 4:
			o = map[string]any{"$patch": "replace"}
		case 5:
			o["$retainKeys"] = []any{"uid", "name", "kind", "apiVersion"}
		}
		list = append(list, o)
	}
	if p.chance(3) {
		list = append(list, p.oneOf(1, nil, "u1", []any{}))
	}
	return list
}

func (p patches) patch() map[string]any {
	meta, spec := map[string]any{}, map[string]any{}
	add := func(percent int, m map[string]any, name string, value func() any) {
		if p.chance(percent) {
			m[name] = value()
		}
	}
	add(40, meta, "labels", p.texts)
	add(30, meta, "annotations", p.texts)
	add(40, meta, "finalizers", func() any { return p.names() })
	add(10, meta, "$setElementOrder/finalizers", func() any { return p.names() })
	add(15, meta, "$deleteFromPrimitiveList/finalizers", func() any { return p.names() })
	add(40, meta, "ownerReferences", func() any { return p.owners() })
	add(10, meta, "$setElementOrder/ownerReferences", func() any { return p.owners() })
	add(3, meta, "labels", func() any { return p.oneOf(nil, "x", []any{}) })
	add(3, meta, "finalizers", func() any { return p.oneOf(nil, "x", map[string]any{}) })
	add(2, meta, "$deleteFromPrimitiveList", func() any { return p.names() })
	add(2, meta, "$setElementOrder", func() any { return p.names() })
	add(2, meta, "$deleteFromPrimitiveList/labels", func() any { return p.names() })
	add(2, meta, "nope", func() any { return p.oneOf("x", map[string]any{"a": 1}, []any{1}) })
	add(60, spec, "holderIdentity", func() any { return p.oneOf("a", "b", nil) })
	add(40, spec, "leaseTransitions", func() any { return p.oneOf(1, 2, nil) })
	add(30, spec, "renewTime", func() any { return p.oneOf("2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:01.000000+01:00", nil) })
	add(3, spec, "leaseTransitions", func() any { return p.oneOf("x", 1.5, 1e3, true, map[string]any{}) })
	add(3, spec, "$patch", func() any { return p.oneOf("replace", "delete", "merge", "bogus") })
	add(3, spec, "$retainKeys", func() any {
		return p.oneOf([]any{"holderIdentity"}, []any{"holderIdentity", "leaseTransitions", "renewTime"}, 1)
	})
	patch := map[string]any{}
	add(95, patch, "metadata", func() any { return meta })
	add(80, patch, "spec", func() any { return spec })
	add(2, patch, "spec", func() any { return p.oneOf(nil, "x", []any{}) })
	return patch
}

// patchablePart returns the part of an object that patches can change, for comparison.
func patchablePart(o map[string]any) map[string]any {
	meta, _ := o["metadata"].(map[string]any)
	return map[string]any{
		"labels": meta["labels"], "annotations": meta["annotations"], "finalizers": meta["finalizers"], "ownerReferences": meta["ownerReferences"], "spec": o["spec"],
	}
}

// theirs patches as kube-apiserver does, with apimachinery's functions. It recovers from their panics, as the server
// does.
func theirs(t *testing.T, live, patch map[string]any) (o map[string]any, code int, err error) {
	defer func() {
		if recover() != nil {
			o, code, err = nil, 500, errors.New("This request caused apiserver to panic. Look in the logs for details.\n") //nolint:staticcheck // its text
		}
	}()
	merged, err := strategicpatch.StrategicMergeMapPatch(runtime.DeepCopyJSON(live), runtime.DeepCopyJSON(patch), &coordinationv1.Lease{})
	switch {
	case errors.Is(err, mergepatch.ErrBadPatchFormatForPrimitiveList), errors.Is(err, mergepatch.ErrBadPatchFormatForRetainKeys), errors.Is(err, mergepatch.ErrBadPatchFormatForSetElementOrderList):
		return nil, 400, err
	case errors.Is(err, mergepatch.ErrNoListOfLists):
		return nil, 422, err
	case err != nil:
		return nil, 500, err
	}
	var lease coordinationv1.Lease
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(merged, &lease); err != nil {
		return nil, 422, err
	}
	// The handler then drops duplicate owner references.
	var owners []metav1.OwnerReference
	for _, o := range lease.OwnerReferences {
		if !slices.ContainsFunc(owners, func(other metav1.OwnerReference) bool { return reflect.DeepEqual(o, other) }) {
			owners = append(owners, o)
		}
	}
	lease.OwnerReferences = owners
	data, err := json.Marshal(&lease)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &o))
	return o, 200, nil
}

// Strategic merge patches give the same results in apimachinery and in the API.
func TestStrategicMergePatch(t *testing.T) {
	counts := map[int]int{}
	invalid := 0
	for i := range 12_000 * *times {
		p := patches{from(8<<32 + i)}
		a := newAPI(t)
		meta := map[string]any{"name": "x", "labels": map[string]any{"a": "1", "b": "2"}, "annotations": map[string]any{"a": "1"}}
		if p.chance(80) {
			meta["finalizers"] = []any{"f/a", "f/b", "f/c"}[:1+p.IntN(3)]
			meta["ownerReferences"] = []any{
				map[string]any{"uid": "u1", "name": "n", "kind": "Pod", "apiVersion": "v1", "controller": true},
				map[string]any{"uid": "u2", "name": "n", "kind": "Pod", "apiVersion": "v1"},
			}[:1+p.IntN(2)]
		}
		body, err := json.Marshal(map[string]any{"metadata": meta, "spec": map[string]any{"holderIdentity": "h", "leaseTransitions": 1}})
		require.NoError(t, err)
		code, made := a.do("POST", leases, nil, "application/json", body)
		require.Equal(t, 201, code, made)
		_, live := a.do("GET", leases+"/x", nil, "", nil)
		floatsToInts(live)

		sent, err := json.Marshal(p.patch())
		require.NoError(t, err)
		var patch map[string]any
		require.NoError(t, json.Unmarshal(sent, &patch))
		floatsToInts(patch)
		code, got := a.do("PATCH", leases+"/x", map[string][]string{"fieldValidation": {"Ignore"}}, strategicMedia, sent)
		if details, _ := got["details"].(map[string]any); code == 422 && details["kind"] == "Lease" || code == 422 && details["kind"] == "leases" {
			invalid++ // the patch made an invalid Lease
			continue
		}
		// Upstream iterates over maps: several outcomes may be right.
		var all []string
		for try := 0; ; try++ {
			want, wantCode, err := theirs(t, live, patch)
			var same bool
			if wantCode == 200 && code == 200 {
				same = assert.ObjectsAreEqual(patchablePart(want), patchablePart(got))
			} else {
				same = wantCode == code && (wantCode != 400 && wantCode != 500 || got["message"] == err.Error())
			}
			if same {
				counts[code]++
				break
			}
			all = append(all, fmt.Sprint(wantCode, " ", err, " ", patchablePart(want)))
			if try == 40 {
				require.Failf(t, "another answer", "seed %d\npatch %s\nlive %v\nours %d %v\ntheirs %s", i, sent, patchablePart(live), code, got, all[0])
			}
		}
	}
	t.Logf("by status: %v, invalid: %d", counts, invalid)
	assert.Greater(t, counts[200], 5000)
	assert.Greater(t, counts[400], 100)
	assert.Greater(t, counts[500], 100)
}

// floatsToInts converts whole numbers to integers, as apimachinery's decoder does.
func floatsToInts(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = floatsToInts(v[name])
		}
	case []any:
		for i := range v {
			v[i] = floatsToInts(v[i])
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return v
}
