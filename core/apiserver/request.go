package apiserver

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
)

// Request is one HTTP request.
type Request struct {
	Method string
	Path   string            // decoded path
	Query  []Param           // decoded parameters, in order
	Header map[string]string // names in lower case; absent and empty headers differ
	Body   []byte
	// Parsed is the object in a JSON Body. A caller that already has the object as a tree sets Parsed, so that the
	// server need not parse the Body. Encode turns Parsed into the Body. The server then owns the tree and changes it.
	Parsed wire.Map
	// Malformed is upstream's error for a Protobuf Body that the caller could not decode, or "".
	Malformed string
}

// Param is one parameter of a query.
type Param struct{ Name, Value string }

// param returns the first value of a parameter, or "".
func (r *Request) param(name string) string {
	for _, p := range r.Query {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// has reports whether the query contains a parameter.
func (r *Request) has(name string) bool {
	return slices.ContainsFunc(r.Query, func(p Param) bool { return p.Name == name })
}

// The method all returns every value of a parameter.
func (r *Request) all(name string) []string {
	var values []string
	for _, p := range r.Query {
		if p.Name == name {
			values = append(values, p.Value)
		}
	}
	return values
}

// Watches reports whether a GET asks for a watch.
func (r *Request) Watches() bool {
	return r.truth("watch") || strings.Contains(r.Path, "/watch/")
}

// Writes reports whether the method is one that may change objects.
func (r *Request) Writes() bool {
	switch r.Method {
	case "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}

// ParseTarget splits a request target, "/apis/x?watch=1", into path and query as net/url does; a malformed escape in
// the query drops that parameter. The result ok is false for a malformed path.
func ParseTarget(target string) (path string, query []Param, ok bool) {
	path, raw, _ := strings.Cut(target, "?")
	path, ok = unescape(path, false)
	return path, ParseQuery(raw), ok
}

// ParseQuery parses a query, in order. A malformed escape drops its parameter.
func ParseQuery(raw string) []Param {
	var params []Param
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" || strings.Contains(pair, ";") {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, fine := unescape(name, true)
		value, fineToo := unescape(value, true)
		if fine && fineToo {
			params = append(params, Param{name, value})
		}
	}
	return params
}

func unescape(s string, plus bool) (string, bool) {
	if !strings.ContainsAny(s, "%+") {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '%':
			if i+2 >= len(s) {
				return "", false
			}
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high < 0 || low < 0 {
				return "", false
			}
			out = append(out, byte(high<<4|low))
			i += 2
		case s[i] == '+' && plus:
			out = append(out, ' ')
		default:
			out = append(out, s[i])
		}
	}
	return string(out), true
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Response is the answer to a request. A Watch stands for a body of frames, for which the caller polls the server.
type Response struct {
	Status int
	Header []Param // names in lower case; a name may occur several times
	Body   []byte  // answers may share it, so the caller must not change it
	Watch  *Watch
	// Parts is a long body (Config.InParts). It encodes each part when the caller asks for it, and needs no lock
	// on the server. A part is valid until the caller asks for the next one.
	Parts iter.Seq[[]byte]
	// Resume continues an unfinished request (Config.InParts). The caller calls it in the same way as Handle, and may
	// handle other requests first. If Free is true, the step needs no lock on the server.
	Resume func() Response
	Free   bool
	// Hold asks the caller to wait. If the server reaches Revision within the time For, the caller handles the
	// request again; otherwise it sends this response.
	Hold *Hold
}

// Finish answers a request in one go, for a caller that shares the server with nobody.
func (s *Server) Finish(now time.Time, r *Request) Response {
	return s.Handle(now, r).Finished()
}

// Finished returns the answer to an unfinished request, in one go.
func (r Response) Finished() Response {
	for r.Resume != nil {
		r = r.Resume()
	}
	return r
}

// Whole returns the answer with all its parts in Body.
func (r Response) Whole() Response {
	if r.Parts != nil {
		for part := range r.Parts {
			r.Body = append(r.Body, part...)
		}
		r.Parts = nil
	}
	return r
}

// Hold is a wait for a revision.
type Hold struct {
	Revision int64
	For      time.Duration
}

// Get returns the first header with a name, or "".
func (r *Response) Get(name string) string {
	for _, h := range r.Header {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}
