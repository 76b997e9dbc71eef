package trace

import (
	_ "embed"
	"strings"
)

// Kind says what a record reports.
type Kind uint8

const (
	Started Kind = iota
	ConfigError
	Restarted
	RequestSent
	RequestNotSent
	RequestServed
	RequestEnded
	JitterDrawn
	MetricLeaderOn
	MetricLeaderOff
	MetricSlowPath
	EventBecameLeader
	EventStoppedLeading
	StartedLeading
	LeadingDone // the context of the leader's work ended
	WorkDone
	NewLeader
	StoppedLeading
	RunReturned
	Paused
	Resumed
	Crashed
	StopAsked
	CutBegan
	CutEnded
	FailBegan
	FailEnded
	LatencyChanged
	LatencyRestored
	ClockChanged
	Written // an administrator wrote a Lease
	Joined
	Removed
	SettingsChanged
	Probed
	Skipped         // an act did not apply to anything
	Asked           // an administrator's request to the API did not change the Leases
	CandidateStored // a client has written its LeaseCandidate
	CandidatePinged // a controller has written or deleted a LeaseCandidate
	CandidateFailed // the client learns that its write failed
	Coordinated     // a controller has written a Lease
	Decided         // a controller compared the candidates, and its decision differs from the last one
	ControllerLeads
	ControllerEnds
	ServerCrashed
	Throttled        // a request waits for the client's rate limiter
	Burst            // a process sends requests in addition to its elector's
	CapacityChanged  // the API server's service time or queue changed
	RolledBack       // the store went back to an earlier state
	ResourceAccepted // the resource accepted a write
	ResourceRefused
	ResourceLost
	ResourceGivenUp // the leader gave the resource up at the end of its work
	ResourceKept    // the step that should have given the resource up got lost
	ResourceCutBegan
	ResourceCutEnded
	Reconnected // a client opened a new connection
	NodeReady   // a monitor reports a node ready
	NodeNotReady
	RequestRetries   // the client retries inside a call
	CandidateRetries // a LeaseCandidate's client retries inside a call
	Intercepted      // an act drops or holds one message of a node
	Delivered        // an act releases a message that it held
	NoKind
)

//go:embed kinds.txt
var kindLines string

// kindNames has the names of the constants, in their order.
var kindNames = strings.Fields(kindLines)

// String returns the kind's name, such as "requestEnded".
func (k Kind) String() string { return kindNames[min(k, NoKind)] }
