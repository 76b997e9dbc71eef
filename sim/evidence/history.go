package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/run/summary"
)

// teller converts a report into a history, so that the exports for runs (package history) also work for evidence.
type teller struct {
	l *LeaseReport
	h history.History
}

// History returns what the evidence shows of the Lease. Reads that nothing attributes to a candidate belong to no node.
func (l *LeaseReport) History() history.History {
	t := teller{l: l, h: history.History{Title: "Lease " + l.Name, Lease: l.Name,
		LeaseSeconds: l.leaseNs / int64(time.Second), EpochNs: l.fromNs - l.fromNs%int64(time.Second)}}
	t.h.ToNs = l.toNs - t.h.EpochNs
	t.terms()
	t.writes()
	for i := range l.attempts {
		a := &l.attempts[i]
		t.event(a.atNs, a.holder, eventText{"write", "requestServed",
			fmt.Sprintf("fails to update the Lease: HTTP %d.", a.code)})
	}
	for i := range l.gets {
		t.event(l.gets[i].ns, l.gets[i].by, eventText{"request", "requestServed", "reads the Lease."})
	}
	t.lines()
	slices.SortStableFunc(t.h.Events, func(a, b history.Event) int { return cmp.Compare(a.T, b.T) })
	t.number()
	t.h.Clip()
	return t.h
}

// eventText is the text of an event.
type eventText struct{ kind, name, text string }

func (t *teller) event(atNs int64, node string, says eventText) *history.Event {
	t.h.Events = append(t.h.Events, history.Event{T: summary.Seconds(atNs - t.h.EpochNs), Node: node, Kind: says.kind,
		Events: []string{says.name}, Text: says.text})
	return &t.h.Events[len(t.h.Events)-1]
}

// `terms` adds the nodes' terms. A term may outlast the Lease's: the Lease names b from 20 s on, while candidate a
// leads until it stops at 31 s.
func (t *teller) terms() {
	lead := func(node string, fromNs, toNs int64) {
		if fromNs -= t.h.EpochNs; toNs != history.Open {
			toNs -= t.h.EpochNs
		}
		t.h.Leaders = append(t.h.Leaders, history.Term{Leader: node, FromNs: fromNs, ToNs: toNs})
	}
	ends := make([]int64, len(t.l.terms))
	for i := range t.l.changes {
		if g := &t.l.changes[i]; g.from != "" {
			if ends[g.term-1] = g.endNs; g.overlapFromNs > 0 {
				lead(g.from, g.overlapFromNs, g.overlapFromNs+g.overlapNs)
			} else if g.overlapNs > 0 {
				ends[g.term-1] = t.l.terms[g.term].fromNs + g.overlapNs
			}
		}
	}
	for i := range t.l.terms {
		one, later := &t.l.terms[i], t.l.terms[i+1:]
		end := cmp.Or(ends[i], one.stopNs, one.releasedNs)
		if end == 0 && len(later) > 0 {
			end = later[0].fromNs
		}
		again := slices.IndexFunc(later, func(o term) bool { return o.holder == one.holder })
		if again >= 0 {
			end = min(end, later[again].fromNs)
		}
		lead(one.holder, one.fromNs, cmp.Or(end, history.Open))
	}
	slices.SortStableFunc(t.h.Leaders, func(a, b history.Term) int { return cmp.Compare(a.FromNs, b.FromNs) })
}

// `writes` adds the states of the Lease as events. A state belongs to the candidate that it names; a release belongs to
// the previous holder.
func (t *teller) writes() {
	before := ""
	for i := range t.l.writes {
		w := &t.l.writes[i]
		who, verb, result, text := w.holder, "update", "updated", "renews the Lease."
		switch {
		case w.deleted:
			t.event(w.ns, "", eventText{"act", "written", "A client deletes the Lease."})
			before = ""
			continue
		case w.edit:
			t.event(w.ns, "", eventText{"act", "written", fmt.Sprintf("%s writes the Lease: holderIdentity is %q.",
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
		e := t.event(w.ns, who, eventText{"write", "requestServed", text})
		e.Verb, e.Result, e.ResourceVersion, e.Holder, e.Transitions = verb, result, w.resourceVersion, w.holder,
			int32(w.transitions)
		before = w.holder
	}
}

// `lines` adds what the electors logged.
func (t *teller) lines() {
	for i := range t.l.lines {
		line := &t.l.lines[i]
		var e eventText
		switch line.says {
		case saidAttempt:
			e = eventText{"callback", "started", "tries to acquire the Lease."}
		case saidAcquired:
			e = eventText{"lead", "startedLeading", "starts leading."}
		case saidHeld:
			e = eventText{"callback", "newLeader", "reads that " + cmp.Or(line.holder, "another") + " holds the Lease."}
		case saidLost:
			e = eventText{"lead", "stoppedLeading", "stops leading."}
		case saidFailed:
			e = eventText{"lead", "requestTimedOut",
				"logs a failed request: " + cmp.Or(line.failure, "the log gives no reason")}
		case saidReleased:
			e = eventText{"lead", "released", "logs that it released the Lease."}
		case saidFault:
			e = eventText{"fault", line.failure, "the trace says: " + line.failure}
		default:
			continue
		}
		t.event(line.ns, line.node, e)
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
