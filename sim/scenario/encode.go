package scenario

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Encode returns the canonical form: fields in the order of the types, without empty fields and white space. Two
// scenarios have the same canonical form if and only if they are equal after normalize. So comparing the bytes
// compares the scenarios.
func Encode(s Scenario) []byte {
	s = s.Clone()
	normalize(reflect.ValueOf(&s).Elem())
	return encodeValue(s)
}

// EncodeIndent returns the canonical form for people, indented by two spaces, with a line feed at the end.
func EncodeIndent(s Scenario) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, Encode(s), "", "  "); err != nil {
		panic("a scenario that encodes cannot be indented: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// encodeValue returns a value as JSON on one line. It panics only for a type that JSON does not support, and the
// format has no such type.
func encodeValue(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // links stay shorter
	if err := e.Encode(v); err != nil {
		panic("a scenario is plain data, yet it does not encode: " + err.Error())
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
