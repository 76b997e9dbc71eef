package apiserver

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// list answers with the objects of one namespace or of all namespaces.
// Source: apiserver v0.36 pkg/endpoints/handlers get.go ListResource.
func (c *call) list() Response {
	o, f := c.listOptions()
	if f != nil {
		return c.sendFailure(f)
	}
	p, f := c.page(o)
	if f != nil {
		return c.sendFailure(f)
	}
	return c.writeList(200, p.items, p.meta())
}

// page is a list, or a part of one.
type page struct {
	items     []storedObject
	revision  int64
	token     string // continue token, "" at the end
	remaining int64  // remainingItemCount, -1 to leave it out
}

// meta returns the list's metadata.
func (p *page) meta() wire.Map {
	m := wire.Map{"resourceVersion": strconv.FormatInt(p.revision, 10)}
	if p.token != "" {
		m["continue"] = p.token
		if p.remaining >= 0 {
			m["remainingItemCount"] = p.remaining
		}
	}
	return m
}

// scope is the part of the storage that a list or a watch reads: everything under a prefix, or one key.
type scope struct {
	prefix string
	key    string // "" for all
}

// scope returns the part of the storage that a request reads. The namespace and the field selector narrow that part,
// as they do upstream. A continue token is relative to that part, so the next request must select the same one.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go ListPredicate, WatchPredicate.
func (c *call) scope(o *listOptions, continued bool) scope {
	namespace := c.namespace
	if continued {
		return scope{prefix: c.res.prefix(namespace)}
	}
	if selected, says := o.fields.Exact("metadata.namespace"); says && c.res.namespaced && namespace == "" &&
		validate.IsDNSLabel(selected) && len(selected) <= validate.LongestLabel {
		namespace = selected
	}
	s := scope{prefix: c.res.prefix(namespace)}
	name, says := o.fields.Exact("metadata.name")
	if says && name != "" && segmentFault(name) == nil && (namespace != "" || !c.res.namespaced) {
		s.key = c.res.key(namespace, name)
	}
	return s
}

// has reports whether the scope contains a key.
func (s *scope) has(key string) bool {
	if s.key != "" {
		return key == s.key
	}
	return strings.HasPrefix(key, s.prefix)
}

// point is the revision and the key at which a list begins to read. Revision 0 means the newest one.
type point struct {
	revision uint64
	start    string
}

// page reads one page of a list.
// Source: apiserver v0.36 pkg/storage/cacher cacher.go GetList, delegator.go ShouldDelegateList.
func (c *call) page(o *listOptions) (page, *failure) {
	if f := c.res.keyFault(c.namespace, ""); f != nil {
		return page{}, f
	}
	s := c.scope(o, o.token != "")
	if f := c.affordableSelector(o, &s); f != nil {
		return page{}, f
	}
	at, f := c.point(o, &s)
	if f != nil {
		return page{}, f
	}
	p := page{revision: c.store.Revision(), remaining: -1}
	if at.revision != 0 {
		p.revision = int64(at.revision)
	}
	limit := o.limit
	if o.revision == "0" { // revision 0 accepts any state, and the answer is the whole list
		limit = 0
	}
	seen, last := int64(0), ""
	total := c.walk(&s, p.revision, at.start, func(e storage.Entry[*objectVersion]) bool {
		seen++
		if o.selectsAll() || o.matches(e.Value.read()) {
			p.items = append(p.items, storedOf(e))
			last = e.Key
		}
		return limit <= 0 || int64(len(p.items)) < limit
	})
	if seen < total {
		p.token = encodeContinue(strings.TrimPrefix(last, strings.TrimSuffix(s.prefix, "/"))+"\x00", p.revision)
		if o.selectsAll() {
			p.remaining = total - limit
		}
	}
	return p, nil
}

