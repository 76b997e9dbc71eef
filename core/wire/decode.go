package wire

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Layouts of metav1.Time and metav1.MicroTime for package time.
const (
	TimeLayout      = time.RFC3339
	MicroTimeLayout = "2006-01-02T15:04:05.000000Z07:00"
)

// Decode decodes a document into a canonical object of a struct type. The result strict lists the errors of a strict
// decoder (unknown and duplicate members) in the order of the document. The result err is encoding/json's error for the
// first malformed instant, which ends the decoding. If no instant is malformed, err is the error for the first value of
// a wrong type. A duplicate member decodes into the value of the earlier one, so it keeps the parts that only the
// earlier one has.
// Source: sigs.k8s.io/json v0 UnmarshalStrict, which apimachinery v0.36 uses for every body.
func Decode(n *Node, t *Type) (object Map, strict []string, err error) {
	var path [8]step // long enough for a Lease's deepest members
	var fields [8]string
	d := decoder{path: path[:0], fields: fields[:0]}
	value, err := d.value(n, t, "", nil)
	if err != nil {
		return nil, d.strict, err
	}
	if d.first != nil {
		return nil, d.strict, d.first
	}
	object, _ = value.(Map)
	if object == nil {
		object, _ = zero(t).(Map)
	}
	return object, d.strict, nil
}

// decoder skips values of the wrong type and keeps the error for the first one. A malformed instant ends the
// decoding.
type decoder struct {
	strict []string
	first  error
	path   []step   // path for strict errors, with indices
	fields []string // path for type errors, without indices
}

// step is one step of a path. It leads to a member of an object, or to an item of a list, which has no name.
type step struct {
	name string
	item int
}

// member enters a member of an object.
func (d *decoder) member(name string) { d.path = append(d.path, step{name: name, item: -1}) }

// index enters an item of a list.
func (d *decoder) index(i int) { d.path = append(d.path, step{item: i}) }

// place returns the current path, with dots and indices.
func (d *decoder) place() string {
	var out []byte
	for i, s := range d.path {
		switch {
		case s.item >= 0:
			out = append(strconv.AppendInt(append(out, '['), int64(s.item), 10), ']')
		case i > 0:
			out = append(append(out, '.'), s.name...)
		default:
			out = append(out, s.name...)
		}
	}
	return string(out)
}

func (d *decoder) wrong(n *Node, what, owner, goType string) {
	if d.first != nil {
		return
	}
	d.first = d.typeError(what, owner, goType)
}

func (d *decoder) typeError(what, owner, goType string) error {
	if owner == "" && len(d.fields) == 0 {
		return fmt.Errorf("json: cannot unmarshal %s into Go value of type %s", what, goType)
	}
	return fmt.Errorf("json: cannot unmarshal %s into Go struct field %s.%s of type %s", what, owner,
		strings.Join(d.fields, "."), goType)
}

// mostStrictErrors is the maximum number of strict errors.
// Source: sigs.k8s.io/json v0 saveStrictError.
const mostStrictErrors = 100

// refuse records a strict error: each text only once, and at most mostStrictErrors in total.
func (d *decoder) refuse(format string) {
	if len(d.strict) == mostStrictErrors {
		return
	}
	said := fmt.Sprintf(format, d.place())
	for _, s := range d.strict {
		if s == said {
			return
		}
	}
	d.strict = append(d.strict, said)
}

