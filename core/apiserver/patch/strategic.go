package patch

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// The directives of strategic merge patches.
const (
	patchDirective      = "$patch"
	replaceDirective    = "replace"
	deleteDirective     = "delete"
	mergeDirective      = "merge"
	retainKeysDirective = "$retainKeys"
	orderDirective      = "$setElementOrder"
	deletionDirective   = "$deleteFromPrimitiveList"
)

const (
	errPrimitiveList = Malformed("invalid patch format of primitive list")
	errRetainKeys    = Malformed("invalid patch format of retainKeys")
	errElementOrder  = Malformed("invalid patch format of setElementOrder list")
	errListOfLists   = Rejected("lists of lists are not supported")
)

// Strategic merges a strategic merge patch into an object of type t and returns the merged object. It may change both
// arguments. The error is Malformed, Rejected, ErrCrash, or one of upstream's internal errors.
func Strategic(object, patch wire.Map, t *wire.Type) (wire.Map, error) {
	return mergeObjects(object, patch, t)
}

// Upstream's errors that contain values.
func errBadType(want, have any) error {
	return fmt.Errorf("expected a %s, but received a %s", reflect.TypeOf(want), reflect.TypeOf(have))
}

func errNoMergeKey(m wire.Map, key string) error {
	return fmt.Errorf("map: %v does not contain declared merge key: %s", m, key)
}

func errDirective(directive any, m wire.Map) error {
	return fmt.Errorf("unknown patch type: %s in map: %v", directive, m)
}

// merging says how a field's lists merge: by mergeKey, as scalars, or not at all.
type merging struct {
	elem     *wire.Type
	merges   bool
	mergeKey string
}

// anyField stands for a field of a kind without a schema. Its objects merge, and its lists replace each other.
var anyField = wire.Field{Type: wire.AnyType, Pointer: true}

// fieldOf returns the struct field for a member of a patch: by its exact name, else in any letter case.
// Source: apimachinery v0.36 third_party/forked/golang/json fields.go LookupPatchMetadataForStruct.
func fieldOf(t *wire.Type, name string) (*wire.Field, error) {
	if wire.HasOpenTypes && t != nil && (t.Shape == wire.Any || t.Open && t.Field(name) == nil) {
		return &anyField, nil
	}
	if t == nil || t.Shape != wire.AStruct {
		return nil, fmt.Errorf("merging an object in json but data type is not struct, instead is: %s", kindWord(t))
	}
	if f := t.Field(name); f != nil {
		return f, nil
	}
	for i := range t.Fields {
		if strings.EqualFold(t.Fields[i].Name, name) {
			return &t.Fields[i], nil
		}
	}
	return nil, fmt.Errorf("unable to find api field in struct %s for the json field %q", t.GoName, name)
}

// kindWord returns a type's kind in the words of package reflect.
func kindWord(t *wire.Type) string {
	switch {
	case t == nil:
		return "interface"
	case t.Shape == wire.AStruct, t.Shape == wire.ATime, t.Shape == wire.AMicroTime:
		return "struct"
	case t.Shape == wire.AMap:
		return "map"
	case t.Shape == wire.AList:
		return "slice"
	case t.Shape == wire.AnInt32:
		return "int32"
	case t.Shape == wire.AnInt64:
		return "int64"
	case t.Shape == wire.ABool:
		return "bool"
	}
	return "string"
}

// listMerging returns how a list of a struct merges.
// Source: apimachinery v0.36 pkg/util/strategicpatch meta.go LookupPatchMetadataForSlice.
func listMerging(t *wire.Type, name string) (merging, error) {
	f, err := fieldOf(t, name)
	if err != nil {
		return merging{}, err
	}
	if f.Type.Shape != wire.AList {
		if f.Pointer { // upstream uses the pointer's element
			return merging{elem: f.Type}, nil
		}
		return merging{}, fmt.Errorf("expected slice or array type, but got: %s", kindWord(t))
	}
	m := merging{elem: f.Type.Elem, merges: f.Type.Merge != wire.Atomic}
	if len(f.Type.Keys) > 0 {
		m.mergeKey = f.Type.Keys[0]
	}
	return m, nil
}

