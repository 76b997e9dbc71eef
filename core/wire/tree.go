// Package wire represents the JSON of Kubernetes objects: documents as sent (Node), objects in canonical form (Map),
// and the schema (Type) that converts between them.
//
// Guarantee: Decode returns canonical objects. They lack the members that Go's encoder leaves out, and their instants
// are in printed form. So two objects are equal if and only if their trees are. Encode writes the members in the order
// of upstream's Go types, byte for byte as encoding/json does. Non-guarantee: a canonical object need not be valid;
// the package of its kind validates it.
package wire

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/leaselab/leaselab/core/elements"
)

// Map is a JSON object. Values are nil, bool, int64, float64, string, []any and Map.
type Map = map[string]any

// Keys returns the members' names, sorted.
func Keys(m Map) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// Copy returns a deep copy of a value.
func Copy(value any) any {
	switch v := value.(type) {
	case Map:
		return CopyMap(v)
	case []any:
		return elements.Of(v, Copy)
	}
	return value
}

// CopyMap returns a deep copy of an object; nil stays nil.
func CopyMap(m Map) Map {
	if m == nil {
		return nil
	}
	c := make(Map, len(m))
	for key, value := range m {
		c[key] = Copy(value)
	}
	return c
}

// Bytes returns the approximate memory of a value in bytes.
func Bytes(value any) int64 {
	const header = 16 // size of an interface or a string
	switch v := value.(type) {
	case Map:
		total := int64(48) // size of the map, and of its slots in groups of eight
		for slots := 8; len(v) > 0; slots *= 2 {
			if slots >= len(v)+len(v)/8 {
				total += int64(slots) * 2 * header * 9 / 8
				break
			}
		}
		for key, member := range v {
			total += allocationSize(len(key)) + Bytes(member)
		}
		return total
	case []any:
		total := int64(header + 8)
		for _, item := range v {
			total += header + Bytes(item)
		}
		return total
	case string:
		return header + allocationSize(len(v))
	}
	return 8
}

// allocationSize returns the number of bytes that Go allocates for a string of this length.
func allocationSize(length int) int64 { return int64(length+15) &^ 15 }

// Equal reports whether two values are the same.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case Map:
		y, same := b.(Map)
		return same && maps.EqualFunc(x, y, Equal)
	case []any:
		y, same := b.([]any)
		return same && slices.EqualFunc(x, y, Equal)
	}
	return a == b
}

// Identity returns a map key: two values have the same key if and only if they are Equal.
func Identity(value any) any {
	switch value.(type) {
	case Map, []any:
		return whole(appendIdentity(nil, value))
	}
	return value
}

// The type whole holds the Identity of an object or a list, and distinguishes it from strings.
type whole string

// appendIdentity appends an unambiguous encoding of a value. Integers and floats differ, and lengths come first.
func appendIdentity(out []byte, value any) []byte {
	switch v := value.(type) {
	case Map:
		out = strconv.AppendInt(append(out, '{'), int64(len(v)), 10)
		for _, name := range Keys(v) {
			out = appendIdentity(appendIdentity(out, name), v[name])
		}
	case []any:
		out = strconv.AppendInt(append(out, '['), int64(len(v)), 10)
		for _, item := range v {
			out = appendIdentity(out, item)
		}
	case string:
		out = append(strconv.AppendInt(append(out, '"'), int64(len(v)), 10), ' ')
		out = append(out, v...)
	case int64:
		out = strconv.AppendInt(append(out, 'i'), v, 10)
	case float64:
		out = strconv.AppendFloat(append(out, 'f'), v+0, 'g', -1, 64) // adding 0 turns -0 into 0
	default:
		out = fmt.Appendf(out, "%T %v", v, v)
	}
	return out
}

// Get returns the value at a path of member names, or nil.
func Get(m Map, path ...string) any {
	var value any = m
	for _, name := range path {
		object, is := value.(Map)
		if !is {
			return nil
		}
		value = object[name]
	}
	return value
}

// Text returns the string at a path, or "".
func Text(m Map, path ...string) string {
	s, _ := Get(m, path...).(string)
	return s
}

// Object returns the object at a path, or nil.
func Object(m Map, path ...string) Map {
	o, _ := Get(m, path...).(Map)
	return o
}

// List returns the list at a path, or nil.
func List(m Map, path ...string) []any {
	l, _ := Get(m, path...).([]any)
	return l
}

// Set stores a value at a path and creates missing objects on the way. A nil value removes the member.
func Set(m Map, value any, path ...string) {
	for _, name := range path[:len(path)-1] {
		next, is := m[name].(Map)
		if !is {
			if value == nil {
				return
			}
			next = Map{}
			m[name] = next
		}
		m = next
	}
	last := path[len(path)-1]
	if value == nil {
		delete(m, last)
		return
	}
	m[last] = value
}

// Texts returns texts as a list in a tree.
func Texts(all []string) []any { return elements.Of(all, func(text string) any { return text }) }
