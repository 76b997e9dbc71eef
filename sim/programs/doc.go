// Package programs runs a world whose candidates are real programs. They may be goroutines of a test (package
// electiontest), clients of `leaselab serve --faults`, or processes that `leaselab test` starts.
//
// # The problem
//
// A simulation shows what client-go would do, but users want to know what their own programs do. So this package puts
// real programs into the same world. The world applies the acts of a scenario to them. Their requests travel through
// the same simulated network as the messages of simulated candidates. Their behavior becomes the same kind of trace,
// to which the same rules and explanations apply.
//
// # How it works
//
// A world takes one step at a time, but programs act whenever they like. Everything that a program does becomes an op
// with its instant. The driver (Drive) hands the ops to the world in turns:
//
//	programs' goroutines            driver                           world
//	RoundTrip, Work, ... -- op -->  sort by instant, node, order --> Call
//	                                up to now                        Step, Step, ...
//	<-- response, context ends, process starts or dies <------------ world.Programs
//
// A turn comes a nanosecond after the ops. In a bubble of testing/synctest, all goroutines are waiting by then. So the
// order in which Go runs goroutines cannot change a run. For the world, each op happens at its original instant.
//
// # The types
//
// Cluster is the world with its programs. Node is one process of a candidate, and the transport of the process's
// clients. Front passes HTTP requests of separate processes to their nodes, and Administrator lets kubectl in.
// Recorder writes the calls of a run to a file, and package replay repeats them. Instants are durations since the
// scenario began.
//
//	c := programs.New(s, programs.Options{})
//	c.Launch(func(ctx context.Context, n *programs.Node) { // each process of each candidate
//		runElector(ctx, n.Client(), n.Settings)
//	})
//	go c.Drive()
//	c.Until(time.Duration(s.Duration))
//	c.Judge(c.Now(), func(r *run.Run, ns int64) { ... r.Checks.Violations ... })
//
// # When does a program work?
//
// Rules are about work, but requests do not show when a program works. So a program must report its work: with
// Node.Work around OnStartedLeading, with BeginsWork and EndsWork, or with Piece for each write that it makes as a
// leader. work.go explains when work in pieces ends.
//
// # Guarantee
//
// Time comes from the process's clock. It is virtual in a bubble of testing/synctest, and real elsewhere. Everything
// that reaches the world from outside is a call. The scenario and these calls determine the run: package replay
// produces the same trace, with the same hash.
//
// # Non-guarantee
//
// In real time, an act happens when the operating system lets the driver run: some tenths of a millisecond late on an
// idle machine. The cluster knows only from a program's reports when the program works. Expressible lists the acts
// that programs cannot play, such as a different clock for one goroutine.
package programs
