package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// Verb is the verb of a request to the API.
type Verb uint8

const (
	Get Verb = iota
	Create
	Update
)

var verbNames = [...]string{"get", "create", "update"}

// String returns the verb: get, create or update.
func (v Verb) String() string { return verbNames[v] }

// InputKind is the kind of an Input.
type InputKind uint8

const (
	Start    InputKind = iota // the program calls Run
	Wake                      // the instant of NextWake has come
	Answer                    // the request in flight ended
	Draw                      // the random number asked for by NeedDraw
	Cancel                    // the context of Run ends
	WorkOver                  // the work that AwaitWork asked about has ended
)

// Input is an event for an elector.
type Input struct {
	Kind   InputKind
	Result step.Result // Answer
	// Answer from a lock of two objects: the object that did not supply Record has changed since the last read
	Changed bool
	Expired bool // Answer: the server has seen no write for so long that the lock is free (TTLLock)
	// Answer: the object in the answer, if Result is Success.
	ResourceVersion int64
	UID             uint64
	Record          coordination.Record
	// DueNs (Wake) is the instant to compare with deadlines and ticks. For a paused process, it is when the process
	// resumes. In a replay of recorded freeze points, it is when the timer fell due.
	DueNs int64
	Draw  float64 // Draw: in [0,1)
}

// OutputKind is the kind of an Output.
type OutputKind uint8

const (
	Send            OutputKind = iota // a request: see Machine.Outgoing
	NotSent                           // a request that its context forbids; it has already ended
	Abort                             // the elector gives up the request in flight
	NeedDraw                          // the caller must step Draw at once
	Jitter                            // reports that it used a draw: Draw, DelayNs
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
	AwaitWork                         // the caller must step WorkOver once the work has ended, possibly at once
)

// Output is an action or a report of an elector.
type Output struct {
	Kind    OutputKind
	Verb    Verb
	Result  step.Result
	Name    coordination.Symbol
	Draw    float64
	DelayNs int64
}
