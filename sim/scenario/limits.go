package scenario

import "math"

// bounds of a number. Zero is always allowed when it means "left out".
type bounds struct {
	min, max int64
	orZero   bool
	hint     string
}

func (b bounds) rule() string {
	rule := "must be between " + thousands(b.min) + " and " + thousands(b.max)
	if b.hint != "" {
		rule += "; " + b.hint
	}
	return rule
}

func (b bounds) allows(n int64) bool {
	return (b.orZero && n == 0) || (n >= b.min && n <= b.max)
}

var ranges = map[string]bounds{
	"Scenario.seed":            {min: 0, max: MaxSeed},
	"Candidate.replicas":       {min: 0, max: MaxCandidates},
	"Clock.ratePpm":            {min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"},
	"Action.ratePpm":           {min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"},
	"Action.count":             {min: 0, max: math.MaxInt32},
	"Expect.changes":           {min: 0, max: math.MaxInt32},
	"Client.burst":             {min: 1, max: 10_000},
	"Process.watchdogFailures": {min: 1, max: 1000},

	"Heartbeats.nodes": {min: 1, max: MaxHeartbeatNodes},

	"Server.ratePerSecond": {min: 0, max: 1_000_000},
	"Server.queue":         {min: 0, max: 1_000_000},

	"Museum.lesson": {min: 0, max: Lessons},
}

// Range returns the bounds of a whole number such as "Scenario.seed"; ok is false when only its type bounds it.
func Range(field string) (least, most int64, ok bool) {
	b, ok := ranges[field]
	if b.orZero {
		b.min = 0
	}
	return b.min, b.max, ok
}

// maxItems limits lists before memory is spent on them.
var maxItems = map[string]int{
	"Scenario.candidates": MaxCandidates,
	"Scenario.actions":    MaxActions,

	"Distribution.quantiles": MaxQuantiles,
	"Heartbeats.monitors":    100,
	"Scenario.expect":        MaxExpect,
}

// MaxItems returns the limit of a list such as "Scenario.actions", 0 when there is none.
func MaxItems(field string) int { return maxItems[field] }

// signed are the durations that may be negative; the limit of 90 days holds both ways.
var signed = map[string]bool{
	"Clock.offset":          true,
	"Action.offset":         true,
	"Action.jump":           true,
	"LeaseSpec.acquireTime": true,
	"LeaseSpec.renewTime":   true,
}

// Signed says whether the duration may be negative.
func Signed(field string) bool { return signed[field] }

// whatIsMissing completes "missing; …" for every required field.
var whatIsMissing = map[string]string{
	"Scenario.apiVersion": "a scenario says apiVersion: " + APIVersion,
	"Scenario.kind":       "a scenario says kind: " + Kind,
	"Scenario.seed":       "any whole number makes the run repeatable, 1 for example",
	"Scenario.duration":   `a run needs its end, "2m" for example`,
	"Candidate.name":      "every candidate needs a name",
	"APIServer.name":      "every API server needs a name",
	"Action.at":           `an action needs its instant, "20s" for example`,
	"Heartbeats.nodes":    "how many nodes send heartbeats, 3 for example",
	"Monitor.name":        "every monitor needs a name",
	"Action.act":          "an action says what happens, crash for example",
	"Museum.catalogue":    "an exhibit has the number of its incident, B02 for example",
	"Museum.variant":      "an exhibit is failing or mended",
}

func tooMany(path string, have, limit int) *FieldError {
	return refuseField(path, thousands(int64(have))+" are more than the limit of "+thousands(int64(limit)))
}
