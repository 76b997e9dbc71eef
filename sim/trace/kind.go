package trace

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
	CandidateStored // a LeaseCandidate as its client wrote it
	CandidatePinged // a LeaseCandidate as a controller wrote or deleted it
	CandidateFailed // the client learns that its write failed
	Coordinated     // a Lease as a controller wrote it
	Decided         // a controller compared the candidates and decided differently than before
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
	ResourceKept    // the step that should have given it up got lost
	ResourceCutBegan
	ResourceCutEnded
	Reconnected // a client opened a new connection
	NodeReady   // a monitor reports a node ready
	NodeNotReady
	RequestRetries   // the client retries inside a call
	CandidateRetries // so does the client of a LeaseCandidate
	Intercepted      // an act drops or holds one message of a node
	Delivered        // a message that an act held goes on
	NoKind
)

// String returns the kind's name, such as "requestEnded".
func (k Kind) String() string {
	if k < NoKind {
		return kindNames[k]
	}
	return "noKind"
}
