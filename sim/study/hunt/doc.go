// Package hunt looks for failures. It runs a scenario many times, each time with different random faults. While
// faults are in effect, it checks only safety; afterward there must be a leader.
//
// # The problem
//
// A scenario shows only what its author has thought of. The bugs in the museum are different: for example, a pause
// begins just after a node has sent a write, and then a cut loses the answer. No author writes that down in advance,
// and purely random faults rarely coincide like that.
//
// # The idea
//
// A hunt works like a fuzzer. It keeps each run that reached something new, and later runs are variations of the kept
// runs. Something new is a pair of events that no earlier run had, a new combined state of all candidates, or a
// shorter time between one leader's stop and the next leader's start (see looker in coverage.go). If a kind of fault
// breaks safety on its own, later runs have it less often. A blind hunt draws each run independently.
//
//	           +---------------- corpus: runs that reached something new
//	           | vary                     ^
//	draw ------+--> faults + scenario --> run --> a rule broke? --> shrink --> a new key? --> Failure
//	            (every second run)
//
// # The types
//
// A Hunt proceeds in rounds. Round returns the trials of the next round, which may run anywhere and in any order.
// Take receives their results. A Trial goes to other workers or into a file as a Task, and its result comes back as a
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
// The failures depend only on the plan and on the number of runs, wherever the runs happen and however often the hunt
// stops. Each failure is a scenario that breaks its rule, and no two failures have the same rule and causes. A panic
// of the engine is also a failure and does not end the hunt.
//
// # Non-guarantee
//
// A hunt that finds nothing proves nothing. One Failure may stand for several bugs if the stories of these bugs name
// the same causes. To try all schedules within bounds, see package explore.
package hunt
