package evidence

import (
	"slices"
	"time"
)

// Term is a period in which the Lease named one candidate, on the timeline of the report. It has the inferences that
// package rebuild needs, but nothing about the files.
type Term struct {
	Holder    string
	FromNs    int64
	WritesNs  []int64 // all writes of the term, including the first; nil if no file shows them
	LastNs    int64
	Cause     string // why the term ended; empty if it did not end
	ResumedNs int64  // end of a pause; 0 if not seen
	StopNs    int64  // when the holder released the Lease or logged that it stopped; 0 if not seen
	_         struct{}
}

// Terms lists the terms of the Lease. Package rebuild builds a scenario from them.
func (l *LeaseReport) Terms() []Term {
	all := make([]Term, len(l.terms))
	for i := range l.terms {
		t := &l.terms[i]
		all[i] = Term{Holder: t.holder, FromNs: t.fromNs, LastNs: t.lastNs, StopNs: max(t.stopNs, t.releasedNs)}
		if !t.fromLogs {
			all[i].WritesNs = slices.Clone(t.renewals)
		}
	}
	for i := range l.changes {
		if g := &l.changes[i]; g.from != "" {
			all[g.term-1].Cause, all[g.term-1].ResumedNs = g.cause, g.resumedNs
		}
	}
	return all
}

// Durations returns the report's leaseDuration and retryPeriod.
func (l *LeaseReport) Durations() (lease, retry time.Duration) {
	return time.Duration(l.leaseNs), time.Duration(l.retryNs)
}
