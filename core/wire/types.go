package wire

import (
	"maps"
	"strings"
)

// Types has types by their names in Go, such as string, []string, map[string]string and v1.LeaseSpec.
type Types map[string]*Type

// basicTypes are the types that every text may name.
var basicTypes = Types{
	"string": StringType, "bool": BoolType, "int32": Int32Type, "int64": Int64Type, "Time": TimeType,
	"MicroTime": MicroTimeType, "FieldsV1": RawType, "any": AnyType, "map[string]string": StringMapType,
	"[]uint8": {Shape: AString, GoType: "[]uint8", Bytes: true},
}

// ParseTypes returns the types of a text, which may also name earlier types:
//
//	types.UID = string                              another name of a type
//	v1.OwnerReference                               a struct; "atomic" after the name gives it a single owner
//	    apiVersion! string, uid! types.UID          its fields: ! marks one that the encoder writes even if empty
//	    controller *bool                            a pointer
//	    owners []v1.OwnerReference key uid          a list whose items match by uid; "set": they match by value
//	    extra                                       any value
//
// A text that names an unknown type panics.
func ParseTypes(text string, earlier Types) Types {
	all := maps.Clone(basicTypes)
	maps.Copy(all, earlier)
	var of *Type
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case line[0] == '\t':
			for field := range strings.SplitSeq(line, ",") {
				of.Fields = append(of.Fields, all.field(strings.Fields(field)))
			}
		case len(words) == 3 && words[1] == "=":
			*all.named(words[0]) = *all[words[2]]
			all[words[0]].GoType = words[0]
		default:
			of = all.named(words[0])
			of.Whole = len(words) > 1 && words[1] == "atomic"
		}
	}
	for name, t := range all {
		if t.Shape == AStruct && t.Fields == nil {
			panic("the type " + name + " has no fields")
		}
	}
	return all
}

// named returns the type with a name. It makes a list or a map, or a struct whose fields may follow.
func (t Types) named(name string) *Type {
	if known := t[name]; known != nil {
		return known
	}
	made := &Type{Shape: AStruct, GoName: name[strings.LastIndexByte(name, '.')+1:], GoType: name}
	t[name] = made
	for shape, prefix := range map[Shape]string{AList: "[]", AMap: "map[string]"} {
		if elem, is := strings.CutPrefix(name, prefix); is {
			*made = Type{Shape: shape, GoType: name, Elem: t.named(elem)}
		}
	}
	return made
}

func (t Types) field(words []string) Field {
	f := Field{Type: AnyType}
	f.Name, f.Keep = strings.CutSuffix(words[0], "!")
	if len(words) > 1 {
		var name string
		name, f.Pointer = strings.CutPrefix(words[1], "*")
		f.Type = t.named(name)
	}
	if len(words) > 2 {
		list := *f.Type
		list.Merge, list.Keys = AsSet, words[3:]
		if words[2] == "key" {
			list.Merge = ByKey
		}
		f.Type = &list
	}
	return f
}
