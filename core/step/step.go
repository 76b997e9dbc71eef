// Package step holds what the machines of core share: the clocks that they are shown and the ends of requests that they
// are told.
//
// Guarantee: these are plain values. Non-guarantee: nothing here decides anything; what a result means to a machine is
// written in the machine.
package step

// Reading is what the clocks around a machine show at one instant.
type Reading struct {
	Now  int64 // the world's instant in ns: timers run on it
	Mono int64 // the node's monotonic clock in ns: expiry is judged by it
	Wall int64 // the node's wall clock in ns since the Unix epoch: it is written into objects
}

// Never is the instant of a timer that is not set.
const Never = int64(1<<63 - 1)

// Result is how a request ended, as its client sees it.
type Result uint8

const (
	Success Result = iota
	NotFound
	AlreadyExists
	Conflict
	Invalid
	TooManyRequests
	InternalError
	Unavailable
	GatewayTimeout
	ConnRefused
	ClientTimeout
	ContextDeadline
	ContextCanceled
	NotSentDeadline
	NotSentCanceled
	RateLimited // the client's rate limiter would hold the request beyond its deadline
)

var resultNames = [...]string{
	"ok", "404_not_found", "409_already_exists", "409_conflict", "422_invalid", "429", "500", "503", "504",
	"conn_refused", "client_timeout", "ctx_deadline", "ctx_canceled", "not_sent:ctx_deadline", "not_sent:ctx_canceled",
	"rate_limited",
}

func (r Result) String() string { return resultNames[r] }
