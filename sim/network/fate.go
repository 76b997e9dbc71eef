package network

import (
	"cmp"

	"github.com/leaselab/leaselab/core/random"
)

// Way says how a client's messages travel if no rule applies.
type Way struct {
	RequestNs, ResponseNs     int64
	RequestDraw, ResponseDraw *Distribution // replace RequestNs and ResponseNs unless nil
	Draws                     *random.Stream
}

// Request is what the rules know of a request, and what they decided about it when it left. The caller keeps it until
// the answer arrives or gets lost.
type Request struct {
	RequestNs  int64 // latency to the server, set by Leave
	ResponseNs int64 // latency of the answer, set by Leave
	SentNs     int64 // when the client sent the request
	Seq        int32 // number among the client's requests, from 1; rules with Nth ignore a request with 0
	Verb       Verb
	Resource   Resource  // rules with a resource ignore a request with AnyResource
	Fault      FaultKind // set by Leave or Arrive
}

// Fate is what a gate does with a message.
type Fate struct {
	// Delivered: when the message is at the next gate; Queued: the end of its stay; Refused, Reset, Closed: when the
	// client learns of it
	AtNs  int64
	Kind  FateKind
	Hold  HoldMode   // Held: the mode of the cut, or Drop if the request stalls at the server
	After RetryAfter // Leave, Arrive: Retry-After of the answer that a fault makes
}

// FateKind is a kind of Fate.
type FateKind uint8

const (
	Delivered FateKind = iota
	Lost
	Refused // the client gets a connection error
	Held    // held until the rule ends; then ask Resume
	Queued  // the request stays at the server
	Reset   // the client learns that the connection was reset
	Closed  // the client learns that the server closed the connection
)

// Leave determines the fate of a request that its client sends now: its latencies, its fault, and whether it gets onto
// the wire. It uses a draw only if the latency has a distribution.
func (r *Rules) Leave(now int64, l *Link, w *Way, q *Request) Fate {
	r.Draw(now, l.Client, w, q)
	var after RetryAfter
	if len(r.faults) > 0 {
		q.Fault, after = r.fault(now, l.Client, q)
	}
	reachesNs := now + q.RequestNs
	switch q.Fault {
	case RefuseConnection:
		return Fate{Kind: Refused, AtNs: reachesNs}
	case DropRequest:
		if r.refuses(now, l, q) {
			return Fate{Kind: Refused, AtNs: reachesNs}
		}
		return Fate{Kind: Lost}
	}
	f := r.cross(now, reachesNs, l, q)
	if f.Kind == Delivered && q.Fault == ResetConnection {
		f.Kind = Reset
	}
	if f.Kind == Delivered && q.Fault == CloseConnection {
		f.Kind = Closed
	}
	f.After = after
	return f
}

// Draw chooses the latencies of a request or a watch event that leaves now.
func (r *Rules) Draw(now int64, client int32, w *Way, q *Request) {
	q.RequestNs, q.ResponseNs = w.RequestNs, w.ResponseNs
	request, response := w.RequestDraw, w.ResponseDraw
	if len(r.latencies) > 0 {
		if l := r.latency(now, client, q); l != nil {
			if l.RequestNs >= 0 || l.RequestDraw != nil {
				q.RequestNs, request = l.RequestNs, l.RequestDraw
			}
			if l.ResponseNs >= 0 || l.ResponseDraw != nil {
				q.ResponseNs, response = l.ResponseNs, l.ResponseDraw
			}
		}
	}
	if request != nil {
		q.RequestNs = r.draw(now, request, w.Draws)
	}
	if response != nil {
		q.ResponseNs = r.draw(now, response, w.Draws)
	}
}

// draw returns a client's next draw from a distribution, or the draw that all clients share in this window.
func (r *Rules) draw(now int64, d *Distribution, draws *random.Stream) int64 {
	if d.windowNs == 0 {
		return d.At(draws.Uint64())
	}
	window := random.NamedStream(r.seed^uint64(now/d.windowNs)*random.Step, "latency", "*")
	return d.At(window.Uint64())
}

func (r *Rules) latency(now int64, client int32, q *Request) *Latency {
	for i := range r.latencies {
		l := &r.latencies[i]
		if concerns(l.Client, client) && isWithin(now, l.FromNs, l.UntilNs) && q.matches(l.Verb, l.Resource) &&
			(l.Nth == 0 || l.Nth == q.Seq) &&
			recurs(now, l.FromNs, l.EveryNs, l.ForNs) {
			return l
		}
	}
	return nil
}

func (r *Rules) fault(now int64, client int32, q *Request) (FaultKind, RetryAfter) {
	for i := range r.faults {
		f := &r.faults[i]
		if concerns(f.Client, client) && isWithin(now, f.FromNs, f.UntilNs) && q.matches(f.Verb, f.Resource) &&
			(f.Nth == 0 || f.Nth == q.Seq) &&
			(f.Count == 0 || f.used < f.Count) && recurs(now, f.FromNs, f.EveryNs, f.ForNs) &&
			f.hits(r.seed, client, q, legFault) {
			f.used++
			return f.Kind, f.After
		}
	}
	return NoFault, 0
}

