package explain

import (
	"fmt"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// A client may wait and repeat a request inside a call, before the elector gets an answer. client-go does so after
// 429 with Retry-After, and after a GET whose connection broke. The elector sees only one slow call. But a person who
// asks about a gap wants to know whether the network was slow or the server overloaded.

// retries are the exchanges after which a client repeated its request. The call began with the first exchange, in the
// field sent.
type retries struct {
	count  int32
	sent   Place       // the first exchange
	asked  Place       // where the client last decided to repeat
	result step.Result // the result that made the client repeat the request
	after  bool        // the answer had Retry-After; otherwise a connection broke
}

// slow is a call that waited before repeating a request.
type slow struct {
	retries
	request string // such as "GET"
	endedNs int64
}

const maxSlow = 16

// asksAgain removes the leg whose answer makes the client ask again, because the next exchange belongs to the same
// leg. The trace shows the answer before the decision to ask again, so that leg is already in the list. After the
// second repeat, the slow call is already in its list, too.
func (a *attempt) asksAgain(r *trace.Record, at Place) {
	if a.legs == 0 {
		return
	}
	a.legs--
	last := &a.leg[a.legs]
	a.retried = last.retried
	if a.retried.count == 0 {
		a.retried.sent = last.sent
	} else if n := len(a.slow); n > 0 && a.slow[n-1].sent == a.retried.sent {
		a.slow = a.slow[:n-1]
	}
	a.retried.count++
	a.again = r.Seq
	a.retried.asked, a.retried.result, a.retried.after = at, r.Result, r.Retry().RetryAfter
}

// keepSlowCall records a call that has waited and now ends. If its client asks again, asksAgain drops the call from
// the list.
func (a *attempt) keepSlowCall(r *trace.Record) {
	if len(a.slow) == maxSlow {
		return
	}
	a.slow = append(a.slow, slow{a.retried, method(r.Verb, r.Object), r.At})
}

// callNs returns the instant of the first request in the call that ends at a record. If the call sent only one
// request, it returns 0.
func (a *attempt) callNs(r *trace.Record) int64 {
	if n := len(a.slow); n > 0 && r.Seq == a.again && (r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent) {
		return a.slow[n-1].sent.AtNs
	}
	return 0
}

// laySlowCalls adds parts for the calls that waited before an instant. It ignores the time before the cursor.
func (b *builder) laySlowCalls(a *attempt, beforeNs int64) {
	for k := range a.slow {
		c := &a.slow[k]
		if c.endedNs <= b.cursor || c.sent.AtNs >= beforeNs {
			continue
		}
		b.lay(c.sent.AtNs, c.sent, "until %s tried", b.name)
		b.lay(c.endedNs, c.asked, "waiting inside its %s: %s", c.request, c.words())
	}
}

// insideNs returns how much of a span of time calls spent waiting.
func (a *attempt) insideNs(fromNs, toNs int64) (ns int64) {
	for k := range a.slow {
		ns += max(0, min(a.slow[k].endedNs, toNs)-max(a.slow[k].sent.AtNs, fromNs))
	}
	return ns
}

// `words` describes why and how often a client repeated a request: "answered 429 twice, asked again as Retry-After
// says". A count of 1 needs no adverb: "answered 429, asked again as Retry-After says".
func (r *retries) words() string {
	times := [...]string{"", "", " twice"}
	often := fmt.Sprintf(" %d times", r.count)
	if int(r.count) < len(times) {
		often = times[r.count]
	}
	if !r.after {
		return resultWord(r.result) + often + ", and client-go repeats a GET"
	}
	return "answered " + codes[r.result] + often + ", asked again as Retry-After says"
}
