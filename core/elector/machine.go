package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

type phase uint8

const (
	idle        phase = iota
	acquiring         // attempt of the acquire loop under way
	drawing           // attempt over, waiting for the jitter draw
	acquireWait       // between two attempts of the acquire loop
	renewing          // attempt of a renew poll under way
	tickWait          // between two attempts of a renew poll
	renewWait         // between two polls
	releasing         // release under way
	returned
	starting     // won, OnStartedLeading not yet called
	awaitingWork // lost, and the work goes on
	holding      // leads for life
)

type call uint8

const (
	none call = iota
	fastUpdate
	get
	create
	update
	releaseGet
	releaseUpdate
)

const (
	ownFields = coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds | coordination.HasAcquireTime |
		coordination.HasRenewTime | coordination.HasLeaseTransitions
	second = int64(1_000_000_000)
)

// Machine is one LeaderElector with its LeaseLock. The zero value is not usable; see New.
//
// It is one type, as LeaderElector is. Nearly every step reads both the values that client-go keeps (the observed
// record, the lock's last object) and the elector's place in Run. Every request of a run passes through this type. The
// parts that can stand alone are separate: the configuration (config.go), the lock of two objects (multilock.go) and
// the client's rate limiter (package flowcontrol, which the caller asks before it sends). Its methods are in three
// files: attempt.go has tryAcquireOrRenew, loops.go has acquire, renew and release, and dialect.go has the rules of
// other clients.
//
// The order of the fields depends on who reads them. With many candidates, nearly every request is a follower's
// attempt. Such an attempt reads only the fields up to the first fields of the configuration: 128 bytes, which is two
// cache lines.
type Machine struct {
	// The place in Run.
	phase     phase
	call      call
	won       bool // in the drawing phase: the previous attempt succeeded
	cancelled bool
	leading   bool // has reported StartedLeading, but not yet LeadingDone
	drafted   bool // the record belongs to this attempt; an attempt that only reads needs none
	hasRaw    bool
	rawApart  bool // observedRecord is not the record last read, but observedRaw is

	retryPeriodNs int64 // in world time, scaled if the node's clock runs at another rate
	waitUntilNs   int64
	attemptMono   int64
	attemptTime   coordination.MicroTime // read from the wall clock

	// The LeaseLock's last object.
	lockVersion int64
	lockUID     uint64

	// The fields of client-go: observedTime, observedRecord, reportedLeader; observedRawRecord is below, if it
	// differs.
	observedMonoNs int64
	observed       coordination.Record
	reported       coordination.Symbol

	config          Config
	renewDeadlineNs int64 // in world time
	record          coordination.Record
	observedRaw     coordination.Record
	pollStartNs     int64
	lastTickNs      int64
	deadlineNs      int64 // deadline of the poll, or of the release

	// The state of dialects.
	attemptWall    int64
	observedWallNs int64
	issuedNs       int64       // when the elector issued the last request
	goodSentNs     int64       // when the elector sent the last successful write
	ctxResult      step.Result // why the poll's context ended; Success while it is alive
	draining       bool        // the elector has asked its work to stop and waits for the end
}

// New returns an elector that has not run yet. retryPeriodNs and renewDeadlineNs are the lengths of its timers in
// world time.
func New(config Config, retryPeriodNs, renewDeadlineNs int64) Machine {
	return Machine{config: config, retryPeriodNs: retryPeriodNs, renewDeadlineNs: renewDeadlineNs,
		observedMonoNs: -step.Never / 2}
}

// Config returns the configuration of the elector.
func (m *Machine) Config() Config { return m.config }

// Outgoing returns the request of the last Send or NotSent: its record and preconditions (zero for a Get).
func (m *Machine) Outgoing() (record coordination.Record, resourceVersion int64, uid uint64) {
	switch m.call {
	case create:
		return m.record, 0, 0
	case fastUpdate, update, releaseUpdate:
		return m.record, m.lockVersion, m.lockUID
	}
	return coordination.Record{}, 0, 0
}

// IsLeader reports whether the observed record names this elector, as client-go's IsLeader does. It stays true after
// the elector has lost the leadership.
func (m *Machine) IsLeader() bool { return m.observed.HolderIdentity == m.config.Identity }

// ObservedRecord returns the observed record and the observed time, by the node's monotonic clock.
func (m *Machine) ObservedRecord() (record coordination.Record, monoNs int64, seen bool) {
	return m.observed, m.observedMonoNs, m.observedMonoNs != -step.Never/2
}

// Cancelled reports whether the context of Run has been cancelled.
func (m *Machine) Cancelled() bool { return m.cancelled || m.draining && m.phase != awaitingWork }

