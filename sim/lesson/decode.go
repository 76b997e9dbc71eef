package lesson

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
)

// MaxBytes limits a file. The longest shipped lesson has a tenth of this size.
const MaxBytes = 256 << 10

// Decode reads a lesson's document as JSON and checks everything that does not need a run. The caller may use the
// lesson only if the list of problems is empty. Since a document may come from an unknown source, MaxBytes and
// scenario.MaxDepth limit the work.
func Decode(file string, document []byte, in Library) (*Lesson, Problems) {
	l := &Lesson{library: in}
	r := decode(file, document, l)
	l.lines = r.lines
	if len(r.found) == 0 {
		validate(l, r)
		slices.SortStableFunc(r.found, func(a, b Problem) int { return a.Line - b.Line })
	}
	return l, r.found
}

// decode fills a value from JSON, refuses unknown fields, and continues after an error. encoding/json stops at the
// first error, silently accepts unknown fields, and does not know line numbers. This decoder walks over the target
// with reflection and records the line of every path for later checks.
func decode(file string, document []byte, into any) *report {
	r := &report{file: file, lines: map[string]int{"": 1}}
	if len(document) > MaxBytes {
		r.add("", "has "+strconv.Itoa(len(document))+" bytes; a lesson has at most "+strconv.Itoa(MaxBytes))
		return r
	}
	if _, at := wire.Depth(document, scenario.MaxDepth); at >= 0 {
		r.add("", "is nested more than "+strconv.Itoa(scenario.MaxDepth)+" levels deep")
		return r
	}
	root, err := wire.Parse(document)
	if err != nil {
		r.add("", "is not a lesson in YAML: "+err.Error())
		return r
	}
	d := decoder{r, document}
	d.value(root, reflect.ValueOf(into).Elem(), "")
	return r
}

type decoder struct {
	*report
	document []byte
}

var (
	lengthType   = reflect.TypeFor[Length]()
	pointType    = reflect.TypeFor[Point]()
	amountType   = reflect.TypeFor[scenario.Amount]()
	durationType = reflect.TypeFor[scenario.Duration]()
	scenarioType = reflect.TypeFor[Scenario]()
	lessonType   = reflect.TypeFor[Lesson]()
)

// `gone` lists fields that an earlier version wrote. `decode` skips these fields.
var gone = []string{"quotes", "minutes"}

// `value` fills one value. Types with their own notation come first. For a wrong value it adds a problem, leaves the
// target at zero, and continues.
func (d decoder) value(n *wire.Node, v reflect.Value, path string) {
	d.lines[path] = int(n.Line)
	switch v.Type() {
	case lengthType, durationType:
		d.length(n, v, path)
		return
	case pointType:
		d.point(n, v, path)
		return
	case scenarioType:
		v.Set(reflect.ValueOf(d.scenario(n, path)))
		return
	case amountType:
		if n.Kind != wire.String && n.Kind != wire.Number {
			d.add(path, `must be a length such as "15s", or a number`)
			return
		}
		v.SetString(n.Text)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path)
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Slice:
		if d.is(n, wire.Array, path, "a list") {
			v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
			for i, item := range n.Items {
				d.value(item, v.Index(i), path+"["+strconv.Itoa(i)+"]")
			}
		}
	case reflect.Map:
		d.decodeNamed(n, v, path)
	case reflect.String:
		if d.is(n, wire.String, path, "text; write it in quotes") {
			v.SetString(n.Text)
		}
	case reflect.Bool:
		if d.is(n, wire.Bool, path, "true or false") {
			v.SetBool(n.Truth)
		}
	default: // the only other kind is int
		whole, err := strconv.ParseInt(n.Text, 10, 32)
		if n.Kind != wire.Number || err != nil {
			d.add(path, "must be a whole number")
			return
		}
		v.SetInt(whole)
	}
}

// scenario parses the name of a scenario, or keeps a whole scenario unchanged and records the lines of its fields.
func (d decoder) scenario(n *wire.Node, path string) Scenario {
	if n.Kind == wire.String {
		return Scenario{Name: n.Text}
	}
	if !d.is(n, wire.ObjectKind, path, "the name of a shipped scenario, or a whole scenario") {
		return Scenario{}
	}
	d.places(n, path)
	s := Scenario{Whole: n.Raw(d.document)}
	if name := n.Member("name"); name != nil {
		s.Name = name.Text
	}
	return s
}

