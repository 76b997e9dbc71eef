// Package electiontest tests a program that uses leader election. The program runs in virtual time, under the faults of
// a scenario, against a simulated API server, and leaselab's rules check it. A test needs no cluster and no socket, and
// 24 hours of three candidates take seconds.
//
// The program brings its own libraries. The example uses client-go's elector as its documentation does. There are
// only two differences: the rest.Config comes from the node, and the work reports itself:
//
//	func TestLeaderIsCutOff(t *testing.T) {
//		electiontest.Run(t, electiontest.Shipped(t, "cut-off"), func(c *electiontest.Cluster) {
//			c.Start(func(ctx context.Context, n *electiontest.Node) {
//				client := kubernetes.NewForConfigOrDie(&rest.Config{Host: n.Host, Transport: n})
//				leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
//					Lock: &resourcelock.LeaseLock{
//						LeaseMeta:  metav1.ObjectMeta{Namespace: n.Settings.Namespace, Name: n.Settings.Lease},
//						Client:     client.CoordinationV1(),
//						LockConfig: resourcelock.ResourceLockConfig{Identity: n.Settings.Identity},
//					},
//					LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
//					Callbacks: leaderelection.LeaderCallbacks{
//						OnStartedLeading: func(ctx context.Context) {
//							defer n.Work(ctx)()
//							work(ctx)
//						},
//						OnStoppedLeading: func() {},
//					},
//				})
//			})
//		})
//	}
//
// A scenario comes from a file ([File]), from a text ([YAML]) or by the name of a shipped one ([Shipped]). It names
// the candidates. It says when their processes start and what happens to them: stop cancels the context of the
// process. crash silences the process forever and then cancels its context, because nothing can kill a goroutine. A
// process that the scenario starts again is another [Node]. The scenario's settings for the program itself do not
// apply: the dialect of its elector, releaseOnCancel, its work and its drains, its rate limiter, its jitter. The
// program makes these choices itself. Node.Settings has the elector's settings for a program that wants to use them.
//
// Run checks the programs against leaselab's rules, as leaselab run does: a violation of a safety or liveness rule
// fails the test, but an observation does not. The assertions under expect count, too, if the scenario comes from a
// file or a text. [Result] has the leader changes, the violations and the mistakes of the program with their cures
// (package conduct), for the test's own assertions. It also has a scenario in which leaselab's candidates do what the
// programs did. The rules are about the Lease that the scenario names or, if it names none, about the first Lease that
// a program asks for. If a program never calls [Node.Work], the rules think that it never leads.
//
// When a test fails, it prints how the violation happened, the seed, and the command that runs it again. It also writes
// the scenario to a file for the page and for the command. LEASELAB_SEED replaces the scenario's seed, and LEASELAB_DIR
// the directory of the file.
//
// # Guarantee
//
// Every message of a program follows the same rules as a message of a simulated candidate (package network): cuts in
// one or both directions, held messages, every error answer, latencies and their distributions, probabilities,
// outages, deleted and edited Leases, API servers that crash. Acts happen at their instants and messages take their
// latencies, exact to the nanosecond. The API server of package core/apiserver serves the requests, watches included.
// It has every stable kind of a cluster, without its schema, and the kinds of [CRDs].
// What the programs do becomes the trace that rules and explanations read. If a test cannot run, it says why in a
// sentence and ends: for example, because it cannot express the scenario, or because a program panics, does not end,
// or blocks virtual time.
//
// # Non-guarantee
//
//   - A run without a violation says nothing about other seeds and other scenarios.
//   - Run seeds package math/rand, from which client-go draws its jitter. It hands everything that happens at one
//     instant to the world in the order of the candidates. So a seed gives the same run as long as the goroutines of
//     one program do not race with each other at one instant, and as long as no other Run is under way in the same
//     process.
//   - Discovery passes without the network and takes no time, because a client holds a mutex while it waits for it.
//   - No controller of a cluster runs: a Job starts no Pod, and nothing collects garbage.
//   - A watch breaks when one of its events gets lost, as in the simulator's informers. TCP would send the event
//     again for some minutes, and the client would find the connection dead later.
//   - A lost request stays lost. Without a timeout of the client it never ends, unless the scenario sets
//     network.deadPeerTime. With 45s it fails when client-go's check of HTTP/2 connections would close the
//     connection.
//   - The transport never retries by itself. In contrast, http.Transport repeats a GET if the server closed the
//     idle connection.
//   - Pauses of a process, clocks that differ from node to node, and the death of a goroutine in the middle of its
//     work do not exist here. A test refuses a scenario with them. `leaselab test` runs each copy of a program as a
//     separate process, which it pauses with SIGSTOP.
//   - os.Exit and klog.Fatal end the test binary. So does a panic in a goroutine that the program itself has started,
//     unless the goroutine has deferred the function of Node.Work.
//
// # In a bubble
//
// The test runs in a bubble of testing/synctest. Virtual time passes only while every goroutine of the bubble waits for
// virtual time: in time.Sleep, on a channel or a timer made in the bubble, or for an answer. Do not open sockets in it:
// switch off listeners for metrics, health checks and webhooks. Use the context that the program gets, not the test's
// context, which comes from outside. If virtual time does not pass for 30 s ([Patience]), the test fails and shows the
// goroutine that blocks it. At the end of the scenario Run cancels every context, and every goroutine must return
// within 2 virtual minutes ([Grace]).
package electiontest
