package scenario

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/trace"
)

// The words a scenario may use.
const (
	StreamsNamed    = "named"
	StreamsRecorded = "recorded"

	RestartNever = ""
	RestartNew   = "new"
	RestartSame  = "same"

	LeaderNobody = "nobody"

	CandidateV1beta1  = "v1beta1"
	CandidateV1alpha1 = "v1alpha1"

	NilHolderCrash    = "crash"
	NilHolderIntended = "intended"

	FullRefuse = "http429"
	FullDrop   = "drop"
)

// choices lists the words of the fields that are not free text; "Type.field" as in JSON. The empty word (leave the field
// out) is always allowed unless the field is needed.
var choices = map[string][]string{
	"Scenario.apiVersion":            {APIVersion},
	"Scenario.kind":                  {Kind},
	"Scenario.leaseCandidateVersion": {CandidateV1beta1, CandidateV1alpha1},
	"Scenario.nilHolder":             {NilHolderCrash, NilHolderIntended},
	"Scenario.streams":               {StreamsNamed, StreamsRecorded},
	"Candidate.restart":              {RestartNew, RestartSame},
	"Action.act":                     actWords(),
	"Action.direction":               {DirectionBoth, DirectionUp, DirectionDown},
	"Action.mode":                    {ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection},
	"Action.error": {
		"http429", "http500", "http503", "http504", "conflict", "http504Applied", "dropRequest", "dropResponse", "refused", "hang", ErrorStall,
	},
	"Action.resource": {ResourceLeases, ResourceLeaseCandidates, ResourceConfigMaps},
	"Action.verb":     {"get", "create", "update", "reads", "writes"},
	"Action.op":       {OpPut, OpPatch, OpDelete, OpTouch},
	"Action.object":   {ObjectLease, ObjectConfigMap},
	"Action.method":   {"POST", "PUT", "PATCH", "DELETE"},
	"Action.clear":    leaseSpecFields,

	"Elector.dialect":           dialectWords(),
	"Elector.lock":              elector.LockNames[:],
	"Process.onLoss":            {OnLossExit, OnLossIgnore},
	"Process.identityAtRestart": {IdentityKeep, IdentityNew},
	"Server.whenFull":           {FullRefuse, FullDrop},
	"Museum.variant":            {VariantFailing, VariantMended},
	"Museum.class":              Classes(),
	"Expect.event":              trace.EventNames(),
}

// Choices returns the allowed words of a field such as "Action.direction", nil when it is not an enumeration.
func Choices(field string) []string { return slices.Clone(choices[field]) }
