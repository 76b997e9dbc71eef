package apiserver

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/core/wire/yaml"
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
	return c.writeList(p)
}

// page is a list, or a part of one. Its methods need no lock on the server, because they read a view.
type page struct {
	view    storage.View[*objectVersion]
	scope   scope
	start   string
	limit   int64
	options *listOptions

	items     []storedObject // nil unless collect has collected them
	any       bool           // whether the page has items
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

// page finds one page of a list.
// Source: apiserver v0.36 pkg/storage/cacher cacher.go GetList, delegator.go ShouldDelegateList.
func (c *call) page(o *listOptions) (*page, *failure) {
	if f := c.res.keyFault(c.namespace, ""); f != nil {
		return nil, f
	}
	s := c.scope(o, o.token != "")
	if f := c.affordableSelector(o, &s); f != nil {
		return nil, f
	}
	at, f := c.point(o, &s)
	if f != nil {
		return nil, f
	}
	p := &page{scope: s, start: at.start, limit: o.limit, options: o, revision: c.store.Revision(), remaining: -1}
	if at.revision != 0 {
		p.revision = int64(at.revision)
	}
	p.view = c.store.View(p.revision)
	if o.revision == "0" { // revision 0 accepts any state, and the answer is the whole list
		p.limit = 0
	}
	return p, nil
}

// each calls yield with each item, until yield returns false.
func (p *page) each(yield func(storedObject) bool) {
	for _, o := range p.items {
		if !yield(o) {
			return
		}
	}
	if p.items == nil {
		p.scan(func(e *storage.Entry[*objectVersion]) bool { return yield(storedOf(*e)) })
	}
}

// scan calls found with the entry of each item, until found returns false. It returns the number of entries that it has
// read.
func (p *page) scan(found func(*storage.Entry[*objectVersion]) bool) (seen int64) {
	left := p.limit
	p.view.Range(p.scope.first(), max(p.start, p.scope.first()), func(e storage.Entry[*objectVersion]) bool {
		if !p.scope.has(e.Key) {
			return false
		}
		if seen++; !p.options.selectsAll() && !p.options.matches(e.Value.read()) {
			return true
		}
		left--
		return found(&e) && left != 0
	})
	return seen
}

// measure finds out whether the page has items, and what follows them.
func (p *page) measure() {
	if p.items != nil {
		return
	}
	last := ""
	seen := p.scan(func(e *storage.Entry[*objectVersion]) bool {
		p.any, last = true, e.Key
		return p.limit > 0 // a page without a limit has no token
	})
	if p.limit <= 0 || p.scope.key != "" {
		return
	}
	if total := int64(p.view.Count(p.scope.prefix, p.start)); seen > 0 && seen < total {
		p.token = encodeContinue(strings.TrimPrefix(last, strings.TrimSuffix(p.scope.prefix, "/"))+"\x00", p.revision)
		if p.options.selectsAll() {
			p.remaining = total - p.limit
		}
	}
}

// collect measures the page and keeps its items.
func (p *page) collect() {
	p.measure()
	items := []storedObject{}
	p.each(func(o storedObject) bool {
		items = append(items, o)
		return true
	})
	p.items = items
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

// The server sends a longer list in parts of about this many bytes.
const (
	partItems = 100
	partBytes = 64 << 10
)

// writeList sends a list in the negotiated form. With Config.InParts, it reads and encodes a long list while the client
// reads. It works without the server's lock, because stored objects and views never change.
func (c *call) writeList(p *page) Response {
	if f := c.listable(); f != nil {
		return c.sendFailure(f)
	}
	c.today = c.todayIs()
	r := c.respond(200, c.form.media(), nil)
	if r.Parts = func(yield func([]byte) bool) { c.listInParts(p, yield) }; c.config.InParts && p.isLong() {
		return r
	}
	return r.Whole()
}

// isLong reports whether the page may have many items or bytes, or takes long to read.
func (p *page) isLong() bool {
	if p.items == nil && (p.view.IsPast() || p.view.Count(p.scope.prefix, p.start) > partItems) {
		return p.scope.key == "" || p.view.IsPast()
	}
	bytes, items := int64(0), 0
	p.each(func(o storedObject) bool {
		items++
		bytes += wire.Bytes(o.object)
		return items <= partItems && bytes <= partBytes
	})
	return items > partItems || bytes > partBytes
}

// listInParts encodes a list. Every form of a list is a document with the items at the end; in YAML, other members
// follow the items.
func (c *call) listInParts(p *page, yield func([]byte) bool) {
	p.measure()
	document, name := c.listDocument(p)
	if !p.any {
		yield(c.form.print(document))
		return
	}
	head, comma, end := bytes.TrimSuffix(document, []byte("]}")), ",", "]}\n"
	item := c.appendItem
	switch {
	case c.form.yaml:
		before, after, _ := bytes.Cut(yaml.Print(document), []byte("\n"+name+": []\n"))
		head, comma, end = append(before, "\n"+name+":\n"...), "", string(after)
		item = func(out []byte, o storedObject) []byte {
			return append(out, yaml.Print(append(c.appendItem([]byte{'['}, o), ']'))...)
		}
	case c.form.pretty:
		head = append(bytes.TrimSuffix(wire.Indent(document), []byte("]\n}")), "\n    "...)
		comma, end = ",\n    ", "\n  ]\n}"
		item = func(out []byte, o storedObject) []byte {
			return append(out, wire.IndentInside(c.appendItem(nil, o), "    ")...)
		}
	}
	room := min(partBytes+partBytes/8, len(head)+1024*p.view.Count(p.scope.prefix, p.start))
	part, isOn := append(make([]byte, 0, room), head...), true
	between := ""
	p.each(func(o storedObject) bool {
		part = append(part, between...)
		between = comma
		if part = item(part, o); len(part) > partBytes {
			isOn = yield(part)
			part = part[:0]
		}
		return isOn
	})
	if isOn {
		yield(append(part, end...))
	}
}

// listDocument returns the JSON of a list without its items, and the name of the member for the items.
func (c *call) listDocument(p *page) (document []byte, name string) {
	meta := p.meta()
	switch c.form.as {
	case "Table":
		return c.tableHead(meta), "rows"
	case "PartialObjectMetadataList":
		var none any // null if empty, as upstream sends it
		if p.any {
			none = []any{}
		}
		return wire.Encode(nil, wire.Map{"kind": "PartialObjectMetadataList", "apiVersion": c.form.metaVersion(),
			"metadata": meta, "items": none}, partialListType), "items"
	}
	out := append(wire.Quote([]byte(`{"kind":`), c.res.listKind()), `,"apiVersion":`...)
	out = append(wire.Quote(out, c.res.groupVersion(c.version)), `,"metadata":`...)
	return append(wire.Encode(out, meta, listMetaType), `,"items":[]}`...), "items"
}

// appendItem appends an object as lists have it in the negotiated form.
func (c *call) appendItem(out []byte, o storedObject) []byte {
	switch c.form.as {
	case "Table":
		return c.appendRow(out, o)
	case "PartialObjectMetadataList":
		return append(out, c.form.partial(o)...)
	}
	return c.appendUnnamed(out, o)
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
