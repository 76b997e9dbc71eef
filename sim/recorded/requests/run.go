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
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/restclient"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/recorded"
)

const (
	oneWayNs      = int64(2 * time.Millisecond)
	firstRevision = 1007 // of the recorder's API server, before the first Lease
	leases        = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	mediaType     = "application/json"
)

// message is something on its way: a request, or an answer or error back to the client.
type message struct {
	atNs     int64
	exchange int // its index
	arrives  bool
	part     elector.Part // of a request
	fault    *Fault       // of a request
	// Of an answer; status is 0 for an error of the transport.
	result     step.Result
	status     int
	retryAfter string
	object     storage.Object
}

// run is one elector, its client, the API server and what is on its way between them.
type run struct {
	c          *Case
	attemptsNs []int64 // where the jitter is read off
	symbols    *coordination.Symbols
	now        int64
	elector    elector.Machine
	call       restclient.Call
	part       elector.Part // what the call sends
	limiter    *flowcontrol.TokenBucket
	store      storage.Store
	messages   []message
	answer     storage.Object // what the call gives to the elector
	stopped    bool
	deletions  []int64
	out        Recording
	waiting    int // the exchange under way, -1
}

// Run runs the case of a recording and returns what our elector and client did. The jitter is read off its exchanges.
func Run(r *Recording) Recording {
	var sent []int64
	for i := range r.Exchanges {
		sent = append(sent, r.Exchanges[i].SentNs)
	}
	return RunWith(&r.Case, sent)
}

// RunWith runs a case. The attempts of its elector's acquire loop begin at the given instants, as far as the jitter allows: each at
// the first one after the attempt before it.
func RunWith(c *Case, attemptsNs []int64) Recording {
	x := &run{c: c, attemptsNs: attemptsNs, symbols: coordination.NewSymbols(), store: storage.New(1), waiting: -1, out: Recording{Case: *c, Exchanges: []Exchange{}, Events: []Event{}}}
	ms := int64(time.Millisecond)
	x.elector = elector.New(c.config(x.symbols.Intern("a")), c.RetryPeriodMs*ms, c.RenewDeadlineMs*ms-1)
	if c.QPS > 0 {
		l := flowcontrol.NewTokenBucket(float32(c.QPS), c.Burst)
		x.limiter = &l
	}
	for _, at := range c.DeleteAtMs {
		x.deletions = append(x.deletions, at*ms)
	}
	slices.Sort(x.deletions)
	x.step(elector.Input{Kind: elector.Start})
	for x.next(c.DurationMs * ms) {
	}
	// The recorder orders the events of one instant by their words.
	slices.SortStableFunc(x.out.Events, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Ns, b.Ns), cmp.Compare(a.What, b.What)) })
	x.out.Exchanges = slices.DeleteFunc(x.out.Exchanges, func(e Exchange) bool { return e.EndNs == 0 })
	return x.out
}

// config is the elector's. Its renewDeadline is 1 ns less than the case says.
func (c *Case) config(identity coordination.Symbol) elector.Config {
	const ms = time.Millisecond
	return elector.Config{
		Identity: identity, LeaseDuration: time.Duration(c.LeaseDurationMs) * ms, RenewDeadline: time.Duration(c.RenewDeadlineMs)*ms - 1,
		RetryPeriod: time.Duration(c.RetryPeriodMs) * ms, ReleaseOnCancel: c.ReleaseOnCancel,
	}
}

// next handles what comes first before an instant: the elector's timer, the call's, the stop, a deletion, a message.
func (x *run) next(endNs int64) bool {
	at := []int64{x.elector.NextWakeNs(), x.call.NextWakeNs(), step.Never, step.Never, step.Never}
	if x.c.StopAtMs > 0 && !x.stopped {
		at[2] = x.c.StopAtMs * int64(time.Millisecond)
	}
	if len(x.deletions) > 0 {
		at[3] = x.deletions[0]
	}
	if len(x.messages) > 0 {
		at[4] = x.messages[0].atNs
	}
	first := 0
	for i := range at {
		if at[i] < at[first] {
			first = i
		}
	}
	if at[first] >= endNs {
		return false
	}
	x.now = at[first]
	switch first {
	case 0:
		x.step(elector.Input{Kind: elector.Wake, DueNs: x.now})
	case 1:
		x.client(restclient.Input{Kind: restclient.Wake})
	case 2:
		x.stopped = true
		x.step(elector.Input{Kind: elector.Cancel})
		x.tell("stop")
	case 3:
		x.deletions = x.deletions[1:]
		_, outcome := x.store.Delete(x.now, -1, 0)
		x.tell(fmt.Sprintf("deleted %d", status[result(outcome)]))
	case 4:
		m := x.messages[0]
		x.messages = x.messages[1:]
		x.deliver(&m)
	}
	return true
}

