// Package check watches a run: who is active, for how long nobody or more than one is, and which rules are broken. Each
// rule stands in a file of its name; rules.go lists them, follow.go keeps what more than one of them looks at.
//
// Guarantee: fed every trace record in order, the totals and violations are exact to the nanosecond.
// Non-guarantee: absence of a violation in one run says nothing about other seeds.
package check

import (
	"math"
	"slices"
	"time"
	"unsafe"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const never = math.MaxInt64

// Violation is one breach of a rule. UntilNs is -1 while it goes on, and FromNs for one that has no length.
type Violation struct {
	Rule     string
	Severity rules.Severity
	FromNs   int64
	UntilNs  int64
	First    int32 // the candidates concerned, -1: none
	Second   int32
	Number   int64 // what was measured, and
	Counted  int64 // what it should have been; Describe knows what they are of each rule
	Ordinal  int32 // of the trace record inside its instant, from 1; -1: after all of it, when time alone broke the rule
}

// Change is a change of the active leader. From is -1 for the first.
type Change struct {
	AtNs         int64
	From, To     int32
	LeaderlessNs int64 // how long nobody had been active just before
	Ordinal      int32 // of the trace record inside its instant, from 1
}

// Checks is the state of all checkers: a value that Clone copies.
type Checks struct {
	Changes      []Change
	Violations   []Violation
	LeaderlessNs int64 // up to the last change of the number of active candidates
	DoubleNs     int64

	follow
	dueNs   int64 // the earliest instant at which time alone breaks a rule
	atNs    int64
	ordinal int32
	bounds  world.Bounds
	terms   terms

	leaderless leaderless
	recovery   recovery
	lease      transitions
	rate       rate
	shown      shown
	stale      stale
	owners     owners
	margin     margin
	elections  elections
	skew       skew
	failover   failover
	knowsLost  knowsLost
	needless   int32
	ready      readiness
}

// terms are what the setup says of all candidates.
type terms struct {
	retryNs    int64 // the longest retryPeriod
	leaseNs    int64 // and leaseDuration
	candidates int   // from the start; API servers and others come after them
	fenced     bool
	owned      bool // the resource has a clean-up step
	writes     bool // there is a resource
}

// New returns checks at instant 0 for a run without bounds and without a resource.
func New() Checks {
	c := Checks{follow: follow{last: -1, overlap: -1, holder: -1, legit: -1}, dueNs: never}
	c.leaderless.dueNs, c.recovery.dueNs, c.shown.dueNs, c.knowsLost.dueNs = never, never, never, never
	c.ready.dueNs = never
	c.rate.untilNs = int64(time.Second)
	return c
}

// For returns checks at instant 0 of a run of the setup.
func For(setup *world.Setup) Checks {
	c := New()
	c.bounds = setup.Bounds
	c.terms = terms{
		candidates: len(setup.Candidates),
		fenced:     setup.Resource.Fence != world.NoFence, owned: setup.Resource.CleanUp != world.NoCleanUp, writes: setup.Resource.WriteEveryNs > 0,
	}
	for i := range setup.Candidates {
		one := &setup.Candidates[i]
		c.terms.retryNs = max(c.terms.retryNs, int64(one.RetryPeriod))
		c.terms.leaseNs = max(c.terms.leaseNs, int64(one.LeaseDuration))
		if one.Process.StartsAfterCrash || one.Dialect&elector.DeadlineFromSend != 0 {
			n := c.node(int32(i))
			n.comesBack, n.fromSend = one.Process.StartsAfterCrash, one.Dialect&elector.DeadlineFromSend != 0
		}
	}
	c.ready.expect(setup.Heartbeats)
	if c.bounds.LeaderlessNs > 0 {
		c.leaderless.dueNs = c.bounds.LeaderlessNs
	}
	c.rearm()
	return c
}

// Bytes is about how much memory a clone takes.
func (c *Checks) Bytes() int64 {
	return int64(unsafe.Sizeof(*c)) + int64(len(c.nodes))*int64(unsafe.Sizeof(node{})) + int64(len(c.Violations))*int64(unsafe.Sizeof(Violation{}))
}

// Clone returns an independent copy.
func (c *Checks) Clone() Checks {
	d := *c
	d.Changes = slices.Clip(c.Changes)
	d.Violations = slices.Clone(c.Violations)
	d.active = slices.Clone(c.active)
	d.nodes = slices.Clone(c.nodes)
	d.recovery.open = slices.Clone(c.recovery.open)
	d.ready.pairs = slices.Clone(c.ready.pairs)
	d.owners.nodes = slices.Clone(c.owners.nodes)
	d.skew = c.skew.clone()
	return d
}

// Worst is the exit class of the violations so far, leaving out the rules in expected: 0, 3 (safety) or 4 (liveness).
func (c *Checks) Worst(expected func(rule string) bool) int {
	worst := 0
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Severity == rules.Observation || expected(v.Rule) {
			continue
		}
		if v.Severity == rules.Safety {
			return 3
		}
		worst = 4
	}
	return worst
}

