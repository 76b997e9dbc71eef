package explain

import (
	_ "embed"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// term is how a leader spends its time. An overlap lasts as long as the old leader stays active, so the question is
// what that leader did in that time. The stages since its last renewal answer that question. Each renewal clears the
// stages, because a leader that has just renewed needs no explanation.
type term struct {
	leads    bool
	program  bool // a real program leads, and nobody knows what it intends
	since    Place
	renewed  Place // the last renewal that the leader knows of in this term
	trying   Place // the leader's first request since that renewal
	latest   Place // the leader's last request
	answerNs int64 // time from the commit of the last renewal to the answer
	stages   []stage
	again    int32 // the number of the request repeated inside a call
}

// stage is what happened to a leader after its last renewal. A stage lasts until the next one begins.
type stage struct {
	at   Place
	kind stageKind
}

type stageKind uint8

const (
	leads stageKind = iota
	renewed
	tries
	paused
	resumed
	asked
	finishes
	gaveUp
	released
	tails
	inside
	triesAgain
	handsOver
	asksNoMore
)

// maxStages limits the memory for a leader that does not renew. When the list is full, the last stage simply gets
// longer.
const maxStages = 64

// `observe` takes a record about the candidate. No stage begins between the end of the candidate's work and the next
// StartedLeading: see Tracker.endTerm.
func (m *term) observe(r *trace.Record, at Place) {
	switch r.Kind {
	case trace.RequestSent:
		m.latest = at
		m.sends(at)
		if n := len(m.stages); n > 0 && m.stages[n-1].kind == inside && r.Seq != m.again {
			m.enter(triesAgain, at)
		}
	case trace.RequestServed:
		if r.Verb != elector.Get && isStored(r) && r.Spec.HolderIdentity == 0 && m.last(tails).Ordinal == 0 {
			m.enter(released, at)
		}
	case trace.RequestRetries:
		m.again = r.Seq
		if n := len(m.stages); n == 0 || m.stages[n-1].kind != inside {
			m.enter(inside, at)
		}
	case trace.RequestEnded:
		if m.leads && r.Verb != elector.Get && r.Result == step.Success && r.Spec.HolderIdentity != 0 {
			m.renewed, m.trying, m.stages = at, Place{}, nil
			if served := r.Exchange().ServedNs; served >= 0 {
				m.answerNs = r.At - served
			}
		}
	case trace.StartedLeading:
		*m = term{leads: true, since: at, answerNs: m.answerNs}
	case trace.Paused:
		m.enter(paused, at)
	case trace.Resumed:
		m.enter(resumed, at)
	case trace.MetricLeaderOff:
		m.enter(gaveUp, at)
	case trace.LeadingDone:
		if r.Work().LeftNs != 0 {
			m.enter(tails, at)
		}
	}
}

// `sends` records a request. The request is an attempt to renew, unless the leader is releasing the Lease. After a
// pause, a leader tries again for the rest of its renewDeadline. That is a separate stage only if the leader had
// already tried before the pause.
func (m *term) sends(at Place) {
	switch n := len(m.stages); {
	case !m.leads || m.last(asked).Ordinal != 0 || m.last(gaveUp).Ordinal != 0:
	case m.trying.Ordinal == 0:
		m.trying = at
	case n > 0 && m.stages[n-1].kind == resumed && earlier(m.trying, m.stages[n-1].at):
		m.enter(tries, at)
	}
}

func (m *term) enter(kind stageKind, at Place) {
	if m.leads && len(m.stages) < maxStages {
		m.stages = append(m.stages, stage{at, kind})
	}
}

// `last` returns where the leader last entered a stage since its last renewal, or the zero Place.
func (m *term) last(kind stageKind) Place {
	for k := len(m.stages) - 1; k >= 0; k-- {
		if m.stages[k].kind == kind {
			return m.stages[k].at
		}
	}
	return Place{}
}

// stageLines has a line for each stage, in their order: what the leader did and, after a bar, what a sentence about a
// real program says instead, because the world saw no more.
//
//go:embed stages.txt
var stageLines string

var stageWords = strings.Split(stageLines, "\n")

func (m *term) words(kind stageKind) string {
	text, ofProgram, differs := strings.Cut(stageWords[kind], " | ")
	if m.program && differs {
		return ofProgram
	}
	return text
}

// `failing` reports whether the leader has sent a request since it last renewed.
func (m *term) failing() bool { return m.trying.Ordinal != 0 }

// lastNs returns when the leader last renewed. If the leader has not renewed yet, lastNs returns the start of the
// term.
func (m *term) lastNs() int64 {
	if m.renewed.Ordinal != 0 {
		return m.renewed.AtNs
	}
	return m.since.AtNs
}

// `parts` divides a stretch of time by what the leader did. The parts leave no gap. Four places are not stages: the
// start, the last renewal, the first attempt and a program's last request. `parts` adds them to the list and then sorts
// it. An insertion sort is
// enough for at most 68 entries.
func (m *term) parts(name string, fromNs, toNs int64) []Part {
	all := append(make([]stage, 0, len(m.stages)+4), stage{m.since, leads})
	if m.renewed.Ordinal != 0 {
		all = append(all, stage{m.renewed, renewed})
	}
	if m.trying.Ordinal != 0 {
		all = append(all, stage{m.trying, tries})
		if m.program {
			all = append(all, stage{m.latest, asksNoMore})
		}
	}
	all = append(all, m.stages...)
	for k := 1; k < len(all); k++ {
		for i := k; i > 0 && earlier(all[i].at, all[i-1].at); i-- {
			all[i-1], all[i] = all[i], all[i-1]
		}
	}
	var e Explanation
	e.ToNs = toNs
	b := builder{e: &e, cursor: fromNs}
	b.lay(m.since.AtNs, m.since, "others were active before %s started leading", name)
	for i := range all {
		until := toNs
		if i+1 < len(all) {
			until = all[i+1].at.AtNs
		}
		b.lay(until, all[i].at, m.words(all[i].kind), name)
	}
	return e.Parts
}

func earlier(a, b Place) bool { return a.AtNs < b.AtNs || a.AtNs == b.AtNs && a.Ordinal < b.Ordinal }