func (x *run) tell(what string) { x.out.Events = append(x.out.Events, Event{Ns: x.now, What: what}) }

// step gives the elector an input and carries out what it says.
func (x *run) step(in elector.Input) {
	for _, o := range x.elector.Step(recorded.Reading(x.now), in, nil) {
		switch o.Kind {
		case elector.Send:
			x.part.Verb = o.Verb
			x.part.Record, x.part.ResourceVersion, x.part.UID = x.elector.Outgoing()
			x.client(restclient.Input{Kind: restclient.Begin, Request: restclient.Request{
				Get: o.Verb == elector.Get, Unnamed: o.Verb == elector.Update && x.part.ResourceVersion == 0,
				DeadlineNs: x.elector.RequestDeadlineNs(), TimeoutNs: x.c.ClientTimeoutMs * int64(time.Millisecond),
			}})
		case elector.Abort:
			x.client(restclient.Input{Kind: restclient.CallerEnds, Result: o.Result})
		case elector.NeedDraw:
			x.step(elector.Input{Kind: elector.Draw, Draw: x.draw()})
		case elector.StartedLeading:
			x.tell("startedLeading")
		case elector.LeadingDone:
			x.tell("leadingDone")
		case elector.NewLeader:
			x.tell("newLeader " + x.symbols.Text(o.Name))
		case elector.RunReturned:
			x.tell("runReturned")
		case elector.StoppedLeading:
			x.tell("stoppedLeading")
		}
	}
}

// client gives the call an input and carries out what it says.
func (x *run) client(in restclient.Input) {
	for _, o := range x.call.Step(x.now, in, x.limiter, nil) {
		switch o.Kind {
		case restclient.Send:
			x.send(o.Result)
		case restclient.Abandon:
			x.end(o.Result)
		case restclient.Done:
			if in.Kind == restclient.CallerEnds {
				continue // the elector has gone on already
			}
			a := elector.Input{Kind: elector.Answer, Result: o.Result}
			if o.Result == step.Success {
				a.Record, a.ResourceVersion, a.UID = x.answer.Spec, x.answer.ResourceVersion, x.answer.UID
			}
			x.step(a)
		}
	}
}

// send puts the elector's request on the wire, unless the context has ended.
func (x *run) send(ended step.Result) {
	e := Exchange{SentNs: x.now, Method: "GET", URI: leases + "/demo", Accept: mediaType}
	switch x.part.Verb {
	case elector.Create:
		e.Method, e.URI = "POST", leases
	case elector.Update:
		e.Method, e.ResourceVersion = "PUT", strconv.FormatInt(x.part.ResourceVersion+firstRevision, 10)
	}
	if e.Method != "GET" {
		e.ContentType, e.RenewTime = mediaType, x.part.Record.RenewTime.String()
	}
	if x.c.ClientTimeoutMs > 0 {
		e.URI += "?timeout=" + (time.Duration(x.c.ClientTimeoutMs) * time.Millisecond).String()
	}
	x.waiting = len(x.out.Exchanges)
	x.out.Exchanges = append(x.out.Exchanges, e)
	if ended != step.Success {
		x.end(ended)
		return
	}
	x.post(message{atNs: x.now + oneWayNs, exchange: x.waiting, arrives: true, part: x.part, fault: x.fault(e.Method)})
}

// fault returns the first fault that holds for a request sent now.
func (x *run) fault(method string) *Fault {
	for i := range x.c.Faults {
		f := &x.c.Faults[i]
		if ms := int64(time.Millisecond); f.FromMs*ms <= x.now && x.now < f.ToMs*ms && (f.Method == "" || f.Method == method) {
			return f
		}
	}
	return nil
}

func (x *run) post(m message) {
	i, _ := slices.BinarySearchFunc(x.messages, m.atNs, func(o message, at int64) int { return cmp.Or(cmp.Compare(o.atNs, at), -1) })
	x.messages = slices.Insert(x.messages, i, m)
}

// end notes the end of the exchange under way.
func (x *run) end(why step.Result) {
	e := &x.out.Exchanges[x.waiting]
	e.EndNs, e.Error = x.now, transportErrors[why]
	x.waiting = -1
}

// deliver handles a request at the server, or an answer at the client.
func (x *run) deliver(m *message) {
	if m.arrives {
		x.serve(m)
		return
	}
	if m.exchange != x.waiting {
		return // nobody waits for it
	}
	x.answer = m.object
	x.end(m.result)
	e := &x.out.Exchanges[m.exchange]
	e.Status, e.RetryAfter = m.status, m.retryAfter
	in := restclient.Input{Kind: restclient.Respond, Result: m.result, RetryAfterSeconds: restclient.NoRetryAfter}
	if seconds, err := strconv.ParseInt(m.retryAfter, 10, 32); err == nil {
		in.RetryAfterSeconds = int32(seconds)
	}
	x.client(in)
}