// RequestDeadlineNs returns when the context of a request would end if the elector issued the request now, or Never
// if the context has no deadline.
func (m *Machine) RequestDeadlineNs() int64 {
	if m.phase == releasing || m.phase == renewing && m.config.Dialect&NoRequestTimeout == 0 {
		return m.deadlineNs
	}
	return step.Never
}

// Leading reports whether the context passed to OnStartedLeading is alive.
func (m *Machine) Leading() bool { return m.leading }

// Running reports whether Run has begun and not returned.
func (m *Machine) Running() bool { return m.phase != idle && m.phase != returned }

// InFlight reports whether a request is under way.
func (m *Machine) InFlight() bool { return m.call != none }

// ExpiresMonoNs returns when the observed record expires, by the node's monotonic clock, or Never. With a wall-clock
// dialect, it is right only as long as that clock does not jump.
func (m *Machine) ExpiresMonoNs() int64 {
	if m.config.Dialect&(OwnLeaseDuration|expiryRules) != 0 {
		return m.expiresByDialect()
	}
	return m.observedMonoNs + int64(m.observed.LeaseDurationSeconds)*second
}

// MustStopNs returns the world instant at which this leader gives up unless a renewal succeeds first, or Never if it
// does not lead.
func (m *Machine) MustStopNs() int64 {
	switch {
	case !m.leading:
		return step.Never
	case m.phase == renewWait:
		return m.pollDeadlineNs(m.waitUntilNs)
	case m.phase == renewing, m.phase == tickWait, m.phase == releasing:
		return m.deadlineNs
	}
	return step.Never
}

// Healthy is the check of client-go's HealthzAdaptor: a leader is unhealthy if no renewal has succeeded for
// leaseDuration plus the tolerance.
func (m *Machine) Healthy(monoNs, toleranceNs int64) bool {
	return !m.IsLeader() || monoNs-m.observedMonoNs <= int64(m.config.LeaseDuration)+toleranceNs
}

// NextWakeNs returns when the elector wants to wake, or Never if it only waits for an answer.
func (m *Machine) NextWakeNs() int64 {
	switch m.phase {
	case acquireWait, renewWait, starting:
		return m.waitUntilNs
	case tickWait:
		return min(m.lastTickNs+m.retryPeriodNs, m.deadlineNs)
	case renewing:
		if m.config.Dialect&NoRequestTimeout != 0 {
			return step.Never
		}
		return m.deadlineNs
	case releasing:
		return m.deadlineNs
	}
	return step.Never
}

// Reclock tells the elector that its node's clock changed rate. The function stretch scales the remaining time of
// every timer by from/to.
func (m *Machine) Reclock(nowNs, retryPeriodNs, renewDeadlineNs int64, stretch func(int64) int64) {
	rescale := func(atNs int64) int64 {
		if atNs == step.Never {
			return step.Never
		}
		return nowNs + stretch(atNs-nowNs)
	}
	if m.phase != starting { // that timer waits for a processor, not for a clock
		m.waitUntilNs = rescale(m.waitUntilNs)
	}
	m.deadlineNs = rescale(m.deadlineNs)
	m.pollStartNs, m.lastTickNs = rescale(m.pollStartNs), rescale(m.lastTickNs)
	m.goodSentNs = rescale(m.goodSentNs)
	m.retryPeriodNs, m.renewDeadlineNs = retryPeriodNs, renewDeadlineNs
}

// Shift tells the elector that its node's monotonic clock stopped for a while. Every timer fires that much later.
func (m *Machine) Shift(byNs int64) {
	for _, at := range []*int64{&m.waitUntilNs, &m.deadlineNs, &m.pollStartNs, &m.lastTickNs, &m.goodSentNs} {
		if *at != step.Never {
			*at += byNs
		}
	}
}

// Step takes one input at one instant and appends what the elector does to out. It does not keep the input.
func (m *Machine) Step(at step.Reading, in *Input, out []Output) []Output {
	switch in.Kind {
	case Start:
		m.phase, m.cancelled, m.leading, m.call, m.draining = acquiring, false, false, none, false
		return m.attempt(at, out)
	case Wake:
		return m.wake(at, in.DueNs, out)
	case Answer:
		return m.answer(at, in, out)
	case Draw:
		return m.takeDraw(at, in.Draw, out)
	case Cancel:
		return m.cancel(at, out)
	case WorkOver:
		return m.workOver(at, out)
	}
	panic("elector: unknown input")
}

// StepDraw is Step with a Draw.
func (m *Machine) StepDraw(at step.Reading, draw float64, out []Output) []Output {
	return m.takeDraw(at, draw, out)
}

