package exchange

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// The JSON of a recording.
type (
	recordedCase struct {
		Name, Server, Note string
		ContinueTokens     map[string]json.RawMessage
		Steps              []recordedStep
	}
	recordedStep struct {
		Note     string
		Request  recordedRequest
		Response recordedResponse
	}
	recordedRequest struct {
		Method, Path     string
		Query            [][2]string
		Headers          map[string]*string // null means not sent
		Body             json.RawMessage
		RawBody          *string
		Stream           bool
		NoAuth, BadToken bool
	}
	recordedResponse struct {
		Status         int
		Headers        map[string]json.RawMessage // a string or a list of strings
		Body           json.RawMessage
		BodyText       *string
		BodyPrefixHex  string
		Ended          string
		ElapsedSeconds float64
		Events         []recordedEvent
	}
	recordedEvent struct {
		AfterStep int
		AtSeconds float64
		Type      string
		Object    json.RawMessage
	}
)

// Parse parses a file of cases.
func Parse(data []byte) ([]Case, error) {
	var file []recordedCase
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	cases := make([]Case, len(file))
	for i, r := range file {
		c := Case{Name: r.Name, Server: r.Server, Note: r.Note, Tokens: map[string]string{}}
		for token, holds := range r.ContinueTokens {
			c.Tokens[token] = string(holds)
		}
		for k := range r.Steps {
			step, err := r.Steps[k].step()
			if err != nil {
				return nil, err
			}
			c.Steps = append(c.Steps, step)
		}
		cases[i] = c
	}
	return cases, nil
}

func (r *recordedStep) step() (Step, error) {
	s := Step{Note: r.Note}
	if err := r.Request.fill(&s); err != nil {
		return s, err
	}
	if err := r.Response.fill(&s); err != nil {
		return s, err
	}
	return s, r.answer(&s)
}

// fill copies the recorded request into a step.
func (q *recordedRequest) fill(s *Step) error {
	s.Method, s.Path, s.Query, s.Stream = q.Method, q.Path, q.Query, q.Stream
	s.Header = map[string]string{"accept": "application/json", "user-agent": "simtest/1.0"}
	for name, value := range q.Headers {
		if value == nil {
			delete(s.Header, strings.ToLower(name))
			continue
		}
		s.Header[strings.ToLower(name)] = *value
	}
	switch {
	case q.NoAuth:
		s.Auth = Nobody
	case q.BadToken:
		s.Auth = Stranger
	}
	switch {
	case q.RawBody != nil:
		s.Body = *q.RawBody
	case len(q.Body) > 0:
		n, err := wire.Parse(q.Body)
		if err != nil {
			return err
		}
		s.Body = string(appendSpaced(nil, n))
	}
	return nil
}

// fill copies the recorded answer, without its body, into a step.
func (p *recordedResponse) fill(s *Step) error {
	s.Status, s.Prefix, s.Ended, s.Seconds = p.Status, p.BodyPrefixHex, p.Ended, p.ElapsedSeconds
	s.Headers = map[string][]string{}
	for name, value := range p.Headers {
		var one string
		if json.Unmarshal(value, &one) == nil {
			s.Headers[name] = []string{one}
			continue
		}
		var many []string
		if err := json.Unmarshal(value, &many); err != nil {
			return err
		}
		s.Headers[name] = many
	}
	for _, e := range p.Events {
		object, err := compact(e.Object)
		if err != nil {
			return err
		}
		s.Events = append(s.Events, Event{AfterStep: e.AfterStep, At: e.AtSeconds, Frame: `{"type":"` + e.Type +
			`","object":` + object + `}`})
	}
	return nil
}

// answer sets the body of the answer, and reverts two changes of the recorder.
func (r *recordedStep) answer(s *Step) (err error) {
	p := &r.Response
	switch {
	case p.BodyText != nil:
		s.Answer, s.HasAnswer, s.Exact = *p.BodyText, true, true
		if strings.HasPrefix(r.Note, "other groups removed") { // the recorder encoded the rest again
			s.Exact = false
			s.Answer, err = compact([]byte(*p.BodyText))
		}
	case len(p.Body) > 0:
		s.HasAnswer = true
		s.Answer, err = compact(p.Body)
		s.Answer = strings.Replace(s.Answer, maskedProperty, timeProperty, 1)
	}
	return err
}

// The recorder masked a property named time in an OpenAPI document as if it were a time.
const (
	maskedProperty = `"time":"<time>"}},"io.k8s`
	timeProperty   = `"time":{"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}]}}},"io.k8s`
)

// compact returns JSON as the server writes it. Members keep their order.
func compact(data []byte) (string, error) {
	n, err := wire.Parse(data)
	if err != nil {
		return "", err
	}
	return escapedSymbol.ReplaceAllString(string(appendStyled(nil, n, tight)), "<$1>"), nil
}

// escapedSymbol matches a symbol after the server's quoting.
var escapedSymbol = regexp.MustCompile(`\\u003c(rv:\d+|rv:\?|uid:\d+|continue:\d+|time|rand5|age|hash)\\u003e`)

// appendSpaced appends JSON as the recorder sent it.
func appendSpaced(out []byte, n *wire.Node) []byte {
	return appendStyled(out, n, style{", ", ": ", ascii})
}

// style is how JSON is written.
type style struct {
	comma, colon string
	quote        func([]byte, string) []byte
}

// tight is JSON without spaces, as the server writes it.
var tight = style{",", ":", wire.Quote}

func appendStyled(out []byte, n *wire.Node, s style) []byte {
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
		return s.quote(out, n.Text)
	case wire.Array:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, s.comma...)
			}
			out = appendStyled(out, item, s)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, item := range n.Items {
		if i > 0 {
			out = append(out, s.comma...)
		}
		out = append(s.quote(out, n.Names[i]), s.colon...)
		out = appendStyled(out, item, s)
	}
	return append(out, '}')
}

// ascii quotes a string. It escapes everything beyond ASCII, but not <, > and &.
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
