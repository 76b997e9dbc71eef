// Package history holds what happened to a Lease as plain data, from a run or from evidence. It writes that data in
// three forms for other tools: a trace for Perfetto, CSV, and a file of records from which Read recreates an
// identical run.
//
// Guarantee: a history of a run is a function of the scenario and the span, and contains nothing outside the span.
// Every output is well formed, whatever the names of nodes and scenarios. Non-guarantee: a history of evidence has
// only what the evidence shows. Its requests have no length unless the evidence says when they began.
package history

import (
	"slices"

	"github.com/leaselab/leaselab/sim/run/summary"
)

// Open is the end of whatever continues beyond the end of the history. It also stands for an unknown instant.
const Open = int64(-1)

// APIServer is the number that stands for the API server in place of a node's number.
const APIServer = -1

// History is what happened within a span.
type History struct {
	Title        string
	About        []Fact // facts from which a reader can recreate the run
	Lease        string // the Lease, as namespace/name
	LeaseSeconds int64  // leaseDurationSeconds; 0 if unknown
	EpochNs      int64  // instant 0 in nanoseconds since 1970; 0 for a run, which has no date
	FromNs, ToNs int64
	Nodes        []string
	Events       []Event // events in execution order
	Requests     []Request
	Roles        []Span // roles of nodes; spans of one node do not overlap
	Faults       []Span // faults of nodes, or of all nodes with node APIServer; they may overlap
	Holders      []Span // holders of the Lease: Says is the holderIdentity, the node is APIServer
	_            struct{}
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Span is a stretch of time of a node. ToNs is Open if the span continues beyond the end of the history.
type Span struct {
	Node         int
	Says         string
	FromNs, ToNs int64
}

// Request is a request of a node to the API server.
type Request struct {
	Node     int // APIServer if the node is unknown
	Number   int32
	Verb     string
	Result   string // what the client learned; in evidence, what the store did
	SentNs   int64
	ServedNs int64 // Open if the server did not carry the request out, or the instant is unknown
	EndedNs  int64 // Open if the request continues beyond the end
	Version  int64 // resourceVersion sent, stored or answered; 0 if none

	sentN, servedN, endedN int32 // numbers of the request's records within their instants
}

// Event is a record, both as a sentence and as fields.
type Event struct {
	T               summary.Seconds `json:"t" jsonschema:"the instant, in seconds since the run began"`
	N               int32           `json:"n" jsonschema:"the number of the record within its instant"`
	Node            string          `json:"node,omitempty" jsonschema:"absent if the network or an administrator acts"`
	Kind            string          `json:"kind" jsonschema:"request, write, lead, fault, act or callback"`
	Events          []string        `json:"events" jsonschema:"names for expect.event, the record's kind first"`
	Text            string          `json:"text" jsonschema:"a sentence; begins with the verb if the event has a node"`
	Verb            string          `json:"verb,omitempty" jsonschema:"the verb of a request"`
	Seq             int32           `json:"seq,omitempty" jsonschema:"the number of the node's request"`
	Result          string          `json:"result,omitempty" jsonschema:"what the client learned or the store did"`
	ResourceVersion int64           `json:"resourceVersion,omitempty" jsonschema:"the version sent, stored or answered"`
	Holder          string          `json:"holder" jsonschema:"the Lease's holderIdentity after this event, or empty"`
	Transitions     int32           `json:"transitions" jsonschema:"the Lease's leaseTransitions after this event"`
}

// isRequest reports whether the record belongs to a request and therefore needs no mark.
func (e *Event) isRequest() bool {
	return e.Kind == "callback" || slices.Contains([]string{"requestSent", "requestServed", "requestEnded"},
		e.Events[0])
}

// equal compares all fields of two events.
func (e *Event) equal(o *Event) bool {
	return e.T == o.T && e.N == o.N && e.Node == o.Node && e.Kind == o.Kind && slices.Equal(e.Events, o.Events) &&
		e.Text == o.Text && e.Verb == o.Verb &&
		e.Seq == o.Seq && e.Result == o.Result && e.ResourceVersion == o.ResourceVersion && e.Holder == o.Holder &&
		e.Transitions == o.Transitions
}

// `name` returns the name of a node, or the name that stands for all nodes.
func (h *History) name(node int) string {
	if node == APIServer {
		return "API server"
	}
	return h.Nodes[node]
}

// end returns the end of a span, cut off at the end of the history.
func (h *History) end(toNs int64) int64 {
	if toNs == Open || toNs > h.ToNs {
		return h.ToNs
	}
	return toNs
}

// Clip drops everything outside FromNs to ToNs, and cuts off whatever extends beyond these instants.
func (h *History) Clip() {
	h.Events = slices.DeleteFunc(h.Events, func(e Event) bool { return int64(e.T) < h.FromNs || int64(e.T) > h.ToNs })
	for _, spans := range []*[]Span{&h.Roles, &h.Faults, &h.Holders} {
		*spans = slices.DeleteFunc(*spans, func(s Span) bool {
			return s.FromNs > h.ToNs || s.ToNs != Open && s.ToNs < h.FromNs || s.FromNs == s.ToNs
		})
		for i := range *spans {
			s := &(*spans)[i]
			if s.FromNs = max(s.FromNs, h.FromNs); s.ToNs > h.ToNs {
				s.ToNs = Open
			}
		}
	}
	h.Requests = slices.DeleteFunc(h.Requests, func(r Request) bool { return r.SentNs < h.FromNs || r.SentNs > h.ToNs })
	for i := range h.Requests {
		r := &h.Requests[i]
		if r.ServedNs > h.ToNs {
			r.ServedNs = Open
		}
		if r.EndedNs > h.ToNs {
			r.EndedNs, r.Result = Open, ""
		}
	}
}