// mergeObjects merges a patch into an object. It may change both. Upstream goes in map order; mergeObjects goes in
// order of names, so that deletions from a list come before additions. Source: apimachinery v0.36
// pkg/util/strategicpatch patch.go mergeMap.
func mergeObjects(original, patch wire.Map, t *wire.Type) (wire.Map, error) {
	if directive, has := patch[patchDirective]; has {
		switch directive {
		case replaceDirective:
			delete(patch, patchDirective)
			return patch, nil
		case deleteDirective:
			return wire.Map{}, nil
		}
		return nil, errDirective(directive, patch)
	}
	if err := retainKeys(original, patch); err != nil {
		return nil, err
	}
	m := objectMerge{original, patch, t}
	if err := m.mergeOrdered(); err != nil {
		return nil, err
	}
	for _, name := range wire.Keys(patch) {
		value, deletes := patch[name], strings.HasPrefix(name, deletionDirective)
		if deletes {
			field, err := fieldNamed(name, deletionDirective, errPrimitiveList)
			if err != nil {
				return nil, err
			}
			if field != "" {
				name = field
			}
		}
		if value == nil {
			delete(original, name)
			continue
		}
		if err := m.member(name, value, deletes); err != nil {
			return nil, err
		}
	}
	return original, nil
}

// fieldNamed returns the field that a directive in a member's name refers to.
func fieldNamed(name, directive string, malformed error) (string, error) {
	prefix, field, has := strings.Cut(name, "/")
	if !has || prefix != directive {
		return "", malformed
	}
	return field, nil
}

// The method member merges one member of a patch, whose value is not null. If "deletes" is true, "value" lists the
// items to delete from a list.
func (m objectMerge) member(name string, value any, deletes bool) error {
	have, has := m.original[name]
	if !has || reflect.TypeOf(have) != reflect.TypeOf(value) {
		if deletes {
			return nil
		}
		dropNulls(value)
		store(m.original, name, value)
		return nil
	}
	switch v := value.(type) {
	case wire.Map:
		f, err := fieldOf(m.t, name)
		if err != nil {
			return err
		}
		merged, err := mergeObjects(have.(wire.Map), v, f.Type)
		m.original[name] = merged
		return err
	case []any:
		how, err := listMerging(m.t, name)
		if err != nil {
			return err
		}
		merged, err := how.lists(have.([]any), v, deletes)
		m.original[name] = merged
		return err
	}
	store(m.original, name, value)
	return nil
}

// store stores a value of a patch in the object, without its directives.
func store(original wire.Map, name string, value any) {
	kept, keep := withoutDirectives(value)
	if !keep {
		delete(original, name)
		return
	}
	original[name] = kept
}

// withoutDirectives turns a patch's value into an object's value. The result keep is false for an object that is itself
// a directive.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go removeDirectives.
func withoutDirectives(value any) (kept any, keep bool) {
	switch v := value.(type) {
	case wire.Map:
		if _, has := v[patchDirective]; has {
			return nil, false
		}
		for _, name := range wire.Keys(v) {
			if v[name], keep = withoutDirectives(v[name]); !keep {
				delete(v, name)
			}
		}
	case []any:
		items := []any{}
		for _, item := range v {
			if inner, keep := withoutDirectives(item); keep {
				items = append(items, inner)
			}
		}
		return items, true
	}
	return value, true
}

// dropNulls removes nulls from a value, because they have nothing to delete. Source: apimachinery v0.36
// pkg/util/strategicpatch patch.go discardNullValuesFromPatch.
func dropNulls(value any) {
	switch v := value.(type) {
	case wire.Map:
		for _, name := range wire.Keys(v) {
			if v[name] == nil {
				delete(v, name)
			} else {
				dropNulls(v[name])
			}
		}
	case []any:
		for _, item := range v {
			dropNulls(item)
		}
	}
}

// retainKeys removes all members of an object that the directive does not name.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go applyRetainKeysDirective.
func retainKeys(original, patch wire.Map) error {
	directive, has := patch[retainKeysDirective]
	if !has {
		return nil
	}
	delete(patch, retainKeysDirective)
	list, is := directive.([]any)
	if !is {
		return errRetainKeys
	}
	retained := map[any]bool{}
	for _, item := range list {
		if name, is := item.(string); is {
			retained[name] = true
		}
	}
	for name, value := range patch {
		if value != nil && !retained[name] && !strings.HasPrefix(name, deletionDirective) &&
			!strings.HasPrefix(name, orderDirective) {
			return errRetainKeys
		}
	}
	for _, name := range wire.Keys(original) {
		if !retained[name] {
			delete(original, name)
		}
	}
	return nil
}
