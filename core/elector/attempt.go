package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// attempt begins one attempt to acquire or renew. It reads the clock once; every record of the attempt carries that
// time. Source: client-go v0.37.2 tools/leaderelection tryAcquireOrRenew, tryCoordinatedRenew.
func (m *Machine) attempt(at step.Reading, out []Output) []Output {
	m.attemptMono = at.Mono
	if m.config.Dialect != 0 {
		m.attemptWall = at.Wall
	}
	m.attemptTime, m.drafted = coordination.MicroTimeOf(at.Wall), false
	// 1. Fast path: a leader with a valid lease updates without a Get.
	if !m.config.Coordinated && m.IsLeader() && m.observedValid() && m.config.Dialect&NoFastPath == 0 {
		m.draft()
		m.keepTerm(&m.observed)
		return m.issue(at, fastUpdate, out)
	}
	return m.issue(at, get, out)
}

// draft makes the attempt's record, as client-go does at the start of an attempt. If a failed update has left a
// record behind, draft keeps it.
//
//go:noinline
func (m *Machine) draft() {
	if m.drafted {
		return
	}
	m.drafted = true
	m.record = coordination.Record{
		HolderIdentity:       m.config.Identity,
		LeaseDurationSeconds: int32(m.config.LeaseDuration / 1e9),
		AcquireTime:          m.attemptTime,
		RenewTime:            m.attemptTime,
		Present:              ownFields,
	}
}

// observedValid reports whether the observed record is still valid at the start of the attempt. It uses the duration
// in that record, which this elector or another one wrote.
func (m *Machine) observedValid() bool {
	if m.config.Dialect&(OwnLeaseDuration|expiryRules) != 0 {
		return m.validByDialect()
	}
	return m.ExpiresMonoNs() > m.attemptMono
}

// keepTerm carries acquireTime and leaseTransitions of the current term into the record.
func (m *Machine) keepTerm(from *coordination.Record) {
	m.record.AcquireTime = from.AcquireTime
	m.record.LeaseTransitions = from.LeaseTransitions
	m.record.Present = m.record.Present&^coordination.HasAcquireTime | from.Present&coordination.HasAcquireTime
	if m.config.Dialect&(TransitionsReset|TransitionsInflated) != 0 {
		m.miscount()
	}
}

// answer handles the end of the request in flight.
func (m *Machine) answer(at step.Reading, in *Input, out []Output) []Output {
	c := m.call
	m.call = none
	if in.Result == step.Success {
		m.lockVersion, m.lockUID = in.ResourceVersion, in.UID
	}
	switch c {
	case fastUpdate:
		if in.Result == step.Success {
			return m.succeed(at, out)
		}
		// After any error, the elector goes on with a Get. The record keeps the acquireTime and transitions copied
		// above.
		return m.issue(at, get, out)
	case get:
		return m.got(at, in, out)
	case create:
		if in.Result == step.Success {
			return m.succeed(at, out)
		}
		m.lockVersion, m.lockUID = 0, 0 // the lock keeps the client's empty object
		return m.attemptOver(at, false, out)
	case update:
		if in.Result == step.Success {
			return m.succeed(at, out)
		}
		return m.attemptOver(at, false, out)
	case releaseGet, releaseUpdate:
		return m.releaseAnswer(at, c, in, out)
	}
	panic("elector: answer without a request")
}

func (m *Machine) succeed(at step.Reading, out []Output) []Output {
	if m.config.Dialect != 0 {
		m.goodSentNs = m.issuedNs
	}
	m.observeOwn(at)
	return m.attemptOver(at, true, out)
}

// observeOwn makes a record that the elector has written its observed record. The record last read stays the same.
//
//go:noinline
func (m *Machine) observeOwn(at step.Reading) {
	if m.hasRaw && !m.rawApart {
		m.observedRaw, m.rawApart = m.observed, true
	}
	m.observe(&m.record, at)
}

// lastRead returns client-go's observedRawRecord.
func (m *Machine) lastRead() *coordination.Record {
	if m.rawApart {
		return &m.observedRaw
	}
	return &m.observed
}

func (m *Machine) observe(record *coordination.Record, at step.Reading) {
	m.observed, m.observedMonoNs = *record, at.Mono
	if m.config.Dialect != 0 {
		m.observedWallNs = at.Wall
	}
}

// The method got continues an attempt after its Get.
func (m *Machine) got(at step.Reading, in *Input, out []Output) []Output {
	// 2. Get. Only a plain elector creates, and only on NotFound.
	if in.Result == step.NotFound && !m.config.Coordinated {
		m.draft()
		return m.issue(at, create, out)
	}
	if in.Result != step.Success {
		return m.attemptOver(at, false, out)
	}
	// 3. Observe only a change: an unchanged record keeps aging. The elector's own write counts as a change here,
	// because the elector has not read it before.
	if !m.hasRaw || in.Changed || !m.lastRead().SameRaw(&in.Record) {
		m.observe(&in.Record, at)
		if m.config.Dialect&(TrustRenewTime|ObserveFromSend) != 0 {
			m.backdate(at)
		}
		m.hasRaw, m.rawApart = true, false
	}
	if m.config.Coordinated {
		return m.renewCoordinated(at, in, out)
	}
	if m.config.Dialect&readRules != 0 {
		stop := false
		if out, stop = m.readByDialect(at, in, out); stop {
			return m.failPoll(at, out)
		}
	}
	// 4. Leave another holder's valid lease alone. The attempt reads its time before the Get, but the observed time
	// may be from after the Get.
	if (in.Record.HolderIdentity != 0 || m.config.Dialect&ReleaseIgnored != 0) && m.validAtRead(in) && !m.IsLeader() {
		return m.attemptOver(at, false, out)
	}
	// 5. The term goes on, or a new one begins.
	m.draft()
	if m.IsLeader() {
		m.keepTerm(&in.Record)
		out = append(out, Output{Kind: MetricSlowPath})
	} else {
		m.record.LeaseTransitions = in.Record.LeaseTransitions + 1
	}
	// 6. Update.
	return m.issue(at, update, out)
}

// renewCoordinated renews a Lease that the coordinated-election controller gave to this elector; it never takes one
// itself.
func (m *Machine) renewCoordinated(at step.Reading, in *Input, out []Output) []Output {
	expired := m.observedMonoNs+int64(in.Record.LeaseDurationSeconds)*second < m.attemptMono
	endOfTerm := in.Record.PreferredHolder != 0
	if expired || !m.IsLeader() || endOfTerm {
		return m.attemptOver(at, false, out)
	}
	m.draft()
	m.keepTerm(&in.Record)
	if in.Record.Strategy != 0 {
		m.record.Strategy = in.Record.Strategy
		m.record.Present |= coordination.HasStrategy
	}
	out = append(out, Output{Kind: MetricSlowPath})
	return m.issue(at, update, out)
}
