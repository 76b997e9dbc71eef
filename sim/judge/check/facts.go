package check

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/wide"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// `facts` holds what several rules need: who is active, what the Lease says, and the state of every candidate. A
// candidate is active while it works, not while it holds the Lease: see package judge. If an administrator deletes or
// rewrites the Lease, the field holder becomes -1, but the field legit stays, because nobody else has acquired it.
type facts struct {
	LeaderlessNs int64 // counted up to sinceNs, when the number of active candidates last changed
	DoubleNs     int64

	bounds    world.Bounds
	settings  settings
	atNs      int64   // instant of the last record
	ordinal   int32   // place of the last record within that instant, from 1
	active    []int32 // active candidates, in order of start
	last      int32   // the candidate that became active last
	startedNs int64   // when that candidate became active
	sinceNs   int64   // the instant of the last change of the number of active candidates
	spec      coordination.Record
	exists    bool
	mapped    coordination.Symbol // the holder in the ConfigMap, for locks that keep one
	changedNs int64               // when the stored spec last changed
	holder    int32               // the candidate that last wrote the Lease in its own name; -1 if none
	legit     int32               // the newest legitimate holder: the candidate that last acquired the Lease
	crashed   bool                // the last active candidate crashed, or an act removed it
	expired   bool                // the holder took over a Lease that had expired
	takenNs   int64               // leaseDuration of the Lease that the last new holder replaced; 0 if none
	conflicts int64               // writes that failed with a conflict
	nodes     []node
}

// `settings` summarizes the setup of all candidates.
type settings struct {
	retryNs    int64 // the longest retryPeriod
	leaseNs    int64 // the longest leaseDuration
	candidates int   // number of candidates at the start; API servers and others come after them
	servers    int   // how many API servers come after them
	programs   bool  // real programs run in the candidates
	worstNs    int64 // the longest failover by the formula, with the slowest clock and the latencies

	// Dialects may change the instant at which a Lease expires, but not retryPeriod.
	ownNs       int64 // the longest leaseDuration that a candidate uses instead of the Lease's
	expiryPpm   int64 // the largest share of the duration after which the server expires a lock; 0 if no server does
	lockDelayNs int64 // how long nobody can take a lock that the server has expired
}

// node is a candidate from the rules' point of view.
type node struct {
	identity    coordination.Symbol // the identity that the candidate last wrote; 0 before its first write
	present     coordination.Symbol // identity of the running process, if not the first one; 0 if unknown
	competes    bool                // the node has an elector
	up          bool                // its process runs, or will come back by itself
	started     bool                // its process has run at least once
	wasUp       bool                // the process was up just before it last started
	paused      bool
	stopAsked   bool
	returned    bool  // Run has returned, and nothing will call it again
	comesBack   bool  // the process restarts by itself after a crash
	wrote       bool  // it made itself the holder after its process started or after it last stopped leading
	cuts        int16 // number of open cuts of this node alone
	awayUntilNs int64 // when the node was last paused, down, or cut off alone; -1 if never
}

func newFacts() facts { return facts{last: -1, holder: -1, legit: -1} }

func (f *facts) prepare(setup *world.Setup) {
	f.bounds = setup.Bounds
	f.settings.candidates, f.settings.servers = len(setup.Candidates), len(setup.Servers)
	for i := range setup.Candidates {
		candidate := &setup.Candidates[i]
		f.settings.programs = f.settings.programs || candidate.Program
		f.settings.retryNs = max(f.settings.retryNs, int64(candidate.RetryPeriod))
		f.settings.leaseNs = max(f.settings.leaseNs, int64(candidate.LeaseDuration))
		f.settings.worstNs = max(f.settings.worstNs, WorstNs(candidate))
		if candidate.Dialect&elector.OwnLeaseDuration != 0 {
			f.settings.ownNs = max(f.settings.ownNs, int64(candidate.LeaseDuration))
		}
		if candidate.Dialect&elector.TTLLock != 0 {
			f.settings.expiryPpm = max(f.settings.expiryPpm, candidate.ExpiryPpm)
			f.settings.lockDelayNs = max(f.settings.lockDelayNs, candidate.LockDelayNs)
		}
		if candidate.Process.StartsAfterCrash || candidate.Dialect&elector.DeadlineFromSend != 0 {
			f.node(int32(i)).comesBack = candidate.Process.StartsAfterCrash
		}
	}
}

