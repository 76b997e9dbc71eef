package apiserver

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// The media types that the server knows. Its errors list protobuf as upstream's errors do, but it never sends
// protobuf.
//
// Deviation: upstream sends protobuf. This server sends JSON or YAML if the client accepts either. It refuses a client
// that accepts only protobuf, just like a client that accepts only an unknown type. Pinned by TestProtobufIsNotSent.
const (
	jsonMedia     = "application/json"
	yamlMedia     = "application/yaml"
	protobufMedia = "application/vnd.kubernetes.protobuf"
)

// accepted lists the media types of bodies, as errors print them.
const accepted = jsonMedia + ", " + yamlMedia + ", " + protobufMedia

// streamed lists the media types of watches, as errors print them.
const streamed = jsonMedia + ";stream=watch, " + protobufMedia + ";stream=watch"

// clause is one alternative of an Accept header.
type clause struct {
	kind, sub string
	quality   float64
	params    []Param
}

// clauses lists the alternatives of an Accept header, best first.
type clauses []clause

func (a clauses) Len() int      { return len(a) }
func (a clauses) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// The method Less is not a strict weak order, yet upstream sorts with it. So the position of a wildcard can depend on
// its neighbors.
func (a clauses) Less(i, j int) bool {
	switch {
	case a[i].quality > a[j].quality:
		return true
	case a[i].kind != "*" && a[j].kind == "*":
		return true
	}
	return a[i].sub != "*" && a[j].sub == "*"
}

// parseAccept parses an Accept header and drops the alternatives that it cannot parse.
// Source: github.com/munnerz/goautoneg ParseAccept.
func parseAccept(header string) clauses {
	var all clauses
	for _, part := range strings.Split(header, ",") {
		media, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		kind, sub, _ := strings.Cut(media, "/")
		a := clause{kind: strings.TrimSpace(kind), sub: sub, quality: 1}
		switch {
		case sub == "" && a.kind == "*":
			a.sub = "*"
		case sub == "", strings.Contains(strings.TrimSuffix(sub, "/"), "/"):
			continue
		}
		a.sub = strings.TrimSpace(strings.TrimSuffix(a.sub, "/"))
		for _, pair := range strings.Split(params, ";") {
			name, value, _ := strings.Cut(pair, "=")
			value = strings.TrimSuffix(value, "=")
			if value == "" || strings.Contains(value, "=") {
				continue
			}
			if name = strings.TrimSpace(name); name == "q" {
				a.quality, _ = strconv.ParseFloat(value, 32)
				continue
			}
			a.params = append(a.params, Param{name, strings.TrimSpace(value)})
		}
		all = append(all, a)
	}
	sort.Sort(all)
	return all
}

// groupKind is the kind that an Accept header asks the server to convert an object to.
type groupKind struct{ group, version, kind string }

// endpoint says which media types and conversions a path supports.
type endpoint struct {
	turns         func(media string, to *groupKind) bool // to is nil if the request asks for no conversion
	serverVersion string
}

// The endpoint plain supports no conversion. It is for errors and discovery.
var plain = endpoint{turns: func(_ string, to *groupKind) bool { return to == nil }}

// choice is the result of content negotiation.
type choice struct {
	media  string
	pretty bool
	turn   *groupKind
}

// choose returns the first alternative that the endpoint can serve.
// Source: apiserver v0.36 pkg/endpoints/handlers/negotiation negotiate.go NegotiateMediaTypeOptions.
func choose(header string, e endpoint) (choice, bool) {
	if header == "" {
		return choice{media: jsonMedia}, true
	}
	all := parseAccept(header)
	for i := range all {
		for _, media := range []string{jsonMedia, yamlMedia} {
			kind, sub, _ := strings.Cut(media, "/")
			fits := all[i].kind == kind && (all[i].sub == sub || all[i].sub == "*")
			if !fits && (all[i].kind != "*" || all[i].sub != "*") {
				continue
			}
			if c, fine := all[i].parseParams(media, e); fine {
				return c, true
			}
		}
	}
	return choice{}, false
}

// parseParams parses the parameters of an alternative.
func (a *clause) parseParams(media string, e endpoint) (choice, bool) {
	c := choice{media: media}
	for _, p := range a.params {
		if c.turn == nil && (p.Name == "as" || p.Name == "g" || p.Name == "v") {
			c.turn = &groupKind{}
		}
		switch p.Name {
		case "as":
			c.turn.kind = p.Value
		case "g":
			c.turn.group = p.Value
		case "v":
			c.turn.version = p.Value
		case "stream":
			if media != jsonMedia || p.Value != "watch" {
				return choice{}, false
			}
		case "sv":
			if p.Value != e.serverVersion {
				return choice{}, false
			}
		case "pretty":
			c.pretty = p.Value == "1"
		}
	}
	return c, e.turns(media, c.turn)
}

// matchesAccept reports whether a client accepts one of a route's media types. Upstream checks this first and compares
// names exactly, so it does not recognize application/*. Source: github.com/emicklei/go-restful/v3 route.go
// matchesAccept.
func matchesAccept(accept string, types ...string) bool {
	if accept == "" {
		return true
	}
	for more := true; more; {
		var part string
		part, accept, more = strings.Cut(accept, ",")
		media, _, _ := strings.Cut(part, ";")
		media = strings.Trim(media, " ")
		if media == "*/*" || slices.Contains(types, media) {
			return true
		}
	}
	return false
}

// notAcceptable is the failure when a client accepts none of a route's media types. For a write without a body, the
// text is about the body's type instead. Source: github.com/emicklei/go-restful/v3 jsr311.go detectRoute.
func (r *Request) notAcceptable(available string) *failure {
	code, reason, title := 406, "NotAcceptable", "Not Acceptable"
	if len(r.Body) == 0 && slices.Contains([]string{"POST", "PUT", "PATCH"}, r.Method) {
		code, reason, title = 415, "UnsupportedMediaType", "Unsupported Media Type"
	}
	return fail(code, reason, "%d: %s\n\nAvailable representations: %s", code, title, available).with(wire.Map{})
}

// negotiationFailure is the failure of a negotiation inside a handler.
func negotiationFailure(types string) *failure {
	return fail(406, "NotAcceptable", "only the following media types are accepted: %s", types)
}
