package apiserver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// The media types of patches.
const (
	jsonPatchMedia      = "application/json-patch+json"
	mergePatchMedia     = "application/merge-patch+json"
	strategicPatchMedia = "application/strategic-merge-patch+json"
	applyPatchMedia     = "application/apply-patch+yaml"
)

var patchMedia = []string{jsonPatchMedia, mergePatchMedia, strategicPatchMedia, applyPatchMedia}

// patchable returns a failure for a PATCH whose Content-Type no route accepts. Upstream checks this first.
// Source: go-restful v3 route.go matchesContentType.
func (r *Request) patchable() *failure {
	for _, media := range strings.Split(r.Header["content-type"], ",") {
		media, _, _ = strings.Cut(media, ";")
		media = strings.Trim(media, " ")
		if slices.Contains(patchMedia, media) {
			return nil
		}
	}
	return fail(415, "UnsupportedMediaType", "415: Unsupported Media Type").with(wire.Map{})
}

// patching is the state of a PATCH. A PATCH makes the new object from the live object. Only an apply works without a
// live object.
type patching struct {
	*call
	data    []byte
	media   string
	manager string

	ready    *patched
	attempts int
}

// patched is the outcome of a patch on a version of an object.
type patched struct {
	revision int64
	object   object
	failure  *failure
}

// patch changes one object by one of the four kinds of patches.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go.
func (c *call) patch() Response {
	p, f := c.readPatch()
	switch {
	case f != nil:
		return c.sendFailure(f)
	case !c.config.InParts || c.res.nameFault(c.namespace, c.name) != nil:
		return p.finish()
	case p.media == applyPatchMedia && p.config.YAML != nil:
		return Response{Free: true, Resume: func() Response {
			p.readYAML(p.data)
			return Response{Resume: p.finish}
		}}
	}
	return p.attempt()
}

func (p *patching) finish() Response { return p.answer(p.change("", p.newObject)) }

// mostAttempts is how often a patch starts over because another write changed the object meanwhile.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go maxRetryWhenPatchConflicts.
const mostAttempts = 5

// attempt applies a patch in three steps, the second one of which needs no lock on the server: it takes long for a
// large object or a long patch.
func (p *patching) attempt() Response {
	key := p.res.key(p.namespace, p.name)
	e, has := p.store.Get(key)
	if !has || p.media == applyPatchMedia ||
		p.media == strategicPatchMedia && len(p.data) < 4<<10 && wire.Bytes(e.Value.tree) < 64<<10 { // it is fast
		return p.finish()
	}
	if p.attempts++; p.attempts > mostAttempts {
		return p.sendFailure(p.res.conflict(p.name, conflictMessage))
	}
	old := p.liveObject(new(storedOf(e)))
	return Response{Free: true, Resume: func() Response {
		o, f := p.merge(old)
		p.ready = &patched{e.Revision, o, f}
		return Response{Resume: func() Response {
			if now, _ := p.store.Get(key); now.Revision != e.Revision {
				return p.attempt()
			}
			return p.finish()
		}}
	}}
}

// readPatch reads the patch.
func (c *call) readPatch() (*patching, *failure) {
	media := mediaBeforeParams(c.r.Header["content-type"])
	if !slices.Contains(patchMedia, media) {
		return nil, fail(415, "UnsupportedMediaType",
			"the body of the request was in an unknown format - accepted media types include: %s",
			strings.Join(patchMedia, ", "))
	}
	data, f := c.readBody()
	if f != nil {
		return nil, f
	}
	manager, f := c.writeOptions("PatchOptions")
	if f != nil {
		return nil, f
	}
	return &patching{call: c, data: data, media: media, manager: manager}, nil
}

// newObject returns the object after the patch.
func (p *patching) newObject(live *storedObject) (object, *failure) {
	o, f := p.applyPatch(live)
	if f != nil {
		return nil, f
	}
	if uid := wire.Text(o, "metadata", "uid"); live == nil && uid != "" {
		return nil, p.res.conflict(p.name,
			fmt.Sprintf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if f := matchNamespace(o, p.namespace); f != nil {
		return nil, f
	}
	if f := matchName(o, p.name); f != nil {
		return nil, f
	}
	p.dedupOwners(o, " after mutating admission happens")
	return o, nil
}

// merge returns the object after a patch that is not an apply.
func (p *patching) merge(old object) (object, *failure) {
	if p.media == strategicPatchMedia {
		return p.strategic(old)
	}
	return p.json(old)
}

func (p *patching) applyPatch(live *storedObject) (object, *failure) {
	if p.media == applyPatchMedia {
		return p.apply(live)
	}
	if live == nil {
		return nil, p.res.notFound(p.name)
	}
	old := p.liveObject(live)
	var o object
	var f *failure
	if p.ready != nil && p.ready.revision == live.revision {
		o, f = p.ready.object, p.ready.failure
	} else {
		o, f = p.merge(old)
	}
	if f != nil {
		return nil, f
	}
	if p.res == namespaces {
		labelNamespace(o)
	}
	return p.writes(p.manager).Update(old, p.confine(o, old)), nil
}

// liveObject returns a live object in the path's version, with kind, apiVersion and resourceVersion. It shares the
// values below metadata and spec with the store; the caller must not change them.
func (p *patching) liveObject(live *storedObject) object {
	o := convert(live.object, p.res.storageVersion(), p.version)
	whole := make(wire.Map, len(o)+2)
	for name, v := range o {
		whole[name] = v
	}
	meta := make(wire.Map, len(wire.Object(o, "metadata"))+1)
	for name, v := range wire.Object(o, "metadata") {
		meta[name] = v
	}
	meta["resourceVersion"] = fmt.Sprint(live.revision)
	whole["kind"], whole["apiVersion"], whole["metadata"] = p.res.kind, p.res.groupVersion(p.version), meta
	return whole
}

// invalidPatch is the failure of a patch whose result is not an object of the kind. The argument shown is that result.
func invalidPatch(shown, because string) *failure {
	return invalid("", "", "", []validate.Cause{validate.Invalid("patch", fmt.Sprintf("%q", shown), because)})
}

// The method named strictly turns the strict decoder's errors about a patch or its result into warnings or a failure,
// as fieldValidation says.
func (p *patching) strictly(strict []string, shown func() string) *failure {
	if len(strict) == 0 || p.r.fieldValidation() == "Ignore" {
		return nil
	}
	if p.r.fieldValidation() == "Strict" {
		return invalidPatch(shown(), "strict decoding error: "+strings.Join(strict, ", "))
	}
	p.warnStrict(strict)
	return nil
}

// lastWrite is the part of a fieldmanager request that is the same for all writes in one version of a kind.
type lastWrite struct {
	of    *version
	write fieldmanager.Write
}

// writes returns the request for package fieldmanager.
func (c *call) writes(manager string) fieldmanager.Write {
	if last := &c.wrote; last.of != c.version {
		*last = lastWrite{of: c.version,
			write: fieldmanager.Write{Type: c.version.kind, Kind: c.res.kind, APIVersion: c.res.groupVersion(c.version),
				Memo: &c.memo}}
		for i := range c.res.versions {
			if v := &c.res.versions[i]; c.serves(c.res.group, v.name) {
				last.write.Served = append(last.write.Served, c.res.groupVersion(v))
			}
		}
	}
	w := c.wrote.write
	w.Manager, w.Instant, w.Subresource = manager, c.instant(), c.subresource
	w.Resets = c.resets()
	return w
}
