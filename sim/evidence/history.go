package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/run/summary"
)

// teller converts a report into a history, so that the exports for runs (package history) also work for evidence.
type teller struct {
	l *LeaseReport
	h history.History
}

// History returns what the evidence shows of the Lease. A request has a length only if an audit log gives one. Reads
// that nothing attributes to a candidate belong to no node.
func (l *LeaseReport) History() history.History {
	t := teller{l: l, h: history.History{Title: "Lease " + l.Name, Lease: l.Name,
		LeaseSeconds: l.leaseNs / int64(time.Second), EpochNs: l.fromNs - l.fromNs%int64(time.Second)}}
	t.h.ToNs = l.toNs - t.h.EpochNs
	t.h.About = []history.Fact{{Name: "lease", Value: l.Name}, {Name: "from", Value: l.FromTime},
		{Name: "cause", Value: l.Causes()}}
	t.terms()
	t.writes()
	for i := range l.attempts {
		a := &l.attempts[i]
		at := a.atNs - t.h.EpochNs
		t.request(a.holder, 0, history.Request{Verb: "update", Result: fmt.Sprintf("HTTP %d", a.code), ServedNs: at})
		t.event(at, a.holder, eventText{"write", "requestServed",
			fmt.Sprintf("fails to update the Lease: HTTP %d.", a.code)})
	}
	for i := range l.gets {
		g := &l.gets[i]
		at := g.ns - t.h.EpochNs
		t.request(g.by, g.stageNs-g.receivedNs, history.Request{Verb: "get", ServedNs: at})
		t.event(at, g.by, eventText{"request", "requestServed", "reads the Lease."})
	}
	t.lines()
	sort.SliceStable(t.h.Events, func(i, k int) bool {
		return t.h.Events[i].T < t.h.Events[k].T
	})
	t.number()
	t.h.Clip()
	return t.h
}

// node returns the number of a node and adds it to the history if it is new.
func (t *teller) node(name string) int {
	if name == "" {
		return history.APIServer
	}
	i := slices.Index(t.h.Nodes, name)
	if i < 0 {
		i = len(t.h.Nodes)
		t.h.Nodes = append(t.h.Nodes, name)
	}
	return i
}

// eventText is the text of an event.
type eventText struct{ kind, name, text string }

func (t *teller) event(atNs int64, node string, says eventText) *history.Event {
	if node != "" {
		t.node(node)
	}
	t.h.Events = append(t.h.Events, history.Event{T: summary.Seconds(atNs), Node: node, Kind: says.kind,
		Events: []string{says.name}, Text: says.text})
	return &t.h.Events[len(t.h.Events)-1]
}

// request adds a node's request. The request ends when the server handles it.
func (t *teller) request(node string, tookNs int64, q history.Request) {
	q.Node, q.SentNs, q.EndedNs = t.node(node), max(0, q.ServedNs-max(0, tookNs)), q.ServedNs
	t.h.Requests = append(t.h.Requests, q)
}

// `terms` adds the Lease's holders and the nodes' roles. The two may differ: the Lease names b from 20 s on, while
// candidate a leads until it stops at 31 s.
func (t *teller) terms() {
	ends := make([]int64, len(t.l.terms))
	for i := range t.l.changes {
		if g := &t.l.changes[i]; g.from != "" {
			if ends[g.term-1] = g.endNs; g.overlapFromNs > 0 {
				begun := g.overlapFromNs - t.h.EpochNs
				t.h.Roles = append(t.h.Roles,
					history.Span{Node: t.node(g.from), Says: history.Leads, FromNs: begun, ToNs: begun + g.overlapNs})
			} else if g.overlapNs > 0 {
				ends[g.term-1] = t.l.terms[g.term].fromNs + g.overlapNs
			}
		}
	}
	for i := range t.l.terms {
		one := &t.l.terms[i]
		held, leads := history.Open, history.Open
		if i+1 < len(t.l.terms) {
			held = t.l.terms[i+1].fromNs - t.h.EpochNs
			leads = held
		}
		if one.releasedNs != 0 {
			held = one.releasedNs - t.h.EpochNs
			leads = held
		}
		if one.stopNs != 0 {
			leads = one.stopNs - t.h.EpochNs
		}
		if ends[i] != 0 {
			leads = ends[i] - t.h.EpochNs
		}
		again := slices.IndexFunc(t.l.terms[i+1:], func(o term) bool { return o.holder == one.holder })
		if again >= 0 {
			leads = min(leads, t.l.terms[i+1+again].fromNs-t.h.EpochNs)
		}
		from, node := one.fromNs-t.h.EpochNs, t.node(one.holder)
		t.h.Holders = append(t.h.Holders,
			history.Span{Node: history.APIServer, Says: one.holder, FromNs: from, ToNs: held})
		t.h.Roles = append(t.h.Roles, history.Span{Node: node, Says: history.Leads, FromNs: from, ToNs: leads})
	}
	sort.SliceStable(t.h.Roles, func(i, k int) bool {
		return t.h.Roles[i].FromNs < t.h.Roles[k].FromNs
	})
}

