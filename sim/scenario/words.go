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

	TargetHolder    = "holder"
	TargetEverybody = "*"
	LeaderNobody    = "nobody"

	ActCrash   = "crash"
	ActRestart = "restart"
	ActPause   = "pause"
	ActResume  = "resume"
	ActStop    = "stop"
	ActCut     = "cut"
	ActHeal    = "heal"
	ActFail    = "fail"
	ActMend    = "mend"
	ActLatency = "latency"
	ActClock   = "clock"
	ActWrite   = "write"
	ActRequest = "request"
	ActAdd     = "add"
	ActRemove  = "remove"
	ActSet     = "set"
	ActUpgrade = "upgrade"
	ActSuspend = "suspend"
	ActHang    = "hang"
	ActBurst   = "burst"

	ActCutResource  = "cutResource"
	ActHealResource = "healResource"

	CandidateV1beta1  = "v1beta1"
	CandidateV1alpha1 = "v1alpha1"

	ActServer   = "server"
	ActRollback = "rollback"

	NilHolderCrash    = "crash"
	NilHolderIntended = "intended"

	DirectionBoth = "both"
	DirectionUp   = "up"
	DirectionDown = "down"

	ModeDrop   = "drop"
	ModeRefuse = "refuse"
	ModeHold   = "hold"
	ModeLate   = "late"

	ModeConnection = "connection"

	ErrorStall = "stall"

	FullRefuse = "http429"
	FullDrop   = "drop"

	OpPut    = "put"
	OpPatch  = "patch"
	OpDelete = "delete"
	OpTouch  = "touch"

	ObjectLease     = "lease"
	ObjectConfigMap = "configmap"
)

// ActRule says which fields an act takes besides at and act.
type ActRule struct {
	Act   string
	Takes []string // every field it may have
	Needs []string // fields it cannot do without
	OneOf []string // at least one of these is needed
}

var actRules = []ActRule{
	{Act: ActCrash, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActRestart, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActPause, Takes: []string{"target", "for"}, Needs: []string{"target"}},
	{Act: ActResume, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActStop, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActCut, Takes: []string{"target", "for", "direction", "mode"}, Needs: []string{"target"}},
	{Act: ActHeal, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActFail, Takes: []string{"target", "for", "error", "verb", "count", "every"}, Needs: []string{"target", "error"}},
	{Act: ActMend, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActClock, Takes: []string{"target", "offset", "ratePpm", "jump"}, Needs: []string{"target"}, OneOf: []string{"offset", "ratePpm", "jump"}},
	{Act: ActLatency, Takes: []string{"target", "for", "request", "response", "verb", "requestDistribution", "responseDistribution", "every"}, Needs: []string{"target"}, OneOf: []string{"request", "response", "requestDistribution", "responseDistribution"}},
	{Act: ActWrite, Takes: []string{"op", "object", "spec", "clear", "renewNow"}, Needs: []string{"op"}},
	{Act: ActRequest, Takes: []string{"method", "path", "headers", "body"}, Needs: []string{"method", "path"}},
	{Act: ActAdd, Takes: []string{"candidate"}, Needs: []string{"candidate"}},
	{Act: ActRemove, Takes: []string{"target"}, Needs: []string{"target"}},
	{Act: ActUpgrade, Takes: []string{"target", "binaryVersion", "emulationVersion"}, Needs: []string{"target", "binaryVersion"}},
	{Act: ActSet, Takes: []string{"target", "elector", "network"}, Needs: []string{"target"}, OneOf: []string{"elector", "network"}},
	{Act: ActSuspend, Takes: []string{"target", "for"}, Needs: []string{"target"}},
	{Act: ActHang, Takes: []string{"target", "for"}, Needs: []string{"target"}},
	{Act: ActBurst, Takes: []string{"target", "count"}, Needs: []string{"target", "count"}},
	{Act: ActServer, Takes: []string{"server"}, Needs: []string{"server"}},
	{Act: ActRollback, Takes: []string{"to"}, Needs: []string{"to"}},
	{Act: ActCutResource, Takes: []string{"target", "for"}, Needs: []string{"target"}},
	{Act: ActHealResource, Takes: []string{"target"}, Needs: []string{"target"}},
}

// ActRules lists every act with its fields, in the order of the documentation.
func ActRules() []ActRule { return slices.Clone(actRules) }

func actRule(act string) (ActRule, bool) {
	i := slices.IndexFunc(actRules, func(r ActRule) bool { return r.Act == act })
	if i < 0 {
		return ActRule{}, false
	}
	return actRules[i], true
}

// choices lists the words of the fields that are not free text; "Type.field" as in JSON. The empty word (leave the field
// out) is always allowed unless the field is needed.
var choices = map[string][]string{
	"Scenario.apiVersion":            {APIVersion},
	"Scenario.kind":                  {Kind},
	"Scenario.leaseCandidateVersion": {CandidateV1beta1, CandidateV1alpha1},
	"Scenario.nilHolder":             {NilHolderCrash, NilHolderIntended},
	"Scenario.streams":               {StreamsNamed, StreamsRecorded},
	"Candidate.restart":              {RestartNew, RestartSame},
	"Action.act":                     acts(),
	"Action.direction":               {DirectionBoth, DirectionUp, DirectionDown},
	"Action.mode":                    {ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection},
	"Action.error": {
		"http429", "http500", "http503", "http504", "conflict", "http504Applied", "dropRequest", "dropResponse", "refused", "hang", ErrorStall,
	},
	"Action.verb":   {"get", "create", "update", "reads", "writes"},
	"Action.op":     {OpPut, OpPatch, OpDelete, OpTouch},
	"Action.object": {ObjectLease, ObjectConfigMap},
	"Action.method": {"POST", "PUT", "PATCH", "DELETE"},
	"Action.clear":  {"holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions", "strategy", "preferredHolder"},

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

func acts() []string {
	var all []string
	for _, r := range actRules {
		all = append(all, r.Act)
	}
	return all
}