// The method value decodes a value. If an earlier member has the same name, it decodes into the value of that member.
func (d *decoder) value(n *Node, t *Type, owner string, earlier any) (any, error) {
	if n.Kind == Null {
		return nil, nil
	}
	switch t.Shape {
	case AString:
		if n.Kind != String {
			d.wrong(n, n.Kind.word(), owner, t.GoType)
			return nil, nil
		}
		if !HasOpenTypes || !t.Bytes {
			return n.Text, nil
		}
		text, err := canonicalBase64(n.Text)
		if err != nil && d.first == nil {
			d.first = err
		}
		return text, nil
	case ABool:
		if n.Kind != Bool {
			d.wrong(n, n.Kind.word(), owner, t.GoType)
			return nil, nil
		}
		return n.Truth, nil
	case AnInt32, AnInt64:
		return d.integer(n, t, owner)
	case ATime, AMicroTime:
		return d.instant(n, t, owner)
	case AList:
		if n.Kind != Array {
			d.wrong(n, n.Kind.word(), owner, t.GoType)
			return nil, nil
		}
		list := make([]any, 0, len(n.Items))
		there, _ := earlier.([]any)
		for i, item := range n.Items {
			var before any
			if i < len(there) {
				before = there[i]
			}
			d.index(i)
			value, err := d.value(item, t.Elem, owner, before)
			d.path = d.path[:len(d.path)-1]
			if err != nil {
				return nil, err
			}
			switch {
			case value != nil:
			case before != nil:
				value = before
			default:
				value = zero(t.Elem)
			}
			list = append(list, value)
		}
		return list, nil
	case AMap:
		return d.stringMap(n, t, owner, earlier)
	case Raw:
		return rawValue(n), nil
	case Any:
		d.anything(n, owner)
		return rawValue(n), nil
	}
	return d.structure(n, t, owner, earlier)
}

// The method anything records duplicate members anywhere inside a value, and numbers too large for a float64.
func (d *decoder) anything(n *Node, owner string) {
	if n.Kind == Number {
		if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
			d.wrong(n, "number "+n.Text, owner, "float64")
		}
		return
	}
	seen := make(map[string]bool, len(n.Names))
	for i, item := range n.Items {
		if n.Kind == ObjectKind {
			name := n.Names[i]
			d.member(name)
			if seen[name] {
				d.refuse("duplicate field %q")
			}
			seen[name] = true
		} else {
			d.index(i)
		}
		d.anything(item, owner)
		d.path = d.path[:len(d.path)-1]
	}
}

// zero returns Go's zero value of a type, which replaces a null inside a list.
func zero(t *Type) any {
	switch t.Shape {
	case AString:
		return ""
	case AMap:
		return Map{}
	case AStruct:
		m := Map{}
		t.keep(m)
		return m
	}
	return nil
}

// keep adds the members that Go's encoder writes even if the document lacks them.
func (t *Type) keep(m Map) {
	for i := range t.Fields {
		field := &t.Fields[i]
		if !field.Keep {
			continue
		}
		if _, has := m[field.Name]; !has {
			if value := zero(field.Type); value != nil {
				m[field.Name] = value
			}
		}
	}
}

func (d *decoder) integer(n *Node, t *Type, owner string) (any, error) {
	if n.Kind != Number {
		d.wrong(n, n.Kind.word(), owner, t.GoType)
		return nil, nil
	}
	bits := 64
	if t.Shape == AnInt32 {
		bits = 32
	}
	i, err := strconv.ParseInt(n.Text, 10, bits)
	if err != nil {
		d.wrong(n, "number "+n.Text, owner, t.GoType)
		return nil, nil
	}
	return i, nil
}

// The method instant decodes an instant as metav1's UnmarshalJSON does. A value other than a string is a type error,
// and it ends the decoding, because it comes from an UnmarshalJSON method.
func (d *decoder) instant(n *Node, t *Type, owner string) (any, error) {
	if n.Kind != String {
		return nil, d.typeError(n.Kind.word(), owner, t.GoType)
	}
	layout := TimeLayout
	if t.Shape == AMicroTime {
		layout = MicroTimeLayout
	}
	return instantOf(n.Text, layout)
}

// instantOf returns an instant as Go's encoder prints it, or zeroInstant.
func instantOf(text, layout string) (any, error) {
	if Usual(text, layout) {
		return text, nil
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		return nil, err
	}
	if at.IsZero() {
		return zeroInstant{}, nil
	}
	return at.UTC().Format(layout), nil
}

// zeroInstant is Go's zero time. Its encoder prints a pointer to it as null, and omits it without a pointer.
type zeroInstant struct{}

