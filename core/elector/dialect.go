package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// Dialect is a set of differences from client-go v0.37.2, as found in older client-go versions, in other libraries
// and in proposed fixes. The zero value is client-go. Each bit changes one rule.
type Dialect uint32

const (
	// NoRequestTimeout: requests have no context; the elector checks renewDeadline only between two attempts.
	// client-go before kubernetes#65094.
	NoRequestTimeout Dialect = 1 << iota
	// OwnLeaseDuration: a record is valid for the reader's own leaseDuration, whatever duration the record
	// states. client-go before kubernetes#114872; fabric8 kubernetes-client#7160.
	OwnLeaseDuration
	// ReleaseIgnored: followers wait for a record without a holder to expire like any other. client-go of 2019,
	// reported as client-go#575.
	ReleaseIgnored
	// BlindRelease: release overwrites the version last seen, without reading first. client-go before
	// kubernetes#132849.
	BlindRelease
	// ReleaseWithoutRetry: release reads, writes once, and gives up on a conflict. client-go between
	// kubernetes#132849 and kubernetes#137988.
	ReleaseWithoutRetry
	// ZeroDurationRelease: release publishes leaseDurationSeconds 0, which the API refuses. client-go before
	// kubernetes#80954, reported as client-go#754.
	ZeroDurationRelease
	// NoFastPath: a leader reads before every renewal. client-go before kubernetes#122069.
	NoFastPath
	// TransitionsReset: a renewal writes leaseTransitions 0. client-go before kubernetes#42232.
	TransitionsReset
	// TransitionsInflated: a renewal counts as a transition. fabric8 kubernetes-client#4616.
	TransitionsInflated
	// WallClockExpiry: a record is valid until its renewTime plus its duration by the reader's wall clock.
	// ShedLock#231, talon#165, actor-ts#598.
	WallClockExpiry
	// WallClockObservation: a record is valid for its duration after the reader saw it, as measured by the reader's
	// wall clock. Programs built before Go 1.9; kubernetes#125761.
	WallClockObservation
	// TrustRenewTime: a process computes the age of the first record that it sees as its own wall clock minus the
	// record's renewTime. It counts the age of each later record from the instant when it sees the record.
	// client-go#448 and kubernetes#120824 ask for this.
	TrustRenewTime
	// CallbackBeforeWrite: the elector calls OnStartedLeading when it reads a record that names it, before it writes
	// anything. The elector's term ends when it later reads a record that names another holder. fabric8
	// kubernetes-client#7350.
	CallbackBeforeWrite
	// ForLife: a Lease with a holder never expires, and its holder neither renews nor gives up. operator-sdk
	// leader-for-life, operator-sdk#1305.
	ForLife
	// TTLLock: the server decides whether a Lease has expired. By the server's clock, a Lease is free when
	// expiryFactor times its duration, plus lockDelay, has passed since its last write. Consul sessions, consul#1172.
	TTLLock
	// NoDeadline: the elector only logs failed renewals; the leader stops when it reads another holder. Consul's lock
	// in Vault before vault#23013, consul#18271.
	NoDeadline
	// ReadsResetDeadline: a successful read during renewal restarts renewDeadline. java-operator-sdk#2056, fabric8
	// kubernetes-client#2860.
	ReadsResetDeadline
	// DeadlineFromSend: a leader gives up retryPeriod + renewDeadline after it sent its last successful renewal, not
	// after the answer. A fix: dynamodb-lock-client#1, dynamolock.
	DeadlineFromSend
	// ObserveFromSend: a record is valid for its duration after the attempt that read it began, not after the answer.
	// delta-rs#153.
	ObserveFromSend
	// StopAtOtherHolder: a leader that reads another holder stops at once. A fix: client-go goes on to the end of
	// renewDeadline (kubernetes#23731).
	StopAtOtherHolder
	// NoRetries: the client passes every answer and every broken connection to the elector at once. client-go's
	// rest.Request retries after an answer with Retry-After, and repeats a GET whose connection broke; clients in
	// other languages do not.
	NoRetries
)

// DialectRule is a dialect as scenarios name it.
type DialectRule struct {
	Name        string
	Dialect     Dialect
	Contradicts Dialect
}

const (
	expiryRules   = WallClockExpiry | WallClockObservation | ForLife | TTLLock
	deadlineRules = NoDeadline | ReadsResetDeadline | DeadlineFromSend | ForLife
)

