package scenario

import (
	"math"

	"github.com/leaselab/leaselab/sim/trace"
)

var expectFields = []Field{
	{Key: "Expect",
		Help: "An assertion about one of violation, leader, changes, measure and event, with its other fields."},
	{Key: "Expect.violation",
		Help: "A checker's rule, such as moreThanOneActive. The run must violate it at least once, unless atLeast or " +
			"atMost say otherwise. A violation that no assertion names fails the scenario."},
	{Key: "Expect.leader", Help: "The active leader at the end, or at the instant at. nobody: no active leader."},
	{Key: "Expect.changes", Help: "The number of leader changes, including the first election.",
		whole: &bounds{max: math.MaxInt32}},
	{Key: "Expect.at", Help: "Leader: the instant of the check. Everything that happens at this instant comes first."},
	{Key: "Expect.measure",
		Help: "Violation: count, longest or total. Without violation, a figure of the whole run: leaderChanges, " +
			"leaderlessLongest, leaderlessTotal, doubleLeaderLongest, doubleLeaderTotal, requests, " +
			"requestsPerSecond, requestsPeak, conflicts, staleWritesAttempted, staleWritesAccepted, " +
			"staleWritesRefused."},
	{Key: "Expect.event", Help: "An event that must happen: at least once, unless atLeast or atMost say otherwise.",
		words: trace.EventNames()},
	{Key: "Expect.node", Help: "Event: the node it happens to. Left out: any node."},
	{Key: "Expect.nodes", Help: "Violation: only violations that involve all of these nodes."},
	{Key: "Expect.from", Help: "Violation and event: only from this instant on. A violation must begin then or later."},
	{Key: "Expect.until", Help: "Violation and event: only up to this instant."},
	{Key: "Expect.atLeast", Help: "The lower limit: a number, or a duration for a measure of time."},
	{Key: "Expect.atMost", Help: "The upper limit: a number, or a duration. 0: never."},
}