// MarginNs returns leaseDuration − renewDeadline − retryPeriod − the latency of an answer. This is the time between
// the stop of a leader behind a cut and the start of its successor.
//
// A leader learns of its last renewal one answer's latency after the server stored it. It waits retryPeriod, tries
// for renewDeadline and stops. Its successor may have seen the renewal at once, and takes over leaseDuration later.
// With client-go's defaults, 15 − 10 − 2 s leave 3 s minus the latency. With a negative margin, one cut is enough for
// two active leaders, even if all clocks agree. leaseDuration is in whole seconds, because the Lease stores whole
// seconds.
func MarginNs(c *world.Candidate) int64 {
	whole := int64(c.LeaseDuration) / secondNs * secondNs
	return whole - int64(c.RenewDeadline) - int64(c.RetryPeriod) - c.ResponseNs
}

// WorstNs is the longest failover by the formula of rule 16, with a candidate's clock and latencies added. The
// candidate may see the last renewal one poll late, and its attempt may come one poll after the countdown. Each of
// the two polls takes two requests. A clock at half speed makes a leaseDuration of 15 s last 30 s.
func WorstNs(c *world.Candidate) int64 {
	lease := int64(c.LeaseDuration) + 2*int64(c.RetryPeriod)/1000*pollPerMille
	if c.Dialect&elector.TTLLock != 0 {
		lease = wide.MulDiv(lease, max(c.ExpiryPpm, 1_000_000), 1_000_000) + c.LockDelayNs
	}
	if c.RatePpm > 0 && c.RatePpm < 1_000_000 {
		lease = wide.MulDiv(lease, 1_000_000, c.RatePpm)
	}
	const requests = 4
	return lease + requests*(c.RequestNs+c.ResponseNs) + c.CallbackDelayNs
}

// `able` reports whether some candidate could lead: it runs, and no fault affects it, an API server, or the whole
// system. One healthy standby is enough: a standby exists to take over, so its failure to do so needs an explanation.
func (f *facts) able(open []openFault) bool {
	server := func(i int32) bool {
		return int(i) >= f.settings.candidates && int(i) < f.settings.candidates+f.settings.servers
	}
	for _, fault := range open {
		if fault.candidate < 0 || server(fault.candidate) {
			return false
		}
	}
	for i := range f.nodes {
		if server(int32(i)) && f.nodes[i].started && !f.nodes[i].up {
			return false
		}
	}
	for i := range f.nodes {
		n := &f.nodes[i]
		if n.runs() && !n.paused && !slices.ContainsFunc(open,
			func(o openFault) bool { return o.candidate == int32(i) }) {
			return true
		}
	}
	return false
}

// `alive` reports whether a candidate runs, paused or not.
func (f *facts) alive() bool {
	return slices.ContainsFunc(f.nodes, func(n node) bool { return n.runs() })
}

// `runs` reports whether a candidate's process runs and may lead.
func (n *node) runs() bool { return n.competes && n.started && n.up && !n.stopAsked && !n.returned }

func (f *facts) clone() facts {
	g := *f
	g.active, g.nodes = slices.Clone(f.active), slices.Clone(f.nodes)
	return g
}

// node returns the state of a candidate. The pointer is valid until the next call.
func (f *facts) node(i int32) *node {
	if int(i) >= len(f.nodes) {
		f.grow(i)
	}
	return &f.nodes[i]
}

func (f *facts) grow(i int32) {
	for int(i) >= len(f.nodes) {
		f.nodes = append(f.nodes, node{awayUntilNs: -1, up: true, competes: len(f.nodes) < f.settings.candidates})
	}
}

// Active lists the active candidates, in order of start.
func (f *facts) Active() []int32 { return f.active }

// Totals returns the time without a leader and the time with more than one, up to an instant.
func (f *facts) Totals(nowNs int64) (leaderlessNs, doubleNs int64) {
	leaderlessNs, doubleNs = f.LeaderlessNs, f.DoubleNs
	switch {
	case len(f.active) == 0:
		leaderlessNs += nowNs - f.sinceNs
	case len(f.active) > 1:
		doubleNs += nowNs - f.sinceNs
	}
	return leaderlessNs, doubleNs
}

