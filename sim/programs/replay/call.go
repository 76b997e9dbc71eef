package replay

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world"
)

// CallKind is what a program, or an administrator, does to the world.
type CallKind string

const (
	CallRequest      CallKind = "request"      // a program sends a request
	CallAbandon      CallKind = "abandon"      // its client stops waiting for the answer
	CallEvent        CallKind = "event"        // one of its watches has an event
	CallAttemptEnds  CallKind = "attemptEnds"  // an attempt to acquire the Lease is over
	CallLeads        CallKind = "leads"        // its work begins
	CallStopsLeading CallKind = "stopsLeading" // the context of its work ends
	CallStopsWork    CallKind = "stopsWork"    // its work ends
	CallReturns      CallKind = "returns"      // the program ends by itself
	CallCrashes      CallKind = "crashes"      // its process dies by itself
	CallAdministers  CallKind = "administers"  // another client writes
	CallEnd          CallKind = "end"          // the record ends
	CallPasses       CallKind = "passes"       // in a growing record: nothing else has happened up to here
)

// Call is one thing that reaches the world from outside. The scenario and all its calls determine a run.
type Call struct {
	AtNs     int64
	Steps    int64 // steps of the world between the previous call and this one
	Do       CallKind
	Node     int32
	Number   uint64 // of the request, or of the event
	Request  *apiserver.Request
	Refused  int    // CallRequest: the status with which users and roles refuse it; 0 if they don't
	Deadline bool   // CallAbandon: the deadline of its context has passed
	GoesOn   bool   // CallStopsLeading: the work goes on
	Leads    bool   // CallStopsWork: the context of the work has not ended
	Hash     string // CallEnd and CallPasses: of the trace
}

// Apply carries out a call, unless it is about a program's request or comes from an administrator.
func (k *Call) Apply(w *world.World) {
	switch k.Do {
	case CallEvent:
		w.Tells(k.Node, k.Number, network.AnyResource)
	case CallAttemptEnds:
		w.AttemptEnds(k.Node)
	case CallLeads:
		w.StartsLeading(k.Node)
	case CallStopsLeading:
		w.StopsLeading(k.Node, k.GoesOn)
	case CallStopsWork:
		w.StopsWork(k.Node, k.Leads)
	case CallReturns:
		w.Returns(k.Node)
	case CallCrashes:
		w.Crashes(k.Node)
	}
}

// Reason returns the reason for a CallAbandon.
func (k *Call) Reason() step.Result {
	if k.Deadline {
		return step.ContextDeadline
	}
	return step.ContextCanceled
}

// Act returns a CallAdministers as an act with a unique number.
func (k *Call) Act(source int32) world.Control {
	return world.Control{AtNs: k.AtNs + 1, Kind: world.DoRequest, Request: k.Request, Source: source}
}