// point chooses the revision at which a list reads.
func (c *call) point(o *listOptions, s *scope) (point, *failure) {
	if o.token != "" {
		start, revision, err := decodeContinue(o.token)
		switch {
		case err != nil:
			return point{}, badRequest("invalid continue token: %s", err)
		case o.revision != "" && o.revision != "0":
			return point{}, badRequest("specifying resource version is not allowed when using continue")
		case revision < 0:
			return point{start: s.prefix + start}, nil
		}
		if f := c.readable(uint64(revision), s); f != nil {
			if f.code == 410 {
				f = tooOldToContinue(start)
			}
			return point{}, f
		}
		return point{uint64(revision), s.prefix + start}, nil
	}
	revision, err := parseListRevision(o.revision)
	if err != nil {
		return point{}, badRequest("invalid resource version: %s", err)
	}
	legacyExact := o.match == "" && o.limit > 0 && s.key == ""
	if revision > 0 && (o.match == exactly || legacyExact) {
		return point{revision: revision}, c.readable(revision, s)
	}
	switch {
	case revision <= uint64(c.store.Revision()):
		return point{}, nil
	case s.key != "" && o.match == "" && o.limit > 0:
		return point{}, c.futureRevision(revision)
	}
	return point{}, c.tooLarge(revision)
}

// readable returns a failure for a revision that the store no longer keeps or has not reached yet.
func (s *Server) readable(revision uint64, in *scope) *failure {
	switch {
	case revision > uint64(s.store.Revision()) && in.key != "":
		return s.futureRevision(revision)
	case revision > uint64(s.store.Revision()):
		return s.tooLarge(revision)
	case revision < uint64(s.store.Oldest()):
		return fail(410, "Expired", "The resourceVersion for the provided list is too old.")
	}
	return nil
}

// tooOldToContinue is the failure for an expired continue token. It contains another token, which continues with the
// current state. Source: apiserver v0.36 pkg/storage/etcd3 errors.go handleCompactedErrorForPaging.
func tooOldToContinue(start string) *failure {
	f := fail(410, "Expired",
		"The provided continue parameter is too old to display a consistent list result. You can start a new list "+
			"without "+
			"the continue parameter, or use the continue token in this response to retrieve the remainder of the "+
			"results. Continuing with the "+
			"provided token results in an inconsistent list - objects that were created, modified, or deleted between "+
			"the time the first chunk "+
			"was returned and now may show up in the list.")
	f.token = encodeContinue(start, -1)
	return f
}

// walk calls yield with each entry of a scope at a revision, starting at a key, until yield returns false. It returns
// the number of entries in the scope.
func (s *Server) walk(in *scope, revision int64, start string, yield func(storage.Entry[*objectVersion]) bool) int64 {
	if revision >= s.store.Revision() || !s.store.Changed(in.prefix, revision) {
		if in.key != "" {
			e, has := s.store.Get(in.key)
			if !has {
				return 0
			}
			yield(e)
			return 1
		}
		s.store.Range(in.prefix, start, yield)
		return int64(s.store.Count(in.prefix, start))
	}
	total, on := int64(0), true
	for _, e := range s.store.At(revision, in.prefix) {
		if e.Key < start || !in.has(e.Key) {
			continue
		}
		total++
		if on {
			on = yield(e)
		}
	}
	return total
}

// listMetaType is metav1.ListMeta.
var listMetaType = &wire.Type{Shape: wire.AStruct, Fields: []wire.Field{
	{Name: "resourceVersion", Type: wire.StringType}, {Name: "continue", Type: wire.StringType},
	{Name: "remainingItemCount", Type: wire.Int64Type},
}}

// writeList sends a list. It encodes the stored objects without copying them.
func (c *call) writeList(code int, items []storedObject, meta wire.Map) Response {
	if c.form.as != "" {
		return c.writeListAs(code, items, meta)
	}
	if c.config.InParts && len(items) > partItems && !c.form.yaml {
		r := c.respond(code, jsonMedia, nil)
		r.Parts = c.listInParts(items, meta)
		return r
	}
	out := append(c.res.listHead(640*len(items), c.version, meta), '[')
	for i, o := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = c.appendUnnamed(out, o)
	}
	return c.write(code, append(out, "]}"...))
}

