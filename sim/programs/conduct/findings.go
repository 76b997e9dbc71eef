package conduct

import (
	"slices"

	"github.com/leaselab/leaselab/sim/world"
)

// Cause is what a program does wrong.
type Cause uint8

// The causes, in the order in which a report tells them.
const (
	SameIdentity  Cause = iota // two processes write one holderIdentity
	ReleasesEarly              // it releases the Lease while it works
	WorksOn                    // it no longer tries to keep the Lease, but its work goes on
	BeyondLease                // it tries to renew, but its work outlasts the Lease
	StopIgnored                // it lives on after its grace period
	NeverExits                 // it has led, and now does nothing
	NeverCompetes              // it sends other requests, but does not ask for the Lease
	Silent                     // it sends nothing
)

// Finding is one thing that a program does wrong.
type Finding struct {
	Cause   Cause
	AtNs    int64 // when it began
	UntilNs int64 // when it ended, or when the run did; -1 if it has no end
	Node    int32
	Other   int32    // SameIdentity: the second process
	LastNs  int64    // WorksOn, BeyondLease: the last renewal
	By      Evidence // WorksOn
	Ends    bool     // its work ended by itself within a grace period, but too late
	Waits   bool     // its last request has no answer
	Never   bool     // it has never asked for the Lease
}

// Evidence is what shows that a program no longer tries to keep the Lease.
type Evidence uint8

const (
	ByContext Evidence = iota // the context of its work ended
	ByLine                    // it printed that it lost the election
	BySilence                 // it has not asked for the Lease for a whole leaseDuration
)

// Findings returns what the programs have done wrong up to an instant, the gravest cause first.
func (f *Fold) Findings(w *world.World, nowNs int64) []Finding {
	g := Fold{SlackNs: f.SlackNs, facts: f.facts, leaseNs: f.leaseNs, stored: f.stored,
		processes: slices.Clone(f.processes), terms: slices.Clip(f.terms),
		found: slices.Clone(f.found)}
	for i := range g.processes {
		p := &g.processes[i]
		if p.up && p.stopNs != never && nowNs-p.stopNs > graceNs {
			g.find(Finding{Cause: StopIgnored, AtNs: p.stopNs, UntilNs: never, Node: int32(i)})
		}
		if p.active && !p.paused {
			g.keepTerm(p, nowNs)
		}
		g.judgeSilence(w, p, nowNs)
	}
	for i := range g.terms {
		g.judgeTerm(&g.terms[i])
	}
	slices.SortStableFunc(g.found, func(a, b Finding) int { return int(a.Cause) - int(b.Cause) })
	return g.found
}

// judgeTerm finds work that has outlasted the Lease. A release explains it best. Otherwise the question is whether the
// program still tried to renew: it did not if the context of its work had ended, if it had printed that it lost the
// Lease, or if it had not asked for a whole leaseDuration.
func (f *Fold) judgeTerm(t *term) {
	slack := f.SlackNs
	if slack == 0 {
		slack = DefaultSlack
	}
	one := Finding{Cause: BeyondLease, AtNs: t.expiresNs(), UntilNs: t.untilNs, Node: t.node, LastNs: t.renewedNs,
		Waits: t.waits}
	if t.releasedNs != never && t.untilNs-t.releasedNs > slack {
		one.Cause, one.AtNs, one.Waits = ReleasesEarly, t.releasedNs, false
		f.find(one)
		return
	}
	if t.releasedNs != never || t.untilNs-one.AtNs <= slack {
		return
	}
	lostNs, by := t.contextNs, ByContext
	for i := range f.facts {
		k := &f.facts[i]
		if lostNs == never && k.Node == t.node && k.AtNs > t.renewedNs && k.AtNs < t.untilNs-slack && saysLost(k.Line) {
			lostNs, by = k.AtNs, ByLine
		}
	}
	if lostNs == never && !t.waits && t.untilNs-t.askedNs > t.leaseNs {
		lostNs, by = t.askedNs, BySilence
	}
	if lostNs != never {
		one.Cause, one.AtNs, one.By, one.Waits = WorksOn, lostNs, by, false
		one.Ends = t.ended && t.untilNs-lostNs <= graceNs
	}
	f.find(one)
}
