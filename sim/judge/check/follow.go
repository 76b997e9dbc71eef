package check

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// follow is what more than one rule looks at: who is active, what the Lease says, how every candidate is.
type follow struct {
	active    []int32 // who is active, in order of start
	last      int32   // who became active last
	startedNs int64   // when
	sinceNs   int64   // the instant of the last change of the number of active candidates
	overlap   int     // index of moreThanOneActive that goes on, -1
	spec      coordination.Record
	exists    bool
	mapped    coordination.Symbol // whom the ConfigMap names, of the locks that keep one
	changedNs int64               // when the stored spec last changed
	holder    int32               // the candidate that last wrote the Lease in its own name, -1: none
	legit     int32               // the candidate that was the last to acquire it: the newest legitimate holder
	crashed   bool                // the last that was active ended without a word
	expired   bool                // the holder took it from somebody who had let it run out
	nodes     []node
}

// node is a candidate as the rules see it.
type node struct {
	identity    coordination.Symbol // that it writes; 0 before its first write
	present     coordination.Symbol // that its process has, if it is not the first; 0: nothing is known of it
	competes    bool                // it has an elector
	up          bool                // its process is there or will come back by itself
	paused      bool
	stopAsked   bool
	returned    bool  // Run has, and nothing runs it again
	cuts        int16 // of its own that last
	comesBack   bool  // by itself after a crash
	fromSend    bool  // it counts its deadline from when it sent its renewal: no answer is late
	started     bool  // OnStartedLeading was called, OnStoppedLeading not yet
	wrote       bool  // it has made itself the holder since
	listed      bool  // its LeaseCandidate is stored
	pinged      bool
	knowsLost   int32 // index of the violation that goes on, plus one
	stale       int32
	negative    int32
	updates     int32 // of its LeaseCandidate since the last ping
	awayUntilNs int64 // when it last was paused, cut off by itself or down; -1: never
	marginNs    int64 // L − R − P of its term
	delayNs     int64 // commit to answer of its last write
	listedNs    int64
	version     int64 // it behaves as
}

// node returns the state of a candidate; the pointer is good until another candidate is asked for.
func (c *Checks) node(i int32) *node {
	for int(i) >= len(c.nodes) {
		c.nodes = append(c.nodes, node{awayUntilNs: -1, up: true, competes: len(c.nodes) < c.terms.candidates})
	}
	return &c.nodes[i]
}

// Active lists who is active, in order of start.
func (c *Checks) Active() []int32 { return c.active }

// Totals are the leaderless and the double-leader time up to an instant.
func (c *Checks) Totals(nowNs int64) (leaderlessNs, doubleNs int64) {
	leaderlessNs, doubleNs = c.LeaderlessNs, c.DoubleNs
	switch {
	case len(c.active) == 0:
		leaderlessNs += nowNs - c.sinceNs
	case len(c.active) > 1:
		doubleNs += nowNs - c.sinceNs
	}
	return leaderlessNs, doubleNs
}

// SinceNs is when the number of active candidates last changed.
func (c *Checks) SinceNs() int64 { return c.sinceNs }

func (c *Checks) count(nowNs int64) {
	c.LeaderlessNs, c.DoubleNs = c.Totals(nowNs)
	c.sinceNs = nowNs
}

// starts makes a candidate active.
func (c *Checks) starts(r *trace.Record) {
	change := Change{AtNs: r.At, From: c.last, To: r.Candidate, Ordinal: c.ordinal}
	if len(c.active) == 0 {
		change.LeaderlessNs = r.At - c.sinceNs
		c.leaderless.over(c, r)
		c.recovery.over(c, r)
		c.failover.over(c, r, change.LeaderlessNs)
	}
	c.margin.starts(c, r)
	c.elections.starts(c, r)
	c.count(r.At)
	c.Changes = append(c.Changes, change)
	c.last, c.startedNs = r.Candidate, r.At
	if slices.Contains(c.active, r.Candidate) {
		return // it leads again while its work of the term before goes on: it has been active all the time
	}
	c.active = append(c.active, r.Candidate)
	c.twoBegin(r)
	c.shown.look(c, r)
}

// ends makes a candidate inactive.
func (c *Checks) ends(r *trace.Record) {
	i := slices.Index(c.active, r.Candidate)
	if i < 0 {
		return
	}
	c.count(r.At)
	c.active = slices.Delete(c.active, i, i+1)
	c.twoEnd(r)
	c.margin.ends(c, r)
	c.knowsLost.stops(c, r.Candidate)
	n := c.node(r.Candidate)
	c.close(&n.knowsLost, r.At)
	c.close(&n.negative, r.At)
	c.close(&n.stale, r.At)
	if len(c.active) == 0 {
		c.crashed = r.Kind == trace.Crashed || r.Kind == trace.Removed
		c.leaderless.begins(c, r)
	}
	c.shown.look(c, r)
}

// close ends the violation that a mark says goes on.
func (c *Checks) close(mark *int32, nowNs int64) {
	if *mark > 0 {
		c.Violations[*mark-1].UntilNs = nowNs
		*mark = 0
	}
}

