package scenario

import "slices"

// eventNames are the events a clause may ask for, by the names of the trace; package expect says which records they are.
var eventNames = []string{
	"started", "restarted", "joined", "removed", "configError", "crashed", "paused", "resumed", "stopAsked", "runReturned",
	"startedLeading", "leadingDone", "workDone", "newLeader", "stoppedLeading",
	"requestSent", "requestNotSent", "requestServed", "requestEnded", "requestFailed", "requestTimedOut", "conflict", "renewed", "released",
	"cutBegan", "cutEnded", "failBegan", "failEnded", "latencyChanged", "latencyRestored", "clockChanged", "settingsChanged", "written", "skipped",
	"candidateStored", "candidatePinged", "candidateFailed", "coordinated", "decided", "controllerLeads", "controllerEnds", "serverCrashed",
	"throttled", "burst", "capacityChanged", "rolledBack", "reconnected", "nodeReady", "nodeNotReady",
	"resourceAccepted", "resourceRefused", "resourceLost", "resourceGivenUp", "resourceKept", "resourceCutBegan", "resourceCutEnded",
}

// EventNames lists the events a clause may ask for.
func EventNames() []string { return slices.Clone(eventNames) }
