// Package whatif finds what would have made a difference to a leader change or a violation. It has a fixed list of
// changes (Variants). It runs the scenario again with each change and ranks the runs by their results.
//
// # The problem
//
// After an incident everybody suggests a cure: a shorter leaseDuration, releaseOnCancel, a watchdog. A simulation can
// try all cures on the same incident, with the same random numbers:
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
// In another run the leader changes at another instant, and perhaps more often. But the acts keep their instants. So
// take the first act that led to the original change: the first change after that act corresponds to the original
// change. A violation corresponds to the first violation of the same rule after the previous one. If a run has no
// corresponding change or violation, the Fate says why: no candidate can lead, the leader stayed, or the run ended
// first.
//
// # Guarantee
//
// The list depends only on the scenario, its seed and the subject, however the caller slices the work. A line is not
// an estimate. It comes from a run of the same engine with the same seed.
//
// # Non-guarantee
//
// Each line comes from one run with one seed. A shorter gap in that run does not mean a shorter gap with other seeds.
// Two changes may help together even if neither helps alone.
package whatif