// listHead returns the JSON of a list up to its items.
func (r *resource) listHead(room int, v *version, meta wire.Map) []byte {
	out := make([]byte, 0, 256+room)
	out = append(wire.Quote(append(out, `{"kind":`...), r.listKind()), `,"apiVersion":`...)
	out = append(wire.Quote(out, r.groupVersion(v)), `,"metadata":`...)
	return append(wire.Encode(out, meta, listMetaType), `,"items":`...)
}

// The server sends a longer list in parts of about this many bytes.
const (
	partItems = 100
	partBytes = 256 << 10
)

// listInParts encodes a list while the client reads it. It works without the server's lock, because stored objects
// never change.
func (c *call) listInParts(items []storedObject, meta wire.Map) iter.Seq[[]byte] {
	form := c.form
	return func(yield func([]byte) bool) {
		head, comma, end := append(c.res.listHead(0, c.version, meta), '['), ",", "]}\n"
		if form.pretty {
			head = append(bytes.TrimSuffix(wire.Indent(append(c.res.listHead(0, c.version, meta), "[]}"...)),
				[]byte("]\n}")), "\n    "...)
			comma, end = ",\n    ", "\n  ]\n}"
		}
		part := append(make([]byte, 0, min(partBytes+partBytes/8, len(head)+1024*len(items))), head...)
		for i, o := range items {
			if i > 0 {
				part = append(part, comma...)
			}
			if form.pretty {
				part = append(part, wire.IndentInside(c.appendUnnamed(nil, o), "    ")...)
			} else {
				part = c.appendUnnamed(part, o)
			}
			if len(part) > partBytes {
				if !yield(part) {
					return
				}
				part = part[:0]
			}
		}
		yield(append(part, end...))
	}
}

// appendNamed appends the JSON of an object in the path's version, with kind and apiVersion.
func (c *call) appendNamed(out []byte, o storedObject) []byte {
	out = c.appendKind(out)
	begin := len(out)
	if out = c.appendUnnamed(out, o); len(out) == begin+len("{}") {
		return append(out[:begin], '}')
	}
	out[begin] = ','
	return out
}

// appendKind appends the beginning of an object.
func (c *call) appendKind(out []byte) []byte {
	out = append(wire.Quote(append(out, `{"kind":`...), c.res.kind), `,"apiVersion":`...)
	return wire.Quote(out, c.res.groupVersion(c.version))
}

// appendUnnamed appends the JSON of an object in the path's version as lists have it, without kind and apiVersion.
func (c *call) appendUnnamed(out []byte, o storedObject) []byte {
	out = append(out, '{')
	shown := convert(o.object, c.res.storageVersion(), c.version)
	for i := range c.version.kind.Fields {
		field := &c.version.kind.Fields[i]
		value, has := shown[field.Name]
		if !has || field.Name == "kind" || field.Name == "apiVersion" {
			continue
		}
		out = append(append(append(out, '"'), field.Name...), `":`...) // a field's name needs no escapes
		if meta, is := value.(wire.Map); is && field.Type == coordination.ObjectMetaType {
			out = appendMeta(out, meta, o.revision)
		} else {
			out = wire.Encode(out, value, field.Type)
		}
		out = append(out, ',')
	}
	if out[len(out)-1] == ',' {
		out = out[:len(out)-1]
	}
	if wire.HasOpenTypes {
		out = c.version.kind.AppendOthers(out, shown)
	}
	return append(out, '}')
}

// appendMeta appends an object's metadata, including its resourceVersion. The stored metadata lacks the
// resourceVersion, so the caller passes it; with 0, the JSON has none.
func appendMeta(out []byte, meta wire.Map, revision int64) []byte {
	out = append(out, '{')
	for i := range coordination.ObjectMetaType.Fields {
		field := &coordination.ObjectMetaType.Fields[i]
		value, has := meta[field.Name]
		switch {
		case field.Name == "resourceVersion" && revision != 0:
			out = append(strconv.AppendInt(append(out, `"resourceVersion":"`...), revision, 10), '"', ',')
		case has:
			out = append(append(append(out, '"'), field.Name...), `":`...)
			out = append(wire.Encode(out, value, field.Type), ',')
		}
	}
	if out[len(out)-1] == ',' {
		out = out[:len(out)-1]
	}
	return append(out, '}')
}
