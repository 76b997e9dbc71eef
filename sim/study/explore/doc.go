// Package explore goes through every schedule of a scenario within stated bounds: every order of what happens at one
// instant, every wait from a few draws of jitter, every delay from a few lengths, every value of some fields of its
// acts, within a window of virtual time. It answers with a claim about all of them, or with the earliest schedule
// that breaks a rule, as a scenario.
//
// # The problem
//
// A thousand seeds without a violation leave a doubt: perhaps the one bad interleaving is rarer than that. A test of
// every real-valued wait is impossible. But the outcome of an election depends little on the exact wait, and a lot on
// what comes first. So a plan gives each wait, say, three values and each message two, and the search leaves nothing
// out.
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
//   - Many orders make no difference. If two answers reach two followers at the same instant, their order does not
//     matter, so one order is
//     enough.
//   - Only the earliest violation counts. Once a schedule breaks a rule at 27.1 s, all others end there.
//
// # The types
//
// A Plan states the bounds. An Explorer searches in rounds (Go, or Step and Replay) and then answers with Claim and
// Counterexample. A Follower runs schedules for it. Instants and lengths are nanoseconds.
//
//	x, err := explore.New(explore.Plan{Scenario: s, Draws: []float64{explore.Middle, explore.Low, explore.High}})
//	for !x.Go(1000) { // a slice of about a thousand transitions
//	}
//	fmt.Println(x.Claim()) // "No schedule of 3 candidates breaks ... within 60 s, where each wait ..."
//	c, err := x.Counterexample()
//
// # Files
//
// plan.go reads and checks the bounds. explore.go is the search: frontier, rounds, and what it keeps. follower.go steps
// one schedule to its next choice. rule.go checks the rules as it goes. visits.go is the table of known states.
// roots.go handles fields with several values. counterexample.go and fewer.go turn a path of options into a scenario
// that people can read. replay.go lets a search resume from a file, workers.go lets it use several cores.
//
// # Guarantee
//
// A complete search has covered every schedule within the bounds. It saw the schedule itself, or one with identical
// states from some instant on. Two states are identical if they lead to the same future, with time counted from their
// own instants. A counterexample is a whole scenario; the search has run it and it breaks the rule. The outcome is a
// function of the plan, however the caller sliced or resumed the work.
//
// # Non-guarantee
//
// It claims nothing about schedules outside the bounds, such as one with a wait between two of the plan's draws. It
// compares states by 128 bits, so two different states with one name would hide a future; for 200 million states the
// probability is about one in 10^22. The first violation of a schedule ends it, so later violations do not appear.
// Scenarios with more state than it compares (API servers, heartbeats, rate limiters) make New return an error instead
// of leaving a silent gap.
package explore
