package scenario

import (
	"math"

	"github.com/leaselab/leaselab/sim/trace"
)

var expectFields = []Field{
	{Key: "Expect",
		Help: "An assertion: one of violation, leader, changes, measure and event, with the fields that belong to it."},
	{Key: "Expect.violation",
		Help: "A checker's rule that the run must violate, moreThanOneActive for example: at least once, unless " +
			"atLeast or atMost say otherwise. A violation that no assertion names fails the scenario."},
	{Key: "Expect.leader", Help: "The active leader at the end, or at an instant; nobody means none."},
	{Key: "Expect.changes", Help: "The number of leader changes, including the first election.",
		whole: &bounds{max: math.MaxInt32}},
	{Key: "Expect.at", Help: "Leader: the instant, after everything that happens then."},
	{Key: "Expect.measure",
		Help: "Violation: count, longest or total. Without violation, a figure of the whole run: leaderChanges, " +
			"leaderlessLongest, leaderlessTotal, doubleLeaderLongest, doubleLeaderTotal, requests, " +
			"requestsPerSecond, requestsPeak, conflicts, staleWritesAttempted, staleWritesAccepted, " +
			"staleWritesRefused."},
	{Key: "Expect.event", Help: "An event that must happen: at least once, unless atLeast or atMost say otherwise.",
		words: trace.EventNames()},
	{Key: "Expect.node", Help: "Event: the node it happens to; left out, any node."},
	{Key: "Expect.nodes", Help: "Violation: only violations that involve all of these nodes."},
	{Key: "Expect.from", Help: "Violation and event: only from this instant on; a violation counts by its beginning."},
	{Key: "Expect.until", Help: "Violation and event: only up to this instant."},
	{Key: "Expect.atLeast", Help: "The lower limit: a number, or a duration for a measure of time."},
	{Key: "Expect.atMost", Help: "The upper limit; 0 means never."},
}
