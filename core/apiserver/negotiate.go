package apiserver

import (
	"fmt"
	"github.com/leaselab/leaselab/core/wire/yaml"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/wire"
)

// form is the representation that a client asks for.
type form struct {
	yaml   bool
	pretty bool
	// The field "as" names the kind to convert an object to: Table, PartialObjectMetadata or PartialObjectMetadataList
	// of meta.k8s.io in asVersion. It is "" if the object needs no conversion.
	as, asVersion string
	headed        bool // the watch has already sent the table's columns
}

// transformable lists the kinds of meta.k8s.io that the server can convert every resource to.
var transformable = endpoint{
	turns: func(_ string, to *groupKind) bool {
		if to == nil {
			return true
		}
		if to.group != metaGroup || (to.version != "v1" && to.version != "v1beta1") {
			return false
		}
		return to.kind == "Table" || to.kind == "PartialObjectMetadata" || to.kind == "PartialObjectMetadataList"
	},
	serverVersion: "v1",
}

// The endpoint untabled supports the same kinds except Tables.
var untabled = endpoint{serverVersion: "v1", turns: func(media string, to *groupKind) bool {
	return (to == nil || to.kind != "Table") && transformable.turns(media, to)
}}

// metaGroup is the group of Tables and of options.
const metaGroup = "meta.k8s.io"

// lastAccept remembers the Accept header of the last request and the resulting choice, because a client sends the same
// header again and again.
type lastAccept struct {
	header string
	choice choice
}

// negotiate chooses the form of a resource by the Accept header and the parameter "pretty".
// Source: apiserver v0.36 pkg/endpoints/handlers/negotiation negotiate.go, pkg/endpoints/handlers/rest.go RequestScope.
func (c *call) negotiate() (form, *failure) {
	chosen := c.accepts.choice
	if header := c.r.Header["accept"]; header == "" || header != c.accepts.header || c.subresource == finalize {
		can, fine := transformable, false
		if c.subresource == finalize {
			can = untabled
		}
		if chosen, fine = choose(header, can); !fine {
			return form{}, negotiationFailure(accepted)
		}
		if c.subresource != finalize {
			c.accepts = lastAccept{header, chosen}
		}
	}
	f := form{yaml: chosen.media == yamlMedia, pretty: chosen.pretty || c.r.pretty()}
	if chosen.turn != nil {
		f.as, f.asVersion = chosen.turn.kind, chosen.turn.version
	}
	return f, nil
}

// streams returns a failure for a watch in a representation without frames. Upstream checks this last, when the watch
// begins. Source: apiserver v0.36 pkg/endpoints/handlers/watch.go serveWatchHandler.
func (f *form) streams() *failure {
	if f.yaml {
		return negotiationFailure(streamed)
	}
	return nil
}

// pretty reports whether to indent JSON. The parameter "pretty" decides; without it, only curl, Wget and browsers get
// indented JSON.
func (r *Request) pretty() bool {
	if value := r.param("pretty"); value != "" {
		pretty, _ := strconv.ParseBool(value)
		return pretty
	}
	agent := r.Header["user-agent"]
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") ||
		strings.HasPrefix(agent, "Mozilla/5.0")
}

// write sends JSON in the negotiated form.
func (c *call) write(code int, data []byte) Response {
	return c.respond(code, c.form.media(), c.form.print(data))
}

// media returns the media type of the form.
func (f *form) media() string {
	if f.yaml {
		return yamlMedia
	}
	return jsonMedia
}

// print converts JSON to the form.
func (f *form) print(data []byte) []byte {
	switch {
	case f.yaml:
		return yaml.Print(data)
	case f.pretty:
		return wire.Indent(data)
	}
	return append(data, '\n')
}

// respond sends a body together with the warnings collected so far.
func (c *call) respond(code int, media string, body []byte) Response {
	r := Response{Status: code, Header: []Param{{"content-type", media}}, Body: body}
	for _, text := range warningTexts(c.warnings) {
		r.Header = append(r.Header, Param{"warning", "299 - " + quote(text)})
	}
	return r
}

// sendFailure sends a failure. It negotiates anew, without Tables; a client that accepts none of the media types gets
// indented JSON. Source: apiserver v0.36 pkg/endpoints/handlers/responsewriters writers.go ErrorNegotiated,
// WriteObjectNegotiated.
func (c *call) sendFailure(f *failure) Response {
	if f.crash {
		return c.respond(f.code, "text/plain; charset=utf-8", []byte(f.message+"\n"))
	}
	data := wire.Encode(nil, f.status(), statusType)
	var r Response
	if chosen, fine := choose(c.r.Header["accept"], plain); fine {
		c.form = form{yaml: chosen.media == yamlMedia, pretty: chosen.pretty || c.r.pretty()}
		r = c.write(f.code, data)
	} else {
		r = c.respond(f.code, jsonMedia, wire.Indent(data))
	}
	if after, has := f.details["retryAfterSeconds"].(int64); has {
		r.Header = append(r.Header, Param{"retry-after", strconv.FormatInt(after, 10)})
	}
	r.Hold = f.hold
	return r
}

// The server truncates the warnings if together they are too long for headers.
const (
	mostWarningRunes   = 4096
	mostRunesOfWarning = 256
	// mostWarnings is the maximum number of Warning headers. Deviation: upstream has no such limit. Python's
	// http.client refuses answers with more than a hundred headers. TestErrorsAndWarningsAreCapped pins this.
	mostWarnings = 64
)

// warningTexts returns the warnings that fit into headers.
// Source: apiserver v0.36 pkg/endpoints/filters warning.go, apimachinery v0.36 pkg/util/net http.go NewWarningHeader.
func warningTexts(warnings []string) []string {
	total := 0
	for _, text := range warnings {
		total += utf8.RuneCountInString(text)
	}
	short := total > mostWarningRunes
	var texts []string
	written := 0
	for _, text := range warnings {
		if short {
			if runes := []rune(text); len(runes) > mostRunesOfWarning {
				text = string(runes[:mostRunesOfWarning])
			}
			if written >= mostWarningRunes {
				break
			}
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			continue
		}
		written += utf8.RuneCountInString(text)
		if len(texts) == mostWarnings {
			texts[mostWarnings-1] = fmt.Sprintf("the warnings after the first %d are left out", mostWarnings-1)
			break
		}
		texts = append(texts, text)
	}
	return texts
}

// quote returns a text as a quoted-string of an HTTP header.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