// `refuses` reports whether a request that leaves now gets a connection error.
func (r *Rules) refuses(now int64, l *Link, q *Request) bool {
	if l.State != Serving {
		return l.State == Gone
	}
	c := r.firstCut(now, l, q, Up)
	return c != nil && c.Refuse
}

// `cross` decides whether a request that is on the wire now reaches the server at atNs.
func (r *Rules) cross(now, atNs int64, l *Link, q *Request) Fate {
	if l.State != Serving {
		if l.State == Gone {
			return Fate{Kind: Refused, AtNs: atNs}
		}
		return r.silentFate(now, l, q, Up)
	}
	if len(r.cuts) > 0 {
		if c := r.firstCut(now, l, q, Up); c != nil {
			if c.Refuse {
				return Fate{Kind: Refused, AtNs: atNs}
			}
			return cutFate(c)
		}
	}
	return Fate{AtNs: atNs}
}

// firstCut returns the first cut that stops a message of a link in a direction, or nil.
func (r *Rules) firstCut(now int64, l *Link, q *Request, direction Direction) *Cut {
	for i := range r.cuts {
		if c := &r.cuts[i]; c.stops(now, l, direction) && c.hits(r.seed, l.Client, q, legOf[direction]) {
			return c
		}
	}
	return nil
}

// silentFate returns the fate of a message to a silent server. A cut may hold the message.
func (r *Rules) silentFate(now int64, l *Link, q *Request, direction Direction) Fate {
	if c := r.firstCut(now, l, q, direction); c != nil {
		return cutFate(c)
	}
	return Fate{Kind: Lost}
}

// cutFate returns the fate of a message that a cut stops.
func cutFate(c *Cut) Fate {
	if c.Hold == Drop {
		return Fate{Kind: Lost}
	}
	return Fate{Kind: Held, Hold: c.Hold}
}

// Arrive decides on a request that reaches the server now: a cut may stop it, and the server may keep it or serve it
// at once.
func (r *Rules) Arrive(now int64, l *Link, q *Request) Fate {
	if f := r.cross(now, now, l, q); f.Kind != Delivered || !r.mayKeep {
		return f
	}
	switch {
	case q.Fault == Stall:
		return Fate{Kind: Held}
	case q.Fault == Hang:
		wait := cmp.Or(r.capacity.HangNs, DefaultHangNs)
		return Fate{Kind: Queued, AtNs: now + wait}
	case !r.capacity.isLimited():
		return Fate{AtNs: now}
	}
	wait, result := r.enqueue(now, l.Queue)
	switch {
	case result == dropped:
		return Fate{Kind: Lost}
	case result == shed:
		q.Fault = Http429
		return Fate{AtNs: now, After: SheddingRetryAfter}
	case result == overdue:
		q.Fault = Http504
		return Fate{Kind: Queued, AtNs: now + wait}
	case wait > 0:
		return Fate{Kind: Queued, AtNs: now + wait}
	}
	return Fate{AtNs: now}
}

// Serve decides on a request whose stay at the server ends now. A dead server has closed the connection; a silent
// server says nothing.
func (r *Rules) Serve(now int64, l *Link) Fate {
	switch l.State {
	case Gone:
		return Fate{Kind: Closed, AtNs: now}
	case Silent:
		return Fate{Kind: Lost}
	}
	return Fate{AtNs: now}
}

// Answer decides on an answer or a watch event that the server sends now.
func (r *Rules) Answer(now int64, l *Link, q *Request) Fate {
	if q.Fault == DropResponse {
		return Fate{Kind: Lost}
	}
	return r.Hear(now, now+q.ResponseNs, l, q)
}

// Hear decides on an answer or a watch event on its way back. It arrives at atNs unless a cut stops it now.
func (r *Rules) Hear(now, atNs int64, l *Link, q *Request) Fate {
	if len(r.cuts) > 0 {
		if c := r.firstCut(now, l, q, Down); c != nil {
			return cutFate(c)
		}
	}
	return Fate{AtNs: atNs}
}

// HeldAt says where a held message is.
type HeldAt uint8

const (
	NotHeld    HeldAt = iota
	HeldUp            // on its way to the server
	HeldServer        // at the server
	HeldDown          // its answer, on the way back
)

// Resume decides on a held message: it is now Delivered, still Held, or Lost to another rule. Delivering it at the
// server clears the fault that stalled it.
func (r *Rules) Resume(now int64, l *Link, q *Request, at HeldAt) Fate {
	switch at {
	case HeldServer:
		if r.stalls(now, l.Client, q) {
			return Fate{Kind: Held}
		}
		q.Fault = NoFault
		return Fate{AtNs: now}
	case HeldDown:
		return r.Hear(now, now+q.ResponseNs, l, q)
	}
	f := r.cross(now, now+q.RequestNs, l, q)
	if f.Kind == Refused { // the request is on the wire, so its client gets no error
		return r.silentFate(now, l, q, Up)
	}
	return f
}

// `stalls` reports whether a fault still keeps the request at the server.
func (r *Rules) stalls(now int64, client int32, q *Request) bool {
	for i := range r.faults {
		f := &r.faults[i]
		if f.Kind == Stall && concerns(f.Client, client) && isWithin(now, f.FromNs, f.UntilNs) &&
			q.matches(f.Verb, f.Resource) &&
			f.hits(r.seed, client, q, legFault) {
			return true
		}
	}
	return false
}
