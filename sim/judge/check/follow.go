package check

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

// factKinds lists the kinds of records that change facts.
var factKinds = []trace.Kind{
	trace.RequestServed, trace.RequestEnded, trace.StartedLeading, trace.StoppedLeading, trace.RunReturned,
	trace.LeadingDone,
	trace.WorkDone, trace.Crashed, trace.Removed, trace.Joined, trace.Started, trace.Restarted,
	trace.Paused, trace.Resumed, trace.StopAsked, trace.CutBegan, trace.CutEnded, trace.FailBegan,
	trace.FailEnded, trace.RolledBack, trace.Written, trace.Coordinated,
}

// `follow` updates the facts. It tells the rules what a record changes: who is active, and who holds the lock.
func (c *Checks) follow(r *trace.Record) {
	switch r.Kind {
	case trace.RequestServed:
		switch r.Outcome {
		case storage.Created, storage.Updated:
			c.followStore(r, r.Candidate)
		case storage.Conflict, storage.AlreadyExists:
			c.conflicts++
		}
	case trace.Written, trace.Coordinated:
		c.followStore(r, -1)
	case trace.StartedLeading:
		c.starts(r)
	case trace.StoppedLeading:
		c.node(r.Candidate).wrote = false
	case trace.RunReturned:
		c.node(r.Candidate).returned = !r.Return().RunsAgain
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			c.ends(r)
		}
	case trace.WorkDone:
		c.ends(r)
	case trace.Crashed, trace.Removed:
		c.processEnded(r)
		c.ends(r)
	case trace.Joined:
		c.node(r.Candidate).competes = true
	case trace.Started, trace.Restarted:
		c.processStarted(r)
	case trace.RolledBack:
		c.rolledBack(r)
	default:
		c.connectivity(r)
	}
}

// requestEnded tells the rules of an answer to a write, or to a read by an active candidate.
func (c *Checks) requestEnded(r *trace.Record) {
	if r.Result != step.Success {
		return
	}
	if r.Verb != elector.Get {
		for _, rule := range c.answered {
			rule.didAnswer(c, r)
		}
		return
	}
	if slices.Contains(c.active, r.Candidate) {
		for _, rule := range c.reading {
			rule.didRead(c, r)
		}
	}
}

// `starts` makes a candidate active. The leaderless time of the Change is the gap that ends here, or 0 if another
// candidate is active.
func (c *Checks) starts(r *trace.Record) {
	change := Change{AtNs: r.At, From: c.last, To: r.Candidate, Ordinal: c.ordinal}
	if len(c.active) == 0 {
		change.LeaderlessNs = r.At - c.sinceNs
	}
	for _, k := range hears.starting {
		c.checkers[k].(preStartHearer).willStart(c, r)
	}
	c.count(r.At)
	c.Changes = append(c.Changes, change)
	c.last, c.startedNs = r.Candidate, r.At
	if slices.Contains(c.active, r.Candidate) {
		return // it leads again while the work of its last term goes on, so it never stopped being active
	}
	c.active = append(c.active, r.Candidate)
	for _, k := range hears.started {
		c.checkers[k].(startHearer).didStart(c, r)
	}
}

// `ends` makes a candidate inactive. Its crash and the end of its work may both report this; only the first report
// counts.
func (c *Checks) ends(r *trace.Record) {
	i := slices.Index(c.active, r.Candidate)
	if i < 0 {
		return
	}
	c.count(r.At)
	c.active = slices.Delete(c.active, i, i+1)
	if len(c.active) == 0 {
		c.crashed = r.Kind == trace.Crashed || r.Kind == trace.Removed
	}
	for _, k := range hears.ended {
		c.checkers[k].(stopHearer).didStop(c, r)
	}
}

// followStore follows every client's writes to the lock object. The writer is -1 for an administrator or a
// controller. Nearly all writes are plain renewals, which matter to no rule about the store. So willStore skips them.
func (c *Checks) followStore(r *trace.Record, writer int32) {
	if r.Object == elector.ConfigMap {
		c.inConfigMap(r)
		return
	}
	if r.Outcome == storage.Deleted {
		c.exists, c.holder = false, -1
		c.holderChanged(r)
		return
	}
	if !r.Outcome.Accepted() {
		return
	}
	if writer < 0 || !c.renewedBy(r) {
		for _, k := range hears.storing {
			c.checkers[k].(storeHearer).willStore(c, r, writer)
		}
	}
	before, durationNs := coordination.Symbol(0), int64(0)
	if c.exists {
		before, durationNs = c.spec.HolderIdentity, int64(c.spec.LeaseDurationSeconds)*1e9
	}
	holder := r.Spec.HolderIdentity
	if holder != before && holder != 0 {
		c.expired, c.takenNs = before != 0 && r.Kind == trace.RequestServed, durationNs
	}
	c.noteWriter(r, writer)
	if !c.exists || c.spec != r.Spec {
		c.changedNs = r.At
	}
	c.spec, c.exists = r.Spec, true
	if holder != before || writer < 0 {
		c.holderChanged(r)
	}
}

// rolledBack handles a restore of the store to an older Lease, which names the holder at that time. If the Lease is
// the same as before, no candidate sees a change, and the Lease's duration keeps running.
func (c *Checks) rolledBack(r *trace.Record) {
	exists := r.Outcome == storage.OK
	if exists != c.exists || c.spec != r.Spec {
		c.changedNs = r.At
	}
	c.exists, c.spec, c.holder = exists, r.Spec, -1
	c.holderChanged(r)
}

// inConfigMap follows the ConfigMap. The rules about the Lease ignore it; other records tell who is active.
func (c *Checks) inConfigMap(r *trace.Record) {
	if !r.Outcome.Accepted() {
		return
	}
	c.mapped = r.Spec.HolderIdentity
	if r.Outcome == storage.Deleted {
		c.mapped = 0
	}
	if c.mapped == r.Name && r.Candidate >= 0 {
		c.noteAcquisition(r, r.Candidate)
	}
	c.holderChanged(r)
}

func (c *Checks) holderChanged(r *trace.Record) {
	for _, k := range hears.holding {
		c.checkers[k].(holderHearer).didMoveHolder(c, r)
	}
}
