//go:build !page

package apiserver

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// openAPI serves OpenAPI v3: an index, and a document for the group and each of its versions. The argument path is the
// rest of the path after /openapi/v3.
//
// Deviation: hashes are shorter than upstream's; documents of other groups and OpenAPI v2 are missing. Pinned by
// TestOpenAPI. The page has no documents and builds without this file (core_page.go). Source: kube-openapi pkg/handler3
// handler.go; kube-aggregator v0.36 pkg/controllers/openapiv3/aggregator aggregator.go.
func (c *call) openAPI(path string) Response {
	if path == "" {
		return text(200, string(wire.Encode(nil, wire.Map{"paths": c.openAPIPaths()}, nil)))
	}
	path = strings.TrimPrefix(path, "/")
	var data []byte
	if slices.Contains(c.documents(), path) {
		data = c.config.OpenAPI(path)
	}
	if data == nil {
		return Response{Status: 404}
	}
	hash := contentHash(data)
	r := Response{Status: 200, Header: []Param{{"vary", "Accept"}}}
	if !openAPIAccepts(c.r.Header["accept"]) {
		r.Status = 406
		return r
	}
	r.Header = append([]Param{{"content-type", jsonMedia}}, append(r.Header, Param{"etag", `"` + hash + `"`})...)
	switch asked := c.r.param("hash"); {
	case asked != "" && asked != hash:
		r.Status = 301
		r.Header = append(r.Header, Param{"location", documentURL(path, hash)})
		return r
	case asked != "":
		r.Header = append(r.Header, Param{"cache-control", "public, immutable"},
			Param{"expires", c.now.UTC().AddDate(1, 0, 0).Format("Mon, 02 Jan 2006 15:04:05 MST")})
	}
	if c.r.Header["if-none-match"] == `"`+hash+`"` {
		r.Status = 304
		return r
	}
	r.Body = data
	return r
}

// openAPIAccepts reports whether a client accepts JSON.
func openAPIAccepts(header string) bool {
	if header == "" {
		return true
	}
	for _, a := range parseAccept(header) {
		if (a.kind == "application" || a.kind == "*") && (a.sub == "json" || a.sub == "*") {
			return true
		}
	}
	return false
}

// documents returns the paths that have a document.
func (s *Server) documents() []string {
	group := "apis/" + coordination.Group
	all := s.coreDocuments()
	all = append(all, group)
	for _, v := range s.servedVersions(coordination.Group) {
		all = append(all, group+"/"+v)
	}
	return all
}

func (s *Server) openAPIPaths() wire.Map {
	paths := wire.Map{}
	for _, path := range s.documents() {
		if data := s.config.OpenAPI(path); data != nil {
			paths[path] = wire.Map{"serverRelativeURL": documentURL(path, contentHash(data))}
		}
	}
	return paths
}

func documentURL(path, hash string) string { return "/openapi/v3/" + path + "?hash=" + hash }
