package apiserver

import (
	"errors"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/leaselab/leaselab/core/wire"
)

// maxPatchOperations is how many operations a JSON patch may have.
const maxPatchOperations = 10000

// maxCopyBytes is how much the copies of a JSON patch may make together.
// Source: apiserver v0.36 pkg/server/config.go JSONPatchMaxCopyBytes.
const maxCopyBytes = 3 << 20

func init() { jsonpatch.AccumulatedCopySizeLimit = maxCopyBytes }

// The shapes of patches, as upstream's decoder names them in its errors.
var (
	operationsType = &wire.Type{Shape: wire.AList, GoType: "[]handlers.jsonPatchOp", Elem: &wire.Type{
		Shape: wire.AStruct, GoName: "jsonPatchOp", GoType: "handlers.jsonPatchOp", Fields: []wire.Field{
			{Name: "op", Type: wire.StringType},
			{Name: "path", Type: wire.StringType},
			{Name: "from", Type: wire.StringType},
			{Name: "value", Type: wire.AnyType},
		},
	}}
	anyObjectType = &wire.Type{Shape: wire.AMap, GoType: "map[string]interface {}", Elem: wire.AnyType}
)

// json is the object after a JSON patch or a merge patch, which work on its bytes.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go jsonPatcher.
func (p *patching) json(old object) (object, *failure) {
	bytes := wire.Encode(nil, old, p.version.kind)
	patched, strict, f := p.patchBytes(bytes)
	if f != nil {
		return nil, f
	}
	o, more, err := p.decodePatched(patched)
	if err != nil {
		return nil, unfitPatch(string(patched), err.Error())
	}
	if f := p.strictly(append(strict, more...), func() string { return string(patched) }); f != nil {
		return nil, f
	}
	return o, nil
}

