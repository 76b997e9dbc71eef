// Package step holds what the machines of core share: Reading, the clocks of one instant, and Result, the outcome of
// a request. Times are nanoseconds.
//
// Guarantee: these are plain values. Non-guarantee: nothing here makes decisions; each machine says what a result
// means to it.
package step

// Reading is what a machine's clocks show at one instant.
type Reading struct {
	Now  int64 // the world's time in ns; timers run on it
	Mono int64 // the node's monotonic clock in ns; electors check expiry with it
	Wall int64 // the node's wall clock in ns since the Unix epoch; machines write it into objects
}

// Never means that no timer runs.
const Never = int64(1<<63 - 1)

// Result is what the client of a request learns about the outcome.
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
	RateLimited // the client's rate limiter would delay the request past its deadline
	Unauthorized
	Forbidden
	BadGateway
	ConnReset      // the connection was reset, or lost, before an answer
	ConnEOF        // the connection closed before an answer
	Undecodable    // an answer with an undecodable body; a write has happened
	NotSentUnnamed // "resource name may not be empty": the request does not leave the process
)

var resultNames = [...]string{
	"ok", "404_not_found", "409_already_exists", "409_conflict", "422_invalid", "429", "500", "503", "504",
	"conn_refused", "client_timeout", "ctx_deadline", "ctx_canceled", "not_sent:ctx_deadline", "not_sent:ctx_canceled",
	"rate_limited", "401", "403", "502", "conn_reset", "eof", "undecodable", "not_sent:unnamed",
}

// String returns the result's name.
func (r Result) String() string { return resultNames[r] }