// `writes` adds the states of the Lease as events. A state belongs to the candidate that it names; a release belongs to
// the previous holder.
func (t *teller) writes() {
	before := ""
	for i := range t.l.writes {
		w := &t.l.writes[i]
		at := w.ns - t.h.EpochNs
		who, verb, result, text := w.holder, "update", "updated", "renews the Lease."
		switch {
		case w.deleted:
			t.event(at, "", eventText{"act", "written", "A client deletes the Lease."})
			before = ""
			continue
		case w.edit:
			t.event(at, "", eventText{"act", "written", fmt.Sprintf("%s writes the Lease: holderIdentity is %q.",
				w.by.name(), w.holder)})
			before = w.holder
			continue
		case w.holder == "":
			who, text = before, "releases the Lease."
		case w.created:
			verb, result, text = "create", "created", "creates the Lease and holds it."
		case w.holder != before:
			text = "acquires the Lease."
		}
		t.request(who, w.tookNs, history.Request{Verb: verb, Result: result, ServedNs: at, Version: w.resourceVersion})
		e := t.event(at, who, eventText{"write", "requestServed", text})
		e.Verb, e.Result, e.ResourceVersion, e.Holder, e.Transitions = verb, result, w.resourceVersion, w.holder,
			int32(w.transitions)
		before = w.holder
	}
}

// `lines` adds what the electors logged.
func (t *teller) lines() {
	for i := range t.l.lines {
		line := &t.l.lines[i]
		at := line.ns - t.h.EpochNs
		switch line.says {
		case saidAttempt:
			t.event(at, line.node, eventText{"callback", "started", "tries to acquire the Lease."})
		case saidAcquired:
			t.event(at, line.node, eventText{"lead", "startedLeading", "starts leading."})
		case saidHeld:
			t.event(at, line.node, eventText{"callback", "newLeader", "reads that " + cmp.Or(line.holder, "another") +
				" holds the Lease."})
		case saidLost:
			t.event(at, line.node, eventText{"lead", "stoppedLeading", "stops leading."})
		case saidFailed:
			t.event(at, line.node, eventText{"lead", "requestTimedOut", "logs a failed request: " +
				cmp.Or(line.failure, "the log gives no reason")})
		case saidReleased:
			t.event(at, line.node, eventText{"lead", "released", "logs that it released the Lease."})
		case saidFault:
			t.event(at, line.node, eventText{"fault", line.failure, "the trace says: " + line.failure})
		}
	}
}

// `number` numbers the events within each instant and adds the stored Lease to each event.
func (t *teller) number() {
	holder, transitions := "", int32(0)
	for i := range t.h.Events {
		e := &t.h.Events[i]
		if i > 0 && t.h.Events[i-1].T == e.T {
			e.N = t.h.Events[i-1].N + 1
		}
		if e.Result == "updated" || e.Result == "created" {
			holder, transitions = e.Holder, e.Transitions
		}
		e.Holder, e.Transitions = holder, transitions
	}
}
