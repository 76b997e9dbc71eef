package apiserver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/patch"
	"github.com/leaselab/leaselab/core/wire"
)

// The shapes of patches, as upstream's decoder names them in its errors.
var (
	operationsType = &wire.Type{Shape: wire.AList, GoType: "[]handlers.jsonPatchOp",
		Elem: types["handlers.jsonPatchOp"]}
	anyObjectType = &wire.Type{Shape: wire.AMap, GoType: "map[string]interface {}", Elem: wire.AnyType}
)

// json returns the object after a JSON patch or a merge patch, which work on JSON bytes.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go jsonPatcher.
func (p *patching) json(old object) (object, *failure) {
	bytes := wire.Encode(nil, old, p.version.kind)
	patched, strict, f := p.patchBytes(bytes)
	if f != nil {
		return nil, f
	}
	o, more, err := p.decodePatched(patched)
	if err != nil {
		return nil, invalidPatch(string(patched), err.Error())
	}
	if f := p.strictly(append(strict, more...), func() string { return string(patched) }); f != nil {
		return nil, f
	}
	return o, nil
}

// patchBytes applies the patch to an object's JSON. The result strict holds the strict decoder's errors about the patch
// itself.
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
	patched, err := patch.JSON(whole, p.data, p.config.BodyDepth)
	if err != nil {
		return nil, nil, p.patchFailure(err)
	}
	return patched, strict, nil
}

// strictPatch returns the strict decoder's errors about the patch itself.
func (p *patching) strictPatch(t *wire.Type) ([]string, *failure) {
	if p.r.fieldValidation() == "Ignore" {
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

// internalVersion is upstream's internal version. Upstream decodes a document without an apiVersion in this version.
const internalVersion = "__internal"

// decodePatched decodes the result of a patch, in its own kind and version rather than the path's.
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
	into := p.shapeOf(p.res, kind)
	switch {
	case kind.version == "":
		//lint:ignore ST1005 upstream's text
		return nil, nil, fmt.Errorf("Object 'apiVersion' is missing in '%s'", data)
	case into != nil:
	case kind.version == internalVersion && kind.group == p.res.group && kind.kind == p.res.kind:
		return p.decodeInternal(n)
	case kind.version == internalVersion:
		return nil, nil, fmt.Errorf("no kind %q is registered for the internal version of group %q in scheme %q",
			kind.kind, kind.group, scheme)
	case isRegistered(kind):
		return nil, nil, fmt.Errorf("converting (%s) to (%s): unknown conversion", kind.goType(), p.res.goKind)
	default:
		return nil, nil, fmt.Errorf("no kind %q is registered for version %q in scheme %q", kind.kind,
			kind.apiVersion(), scheme)
	}
	o, strict, err := wire.Decode(n, into)
	if err != nil {
		return nil, nil, err
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return convert(o, p.versionNamed(kind.version), p.version), strict, nil
}

// versionNamed returns the resource's version with a name, or else the path's.
func (p *patching) versionNamed(name string) *version {
	for i := range p.res.versions {
		if p.res.versions[i].name == name {
			return &p.res.versions[i]
		}
	}
	return p.version
}

// decodeInternal decodes a document into upstream's internal type. Its members have Go's names instead of JSON's, and
// the members of metadata are at the top level. Source: kubernetes v1.36 pkg/apis/coordination types.go.
func (p *patching) decodeInternal(n *wire.Node) (object, []string, error) {
	meta, spec := p.version.kind.Field("metadata"), p.version.kind.Field("spec")
	inside := *spec.Type
	inside.Fields = append([]wire.Field(nil), inside.Fields...)
	for i, f := range inside.Fields {
		inside.Fields[i].Name = strings.ToUpper(f.Name[:1]) + f.Name[1:]
	}
	whole := &wire.Type{Shape: wire.AStruct, GoName: p.version.kind.GoName, GoType: p.res.goKind,
		Fields: append([]wire.Field{
			{Name: "kind", Type: wire.StringType}, {Name: "apiVersion", Type: wire.StringType},
			{Name: "Spec", Type: &inside, Keep: true},
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
