// Package explore tries every schedule of a scenario within stated bounds. In a window of virtual time it tries every
// order of simultaneous events, a few jitter draws for each wait, a few delays for each message, and a few values for
// some fields. It answers with a claim about all schedules, or with the earliest schedule that breaks a rule, as a
// scenario.
//
// # The problem
//
// A thousand seeds without a violation leave a doubt: perhaps the bad interleaving is just rarer than that. No
// program can test all possible waits. But the outcome of an election depends little on the exact wait, and a lot on
// the order of events. So a plan gives each wait, for example, three values and each message two delays, and the
// search tries every combination.
//
// # The idea
//
// A schedule is one run. Schedules branch at choices, and each choice has a default and other options:
//
//	b waits 3.2 s, 2 s or 4.4 s      a's request takes 0 s or 2 s longer
//	    o---- 3.2 s ------------------------o---- 0 s --------> ends at the bound of time
//	    |                                   +---- 2 s --------> breaks moreThanOneActive at 27.1 s
//	    +---- 2.0 s ------------------------o---- 0 s --------> a known state: stop here
//	    |                                   +---- 2 s --------> ...
//	    +---- 4.4 s ------------------------o ...
//
// Eight waits with three options each are already 6,561 schedules. Three facts keep the search small:
//
//   - Identical states have identical futures. The search names each state by a 128-bit hash and continues from it only
//     once.
//   - Many orders make no difference. If two followers get their answers at the same instant, the order does not
//     matter, so the search needs to try only one.
//   - Only the earliest violation counts. Once a schedule breaks a rule at 27.1 s, all others end there.
//
// # The types
//
// A Plan states the bounds. An Explorer searches in rounds (Go, or Step and Replay) and then answers with Claim and
// Counterexample. A Follower runs schedules for an Explorer. Instants and lengths are nanoseconds.
//
//	x, err := explore.New(explore.Plan{Scenario: s, Draws: []float64{explore.Middle, explore.Low, explore.High}})
//	for !x.Go(1000) { // a slice of about a thousand transitions
//	}
//	fmt.Println(x.Claim()) // "No schedule with 3 candidates breaks ... within 60 s, where each wait ..."
//	c, err := x.Counterexample()
//
// # Files
//
// plan.go parses and checks the bounds. explore.go is the search: its frontier, its rounds and its results.
// follower.go follows one schedule to its next choice. rule.go checks the rules after each step. visits.go is the
// table of known states. roots.go handles fields with several values. counterexample.go and fewer.go turn a path of
// options into a scenario that people can read. replay.go lets a search resume from a file, workers.go lets it use
// several cores.
//
// # Guarantee
//
// A complete search has covered every schedule within the bounds. For each schedule, the search saw the schedule
// itself, or another one with identical states from some instant on. Two states are identical if they lead to the
// same future, with time counted from each state's own instant. A counterexample is a complete scenario, and the
// search has run it to make sure that it breaks the rule. The outcome depends only on the plan, however the caller
// slices or resumes the work.
//
// # Non-guarantee
//
// The search claims nothing about schedules outside the bounds, such as one with a wait between two of the plan's
// draws. It compares states by 128-bit hashes, so if two different states had the same hash, it would miss a future;
// for 200 million states the probability of that is about one in 10^22. A schedule ends at its first violation, so
// later violations do not appear. If a scenario has state that the search does not compare (API servers, heartbeats,
// rate limiters), New returns an error.
package explore
