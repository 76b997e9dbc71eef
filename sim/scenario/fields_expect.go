package scenario

import (
	"math"

	"github.com/leaselab/leaselab/sim/trace"
)

var expectFields = []Field{
	{Key: "Expect",
		Help: "An assertion about a violation, leader, changes, measure, or event. The other fields narrow it down."},
	{Key: "Expect.violation",
		Help: "A checker's rule, such as moreThanOneActive. The run must violate the rule at least once, unless " +
			"atLeast or atMost say otherwise. If the run violates a rule that no assertion names, the scenario fails."},
	{Key: "Expect.leader", Help: "The active leader at the end, or at the instant in at. nobody: no active leader."},
	{Key: "Expect.changes", Help: "The number of leader changes, including the first election.",
		whole: &bounds{max: math.MaxInt32}},
	{Key: "Expect.at",
		Help: "For leader: the instant of the check, after everything else that happens at this instant."},
	{Key: "Expect.measure",
		Help: "With violation: count, longest, or total. Without violation, a figure of the whole run: " +
			"leaderChanges, leaderlessLongest, leaderlessTotal, doubleLeaderLongest, doubleLeaderTotal, requests, " +
			"requestsPerSecond, requestsPeak, conflicts, staleWritesAttempted, staleWritesAccepted, " +
			"staleWritesRefused."},
	{Key: "Expect.event", Help: "An event that must happen at least once, unless atLeast or atMost say otherwise.",
		words: trace.EventNames()},
	{Key: "Expect.node", Help: "For event: the node where the event happens. Left out: any node."},
	{Key: "Expect.nodes", Help: "For violation: counts only violations that involve all of these nodes."},
	{Key: "Expect.from",
		Help: "For violation and event: counts only what begins or happens at this instant or later."},
	{Key: "Expect.until", Help: "For violation and event: counts only what happens up to this instant."},
	{Key: "Expect.atLeast", Help: "The lower limit: a number, or a duration for a measure of time."},
	{Key: "Expect.atMost", Help: "The upper limit: a number, or a duration for a measure of time. 0: never."},
}
