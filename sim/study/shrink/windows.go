package shrink

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
)

// The sizes of a step that moves an instant: fine near the act, coarse further away, and fine again after a coarse step
// fails.
const (
	fineNs   = 100e6
	coarseNs = 1e9
	nearNs   = 20e9
)

// `windows` moves each act, alone, until the run no longer reaches the goal: first earlier, then later. Steps are
// 0.1 s within 20 s of the act and 1 s further away. If a step of 1 s fails, steps of 0.1 s find the limit.
type windows struct {
	all     []Window
	act     int
	later   bool
	refines bool // a coarse step has failed, so fine steps follow
	askedNs int64
}

func newWindows(s *scenario.Scenario) *windows {
	w := &windows{all: make([]Window, len(s.Actions))}
	for i := range s.Actions {
		at := int64(s.Actions[i].At)
		w.all[i] = Window{Act: i, FromNs: at, ToNs: at}
	}
	return w
}

func (w *windows) next(now *scenario.Scenario) (proposal, bool) {
	for w.act < len(w.all) {
		one := &w.all[w.act]
		edge, at := &one.FromNs, int64(now.Actions[w.act].At)
		if w.later {
			edge = &one.ToNs
		}
		step := w.step(*edge, at)
		switch {
		case w.later:
			w.askedNs = min(*edge+step, int64(now.Duration))
			one.AtEnd = *edge == int64(now.Duration)
		default:
			w.askedNs = max(*edge-step, 0)
			one.AtStart = *edge == 0
		}
		if w.askedNs == *edge {
			w.side()
			continue
		}
		p, ok := try(now, fmt.Sprintf("the window of act %d", w.act+1), func(s *scenario.Scenario) bool {
			s.Actions[w.act].At = scenario.Duration(w.askedNs)
			return true
		})
		if ok {
			p.probe = true
			return p, true
		}
		w.learn(false)
	}
	return proposal{}, false
}

func (w *windows) step(edgeNs, atNs int64) int64 {
	if w.refines || max(edgeNs-atNs, atNs-edgeNs) < nearNs {
		return fineNs
	}
	return coarseNs
}

func (w *windows) learn(same bool) {
	one := &w.all[w.act]
	edge := &one.FromNs
	if w.later {
		edge = &one.ToNs
	}
	switch moved := max(w.askedNs-*edge, *edge-w.askedNs); {
	case same:
		*edge = w.askedNs
	case moved > fineNs && !w.refines:
		w.refines = true
	default:
		w.side()
	}
}

// `side` goes on to the other side of the act, or to the next act.
func (w *windows) side() {
	w.refines = false
	if w.later {
		w.act++
	}
	w.later = !w.later
}
