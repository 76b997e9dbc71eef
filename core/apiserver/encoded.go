//go:build !page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

// encodings counts the JSON that the server keeps beside trees. A write, or the first read, encodes an object; lists, watches and
// reads after it copy bytes.
//
// The page answers few requests and builds without it (encoded_page.go).
type encodings struct{ bytes int }

// encoding is the JSON of a version of an object as lists have it, in a version of its kind.
type encoding struct {
	version *version
	json    string
	whole   bool // the kind has no other version: the JSON says everything
}

const (
	// mostEncodedBytes is the maximum memory of all JSON beside trees. Beyond it the server keeps no more.
	mostEncodedBytes = 32 << 20
	// longestEncoded is the longest JSON of an object that the server keeps. A Lease has some 500 bytes.
	longestEncoded = 2 << 10
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
	o.kept.encoding = encoding{v, string(json), len(r.versions) == 1}
}

// retire ends the time of a version as the newest of its object. Thousands of past versions are kept for watches, which send them as
// JSON: a string is a fourth of a tree, and Go's collector does not look into it.
func (e *encodings) retire(k *kept) {
	if k == nil {
		return
	}
	e.bytes -= len(k.json)
	if k.whole {
		k.tree = nil
	} else {
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
