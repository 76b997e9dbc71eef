package apiserver

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// maxBodyBytes is the longest body the server reads.
const maxBodyBytes = 3 << 20

// readBody returns the body, or a failure if it is too long.
func (c *call) readBody() ([]byte, *failure) {
	limit := maxBodyBytes
	if c.config.BodyBytes > 0 {
		limit = min(limit, c.config.BodyBytes)
	}
	if len(c.r.Body) > limit {
		return nil, fail(413, "RequestEntityTooLarge", "Request entity too large: limit is %d", limit)
	}
	if limit := c.config.BodyDepth; limit > 0 {
		if _, at := wire.Depth(c.r.Body, limit); at >= 0 {
			return nil, c.tooDeep("the body of the request")
		}
	}
	if f := c.affordable(c.r.Body); f != nil {
		return nil, f
	}
	return c.r.Body, nil
}

// tooDeep returns a failure for a body with too many levels of nesting.
//
// Deviation: upstream accepts 10,000 levels. TestBodiesAreLimited pins this limit.
func (s *Server) tooDeep(what string) *failure {
	return badRequest("%s is nested more than %d levels deep, which is the limit here", what, s.config.BodyDepth)
}

// yamlBody is the JSON of a YAML body, or why the server cannot convert it. strict is the strict reader's error.
type yamlBody struct {
	json        []byte
	err, strict error
}

// readYAML converts a YAML body once, which needs no lock on the server.
func (c *call) readYAML(data []byte) {
	if c.yaml != nil {
		return
	}
	c.yaml = &yamlBody{}
	c.yaml.json, c.yaml.err = c.config.YAML(data)
	if c.yaml.err == nil && c.config.StrictYAML != nil && c.r.fieldValidation() != "Ignore" {
		c.yaml.strict = c.config.StrictYAML(data)
	}
}

// yamlLong reports whether a request's body is YAML that takes long to convert.
func (c *call) yamlLong() bool {
	if !c.config.InParts || c.config.YAML == nil || c.verb != "create" && c.verb != "update" ||
		len(c.r.Body) < 16<<10 || mediaBeforeParams(c.r.Header["content-type"]) != yamlMedia {
		return false
	}
	_, f := c.readBody()
	return f == nil
}

// body decodes an object of the path's kind.
// Source: apiserver v0.36 pkg/endpoints/handlers create.go, apimachinery v0.36 pkg/runtime/serializer/json.
func (c *call) body(media string, data []byte) (object, *failure) {
	if media == protobufMedia {
		because := c.r.Malformed
		if because == "" {
			because = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"
		}
		return nil, c.res.unknownBody(because, data)
	}
	sent, asYAML := data, media == yamlMedia && c.config.YAML != nil
	if asYAML {
		if c.readYAML(data); c.yaml.err != nil {
			return nil, c.res.unknownBody(c.yaml.err.Error(), data)
		}
		if sent = c.yaml.json; wire.CountValues(sent) > mostValues {
			return nil, tooManyValues("the body", mostValues)
		}
	}
	n, err := wire.Parse(sent)
	if err != nil {
		return nil, c.res.unknownBody(fmt.Sprintf("couldn't get version/kind; json parse error: %s", err), data)
	}
	kind, f := c.res.bodyKind(c.version, n, data)
	if f != nil {
		return nil, f
	}
	o, strict, f := c.decode(c.res, n, kind, data)
	if f != nil {
		return nil, f
	}
	if c.res == namespaces {
		labelNamespace(o)
	}
	if asYAML && c.yaml.strict != nil {
		strict = append([]string{c.yaml.strict.Error()}, strict...)
	}
	if len(strict) > 0 && c.r.fieldValidation() == "Strict" {
		return nil, kind.unfit(c.res, "strict decoding error: "+strings.Join(strict, ", "))
	}
	if kind.apiVersion() != c.res.groupVersion(c.version) {
		c.warnStrict(strict)
		return nil, badRequest("the API version in the data (%s) does not match the expected API version (%s)",
			kind.apiVersion(), c.res.groupVersion(c.version))
	}
	c.warnStrict(strict)
	return o, nil
}

// warnStrict adds a warning for each error of the strict decoder. One error of the YAML reader may list several
// mistakes. Source: apiserver v0.36 pkg/endpoints/handlers/rest.go addStrictDecodingWarnings.
func (c *call) warnStrict(strict []string) {
	if c.r.fieldValidation() != "Warn" {
		return
	}
	for _, said := range strict {
		short := strings.TrimPrefix(strings.TrimPrefix(said, "error converting YAML to JSON: "),
			"yaml: unmarshal errors:\n")
		if !strings.Contains(said, "yaml: unmarshal errors:\n") {
			c.warn(said)
			continue
		}
		for _, line := range strings.Split(short, "\n") {
			c.warn(strings.TrimSpace(line))
		}
	}
}

// unknownBody is the failure for a body without a recognizable kind.
func (r *resource) unknownBody(because string, data []byte) *failure {
	return badRequest("the object provided is unrecognized (must be of type %s): %s (%s)", r.kind, because,
		summary(data))
}

// summary returns the beginning of a body for an error: as text if it looks like JSON, else in hexadecimal.
func summary(data []byte) string {
	const longest = 30
	switch {
	case len(data) == 0:
		return "<empty>"
	case data[0] == '{':
		if len(data) > longest {
			return string(data[:longest]) + " ..."
		}
		return string(data)
	case len(data) > longest:
		return hex.EncodeToString(data[:longest]) + " ..."
	}
	return hex.EncodeToString(data)
}

