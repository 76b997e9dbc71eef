package scenario

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// SayJSON rewords an error of encoding/json without mentioning Go. Example: "json: cannot unmarshal array into Go
// struct field Share.seed of type uint64" becomes "seed is a list; it should be a whole number, 0 or more".
func SayJSON(err error) string {
	var misfit *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	text := strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case errors.As(err, &misfit):
		return misfitting(misfit)
	case errors.As(err, &syntax):
		return syntaxError(nil, err).Message
	case strings.HasPrefix(text, "unexpected EOF"), text == "EOF":
		return "it ends too early"
	}
	return text
}

// `misfitting` says which field has which kind of value, and which kind it needs.
func misfitting(err *json.UnmarshalTypeError) string {
	kind, number, _ := strings.Cut(err.Value, " ")
	is := map[string]string{"array": "a list", "object": "an object", "string": "a text", "number": "a number",
		"bool": "true or false"}[kind]
	if number != "" {
		is = "the number " + shorten(number)
	}
	field := cmp.Or(err.Field, "the document")
	return field + " is " + is + "; it should be " + kindWords(err.Type)
}

// kindWords names the kind of JSON value that a Go type needs.
func kindWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number, 0 or more"
	case reflect.Pointer:
		return kindWords(t.Elem())
	}
	return "a whole number"
}
