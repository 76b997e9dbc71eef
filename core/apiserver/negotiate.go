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

// form is the representation a client asked for.
type form struct {
	yaml   bool
	pretty bool
	// as is what an object is turned into, "" for the object itself: Table, PartialObjectMetadata or
	// PartialObjectMetadataList of meta.k8s.io in asVersion.
	as, asVersion string
	headed        bool // a watch has named its table's columns
}

// transformable are the objects of meta.k8s.io that every resource can be turned into.
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

// metaGroup is the group of Tables and of options.
const metaGroup = "meta.k8s.io"

// negotiate reads Accept and pretty for a resource.
// Source: apiserver v0.36 pkg/endpoints/handlers/negotiation negotiate.go, pkg/endpoints/handlers/rest.go RequestScope.
func (c *call) negotiate() (form, *failure) {
	chosen, fine := choose(c.r.Header["accept"], transformable)
	if !fine {
		return form{}, onlyAccepted(accepted)
	}
	f := form{yaml: chosen.media == yamlMedia, pretty: chosen.pretty || c.r.pretty()}
	if chosen.turn != nil {
		f.as, f.asVersion = chosen.turn.kind, chosen.turn.version
	}
	return f, nil
}

// streams refuses a watch in a representation that has no frames. It is found out once the watch could begin.
// Source: apiserver v0.36 pkg/endpoints/handlers/watch.go serveWatchHandler.
func (f *form) streams() *failure {
	if f.yaml {
		return onlyAccepted(streamed)
	}
	return nil
}

// pretty reports whether JSON is indented: by the parameter, or for curl and browsers.
func (r *Request) pretty() bool {
	if value := r.param("pretty"); value != "" {
		pretty, _ := strconv.ParseBool(value)
		return pretty
	}
	agent := r.Header["user-agent"]
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// write sends JSON in the form that was asked for.
func (c *call) write(code int, data []byte) Response {
	media := jsonMedia
	switch {
	case c.form.yaml:
		media, data = yamlMedia, yaml.Print(data)
	case c.form.pretty:
		data = wire.Indent(data)
	default:
		data = append(data, '\n')
	}
	return c.respond(code, media, data)
}

// respond sends a body with the warnings so far.
func (c *call) respond(code int, media string, body []byte) Response {
	r := Response{Status: code, Header: []Param{{"content-type", media}}, Body: body}
	for _, text := range warningTexts(c.warnings) {
		r.Header = append(r.Header, Param{"warning", "299 - " + quoted(text)})
	}
	return r
}

// failed writes a failure. It is negotiated by itself, without Tables; a client that accepts nothing else gets it in
// indented JSON.
// Source: apiserver v0.36 pkg/endpoints/handlers/responsewriters writers.go ErrorNegotiated, WriteObjectNegotiated.
func (c *call) failed(f *failure) Response {
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

// Warnings are cut once all of them together are longer than a header should be.
const (
	mostWarningRunes   = 4096
	mostRunesOfWarning = 256
	// mostWarnings is how many headers they get.
	// Deviation: upstream sends as many as are short enough, which Python's clients refuse: they read a hundred headers.
	// TestErrorsAndWarningsAreCapped pins it.
	mostWarnings = 64
)

// warningTexts are the warnings that fit into headers.
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

// quoted is a text in an HTTP header's quotes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
