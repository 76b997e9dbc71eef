package elector

import "github.com/leaselab/leaselab/core/coordination"

// Reading is one look at the clocks around an elector.
type Reading struct {
	Now  int64 // the world's instant in ns: what timers run on
	Mono int64 // the node's monotonic clock in ns: what expiry is judged by
	Wall int64 // the node's wall clock in ns since the Unix epoch: what is written into the Lease
}

// Never is the instant of a timer that is not set.
const Never = int64(1<<63 - 1)

// Verb of a request to the API.
type Verb uint8

const (
	Get Verb = iota
	Create
	Update
)

var verbNames = [...]string{"get", "create", "update"}

func (v Verb) String() string { return verbNames[v] }

// Result of a request as the elector sees it.
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
	RateLimited // the client's rate limiter would have kept it beyond its deadline
)

var resultNames = [...]string{
	"ok", "404_not_found", "409_already_exists", "409_conflict", "422_invalid", "429", "500", "503", "504",
	"conn_refused", "client_timeout", "ctx_deadline", "ctx_canceled", "not_sent:ctx_deadline", "not_sent:ctx_canceled",
	"rate_limited",
}

func (r Result) String() string { return resultNames[r] }

// InputKind says what an Input is.
type InputKind uint8

const (
	Start    InputKind = iota // Run is called
	Wake                      // the instant of NextWake has come
	Answer                    // the request in flight ended
	Draw                      // the random number asked for by NeedDraw
	Cancel                    // the context of Run is cancelled
	WorkOver                  // the work that AwaitWork asked about has ended
)

// Input is one thing that happens to an elector.
type Input struct {
	Kind InputKind
	// DueNs (Wake): the instant by which deadlines and ticks are judged. A process that was stopped judges at the
	// instant it goes on; a conformance run of the recorded freeze points judges at the instant the timer fell due.
	DueNs  int64
	Draw   float64 // Draw: in [0,1)
	Result Result  // Answer
	// Answer: the object as answered, when Result is Success.
	Record          coordination.Record
	ResourceVersion int64
	UID             uint64
	Changed         bool // Answer: of a lock of two objects, the one that Record is not of has changed since the last look
	Expired         bool // Answer: the server has seen no write for so long that the lock is free (TTLLock)
}

// OutputKind says what an Output is.
type OutputKind uint8

const (
	Send            OutputKind = iota // a request: see Machine.Outgoing
	NotSent                           // a request that its context forbade; it has ended already
	Abort                             // the request in flight is given up
	NeedDraw                          // the caller must step Draw at once
	Jitter                            // a draw was used: Draw, DelayNs
	BecameLeader                      // event "became leader"
	MetricLeaderOn                    // metric
	MetricLeaderOff                   // metric
	MetricSlowPath                    // metric
	StartedLeading                    // callback
	LeadingDone                       // the context handed to OnStartedLeading ended
	NewLeader                         // callback: Name
	StoppedEvent                      // event "stopped leading"
	StoppedLeading                    // callback
	RunReturned                       // Run is over
	AwaitWork                         // the caller must step WorkOver when the work has ended, at once if it has
)

// Output is one thing an elector does or says.
type Output struct {
	Kind    OutputKind
	Verb    Verb
	Result  Result
	Name    coordination.Symbol
	Draw    float64
	DelayNs int64
}
