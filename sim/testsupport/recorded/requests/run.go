package requests

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	oneWayNs      = int64(2 * time.Millisecond)
	firstRevision = 1007 // of the recorder's API server, before the first Lease
	leases        = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	mediaType     = "application/json"
)

// run makes a recording of what the simulator reports.
type run struct {
	c          *Case
	attemptsNs []int64 // where the attempts begin, which gives the jitter
	symbols    *coordination.Symbols
	out        Recording
	place      map[int32]int // index in out of a request's exchange, by the request's number
	again      int32         // the number of the request that a call sends after a wait
}

// Run runs the case of a recording and returns what our elector and client did. It takes the jitter from the
// recording's exchanges.
func Run(r *Recording) Recording {
	var sent []int64
	for i := range r.Exchanges {
		sent = append(sent, r.Exchanges[i].SentNs)
	}
	return RunWith(&r.Case, sent)
}

// RunWith runs a case in the simulator. As far as the jitter allows, each attempt of its elector's acquire loop
// begins at the first of the given instants after the previous attempt.
func RunWith(c *Case, attemptsNs []int64) Recording {
	x := &run{c: c, attemptsNs: attemptsNs, place: map[int32]int{},
		out: Recording{Case: *c, Exchanges: []Exchange{}, Events: []Event{}}}
	setup := x.setup()
	x.symbols = setup.Symbols
	// Leave out what would happen at the last instant.
	world.New(setup).Run(setup.DurationNs-1, func(records []trace.Record) {
		for i := range records {
			x.record(&records[i])
		}
	})
	if stopNs := c.StopAtMs * int64(time.Millisecond); stopNs > 0 && stopNs < setup.DurationNs {
		x.tell(stopNs, "stop") // even if the process has ended
	}
	// The recorder orders the events of one instant by their words.
	slices.SortStableFunc(x.out.Events, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Ns, b.Ns), cmp.Compare(a.What, b.What))
	})
	x.out.Exchanges = slices.DeleteFunc(x.out.Exchanges, func(e Exchange) bool { return e.EndNs == 0 })
	return x.out
}

// config returns the elector's configuration. Its renewDeadline is 1 ns less than the case says.
func (c *Case) config() elector.Config {
	const ms = time.Millisecond
	return elector.Config{
		LeaseDuration: time.Duration(c.LeaseDurationMs) * ms, RenewDeadline: time.Duration(c.RenewDeadlineMs)*ms - 1,
		RetryPeriod: time.Duration(c.RetryPeriodMs) * ms, ReleaseOnCancel: c.ReleaseOnCancel,
	}
}

