package openapi

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// OpenAPI v2 as protobuf, because client-go asks for no other form. kubectl validates a List with this document. The
// document has definitions but no paths. Source: github.com/google/gnostic-models v0.7 openapiv2/OpenAPIv2.proto.

// The numbers of the fields of gnostic's messages.
const (
	documentSwagger, documentInfo, documentPaths, documentDefinitions = 1, 2, 8, 9
	infoTitle, infoVersion                                            = 1, 2
	namedName, namedValue                                             = 1, 2
	anyYAML                                                           = 2
	schemaRef, schemaFormat, schemaText                               = 1, 2, 4
	schemaRequired, schemaAdditional, schemaType, schemaItems         = 19, 21, 22, 23
	schemaProperties, schemaExtension                                 = 25, 31
	onlyField                                                         = 1 // where a message wraps just one field
)

// field appends a field of a message. Its value is a text or another message.
func field(out []byte, number int, value []byte) []byte {
	const lengthDelimited = 2
	out = binary.AppendUvarint(out, uint64(number<<3|lengthDelimited))
	out = binary.AppendUvarint(out, uint64(len(value)))
	return append(out, value...)
}

func textField(out []byte, number int, text string) []byte {
	if text == "" {
		return out
	}
	return field(out, number, []byte(text))
}

// named appends a field of a message that has a name and a value.
func named(out []byte, number int, name string, value []byte) []byte {
	return field(out, number, field(textField(nil, namedName, name), namedValue, value))
}

// v2 returns the document of all kinds.
func v2() []byte {
	all := kind{version: "v1"}.read("schemas")
	var definitions []byte
	for _, name := range slices.Sorted(maps.Keys(all)) {
		definitions = named(definitions, onlyField, name, message(all[name]))
	}
	out := textField(nil, documentSwagger, "2.0")
	out = field(out, documentInfo, textField(textField(nil, infoTitle, "Kubernetes"), infoVersion, "1.36"))
	out = field(out, documentPaths, nil)
	return field(out, documentDefinitions, definitions)
}

// schema is a schema of OpenAPI v3.
type schema struct {
	Format, Description, Type string
	Required                  []string
	Properties                map[string]json.RawMessage
	Items                     json.RawMessage
	AdditionalProperties      json.RawMessage
	AllOf                     []struct {
		Ref string `json:"$ref"`
	}
	Ref string `json:"$ref"`
}

// message returns the message Schema of a schema of OpenAPI v3.
func message(text json.RawMessage) []byte {
	var s schema
	var members map[string]json.RawMessage
	for _, into := range []any{&s, &members} {
		if err := json.Unmarshal(text, into); err != nil {
			panic(err) // the schemas are embedded
		}
	}
	for _, one := range s.AllOf {
		s.Ref = one.Ref
	}
	out := textField(textField(nil, schemaFormat, s.Format), schemaText, s.Description)
	out = textField(out, schemaRef, strings.Replace(s.Ref, "/components/schemas/", "/definitions/", 1))
	for _, name := range s.Required {
		out = textField(out, schemaRequired, name)
	}
	if s.AdditionalProperties != nil {
		out = field(out, schemaAdditional, field(nil, onlyField, message(s.AdditionalProperties)))
	}
	if s.Type != "" {
		out = field(out, schemaType, textField(nil, onlyField, s.Type))
	}
	if s.Items != nil {
		out = field(out, schemaItems, field(nil, onlyField, message(s.Items)))
	}
	var properties []byte
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		properties = named(properties, onlyField, name, message(s.Properties[name]))
	}
	if properties != nil {
		out = field(out, schemaProperties, properties)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if strings.HasPrefix(name, "x-kubernetes-") { // the value is YAML, and JSON is YAML
			out = named(out, schemaExtension, name, field(nil, anyYAML, members[name]))
		}
	}
	return out
}
