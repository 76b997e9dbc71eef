package world

import (
	"math"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
)

// Kind of a trace record.
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
	LeadingDone
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
	Written
	Joined
	Removed
	SettingsChanged
	Probed
	Skipped
	Asked           // a request to the API that left the Leases alone
	CandidateStored // a LeaseCandidate as its client wrote it
	CandidatePinged // a LeaseCandidate as a controller wrote or deleted it
	CandidateFailed // the client hears that its write failed
	Coordinated     // the Lease as a controller wrote it
	Decided         // a controller has looked at the candidates and something came of it
	ControllerLeads
	ControllerEnds
	ServerCrashed
	Throttled        // a request waits for the client's rate limiter
	Burst            // a process sends requests beside its elector's
	CapacityChanged  // the API server copes with load in another way
	RolledBack       // the store is what it was
	ResourceAccepted // a write to the resource
	ResourceRefused
	ResourceLost
	ResourceGivenUp // the leader's last step on the resource
	ResourceKept    // that step was lost
	ResourceCutBegan
	ResourceCutEnded
	Reconnected // a client has a new connection
	NodeReady   // a monitor says that a node is ready
	NodeNotReady
	NoKind
)

// quiet are the records that an API server's own election does not leave: that of its controllers is told in two of its
// own.
var quiet = [NoKind]bool{
	RequestSent: true, RequestNotSent: true, RequestServed: true, RequestEnded: true, JitterDrawn: true, MetricLeaderOn: true, MetricLeaderOff: true,
	MetricSlowPath: true, EventBecameLeader: true, EventStoppedLeading: true, NewLeader: true, StoppedLeading: true, RunReturned: true,
}

// Controller marks writes of the coordinated-election controller.
const Controller = int32(-2)

// NoCandidate marks records of nobody in particular: the network, the administrator.
const NoCandidate = int32(-1)

// Record is one entry of the trace, in execution order. What the fields mean depends on Kind:
//
//	RequestSent      Verb, Seq, ResourceVersion (sent), Spec (sent; writes only)
//	RequestServed    Verb, Seq, Outcome (or Fault), ResourceVersion, Spec, Name (the client's identity); A: instant sent
//	RequestEnded     Verb, Seq, Result, ResourceVersion and Spec (answered); A: instant sent, B: instant served or -1
//	JitterDrawn      Draw, A: delay in ns
//	CutEnded, FailEnded, LatencyRestored, ResourceCutEnded   B: 1 another one goes on (not hashed)
//	LeadingDone      A: how much longer the work goes on, in ns
//	NewLeader        Name
//	RunReturned      B: 1 if the process runs again by itself (not hashed)
//	Started, Restarted   A: of an API server, its version as a number; 0 for other nodes; B: what a candidate will behave as; Restarted: Name: its identity (not hashed)
//	StartedLeading   A: the version the candidate behaves as, as a number; 0 if it has none; B: L − R − P in true ns (not hashed)
//	Cut…, Fail…      Control: the index of the act; CutBegan: B: direction, Name: "refuse" or empty (not hashed)
//	Written          Outcome, ResourceVersion, Spec, Control; Seq: the WriteOp, A: the HTTP status of a request
//	CandidateStored, CandidatePinged   Verb, Outcome, ResourceVersion; A: pingTime, B: renewTime, µs; Seq: the controller's node
//	Decided          Seq: its number, A: the coordinator's Outcome, B: when it looks again, in ns, 0: not by itself
//	CandidateFailed  Verb, Result; A: instant sent
//	Coordinated      Verb, Outcome, ResourceVersion, Spec; Seq: the controller's node
//	Asked            ResourceVersion, Control; A: the HTTP status
//	ClockChanged     A: offset in ns, B: rate in ppm
//	LeadingDone      A -1: the work goes on until the process ends
//	Paused           A: until when, 0 open; B: 0 stopped, 1 its elector hangs, 2 its node is suspended
//	Resumed          B: how it had been paused
//	Crashed          B: 1 killed by its watchdog
//	Throttled        Verb, Seq; A: how long it waits in ns
//	Burst            A: how many requests, B: how long the last of them waits in ns
//	CapacityChanged  A: ns that one request takes, 0 for none, B: how many may wait; Control
//	RolledBack       A: the instant it returned to, ResourceVersion, Outcome and Spec of the first Lease; Control
//	Reconnected      Seq: the API server's node, -1 if it is none; A: when something last came back on the old one
//	NodeReady, NodeNotReady   Seq: the monitor's node; A: ns since it saw a heartbeat, B: 1 if the node's process runs
//	ResourceAccepted, ResourceRefused, ResourceLost   A: the token, B: the highest that the resource had seen
//	ResourceGivenUp, ResourceKept   (nothing)
//	ResourceCut…     Control: the index of the act
//	Probed           A: 1 healthy, B: 1 believes it leads; Name: the observed holder
type Record struct {
	At              int64
	A, B            int64
	ResourceVersion int64
	Draw            float64
	Spec            coordination.Record
	Candidate       int32
	Seq             int32
	Control         int32
	Name            coordination.Symbol
	Run             int16
	Kind            Kind
	Verb            elector.Verb
	Result          elector.Result
	Outcome         storage.Outcome
	Fault           FaultKind
	Object          elector.Object // what a request or an administrator's write is about
}

