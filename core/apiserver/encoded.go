//go:build !page

package apiserver

// encodings keeps the JSON of stored objects as lists have it. A write, or the first read, encodes an object; lists, watches
// and reads after it copy bytes.
//
// The page answers few requests and builds without it (encoded_page.go).
type encodings struct {
	by    map[string]encoding // by storage key
	bytes int
}

// encoding is the JSON of an object at a revision in a version.
type encoding struct {
	revision int64
	version  *version
	json     []byte
}

const (
	// mostEncodedBytes is the maximum memory of all kept JSON. Beyond it the server begins anew.
	mostEncodedBytes = 32 << 20
	// longestEncoded is the longest JSON of an object that the server keeps. A Lease has some 500 bytes.
	longestEncoded = 2 << 10
)

// of returns the JSON of an object, nil if it is not kept. The caller must not change it.
func (e *encodings) of(o stored, v *version) []byte {
	if o.key == "" {
		return nil
	}
	if kept := e.by[o.key]; kept.revision == o.revision && kept.version == v {
		return kept.json
	}
	return nil
}

// all returns the JSON of each object, nil where it is not kept.
func (e *encodings) all(items []stored, v *version) [][]byte {
	all := make([][]byte, len(items))
	for i, o := range items {
		all[i] = e.of(o, v)
	}
	return all
}

// keep keeps a copy of the JSON of an object.
func (e *encodings) keep(o stored, v *version, json []byte) {
	if o.key == "" || len(json) > longestEncoded {
		return
	}
	before := e.by[o.key]
	if before.revision > o.revision { // a watch sends earlier versions, too
		return
	}
	if e.by == nil || e.bytes > mostEncodedBytes {
		e.by, e.bytes = map[string]encoding{}, 0
	} else {
		e.bytes -= len(before.json)
	}
	e.bytes += len(json)
	e.by[o.key] = encoding{o.revision, v, append([]byte(nil), json...)}
}

// forget drops the JSON of a deleted object.
func (e *encodings) forget(key string) {
	e.bytes -= len(e.by[key].json)
	delete(e.by, key)
}
