package world

import "github.com/leaselab/leaselab/core/elector"

// What the checkers judge by and only the world knows travels in the records.

// marginNs is how long before its successor may start a leader has stopped, were every answer instant: leaseDuration by
// true clocks, less renewDeadline and retryPeriod as its own clock counts them. 0 for one that has no deadline.
func (w *World) marginNs(i int32) int64 {
	n := &w.nodes[i]
	if w.settings[n.running].Dialect&(elector.NoDeadline|elector.ForLife) != 0 {
		return 0
	}
	retry, deadline := w.timerLengths(n)
	return int64(w.settings[n.running].LeaseDuration) - deadline - retry
}

// willBehaveAs is the version that a candidate's next process emulates or is, as a number; 0 if it has none.
func (w *World) willBehaveAs(i int32) int64 {
	c := &w.settings[w.nodes[i].settings]
	if c.EmulationVersion != 0 {
		return w.versionNumber(c.EmulationVersion)
	}
	return w.versionNumber(c.BinaryVersion)
}

// runsAgain reports whether a process whose Run has returned runs again by itself.
func (w *World) runsAgain(i int32) bool {
	n := &w.nodes[i]
	return n.process.RunsAgain(&w.settings[n.settings].Process)
}
