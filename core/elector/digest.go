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

// AddTo adds a version as all that a compare-and-swap asks: whether there is one, and whether it is the stored one. An
// older version never becomes the stored one again.
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

// ObservesNext reports whether the elector observes whatever it reads next, if it reads the stored record or a later
// one: it waits for its next attempt, does not lead, and has not read the stored record. Then its observed record
// decides nothing any more. A record that is written from this second on has a renewTime of its own, because an elector
// compares whole seconds.
func (m *Machine) ObservesNext(stored *coordination.Record, wallNs int64) bool {
	if m.phase != acquireWait || m.config.Dialect != 0 || m.config.Coordinated || m.IsLeader() {
		return false
	}
	return !m.hasRaw || !m.lastRead().SameRaw(stored) &&
		m.lastRead().RenewTime.Seconds() < coordination.MicroTimeOf(wallNs).Seconds()
}

// WritesFrom reports whether an attempt is under way that may still write a renewTime in a second since the Unix epoch.
func (m *Machine) WritesFrom(second int64) bool {
	return m.call != none && m.attemptRecord().RenewTime.Seconds() == second
}

// attemptRecord is the record that the attempt under way would write as it stands.
//
//go:noinline
func (m *Machine) attemptRecord() coordination.Record {
	drafted := *m
	drafted.draft()
	return drafted.record
}

// View is what a digest counts from.
type View struct {
	At     step.Reading
	From   *coordination.Origin
	Stored Version
	// ObservesNext leaves out the observed record: see Machine.ObservesNext.
	ObservesNext bool
}

// Digest adds what decides what the elector does from now on, without its configuration. Times count from the view's
// instant, and what the elector's phase no longer uses is left out.
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

// Redraw gives the elector another draw of jitter for the wait that has begun at an instant, and reports whether it
// waits by a draw.
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