// Hash is the running hash of a trace: 64 bits over fixed-width integers in execution order. Texts count by their
// contents, never by their number; a draw counts by its bits.
type Hash uint64

const hashMultiplier = 0x9E3779B97F4A7C15

func (h *Hash) word(w uint64) {
	x := (uint64(*h) ^ w) * hashMultiplier
	*h = Hash(x ^ x>>29)
}

func (h *Hash) record(r *Record, symbols *coordination.Symbols) {
	h.word(uint64(r.At))
	h.word(uint64(r.Kind) | uint64(r.Verb)<<8 | uint64(r.Result)<<16 | uint64(r.Outcome)<<24 | uint64(r.Fault)<<32 | uint64(r.Object)<<40 | uint64(uint16(r.Run))<<48)
	h.word(uint64(uint32(r.Candidate)) | uint64(uint32(r.Seq))<<32)
	switch r.Kind {
	case CandidateStored, CandidatePinged, RolledBack:
		h.word(uint64(r.ResourceVersion))
		fallthrough
	case Decided, CapacityChanged, Reconnected, NodeReady, NodeNotReady:
		h.word(uint64(r.A))
		h.word(uint64(r.B))
	case RequestSent, RequestServed, RequestEnded, Written, Asked, Coordinated:
		h.word(uint64(r.ResourceVersion))
		if r.Spec.Present != 0 {
			h.spec(&r.Spec, symbols)
		}
		if r.Seq == int32(Requested) && r.Candidate == NoCandidate {
			h.word(uint64(r.A))
		}
	case JitterDrawn:
		h.word(math.Float64bits(r.Draw))
		h.word(uint64(r.A))
	case NewLeader, Probed:
		h.word(symbols.Hash(r.Name))
		h.word(uint64(r.A)<<1 | uint64(r.B))
	case ClockChanged, Throttled, Burst, ResourceAccepted, ResourceRefused, ResourceLost:
		h.word(uint64(r.A))
		h.word(uint64(r.B))
	}
}

func (h *Hash) spec(s *coordination.Record, symbols *coordination.Symbols) {
	h.word(uint64(s.AcquireTime))
	h.word(uint64(s.RenewTime))
	h.word(uint64(uint32(s.LeaseDurationSeconds)) | uint64(uint32(s.LeaseTransitions))<<32)
	h.word(symbols.Hash(s.HolderIdentity) ^ uint64(s.Present)<<56)
	if s.Strategy != 0 || s.PreferredHolder != 0 {
		h.word(symbols.Hash(s.Strategy))
		h.word(symbols.Hash(s.PreferredHolder))
	}
}

const hexDigits = "0123456789abcdef"

// String is 16 hex digits.
func (h Hash) String() string {
	var b [16]byte
	for i := range b {
		b[i] = hexDigits[uint64(h)>>(60-4*i)&15]
	}
	return string(b[:])
}
