package openapi

import "github.com/leaselab/leaselab/core/wire"

// The prefixes of schema names: one for each of the two packages.
const (
	metaV1  = "io.k8s.apimachinery.pkg.apis.meta.v1."
	runtime = "io.k8s.apimachinery.pkg.runtime."
)

// schema is the schema of a type.
type schema struct {
	name       string
	text       string
	shape      string // an object if ""
	format     string
	properties []property
	kinds      []groupKind // the group, version and kinds of a top-level object
	whole      bool        // atomic: it has a single owner
}

// groupKind is one group, version and kind of an object.
type groupKind struct{ group, version, kind string }

// property is a property of an object.
type property struct {
	name string
	// The field "is" names the type: string, boolean, int32, int64, map (of strings) or a schema.
	is   string
	list string // how apply merges a list: atomic, set, map, or "plain" if the schema says nothing; "" for other types
	text string
	must bool // required
	zero bool // Go's encoder writes it even if it is empty
	keys string
	// The field "patch" says how a strategic merge patch merges a list.
	patch string
}

func reference(name string) wire.Encoded { return members("$ref", "#/components/schemas/"+name) }

// encode returns a schema as JSON.
func (s *schema) encode() wire.Encoded {
	shape := s.shape
	if shape == "" {
		shape = "object"
	}
	var must []string
	all := map[string]any{}
	for _, p := range s.properties {
		if p.must {
			must = append(must, p.name)
		}
		all[p.name] = p.encode()
	}
	pairs := []any{"description", textOrNone(s.text), "type", shape, "format", textOrNone(s.format), "required",
		listOrNone(texts(must...))}
	if len(all) > 0 {
		pairs = append(pairs, "properties", sortedObject(all))
	}
	if s.whole {
		pairs = append(pairs, "x-kubernetes-map-type", "atomic")
	}
	var kinds []any
	for _, k := range s.kinds {
		kinds = append(kinds, members("group", k.group, "kind", k.kind, "version", k.version))
	}
	return members(append(pairs, "x-kubernetes-group-version-kind", listOrNone(kinds))...)
}

func textOrNone(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// encode returns a property as JSON.
func (p *property) encode() wire.Encoded {
	text := textOrNone(p.text)
	if p.list != "" {
		pairs := []any{"description", text, "type", "array", "items", p.item()}
		if p.keys != "" {
			pairs = append(pairs, "x-kubernetes-list-map-keys", texts(p.keys))
		}
		if p.list != "plain" {
			pairs = append(pairs, "x-kubernetes-list-type", p.list)
		}
		return members(append(pairs, "x-kubernetes-patch-merge-key", textOrNone(p.keys), "x-kubernetes-patch-strategy",
			textOrNone(p.patch))...)
	}
	var zero any
	switch p.is {
	case "string":
		if zero = ""; !p.zero {
			zero = nil
		}
		return members("description", text, "type", "string", "default", zero)
	case "boolean":
		if zero = false; !p.zero {
			zero = nil
		}
		return members("description", text, "type", "boolean", "default", zero)
	case "int32", "int64":
		if zero = 0; !p.zero {
			zero = nil
		}
		return members("description", text, "type", "integer", "format", p.is, "default", zero)
	case "map":
		return members("description", text, "type", "object", "additionalProperties", p.item())
	}
	if zero = members(); !p.zero {
		zero = nil
	}
	return members("description", text, "default", zero, "allOf", []any{reference(p.is)})
}

// item returns the schema of the items of a list or the values of a map.
func (p *property) item() wire.Encoded {
	if p.is == "string" || p.is == "map" {
		return members("type", "string")
	}
	return reference(p.is)
}
