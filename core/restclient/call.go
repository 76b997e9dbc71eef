// Package restclient is client-go's rest.Request as a step machine: everything between a call and the wire. One Call
// is an elector's GET, POST or PUT. It may take several exchanges with the API server, with waits in between, or no
// exchange at all. Step takes an Input and appends Outputs; instants are nanoseconds.
//
// Guarantee: for the same answers at the same instants, a call begins the same exchanges and ends at the same instant
// as rest.Request of client-go v0.37.2 over its own transport, to the nanosecond. Non-guarantee: the package sends
// nothing and reads no bytes; its caller passes in what came back. It does not model streams, watches, or the
// back-off that KUBE_CLIENT_BACKOFF_BASE turns on.
package restclient

import (
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/step"
)

const (
	// MaxRetries limits how often a call retries. Source: client-go v0.37.2 rest NewRequest, maxRetries.
	MaxRetries = 10
	// RetryAfterErrorNs is the wait before the retry of a GET whose connection broke. Source: client-go v0.37.2 rest
	// retryAfterResponse.
	RetryAfterErrorNs = int64(second)
	// NoRetryAfter is the RetryAfterSeconds of an answer without the header, or with a date in it.
	NoRetryAfter = int32(-1)

	second = 1_000_000_000
)

type phase uint8

const (
	idle        phase = iota
	throttled         // waits for the rate limiter, before the client's timeout begins
	waiting           // waits as long as Retry-After says
	rethrottled       // waits for the rate limiter again, under the client's timeout
	exchanging        // a request is on the wire
)

// Call is one call of rest.Request. The zero value has not begun. A Call may begin again after its end.
type Call struct {
	phase      phase
	get        bool
	retries    int8
	timeoutNs  int64
	wakeNs     int64 // end of the wait for the limiter or for Retry-After
	callerNs   int64 // end of the caller's context
	deadlineNs int64 // end of the call's own context: the caller's, cut short by the client's timeout
}

// Request is what a call asks for.
type Request struct {
	Get     bool // a GET, which the call retries if its connection breaks
	Unnamed bool // its path has no name, so rest.Request refuses to send the request
	// DeadlineNs is the end of the caller's context, or step.Never. When that context ends, the caller passes
	// CallerEnds to Step.
	DeadlineNs int64
	// TimeoutNs is rest.Config's Timeout, or 0. It spans the whole call from the end of the first wait for the
	// limiter.
	TimeoutNs int64
}

// InputKind is the kind of an Input.
type InputKind uint8

const (
	Begin      InputKind = iota // Request
	Wake                        // the instant of NextWakeNs has come
	Respond                     // the exchange ended: Result, RetryAfterSeconds
	CallerEnds                  // the caller's context ended: Result is step.ContextDeadline or step.ContextCanceled
)

// Input is an event for a call.
type Input struct {
	Kind    InputKind
	Request Request
	Result  step.Result
	// RetryAfterSeconds is the header of an answer, or NoRetryAfter.
	RetryAfterSeconds int32
}

// OutputKind is the kind of an Output.
type OutputKind uint8

const (
	// Send starts an exchange. If Result is not Success, the context has ended: the transport gets the request and
	// refuses it at once, so nothing reaches the wire.
	Send OutputKind = iota
	// Abandon gives up the current exchange because the context ended.
	Abandon
	// Ask is a wait before a retry: DelayNs is its length, and Result is the answer that asked for it.
	Ask
	// Throttle is a wait for the rate limiter: DelayNs.
	Throttle
	// Done ends the call with Result.
	Done
)

// Output is an action or the end of a call.
type Output struct {
	Kind    OutputKind
	Result  step.Result
	DelayNs int64
}

// Exchanging returns a call with its first exchange in progress: the state after Begin and its Send, without a
// limiter. Nearly all calls end with their first exchange. So a caller need not create a Call until an answer asks
// for a retry.
func Exchanging(get bool, callerNs, deadlineNs int64) Call {
	return Call{phase: exchanging, get: get, callerNs: callerNs, deadlineNs: deadlineNs}
}

// AsksAgain reports whether a call retries after an answer, provided that it may still retry.
func AsksAgain(get bool, result step.Result, retryAfterSeconds int32) bool {
	c := Call{get: get}
	return c.retryAfterNs(&Input{Result: result, RetryAfterSeconds: retryAfterSeconds}) >= 0
}

// Retries returns how many times the call has retried.
func (c *Call) Retries() int32 { return int32(c.retries) }

// Shift postpones every timer of the call, because its clock stopped for that long.
func (c *Call) Shift(ns int64) {
	for _, at := range []*int64{&c.wakeNs, &c.callerNs, &c.deadlineNs} {
		if *at != step.Never {
			*at += ns
		}
	}
}

// Active reports whether a call has begun and not ended.
func (c *Call) Active() bool { return c.phase != idle }

// NextWakeNs returns when the call wants to wake, or step.Never if it only waits for an answer.
func (c *Call) NextWakeNs() int64 {
	switch c.phase {
	case throttled:
		return c.wakeNs
	case waiting, rethrottled:
		return min(c.wakeNs, c.deadlineNs)
	case exchanging:
		return c.deadlineNs
	}
	return step.Never
}