// setup returns the case as a setup of the simulator.
func (x *run) setup() *world.Setup {
	c := x.c
	const ms = int64(time.Millisecond)
	s := &world.Setup{
		Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: c.DurationMs * ms, Namespace: "default",
		LeaseNames: []string{"demo"}, Jitter: x.draw,
		Candidates: []world.Candidate{{
			Name: "a", Identity: "a", Config: c.config(), RequestTimeoutNs: c.ClientTimeoutMs * ms, RequestNs: oneWayNs,
			ResponseNs: oneWayNs,
			Client:     world.Client{PerSecond: float32(c.QPS), Burst: c.Burst},
		}},
	}
	for i := range c.Faults {
		s.Faults, s.Latencies = c.Faults[i].rules(s.Faults, s.Latencies)
	}
	if c.StopAtMs > 0 {
		s.Controls = append(s.Controls, world.Control{AtNs: c.StopAtMs * ms, Kind: world.DoStop, Source: -1})
	}
	for _, at := range c.DeleteAtMs {
		s.Controls = append(s.Controls, world.Control{AtNs: at * ms, Kind: world.DoWrite, Target: world.Everybody,
			Write: &world.Write{Op: trace.Delete}, Source: -1})
	}
	slices.SortStableFunc(s.Controls, func(a, b world.Control) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return s
}

// rules appends the network's rules for a fault. If the fault has both a status and an error, the one that the request
// meets first applies.
func (f *Fault) rules(faults []network.Fault, latencies []network.Latency) ([]network.Fault, []network.Latency) {
	const ms = int64(time.Millisecond)
	if f.ToMs <= f.FromMs {
		return faults, latencies
	}
	rule := network.Fault{Client: world.Everybody, FromNs: f.FromMs * ms, UntilNs: f.ToMs * ms, Verb: verbs[f.Method],
		After: f.retryAfter(), Source: -1}
	slow := network.Latency{Client: world.Everybody, FromNs: rule.FromNs, UntilNs: rule.UntilNs, Verb: rule.Verb,
		RequestNs: -1, ResponseNs: -1, Source: -1}
	switch kind, known := broken[f.Error]; {
	case known:
		rule.Kind = kind
	case f.Status != 0:
		rule.Kind = statuses[f.Status]
	default:
		rule.Kind = spoiled[f.Error]
		slow.ResponseNs = oneWayNs + f.DelayMs*ms
	}
	return append(faults, rule), append(latencies, slow)
}

// retryAfter is the header that a fault's answer has. client-go does not read a date.
func (f *Fault) retryAfter() network.RetryAfter {
	if seconds, err := strconv.ParseUint(f.RetryAfter, 10, 63); err == nil {
		return network.After(int64(min(seconds, network.MaxRetryAfterSeconds)))
	}
	return 0
}

// fault returns the first fault that applies to a request.
func (x *run) fault(e *Exchange) *Fault {
	for i := range x.c.Faults {
		f := &x.c.Faults[i]
		if ms := int64(time.Millisecond); f.FromMs*ms <= e.SentNs && e.SentNs < f.ToMs*ms &&
			(f.Method == "" || f.Method == e.Method) {
			return f
		}
	}
	return &Fault{}
}

func (x *run) tell(ns int64, what string) {
	x.out.Events = append(x.out.Events, Event{Ns: ns, What: what})
}

// record adds a record of the simulated run to the recording.
func (x *run) record(r *trace.Record) {
	switch r.Kind {
	case trace.RequestSent:
		x.noteSent(r)
	case trace.RequestEnded:
		x.noteEnd(r)
	case trace.RequestRetries:
		x.again = r.Seq
	case trace.Throttled:
		x.again = 0
	case trace.RequestNotSent:
		// A wait for Retry-After does not report that its context has ended, although a wait in the limiter would. So
		// without a limiter, the request reaches the transport once more, and the transport refuses the request.
		// Source: client-go v0.37.2 rest withRetry.Before.
		if r.Seq == x.again && x.c.QPS == 0 {
			x.noteSent(r)
			x.noteEnd(r)
		}
	case trace.Written:
		x.tell(r.At, fmt.Sprintf("deleted %d", map[bool]int{true: 200, false: 404}[r.Outcome == storage.Deleted]))
	case trace.StartedLeading:
		x.tell(r.At, "startedLeading")
	case trace.LeadingDone:
		x.tell(r.At, "leadingDone")
	case trace.NewLeader:
		x.tell(r.At, "newLeader "+x.symbols.Text(r.Name))
	case trace.RunReturned:
		x.tell(r.At, "runReturned")
	case trace.StoppedLeading:
		x.tell(r.At, "stoppedLeading")
	}
}

// noteSent records a request that the transport gets.
func (x *run) noteSent(r *trace.Record) {
	e := Exchange{SentNs: r.At, Method: "GET", URI: leases + "/demo", Accept: mediaType}
	switch r.Verb {
	case elector.Create:
		e.Method, e.URI = "POST", leases
	case elector.Update:
		e.Method, e.ResourceVersion = "PUT", strconv.FormatInt(r.ResourceVersion+firstRevision, 10)
	}
	if e.Method != "GET" {
		e.ContentType, e.RenewTime = mediaType, r.Spec.RenewTime.String()
	}
	if x.c.ClientTimeoutMs > 0 {
		e.URI += "?timeout=" + (time.Duration(x.c.ClientTimeoutMs) * time.Millisecond).String()
	}
	x.place[r.Seq] = len(x.out.Exchanges)
	x.out.Exchanges = append(x.out.Exchanges, e)
}

// noteEnd records the end of an exchange.
func (x *run) noteEnd(r *trace.Record) {
	e := &x.out.Exchanges[x.place[r.Seq]]
	e.EndNs, e.Error = r.At, transportErrors[r.Result]
	if e.Error != "" {
		return
	}
	f := x.fault(e)
	switch {
	case statuses[f.Status] != network.NoFault:
		e.Status, e.RetryAfter = f.Status, f.RetryAfter
	case r.Verb == elector.Create && r.Outcome == storage.Created:
		e.Status = 201
	default:
		e.Status = status[r.Outcome]
	}
}

var (
	status = map[storage.Outcome]int{storage.OK: 200, storage.Updated: 200, storage.Unchanged: 200,
		storage.Created: 200, storage.NotFound: 404, storage.AlreadyExists: 409, storage.Conflict: 409,
		storage.Invalid: 422}
	statuses = map[int]network.FaultKind{
		401: network.Http401, 403: network.Http403, 409: network.HttpConflict, 429: network.Http429,
		500: network.Http500,
		502: network.Http502, 503: network.Http503, 504: network.Http504,
	}
	// broken are the errors that replace every answer; spoiled are the errors for which the server carries out the
	// request.
	broken = map[string]network.FaultKind{
		"refused": network.RefuseConnection, "reset": network.ResetConnection, "eof": network.CloseConnection,
		"drop": network.DropRequest,
	}
	spoiled = map[string]network.FaultKind{"lost": network.DropResponse, "broken": network.BrokenBody,
		"empty": network.EmptyBody}
	verbs = map[string]network.Verb{"": network.AnyVerb, "GET": network.Get, "POST": network.Create,
		"PUT": network.Update}
	transportErrors = map[step.Result]string{
		step.ConnRefused:     "dial tcp 127.0.0.1:6443: connect: connection refused",
		step.ConnReset:       "read tcp: read: connection reset by peer",
		step.ConnEOF:         "EOF",
		step.ClientTimeout:   "context deadline exceeded",
		step.ContextDeadline: "context deadline exceeded",
		step.ContextCanceled: "context canceled",
	}
)

// draw returns the jitter that the recorder's elector drew at an instant: the jitter that leads to its next request.
// If the recording ends before that, any draw will do.
func (x *run) draw(_ int32, nowNs int64) float64 {
	next := int64(math.MaxInt64)
	for _, at := range x.attemptsNs {
		if at > nowNs {
			next = at
			break
		}
	}
	period := x.c.RetryPeriodMs * int64(time.Millisecond)
	least := math.Nextafter(1, 0)
	wantNs := next - nowNs
	if wantNs >= elector.JitterDelayNs(period, least, elector.JitterFactor) {
		return least
	}
	draw := float64(wantNs-period) / (elector.JitterFactor * float64(period))
	draw = max(draw, 0)
	for draw > 0 && elector.JitterDelayNs(period, draw, elector.JitterFactor) > wantNs {
		draw = math.Nextafter(draw, 0)
	}
	for draw < 1 && elector.JitterDelayNs(period, draw, elector.JitterFactor) < wantNs {
		draw = math.Nextafter(draw, 1)
	}
	return draw
}
