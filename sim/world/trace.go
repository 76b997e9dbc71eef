package world

import (
	"github.com/leaselab/leaselab/sim/trace"
)

// The words of package trace, as this package still calls them.
type (
	Record  = trace.Record
	Kind    = trace.Kind
	Hash    = trace.Hash
	WriteOp = trace.WriteOp
)

const (
	Controller          = trace.Controller
	NoCandidate         = trace.NoCandidate
	Started             = trace.Started
	ConfigError         = trace.ConfigError
	Restarted           = trace.Restarted
	RequestSent         = trace.RequestSent
	RequestNotSent      = trace.RequestNotSent
	RequestServed       = trace.RequestServed
	RequestEnded        = trace.RequestEnded
	JitterDrawn         = trace.JitterDrawn
	MetricLeaderOn      = trace.MetricLeaderOn
	MetricLeaderOff     = trace.MetricLeaderOff
	MetricSlowPath      = trace.MetricSlowPath
	EventBecameLeader   = trace.EventBecameLeader
	EventStoppedLeading = trace.EventStoppedLeading
	StartedLeading      = trace.StartedLeading
	LeadingDone         = trace.LeadingDone
	WorkDone            = trace.WorkDone
	NewLeader           = trace.NewLeader
	StoppedLeading      = trace.StoppedLeading
	RunReturned         = trace.RunReturned
	Paused              = trace.Paused
	Resumed             = trace.Resumed
	Crashed             = trace.Crashed
	StopAsked           = trace.StopAsked
	CutBegan            = trace.CutBegan
	CutEnded            = trace.CutEnded
	FailBegan           = trace.FailBegan
	FailEnded           = trace.FailEnded
	LatencyChanged      = trace.LatencyChanged
	LatencyRestored     = trace.LatencyRestored
	ClockChanged        = trace.ClockChanged
	Written             = trace.Written
	Joined              = trace.Joined
	Removed             = trace.Removed
	SettingsChanged     = trace.SettingsChanged
	Probed              = trace.Probed
	Skipped             = trace.Skipped
	Asked               = trace.Asked
	CandidateStored     = trace.CandidateStored
	CandidatePinged     = trace.CandidatePinged
	CandidateFailed     = trace.CandidateFailed
	Coordinated         = trace.Coordinated
	Decided             = trace.Decided
	ControllerLeads     = trace.ControllerLeads
	ControllerEnds      = trace.ControllerEnds
	ServerCrashed       = trace.ServerCrashed
	Throttled           = trace.Throttled
	Burst               = trace.Burst
	CapacityChanged     = trace.CapacityChanged
	RolledBack          = trace.RolledBack
	ResourceAccepted    = trace.ResourceAccepted
	ResourceRefused     = trace.ResourceRefused
	ResourceLost        = trace.ResourceLost
	ResourceGivenUp     = trace.ResourceGivenUp
	ResourceKept        = trace.ResourceKept
	ResourceCutBegan    = trace.ResourceCutBegan
	ResourceCutEnded    = trace.ResourceCutEnded
	Reconnected         = trace.Reconnected
	NodeReady           = trace.NodeReady
	NodeNotReady        = trace.NodeNotReady
	NoKind              = trace.NoKind
	Put                 = trace.Put
	Patch               = trace.Patch
	Delete              = trace.Delete
	Touch               = trace.Touch
	Requested           = trace.Requested
)

// quiet are the records that an API server's own election does not leave: that of its controllers is told in two of its
// own.
var quiet = [NoKind]bool{
	RequestSent: true, RequestNotSent: true, RequestServed: true, RequestEnded: true, JitterDrawn: true, MetricLeaderOn: true, MetricLeaderOff: true,
	MetricSlowPath: true, EventBecameLeader: true, EventStoppedLeading: true, NewLeader: true, StoppedLeading: true, RunReturned: true,
}