// `places` records the line of everything in a value.
func (d decoder) places(n *wire.Node, path string) {
	d.lines[path] = int(n.Line)
	for i, item := range n.Items {
		if n.Kind == wire.Array {
			d.places(item, index(path, i))
		} else {
			d.places(item, join(path, n.Names[i]))
		}
	}
}

func (d decoder) is(n *wire.Node, kind wire.Kind, path, what string) bool {
	if n.Kind != kind {
		d.add(path, "must be "+what)
	}
	return n.Kind == kind
}

func (d decoder) length(n *wire.Node, v reflect.Value, path string) {
	length, err := time.ParseDuration(n.Text)
	if n.Kind != wire.String || err != nil || length < 0 || n.Text == "0" {
		d.add(path, `must be a length with its unit, such as "15s"`)
		return
	}
	v.SetInt(int64(length))
}

// `point` parses a point such as "tookAt", "-640ms" or 3.
func (d decoder) point(n *wire.Node, v reflect.Value, path string) {
	if whole, err := strconv.ParseInt(n.Text, 10, 64); n.Kind == wire.Number && err == nil {
		v.Set(reflect.ValueOf(Point{Value: whole}))
		return
	}
	if n.Kind != wire.String || n.Text == "" {
		d.add(path, `must be a name, a length such as "-640ms", or a whole number`)
		return
	}
	if length, err := time.ParseDuration(n.Text); err == nil {
		v.Set(reflect.ValueOf(Point{Value: int64(length)}))
		return
	}
	v.Set(reflect.ValueOf(Point{Name: n.Text}))
}

// decodeNamed fills a map. The map does not keep the order of the names, so code that iterates over it sorts the
// keys.
func (d decoder) decodeNamed(n *wire.Node, v reflect.Value, path string) {
	if !d.is(n, wire.ObjectKind, path, "a group with names") {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i, name := range n.Names {
		if v.MapIndex(reflect.ValueOf(name)).IsValid() {
			d.add(join(path, name), "is given twice; keep one")
			continue
		}
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(n.Items[i], item, join(path, name))
		v.SetMapIndex(reflect.ValueOf(name), item)
	}
}

// object fills a struct. A file must contain every field that has no "omitempty". The tag "words" lists the allowed
// values of a field. If the value is not text, there is already a problem about that, so `object` ignores the tag.
func (d decoder) object(n *wire.Node, v reflect.Value, path string) {
	if !d.is(n, wire.ObjectKind, path, "a group of fields") {
		return
	}
	fields := fieldsOf(v.Type())
	given := map[string]bool{}
	for i, name := range n.Names {
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if at < 0 && v.Type() == lessonType && slices.Contains(gone, name) {
			continue
		}
		if at < 0 {
			d.lines[join(path, name)] = int(n.Items[i].Line)
			d.add(join(path, name), "is unknown"+suggestWords(name, names(fields)))
			continue
		}
		if given[name] {
			d.add(join(path, name), "is given twice; keep one")
		}
		given[name] = true
		before := len(d.found)
		d.value(n.Items[i], v.Field(fields[at].index), join(path, name))
		if text := v.Field(fields[at].index); len(d.found) == before && len(fields[at].words) > 0 &&
			!slices.Contains(fields[at].words, text.String()) {
			d.add(join(path, name), strconv.Quote(text.String())+" must be one of "+
				strings.Join(fields[at].words, ", "))
		}
	}
	for _, f := range fields {
		if f.required && !given[f.name] {
			d.add(join(path, f.name), "is missing")
		}
	}
}

// field describes a field of the lesson format.
type field struct {
	name     string
	index    int
	required bool
	words    []string
}

func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("json")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		all = append(all, field{name, i, options == "", strings.Fields(f.Tag.Get("words"))})
	}
	return all
}

func names(fields []field) []string {
	return elements.Of(fields, func(f field) string { return f.name })
}

// suggestWords returns the second half of an error message about an unknown word.
func suggestWords(text string, known []string) string {
	if near := scenario.Nearest(text, known); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	if len(known) == 0 {
		return "; nothing has a name here"
	}
	return "; use " + strings.Join(known, ", ")
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
