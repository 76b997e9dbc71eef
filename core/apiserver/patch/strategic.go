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

// Strategic merges a strategic merge patch into an object of type t and returns the merged object. Both arguments may be
// changed. The error is Malformed, Rejected, ErrCrash, or one of upstream's internal errors.
func Strategic(object, patch wire.Map, t *wire.Type) (wire.Map, error) {
	return mergeObjects(object, patch, t)
}

// The errors that upstream makes out of values.
func errBadType(want, have any) error {
	return fmt.Errorf("expected a %s, but received a %s", reflect.TypeOf(want), reflect.TypeOf(have))
}

func errNoMergeKey(m wire.Map, key string) error {
	return fmt.Errorf("map: %v does not contain declared merge key: %s", m, key)
}

func errDirective(directive any, m wire.Map) error {
	return fmt.Errorf("unknown patch type: %s in map: %v", directive, m)
}

// merging is how a field's lists merge: with mergeKey, or as scalars without one, or not at all.
type merging struct {
	elem     *wire.Type
	merges   bool
	mergeKey string
}

// fieldOf is a struct's field as a patch finds it, in any case if there is none in the exact one.
// Source: apimachinery v0.36 third_party/forked/golang/json fields.go LookupPatchMetadataForStruct.
func fieldOf(t *wire.Type, name string) (*wire.Field, error) {
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

// kindWord is a type's kind as package reflect names it.
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

// listMerging is how a struct's list merges.
// Source: apimachinery v0.36 pkg/util/strategicpatch meta.go LookupPatchMetadataForSlice.
func listMerging(t *wire.Type, name string) (merging, error) {
	f, err := fieldOf(t, name)
	if err != nil {
		return merging{}, err
	}
	if f.Type.Shape != wire.AList {
		if f.Pointer { // upstream takes what a pointer leads to for an element
			return merging{elem: f.Type}, nil
		}
		return merging{}, fmt.Errorf("expected slice or array type, but got: %s", kindWord(t))
	}
	m := merging{elem: f.Type.Elem, merges: f.Type.PatchMerge != wire.Atomic}
	if len(f.Type.PatchKeys) > 0 {
		m.mergeKey = f.Type.PatchKeys[0]
	}
	return m, nil
}

// mergeObjects merges a patch into an object. Both may be changed. Unlike upstream, which walks its maps as they come, it
// goes by name, so that what is deleted from a list comes before what is added to it.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go mergeMap.
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
	if err := mergeOrdered(original, patch, t); err != nil {
		return nil, err
	}
	for _, name := range wire.Keys(patch) {
		value, deletes := patch[name], strings.HasPrefix(name, deletionDirective)
		if deletes {
			field, err := directed(name, deletionDirective, errPrimitiveList)
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
		if err := mergeMember(original, name, value, deletes, t); err != nil {
			return nil, err
		}
	}
	return original, nil
}

// directed is the field that a directive in a member's name is for.
func directed(name, directive string, malformed error) (string, error) {
	prefix, field, has := strings.Cut(name, "/")
	if !has || prefix != directive {
		return "", malformed
	}
	return field, nil
}

// mergeMember merges one member of a patch that is not null. deletes says that value lists what goes from a list.
func mergeMember(original wire.Map, name string, value any, deletes bool, t *wire.Type) error {
	have, has := original[name]
	if !has || reflect.TypeOf(have) != reflect.TypeOf(value) {
		if deletes {
			return nil
		}
		dropNulls(value)
		set(original, name, value)
		return nil
	}
	switch v := value.(type) {
	case wire.Map:
		f, err := fieldOf(t, name)
		if err != nil {
			return err
		}
		merged, err := mergeObjects(have.(wire.Map), v, f.Type)
		original[name] = merged
		return err
	case []any:
		how, err := listMerging(t, name)
		if err != nil {
			return err
		}
		merged, err := how.lists(have.([]any), v, deletes)
		original[name] = merged
		return err
	}
	set(original, name, value)
	return nil
}

// set puts a value of a patch in its place, without its directives.
func set(original wire.Map, name string, value any) {
	kept, keep := withoutDirectives(value)
	if !keep {
		delete(original, name)
		return
	}
	original[name] = kept
}

// withoutDirectives is a value of a patch as an object's value; an object with a directive is none.
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

// dropNulls takes the nulls out of a value: there is nothing that they could delete.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go discardNullValuesFromPatch.
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

// retainKeys leaves an object only the members that the directive names.
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
		if value != nil && !retained[name] && !strings.HasPrefix(name, deletionDirective) && !strings.HasPrefix(name, orderDirective) {
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
