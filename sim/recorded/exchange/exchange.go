// Package exchange replays recorded exchanges of a real kube-apiserver against another server and says where the answers
// differ.
//
// Guarantee: what is compared is the status, the headers kept in the recording, the bytes of the body (members in their
// order) and every watch frame with the step after which it came. A symbol of the recording, <rv:N>, <uid:N>,
// <continue:N>, is bound at its first appearance and must stand for the same value from then on. Non-guarantee: instants
// of the wall clock only have to look like one, and how long a watch stays open is not compared.
// Source: testdata, recorded from kube-apiserver v1.36.2.
package exchange

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"io"
	"regexp"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

//go:embed testdata/*.json.gz testdata/further/*.json.gz
var recordings embed.FS

// Case is a series of requests to one server.
type Case struct {
	File, Name, Server, Note string
	Tokens                   map[string]string // what the continue tokens hold, as JSON
	Steps                    []Step
}

// Step is a request and the answer it got.
type Step struct {
	Note   string
	Method string
	Path   string
	Query  [][2]string
	Header map[string]string // names in lower case
	Body   string            // as a template: with symbols
	Stream bool              // the answer goes on while later steps are sent
	Auth   Auth

	Status    int
	Headers   map[string][]string // names in lower case
	Answer    string              // the body as a template, compact JSON or the exact text
	HasAnswer bool
	Exact     bool // Answer is the exact text
	Prefix    string
	Events    []Event
	Ended     string
	// Seconds is how long the answer took, if it was more than 0.9.
	Seconds float64
}

// Auth is who a request claims to be from.
type Auth uint8

const (
	Admin Auth = iota
	Nobody
	Stranger
)

// Event is a frame of a watch.
type Event struct {
	AfterStep int
	At        float64
	Frame     string // {"type":…,"object":…} as a template
}

// Cases are all recorded cases, by file.
func Cases() ([]Case, error) { return recorded("testdata") }

// Further are cases that were recorded where something seemed untold: odd values, names and bodies, LeaseCandidates in two
// versions, and series of writes drawn at random. They hold only within one second of the server's clock, by which upstream
// sorts managers, so that a replay has to go through a case in less.
// Source: kube-apiserver of k8s.io/kubernetes v1.36.2 with etcd v3.6.8; answers that name a scheme by its source file are
// left out, for they tell how it was built.
func Further() ([]Case, error) { return recorded("testdata/further") }

func recorded(folder string) ([]Case, error) {
	entries, err := recordings.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		f, err := recordings.Open(folder + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(z)
		if err != nil {
			return nil, err
		}
		cases, err := Parse(data)
		if err != nil {
			return nil, err
		}
		for i := range cases {
			cases[i].File = strings.TrimSuffix(entry.Name(), ".json.gz")
		}
		all = append(all, cases...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].File < all[j].File })
	return all, nil
}

