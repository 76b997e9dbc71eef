// Package rebuild turns evidence into a scenario, so that you can run a Lease's history again and change it.
//
// # The problem
//
// A report says "a slept, and b took over 16.2 s later". Would releaseOnCancel have helped, or a shorter
// leaseDuration? Nobody can take the cluster back to that minute. A scenario with the same leaders at the same
// instants can stand in for it, and then every question of sim/study is open.
//
// # How it works
//
//	terms of the report --> draft --> pin the waits --> same leaders? -- yes --> Scenario and Fit
//	                                       ^                  | no
//	                                       +--- next seed ----+
//
// The draft has a candidate for each holder and an act for each cause: pause, cut, crash, stop, or slow answers. The
// run of a draft has the right causes but the wrong jitter: b polls 1.3 s too late. So pin searches for draws that
// make b's attempt fall on the instant that the evidence shows, and writes them into the scenario as jitterDraws.
//
// Scenario does all this. Fit says how close it came; CuresOf says what would have helped; Alike finds similar
// exhibits of the museum. Instants are nanoseconds on the report's timeline.
//
// # Guarantee
//
// The scenario is a function of the report, and its Fit says how far its run is from the evidence. The work has a
// bound: long evidence gets an error that says how to narrow it.
//
// # Non-guarantee
//
// It is one of many scenarios that fit. Where the evidence says nothing, as about the exact instant of a crash
// between two renewals, rebuild picks a value. Cures found in it are cures for this model of the incident.
package rebuild
