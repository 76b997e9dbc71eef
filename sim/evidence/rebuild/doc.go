// Package rebuild turns evidence into a scenario, so that you can run a Lease's history again and change it.
//
// # The problem
//
// A report says "a slept, and b took over 16.2 s later". Would releaseOnCancel have helped, or a shorter
// leaseDuration? The cluster cannot go back to that minute. But a scenario with the same leaders at the same instants
// can stand in for the cluster, and then the packages under sim/study can answer such questions.
//
// # How it works
//
//	terms of the report --> draft --> pin the waits --> same leaders? -- yes --> Scenario and Fit
//	                                       ^                  | no
//	                                       +--- next seed ----+
//
// The draft has a candidate for each holder and an act for each cause: pause, cut, crash, stop, or slow answers. The
// run of a draft has the right causes but the wrong jitter: b polls 1.3 s too late. So pin searches for draws that
// make b's attempt happen at the instant that the evidence shows, and writes them into the scenario as jitterDraws.
//
// The function Scenario does all this. Fit says how close the scenario comes; CuresOf says what would have helped;
// Alike finds similar exhibits of the museum. Instants are nanoseconds on the report's timeline.
//
// # Guarantee
//
// The scenario depends only on the report, and Fit says how far its run is from the evidence. The work has a limit:
// if the evidence is too long, an error says how to narrow it.
//
// # Non-guarantee
//
// The result is one of many scenarios that fit. Where the evidence shows nothing, for example the exact instant of a
// crash between two renewals, rebuild picks a value. The cures help in this model of the incident, not necessarily in
// the cluster.
package rebuild
