// Package programs runs a world whose candidates are real programs: in the goroutines of a test (package electiontest),
// as clients of `leaselab serve --faults`, or as processes that `leaselab test` starts. The world plays the acts of a
// scenario on them; their requests take the way that the messages of simulated candidates take, and what they do
// becomes the trace that rules and explanations read.
//
// Guarantee: time is the process's clock, virtual in a bubble of testing/synctest and real elsewhere. Everything that
// reaches the world from outside is a call, and with the scenario the calls of a run are the run: package replay has
// the same trace, with the same hash. Non-guarantee: in real time an act happens when the operating system runs the
// driver, some tenths of a millisecond late on an idle machine. When a program works is known by what it tells only.
package programs
