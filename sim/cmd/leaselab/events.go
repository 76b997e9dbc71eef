package main

import (
	"bufio"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/summary"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// event is a trace record in ndjson, as a sentence and as fields.
type event struct {
	T               summary.Seconds `json:"t" jsonschema:"the instant, in seconds since the run began"`
	N               int32           `json:"n" jsonschema:"the number of the record within its instant"`
	Node            string          `json:"node,omitempty" jsonschema:"absent for the network and for an administrator"`
	Kind            string          `json:"kind" jsonschema:"request, write, lead, fault, act or callback"`
	Events          []string        `json:"events" jsonschema:"its names as assertions use them (expect.event); the first is that of the record's kind"`
	Text            string          `json:"text" jsonschema:"a sentence, which begins with the verb if there is a node"`
	Verb            string          `json:"verb,omitempty" jsonschema:"of a request"`
	Seq             int32           `json:"seq,omitempty" jsonschema:"the number of the node's request"`
	Result          string          `json:"result,omitempty" jsonschema:"what the client learned, or what the store did"`
	ResourceVersion int64           `json:"resourceVersion,omitempty" jsonschema:"sent, stored or answered"`
	Holder          string          `json:"holder" jsonschema:"holderIdentity of the Lease as it is stored after this instant's step; empty: nobody, or there is no Lease"`
	Transitions     int32           `json:"transitions" jsonschema:"leaseTransitions of that Lease"`
}

func writeEvent(out *bufio.Writer, w *world.World, r *trace.Record, note explain.Note) {
	s := explain.Say(w, r, note)
	e := event{
		T: summary.Seconds(r.At), N: note.Place.Ordinal, Node: s.Subject, Kind: s.Kind, Events: trace.Names(r), Text: s.Text, ResourceVersion: r.ResourceVersion,
	}
	if _, lease, exists := w.Holder(); exists {
		e.Transitions = lease.Spec.LeaseTransitions
		if lease.Spec.HolderIdentity != 0 {
			e.Holder = w.Setup().Symbols.Text(lease.Spec.HolderIdentity)
		}
	}
	switch r.Kind {
	case trace.RequestSent, trace.RequestServed, trace.RequestEnded, trace.RequestNotSent:
		e.Verb, e.Seq = r.Verb.String(), r.Seq
		if r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent {
			e.Result = r.Result.String()
		}
		if r.Kind == trace.RequestServed {
			e.Result = r.Outcome.String()
		}
	}
	writeLine(out, e)
}
