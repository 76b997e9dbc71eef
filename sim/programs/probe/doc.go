// Package probe asks an elector twenty questions: does it wait for the whole leaseDuration, does it survive a conflict,
// does it stop its work in time? `leaselab score -- PROGRAM` asks them in real time, and electiontest.Score in virtual
// time.
//
// # The problem
//
// A scenario of a suite says whether a program as a whole is safe. An author who writes or chooses an elector wants to
// know more: which rules of leader election the elector keeps, one by one, with the fix for each one that it breaks.
//
// # How it works
//
// Plays lists the short runs. Each play has one disturbance. A Watch collects what happened: each accepted write of the
// Lease, each attempt, and who worked when. Then each Probe reads the collection of its play:
//
//	play ── scenario ──> programs ── trace ──> Watch ──> Probe, Probe, ... ──> Result
//
// # Guarantee
//
// A probe judges only what reached the API server and what the program reported about its work. So it treats all
// electors alike, whatever their language.
//
// # Non-guarantee
//
// One run shows one course of events. An elector that passes may still fail with other timing: package explore and the
// simulator's sweeps search there.
package probe
