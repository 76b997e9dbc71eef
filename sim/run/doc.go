// Package run holds one run with all its watchers: the checkers, the explanation of leader changes, and the clauses
// of expect. Run steps the world and its watchers together; Watchers selects the optional ones.
//
//	World.Step --> records --> Checks    who was active, which rules the run broke     always
//	                      |--> Clauses   did it do what its scenario expects           Watchers.Clauses
//	                      +--> Tracker   why each leader change and violation happened Watchers.Explanation
//
// Nearly every caller wants this package rather than just the world. A world says what happened, and a run says what
// it means. A search that makes millions of runs uses Plain, because an explanation costs time.
//
//	r := run.WithAll(s)
//	r.To(r.EndNs(), nil) // every event, and then Settle
//	for i := range r.Checks.Violations { ... }
//
// The packages below it write a run: summary as one JSON object, transcript as text, and history as files for other
// tools. Package pacer plays a run in real time.
//
// Guarantee: every watcher sees every record in order, and all of them have seen everything up to the world's
// instant. A clone is independent of its original. Non-guarantee: a run does not stop at its end. Step it to an
// instant and call Settle there before you read the outcome. Until then the checkers do not report violations that
// come from elapsed time alone.
//
// Instants are nanoseconds since the start of the run.
package run
