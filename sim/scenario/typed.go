package scenario

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
)

// encoding/json could fill the structs, but it would stop at the first error, ignore a misspelled field, and say
// "json: cannot unmarshal". This reader walks over the document and the struct together. At every point it knows the
// path, the line and the field's row in the table.

// place says where a value is: its path, which people read, and its key "Type.field" in the table of fields.
type place struct {
	path  string
	field string
}

var durationType = reflect.TypeFor[Duration]()
var actionType = reflect.TypeFor[Action]()

// read does the same as `into`, but for a single value. It returns the first error.
func (n *node) read(v reflect.Value, at place) error {
	found := problems{most: 1}
	n.into(v, at, &found)
	return found.first()
}

// `into` stores the value, or adds an error if its type is wrong. Ranges and relations come later, in Validate. If the
// type is wrong, the field stays zero. The walk continues, so one reading finds all errors.
func (n *node) into(v reflect.Value, at place, found *problems) {
	switch {
	case n.Kind == wire.Null:
		found.add(refuseNumber(at.path, "null", "is not a value; leave the field out"))
		return
	case v.Type() == durationType:
		found.add(n.intoDuration(v, at))
		return
	case v.Type() == amountType:
		found.add(n.intoAmount(v, at))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		n.into(v.Elem(), at, found)
	case reflect.Struct:
		n.intoStruct(v, at, found)
	case reflect.Slice:
		n.intoList(v, at, found)
	case reflect.String:
		if words := wordsOf(at.field); n.Kind == wire.String && n.Text == "" && words != nil {
			found.add(n.refuse(at, "must be "+listWords(words, "or")))
			return
		}
		found.add(n.intoWhen(wire.String, at, "must be text", func() { v.SetString(Current(at.field, n.Text)) }))
	case reflect.Bool:
		found.add(n.intoWhen(wire.Bool, at, "must be true or false", func() { v.SetBool(n.Truth) }))
	case reflect.Float64:
		found.add(n.intoFloat(v, at))
	case reflect.Uint64:
		found.add(n.intoUint(v, at))
	case reflect.Int, reflect.Int32, reflect.Int64:
		found.add(n.intoInt(v, at))
	default:
		panic("the scenario has a field of type " + v.Type().String() + ", which no document can hold")
	}
}

// intoWhen stores a value of the wanted kind, or refuses it with the rule.
func (n *node) intoWhen(want wire.Kind, at place, rule string, store func()) *FieldError {
	if n.Kind != want {
		return n.refuse(at, rule)
	}
	store()
	return nil
}

// refuse returns an error that quotes the value as the document has it.
func (n *node) refuse(at place, rule string) *FieldError {
	e := refuseNumber(at.path, n.display(), rule)
	if n.Kind == wire.String {
		e.Value = n.Text
	}
	return e
}

// intoStruct reads a group. For a misspelled field it adds an error, "did you mean", and also checks the value under
// the right name. Otherwise "leaseDuratoin: 5" would first be an unknown field, and after the author has fixed that,
// a number without a unit.
func (n *node) intoStruct(v reflect.Value, at place, found *problems) {
	if n.Kind != wire.ObjectKind {
		found.add(n.refuse(at, "must be an object, a group of fields"))
		return
	}
	fields := fieldsOf(v.Type())
	for i := 0; i < len(n.Names) && !found.full(); i++ {
		name := n.Names[i]
		f, known := findField(fields, name)
		if !known {
			e := n.unknown(name, at, v.Type())
			e.Line = int(n.item(i).Line)
			found.add(e)
			// A misspelled field counts as the field that it means.
			meant := nearest(name, namesOf(fields))
			if f, known = findField(fields, meant); !known || n.field(meant) != nil {
				continue
			}
			n.Names[i] = meant
		}
		n.item(i).into(v.Field(f.index), place{join(at.path, f.name), f.key}, found)
	}
	for _, f := range fields {
		if f.required && n.field(f.name) == nil {
			found.add(refuseField(join(at.path, f.name), "missing; "+fieldOf(f.key).missing))
		}
	}
}

// `unknown` refuses a field that the group does not have. An action has the fields of its act. For an action, a list of
// all 40 fields would not help, so the error lists the fields that its act takes.
func (n *node) unknown(name string, at place, group reflect.Type) *FieldError {
	names, possible := namesOf(fieldsOf(group)), "the fields here are"
	if group == actionType && nearest(name, names) == "" && n.field("act") != nil {
		if act := ActNamed(n.field("act").Text); act != nil {
			names, possible = append([]string{"at", "act"}, act.Takes...), "act "+quote(act.Word)+" takes"
		}
	}
	return refuseField(join(at.path, shownName(name)), "unknown field"+advice(name, possible, names))
}

// intoList reads a list. It checks the limit before it allocates memory, so a list of a million entries creates no
// structs.
func (n *node) intoList(v reflect.Value, at place, found *problems) {
	if n.Kind != wire.Array {
		found.add(n.refuse(at, "must be a list"))
		return
	}
	if most := MaxItems(at.field); most > 0 && len(n.Items) > most {
		found.add(tooMany(at.path, len(n.Items), most))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	v.Set(list)
	for i := 0; i < len(n.Items) && !found.full(); i++ {
		n.item(i).into(list.Index(i), place{index(at.path, i), at.field}, found)
	}
}

// intoDuration reads a length. It refuses a bare 15, which could be seconds, as in Kubernetes' leaseDurationSeconds,
// or nanoseconds, as in Go's JSON. The error suggests seconds, because most people mean seconds.
func (n *node) intoDuration(v reflect.Value, at place) *FieldError {
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
	if strings.HasPrefix(n.Text, "-") && !MayBeNegative(at.field) {
		return n.refuse(at, "must not be negative")
	}
	v.SetInt(int64(d))
	return nil
}

// intoFloat reads a decimal number. The check of the bounds comes later, in checkFloat, because Validate also needs
// it.
func (n *node) intoFloat(v reflect.Value, at place) *FieldError {
	f, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, "must be a number")
	}
	v.SetFloat(f)
	return nil
}

func (n *node) intoUint(v reflect.Value, at place) *FieldError {
	u, err := strconv.ParseUint(n.Text, 10, 64)
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, wholeNumber(n, at))
	}
	v.SetUint(u)
	return nil
}

func (n *node) intoInt(v reflect.Value, at place) *FieldError {
	i, err := strconv.ParseInt(n.Text, 10, v.Type().Bits())
	if n.Kind != wire.Number || err != nil {
		return n.refuse(at, wholeNumber(n, at))
	}
	if r := fieldOf(at.field).whole; r != nil && !r.allows(i) {
		// check it here, because Validate cannot tell 0 from a missing field
		return n.refuse(at, r.rule())
	}
	v.SetInt(i)
	return nil
}

// wholeNumber returns the rule for a number that is out of range or not whole.
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

// field is one field of a struct of the format. It pairs what reflection knows with the key of the table.
type field struct {
	index    int
	name     string // in JSON
	key      string // "Elector.leaseDuration"
	required bool   // its tag has neither omitempty nor omitzero, and the table has no default
}

// formatFields has the fields of every struct of the format. Reading tags is slow, so it happens only once.
var formatFields = map[reflect.Type][]field{}

func init() {
	readFields(reflect.TypeFor[Scenario]())
	readDefaults()
	readPresets()
}

// readFields reads the tags: the types are the only list of fields. Every type appears once, however often the format
// uses it. It registers a struct before the struct's fields, so it would also end for a type that contains itself.
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
	return elements.Of(fields, func(f field) string { return f.name })
}
