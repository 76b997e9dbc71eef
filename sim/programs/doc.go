// Package programs runs a world whose candidates are real programs: goroutines of a test (package electiontest),
// clients of `leaselab serve --faults`, or processes that `leaselab test` starts.
//
// The problem: a simulation shows what client-go would do, but a user wants to know what their program does. So this
// package puts real programs into the same world. The world plays the acts of a scenario on them. Their requests travel
// through the same simulated network as the messages of simulated candidates, and what they do becomes the same kind of
// trace, which rules and explanations read.
//
// Cluster is the world with its programs, and Node is one process of a candidate and the transport of its clients.
// Recorder writes the calls of a run to a file, and package replay repeats them. Instants are durations since the
// scenario began.
//
// Guarantee: time is the process's clock, virtual in a bubble of testing/synctest and real elsewhere. Everything that
// reaches the world from outside is a call. The scenario and these calls determine the run: package replay produces the
// same trace, with the same hash. Non-guarantee: in real time an act happens when the operating system runs the driver,
// some tenths of a millisecond late on an idle machine. The cluster knows only from a program's reports when it works.
package programs
