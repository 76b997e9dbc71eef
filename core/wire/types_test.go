package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/wire"
)

// A text of types gives the same types as Go's literals.
func TestParseTypes(t *testing.T) {
	earlier := wire.ParseTypes("types.UID = string\n", nil)
	uid := &wire.Type{Shape: wire.AString, GoType: "types.UID"}
	assert.Equal(t, uid, earlier["types.UID"])
	owner := &wire.Type{Shape: wire.AStruct, GoName: "Owner", GoType: "v1.Owner", Whole: true, Fields: []wire.Field{
		{Name: "uid", Type: uid, Keep: true}, {Name: "controller", Type: wire.BoolType, Pointer: true}}}
	types := wire.ParseTypes(`# a list may come before the type of its items

v1.Meta
	owners []v1.Owner key uid kind, finalizers []string set
	labels map[string]string, extra map[string][]string
	other, names *[]string
v1.Owner atomic
	uid! types.UID, controller *bool
v2.Owner = v1.Owner
`, earlier)
	texts := &wire.Type{Shape: wire.AList, GoType: "[]string", Elem: wire.StringType}
	assert.Equal(t, &wire.Type{Shape: wire.AStruct, GoName: "Meta", GoType: "v1.Meta", Fields: []wire.Field{
		{Name: "owners", Type: &wire.Type{Shape: wire.AList, GoType: "[]v1.Owner", Elem: owner, Merge: wire.ByKey,
			Keys: []string{"uid", "kind"}}},
		{Name: "finalizers", Type: &wire.Type{Shape: wire.AList, GoType: "[]string", Elem: wire.StringType,
			Merge: wire.AsSet, Keys: []string{}}},
		{Name: "labels", Type: wire.StringMapType},
		{Name: "extra", Type: &wire.Type{Shape: wire.AMap, GoType: "map[string][]string", Elem: texts}},
		{Name: "other", Type: wire.AnyType},
		{Name: "names", Type: texts, Pointer: true},
	}}, types["v1.Meta"])
	assert.Equal(t, "v2.Owner", types["v2.Owner"].GoType)
	assert.Equal(t, owner.Fields, types["v2.Owner"].Fields)
	assert.NotContains(t, earlier, "v1.Meta")
	assert.PanicsWithValue(t, "the type v1.Onwer has no fields",
		func() { wire.ParseTypes("v1.Meta\n\towner v1.Onwer\n", nil) })
}