// Step takes one input at an instant and appends what the call does to out. The argument limiter is the client's
// limiter, or nil.
func (c *Call) Step(nowNs int64, in Input, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	switch in.Kind {
	case Begin:
		return c.begin(nowNs, &in.Request, limiter, out)
	case Wake:
		return c.wake(nowNs, limiter, out)
	case Respond:
		return c.respond(nowNs, &in, limiter, out)
	case CallerEnds:
		return c.callerEnds(nowNs, in.Result, limiter, out)
	}
	panic("restclient: unknown input")
}

// begin waits for the limiter before the client's timeout begins. Upstream explains: "We don't want a throttled
// client to return timeouts to callers before it makes a single request." Source: client-go v0.37.2 rest
// Request.request.
func (c *Call) begin(nowNs int64, r *Request, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	*c = Call{phase: throttled, get: r.Get, timeoutNs: r.TimeoutNs, callerNs: r.DeadlineNs, deadlineNs: r.DeadlineNs}
	if r.Unnamed {
		return c.end(step.NotSentUnnamed, out)
	}
	return c.throttle(nowNs, throttled, limiter, out)
}

// throttle takes a token. If the token would come only after the end of the context, throttle ends the call.
func (c *Call) throttle(nowNs int64, next phase, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	c.phase = next
	if limiter == nil {
		return c.startExchange(nowNs, out)
	}
	waitNs, ok := limiter.Wait(nowNs, c.deadlineNs-nowNs)
	if !ok {
		return c.end(step.RateLimited, out)
	}
	if waitNs == 0 {
		return c.startExchange(nowNs, out)
	}
	c.wakeNs = nowNs + waitNs
	return append(out, Output{Kind: Throttle, DelayNs: waitNs})
}

// startExchange sends. The client's timeout begins with the first exchange.
func (c *Call) startExchange(nowNs int64, out []Output) []Output {
	if c.phase == throttled && c.timeoutNs > 0 {
		c.deadlineNs = min(c.callerNs, nowNs+c.timeoutNs)
	}
	c.phase = exchanging
	return append(out, Output{Kind: Send})
}

func (c *Call) wake(nowNs int64, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	over := nowNs >= c.deadlineNs
	switch c.phase {
	case throttled:
		return c.startExchange(nowNs, out)
	case waiting:
		if over {
			return c.endWait(step.ClientTimeout, limiter, out)
		}
		return c.throttle(nowNs, rethrottled, limiter, out)
	case rethrottled:
		if over {
			limiter.Return(nowNs, c.wakeNs)
			return c.end(step.ClientTimeout, out)
		}
		return c.startExchange(nowNs, out)
	case exchanging:
		return c.end(step.ClientTimeout, append(out, Output{Kind: Abandon, Result: step.ClientTimeout}))
	}
	panic("restclient: woken without a timer")
}

// endWait ends a wait for Retry-After after its context has ended. The sleep does not report the end of the context;
// only the limiter's wait would report it. So without a limiter, the request goes to the transport once more, and the
// transport refuses it.
// Source: client-go v0.37.2 rest withRetry.Before: SleepWithContext, then tryThrottleWithInfo.
func (c *Call) endWait(why step.Result, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	if limiter == nil {
		out = append(out, Output{Kind: Send, Result: why})
	}
	return c.end(why, out)
}

// respond ends the call, or waits to retry. Source: client-go v0.37.2 rest withRetry.IsNextRetry.
func (c *Call) respond(nowNs int64, in *Input, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	if c.phase != exchanging {
		panic("restclient: an answer without an exchange")
	}
	waitNs := c.retryAfterNs(in)
	if waitNs < 0 || c.retries == MaxRetries {
		return c.end(in.Result, out)
	}
	c.retries++
	c.phase, c.wakeNs = waiting, nowNs+waitNs
	out = append(out, Output{Kind: Ask, Result: in.Result, DelayNs: waitNs})
	if waitNs == 0 {
		return c.throttle(nowNs, rethrottled, limiter, out)
	}
	return out
}

// retryAfterNs returns how long to wait before a retry, or -1 if the call ends. Source: client-go v0.37.2 rest
// checkWait, and isErrRetryableFunc in Request.request: writes are not idempotent, so a broken connection ends a
// write's call.
func (c *Call) retryAfterNs(in *Input) int64 {
	switch in.Result {
	case step.TooManyRequests, step.InternalError, step.BadGateway, step.Unavailable, step.GatewayTimeout:
		if in.RetryAfterSeconds == NoRetryAfter {
			return -1
		}
		return int64(in.RetryAfterSeconds) * second
	case step.ConnReset, step.ConnEOF:
		if c.get {
			return RetryAfterErrorNs
		}
	}
	return -1
}

// callerEnds ends whatever the call waits for.
func (c *Call) callerEnds(nowNs int64, why step.Result, limiter *flowcontrol.TokenBucket, out []Output) []Output {
	switch c.phase {
	case idle:
		return out
	case waiting:
		return c.endWait(why, limiter, out)
	case throttled, rethrottled:
		limiter.Return(nowNs, c.wakeNs)
	case exchanging:
		out = append(out, Output{Kind: Abandon, Result: why})
	}
	return c.end(why, out)
}

func (c *Call) end(result step.Result, out []Output) []Output {
	c.phase = idle
	return append(out, Output{Kind: Done, Result: result})
}
