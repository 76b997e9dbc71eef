// Package advise finds a leaseDuration, a renewDeadline and a retryPeriod that meet the user's goals. It measures
// every setting of a lattice against each goal, chooses three that meet all goals, and confirms these with many more
// runs. If no setting meets all goals, it says which goals contradict each other, and why.
//
// # The problem
//
// The three durations have opposite effects. A short leaseDuration makes takeovers quick, but a leader with a short
// renewDeadline loses its Lease in every short outage of the API. A long retryPeriod reduces the load on the API
// server, but the renewDeadline must be even longer. People copy 15 s, 10 s and 2 s because no formula answers "I
// want a takeover within 30 s at p99, with at most 10 writes a minute, and the leader should survive 20 s without the
// API".
//
// # The types
//
// A Goal is a figure with a bound, such as takeover=30s. A probe is a kind of run that measures a goal: a crash for
// takeover, an outage for survive, a leader behind a network cut for overlap, ten calm minutes for the other goals.
// An Adviser is the study in stages: Next returns a plan of runs, Take receives the results, and Advice returns the
// outcome. Lengths are nanoseconds.
//
// # The stages
//
//	lattice: hundreds of settings, 16 runs of each probe
//	    |
//	    v
//	does one meet all goals? -- no --> a finer lattice near the goals, twice --> no: Contradiction
//	    | yes
//	    v
//	choose: the quickest, the quietest and the steadiest of them  <----+
//	    |                                                              |
//	    v                                                              |
//	prove: 1,000 runs of each probe -- one missed a goal: drop it -----+
//	    |
//	    v
//	Advice: up to three settings, each with its measurements
//
// Sixteen runs are cheap, so the lattice is wide. But a setting that fails once in fifty runs easily passes sixteen,
// so the chosen settings must also pass a thousand runs. A setting that misses a goal rules out every setting that
// cannot do better. Example: with a renewDeadline of 10 s, a leader lost the Lease in an outage of 10 s. With 8 s and
// the same retryPeriod, it would lose the Lease, too.
//
// If no setting meets all goals, the adviser looks for the smallest set of goals that no setting meets together. For
// some sets there is a proof from client-go's rules, which is true for every setting, tried or not: see bounds.go and
// overlap.go.
//
// # Guarantee
//
// The advice depends only on the scenario and the goals. A contradiction with a proof is true for every setting. For
// any other contradiction the advice says that it comes only from measurements.
//
// # Non-guarantee
//
// A thousand runs may meet a goal, and the next run may still miss it. Every measure shows the number of its runs,
// and the command that makes these runs again. The advice is for the scenario's candidates and network; the
// scenario's acts do not matter.
package advise
