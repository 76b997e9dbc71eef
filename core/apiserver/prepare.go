//go:build !page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

// longestPrepared is the longest body that Prepare reads, in bytes: every such body is within the limits of a request.
const longestPrepared = 8 << 10

// preparation is what Prepare found out about a request.
type preparation struct {
	node   *wire.Node // of the body as JSON; nil: not parsed
	kind   *wire.Type // in which the object is decoded; nil: not decoded
	object object
	strict []string

	renewsOnly bool // Renew asks
}

// Prepare does the part of a create or an update that needs no stored object: it reads the JSON body. Several
// goroutines may prepare requests while the server answers others. The answer is the same without it. The caller must
// not change the body afterwards.
//
// The page has one thread and builds without it (prepare_page.go).
func (s *Server) Prepare(r *Request) {
	if (r.Method != "PUT" && r.Method != "POST") || len(r.Body) > longestPrepared || r.Parsed != nil ||
		r.Unread != nil {
		return
	}
	if media, unknown := r.bodyMedia(); unknown != nil || media != jsonMedia {
		return
	}
	n, err := wire.Parse(r.Body)
	if err != nil {
		return
	}
	r.prepared.node = n
	asks, f := r.attributes()
	if f != nil {
		return
	}
	for _, res := range s.resources {
		if res.group != asks.Group || res.name != asks.Resource || len(res.versions) == 0 {
			continue
		}
		kind := res.versions[0].kind
		if o, strict, err := wire.Decode(n, kind); err == nil {
			r.prepared = preparation{node: n, kind: kind, object: o, strict: strict}
		}
	}
}

// parse parses a body of a request.
func (r *Request) parse(sent []byte) (*wire.Node, error) {
	if n := r.prepared.node; n != nil && len(sent) == len(r.Body) && &sent[0] == &r.Body[0] {
		return n, nil
	}
	return wire.Parse(sent)
}

// decoded decodes a document that parse returned. An object has one owner, so a request that the server handles again
// decodes again.
func (r *Request) decoded(n *wire.Node, kind *wire.Type) (object, []string, error) {
	if p := r.prepared; p.kind == kind && p.node == n && p.object != nil {
		r.prepared.object = nil
		return p.object, p.strict, nil
	}
	return wire.Decode(n, kind)
}