// SinceNs returns when the number of active candidates last changed.
func (f *facts) SinceNs() int64 { return f.sinceNs }

// `count` brings the totals up to date before the number of active candidates changes.
func (f *facts) count(nowNs int64) {
	f.LeaderlessNs, f.DoubleNs = f.Totals(nowNs)
	f.sinceNs = nowNs
}

// processStarted handles Started and Restarted.
func (f *facts) processStarted(r *trace.Record) {
	n := f.node(r.Candidate)
	if !n.up {
		n.awayUntilNs = r.At
	}
	n.present = r.Name
	n.wasUp, n.started = n.up, true
	n.up, n.returned, n.paused, n.stopAsked, n.wrote = true, false, false, false, false
}

// processEnded handles Crashed and Removed.
func (f *facts) processEnded(r *trace.Record) {
	n := f.node(r.Candidate)
	n.up, n.paused, n.wrote = false, false, false
}

// connectivity handles the beginning and the end of a fault that keeps a candidate from its Lease. Faults may
// overlap, as when a cut of 20 s contains a cut of 5 s. When one ends, its record says whether another one is
// still in effect; only the end of the last one counts.
func (f *facts) connectivity(r *trace.Record) {
	switch r.Kind {
	case trace.CutEnded, trace.FailEnded:
		if r.Over().AnotherLasts {
			return
		}
		for i := range f.nodes {
			if n := &f.nodes[i]; n.cuts > 0 && (r.Candidate == world.Everybody || r.Candidate == int32(i)) {
				n.cuts, n.awayUntilNs = 0, r.At
			}
		}
		return
	}
	if r.Candidate < 0 {
		return // the fault affects all candidates, so it says nothing about the holder
	}
	n := f.node(r.Candidate)
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

// renewedBy reports whether a write only renews the Lease: the writer held it before and holds it now, and
// leaseTransitions does not change.
func (f *facts) renewedBy(r *trace.Record) bool {
	return f.exists && r.Name == f.spec.HolderIdentity && r.Name == r.Spec.HolderIdentity &&
		r.Spec.LeaseTransitions == f.spec.LeaseTransitions && r.Spec.Present == f.spec.Present
}

// noteWriter records which candidate last made itself the holder, and which one last acquired the Lease.
func (f *facts) noteWriter(r *trace.Record, writer int32) {
	holder := r.Spec.HolderIdentity
	if writer < 0 {
		if holder != 0 && f.holder >= 0 && f.nodes[f.holder].identity != holder {
			f.holder = -1 // the Lease names another candidate, which has not yet written it
		}
		return
	}
	if holder == r.Name { // otherwise the writer emptied the Lease
		f.noteAcquisition(r, writer)
		f.holder = writer
	}
}

// noteAcquisition handles a write that acquires or keeps a candidate's lock. If two processes share one identity,
// a renewal by the second looks like a renewal by the first. The write acquires the lock if its process has not
// held it before, or if the last one to acquire it wrote under another identity.
func (f *facts) noteAcquisition(r *trace.Record, writer int32) {
	n := f.node(writer)
	if f.legit != writer && (!n.wrote || f.legit < 0 || f.nodes[f.legit].identity != r.Name) {
		f.legit = writer
	}
	n.identity, n.wrote = r.Name, true
}

// NobodyCompetes reports whether every process is gone or stopped for good, so that only an act can bring a new leader.
func (f *facts) NobodyCompetes() bool {
	for i := range f.nodes {
		if n := &f.nodes[i]; n.competes && (n.up || n.comesBack) && !n.stopAsked && !n.returned {
			return false
		}
	}
	return len(f.nodes) > 0
}

// openEndedNote marks an open gap that may never end: no candidate can lead any more, or the gap is already longer
// than the formula's longest failover.
func (f *facts) openEndedNote(nowNs int64) string {
	longest := f.settings.worstNs
	switch {
	case len(f.active) > 0:
		return ""
	case f.NobodyCompetes():
		return ", ∞: no candidate competes anymore"
	case longest > 0 && nowNs-f.sinceNs > longest:
		return ", ∞: longer than any failover takes"
	}
	return ""
}
