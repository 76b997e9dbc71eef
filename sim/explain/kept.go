package explain

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Two obstacles are not faults: an API server with too many requests, and a Lease whose preferredHolder names another
// candidate. Each obstacle concerns one candidate, and no record says when it begins.

// crowded is the last failure of a candidate's request at an overloaded API server. The failed request does not say
// why it failed, but the state of the server at that instant does.
type crowded struct {
	at   Place
	ns   int64 // how long the server would have queued a request
	away bool  // the server would have turned the request away
}

// `observe` records the end of a request. A wait of less than a second is normal and explains no failure.
func (c *crowded) observe(w *world.World, r *trace.Record, at Place) {
	if r.Result == step.Success {
		return
	}
	if ns, away := w.Node(r.Candidate).ServerStay(); away || ns > secondNs {
		*c = crowded{at, ns, away}
	}
}

// `lines` describes the failure if it came after the given instant and requests have failed.
func (c *crowded) lines(w *world.World, i int32, fromNs int64, failing bool) (said lines) {
	switch name := w.Node(i).Name(); {
	case !failing || c.at.Ordinal == 0 || c.at.AtNs < fromNs:
	case c.away:
		said.did(c.at.because(byOverload),
			"A request of %s failed at %s: the overloaded API server turned requests away.", name)
	default:
		said.say(c.at.because(bySlowServer),
			"A request of %s failed at %s: the overloaded API server kept each request for %s.", name,
			words.Instant(c.at.AtNs), words.Seconds(c.ns))
	}
	return said
}

// `obstacles` says what kept a leader from renewing, besides faults: an overloaded API server, or a Lease whose
// preferredHolder names another candidate.
func (c *watcher) obstacles(w *world.World, i int32, fromNs int64, failing bool) lines {
	said := c.crowded.lines(w, i, fromNs, failing)
	if c.handOver.Ordinal != 0 && c.handOver.AtNs >= fromNs {
		said.say(c.handOver.because(byPreferred),
			"%s read at %s that preferredHolder names %s, and let the Lease expire.",
			w.Node(i).Name(), words.Instant(c.handOver.AtNs), w.DisplayName(c.lock.raw.PreferredHolder))
	}
	return said
}

// `reads` records that a coordinated leader reads a preferredHolder. From then on the leader does not renew. A
// successful write after that is a renewal, so the hand-over is over.
func (c *watcher) reads(r *trace.Record, at Place) {
	switch {
	case !c.term.leads || r.Result != step.Success:
	case r.Verb != elector.Get:
		c.handOver = Place{}
	case r.Spec.PreferredHolder != 0 && c.handOver.Ordinal == 0:
		c.handOver = at
		c.term.enter(handsOver, at)
	}
}
