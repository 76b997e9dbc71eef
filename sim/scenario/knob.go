package scenario

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/wire"
)

// The page edits a scenario one field at a time, by path. So do sweeps, lessons and the command's --set. They all use
// Set and Get, with values in the form that a document has. Set accepts what Get returns, and FuzzSet checks that.

// Set changes one field by its path and checks the whole scenario: Set(s, "elector.leaseDuration", "20s"). An empty
// value resets an optional field to its default. Lists and groups take JSON. Set does not change its argument. The
// error has no line, since it is not about a document. After an error, the result is the unchanged scenario.
func Set(s Scenario, path, value string) (Scenario, error) {
	changed := s.Clone()
	v, at, err := find(reflect.ValueOf(&changed).Elem(), path, true)
	if err != nil {
		return s, err
	}
	if err := setValue(v, at, value); err != nil {
		return s, withoutLine(err)
	}
	normalize(reflect.ValueOf(&changed).Elem())
	if err := Validate(changed); err != nil {
		return s, err
	}
	return changed, nil
}

// setValue stores a value in its field. The value "" clears an optional field. A seed cannot be empty, so "" restores
// its default.
func setValue(v reflect.Value, at place, value string) error {
	if value == "" && (isOptional(v) || mayBeLeftOut(at)) {
		v.SetZero()
		if at.field == "Scenario.seed" {
			v.SetUint(DefaultSeed)
		}
		return nil
	}
	if !utf8.ValidString(value) { // JSON must be valid UTF-8
		return refuse(at.path, strings.ToValidUTF8(value, "\ufffd"), "must be UTF-8 text")
	}
	n, err := nodeOf(v.Type(), value)
	if e, is := err.(*FieldError); is && e.Path == "" { // it is an error about the value as a document
		return refuse(at.path, value, `must be JSON, such as ["a"] or {"min":"1s"}`)
	}
	if err != nil {
		return err
	}
	return n.read(v, at)
}

// isOptional reports whether the zero value of a type means "left out".
func isOptional(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.String
}

// mayBeLeftOut reports whether a field is optional. An entry of a list is not.
func mayBeLeftOut(at place) bool {
	return fieldOf(at.field).missing == "" && !strings.HasSuffix(at.path, "]")
}

// nodeOf reads a value in the form of a document: quoted for text, bare for a number. Callers pass plain text: 15s,
// not "15s". Only lists and groups are JSON. The type of the field decides, so a word such as true stays text in a
// text field.
func nodeOf(t reflect.Type, value string) (*node, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kindOf := wire.String
	switch {
	case t == durationType || t.Kind() == reflect.String:
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Slice:
		return parse([]byte(value))
	case t.Kind() == reflect.Bool && (value == "true" || value == "false"):
		kindOf = wire.Bool
	case t.Kind() != reflect.Bool && json.Valid([]byte(value)) && isNumeric(value):
		kindOf = wire.Number
	}
	return &node{Kind: kindOf, Text: value, Truth: value == "true"}, nil
}

// isNumeric distinguishes a number from other valid JSON, such as null. `text` must not be empty.
func isNumeric(text string) bool {
	return text[0] == '-' || (text[0] >= '0' && text[0] <= '9')
}

// withoutLine removes the line from an error, because it is a line of the value and not of a document.
func withoutLine(err error) error {
	if e, ok := err.(*FieldError); ok {
		e.Line = 0
	}
	return err
}

// Get returns the effective value at a path, in the form that Set takes. For a missing field it is the default or, in
// a candidate, the inherited value. It returns "" for an unknown path. IsSet says whether the author wrote the value.
func Get(s Scenario, path string) string {
	filled := fill(s)
	v, _, err := find(reflect.ValueOf(&filled).Elem(), path, false)
	if err != nil {
		return ""
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch {
	case v.Type() == durationType:
		return time.Duration(v.Int()).String()
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Slice && v.IsNil():
		return ""
	default:
		return string(encodeValue(v.Interface()))
	}
}

// IsSet reports whether the scenario itself has a value at a path, rather than a default or an inherited value.
func IsSet(s Scenario, path string) bool {
	v, _, err := find(reflect.ValueOf(s), path, false)
	return err == nil && !v.IsZero()
}

// `find` returns the field at a path. If grow is true, it creates missing groups: "candidates[1].clock.offset" needs a
// clock. It understands no wildcards, and a list index must exist, since Set cannot append. The place has the field's
// key in the table of fields, with which the caller reads and checks the value.
func find(v reflect.Value, path string, grow bool) (reflect.Value, place, error) {
	at := place{}
	for _, step := range splitPath(path) {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() && grow {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct:
			fields := fieldsOf(v.Type())
			inner := join(at.path, shownName(step))
			f, known := findField(fields, step)
			if !known {
				return v, at, refuseField(inner, "unknown field"+advice(step, "the fields here are", namesOf(fields)))
			}
			v, at = v.Field(f.index), place{inner, f.key}
		case reflect.Slice:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= v.Len() {
				return v, at, refuseField(at.path+"["+step+"]", "no such entry; the list has "+strconv.Itoa(v.Len()))
			}
			v, at = v.Index(i), place{index(at.path, i), at.field}
		default:
			return v, at, refuseField(join(at.path, shownName(step)), "unknown field; "+at.path+" is a single value")
		}
	}
	if at.path == "" {
		return v, at, refuseField(quote(path), "not a field; write a path like \"elector.leaseDuration\"")
	}
	return v, at, nil
}

// `fill` writes every default and every inherited value into a copy.
func fill(s Scenario) Scenario {
	s = s.Clone()
	for i, c := range s.Candidates {
		s.Candidates[i] = fillCandidate(s, c)
	}
	all := fillCandidate(s, Candidate{})
	s.Elector, s.Network = *all.Elector, *all.Network
	s.Process, s.Client = *all.Process, *all.Client
	s.Streams = orDefault(s.Streams, StreamsNamed)
	s.Lease.Namespace = orDefault(s.Lease.Namespace, DefaultNamespace)
	s.Lease.Name = orDefault(s.Lease.Name, DefaultLeaseName)
	for i := range s.Actions {
		s.Actions[i].fillDefaults()
	}
	if s.Resource != nil {
		s.Resource = new(resolveResource(s.Resource))
	}
	return s
}

// fillCandidate writes the effective settings into a candidate. It leaves out two settings, because Validate would
// refuse the result: a watchdog's period without its tolerance, and one identity for several replicas.
func fillCandidate(s Scenario, c Candidate) Candidate {
	r := ResolveCandidate(s, c)[0]
	c.Elector, c.Network, c.Process, c.Client = &r.Elector, &r.Network, &r.Process, &r.Client
	if c.Process.WatchdogTolerance == nil { // without a tolerance, Validate refuses the other fields of a watchdog
		c.Process.WatchdogPeriod, c.Process.WatchdogFailures = nil, nil
	}
	c.Clock = &Clock{Offset: Duration(r.ClockOffset), RatePpm: r.RatePpm}
	if c.Replicas == 0 {
		c.Identity = r.Identity
	}
	return c
}
