package conduct

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// DefaultSlack is how long after the real end of some work the world may still count a program as working.
const DefaultSlack = int64(1_500_000_000)

// graceNs is how long a kubelet waits between SIGTERM and SIGKILL unless a pod says otherwise.
const graceNs = int64(scenario.DefaultTerminationGrace)

// hangsNs is how long a request without an answer is normal: client-go notices a dead connection within 45 s.
const hangsNs = int64(60_000_000_000)

// never is the instant of what has not happened.
const never = int64(-1)

// Fold follows the programs of one run. Its zero value is a run at instant 0.
type Fold struct {
	SlackNs int64 // 0 means DefaultSlack

	facts     []Fact // in order of time
	processes []process
	stored    coordination.Record // the Lease after the last write
	leaseNs   int64               // leaseDuration in the last write that names a holder; 0 if unknown
	terms     []term              // the work that may have outlasted the Lease
	found     []Finding
}

// process is the latest process of a node.
type process struct {
	up, paused, active bool
	led                bool // it has worked or held the Lease
	since              int64
	stopNs             int64 // when it got the order to stop
	askedNs            int64 // when it last asked for the Lease
	otherNs            int64 // when it last sent another request
	seq, answered      int32 // the last request for the Lease, and the last one that has ended
	identity           coordination.Symbol
	term               term
}

// term is a stretch of work, as far as it matters whether the Lease covers it.
type term struct {
	node       int32
	untilNs    int64 // end of the work, or of the time without a valid Lease
	renewedNs  int64 // the store's last renewal
	leaseNs    int64 // leaseDuration of the Lease
	resumedNs  int64 // when a pause ended
	contextNs  int64 // when the context of the work ended
	releasedNs int64 // when the process released the Lease
	askedNs    int64
	waits      bool // the last request has had no answer for a whole leaseDuration
	ended      bool // the work ended then
}

// expiresNs returns when the Lease no longer covers the work. After a pause, a process needs time to notice that.
func (t *term) expiresNs() int64 {
	if t.renewedNs == never {
		return t.untilNs
	}
	return max(t.renewedNs, t.resumedNs) + t.leaseNs
}

// Observe takes the records of one step, with the world in the state after the step.
func (f *Fold) Observe(w *world.World, records []trace.Record) {
	for i := range records {
		if r := &records[i]; r.Candidate >= 0 && int(r.Candidate) < w.Nodes() && w.Node(r.Candidate).RunsProgram() {
			f.observe(w, r)
		}
	}
}

// Sends takes a request that is not about the Lease.
func (f *Fold) Sends(node int32, atNs int64) {
	p := f.process(node)
	p.otherNs = max(p.otherNs, atNs)
}

// Hear takes what a process shows. A line may come later than other facts, because the cluster has kept it for a while.
func (f *Fold) Hear(k Fact) {
	at := len(f.facts)
	for at > 0 && f.facts[at-1].AtNs > k.AtNs {
		at--
	}
	f.facts = slices.Insert(f.facts, at, k)
}

func (f *Fold) process(node int32) *process {
	for int(node) >= len(f.processes) {
		f.processes = append(f.processes, process{}) // Started follows
	}
	return &f.processes[node]
}

func (f *Fold) observe(w *world.World, r *trace.Record) {
	p := f.process(r.Candidate)
	switch r.Kind {
	case trace.Started, trace.Restarted:
		*p = process{up: true, since: r.At, stopNs: never, askedNs: never, otherNs: never, term: term{node: r.Candidate,
			renewedNs: never, resumedNs: never, contextNs: never, releasedNs: never}}
	case trace.RequestSent:
		p.askedNs, p.seq = r.At, r.Seq
	case trace.RequestEnded:
		p.answered = max(p.answered, r.Seq)
	case trace.RequestServed:
		if r.Verb != elector.Get && r.Outcome.Accepted() {
			f.takeWrite(p, r)
		}
	case trace.StartedLeading:
		f.beginWork(p, r.At)
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			f.endWork(p, r.At)
		} else {
			p.term.contextNs = r.At
		}
	case trace.WorkDone:
		f.endWork(p, r.At)
	case trace.StopAsked:
		f.judgeSilence(w, p, r.At)
		p.stopNs = r.At
	case trace.Paused:
		f.judgeSilence(w, p, r.At)
		p.paused = true
	case trace.Resumed:
		p.paused, p.since, p.term.resumedNs = false, r.At, r.At
	case trace.RunReturned, trace.Crashed, trace.Removed:
		f.endProcess(w, p, r)
	}
}

