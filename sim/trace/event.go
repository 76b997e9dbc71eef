package trace

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
)

// Event is a named set of records: all records of a kind, or only the ones that match a condition.
type Event struct {
	Name      string
	Kind      Kind
	InClauses bool // whether an assertion may name the event
	matches   func(*Record) bool
}

// Is reports whether a record belongs to the event.
func (e *Event) Is(r *Record) bool { return r.Kind == e.Kind && (e.matches == nil || e.matches(r)) }

// events is the table behind the names in the schema, assertions, filters and Kind.String. Every kind appears once
// without a condition; that entry names the kind. The schema has the same order.
var events = []Event{
	{Name: "started", Kind: Started, InClauses: true},
	{Name: "restarted", Kind: Restarted, InClauses: true},
	{Name: "joined", Kind: Joined, InClauses: true},
	{Name: "removed", Kind: Removed, InClauses: true},
	{Name: "configError", Kind: ConfigError, InClauses: true},
	{Name: "crashed", Kind: Crashed, InClauses: true},
	{Name: "paused", Kind: Paused, InClauses: true},
	{Name: "resumed", Kind: Resumed, InClauses: true},
	{Name: "stopAsked", Kind: StopAsked, InClauses: true},
	{Name: "runReturned", Kind: RunReturned, InClauses: true},
	{Name: "startedLeading", Kind: StartedLeading, InClauses: true},
	{Name: "leadingDone", Kind: LeadingDone, InClauses: true},
	{Name: "workDone", Kind: WorkDone, InClauses: true},
	{Name: "newLeader", Kind: NewLeader, InClauses: true},
	{Name: "stoppedLeading", Kind: StoppedLeading, InClauses: true},
	{Name: "requestSent", Kind: RequestSent, InClauses: true},
	{Name: "requestNotSent", Kind: RequestNotSent, InClauses: true},
	{Name: "requestServed", Kind: RequestServed, InClauses: true},
	{Name: "requestEnded", Kind: RequestEnded, InClauses: true},
	{Name: "requestFailed", Kind: RequestEnded, InClauses: true,
		matches: func(r *Record) bool { return r.Result != step.Success && r.Result != step.NotFound }},
	{Name: "requestTimedOut", Kind: RequestEnded, InClauses: true,
		matches: func(r *Record) bool { return r.Result == step.ClientTimeout || r.Result == step.ContextDeadline }},
	{Name: "conflict", Kind: RequestEnded, InClauses: true,
		matches: func(r *Record) bool { return r.Result == step.Conflict || r.Result == step.AlreadyExists }},
	{Name: "renewed", Kind: RequestEnded, InClauses: true, matches: func(r *Record) bool {
		return r.Verb == elector.Update && r.Result == step.Success && r.Spec.HolderIdentity != 0
	}},
	{Name: "released", Kind: RequestServed, InClauses: true, matches: func(r *Record) bool {
		return r.Verb == elector.Update && r.Outcome == storage.Updated && r.Spec.HolderIdentity == 0
	}},
	{Name: "cutBegan", Kind: CutBegan, InClauses: true},
	{Name: "cutEnded", Kind: CutEnded, InClauses: true},
	{Name: "failBegan", Kind: FailBegan, InClauses: true},
	{Name: "failEnded", Kind: FailEnded, InClauses: true},
	{Name: "latencyChanged", Kind: LatencyChanged, InClauses: true},
	{Name: "latencyRestored", Kind: LatencyRestored, InClauses: true},
	{Name: "clockChanged", Kind: ClockChanged, InClauses: true},
	{Name: "settingsChanged", Kind: SettingsChanged, InClauses: true},
	{Name: "written", Kind: Written, InClauses: true},
	{Name: "skipped", Kind: Skipped, InClauses: true},
	{Name: "candidateStored", Kind: CandidateStored, InClauses: true},
	{Name: "candidatePinged", Kind: CandidatePinged, InClauses: true},
	{Name: "candidateFailed", Kind: CandidateFailed, InClauses: true},
	{Name: "coordinated", Kind: Coordinated, InClauses: true},
	{Name: "decided", Kind: Decided, InClauses: true},
	{Name: "controllerLeads", Kind: ControllerLeads, InClauses: true},
	{Name: "controllerEnds", Kind: ControllerEnds, InClauses: true},
	{Name: "serverCrashed", Kind: ServerCrashed, InClauses: true},
	{Name: "requestRetries", Kind: RequestRetries, InClauses: true},
	{Name: "candidateRetries", Kind: CandidateRetries, InClauses: true},
	{Name: "throttled", Kind: Throttled, InClauses: true},
	{Name: "burst", Kind: Burst, InClauses: true},
	{Name: "capacityChanged", Kind: CapacityChanged, InClauses: true},
	{Name: "rolledBack", Kind: RolledBack, InClauses: true},
	{Name: "reconnected", Kind: Reconnected, InClauses: true},
	{Name: "nodeReady", Kind: NodeReady, InClauses: true},
	{Name: "nodeNotReady", Kind: NodeNotReady, InClauses: true},
	{Name: "resourceAccepted", Kind: ResourceAccepted, InClauses: true},
	{Name: "resourceRefused", Kind: ResourceRefused, InClauses: true},
	{Name: "resourceLost", Kind: ResourceLost, InClauses: true},
	{Name: "resourceGivenUp", Kind: ResourceGivenUp, InClauses: true},
	{Name: "resourceKept", Kind: ResourceKept, InClauses: true},
	{Name: "resourceCutBegan", Kind: ResourceCutBegan, InClauses: true},
	{Name: "resourceCutEnded", Kind: ResourceCutEnded, InClauses: true},
	{Name: "intercepted", Kind: Intercepted, InClauses: true},
	{Name: "delivered", Kind: Delivered, InClauses: true},
	{Name: "jitterDrawn", Kind: JitterDrawn},
	{Name: "metricLeaderOn", Kind: MetricLeaderOn},
	{Name: "metricLeaderOff", Kind: MetricLeaderOff},
	{Name: "metricSlowPath", Kind: MetricSlowPath},
	{Name: "eventBecameLeader", Kind: EventBecameLeader},
	{Name: "eventStoppedLeading", Kind: EventStoppedLeading},
	{Name: "probed", Kind: Probed},
	{Name: "asked", Kind: Asked},
}

var kindNames = namesOfKinds()

func namesOfKinds() (names [NoKind]string) {
	for i := range events {
		if events[i].matches == nil {
			names[events[i].Kind] = events[i].Name
		}
	}
	return names
}

// EventNames lists, in the order of the schema, the events that an assertion may name.
func EventNames() []string {
	var names []string
	for i := range events {
		if events[i].InClauses {
			names = append(names, events[i].Name)
		}
	}
	return names
}

// EventNamed returns the event that an assertion names, and whether it exists.
func EventNamed(name string) (*Event, bool) {
	for i := range events {
		if events[i].InClauses && events[i].Name == name {
			return &events[i], true
		}
	}
	return nil, false
}

// Names lists the events to which a record belongs: its kind first, then every event whose condition it meets.
func Names(r *Record) []string {
	var names []string
	for i := range events {
		if events[i].Is(r) {
			names = append(names, events[i].Name)
		}
	}
	return names
}