// typeMeta is the Go type into which upstream decodes a kind, as upstream's errors print it.
var typeMeta = &wire.Type{
	Shape:  wire.AStruct,
	GoType: `struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
	Fields: []wire.Field{{Name: "apiVersion", Type: wire.StringType}, {Name: "kind", Type: wire.StringType}},
}

// apiVersion returns the value of an object's apiVersion.
func (g *groupKind) apiVersion() string {
	if g.group == "" {
		return g.version
	}
	return g.group + "/" + g.version
}

// unfit returns the failure for a body whose kind is not the resource's kind.
func (g *groupKind) unfit(r *resource, because string) *failure {
	return badRequest("%s in version %q cannot be handled as a %s: %s", g.kind, g.version, r.kind, because)
}

// kindIn returns the kind and apiVersion of a body. Unlike the names of other members, these two names are
// case-insensitive, because upstream reads them with encoding/json. Source: apimachinery v0.36
// pkg/runtime/serializer/json meta.go Interpret.
func kindIn(n *wire.Node) (kind, apiVersion string, err error) {
	plain := n.Kind == wire.ObjectKind // a separate decoder for kind and apiVersion would slow down every update
	for i, name := range n.Names {
		switch text := n.Items[i].Kind == wire.String; {
		case text && name == "kind":
			kind = n.Items[i].Text
		case text && name == "apiVersion":
			apiVersion = n.Items[i].Text
		case strings.EqualFold(name, "kind") || strings.EqualFold(name, "apiVersion"):
			plain = false
		}
	}
	if plain {
		return kind, apiVersion, nil
	}
	exact := *n
	exact.Names, exact.Items = nil, nil
	for i, name := range n.Names {
		for _, field := range typeMeta.Fields {
			if strings.EqualFold(name, field.Name) {
				exact.Names, exact.Items = append(exact.Names, field.Name), append(exact.Items, n.Items[i])
			}
		}
	}
	kinds, _, err := wire.Decode(&exact, typeMeta)
	if err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %s", err)
	}
	return wire.Text(kinds, "kind"), wire.Text(kinds, "apiVersion"), nil
}

// interpret works like kindIn, but splits the apiVersion into group and version.
func interpret(n *wire.Node) (*groupKind, error) {
	kind, apiVersion, err := kindIn(n)
	g := &groupKind{kind: kind}
	if err != nil || apiVersion == "/" {
		return g, err
	}
	var ok bool
	if g.group, g.version, ok = validate.ParseGroupVersion(apiVersion); !ok {
		return nil, errors.New("unexpected GroupVersion string: " + apiVersion)
	}
	return g, nil
}

// bodyKind returns the kind of a body. The path supplies whatever the body leaves out. Source: apimachinery v0.36
// pkg/runtime/serializer/json json.go gvkWithDefaults.
func (r *resource) bodyKind(v *version, n *wire.Node, data []byte) (*groupKind, *failure) {
	g, err := interpret(n)
	if err != nil {
		return nil, r.unknownBody(err.Error(), data)
	}
	if g.kind == "" {
		g.kind = r.kind
	}
	if g.version == "" && g.group == "" {
		g.group = r.group
	}
	if g.version == "" && g.group == r.group {
		g.version = v.name
	}
	return g, nil
}

// scheme is upstream's name for the registry of its kinds.
const scheme = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"

// decode decodes a document into an object of the path's kind, in the document's version.
func (c *call) decode(r *resource, n *wire.Node, kind *groupKind, data []byte) (object, []string, *failure) {
	if kind.version == "" {
		return nil, nil, kind.unfit(r, fmt.Sprintf("Object 'apiVersion' is missing in '%s'", data))
	}
	into := c.shapeOf(r, kind)
	switch {
	case into != nil:
	case isRegistered(kind):
		because := fmt.Sprintf("converting (%s) to (%s): unknown conversion", kind.goType(), r.goKind)
		for _, other := range c.served() { // upstream decodes the body before it converts the object
			if t := c.shapeOf(other, kind); t != nil {
				if _, _, err := wire.Decode(n, t); err != nil {
					because = err.Error()
				}
			}
		}
		return nil, nil, kind.unfit(r, because)
	default:
		return nil, nil, kind.unfit(r, fmt.Sprintf("no kind %q is registered for version %q in scheme %q", kind.kind,
			kind.apiVersion(), scheme))
	}
	o, strict, err := wire.Decode(n, into)
	if err != nil {
		return nil, nil, kind.unfit(r, err.Error())
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return o, strict, nil
}

// shapeOf returns the type of the resource's objects in a version, or nil if a body cannot have that version. A body
// may have a version that the server does not serve.
func (s *Server) shapeOf(r *resource, kind *groupKind) *wire.Type {
	if kind.kind != r.kind || kind.group != r.group {
		return nil
	}
	for i := range r.versions {
		v := &r.versions[i]
		if v.name == kind.version && (isRegistered(kind) || s.serves(kind.group, v.name)) {
			return v.kind
		}
	}
	switch {
	case !isRegistered(kind):
		return nil
	case r == leases:
		return coordination.LeaseV1beta1Type
	}
	return r.versions[0].kind
}