// takeWrite follows a write to the Lease. If it changes neither the holder nor renewTime, it says nothing about who
// leads. If another running process has written the same identity, the two share it.
func (f *Fold) takeWrite(p *process, r *trace.Record) {
	t, before := &p.term, f.stored
	f.stored = r.Spec
	switch {
	case r.Spec.HolderIdentity == before.HolderIdentity && r.Spec.RenewTime == before.RenewTime:
		return
	case r.Spec.HolderIdentity == 0:
		if p.active {
			t.releasedNs = r.At // until its next write, it works without the Lease
		}
		return
	}
	if p.active && t.renewedNs != never && r.At > t.expiresNs() {
		f.keepTerm(p, r.At) // it has worked without a valid Lease, and has one again
	}
	if !p.active {
		t.contextNs = never
	}
	p.led, p.identity = true, r.Spec.HolderIdentity
	f.leaseNs = int64(r.Spec.LeaseDurationSeconds) * 1e9
	t.renewedNs, t.leaseNs, t.releasedNs = r.At, f.leaseNs, never
	for i := range f.processes {
		if other := &f.processes[i]; other.up && other.identity == p.identity && int32(i) != r.Candidate {
			f.find(Finding{Cause: SameIdentity, AtNs: r.At, UntilNs: never, Node: int32(i), Other: r.Candidate})
		}
	}
}

func (f *Fold) keepTerm(p *process, untilNs int64) {
	t := p.term
	t.untilNs, t.askedNs, t.waits = untilNs, p.askedNs, p.seq > p.answered && untilNs-p.askedNs > t.leaseNs
	f.terms = append(f.terms, t)
}

// beginWork begins the work of a process. If another process takes the Lease, reported pieces of work seem to end and
// to begin again. That is one term.
func (f *Fold) beginWork(p *process, atNs int64) {
	f.terms = slices.DeleteFunc(f.terms, func(t term) bool {
		return t.node == p.term.node && t.renewedNs == p.term.renewedNs && atNs-t.untilNs <= DefaultSlack
	})
	p.active, p.led = true, true
}

func (f *Fold) endWork(p *process, atNs int64) {
	if p.active {
		f.keepTerm(p, atNs)
		f.terms[len(f.terms)-1].ended = true
	}
	p.active, p.since = false, max(p.since, atNs)
}

// endProcess handles the end of a process. A process that ends after its grace period has ignored the stop.
func (f *Fold) endProcess(w *world.World, p *process, r *trace.Record) {
	if r.Kind == trace.RunReturned && r.Return().RunsAgain {
		return
	}
	f.judgeSilence(w, p, r.At)
	if !w.Node(r.Candidate).Active() { // in a test, a goroutine may work on after its program has returned
		f.endWork(p, r.At)
	}
	late := p.stopNs != never && r.At-p.stopNs > graceNs
	if p.up && (late || r.Kind == trace.Crashed && r.Crash().ByGrace) {
		f.find(Finding{Cause: StopIgnored, AtNs: p.stopNs, UntilNs: r.At, Node: p.term.node})
	}
	p.up = false
}

// judgeSilence finds a process that has asked for the Lease too long ago, although it neither
// works nor has the order to stop.
func (f *Fold) judgeSilence(w *world.World, p *process, nowNs int64) {
	if !p.up || p.paused || p.active || p.stopNs != never {
		return
	}
	node := w.Node(p.term.node)
	if up, down := node.CutOff(); (up || down) && p.askedNs == never {
		return // it may still wait for the answer to a first request about something else
	}
	leaseNs := f.leaseNs
	if leaseNs == 0 {
		running, _ := node.Settings()
		leaseNs = int64(running.LeaseDuration)
	}
	sinceNs, waits := max(p.since, p.askedNs), p.seq > p.answered
	if silentNs := nowNs - sinceNs; silentNs < 2*leaseNs || waits && silentNs < hangsNs {
		return
	}
	one := Finding{Cause: Silent, AtNs: sinceNs, UntilNs: nowNs, Node: p.term.node, Never: p.askedNs == never,
		Waits: waits}
	switch {
	case p.otherNs > sinceNs+leaseNs:
		one.Cause = NeverCompetes
	case p.led:
		one.Cause = NeverExits
	}
	f.find(one)
}

// find adds a finding, unless its processes already have one with this cause.
func (f *Fold) find(one Finding) {
	has := func(node int32) bool {
		return slices.ContainsFunc(f.found, func(k Finding) bool {
			return k.Cause == one.Cause && (k.Node == node || k.Cause == SameIdentity && k.Other == node)
		})
	}
	if !has(one.Node) || one.Cause == SameIdentity && !has(one.Other) {
		f.found = append(f.found, one)
	}
}
