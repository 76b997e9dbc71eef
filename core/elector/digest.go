package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/core/step"
)

// Version is the resourceVersion and the uid of the stored lock.
type Version struct {
	Resource int64
	UID      uint64
}

// AddTo adds all that a compare-and-swap needs to know about a version: whether it is set, and whether it is the
// stored one. An older version never becomes the stored one again.
func (v Version) AddTo(d *digest.Digest, stored Version) {
	switch {
	case v.Resource == 0:
		d.Add(0)
	case v == stored:
		d.Add(1)
	default:
		d.Add(2)
	}
}

// ObservesNext reports whether the elector will observe whatever it reads next, if it reads the stored record or a
// later one. That is the case if it waits for its next attempt, does not lead, and has not read the stored record.
// Then its observed record no longer matters. The renewTime of the record last read must be before the current second:
// an elector compares whole seconds, so it would not notice a record written in the same second.
func (m *Machine) ObservesNext(stored *coordination.Record, wallNs int64) bool {
	if m.phase != acquireWait || m.config.Dialect != 0 || m.config.Coordinated || m.IsLeader() {
		return false
	}
	return !m.hasRaw || !m.lastRead().SameRaw(stored) &&
		m.lastRead().RenewTime.Seconds() < coordination.MicroTimeOf(wallNs).Seconds()
}

// WritesFrom reports whether the current attempt may still write a renewTime within a given second since the Unix
// epoch.
func (m *Machine) WritesFrom(second int64) bool {
	return m.call != none && m.attemptRecord().RenewTime.Seconds() == second
}

// attemptRecord returns the record that the current attempt would write now.
//
//go:noinline
func (m *Machine) attemptRecord() coordination.Record {
	drafted := *m
	drafted.draft()
	return drafted.record
}

// View is the reference point to which a digest's times are relative.
type View struct {
	At     step.Reading
	From   *coordination.Origin
	Stored Version
	// ObservesNext leaves out the observed record: see Machine.ObservesNext.
	ObservesNext bool
}

// Digest adds what determines the elector's future behavior, except its configuration. Times are relative to the
// view's instant. The digest omits whatever the elector's phase no longer uses.
func (m *Machine) Digest(d *digest.Digest, view *View) {
	at := view.At
	d.Add(uint64(m.phase) | uint64(m.call)<<8)
	polls := m.phase == renewing || m.phase == tickWait
	d.AddFlags(m.cancelled, m.leading, m.draining, m.won && m.phase == drawing, view.ObservesNext,
		m.hasRaw && !view.ObservesNext)
	d.AddInt(m.retryPeriodNs)
	d.AddInt(m.renewDeadlineNs)
	if !view.ObservesNext {
		m.digestObserved(d, view)
	}
	if m.IsLeader() || m.call != none {
		Version{m.lockVersion, m.lockUID}.AddTo(d, view.Stored)
	}
	if m.call != none {
		record := m.attemptRecord()
		record.Digest(d, view.From)
		d.AddInt(m.attemptMono - at.Mono)
	}
	switch m.phase {
	case acquireWait, renewWait, starting:
		d.AddSince(at.Now, m.waitUntilNs)
	}
	if polls {
		d.Add(uint64(m.ctxResult))
		d.AddSince(at.Now, m.pollStartNs)
		d.AddSince(at.Now, m.lastTickNs)
	}
	if polls || m.phase == releasing {
		d.AddSince(at.Now, m.deadlineNs)
	}
	if m.config.Dialect != 0 {
		d.AddInt(m.attemptWall - at.Wall)
		d.AddInt(m.observedWallNs - at.Wall)
		d.AddSince(at.Now, m.issuedNs)
		d.AddSince(at.Now, m.goodSentNs)
	}
}

func (m *Machine) digestObserved(d *digest.Digest, view *View) {
	if m.observedMonoNs == -step.Never/2 {
		d.Add(0)
	} else {
		d.AddInt(m.observedMonoNs - view.At.Mono)
	}
	m.observed.Digest(d, view.From)
	if m.hasRaw && *m.lastRead() != m.observed {
		m.lastRead().Digest(d, view.From)
	}
}

// Redraw replaces the jitter draw of the wait that has begun at an instant, and reports whether the elector's wait
// depends on a draw.
func (m *Machine) Redraw(nowNs int64, draw float64) bool {
	if m.phase != acquireWait {
		return false
	}
	factor := JitterFactor
	if m.config.OwnJitter {
		factor = m.config.JitterFactor
	}
	m.waitUntilNs = nowNs + JitterDelayNs(m.retryPeriodNs, draw, factor)
	return true
}
