package explain

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// attempt is what a candidate does to acquire or renew: the wait before the attempt, the requests of the current
// attempt, and the attempts that have failed since another candidate last held the Lease. It observes
// tryAcquireOrRenew from outside. The elector does not say when an attempt begins. So an attempt begins with the
// first request after a draw and ends with the next draw. In client-go a follower draws a wait after each attempt; a
// leader waits for a fixed retryPeriod and draws nothing.
type attempt struct {
	underWay bool
	fromNs   int64
	asked    Place // first request of the attempt
	got      Place // the read of the attempt, or its first request if the attempt has read nothing
	wrote    bool  // a write of the attempt reached the server
	result   step.Result
	won      bool // the attempt made the candidate leader, so the next draw does not follow a failed attempt
	sent     Place
	seq      int32
	held     Place   // where the candidate's rate limiter last delayed a request
	retried  retries // repeats of the current request inside one call
	again    int32   // the number of the repeated request
	slow     []slow  // calls that waited since the Lease last changed
	leg      [maxLegs]leg
	legs     int
	wait     wait
	failed   []try
}

// wait is the random wait before an attempt.
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
	servedNs int64 // when the server handled the last exchange; -1 if it did not
	sent     Place // last exchange of the request
	ended    Place
	retried  retries
}

// maxLegs is the most requests in a successful attempt: an update that gets a conflict, a read, and another update.
// With a lock of two objects, the read takes two requests and the last update three.
const maxLegs = 6

// try is a failed attempt.
type try struct {
	_            incomparable
	fromNs, toNs int64
	result       step.Result
	wrote        bool
	asked        Place // first request of the failed attempt
	place        Place // the draw that ends the failed attempt
}

const maxTries = 64

// `observe` takes a record about the candidate. The first request of an attempt resets the fields about one attempt. It
// keeps the fields failed and slow, which say what went wrong in all attempts since the Lease became free.
func (a *attempt) observe(r *trace.Record, at Place) {
	switch r.Kind {
	case trace.RequestSent, trace.RequestNotSent, trace.Throttled:
		if r.Kind == trace.RequestNotSent && a.retried.count > 0 {
			a.keepSlowCall(r)
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
		a.takeEnd(r, at)
	case trace.RequestRetries:
		a.asksAgain(r, at)
	case trace.EventBecameLeader:
		a.won = true
	case trace.JitterDrawn:
		// After the attempt that wins, client-go draws one more wait before its loop notices that it is done.
		if a.won {
			a.won = false
			return
		}
		a.finish(r, at)
	case trace.LeadingDone:
		a.underWay = false
	}
}

// takeEnd records the end of a request. An attempt with more than maxLegs legs cannot have won, so further legs do
// not matter.
func (a *attempt) takeEnd(r *trace.Record, at Place) {
	if a.legs < maxLegs {
		a.leg[a.legs] = leg{verb: r.Verb, object: r.Object, servedNs: r.Exchange().ServedNs, sent: a.sent, ended: at,
			retried: a.retried}
		a.legs++
	}
	if a.retried.count > 0 {
		a.keepSlowCall(r)
	}
	a.retried = retries{}
	a.result = r.Result
	// The field wrote means that a write reached the server, whatever the answer. A conflict means that another write
	// was faster.
	if r.Verb == elector.Get {
		a.got = at
	} else if r.Exchange().ServedNs >= 0 {
		a.wrote = true
	}
}

// `finish` ends an attempt at the draw that follows it. maxTries limits the list for a candidate that fails for hours.
func (a *attempt) finish(r *trace.Record, at Place) {
	if a.underWay && a.result != step.Success && len(a.failed) < maxTries {
		a.failed = append(a.failed, try{fromNs: a.fromNs, toNs: r.At, result: a.result, wrote: a.wrote, asked: a.asked,
			place: at})
	}
	a.underWay = false
	drawn := r.Jitter()
	a.wait = wait{}
	// A record of real programs shows that a program waited, but not what it drew.
	if drawn.DelayNs != trace.UnknownDelay {
		a.wait = wait{at, drawn.DelayNs, drawn.Draw}
	}
}