// wake handles the one timer that each phase sets.
func (m *Machine) wake(at step.Reading, dueNs int64, out []Output) []Output {
	switch m.phase {
	case acquireWait:
		m.phase = acquiring
		return m.attempt(at, out)
	case renewWait:
		return m.startPoll(at, dueNs, out)
	case starting:
		return m.lead(at, out)
	case renewing, releasing:
		if m.phase == renewing {
			m.ctxResult = step.ContextDeadline
		}
		return m.abort(at, step.ContextDeadline, out)
	case tickWait:
		if dueNs >= m.deadlineNs { // the deadline wins over a simultaneous tick, because client-go arms it first
			m.ctxResult = step.ContextDeadline
			return m.failPoll(at, out)
		}
		m.lastTickNs = m.pollStartNs + (dueNs-m.pollStartNs)/m.retryPeriodNs*m.retryPeriodNs
		m.phase = renewing
		return m.attempt(at, out)
	}
	panic("elector: woken without a timer")
}

func (m *Machine) cancel(at step.Reading, out []Output) []Output {
	if m.cancelled || m.draining || !m.Running() {
		return out
	}
	if m.config.ReleaseAfterWork && m.leading {
		m.leading, m.draining = false, true
		return append(out, Output{Kind: LeadingDone}, Output{Kind: AwaitWork})
	}
	return m.cancelNow(at, out)
}

// workOver handles the end of the leader's work: a cancelled elector stops now, and one that lost leadership releases
// the Lease.
func (m *Machine) workOver(at step.Reading, out []Output) []Output {
	if !m.draining {
		return out
	}
	m.draining = false
	if m.phase == awaitingWork {
		return m.startRelease(at, out)
	}
	return m.cancelNow(at, out)
}

func (m *Machine) cancelNow(at step.Reading, out []Output) []Output {
	m.cancelled = true
	if m.leading {
		m.leading = false
		out = append(out, Output{Kind: LeadingDone})
	}
	unaware := m.config.Dialect&NoRequestTimeout != 0 // requests have no context that could end
	switch m.phase {
	case acquiring:
		if unaware {
			return out
		}
		return m.abort(at, step.ContextCanceled, out)
	case acquireWait:
		return m.finish(out)
	case renewing:
		m.ctxResult = step.ContextCanceled
		if unaware {
			return out
		}
		return m.abort(at, step.ContextCanceled, out)
	case tickWait:
		m.ctxResult = step.ContextCanceled
		return m.failPoll(at, out)
	case renewWait, holding: // the loop ends between two polls and reports no leader_off metric
		return m.leaveRenew(at, out)
	}
	return out // releasing: the release has its own context; starting: the elector notices the end when it starts
}

// abort gives up the request in flight: its context ended.
func (m *Machine) abort(at step.Reading, why step.Result, out []Output) []Output {
	out = append(out, Output{Kind: Abort, Result: why})
	return m.answer(at, &Input{Kind: Answer, Result: why}, out)
}

// Releasing reports whether the elector is releasing the lock, just before Run returns. A release does not observe
// what it reads.
func (m *Machine) Releasing() bool { return m.phase == releasing }

// ContextEnd returns why a request may not go out now, or Success.
func (m *Machine) ContextEnd(at step.Reading) step.Result {
	if m.config.Dialect&NoRequestTimeout != 0 && m.phase != releasing {
		return step.Success
	}
	switch m.phase {
	case acquiring:
		if m.cancelled {
			return step.NotSentCanceled
		}
	case renewing:
		switch {
		case m.ctxResult == step.ContextCanceled:
			return step.NotSentCanceled
		case m.ctxResult == step.ContextDeadline, at.Now >= m.deadlineNs:
			m.ctxResult = step.ContextDeadline
			return step.NotSentDeadline
		}
	case releasing:
		if at.Now >= m.deadlineNs {
			return step.NotSentDeadline
		}
	}
	return step.Success
}

// issue sends a request, or reports that its context forbids it.
func (m *Machine) issue(at step.Reading, c call, out []Output) []Output {
	m.call = c
	if m.config.Dialect != 0 {
		m.issuedNs = at.Now
	}
	verb := Get
	switch c {
	case create:
		verb = Create
	case fastUpdate, update, releaseUpdate:
		verb = Update
	}
	if why := m.ContextEnd(at); why != step.Success {
		out = append(out, Output{Kind: NotSent, Verb: verb, Result: why})
		return m.answer(at, &Input{Kind: Answer, Result: why}, out)
	}
	return append(out, Output{Kind: Send, Verb: verb})
}