func (d *decoder) stringMap(n *Node, t *Type, owner string, earlier any) (any, error) {
	if n.Kind != ObjectKind {
		d.wrong(n, n.Kind.word(), owner, t.GoType)
		return nil, nil
	}
	m, seen := Map{}, map[string]bool{}
	if there, is := earlier.(Map); is {
		m = there
	}
	for i, name := range n.Names {
		d.member(name)
		if seen[name] {
			d.refuse("duplicate field %q")
		}
		seen[name] = true
		value, err := d.value(n.Items[i], t.Elem, owner, nil)
		d.path = d.path[:len(d.path)-1]
		if err != nil {
			return nil, err
		}
		if value == nil {
			value = zero(t.Elem)
		}
		m[name] = value
	}
	return m, nil
}

func (d *decoder) structure(n *Node, t *Type, owner string, earlier any) (any, error) {
	if n.Kind != ObjectKind {
		d.wrong(n, n.Kind.word(), owner, t.GoType)
		return nil, nil
	}
	m, seen := Map{}, uint64(0) // no type has more than 64 fields
	if there, is := earlier.(Map); is {
		m = there
	}
	for i, name := range n.Names {
		d.member(name)
		at := t.index(name)
		if at < 0 {
			if HasOpenTypes && t.Open {
				d.other(m, n.Items[i], name)
			} else {
				d.refuse("unknown field %q")
			}
			d.path = d.path[:len(d.path)-1]
			continue
		}
		field := &t.Fields[at]
		if seen>>at&1 != 0 {
			d.refuse("duplicate field %q")
		}
		seen |= 1 << at
		d.fields = append(d.fields, name)
		value, err := d.value(n.Items[i], field.Type, t.GoName, m[name])
		if err != nil {
			return nil, err
		}
		d.path, d.fields = d.path[:len(d.path)-1], d.fields[:len(d.fields)-1]
		if n.Items[i].Kind == Null && field.ignoresNull() {
			continue
		}
		field.store(m, field.canonical(value))
	}
	t.keep(m)
	return m, nil
}

// store sets a member to a value: nil removes it, and the zero instant becomes null.
func (f *Field) store(m Map, value any) {
	if value == nil {
		delete(m, f.Name)
		return
	}
	if value == (zeroInstant{}) {
		value = nil
	}
	m[f.Name] = value
}

// The method other decodes a member that an open struct has in addition to its fields. Like an API server that prunes
// nulls, it drops a null.
func (d *decoder) other(m Map, n *Node, name string) {
	if _, twice := m[name]; twice {
		d.refuse("duplicate field %q")
	}
	d.fields = append(d.fields, name)
	d.anything(n, name)
	d.fields = d.fields[:len(d.fields)-1]
	if m[name] = rawValue(n); n.Kind == Null {
		delete(m, name)
	}
}

// ignoresNull reports whether a null in the document leaves a value of the type unchanged.
func (f *Field) ignoresNull() bool {
	switch f.Type.Shape {
	case AString, ABool, AnInt32, AnInt64, AStruct:
		return !f.Pointer
	}
	return false
}

// canonical removes the members that Go's encoder leaves out.
func (f *Field) canonical(value any) any {
	if f.Pointer || f.Keep {
		return value
	}
	switch v := value.(type) {
	case zeroInstant:
		return nil
	case string:
		if v == "" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	case int64:
		if v == 0 {
			return nil
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
	case Map:
		if len(v) == 0 {
			return nil
		}
	}
	return value
}

// rawValue converts a document to a tree without a schema. If an object has a member twice, the last one counts.
func rawValue(n *Node) any {
	switch n.Kind {
	case Bool:
		return n.Truth
	case Number:
		if i, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			return i
		}
		f, _ := strconv.ParseFloat(n.Text, 64)
		return f
	case String:
		return n.Text
	case Array:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = rawValue(item)
		}
		return list
	case ObjectKind:
		m := make(Map, len(n.Names))
		for i, name := range n.Names {
			m[name] = rawValue(n.Items[i])
		}
		return m
	}
	return nil
}

// Tree converts a document to a tree without a schema.
func Tree(n *Node) any { return rawValue(n) }