// dialectRules lists every dialect, each with the dialects that it excludes because they change the same rule.
var dialectRules = []DialectRule{
	{"noRequestTimeout", NoRequestTimeout, NoDeadline | ForLife},
	{"ownLeaseDuration", OwnLeaseDuration, ForLife | TTLLock},
	{"releaseIgnored", ReleaseIgnored, 0},
	{"blindRelease", BlindRelease, ReleaseWithoutRetry},
	{"releaseWithoutRetry", ReleaseWithoutRetry, BlindRelease},
	{"zeroDurationRelease", ZeroDurationRelease, 0},
	{"noFastPath", NoFastPath, 0},
	{"transitionsReset", TransitionsReset, TransitionsInflated},
	{"transitionsInflated", TransitionsInflated, TransitionsReset},
	{"wallClockExpiry", WallClockExpiry, expiryRules&^WallClockExpiry | TrustRenewTime | ObserveFromSend},
	{"wallClockObservation", WallClockObservation, expiryRules&^WallClockObservation | TrustRenewTime},
	{"trustRenewTime", TrustRenewTime, expiryRules},
	{"callbackBeforeWrite", CallbackBeforeWrite, 0},
	{"forLife", ForLife,
		expiryRules&^ForLife | deadlineRules&^ForLife | TrustRenewTime | ObserveFromSend | OwnLeaseDuration |
			NoRequestTimeout | StopAtOtherHolder},
	{"ttlLock", TTLLock, expiryRules&^TTLLock | TrustRenewTime | ObserveFromSend | OwnLeaseDuration},
	{"noDeadline", NoDeadline, deadlineRules&^NoDeadline | NoRequestTimeout},
	{"readsResetDeadline", ReadsResetDeadline, deadlineRules &^ ReadsResetDeadline},
	{"deadlineFromSend", DeadlineFromSend, deadlineRules &^ DeadlineFromSend},
	{"observeFromSend", ObserveFromSend, WallClockExpiry | ForLife | TTLLock},
	{"stopAtOtherHolder", StopAtOtherHolder, ForLife},
	{"noRetries", NoRetries, 0},
}

// Dialects lists every dialect, in the order of the documentation.
func Dialects() []DialectRule { return dialectRules }

// DialectNamed returns the dialect with a name, or 0.
func DialectNamed(name string) Dialect {
	for i := range dialectRules {
		if dialectRules[i].Name == name {
			return dialectRules[i].Dialect
		}
	}
	return 0
}

// readRules are the dialects that change what a read does.
const readRules = CallbackBeforeWrite | NoDeadline | ReadsResetDeadline | StopAtOtherHolder

// readByDialect applies these rules to a record just read. The result stop means that the leader stops at once.
func (m *Machine) readByDialect(at step.Reading, in *Input, out []Output) (after []Output, stop bool) {
	d := m.config.Dialect
	if m.phase == acquiring {
		switch {
		case d&CallbackBeforeWrite == 0:
		case m.IsLeader() && !m.leading && !m.cancelled:
			m.leading = true
			out = append(out, Output{Kind: StartedLeading})
		case !m.IsLeader() && m.leading:
			m.leading = false
			out = append(out, Output{Kind: LeadingDone}, Output{Kind: StoppedLeading})
		}
		return out, false
	}
	if d&ReadsResetDeadline != 0 {
		m.deadlineNs = at.Now + m.renewDeadlineNs
	}
	return out, d&(StopAtOtherHolder|NoDeadline) != 0 && in.Record.HolderIdentity != 0 && !m.IsLeader()
}

// pollDeadlineNs returns when the poll that starts at an instant gives up.
func (m *Machine) pollDeadlineNs(startNs int64) int64 {
	switch d := m.config.Dialect; {
	case d&NoDeadline != 0:
		return step.Never
	case d&DeadlineFromSend != 0:
		return m.goodSentNs + m.retryPeriodNs + m.renewDeadlineNs
	}
	return startNs + m.renewDeadlineNs
}

// validByDialect is observedValid for dialects.
func (m *Machine) validByDialect() bool {
	switch d := m.config.Dialect; {
	case d&ForLife != 0:
		return true
	case d&WallClockExpiry != 0:
		return m.renewTimeNs()+m.durationNs() > m.attemptWall
	case d&WallClockObservation != 0:
		return m.observedWallNs+m.durationNs() > m.attemptWall
	}
	return m.observedMonoNs+m.durationNs() > m.attemptMono
}

// validAtRead is observedValid after a read: with a TTL lock, the server decides, and its answer says so.
func (m *Machine) validAtRead(in *Input) bool {
	if m.config.Dialect&TTLLock != 0 {
		return !in.Expired
	}
	return m.observedValid()
}

func (m *Machine) expiresByDialect() int64 {
	switch d := m.config.Dialect; {
	case d&ForLife != 0:
		return step.Never
	case d&WallClockExpiry != 0: // the wall clock reading at the observation relates the two clocks
		return m.observedMonoNs + m.renewTimeNs() + m.durationNs() - m.observedWallNs
	}
	return m.observedMonoNs + m.durationNs()
}

func (m *Machine) durationNs() int64 {
	if m.config.Dialect&OwnLeaseDuration != 0 {
		return int64(m.config.LeaseDuration)
	}
	return int64(m.observed.LeaseDurationSeconds) * second
}

// renewTimeNs returns the observed renewTime in ns since the Unix epoch. Without one it returns 0, which means long
// expired.
func (m *Machine) renewTimeNs() int64 {
	if !m.observed.Has(coordination.HasRenewTime) {
		return 0
	}
	return int64(m.observed.RenewTime) * 1000
}

// backdate moves the observed time of a new record back to its renewTime.
func (m *Machine) backdate(at step.Reading) {
	back := int64(0)
	if m.config.Dialect&ObserveFromSend != 0 {
		back = at.Mono - m.attemptMono
	}
	if m.config.Dialect&TrustRenewTime != 0 && !m.hasRaw {
		back = max(back, at.Wall-m.renewTimeNs())
	}
	m.observedMonoNs -= back
	m.observedWallNs -= back
}

// miscount writes the wrong leaseTransitions of a dialect.
func (m *Machine) miscount() {
	if m.config.Dialect&TransitionsReset != 0 {
		m.record.LeaseTransitions = 0
		return
	}
	m.record.LeaseTransitions++
}
