package scenario

import (
	"math"
)

var actionFields = []Field{
	{Key: "Action.at", missing: `an act needs a time, for example "20s"`},
	{Key: "Action.act", missing: "an act needs a kind, for example crash"},
	{Key: "Action.direction", words: []string{DirectionBoth, DirectionUp, DirectionDown}},
	{Key: "Action.mode", words: []string{ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection}},
	{Key: "Action.error", words: []string{
		"http401", "http403", "http429", "http500", "http502", "http503", "http504", "conflict", "http504Applied",
		"dropRequest", "dropResponse",
		"refused", "reset", "eof", "broken", "empty", "hang", ErrorStall,
	}},
	{Key: "Action.verb", words: []string{"get", "create", "update", "reads", "writes"}},
	{Key: "Action.resource", words: []string{ResourceLeases, ResourceLeaseCandidates, ResourceConfigMaps}},
	{Key: "Action.count", whole: &bounds{max: math.MaxInt32}},
	{Key: "Action.offset", signed: true},
	{Key: "Action.ratePpm",
		whole: &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"}},
	{Key: "Action.method", words: []string{"POST", "PUT", "PATCH", "DELETE"}},
	{Key: "Action.body", Lines: true},
	{Key: "Action.op", words: []string{OpPut, OpPatch, OpDelete, OpTouch}},
	{Key: "Action.object", Default: "lease", words: []string{ObjectLease, ObjectConfigMap}},
	{Key: "Action.clear", words: leaseSpecFields},
	{Key: "Action.probability", decimal: &[2]float64{0, 1}},
	{Key: "Action.effect", words: []string{EffectDrop, EffectDropResponse, EffectHold, EffectLate}},
	{Key: "Action.message",
		words: []string{MessageElector, MessageHeartbeat, MessageLeaseCandidate, MessageController, MessageResource}},
	{Key: "Action.nth", whole: &bounds{max: math.MaxInt32}},
	{Key: "Action.jump", signed: true},

	{Key: "LeaseSpec.acquireTime", signed: true},
	{Key: "LeaseSpec.renewTime", signed: true},
}