// patchBytes applies the patch to an object's JSON. strict is what a strict decoder would refuse in the patch itself.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go applyJSPatch.
func (p *patching) patchBytes(whole []byte) (patched []byte, strict []string, f *failure) {
	if p.media == mergePatchMedia {
		if strict, f = p.strictPatch(anyObjectType); f != nil {
			return nil, nil, f
		}
		patched, err := wire.MergePatch(whole, p.data)
		switch {
		case errors.Is(err, wire.ErrBadPatch):
			return nil, nil, badRequest("%s", err)
		case err != nil:
			return nil, nil, internal("%s", err)
		}
		return patched, strict, nil
	}
	if strict, f = p.strictPatch(operationsType); f != nil {
		return nil, nil, f
	}
	for i := range strict {
		strict[i] = "json patch " + strict[i]
	}
	operations, err := jsonpatch.DecodePatch(p.data)
	if err != nil {
		return nil, nil, badRequest("%s", err)
	}
	if len(operations) > maxPatchOperations {
		return nil, nil, fail(413, "RequestEntityTooLarge", "Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(operations))
	}
	if f := affordableOperations(p.data, len(operations), whole); f != nil {
		return nil, nil, f
	}
	if limit := p.config.BodyDepth; limit > 0 && deepens(whole, operations) > limit {
		return nil, nil, p.tooDeep("the object after the patch")
	}
	switch patched, err = survived(func() ([]byte, error) { return operations.Apply(whole) }); {
	case err == errCrash:
		return nil, nil, crashed()
	case err != nil:
		return nil, nil, rejected()
	}
	return patched, strict, nil
}

// deepens is how deep an object is nested at most while a JSON patch is applied to it: a path can lead down into what an
// operation before it has put there, and so can a copy.
func deepens(whole []byte, operations jsonpatch.Patch) int {
	deepest, _ := wire.Depth(whole, len(whole))
	for _, o := range operations {
		path, _ := o.Path()
		from, _ := o.From()
		inner := 0
		switch o.Kind() {
		case "add", "replace":
			if value := o["value"]; value != nil {
				inner, _ = wire.Depth(*value, len(*value))
			}
		case "copy", "move":
			inner = max(0, deepest-strings.Count(from, "/"))
		}
		deepest = max(deepest, strings.Count(path, "/")+inner)
	}
	return deepest
}

// survived is what a function of the library returns, or errCrash where it panics: a copy of what is not there and a test of
// it are enough. Upstream's server gets over it in the same way.
func survived(do func() ([]byte, error)) (out []byte, err error) {
	defer func() {
		if recover() != nil {
			out, err = nil, errCrash
		}
	}()
	return do()
}

// crashed is the answer to a request that upstream panics at.
// Source: apiserver v0.36 pkg/server/filters wrap.go WithPanicRecovery.
func crashed() *failure {
	return &failure{code: 500, message: "This request caused apiserver to panic. Look in the logs for details.", crash: true}
}

// rejected is the answer to a patch that is well formed and cannot be applied.
func rejected() *failure {
	return &failure{code: 422, reason: "Invalid", message: "the server rejected our request due to an error in our request", details: wire.Map{}}
}

// strictPatch looks at the patch as a document of its own.
func (p *patching) strictPatch(t *wire.Type) ([]string, *failure) {
	if p.fieldValidation() == "Ignore" {
		return nil, nil
	}
	n, err := wire.Parse(p.data)
	if err != nil {
		return nil, badRequest("error decoding patch: %s", err)
	}
	_, strict, err := wire.Decode(n, t)
	if err != nil {
		return nil, badRequest("error decoding patch: %s", err)
	}
	return strict, nil
}

// internalVersion is the version that upstream computes with. A document without apiVersion is read as if it were in it.
const internalVersion = "__internal"

// decodePatched reads what a patch made. Its kind and version are what it says, not what the path says.
// Source: apimachinery v0.36 pkg/runtime codec.go DecodeInto, serializer/json json.go Decode.
func (p *patching) decodePatched(data []byte) (object, []string, error) {
	n, err := wire.Parse(data)
	if err != nil {
		return nil, nil, fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	kind, err := interpret(n)
	if err != nil {
		return nil, nil, err
	}
	if kind.kind == "" {
		kind.kind = p.res.kind
	}
	if kind.version == "" && (kind.group == "" || kind.group == p.res.group) {
		kind.group, kind.version = p.res.group, internalVersion
	}
	into := p.shapeOf(kind)
	switch {
	case kind.version == "":
		//lint:ignore ST1005 upstream's text
		return nil, nil, fmt.Errorf("Object 'apiVersion' is missing in '%s'", data)
	case into != nil:
	case kind.version == internalVersion && kind.group == p.res.group && kind.kind == p.res.kind:
		return p.decodeInternal(n)
	case kind.version == internalVersion:
		return nil, nil, fmt.Errorf("no kind %q is registered for the internal version of group %q in scheme %q", kind.kind, kind.group, scheme)
	case registered(kind):
		return nil, nil, fmt.Errorf("converting (%s) to (%s): unknown conversion", kind.goType(), p.res.goKind)
	default:
		return nil, nil, fmt.Errorf("no kind %q is registered for version %q in scheme %q", kind.kind, kind.apiVersion(), scheme)
	}
	o, strict, err := wire.Decode(n, into)
	if err != nil {
		return nil, nil, err
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return convert(o, p.versionNamed(kind.version), p.version), strict, nil
}

// versionNamed is one of the resource's versions, by default the path's.
func (p *patching) versionNamed(name string) *version {
	for i := range p.res.versions {
		if p.res.versions[i].name == name {
			return &p.res.versions[i]
		}
	}
	return p.version
}

// decodeInternal reads a document into the type upstream computes with. It has Go's names instead of JSON's, and what is
// otherwise in metadata stands beside spec.
// Source: kubernetes v1.36 pkg/apis/coordination types.go.
func (p *patching) decodeInternal(n *wire.Node) (object, []string, error) {
	meta, spec := p.version.kind.Field("metadata"), p.version.kind.Field("spec")
	inside := *spec.Type
	inside.Fields = append([]wire.Field(nil), inside.Fields...)
	for i, f := range inside.Fields {
		inside.Fields[i].Name = strings.ToUpper(f.Name[:1]) + f.Name[1:]
	}
	whole := &wire.Type{Shape: wire.AStruct, GoName: p.version.kind.GoName, GoType: p.res.goKind, Fields: append([]wire.Field{
		{Name: "kind", Type: wire.StringType}, {Name: "apiVersion", Type: wire.StringType}, {Name: "Spec", Type: &inside, Keep: true},
	}, meta.Type.Fields...)}
	flat, strict, err := wire.Decode(n, whole)
	if err != nil {
		return nil, nil, err
	}
	o := wire.Map{"metadata": wire.Map{}, "spec": wire.Map{}}
	for _, f := range meta.Type.Fields {
		if v, has := flat[f.Name]; has {
			wire.Set(o, v, "metadata", f.Name)
		}
	}
	for i, f := range spec.Type.Fields {
		if v, has := wire.Object(flat, "Spec")[inside.Fields[i].Name]; has {
			wire.Set(o, v, "spec", f.Name)
		}
	}
	return o, strict, nil
}
