package explain

import (
	"fmt"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// What a client does inside a call before its elector hears of an answer: it waits, and asks again.

// retries are the exchanges of a request after which its client asked again.
type retries struct {
	count  int32
	sent   Place       // the first of them
	asked  Place       // the last time that the client decided to ask again
	result step.Result // that it asked again for
	after  bool        // the answer had Retry-After; else a connection broke
}

// slow is a call that waited before it asked again.
type slow struct {
	retries
	request string // such as "GET"
	endedNs int64
}

const maxSlow = 16

// asksAgain takes the leg back whose answer makes the client ask again: its next exchange is the same leg.
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

// waitedInside keeps a call that has waited and ends now, unless its client asks again.
func (a *attempt) waitedInside(r *trace.Record) {
	if len(a.slow) == maxSlow {
		return
	}
	a.slow = append(a.slow, slow{a.retried, method(r.Verb, r.Object), r.At})
}

// callNs is when the call that ends with a record sent its first request, 0 if it has sent only one.
func (a *attempt) callNs(r *trace.Record) int64 {
	if n := len(a.slow); n > 0 && r.Seq == a.again && (r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent) {
		return a.slow[n-1].sent.AtNs
	}
	return 0
}

// waitedBefore lays the calls that waited before an instant: what of them lies after the cursor.
func (b *builder) waitedBefore(a *attempt, beforeNs int64) {
	for k := range a.slow {
		c := &a.slow[k]
		if c.endedNs <= b.cursor || c.sent.AtNs >= beforeNs {
			continue
		}
		b.until(c.sent.AtNs, c.sent, "until %s tried", b.name)
		b.until(c.endedNs, c.asked, "waiting inside its %s: %s", c.request, c.words())
	}
}

// insideNs is how much of a stretch of time calls spent waiting.
func (a *attempt) insideNs(fromNs, toNs int64) (ns int64) {
	for k := range a.slow {
		ns += max(0, min(a.slow[k].endedNs, toNs)-max(a.slow[k].sent.AtNs, fromNs))
	}
	return ns
}

// words says why a request was asked again, and how often: "answered 429 twice, asked again as Retry-After says".
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
