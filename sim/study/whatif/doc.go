// Package whatif asks what would have made a difference to one leader change or one violation. It runs the scenario
// again with one thing changed, for each of a fixed list of things (Variants), and ranks the runs by their results.
//
// # The problem
//
// After an incident everybody has a cure: a shorter leaseDuration, releaseOnCancel, a watchdog. A simulation can try
// them all on the same accident, with the same random numbers:
//
//	the gap of 14.000 s before b led, with
//	    releaseOnCancel:             2.100 s, 11.900 s shorter
//	    leaseDuration 7 s and
//	      renewDeadline 5 s:         6.000 s, 8.000 s shorter
//	    retryPeriod 4 s:            15.500 s, 1.500 s longer
//
// # The types
//
// A Plan names the scenario and the Subject. A Counterfactual is the study; its Outcome has the result of the
// original run and one Line per variant, best first. Instants and lengths are nanoseconds.
//
// # Which change is "the same"?
//
// In another run the leader changes at another instant, and perhaps more often. The first change after the first act
// that led to the original one corresponds to it, because acts stay where they are. For a violation it is the first
// one of the same rule after the previous violation. A run in which nothing corresponds has a Fate that says why:
// nobody remains, the leader stayed, or the run ended first.
//
// # Guarantee
//
// The list is a function of the scenario, its seed and the subject, however the caller sliced the work. Each line
// comes from a run of the same engine with the same seed; it is not an estimate.
//
// # Non-guarantee
//
// It is one run with one seed; a shorter gap here promises nothing for other seeds. Two changes may help together
// where neither does alone.
package whatif