// processStarted handles Started and Restarted.
func (c *Checks) processStarted(r *trace.Record) {
	n := c.node(r.Candidate)
	if !n.up {
		n.awayUntilNs = r.At
	}
	n.present = r.Name
	n.up, n.returned, n.paused, n.stopAsked, n.started, n.wrote = true, false, false, false, false, false
	if version := r.Process().CandidateVersion; version > 0 {
		n.version = version
	}
}

// dies takes the end of a process without a word.
func (c *Checks) dies(r *trace.Record) {
	n := c.node(r.Candidate)
	n.up, n.paused, n.started, n.wrote = false, false, false, false
}

// away takes what keeps one candidate from its Lease.
func (c *Checks) away(r *trace.Record) {
	switch r.Kind {
	case trace.CutEnded, trace.FailEnded:
		if r.Over().AnotherLasts { // another goes on
			return
		}
		for i := range c.nodes {
			if n := &c.nodes[i]; n.cuts > 0 && (r.Candidate == world.Everybody || r.Candidate == int32(i)) {
				n.cuts, n.awayUntilNs = 0, r.At
			}
		}
		return
	}
	if r.Candidate < 0 {
		return // of everybody: a store that is slow or gone, no fault of the holder's
	}
	n := c.node(r.Candidate)
	switch r.Kind {
	case trace.Paused:
		n.paused = true
	case trace.Resumed:
		n.paused, n.awayUntilNs = false, r.At
	case trace.StopAsked:
		n.stopAsked = true
	case trace.CutBegan:
		n.cuts++
	case trace.FailBegan:
		switch r.Fault {
		case network.DropRequest, network.DropResponse, network.RefuseConnection, network.Hang, network.Stall:
			n.cuts++
		}
	}
}

// answered takes an answer that a client got in time.
func (c *Checks) answered(r *trace.Record) {
	switch {
	case r.Verb != elector.Get:
		n := c.node(r.Candidate)
		n.delayNs = r.At - r.Exchange().ServedNs
		if slices.Contains(c.active, r.Candidate) && r.Spec.HolderIdentity == n.identity {
			c.margin.renewed(c, r)
		}
	case len(c.active) > 0 && slices.Contains(c.active, r.Candidate):
		c.reads(r)
	}
}

// stored follows the stored Lease through writes of every client; writer -1 is an administrator or a controller.
func (c *Checks) stored(r *trace.Record, writer int32) {
	if r.Outcome == storage.Deleted {
		c.exists, c.holder = false, -1
		c.shown.look(c, r)
		return
	}
	if !r.Outcome.Accepted() {
		return
	}
	before := c.spec
	if !c.exists {
		before = coordination.Record{}
		c.lease.begins(r)
	} else {
		if writer >= 0 {
			c.byNonHolder(r, writer)
		}
		if r.Kind != trace.Written {
			c.needlessly(r, &before, writer)
		}
	}
	c.lease.observe(c, r, writer)
	holder := r.Spec.HolderIdentity
	if holder != before.HolderIdentity && holder != 0 {
		c.expired = before.HolderIdentity != 0 && r.Kind == trace.RequestServed
		c.failover.published(&before)
	}
	c.acquires(r, holder, writer)
	if !c.exists || c.spec != r.Spec {
		c.changedNs = r.At
	}
	c.spec, c.exists = r.Spec, true
	if r.Kind == trace.Coordinated && holder != 0 {
		c.elections.namedNs = r.At
	}
	if holder != before.HolderIdentity || writer < 0 {
		c.shown.look(c, r)
	}
}

// rolledBack handles a store that goes back to an older Lease. Its holder of that time does not notice.
func (c *Checks) rolledBack(r *trace.Record) {
	c.exists, c.spec, c.changedNs, c.holder = r.Outcome == storage.OK, r.Spec, r.At, -1
	if c.exists {
		c.lease.observe(c, r, -1) // the count goes back, what happened does not
	}
	c.shown.look(c, r)
}

// acquires notes who holds the Lease by his own writing, and who was the last to get it.
func (c *Checks) acquires(r *trace.Record, holder coordination.Symbol, writer int32) {
	if writer < 0 {
		if holder != 0 && c.holder >= 0 && c.nodes[c.holder].identity != holder {
			c.holder = -1 // somebody else's, but he has not written yet
		}
		return
	}
	if holder == r.Name { // else emptied
		c.acquired(r, writer)
		c.holder = writer
	}
}

// acquired takes a write by which somebody has or keeps what his lock keeps.
func (c *Checks) acquired(r *trace.Record, writer int32) {
	n := c.node(writer)
	if c.legit != writer && (!n.wrote || c.legit < 0 || c.nodes[c.legit].identity != r.Name) {
		c.legit = writer
	}
	n.identity, n.wrote = r.Name, true
}

// inConfigMap follows the ConfigMap. The rules about the Lease are not about it; who is active is told by other records.
func (c *Checks) inConfigMap(r *trace.Record) {
	if !r.Outcome.Accepted() {
		return
	}
	c.mapped = r.Spec.HolderIdentity
	if r.Outcome == storage.Deleted {
		c.mapped = 0
	}
	if c.mapped == r.Name && r.Candidate >= 0 {
		c.acquired(r, r.Candidate)
	}
	c.shown.look(c, r)
}
