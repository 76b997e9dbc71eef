package lesson

import (
	"encoding/json"
	"reflect"
)

// SchemaID names the schema of lesson files. It is an address, but there is nothing to fetch.
const SchemaID = "https://leaselab.dev/schemas/lesson-v1alpha1.json"

// Schema returns the JSON Schema (2020-12) of lesson files and of their texts, for editors, from the types of this
// package. It cannot express relations, such as a name that a step must have; Read checks them.
func Schema() []byte {
	g := generator{map[string]any{}}
	out, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     SchemaID,
		"title":   "leaselab lesson, or its text in one language",
		"oneOf":   []any{g.value(reflect.TypeFor[Lesson]()), g.value(reflect.TypeFor[Text]())},
		"$defs":   g.defs,
	}, "", "  ")
	if err != nil {
		panic("the schema does not encode: " + err.Error())
	}
	return append(out, '\n')
}

type generator struct{ defs map[string]any }

func (g generator) value(t reflect.Type) map[string]any {
	length := map[string]any{"type": "string", "examples": []string{"15s"}}
	switch t {
	case lengthType, durationType:
		return length
	case scenarioType:
		return map[string]any{"type": []string{"string", "object"}}
	case pointType, amountType:
		return map[string]any{"type": []string{"string", "number"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.value(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.value(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.String:
		return map[string]any{"type": "string"}
	}
	if g.defs[t.Name()] == nil {
		g.defs[t.Name()] = true // while its own fields are read
		g.defs[t.Name()] = g.structure(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

func (g generator) structure(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fieldsOf(t) {
		property := g.value(t.Field(f.index).Type)
		if f.help != "" {
			property["description"] = f.help
		}
		if len(f.words) > 0 {
			property["enum"] = f.words
		}
		properties[f.name] = property
		if f.required {
			required = append(required, f.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}
