// Package incoming translates the HTTP requests of Kubernetes clients into requests for core/apiserver.
//
// Guarantee: parameters keep their order, and protobuf bodies of the stable kinds of a cluster become JSON.
// Non-guarantee: the package does not check requests; the server refuses bad ones.
package incoming

import (
	"net/http"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Request converts an HTTP request with its body for core/apiserver. A protobuf body becomes JSON.
func Request(r *http.Request, body []byte) *apiserver.Request {
	q := Head(r)
	SetBody(q, body)
	return q
}

// SetBody gives a request its body.
func SetBody(q *apiserver.Request, body []byte) {
	q.Body = body
	unprotobuf(q)
}

// Head converts an HTTP request without its body.
func Head(r *http.Request) *apiserver.Request {
	q := &apiserver.Request{Method: r.Method, Path: r.URL.Path, Query: apiserver.ParseQuery(r.URL.RawQuery),
		Header: make(map[string]string, len(r.Header))}
	for name, values := range r.Header {
		lower, between := lowerNames[name], ","
		if lower == "" {
			if lower = strings.ToLower(name); strings.HasPrefix(lower, "impersonate-") {
				// group names may contain commas, but no newlines
				between = "\n"
			}
		}
		q.Header[lower] = strings.Join(values, between)
	}
	return q
}

// lowerNames maps the names of common headers to lower case.
var lowerNames = map[string]string{
	"Accept": "accept", "Accept-Encoding": "accept-encoding", "Authorization": "authorization",
	"Content-Length": "content-length",
	"Content-Type":   "content-type", "User-Agent": "user-agent",
}
