package evidence

import (
	"slices"
	"time"
)

// Term is the time that a Lease named one candidate, on the timeline of the report.
type Term struct {
	Holder    string
	FromNs    int64
	WritesNs  []int64 // the first included; nil if no file shows them
	LastNs    int64
	Cause     string // of its end; empty: it did not end
	ResumedNs int64  // of a pause; 0: not seen
	StopNs    int64  // it released the Lease, or logged that it stopped; 0: not seen
	_         struct{}
}

// Terms lists the terms of the Lease, for a scenario of them.
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

// Durations are leaseDuration and retryPeriod as the report has them.
func (l *LeaseReport) Durations() (lease, retry time.Duration) {
	return time.Duration(l.leaseNs), time.Duration(l.retryNs)
}