// broken notes a violation and returns its index. A rule that has a length sets UntilNs when it is over.
//
//go:noinline
func (c *Checks) broken(v Violation) int {
	c.Violations = append(c.Violations, v)
	return len(c.Violations) - 1
}

// breach is a violation at a record, without a length.
//
//go:noinline
func (c *Checks) breach(rule string, severity rules.Severity, r *trace.Record, first, second int32) Violation {
	return Violation{Rule: rule, Severity: severity, FromNs: r.At, UntilNs: r.At, First: first, Second: second, Ordinal: c.ordinal}
}

// Settle tells the checks that the run has come to an instant, whether or not a record says so: what time alone breaks by
// then is broken.
func (c *Checks) Settle(nowNs int64) {
	if c.Due(nowNs) {
		c.settle(nowNs)
	}
}

// Due reports whether time alone has broken something by an instant that has not been noted yet.
func (c *Checks) Due(nowNs int64) bool { return nowNs > c.dueNs }

func (c *Checks) settle(nowNs int64) {
	c.leaderless.settle(c, nowNs)
	c.recovery.settle(c, nowNs)
	c.shown.settle(c, nowNs)
	c.ready.settle(c, nowNs)
	c.knowsLost.settle(c, nowNs)
	c.rearm()
}

// rearm is called whenever a due instant has moved.
func (c *Checks) rearm() {
	c.dueNs = min(c.leaderless.dueNs, c.recovery.dueNs, c.shown.dueNs, c.ready.dueNs, c.knowsLost.dueNs)
}

// Observe takes the records of one step.
func (c *Checks) Observe(records []trace.Record) {
	for i := range records {
		r := &records[i]
		if r.At != c.atNs {
			c.atNs, c.ordinal = r.At, 0
			if r.At > c.dueNs {
				c.settle(r.At)
			}
		}
		c.ordinal++
		switch r.Kind {
		case trace.RequestSent:
			c.rate.sent(c, r)
		case trace.RequestServed:
			if r.Verb != elector.Get {
				c.served(r)
			}
		case trace.RequestEnded:
			if r.Result == step.Success {
				c.answered(r)
			}
		case trace.JitterDrawn, trace.RequestNotSent, trace.MetricLeaderOn, trace.MetricLeaderOff, trace.MetricSlowPath, trace.EventBecameLeader,
			trace.EventStoppedLeading, trace.NewLeader:
		default:
			c.seldom(r)
		}
	}
}

// served takes an answered write.
func (c *Checks) served(r *trace.Record) {
	switch r.Outcome {
	case storage.Created, storage.Updated:
		if r.Object == elector.ConfigMap {
			c.inConfigMap(r)
			return
		}
		c.stored(r, r.Candidate)
	case storage.Conflict, storage.AlreadyExists:
		c.rate.conflicts++
	}
}

// seldom takes the records that are few.
func (c *Checks) seldom(r *trace.Record) {
	if faultRoles[r.Kind] != noFault { // before a process that comes back counts as there
		c.recovery.fault(c, r)
	}
	switch r.Kind {
	case trace.StartedLeading:
		c.callbackStarts(r)
		c.starts(r)
	case trace.StoppedLeading:
		n := c.node(r.Candidate)
		n.started, n.wrote = false, false
	case trace.RunReturned:
		c.node(r.Candidate).returned = !r.Return().RunsAgain
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			c.ends(r)
		}
	case trace.WorkDone:
		c.ends(r)
	case trace.Crashed, trace.Removed:
		c.dies(r)
		c.ends(r)
		c.ready.lives(c, r, false)
	case trace.Joined:
		c.node(r.Candidate).competes = true
	case trace.Started, trace.Restarted:
		c.processStarted(r)
		c.ready.lives(c, r, true)
	case trace.NodeReady, trace.NodeNotReady:
		c.ready.says(c, r)
	case trace.Paused, trace.Resumed, trace.StopAsked, trace.CutBegan, trace.CutEnded, trace.FailBegan, trace.FailEnded:
		c.away(r)
		switch r.Kind {
		case trace.Paused, trace.StopAsked:
			c.ready.lives(c, r, false)
		case trace.Resumed:
			c.ready.lives(c, r, true)
		}
	case trace.RolledBack:
		c.rolledBack(r)
	case trace.Written, trace.Coordinated:
		if r.Object == elector.ConfigMap {
			c.inConfigMap(r)
			break
		}
		c.stored(r, trace.NoCandidate)
	case trace.CandidateStored, trace.CandidatePinged, trace.Decided:
		c.elections.observe(c, r)
	case trace.ResourceAccepted, trace.ResourceRefused, trace.ResourceLost:
		c.stale.write(c, r)
		c.owners.write(c, r)
	case trace.ResourceGivenUp:
		c.owners.givenUp(c, r)
	}
	if versionKinds[r.Kind] {
		c.versions(r)
	}
}
