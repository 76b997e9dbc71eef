package programs

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
)

// Call is one thing that reaches the world from outside. With the scenario, all calls of a run are the run: see Replay.
type Call struct {
	AtNs     int64
	Steps    int64 // of the world between the call before and this one
	Do       CallKind
	Node     int32
	Number   uint64 // of the request, or of the event
	Request  *apiserver.Request
	Refused  int    // CallRequest: the status with which Options.Guard refuses it, 0: it does not
	Deadline bool   // CallAbandon: the deadline of its context has passed
	GoesOn   bool   // CallStopsLeading: the work goes on
	Leads    bool   // CallStopsWork: the context of the work has not ended
	Hash     string // CallEnd: of the trace

	exchange *exchange
}

// carry hands the world a call at the instant c.atNs, and records it. The caller holds the lock.
func (c *Cluster) carry(k Call) {
	k.AtNs, k.Steps = max(c.atNs, c.run.World.Now()), c.steps
	c.steps = 0
	if c.options.Record != nil {
		recorded := k
		c.options.Record(&recorded)
	}
	c.run.Do(k.AtNs, func(w *world.World) { c.applyCall(w, &k) }, c.seen())
	c.notice(c.run.World.Records())
}

// applyCall carries a call out.
func (c *Cluster) applyCall(w *world.World, k *Call) {
	switch k.Do {
	case CallRequest:
		k.exchange.number = k.Number
		c.sends(k.exchange)
	case CallAbandon:
		why := step.ContextCanceled
		if k.Deadline {
			why = step.ContextDeadline
		}
		w.Abandons(k.exchange.slot, k.Number, why)
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
	case CallAdministers:
		w.Insert(world.Control{AtNs: k.AtNs + 1, Kind: world.DoRequest, Request: k.Request, Source: int32(len(c.scenario.Actions)) + c.asked})
		c.asked++
	}
}
