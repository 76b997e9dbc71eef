package replay

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/world"
)

// CallKind is what a program, or an administrator, does to the world.
type CallKind string

const (
	CallRequest      CallKind = "request"      // a program sends a request
	CallAbandon      CallKind = "abandon"      // the program's client stops waiting for the answer
	CallEvent        CallKind = "event"        // a watch of the program has an event
	CallAttemptEnds  CallKind = "attemptEnds"  // an attempt of the program to acquire the Lease is over
	CallLeads        CallKind = "leads"        // the program's work begins
	CallStopsLeading CallKind = "stopsLeading" // the context of the program's work ends
	CallStopsWork    CallKind = "stopsWork"    // the program's work ends
	CallReturns      CallKind = "returns"      // the program returns on its own
	CallCrashes      CallKind = "crashes"      // the program's process dies on its own
	CallAdministers  CallKind = "administers"  // another client writes
	CallPrints       CallKind = "prints"       // the program has printed a line: nothing for the world
	CallEnd          CallKind = "end"          // the record ends
	CallPasses       CallKind = "passes"       // in a growing record: nothing else has happened up to this instant
)

// Call is one thing that reaches the world from outside. The scenario and all its calls determine a run.
type Call struct {
	AtNs     int64
	Steps    int64 // number of the world's steps between the previous call and this one
	Do       CallKind
	Node     int32
	Number   uint64 // number of the request, or of the event
	Request  *apiserver.Request
	Refused  int           // CallRequest: the status with which users and roles refuse it; 0 if they don't
	Deadline bool          // CallAbandon: the deadline of its context has passed
	GoesOn   bool          // CallStopsLeading: the work goes on
	Leads    bool          // CallStopsWork: the context of the work has not ended
	Hash     string        // CallEnd and CallPasses: hash of the trace
	Line     string        // CallPrints
	Exit     *conduct.Exit // CallReturns and CallCrashes: how the process has ended; nil if unknown
}

// Apply performs a call, unless it is about a program's request or comes from an administrator.
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

// Act converts a CallAdministers to an act with a unique number.
func (k *Call) Act(source int32) world.Control {
	return world.Control{AtNs: k.AtNs + 1, Kind: world.DoRequest, Request: k.Request, Source: source}
}
