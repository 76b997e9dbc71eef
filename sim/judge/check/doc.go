// Package check watches a run. It knows who is active, for how long no candidate or more than one was active, and
// which rules the run breaks. Feed it every trace record through Checks.Observe; read Checks.Violations at any time.
//
//	c := check.For(setup)
//	for w.Step(untilNs) {
//		c.Observe(w.Records())
//	}
//	c.Settle(untilNs) // the run has reached this instant, even if no record says so
//	for i := range c.Violations { ... }
//
// # What happens to a record
//
//	record --> facts (facts.go, follow.go) --> rules that hear of the change --> rules that hear of the kind
//	           who is active, what the            willStart, didStart, didStop,    observe
//	           Lease says, who is up              willStore, didMoveHolder, ...
//
// A rule rarely wants raw records. Four kinds of records mean that node a stopped being active (LeadingDone, WorkDone,
// Crashed, Removed), and several kinds mean that the Lease changed holders. The facts translate them once, and
// checker.go lists what a rule can hear of. Methods named will… run before the facts change, methods
// named did… after. So willStart may ask who was active, and didStart who is.
//
// # The rules
//
// Each rule has a file with the rule's name, which holds its state, its figure and its sentences:
//
//	 1 moreThanOneActive      at most one worker is active
//	 2 leaderlessTooLong      no gap without a worker is longer than the bound
//	 3 needlessChange         a healthy holder keeps the Lease
//	 4 noRecovery             after the last fault a candidate leads within the bound
//	 5 transitionsMiscount    leaseTransitions grows by one with each new holder
//	 6 requestStorm           no second has more requests than the bound
//	 7 shownHolderNotActive   while a candidate is active, the Lease names an active one
//	 8 staleWriteAccepted     the resource accepts writes from the newest holder only (and resourceOwnedTwice)
//	 9 writeByNonHolder       nobody overwrites another's valid Lease
//	10 callbacksOutOfOrder    OnStartedLeading and OnStoppedLeading alternate
//	11 knowsLostStillActive   a worker that reads another holder stops
//	12 marginNegative         leaseDuration leaves room for renewDeadline, retryPeriod and a slow answer
//	13 newerCandidateElected  coordinated election picks the oldest emulation version
//	14 newerThanApiServer     a leader is not newer than an API server
//	15 nodeReadyMismatch      a node counts as ready while its process runs
//	16 failoverOverFormula    after a crash the next leader comes as soon as the formula says
//	17 worksBeyondLease       a real program stops its work before its Lease expires
//
// A new rule needs three things: an entry in sim/scenario/rules, a type with the methods of checker and of any other
// interfaces that it wants, and a call of register. If the rules and the checkers do not match, the program panics
// when it starts.
//
// # Guarantee and non-guarantee
//
// All times are nanoseconds since the run began. Given every trace record in order, totals and violations are exact
// to the nanosecond. A Checks is a value: Clone it, and both copies go on independently. Non-guarantee: a run without
// violations says nothing about other seeds.
package check
