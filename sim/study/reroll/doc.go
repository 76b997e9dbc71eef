// Package reroll finds the point of no return. It reruns the future from many instants of a run with fresh
// randomness, many times each, and counts the futures that break a rule. It answers the question of when the
// violation becomes inevitable.
//
// # The idea
//
// A run is one throw of the dice. Stop it at 20 s, forget its random numbers from there on, and throw again a hundred
// times: 3 futures of 100 have two leaders. At 24 s it is 97 of 100. So something between 20 s and 24 s decided it.
// Four seconds of a run are short enough to read.
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
// futures. Then one instant after another halves the steepest part of the curve, up to twelve times. If the event
// happens in all futures from the beginning, the scenario decides, not an instant. Then the study leaves out one act
// at a time and says which one matters most (Scripted).
//
// # The types
//
// A Plan names the Event and the instants; a Reroll is the study in stages; the Outcome has the Points of the curve.
// OfViolation and OfChange make the Event for something that happened in a run. Instants are nanoseconds.
//
// # Guarantee
//
// The curve is a function of the scenario, its seed and the plan, however the caller sliced the work. Before anything
// random has happened, it is the probability over all seeds; after the violation it is 1. The k-th future of every
// instant has the same new seed.
//
// # Non-guarantee
//
// A share of the runs is an estimate; every point carries its 95 % interval. What the scenario fixes (acts, listed
// draws, starts) is the same in every future.
package reroll
