package evidence

import (
	"maps"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/elements"
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
	HealedNs  int64  // end of a failure of the API server; 0 if it did not fail
	StopNs    int64  // when the holder released the Lease or logged that it stopped; 0 if not seen
	LoggedNs  int64  // when the holder's log says that it stopped; 0 if not seen
	WroteNs   int64  // when a client deleted the Lease or changed its holder; 0 if none did
	Left      string // whom that client named as the holder; empty if nobody
	_         struct{}
}

// Terms lists the terms of the Lease. Package rebuild builds a scenario from them.
func (l *LeaseReport) Terms() []Term {
	all := make([]Term, len(l.terms))
	for i := range l.terms {
		t := &l.terms[i]
		all[i] = Term{Holder: t.holder, FromNs: t.fromNs, LastNs: t.lastNs, StopNs: max(t.stopNs, t.releasedNs),
			LoggedNs: t.stopNs}
		if !t.fromLogs {
			all[i].WritesNs = slices.Clone(t.renewals)
		}
		if t.ended == deleted || t.ended == edited {
			all[i].WroteNs = t.releasedNs
		} else if i+1 < len(l.terms) && l.terms[i+1].edit != nil {
			all[i].WroteNs, all[i].Left = l.terms[i+1].fromNs, l.terms[i+1].holder
		}
	}
	for i := range l.changes {
		if g := &l.changes[i]; g.from != "" {
			t := &all[g.term-1]
			t.Cause, t.ResumedNs, t.HealedNs = g.cause, g.resumedNs, g.healedNs
		}
	}
	return all
}

// Durations returns the report's leaseDuration and retryPeriod.
func (l *LeaseReport) Durations() (lease, retry time.Duration) {
	return time.Duration(l.leaseNs), time.Duration(l.retryNs)
}

// Releases reports whether the electors have releaseOnCancel: one released the Lease, or tried to.
func (l *LeaseReport) Releases() bool { return l.releases }

// Bystander is a candidate that never held the Lease, and the instants at which its log says that it read the Lease.
type Bystander struct {
	Name    string
	ReadsNs []int64
}

// Bystanders lists the candidates whose logs the files have and that never held the Lease.
func (l *LeaseReport) Bystanders() []Bystander {
	reads := map[string][]int64{}
	for i := range l.lines {
		if line := &l.lines[i]; line.says == saidHeld && !line.traced {
			reads[line.node] = append(reads[line.node], line.ns)
		}
	}
	for i := range l.terms {
		delete(reads, l.terms[i].holder)
	}
	return elements.Of(slices.Sorted(maps.Keys(reads)), func(name string) Bystander {
		return Bystander{name, reads[name]}
	})
}
