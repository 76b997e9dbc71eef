// Package shrink takes a scenario that breaks a rule and makes it smaller while the run still breaks the rule. A
// smaller scenario has fewer acts, fewer candidates, default settings, or shorter and rounder times. Then it finds
// for each act the window of instants at which the act may happen.
//
// # The problem
//
// A hunt reports a failure with nine faults, five candidates and an act at 31.4 s, but only two of the faults matter.
// To understand the failure, a person must find those two. A machine can do that, because it can run the scenario
// without each fault in turn.
//
// # The idea
//
// A Shrink works in steps: it proposes a smaller scenario, runs that scenario, and keeps it if the run still reaches
// the goal. Each proposal has fewer parts or simpler values than the scenario it replaces, so the process ends.
//
//	9 acts, 5 candidates, 3m0s      the scenario
//	  without acts 1 to 4           broken all the same: keep, 5 acts remain
//	  without acts 1 to 4           not broken: put them back
//	  without candidate e           keep
//	  pause for 30s, 20s, 18s ...   the shortest that breaks it
//	2 acts, 3 candidates, 40s       the outcome
//	  act 2: any at from 24.1s to 26.3s    its window
//
// The passes (passes.go, numbers.go) remove large parts first, since each success makes all later runs cheaper. They
// repeat until a whole cycle changes nothing, because one success may allow another: without act 3, candidate c may
// no longer matter.
//
// # What stays the same
//
// It is not enough that the smaller run breaks the same rule. A scenario with a pause and a cut may break
// moreThanOneActive because of the pause. If a smaller scenario breaks the rule because of the cut, the bug is a
// different one. So the smaller violation's story must end with the same reason: what a candidate did, not which act
// came before. With Plan.Causes, the smaller run must not have a cause that the original did not have.
//
// # Guarantee
//
// The outcome depends only on the plan, however the caller slices the work. The final scenario is valid, its run
// breaks the rule, and its assertions say so.
//
// # Non-guarantee
//
// No single change makes the outcome smaller, but a combination of changes might. A window is only as precise as its
// steps. It is valid only if all other acts keep their instants.
package shrink
