package expect

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/world"
)

// events are the records that scenario.EventNames means.
var events = map[string]func(r *world.Record) bool{
	"requestFailed": func(r *world.Record) bool {
		return r.Kind == world.RequestEnded && r.Result != elector.Success && r.Result != elector.NotFound
	},
	"requestTimedOut": isTimeout,
	"conflict":        isConflict,
	"renewed": func(r *world.Record) bool {
		return r.Kind == world.RequestEnded && r.Verb == elector.Update && r.Result == elector.Success && r.Spec.HolderIdentity != 0
	},
	"released": func(r *world.Record) bool {
		return r.Kind == world.RequestServed && r.Verb == elector.Update && r.Outcome == storage.Updated && r.Spec.HolderIdentity == 0
	},
}

// kinds are the events that are records of one kind.
var kinds = map[string]world.Kind{
	"started": world.Started, "restarted": world.Restarted, "joined": world.Joined, "removed": world.Removed, "configError": world.ConfigError,
	"crashed": world.Crashed, "paused": world.Paused, "resumed": world.Resumed, "stopAsked": world.StopAsked, "runReturned": world.RunReturned,
	"startedLeading": world.StartedLeading, "leadingDone": world.LeadingDone, "workDone": world.WorkDone, "newLeader": world.NewLeader, "stoppedLeading": world.StoppedLeading,
	"requestSent": world.RequestSent, "requestNotSent": world.RequestNotSent, "requestServed": world.RequestServed, "requestEnded": world.RequestEnded,
	"cutBegan": world.CutBegan, "cutEnded": world.CutEnded, "failBegan": world.FailBegan, "failEnded": world.FailEnded,
	"latencyChanged": world.LatencyChanged, "latencyRestored": world.LatencyRestored, "clockChanged": world.ClockChanged,
	"settingsChanged": world.SettingsChanged, "written": world.Written, "skipped": world.Skipped,
	"candidateStored": world.CandidateStored, "candidatePinged": world.CandidatePinged, "candidateFailed": world.CandidateFailed,
	"coordinated": world.Coordinated, "decided": world.Decided, "controllerLeads": world.ControllerLeads, "controllerEnds": world.ControllerEnds,
	"serverCrashed": world.ServerCrashed,
	"throttled":     world.Throttled, "burst": world.Burst, "capacityChanged": world.CapacityChanged, "rolledBack": world.RolledBack,
	"resourceAccepted": world.ResourceAccepted, "resourceRefused": world.ResourceRefused, "resourceLost": world.ResourceLost,
	"resourceGivenUp": world.ResourceGivenUp, "resourceKept": world.ResourceKept,
	"resourceCutBegan": world.ResourceCutBegan, "resourceCutEnded": world.ResourceCutEnded, "reconnected": world.Reconnected,
	"nodeReady": world.NodeReady, "nodeNotReady": world.NodeNotReady,
}

func init() {
	for name, kind := range kinds {
		events[name] = func(r *world.Record) bool { return r.Kind == kind }
	}
}

func isConflict(r *world.Record) bool {
	return r.Kind == world.RequestEnded && (r.Result == elector.Conflict || r.Result == elector.AlreadyExists)
}

func isTimeout(r *world.Record) bool {
	return r.Kind == world.RequestEnded && (r.Result == elector.ClientTimeout || r.Result == elector.ContextDeadline)
}

// Knows reports whether an event of scenario.EventNames has its records.
func Knows(event string) bool { return events[event] != nil }