// serve does what a request asks for, as far as a fault lets it, and answers. Of a fault with a status and an error, what happens
// before the answer counts: a connection that breaks, then the status.
func (x *run) serve(m *message) {
	f := m.fault
	if f == nil {
		f = &Fault{}
	}
	answer := message{atNs: x.now + oneWayNs, exchange: m.exchange}
	switch {
	case f.Error == "drop":
		return
	case failures[f.Error] != step.Success:
		answer.atNs, answer.result = x.now, failures[f.Error]
	case f.Status != 0:
		answer.result, answer.status, answer.retryAfter = results[f.Status], f.Status, f.RetryAfter
	default:
		answer.atNs += f.DelayMs * int64(time.Millisecond)
		answer.object, answer.result = x.do(&m.part)
		answer.status = status[answer.result]
		if m.part.Verb == elector.Create && answer.result == step.Success {
			answer.status = 201
		}
		// The status alone makes an error of 4xx and 5xx; half a body fails before it is looked at.
		// Source: client-go v0.37.2 rest Request.transformResponse.
		if f.Error == "broken" || f.Error == "empty" && answer.result == step.Success {
			answer.result = step.Undecodable
		}
		if f.Error == "lost" {
			return
		}
	}
	x.post(answer)
}

// do carries a request out.
func (x *run) do(p *elector.Part) (storage.Object, step.Result) {
	var o storage.Object
	var outcome storage.Outcome
	switch p.Verb {
	case elector.Get:
		o, outcome = x.store.Get(0)
	case elector.Create:
		o, outcome = x.store.Create(x.now, 0, 0, p.Record)
	case elector.Update:
		o, outcome = x.store.Update(x.now, 0, 0, p.ResourceVersion, p.UID, p.Record)
	}
	if p.Verb == elector.Create && outcome == storage.Created {
		return o, step.Success
	}
	return o, result(outcome)
}

func result(o storage.Outcome) step.Result {
	switch o {
	case storage.NotFound:
		return step.NotFound
	case storage.AlreadyExists:
		return step.AlreadyExists
	case storage.Conflict:
		return step.Conflict
	case storage.Invalid:
		return step.Invalid
	}
	return step.Success
}

var (
	status = map[step.Result]int{
		step.Success: 200, step.NotFound: 404, step.AlreadyExists: 409, step.Conflict: 409, step.Invalid: 422,
		step.TooManyRequests: 429, step.InternalError: 500, step.BadGateway: 502, step.Unavailable: 503, step.GatewayTimeout: 504,
		step.Unauthorized: 401, step.Forbidden: 403,
	}
	results = map[int]step.Result{
		401: step.Unauthorized, 403: step.Forbidden, 409: step.Conflict, 429: step.TooManyRequests, 500: step.InternalError,
		502: step.BadGateway, 503: step.Unavailable, 504: step.GatewayTimeout,
	}
	failures        = map[string]step.Result{"refused": step.ConnRefused, "reset": step.ConnReset, "eof": step.ConnEOF}
	transportErrors = map[step.Result]string{
		step.ConnRefused:     "dial tcp 127.0.0.1:6443: connect: connection refused",
		step.ConnReset:       "read tcp: read: connection reset by peer",
		step.ConnEOF:         "EOF",
		step.ClientTimeout:   "context deadline exceeded",
		step.ContextDeadline: "context deadline exceeded",
		step.ContextCanceled: "context canceled",
	}
)

// draw returns the jitter that the recorder's elector drew now: the one that leads to its next request. Where the recording ends
// before that, any does.
func (x *run) draw() float64 {
	next := int64(math.MaxInt64)
	for _, at := range x.attemptsNs {
		if at > x.now {
			next = at
			break
		}
	}
	period := x.c.RetryPeriodMs * int64(time.Millisecond)
	least := math.Nextafter(1, 0)
	wantNs := next - x.now
	if wantNs >= elector.JitterDelayNs(period, least) {
		return least
	}
	draw := float64(wantNs-period) / (elector.JitterFactor * float64(period))
	draw = max(draw, 0)
	for draw > 0 && elector.JitterDelayNs(period, draw) > wantNs {
		draw = math.Nextafter(draw, 0)
	}
	for draw < 1 && elector.JitterDelayNs(period, draw) < wantNs {
		draw = math.Nextafter(draw, 1)
	}
	return draw
}
