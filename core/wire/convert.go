package wire

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
)

// Convert converts a tree to a canonical object of a struct type, as upstream's converter does. It is less strict
// about numbers than a decoder, and its errors have other texts. If strict is true, the result unknown lists the
// members that the type lacks, sorted. Source: apimachinery v0.36 pkg/runtime/converter.go
// FromUnstructuredWithValidation.
func Convert(tree Map, t *Type, strict bool) (object Map, unknown []string, err error) {
	c := converter{strict: strict}
	value, err := c.value(tree, t, "")
	if err != nil {
		return nil, nil, err
	}
	sort.Strings(c.unknown)
	return value.(Map), c.unknown, nil
}

type converter struct {
	strict  bool
	unknown []string
}

// goKind returns a value's kind as package reflect names it.
func goKind(value any) string {
	switch value.(type) {
	case []any:
		return "slice"
	case Map:
		return "map"
	}
	return fmt.Sprintf("%T", value)
}

func (c *converter) value(value any, t *Type, path string) (any, error) {
	if value == nil {
		return nil, nil
	}
	switch t.Shape {
	case ATime, AMicroTime:
		return convertInstant(value, t)
	case AStruct:
		return c.structure(value, t, path)
	case AMap:
		return c.stringMap(value, t, path)
	case AList:
		return c.list(value, t, path)
	case Raw, Any:
		return value, nil
	}
	return convertScalar(value, t)
}

func (c *converter) structure(value any, t *Type, path string) (any, error) {
	m, is := value.(Map)
	if !is {
		return nil, fmt.Errorf("cannot restore struct from: %s", goKind(value))
	}
	out := Map{}
	for i := range t.Fields {
		f := &t.Fields[i]
		inner, has := m[f.Name]
		if !has {
			continue
		}
		converted, err := c.value(inner, f.Type, joinPath(path, f.Name))
		if err != nil {
			return nil, err
		}
		f.store(out, f.canonical(converted))
	}
	if HasOpenTypes {
		for _, name := range t.Others(m) {
			if m[name] != nil {
				out[name] = m[name]
			}
		}
	}
	if c.strict && !t.Open {
		for _, name := range Keys(m) {
			if t.Field(name) == nil {
				c.unknown = append(c.unknown, fmt.Sprintf(`unknown field "%s"`, joinPath(path, name)))
			}
		}
	}
	t.keep(out)
	return out, nil
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (c *converter) stringMap(value any, t *Type, path string) (any, error) {
	m, is := value.(Map)
	if !is {
		return nil, fmt.Errorf("cannot restore map from %s", goKind(value))
	}
	out := make(Map, len(m))
	for _, name := range Keys(m) {
		inner, err := c.value(m[name], t.Elem, path)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			inner = zero(t.Elem)
		}
		out[name] = inner
	}
	return out, nil
}

func (c *converter) list(value any, t *Type, path string) (any, error) {
	items, is := value.([]any)
	if !is {
		return nil, fmt.Errorf("cannot restore slice from %s", goKind(value))
	}
	out := make([]any, len(items))
	for i, item := range items {
		inner, err := c.value(item, t.Elem, path+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		if inner == nil {
			inner = zero(t.Elem)
		}
		out[i] = inner
	}
	return out, nil
}

// convertScalar lets integers that overflow wrap around. It truncates no other value.
func convertScalar(value any, t *Type) (any, error) {
	var whole int64
	if HasOpenTypes && t.Bytes {
		return convertBytes(value, t)
	}
	switch v := value.(type) {
	case string:
		if t.Shape == AString {
			return v, nil
		}
	case bool:
		if t.Shape == ABool {
			return v, nil
		}
	case int64:
		if t.Shape == AString {
			return nil, errors.New("cannot convert int64 to " + t.GoType)
		}
		whole = v
	case float64:
		if t.Shape != AnInt32 && t.Shape != AnInt64 {
			break
		}
		if v != math.Trunc(v) {
			return nil, errors.New("cannot convert float64 to " + t.GoType)
		}
		whole = math.MinInt64 // result on amd64 for a float that is too large
		if v >= math.MinInt64 && v < -math.MinInt64 {
			whole = int64(v)
		}
		return wrap(whole, t), nil
	}
	if _, integer := value.(int64); integer && t.Shape != ABool {
		return wrap(whole, t), nil
	}
	return nil, errors.New("unrecognized type: " +
		map[Shape]string{AString: "string", ABool: "bool", AnInt32: "int32", AnInt64: "int64"}[t.Shape])
}

// convertBytes converts base64, which upstream takes for a list of bytes.
func convertBytes(value any, t *Type) (any, error) {
	text, is := value.(string)
	if !is {
		return nil, fmt.Errorf("cannot restore slice from %s", goKind(value))
	}
	text, err := canonicalBase64(text)
	if err != nil {
		return nil, fmt.Errorf("error decoding from json: %w", err)
	}
	return text, nil
}

// canonicalBase64 returns base64 as Go's encoder prints the bytes: without line breaks.
func canonicalBase64(text string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	return base64.StdEncoding.EncodeToString(data), err
}

func wrap(whole int64, t *Type) int64 {
	if t.Shape == AnInt32 {
		return int64(int32(whole))
	}
	return whole
}

func convertInstant(value any, t *Type) (any, error) {
	text, is := value.(string)
	if !is {
		word := map[string]string{"slice": "array", "map": "object", "int64": "number",
			"float64": "number"}[goKind(value)]
		if word == "" {
			word = goKind(value)
		}
		return nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type string", word)
	}
	layout := TimeLayout
	if t.Shape == AMicroTime {
		layout = MicroTimeLayout
	}
	return instantOf(text, layout)
}
