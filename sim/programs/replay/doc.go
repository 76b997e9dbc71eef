// Package replay is what a world of real programs is made of without the programs: its setup, how their requests reach
// it, and the calls that are a run. A [Tape] holds the calls of a record, and carries them out again as often as it is
// asked: it is the timeline.Outside of a run that can be shown at any instant.
//
// Guarantee: the trace of a tape is that of the run that was recorded, and the tape compares the hash where the record
// tells one. Non-guarantee: a tape keeps all calls in memory, and decodes no YAML in a request's body.
package replay
