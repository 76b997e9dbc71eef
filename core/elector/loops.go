package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// attemptOver returns from an attempt to the loop that began the attempt.
func (m *Machine) attemptOver(at step.Reading, ok bool, out []Output) []Output {
	if m.phase == acquiring {
		return m.endAcquireAttempt(at, ok, out)
	}
	return m.endRenewAttempt(at, ok, out)
}

// endAcquireAttempt ends one round of the acquire loop. Every round ends with one jitter draw, even the successful
// one. Source: client-go acquire, apimachinery wait.JitterUntilWithContext (sliding).
func (m *Machine) endAcquireAttempt(at step.Reading, ok bool, out []Output) []Output {
	out = m.report(out)
	if ok {
		out = append(out, Output{Kind: BecameLeader}, Output{Kind: MetricLeaderOn})
	}
	m.won = ok
	m.phase = drawing
	return append(out, Output{Kind: NeedDraw})
}

func (m *Machine) takeDraw(at step.Reading, draw float64, out []Output) []Output {
	factor := JitterFactor
	if m.config.OwnJitter {
		factor = m.config.JitterFactor
	}
	delayNs := JitterDelayNs(m.retryPeriodNs, draw, factor)
	out = append(out, Output{Kind: Jitter, Draw: draw, DelayNs: delayNs})
	switch {
	case m.won && m.config.CallbackDelayNs > 0:
		m.waitUntilNs = at.Now + m.config.CallbackDelayNs
		m.phase = starting
		return out
	case m.won:
		return m.lead(at, out)
	case m.cancelled:
		return m.finish(out)
	}
	m.waitUntilNs = at.Now + delayNs
	m.phase = acquireWait
	return out
}

// lead calls OnStartedLeading and begins to renew.
func (m *Machine) lead(at step.Reading, out []Output) []Output {
	if !m.leading { // otherwise its term began when it read its own name
		out = append(out, Output{Kind: StartedLeading})
	}
	m.leading = true
	switch {
	case m.cancelled:
		m.leading = false
		out = append(out, Output{Kind: LeadingDone})
		return m.leaveRenew(at, out)
	case m.config.Dialect&ForLife != 0:
		m.phase = holding
		return out
	}
	return m.startPoll(at, at.Now, out)
}

// startPoll begins one renewal: attempts at once and then on a ticker, until one succeeds or renewDeadline has passed.
// Source: client-go renew, apimachinery wait.PollUntilContextTimeout(immediate).
func (m *Machine) startPoll(at step.Reading, startNs int64, out []Output) []Output {
	m.pollStartNs, m.lastTickNs = startNs, startNs
	m.deadlineNs = m.pollDeadlineNs(startNs)
	m.ctxResult = step.Success
	m.phase = renewing
	return m.attempt(at, out)
}

func (m *Machine) endRenewAttempt(at step.Reading, ok bool, out []Output) []Output {
	if ok {
		out = m.report(out)
		m.waitUntilNs = at.Now + m.retryPeriodNs
		m.phase = renewWait
		if m.cancelled {
			return m.leaveRenew(at, out)
		}
		return out
	}
	if m.ctxResult != step.Success || at.Now >= m.deadlineNs {
		return m.failPoll(at, out)
	}
	if m.lastTickNs+m.retryPeriodNs <= at.Now {
		// If a tick is waiting, it fires at once. The ticker keeps its phase and has dropped older ticks.
		m.lastTickNs = m.pollStartNs + (at.Now-m.pollStartNs)/m.retryPeriodNs*m.retryPeriodNs
		return m.attempt(at, out)
	}
	m.phase = tickWait
	return out
}

func (m *Machine) failPoll(at step.Reading, out []Output) []Output {
	out = m.report(out)
	out = append(out, Output{Kind: MetricLeaderOff})
	return m.leaveRenew(at, out)
}

// leaveRenew leaves the renew loop. If the elector lost because of its deadline, its leading context is still alive
// here and ends only after release has returned.
func (m *Machine) leaveRenew(at step.Reading, out []Output) []Output {
	if m.config.ReleaseAfterWork && (m.leading || m.draining) {
		m.phase = awaitingWork
		if m.leading {
			m.leading, m.draining = false, true
			out = append(out, Output{Kind: LeadingDone}, Output{Kind: AwaitWork})
		}
		return out
	}
	return m.startRelease(at, out)
}

func (m *Machine) startRelease(at step.Reading, out []Output) []Output {
	if !m.config.ReleaseOnCancel {
		return m.endLead(out)
	}
	m.phase = releasing
	m.deadlineNs = at.Now + m.renewDeadlineNs
	if m.config.Dialect&BlindRelease != 0 {
		if !m.IsLeader() {
			return m.endLead(out)
		}
		return m.writeRelease(at, m.observed.LeaseTransitions, out)
	}
	return m.issue(at, releaseGet, out)
}

// writeRelease sends a record without holder.
func (m *Machine) writeRelease(at step.Reading, transitions int32, out []Output) []Output {
	now := coordination.MicroTimeOf(at.Wall)
	m.drafted = true
	m.record = coordination.Record{
		LeaseDurationSeconds: 1,
		AcquireTime:          now,
		RenewTime:            now,
		LeaseTransitions:     transitions,
		Present:              ownFields,
	}
	if m.config.Dialect&ZeroDurationRelease != 0 {
		m.record.LeaseDurationSeconds = 0
	}
	return m.issue(at, releaseUpdate, out)
}

// releaseAnswer clears the holder if this elector still thinks that it leads. It does not observe the record that it
// just read, so it may wipe out a successor's live lease, just as client-go may. Source: client-go v0.37.2 release.
func (m *Machine) releaseAnswer(at step.Reading, c call, in *Input, out []Output) []Output {
	switch {
	case c == releaseGet && in.Result == step.Success && m.IsLeader():
		if m.config.ReleaseChecksHolder && in.Record.HolderIdentity != m.config.Identity {
			break
		}
		return m.writeRelease(at, in.Record.LeaseTransitions, out)
	case c == releaseUpdate && in.Result == step.Conflict && m.config.Dialect&(BlindRelease|ReleaseWithoutRetry) == 0:
		return m.issue(at, releaseGet, out)
	case c == releaseUpdate && in.Result == step.Success:
		m.observeOwn(at)
	}
	return m.endLead(out)
}

func (m *Machine) endLead(out []Output) []Output {
	out = append(out, Output{Kind: StoppedEvent})
	if m.leading {
		m.leading = false
		out = append(out, Output{Kind: LeadingDone})
	}
	return m.finish(out)
}

func (m *Machine) finish(out []Output) []Output {
	m.phase = returned
	return append(out, Output{Kind: StoppedLeading}, Output{Kind: RunReturned})
}

// report calls OnNewLeader if the observed holder differs from the last reported one.
// Source: client-go v0.37.2 maybeReportTransition.
func (m *Machine) report(out []Output) []Output {
	if m.observed.HolderIdentity == m.reported {
		return out
	}
	m.reported = m.observed.HolderIdentity
	return append(out, Output{Kind: NewLeader, Name: m.reported})
}
