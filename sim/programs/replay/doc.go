// Package replay is a world of real programs without the programs: its setup, the way of requests into it, and the
// calls that make up a run. A [Tape] holds the calls of a record and repeats them any number of times. As the
// timeline.Outside of a run, it lets a session show the run at any instant.
//
// Guarantee: a tape produces the trace of the recorded run, and checks its hash wherever the record has one.
// Non-guarantee: a tape keeps all calls in memory, and does not decode YAML in a request's body.
package replay
