// Package hunt looks for failures. It runs a scenario many times, each time with different random faults. While
// faults are in effect it watches for safety; afterward it demands a leader.
//
// # The problem
//
// A scenario shows what its author has thought of. The bugs in the museum are different: a pause that ends just after
// a write left, then a cut that eats the answer. Nobody writes that down in advance, and purely random faults rarely
// meet.
//
// # The idea
//
// A hunt works like a fuzzer. It keeps a run that reached something new, and later runs are variations of it.
// Something new is a pair of events that no earlier run had, a new combined state of all candidates, or a new degree
// of danger: how little time lay between one leader's stop and the next one's start (see looker in coverage.go).
// Kinds of faults that break safety on their own get less attention from then on. A blind hunt draws each run
// independently.
//
//	           +---------------- corpus: runs that reached something new
//	           | vary                     ^
//	draw ------+--> faults + scenario --> run --> a rule broke? --> shrink --> a new key? --> Failure
//	            (every second run)
//
// # The types
//
// A Hunt proceeds in rounds: Round returns the trials of the next one, which may run anywhere and in any order, and
// Take takes their results. A Trial goes to other workers or into a file as a Task, and its result comes back as a
// Record.
//
//	for trials := h.Round(); len(trials) > 0; trials = h.Round() {
//		for _, t := range trials { // on any number of workers
//			for !t.Go(4_000) { // a slice of 4,000 simulated requests
//			}
//		}
//		h.Take(trials)
//	}
//
// # Guarantee
//
// The failures are a function of the plan and of the number of runs taken, wherever the runs happened and however
// often the hunt stopped. Each failure is one scenario that breaks its rule, and no two have the same rule and
// causes. A panic of the engine is a failure too, not the end of the hunt.
//
// # Non-guarantee
//
// A hunt that finds nothing proves nothing. One Failure may have several root causes, because their stories name the
// same causes. For all schedules within bounds, see package explore.
package hunt
