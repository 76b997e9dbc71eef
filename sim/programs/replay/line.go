package replay

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/programs/conduct"
)

// Version identifies the format, in the first line of a record.
const Version = "leaselab.dev/record/v1"

// MaxLineBytes is the maximum length of a line in a record: a request with the longest possible body.
const MaxLineBytes = 16 << 20

// IsRecord reports whether a file is a record. It looks only at the first bytes.
func IsRecord(data []byte) bool {
	first, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	return bytes.HasPrefix(bytes.TrimSpace(first), []byte(`{"record":"leaselab.dev/record/`))
}

// Heading is the first line of a record, as JSON.
type Heading struct {
	Record       string          `json:"record"`
	Engine       int             `json:"engine"`
	Administered bool            `json:"administered,omitempty"`
	Serves       *Serves         `json:"serves,omitempty"`
	SlackNs      int64           `json:"slack,omitempty"` // see conduct.Fold
	Epoch        string          `json:"epoch,omitempty"` // when the record began, in RFC 3339
	Lease        string          `json:"lease,omitempty"` // the Lease, as namespace/name
	Scenario     json.RawMessage `json:"scenario"`
}

// Line is one Call, as JSON.
type Line struct {
	AtNs    int64             `json:"at"`              // nanoseconds since the scenario began
	Steps   int64             `json:"steps,omitempty"` // number of the world's steps since the previous call
	Do      CallKind          `json:"do"`
	Node    string            `json:"node,omitempty"`
	Number  uint64            `json:"number,omitempty"`
	Method  string            `json:"method,omitempty"`
	Path    string            `json:"path,omitempty"`
	Query   [][2]string       `json:"query,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Bytes   []byte            `json:"bytes,omitempty"` // a body that is not UTF-8
	// the status with which users and roles refused the request
	Refused  int           `json:"refused,omitempty"`
	Deadline bool          `json:"deadline,omitempty"`
	GoesOn   bool          `json:"goesOn,omitempty"`
	Leads    bool          `json:"leads,omitempty"`
	Hash     string        `json:"hash,omitempty"` // hash of the trace
	Line     string        `json:"line,omitempty"`
	Exit     *conduct.Exit `json:"exit,omitempty"`
	// If Events is not empty, the line belongs to the trace, in the form of export ndjson. A replay makes its own
	// trace, but readers of evidence have only these lines.
	Events []string `json:"events,omitempty"`
}

// LineOf returns the line for a call of a node. The node is "" if the call has none. The line has no credentials.
func LineOf(k *Call, node string) Line {
	l := Line{AtNs: k.AtNs, Steps: k.Steps, Do: k.Do, Node: node, Number: k.Number, Refused: k.Refused,
		Deadline: k.Deadline, GoesOn: k.GoesOn, Leads: k.Leads, Hash: k.Hash, Line: k.Line, Exit: k.Exit}
	q := k.Request
	if q == nil {
		return l
	}
	l.Method, l.Path, l.Headers = q.Method, q.Path, maps.Clone(q.Header)
	for _, secret := range []string{"authorization", "cookie", "accept-encoding", "content-length"} {
		delete(l.Headers, secret)
	}
	for _, p := range q.Query {
		l.Query = append(l.Query, [2]string{p.Name, p.Value})
	}
	if utf8.Valid(q.Body) {
		l.Body = string(q.Body)
	} else {
		l.Bytes = q.Body
	}
	return l
}

// call returns the call in a line. It still refers to the node by name.
func (l *Line) call() Call {
	k := Call{AtNs: l.AtNs, Steps: l.Steps, Do: l.Do, Node: -1, Number: l.Number, Refused: l.Refused,
		Deadline: l.Deadline, GoesOn: l.GoesOn, Leads: l.Leads, Hash: l.Hash, Exit: l.Exit}
	if l.Do == CallRequest || l.Do == CallAdministers {
		k.Request = l.request()
	}
	return k
}

func (l *Line) request() *apiserver.Request {
	q := &apiserver.Request{Method: l.Method, Path: l.Path, Header: map[string]string{}, Body: l.Bytes}
	for name, value := range l.Headers {
		q.Header[strings.ToLower(name)] = value
	}
	if l.Body != "" {
		q.Body = []byte(l.Body)
	}
	for _, p := range l.Query {
		q.Query = append(q.Query, apiserver.Param{Name: p[0], Value: p[1]})
	}
	return q
}

// IsTrace reports whether a line belongs to the trace, which a replay does not need.
func IsTrace(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"t":`)) && bytes.Contains(line, []byte(`"events":[`))
}
