package scenario

import (
	"math"
)

var judgingFields = []Field{
	{Key: "Resource",
		Help: "Something that the leader writes to while it works: a database, a cloud API, an address. A paused " +
			"process does not write."},
	{
		Key: "Resource.fence",
		Help: "The token that each write carries: none, leaseTransitions, or resourceVersion, as the writer last " +
			"read it from the Lease. The resource refuses a write if its token is lower than the highest one so far.",
		words:   []string{FenceNone, FenceLeaseTransitions, FenceResourceVersion},
		missing: "name the token that the resource compares: none, leaseTransitions or resourceVersion",
	},
	{Key: "Resource.writeEvery", Help: "The time between two writes by a leader, at least 1ms.", Default: "1s"},
	{Key: "Resource.latency", Help: "How long a write takes to reach the resource.", Default: "1ms"},
	{
		Key: "Resource.cleanUp",
		Help: "The step in which a leader gives up the resource when its work ends. Left out: leaders have no such " +
			"step, and nobody owns the resource. works: the step succeeds. fails: the leader still owns the " +
			"resource. A crash skips the step.",
		words: []string{CleanUpWorks, CleanUpFails},
	},

	{Key: "Bounds", Help: "Limits on what may happen in a run."},
	{Key: "Bounds.leaderless",
		Help: "The longest time without an active leader. Left out: the longest failover by the formula " +
			"(leaseDuration + 4.4 × retryPeriod), plus the time during which faults stop every candidate."},
	{Key: "Bounds.recovery",
		Help: "The longest time from the end of the last fault until a leader is active. Left out: the longest " +
			"failover by the formula, plus any time since the end of that fault in which no candidate could lead."},
	{Key: "Bounds.requestsPerSecond", Help: "The most requests allowed per second.",
		whole: &bounds{max: math.MaxInt32}},
}
