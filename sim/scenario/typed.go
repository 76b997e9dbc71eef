package scenario

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
)

// place is the place of a value: its path for people, and its "Type.field" in the table of fields.
type place struct {
	path  string
	field string
}

var durationType = reflect.TypeFor[Duration]()
var actionType = reflect.TypeFor[Action]()

// into stores the value, or returns why its type is wrong. Validate checks ranges and relations.
func (n *node) into(v reflect.Value, at place) error {
	if n.Kind == wire.Null {
		return refuseNumber(at.path, "null", "is no value; leave the field out")
	}
	if v.Type() == durationType {
		return n.intoDuration(v, at)
	}
	if v.Type() == amountType {
		return n.intoAmount(v, at)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return n.into(v.Elem(), at)
	case reflect.Struct:
		return n.intoStruct(v, at)
	case reflect.Slice:
		return n.intoList(v, at)
	case reflect.String:
		if words := wordsOf(at.field); n.Kind == wire.String && n.Text == "" && words != nil {
			return n.refuse(at, "must be "+listWords(words, "or"))
		}
		return n.intoWhen(wire.String, at, "must be text", func() { v.SetString(Current(at.field, n.Text)) })
	case reflect.Bool:
		return n.intoWhen(wire.Bool, at, "must be true or false", func() { v.SetBool(n.Truth) })
	case reflect.Float64:
		return n.intoFloat(v, at)
	case reflect.Uint64:
		return n.intoUint(v, at)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return n.intoInt(v, at)
	default:
		panic("the scenario has a field of type " + v.Type().String() + ", which no document can hold")
	}
}

func (n *node) intoWhen(want wire.Kind, at place, rule string, store func()) error {
	if n.Kind != want {
		return n.refuse(at, rule)
	}
	store()
	return nil
}

func (n *node) refuse(at place, rule string) error {
	e := refuseNumber(at.path, n.shown(), rule)
	if n.Kind == wire.String {
		e.Value = n.Text
	}
	return e
}

func (n *node) intoStruct(v reflect.Value, at place) error {
	if n.Kind != wire.ObjectKind {
		return n.refuse(at, "must be an object, a group of fields")
	}
	fields := fieldsOf(v.Type())
	for i, name := range n.Names {
		f, known := findField(fields, name)
		inner := join(at.path, shownName(name))
		if !known {
			return refuseField(inner, "unknown field"+advice(name, "the fields here are", namesOf(fields)))
		}
		if err := n.item(i).into(v.Field(f.index), place{inner, f.key}); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if f.required && n.field(f.name) == nil {
			return refuseField(join(at.path, f.name), "missing; "+fieldOf(f.key).missing)
		}
	}
	return nil
}

func (n *node) intoList(v reflect.Value, at place) error {
	if n.Kind != wire.Array {
		return n.refuse(at, "must be a list")
	}
	if most := MaxItems(at.field); most > 0 && len(n.Items) > most {
		return tooMany(at.path, len(n.Items), most)
	}
	list := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i := range n.Items {
		if err := n.item(i).into(list.Index(i), place{index(at.path, i), at.field}); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func (n *node) intoDuration(v reflect.Value, at place) error {
	if n.Kind == wire.Number {
		return n.refuse(at, "must be a duration with its unit; write "+quote(n.Text+"s")+" if you mean seconds")
	}
	if n.Kind != wire.String {
		return n.refuse(at, `must be a duration, such as "15s"`)
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil {
		if digits := strings.Trim(n.Text, "0123456789."); digits == "" && n.Text != "" {
			return n.refuse(at, "must have a unit; write "+quote(n.Text+"s")+" if you mean seconds")
		}
		return n.refuse(at, `must be a duration, such as "15s", "1m30s" or "500ms"`)
	}
	if strings.HasPrefix(n.Text, "-") && !Signed(at.field) {
		return n.refuse(at, "must not be negative")
	}
	v.SetInt(int64(d))
	return nil
}

func (n *node) intoFloat(v reflect.Value, at place) error {
	f, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, "must be a number")
	}
	v.SetFloat(f)
	return nil
}

func (n *node) intoUint(v reflect.Value, at place) error {
	u, err := strconv.ParseUint(n.Text, 10, 64)
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, wholeNumber(n, at))
	}
	v.SetUint(u)
	return nil
}

func (n *node) intoInt(v reflect.Value, at place) error {
	i, err := strconv.ParseInt(n.Text, 10, v.Type().Bits())
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, wholeNumber(n, at))
	}
	if r := fieldOf(at.field).whole; r != nil && !r.allows(i) {
		// checked here, because Validate cannot tell 0 from a field that is left out
		return n.refuse(at, r.rule())
	}
	v.SetInt(i)
	return nil
}

// wholeNumber returns the rule for a number that is out of range or not an integer.
func wholeNumber(n *node, at place) string {
	digits := strings.Trim(strings.TrimPrefix(n.Text, "-"), "0123456789")
	r := fieldOf(at.field).whole
	switch {
	case n.Kind == wire.Number && digits == "" && r != nil:
		return r.rule()
	case n.Kind == wire.Number && digits == "":
		return "is too large"
	default:
		return "must be a whole number"
	}
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// field is one field of a struct of the format.
type field struct {
	index    int
	name     string // in JSON
	key      string // "Elector.leaseDuration"
	required bool   // its tag has neither omitempty nor omitzero, and the table has no default
}

// formatFields has the fields of every struct of the format. It is filled once: tags are slow to read.
var formatFields = map[reflect.Type][]field{}

func init() {
	readFields(reflect.TypeFor[Scenario]())
	readDefaults()
	readPresets()
}

// readFields reads the tags: the types are the only list of fields.
func readFields(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || formatFields[t] != nil {
		return
	}
	all := make([]field, t.NumField())
	formatFields[t] = all
	for i := range all {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		key := t.Name() + "." + name
		all[i] = field{index: i, name: name, key: key, required: options == "" && fieldOf(key).Default == ""}
		readFields(t.Field(i).Type)
	}
}

func fieldsOf(t reflect.Type) []field { return formatFields[t] }

func findField(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func namesOf(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}
