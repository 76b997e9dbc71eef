// Package judge says whether a run was safe, whether it did what its author expected, and where to stop and look. It
// has three packages. Package check applies rules that hold for every scenario. Package expect compares the run with
// what its scenario says should happen. Package breakpoint finds the moment at which a condition becomes true.
//
// # The problem
//
// A Lease does not stop two leaders from working at once. The holder measures its renewDeadline with its own clock,
// the others measure leaseDuration with theirs, and neither side can see whether the other has just slept. client-go
// says so in its package comment: the implementation "does not guarantee that only one client is acting as a leader
// (a.k.a. fencing)". So the question is not what the Lease says, but who works:
//
//	          renews                      paused                resumes
//	a  ━━━━━━━━┷━━━━━━━━━━━━━━━━━━━━━━━━━━━━┷━━━━━━━━━━━━━━━━━━━━━┷━━━━┓ stops
//	Lease names a                                  ┊ names b
//	b                                              ┗━━━━━━━━━━━━━━━━━━━━━━━ works
//	                                               ┊◀──────────────▶┊
//	                                               both may write
//
// Process a cannot know that its Lease expired during its pause. When it resumes, it may finish a write before it
// looks at its clock. A checker that reads only the Lease finds nothing wrong here: the Lease named one holder at every
// instant. The checker of rule 1 therefore counts a worker as active from the moment its leading starts until its work
// really ends. A pause does not end the work, and neither does a cancelled context that the work ignores.
//
// # What the rules see
//
// A run is a list of trace.Record values in order. Checks.Observe takes the records of each step. It first updates the
// facts that several rules need: who is active, whom the stored Lease names, which candidate acquired it last, and
// which faults are open. Then it tells each rule what changed. A rule sees the true state of the world, on the true
// clock. No candidate in the run can see that much, and that is the point: the delay that fools a
// candidate must not fool a rule.
//
// Most rules break at a record. Some break because nothing happens: the time without a leader exceeds the bound, or a
// worker that has read another holder's name does not stop. Such a rule names its due instant: the last instant at
// which nothing is wrong yet. Checks.Settle(now) records the violation as soon as the run has gone past that instant,
// even if no record says so.
//
// # Verdicts
//
// Each rule has one of three severities (package sim/scenario/rules). Safety: two workers at once, a fence that lets
// a stale write through, a write over another's valid Lease, callbacks out of order. Liveness: nobody leads for too
// long, or nobody leads again after the last fault. Observation: something worth knowing, but never a failure,
// because nobody promised that it would not happen. Without a fence, for example, an accepted stale write is an
// observation. The worst violation sets the command's exit code: 3 for safety, 4 for liveness.
//
// A violation has a beginning and, once it is over, an end. Two workers at once is not a single event but a stretch of
// time. Its length decides how much a worker could have written. So a Violation has FromNs and UntilNs, and UntilNs is
// -1 while it lasts.
//
// A scenario may expect a violation: a museum piece that shows a known bug fails if the bug no longer appears.
// Package expect compares such clauses with what happened ("changes: 2", "leader: a"). Each clause becomes an
// Outcome, which says what happened in the run.
//
// # A bound must be earned
//
// "Nobody leads for too long" needs a number. A scenario may give one. If it does not, the bound is the longest
// failover that the candidates' settings allow without any fault. With leaseDuration L and retryPeriod P, a standby may
// see the last renewal 2.2 P late (client-go's jitter factor is 1.2), waits L, and may poll 2.2 P late again: 23.8 s at
// the defaults of 15 s and 2 s, and not L + P. The rule adds to this bound the time in which faults kept every
// candidate from leading. A fault excuses a gap only while the fault is in effect.
//
// # The types to know
//
//   - check.Checks holds the facts of a run and the state of every rule. It is a value: Clone it to try a future and
//     return.
//   - check.Violation is one breach: rule, severity, from, until, and the candidates involved.
//   - expect.Outcome is one clause of a scenario: met or not, and what the run showed.
//   - breakpoint.Condition is a moment to look for, such as "active = 2" or "leaderless >= 10s".
//
// # Guarantee and non-guarantee
//
// All instants and lengths are nanoseconds of the run's true clock, which starts at 0. Guarantee: a verdict is a
// function of the records of a run, exact to the nanosecond. The same seed and scenario give the same verdict on every
// machine. The rules change nothing in the run. Non-guarantee: a run without a violation says nothing about other
// seeds. It is one path through the system. To learn how often a rule breaks, run many seeds: see package sim/study.
//
// The rules follow what Kubernetes promises and what it does not: client-go's tools/leaderelection (rules 1 to 4, 7, 9
// to 12 and 16), resourcelock's leaseTransitions (rule 5), the coordinated election controller's
// pickBestLeaderOldestEmulationVersion (rule 13), the version skew policy (rule 14), and the node lifecycle controller
// (rule 15). Rules 6 and 8 are about what the clients do to everybody else: the load on the API server, and writes to
// the resource that the election was meant to protect.
package judge
