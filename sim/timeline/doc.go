// Package timeline is a run that the page can show at any instant. It answers one question: what was the state at
// this cursor?
//
// # The problem
//
// A visitor drags the cursor back from 50 s to 12.4 s and expects to see that instant at once. To keep a state for
// every instant would take gigabytes. To run the scenario again from 0 would take too long during a drag.
//
// # The idea
//
// A Run keeps checkpoints and an Index of rare events. A State is the run with its explanation at one instant. To
// show a stretch, the run starts at the checkpoint before it and recomputes events, requests and countdowns from
// there:
//
//	checkpoint        checkpoint        checkpoint        Frontier
//	    |---- segment ----|---- segment ----|-----------------|
//	                            ^ Cursor: recomputed from the checkpoint before it
//
// A segment is about a thousand requests, a few milliseconds of work. When all checkpoints together take too much
// memory, the run drops every second one. Around the cursor it then divides the long segments again (divide.go).
//
// An act of the visitor at the live cursor forks the run: the fork has the same checkpoints up to there, and its own
// checkpoints after that.
//
// # Guarantee and non-guarantee
//
// Guarantee: the state at a cursor is a function of (scenario, seed, live acts, cursor), whatever the page showed
// before. A fork shares everything before its acts and nothing after them. Non-guarantee: a run may have computed
// more than the page has shown. A view must omit everything after the live cursor.
//
// Instants are virtual nanoseconds since the start of the run. A Cursor is an instant and a number of records within
// it, because several things happen at one instant and a visitor may step between them.
package timeline
