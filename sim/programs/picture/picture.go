// Package picture draws a run of real programs as a page of HTML without a script: a timeline of the copies, what has
// broken, and what happened in words. The page of a run under way loads itself again every two seconds.
//
// Guarantee: the page needs nothing from elsewhere, and says in words what it shows in colours. Non-guarantee: it
// cannot be zoomed, and shows no instant but the last: for that there is the page of the simulator, which opens
// records.
package picture

import (
	"strings"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
)

// Picture is what a page shows of a run up to now. The zero value has seen nothing.
type Picture struct {
	lanes  []lane
	holder []span
	events []event
}

// mostEvents is how many events a page has at most: the last ones.
const mostEvents = 200

// mostTicks is how many requests a lane shows at most: the last ones.
const mostTicks = 4000

// lane is one candidate.
type lane struct {
	name                string
	alive, work, paused []span
	ticks               []tick
}

// span is a time; untilNs -1: it goes on.
type span struct {
	name            string
	fromNs, untilNs int64
}

// tick is the end of a request about the Lease.
type tick struct {
	atNs int64
	ok   bool
}

type event struct {
	atNs int64
	text string
}

func begin(spans []span, atNs int64, name string) []span {
	if n := len(spans); n > 0 && spans[n-1].untilNs < 0 {
		return spans
	}
	return append(spans, span{name, atNs, -1})
}

func end(spans []span, atNs int64) {
	if n := len(spans); n > 0 && spans[n-1].untilNs < 0 {
		spans[n-1].untilNs = atNs
	}
}

// Observe takes a record of a run.
func (p *Picture) Observe(r *run.Run, record *trace.Record, note explain.Note) {
	if record.Candidate >= 0 {
		for int(record.Candidate) >= len(p.lanes) {
			p.lanes = append(p.lanes, lane{name: r.World.Node(int32(len(p.lanes))).Name()})
		}
		p.lanes[record.Candidate].observe(record)
	}
	name := ""
	if _, o, exists := r.World.Holder(); exists && o.Spec.HolderIdentity != 0 {
		name = r.World.DisplayName(o.Spec.HolderIdentity)
	}
	if n := len(p.holder); n == 0 || p.holder[n-1].name != name {
		end(p.holder, record.At)
		p.holder = begin(p.holder, record.At, name)
	}
	if explain.Minor(record.Kind) || record.Kind == trace.RequestEnded && isRoutine(record) {
		return
	}
	if len(p.events) == mostEvents {
		p.events = p.events[1:]
	}
	p.events = append(p.events, event{record.At, explain.Say(r.World, record, note).String()})
}

// isRoutine reports whether a request is a read or a renewal, of which there are many.
func isRoutine(r *trace.Record) bool {
	return r.Result == step.Success && !strings.Contains(strings.Join(trace.Names(r), " "), "acquired")
}

func (l *lane) observe(r *trace.Record) {
	switch r.Kind {
	case trace.Started, trace.Restarted:
		l.alive = begin(l.alive, r.At, "")
	case trace.Crashed, trace.Removed:
		end(l.alive, r.At)
		end(l.work, r.At)
		end(l.paused, r.At)
	case trace.RunReturned:
		end(l.alive, r.At)
	case trace.Paused:
		l.paused = begin(l.paused, r.At, "")
	case trace.Resumed:
		end(l.paused, r.At)
	case trace.StartedLeading:
		l.work = begin(l.work, r.At, "")
	case trace.WorkDone:
		end(l.work, r.At)
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			end(l.work, r.At)
		}
	case trace.RequestEnded:
		if len(l.ticks) == mostTicks {
			l.ticks = l.ticks[1:]
		}
		l.ticks = append(l.ticks, tick{r.At, r.Result == step.Success})
	}
}
