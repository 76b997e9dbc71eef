// Package history holds what happened to a Lease as plain data, from a run or from evidence. It writes that data in
// two forms for other tools: CSV, and a file of records from which Read recreates an identical run.
//
// Guarantee: a history of a run is a function of the scenario and the span, and contains nothing outside the span.
// Every output is well formed, whatever the names of nodes and scenarios. Non-guarantee: a history of evidence has
// only what the evidence shows.
package history

import (
	"slices"

	"github.com/leaselab/leaselab/sim/run/summary"
)

// Open is the end of a term that continues beyond the end of the history.
const Open = int64(-1)

// History is what happened within a span.
type History struct {
	Title        string
	Lease        string // the Lease, as namespace/name
	LeaseSeconds int64  // leaseDurationSeconds; 0 if unknown
	EpochNs      int64  // instant 0 in nanoseconds since 1970; 0 for a run, which has no date
	FromNs, ToNs int64
	Events       []Event // events in execution order
	Leaders      []Term  // terms of active leaders; one node's terms do not overlap
	_            struct{}
}

// Term is a stretch of time in which a node is an active leader. ToNs is Open if the term continues beyond the end of
// the history.
type Term struct {
	Leader       string
	FromNs, ToNs int64
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

// Clip drops everything outside FromNs to ToNs, and cuts off whatever extends beyond these instants.
func (h *History) Clip() {
	h.Events = slices.DeleteFunc(h.Events, func(e Event) bool { return int64(e.T) < h.FromNs || int64(e.T) > h.ToNs })
	h.Leaders = slices.DeleteFunc(h.Leaders, func(l Term) bool {
		return l.FromNs > h.ToNs || l.ToNs != Open && l.ToNs < h.FromNs || l.FromNs == l.ToNs
	})
	for i := range h.Leaders {
		l := &h.Leaders[i]
		if l.FromNs = max(l.FromNs, h.FromNs); l.ToNs > h.ToNs {
			l.ToNs = Open
		}
	}
}
