// Package schema makes the JSON Schema (2020-12) of the scenario format from the types and tables of package scenario.
// Editors use it for completion and checks.
//
// Guarantee: the schema accepts every document that scenario.Decode accepts.
// Non-guarantee: the schema accepts some documents that Decode refuses. A schema cannot express relations, such as
// leaseDuration over renewDeadline or a target that exists.
package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
)

// ID names the schema. It has the form of an address, but no server answers there.
const ID = "https://leaselab.dev/schemas/scenario-v1alpha1.json"

// durationPattern is the syntax of time.ParseDuration.
const (
	oneDuration     = `([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)`
	durationPattern = `^[-+]?(0|` + oneDuration + `)(` + oneDuration + `)*$`
)

// JSON returns the schema, indented. The result depends only on the types and tables, so it changes only when the
// format does.
func JSON() []byte {
	root := reflect.TypeFor[scenario.Scenario]()
	g := generator{defs: object{}}
	top := g.structure(root)
	whole := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", ID},
		{"title", "leaselab scenario"},
		{"x-headings", scenario.Headings()},
		{"x-sections", scenario.Sections()},
	}, top...)
	whole = append(whole, member{"$defs", g.defs})
	compact, err := json.Marshal(whole)
	if err != nil {
		panic("the schema does not encode: " + err.Error())
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		panic("the schema is not JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// object is a JSON object whose members keep their order. It is not a map, because encoding/json sorts the keys of a
// map, and a form should have its fields in the order of the types.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (o object) has(name string) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.name == name })
}

// generator collects the structs that fields refer to, so that each appears once.
type generator struct {
	defs object // every struct below the root, in the order of first use
}

// `structure` describes a struct. additionalProperties is false, because Decode refuses unknown fields.
func (g *generator) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		key := t.Name() + "." + name
		properties = append(properties, member{name, append(describeField(key), g.value(t.Field(i).Type, key)...)})
		if options == "" && scenario.FieldNamed(key).Default == "" {
			required = append(required, name)
		}
	}
	s := object{{"type", "object"}, {"description", scenario.FieldNamed(t.Name()).Help}, {"properties", properties}}
	if len(required) > 0 {
		s = append(s, member{"required", required})
	}
	s = append(s, member{"additionalProperties", false})
	if t == reflect.TypeFor[scenario.Action]() {
		s = append(s, member{"allOf", actRules()})
	}
	return s
}

// describeField returns the description of a field. The members that begin with x- are for forms; other readers ignore
// them.
func describeField(key string) object {
	f := scenario.FieldNamed(key)
	help := f.Help
	for i, says := range scenario.WordHelp(key) {
		help += " " + scenario.Choices(key)[i] + ": " + says + "."
	}
	if f.Default != "" {
		help += " Default: " + f.Default + "."
	}
	all := object{{"description", help}, {"x-name", scenario.PlainName(key)}}
	if f.Heading != "" {
		all = append(all, member{"x-heading", f.Heading})
	}
	if f.Effect != "" {
		all = append(all, member{"x-effect", f.Effect})
	}
	if f.Lines {
		all = append(all, member{"x-lines", true})
	}
	if says := scenario.WordHelp(key); says != nil {
		words := object{}
		for i, word := range scenario.Choices(key) {
			words = append(words, member{word, says[i]})
		}
		all = append(all, member{"x-words", words})
	}
	if f.Default != "" {
		all = append(all, member{"x-default", f.Default})
	}
	return all
}

// `value` describes the type of a field. It adds a struct to defs before the struct's fields, because a field may refer
// back to the struct.
func (g *generator) value(t reflect.Type, key string) object {
	if t == reflect.TypeFor[scenario.Duration]() {
		return duration(key)
	}
	if t == reflect.TypeFor[scenario.Amount]() {
		return object{{"anyOf", []object{{{"type", "number"}, {"minimum", 0}}, duration(key)}}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem(), key)
	case reflect.Struct:
		if !g.defs.has(t.Name()) {
			at := len(g.defs)
			g.defs = append(g.defs, member{name: t.Name()})
			g.defs[at].value = g.structure(t)
		}
		return object{{"$ref", "#/$defs/" + t.Name()}}
	case reflect.Slice:
		list := object{{"type", "array"}, {"items", g.value(t.Elem(), key)}}
		if most := scenario.MaxItems(key); most > 0 {
			list = append(list, member{"maxItems", most})
		}
		return list
	case reflect.String:
		return word(key)
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Float64:
		if least, most, ok := scenario.FloatRange(key); ok {
			return object{{"type", "number"}, {"minimum", least}, {"maximum", most}}
		}
		return object{{"type", "number"}, {"minimum", 0}, {"exclusiveMaximum", 1}}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return integer(t, key)
	default:
		panic("no schema for a field of type " + t.String())
	}
}

// `duration` describes a length. A pattern cannot check the limit of 90 days; Decode does.
func duration(key string) object {
	pattern := durationPattern
	if !scenario.MayBeNegative(key) {
		pattern = strings.Replace(pattern, "[-+]?", `\+?`, 1)
	}
	return object{{"type", "string"}, {"pattern", pattern}, {"examples", []string{"15s"}}}
}

// `word` describes a text: any text, or one of the allowed words.
func word(key string) object {
	words := scenario.Choices(key)
	switch len(words) {
	case 0:
		return object{{"type", "string"}}
	case 1:
		return object{{"const", words[0]}}
	default:
		return object{{"enum", words}}
	}
}

// integer describes a whole number with the table's bounds, or the bounds of its type.
func integer(t reflect.Type, key string) object {
	n := object{{"type", "integer"}}
	if least, most, ok := scenario.Range(key); ok {
		return append(n, member{"minimum", least}, member{"maximum", most})
	}
	if t.Kind() == reflect.Int32 {
		return append(n, member{"minimum", -1 << 31}, member{"maximum", 1<<31 - 1})
	}
	return n
}

// actRules returns the rules that make each act accept only its own fields. All acts share one struct, so the schema
// narrows it with if and then. An editor then completes only the fields of the act that the user has typed.
func actRules() []object {
	var all []object
	for _, act := range scenario.Acts() {
		short, sentence := act.Sentence()
		then := object{
			{"description", strings.TrimSpace(act.Help + " " + act.Stands)},
			{"x-name", scenario.PlainName(act.Word)}, {"x-short", short}, {"x-sentence", sentence},
			{"x-section", act.Section},
			{"propertyNames", object{{"enum", append([]string{"at", "within", "act"}, act.Takes...)}}},
		}
		if len(act.Needs) > 0 {
			then = append(then, member{"required", act.Needs})
		}
		if len(act.OneOf) > 0 {
			any := elements.Of(act.OneOf, func(name string) object { return object{{"required", []string{name}}} })
			then = append(then, member{"anyOf", any})
		}
		all = append(all, object{
			{"if", object{{"properties", object{{"act", object{{"const", act.Word}}}}}}},
			{"then", then},
		})
	}
	return all
}
