// Package reroll finds the point of no return: the instant from which a violation is inevitable. From each of many
// instants of a run it repeats the future many times with fresh randomness, and counts the futures that break a rule.
//
// # The idea
//
// A run is one throw of the dice. Stop it at 20 s, forget its random numbers from there on, and throw again a hundred
// times: in 3 of 100 futures there are two leaders. From 24 s on, there are two leaders in 97 of 100. So something
// between 20 s and 24 s was decisive. Four seconds of a run are short enough to read.
//
//	share of futures that break the rule
//	1.0 |                    ________
//	    |                   /           <- Inevitable from here on
//	    |                  |            <- Turn: what happened here decided
//	0.0 |__________________/___________ instants of the run
//
// # The stages
//
// The run itself comes first, to learn when the event happens. Then come evenly spaced instants, each with all its
// futures. Then further instants halve the steepest part of the curve, up to twelve times. If the event happens in
// all futures from the beginning, the curve is flat: no instant is decisive, but the scenario is. Package whatif then
// says which act matters.
//
// # The types
//
// A Plan names the Event and the instants; a Reroll is the study in stages; the Outcome has the Points of the curve.
// OfViolation and OfChange build the Event for a violation or a leader change of a run. Instants are nanoseconds.
//
// # Guarantee
//
// The curve depends only on the scenario, its seed and the plan, however the caller slices the work. Before anything
// random has happened, it is the probability over all seeds; after the violation it is 1. The k-th future has the
// same new seed at every instant.
//
// # Non-guarantee
//
// A share of the runs is an estimate, so every point has its 95 % interval. What the scenario specifies (acts, listed
// draws, starts) is the same in every future.
package reroll
