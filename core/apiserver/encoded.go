//go:build !page

package apiserver

import (
	"bytes"
	"slices"

	"github.com/leaselab/leaselab/core/wire"
)

// encodings counts the JSON that the server keeps beside trees. A write, or the first read, encodes an object; lists,
// watches and reads after it copy bytes.
//
// The page answers few requests and builds without it (encoded_page.go).
type encodings struct {
	bytes  int
	room   []byte // of the last answer
	frames [mostFrames]framed
	lists  []keptList
}

// framed is a frame that all watches of its kind in its version send.
type framed struct {
	kept    *kept
	version *version
	event   string
	frame   []byte
}

// encoding is the JSON of a version of an object as lists have it, in a version of its kind.
type encoding struct {
	version *version
	json    string
	whole   bool // the kind is stored in this version only: the JSON says everything
	answer  []byte
	renewal *renewal // of the newest version
	useless uint8    // how many renewals in a row the server has remembered for nothing
}

const (
	// mostEncodedBytes is the maximum memory of all JSON beside trees. Beyond it the server keeps no more.
	mostEncodedBytes = 32 << 20
	// longestEncoded is the longest JSON of an object that the server keeps. A Lease has some 500 bytes.
	longestEncoded = 2 << 10
	// longestRoom is how many bytes stay reserved for the next answer.
	longestRoom = 64 << 10
	// mostFrames is how many frames the server keeps for watches that have not sent them yet.
	mostFrames = 512
	// mostLists is how many lists of the newest revision the server keeps, and longestList the bytes of one.
	mostLists   = 4
	longestList = 4 << 20
	// mostEncodedInAList is how many objects a list encodes to keep it: the server answers no other request meanwhile.
	mostEncodedInAList = 500
)

// of returns the JSON of an object, "" if it is not kept.
func (e *encodings) of(o stored, v *version) string {
	if o.kept == nil || o.kept.version != v {
		return ""
	}
	return o.kept.json
}

// all returns the JSON of each object, "" where it is not kept.
func (e *encodings) all(items []stored, v *version) []string {
	all := make([]string, len(items))
	for i, o := range items {
		all[i] = e.of(o, v)
	}
	return all
}

// keep keeps a copy of the JSON of an object in the first version in which it is encoded.
func (e *encodings) keep(o stored, r *resource, v *version, json []byte) {
	if o.kept == nil || o.kept.json != "" || len(json) > longestEncoded || e.bytes+len(json) > mostEncodedBytes {
		return
	}
	e.bytes += len(json)
	o.kept.encoding = encoding{version: v, json: string(json), whole: len(r.versions) == 1 && r.storage == nil}
}

// answer returns the body of an answer with an object. The answers to all reads of a version share it, and that to its
// write.
func (e *encodings) answer(c *call, o stored) []byte {
	if o.kept != nil && o.kept.version == c.version && o.kept.answer != nil {
		return o.kept.answer
	}
	e.room = append(c.appendNamed(e.room[:0], o), '\n')
	body := bytes.Clone(e.room)
	if cap(e.room) > longestRoom {
		e.room = nil
	}
	if o.kept != nil && o.kept.version == c.version && o.kept.whole && o.kept.tree != nil && e.bytes+
		len(body) <= mostEncodedBytes {
		e.bytes += len(body)
		o.kept.answer = body
	}
	return body
}

// frame returns the frame of an event; of an object that is longer than the server keeps, or in another form, it makes
// one for each watch.
func (e *encodings) frame(c *call, event string, o stored) []byte {
	if c.form.as != "" || o.kept == nil {
		return frame(event, c.frameObject(o))
	}
	last := &e.frames[o.revision%mostFrames]
	if last.kept != o.kept || last.version != c.version || last.event != event {
		made := frame(event, c.frameObject(o))
		if len(made) > longestEncoded+256 {
			return made
		}
		*last = framed{o.kept, c.version, event, made}
	}
	return last.frame
}

// keptList is the body of a list of all objects in a namespace, or in all.
type keptList struct {
	revision  int64
	version   *version
	namespace string
	body      []byte
}

// listsAll reports whether a list is the current state of all objects, in JSON without white space.
func (c *call) listsAll(o *listOptions) bool {
	return c.config.InParts && c.form == form{} && o.selectsAll() && o.token == "" && o.match == "" &&
		(o.revision == "0" || o.revision == "" && o.limit == 0)
}

// listed answers a list that the server has kept.
func (c *call) listed(o *listOptions) (answer Response, has bool) {
	if !c.listsAll(o) {
		return Response{}, false
	}
	for i := range c.encoded.lists {
		if l := &c.encoded.lists[i]; l.revision == c.store.Revision() && l.version == c.version &&
			l.namespace == c.namespace {
			return c.whole(l.body), true
		}
	}
	return Response{}, false
}

// keepList answers a list, and keeps it for the next client that asks before the next write. It leaves short lists,
// very long ones and those whose objects are not encoded.
func (c *call) keepList(o *listOptions, p *page) (answer Response, kept bool) {
	if len(p.items) <= partItems || !c.listsAll(o) {
		return Response{}, false
	}
	size, missing := 0, 0
	for _, item := range p.items {
		json := c.encoded.of(item, c.version)
		size += len(json) + 1
		if json == "" {
			missing++
		}
	}
	if size > longestList || missing > mostEncodedInAList {
		return Response{}, false
	}
	body := append(c.res.listHead(size+1024*missing, c.version, p.meta()), '[')
	for i, item := range p.items {
		if i > 0 {
			body = append(body, ',')
		}
		body = c.appendUnnamed(body, item)
	}
	body = append(body, "]}\n"...)
	lists := slices.DeleteFunc(c.encoded.lists, func(l keptList) bool { return l.revision != c.store.Revision() })
	if len(lists) == mostLists {
		lists = slices.Delete(lists, 0, 1)
	}
	c.encoded.lists = append(lists, keptList{c.store.Revision(), c.version, c.namespace, body})
	return c.whole(body), true
}

// whole answers with a long body, in parts that share its memory.
func (c *call) whole(body []byte) Response {
	r := c.respond(200, jsonMedia, nil)
	r.Parts = slices.Chunk(body, partBytes)
	return r
}

// retire ends the time of a version as the newest of its object. Thousands of past versions are kept for watches, which
// send them as JSON: a string is a fourth of a tree, and Go's collector does not look into it.
func (e *encodings) retire(k *kept) {
	if k == nil {
		return
	}
	e.bytes -= len(k.json) + len(k.answer)
	k.answer, k.renewal = nil, nil
	switch {
	case k.whole && k.tree != nil: // of another, a long list may read that it has none
		k.tree = nil
	case !k.whole:
		k.encoding = encoding{}
	}
}

// read returns the tree of a version, nil of none. It parses the JSON of a version that has no tree any more.
func (k *kept) read() object {
	switch {
	case k == nil:
		return nil
	case k.tree != nil || k.json == "":
		return k.tree
	}
	document := []byte(k.json)
	n, err := wire.Parse(document)
	if err != nil {
		panic(err) // the server encoded it
	}
	o, _, err := wire.Decode(n, k.version.kind)
	if err != nil {
		panic(err)
	}
	delete(wire.Object(o, "metadata"), "resourceVersion")
	sets := n.Member("metadata").Member("managedFields")
	for i, entry := range wire.List(o, "metadata", "managedFields") {
		if set := sets.Items[i].Member("fieldsV1"); set != nil {
			wire.Set(entry.(wire.Map), wire.Encoded(set.Raw(document)), "fieldsV1")
		}
	}
	return o
}
