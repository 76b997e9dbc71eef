package openapi

import (
	"encoding/binary"
	"slices"

	"github.com/leaselab/leaselab/core/wire"
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

// extension appends a vendor extension, whose value is YAML.
func extension(out []byte, name string, value any) []byte {
	any := field(nil, anyYAML, wire.Encode(nil, value, nil)) // JSON is YAML
	return field(out, schemaExtension, field(textField(nil, namedName, name), namedValue, any))
}

func typeField(out []byte, shape string) []byte {
	return field(out, schemaType, textField(nil, onlyField, shape))
}

// V2 returns the document of all kinds.
func V2() []byte {
	used := map[string]schema{}
	keep := func(all []schema) {
		for _, s := range all {
			used[s.name] = s
		}
	}
	for _, k := range coreKinds {
		keep(append(k.coreSchemas(), k.common()...))
	}
	keep(coreParts)
	keep(newEvent.newEventSchemas())
	for _, k := range versions {
		keep(k.schemas())
	}
	names := make([]string, 0, len(used))
	for name := range used {
		names = append(names, name)
	}
	slices.Sort(names)
	var definitions []byte
	for _, name := range names {
		s := used[name]
		definitions = field(definitions, onlyField, field(textField(nil, namedName, name), namedValue, s.v2()))
	}
	out := textField(nil, documentSwagger, "2.0")
	out = field(out, documentInfo, textField(textField(nil, infoTitle, "Kubernetes"), infoVersion, "1.36"))
	out = field(out, documentPaths, nil)
	return field(out, documentDefinitions, definitions)
}

// v2 returns the message Schema of a schema.
func (s *schema) v2() []byte {
	out := textField(textField(nil, schemaFormat, s.format), schemaText, s.text)
	shape := s.shape
	if shape == "" {
		shape = "object"
	}
	var properties []byte
	for i := range s.properties {
		p := &s.properties[i]
		if p.must {
			out = textField(out, schemaRequired, p.name)
		}
		properties = field(properties, onlyField, field(textField(nil, namedName, p.name), namedValue, p.v2()))
	}
	out = typeField(out, shape)
	if len(properties) > 0 {
		out = field(out, schemaProperties, properties)
	}
	var kinds []any
	for _, k := range s.kinds {
		kinds = append(kinds, wire.Map{"group": k.group, "version": k.version, "kind": k.kind})
	}
	if len(kinds) > 0 {
		out = extension(out, "x-kubernetes-group-version-kind", kinds)
	}
	return out
}

// v2 returns the message Schema of a property.
func (p *property) v2() []byte {
	if p.list == "" {
		return p.v2Value(textField(nil, schemaText, p.text))
	}
	one := *p
	one.list, one.text = "", ""
	out := typeField(textField(nil, schemaText, p.text), "array")
	out = field(out, schemaItems, field(nil, onlyField, one.v2()))
	if p.keys != "" {
		out = extension(extension(out, "x-kubernetes-patch-merge-key", p.keys), "x-kubernetes-list-map-keys",
			[]any{p.keys})
	}
	if p.patch != "" {
		out = extension(out, "x-kubernetes-patch-strategy", p.patch)
	}
	return out
}

// v2Value appends the type of a value that is not a list.
func (p *property) v2Value(out []byte) []byte {
	switch p.is {
	case "string", "boolean":
		return typeField(out, p.is)
	case "int32", "int64":
		return typeField(textField(out, schemaFormat, p.is), "integer")
	case "map":
		return field(typeField(out, "object"), schemaAdditional, field(nil, onlyField, typeField(nil, "string")))
	}
	return textField(out, schemaRef, "#/definitions/"+p.is)
}
