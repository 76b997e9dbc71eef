// Package world runs a whole cluster on virtual time: candidates with their clocks and processes, API servers with
// their controllers, kubelets, node monitors, the network between them, one store, and everything that an
// experimenter does to them.
//
// # The problem
//
// A failover takes half a minute. A rare failover may take a month to appear. On a real cluster, no failover happens
// twice in the same way. Here a minute takes milliseconds, and the same Setup always gives the same run, event for
// event. So you can look at a strange run as often, and from as many sides, as you like.
//
// # The types
//
// Setup describes a run: candidates, API servers, network rules, and the acts to come. World is that run at one
// instant. Control is an act, such as a crash, a pause or a cut. Node and API let a caller read the world.
//
//	w := world.New(setup)
//	for w.Step(60_000_000_000) { // one event at a time, up to 60 s
//		for i := range w.Records() {
//			... // what happened: see package trace
//		}
//	}
//
// # How a step works
//
// World holds a clock, a queue and the actors. Every actor is a state machine without a clock: it gets an input and
// returns outputs, which the world carries out. A Step takes the earliest event, moves the clock there, and passes
// the event to its actor:
//
//	             +--------- timers (one per elector), queue, acts
//	             | earliest event
//	             v
//	World.Step -----> dispatch -----> actor's machine (elector, process, kubelet, controller, ...)
//	             ^                         | outputs
//	             |   new events            v
//	             +-------------- transport, timers, recorder (trace and hash)
//
// Messages take time. transport keeps a request while it is under way and asks the rules of package network at every
// gate: may it leave, does it arrive, how long does it stay at the server, and does the answer come back? The store
// carries out a request at a single instant, when the server handles it. So writes have an order. One attempt by a
// follower takes four steps:
//
//	20.000 s  timer of b        its elector wants a Get; the request leaves
//	20.001 s  requestArrives    the store answers: a holds the Lease; the answer leaves
//	20.002 s  responseArrives   b's elector sees nothing new, and draws a wait of 3.272 s
//	23.274 s  timer of b        the next attempt
//
// Many things may happen at one instant. They have a total order: by time, then class, then node, then the node's own
// number. The classes are a node's timers, acts, arrivals at the server, responses, and client timeouts, in this
// order. Neither map order nor goroutines play a part, so nothing else affects the order.
//
// # Time
//
// There are three kinds of clocks. The world's clock counts true nanoseconds. Each node has a monotonic clock, which
// may run fast or slow or stop while the node sleeps, and a wall clock, which adds an offset. Electors set timers in
// node time, and the world queues them in world time. A rate change stretches the rest of every timer.
//
// A pause does not drop anything. Events for a paused process wait in deferrals. When the process resumes, it handles
// them in the order of their original instants, but its clock shows the present. That is how a leader that slept
// sends its late write.
//
// # Guarantee
//
// A World is a function of its Setup and of the controls inserted into it. Its trace hash is the same on every
// platform, and two runs with equal hashes have the same records. Clone makes an independent copy that continues in
// the same way; CopyTo makes one in existing memory, for searches. Random numbers come from named streams, one per
// concern and node, so a new fault or node changes no other draw. Reseed changes all future draws.
//
// # Non-guarantee
//
// All API servers share one store. It carries out one request at a time, without delay; only the servers' queues and
// the network take time. The model leaves out etcd's own elections. The electors act as client-go does, to the
// nanosecond (package elector). But the model has no kernel, scheduler or Go runtime: a process works without delay,
// or it pauses.
//
// # Errors
//
// A Setup comes from package compile, which refuses invalid scenarios, so New returns no error. An act that does not
// apply, such as a crash of a process that is down, leaves a Skipped record. A machine panics if it meets a state that
// cannot occur.
//
// # Files
//
// world.go, queue.go, dispatch.go and timers.go are the loop. electors.go, process.go, candidateclients.go,
// apiservers.go, heartbeats.go and resource.go feed the machines. transport.go, messages.go, senders.go and calls.go
// carry messages. control.go and acts.go apply acts; interceptions.go stops single messages. look.go, node.go, rest.go
// and mirror.go are for readers. Package explore uses searching.go and fingerprint.go. Instants are nanoseconds since
// the start of the run; instant 0 is 2000-01-01 on an unshifted wall clock.
package world
