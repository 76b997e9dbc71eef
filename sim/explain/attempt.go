package explain

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// attempt is what a candidate does to acquire or renew: the wait, the requests of the attempt under way, and the
// attempts that have failed since the Lease last belonged to another candidate.
type attempt struct {
	underWay bool
	fromNs   int64
	asked    Place // its first request
	got      Place // its read, its first request if it has read nothing
	wrote    bool  // a write of it reached the server
	result   step.Result
	won      bool // it has made the candidate leader: the next draw waits for nothing
	sent     Place
	seq      int32
	held     Place   // where the candidate's own rate limiter last held a request back
	retried  retries // of the request that its client will ask again
	again    int32   // the number of the request that asks again
	slow     []slow  // calls that waited, since the Lease last changed
	leg      [maxLegs]leg
	legs     int
	wait     wait
	failed   []try
}

// wait is the draw before an attempt.
type wait struct {
	at   Place
	ns   int64
	draw float64
}

// leg is one request of an attempt.
type leg struct {
	_        incomparable
	verb     elector.Verb
	object   elector.Object
	servedNs int64 // of its last exchange; -1: not served
	sent     Place // its last exchange
	ended    Place
	retried  retries
}

// maxLegs is how many requests an attempt that succeeds has at most: an update that met a conflict, a read, an update;
// with a lock of two objects the read is two requests, the update three.
const maxLegs = 6

// try is an attempt that has failed.
type try struct {
	_            incomparable
	fromNs, toNs int64
	result       step.Result
	wrote        bool
	asked        Place // its first request
	place        Place // the draw that ends it
}

const maxTries = 64

func (a *attempt) observe(r *trace.Record, at Place) {
	switch r.Kind {
	case trace.RequestSent, trace.RequestNotSent, trace.Throttled:
		if r.Kind == trace.RequestNotSent && a.retried.count > 0 {
			a.waitedInside(r)
			a.retried, a.result = retries{}, r.Result
		}
		if !a.underWay {
			a.underWay, a.fromNs, a.asked, a.wrote, a.got, a.legs, a.retried = true, r.At, at, false, at, 0, retries{}
		}
		switch r.Kind {
		case trace.RequestSent:
			a.sent, a.seq = at, r.Seq
		case trace.Throttled:
			a.held = at
		}
	case trace.RequestEnded:
		a.ended(r, at)
	case trace.RequestRetries:
		a.asksAgain(r, at)
	case trace.EventBecameLeader:
		a.won = true
	case trace.JitterDrawn:
		if a.won {
			a.won = false
			return
		}
		a.over(r, at)
	case trace.LeadingDone:
		a.underWay = false
	}
}

// ended takes the end of a request.
func (a *attempt) ended(r *trace.Record, at Place) {
	if a.legs < maxLegs {
		a.leg[a.legs] = leg{verb: r.Verb, object: r.Object, servedNs: r.Exchange().ServedNs, sent: a.sent, ended: at,
			retried: a.retried}
		a.legs++
	}
	if a.retried.count > 0 {
		a.waitedInside(r)
	}
	a.retried = retries{}
	a.result = r.Result
	if r.Verb == elector.Get {
		a.got = at
	} else if r.Exchange().ServedNs >= 0 {
		a.wrote = true
	}
}

// over takes the draw that follows an attempt.
func (a *attempt) over(r *trace.Record, at Place) {
	if a.underWay && a.result != step.Success && len(a.failed) < maxTries {
		a.failed = append(a.failed, try{fromNs: a.fromNs, toNs: r.At, result: a.result, wrote: a.wrote, asked: a.asked,
			place: at})
	}
	a.underWay = false
	drawn := r.Jitter()
	a.wait = wait{}
	if drawn.DelayNs != trace.UnknownDelay {
		a.wait = wait{at, drawn.DelayNs, drawn.Draw}
	}
}