// Parse reads a file of cases.
func Parse(data []byte) ([]Case, error) {
	var raw []struct {
		Name, Server, Note string
		ContinueTokens     map[string]json.RawMessage
		Steps              []struct {
			Note    string
			Request struct {
				Method, Path     string
				Query            [][2]string
				Headers          map[string]*string
				Body             json.RawMessage
				RawBody          *string
				Stream           bool
				NoAuth, BadToken bool
			}
			Response struct {
				Status         int
				Headers        map[string]json.RawMessage
				Body           json.RawMessage
				BodyText       *string
				BodyPrefixHex  string
				Ended          string
				ElapsedSeconds float64
				Events         []struct {
					AfterStep int
					AtSeconds float64
					Type      string
					Object    json.RawMessage
				}
			}
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	var cases []Case
	for _, r := range raw {
		c := Case{Name: r.Name, Server: r.Server, Note: r.Note, Tokens: map[string]string{}}
		for token, holds := range r.ContinueTokens {
			c.Tokens[token] = string(holds)
		}
		for _, s := range r.Steps {
			q, p := s.Request, s.Response
			step := Step{
				Note: s.Note, Method: q.Method, Path: q.Path, Query: q.Query, Stream: q.Stream, Header: map[string]string{
					"accept": "application/json", "user-agent": "simtest/1.0",
				}, Status: p.Status, Headers: map[string][]string{}, Prefix: p.BodyPrefixHex, Ended: p.Ended, Seconds: p.ElapsedSeconds,
			}
			for name, value := range q.Headers {
				if value == nil {
					delete(step.Header, strings.ToLower(name))
					continue
				}
				step.Header[strings.ToLower(name)] = *value
			}
			switch {
			case q.NoAuth:
				step.Auth = Nobody
			case q.BadToken:
				step.Auth = Stranger
			}
			switch {
			case q.RawBody != nil:
				step.Body = *q.RawBody
			case len(q.Body) > 0:
				n, err := wire.Parse(q.Body)
				if err != nil {
					return nil, err
				}
				step.Body = string(spaced(nil, n))
			}
			for name, value := range p.Headers {
				var one string
				if json.Unmarshal(value, &one) == nil {
					step.Headers[name] = []string{one}
					continue
				}
				var many []string
				if err := json.Unmarshal(value, &many); err != nil {
					return nil, err
				}
				step.Headers[name] = many
			}
			var err error
			switch {
			case p.BodyText != nil:
				step.Answer, step.HasAnswer, step.Exact = *p.BodyText, true, true
				if strings.HasPrefix(s.Note, "other groups removed") { // the recorder wrote what was left anew
					step.Exact = false
					if step.Answer, err = compact([]byte(*p.BodyText)); err != nil {
						return nil, err
					}
				}
			case len(p.Body) > 0:
				step.HasAnswer = true
				if step.Answer, err = compact(p.Body); err != nil {
					return nil, err
				}
				// The recorder took a property of the name time for an instant.
				step.Answer = strings.Replace(step.Answer, `"time":"<time>"}},"io.k8s`, `"time":{"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}]}}},"io.k8s`, 1)
			}
			for _, e := range p.Events {
				object, err := compact(e.Object)
				if err != nil {
					return nil, err
				}
				step.Events = append(step.Events, Event{AfterStep: e.AfterStep, At: e.AtSeconds, Frame: `{"type":"` + e.Type + `","object":` + object + `}`})
			}
			c.Steps = append(c.Steps, step)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// compact writes JSON as the server does, members in their order.
func compact(data []byte) (string, error) {
	n, err := wire.Parse(data)
	if err != nil {
		return "", err
	}
	return escapedSymbol.ReplaceAllString(string(written(nil, n, ",", ":", wire.Quote)), "<$1>"), nil
}

// escapedSymbol is a symbol after the server's quoting.
var escapedSymbol = regexp.MustCompile(`\\u003c(rv:\d+|rv:\?|uid:\d+|continue:\d+|time|rand5|age|hash)\\u003e`)

// spaced writes JSON as the recorder sent it.
func spaced(out []byte, n *wire.Node) []byte { return written(out, n, ", ", ": ", ascii) }

func written(out []byte, n *wire.Node, comma, colon string, quote func([]byte, string) []byte) []byte {
	switch n.Kind {
	case wire.Null:
		return append(out, "null"...)
	case wire.Bool:
		if n.Truth {
			return append(out, "true"...)
		}
		return append(out, "false"...)
	case wire.Number:
		return append(out, n.Text...)
	case wire.String:
		return quote(out, n.Text)
	case wire.Array:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, comma...)
			}
			out = written(out, item, comma, colon, quote)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, item := range n.Items {
		if i > 0 {
			out = append(out, comma...)
		}
		out = append(quote(out, n.Names[i]), colon...)
		out = written(out, item, comma, colon, quote)
	}
	return append(out, '}')
}

// ascii quotes a string with everything beyond ASCII escaped, and <, > and & as they are.
func ascii(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	unit := func(u uint16) {
		out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\t':
			out = append(out, '\\', 't')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\b':
			out = append(out, '\\', 'b')
		case r == '\f':
			out = append(out, '\\', 'f')
		case r >= ' ' && r < 0x7f:
			out = append(out, byte(r))
		case r < 0x10000:
			unit(uint16(r))
		default:
			r -= 0x10000
			unit(uint16(0xd800 + r>>10))
			unit(uint16(0xdc00 + r&0x3ff))
		}
	}
	return append(out, '"')
}
