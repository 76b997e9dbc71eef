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

// `measure` moves each act, alone, until the run no longer reaches the goal: first earlier, then later.
func (s *Shrink) measure() {
	s.windows = make([]Window, len(s.now.Actions))
	for i := range s.windows {
		at := int64(s.now.Actions[i].At)
		s.windows[i] = Window{Act: i, FromNs: at, ToNs: at}
	}
	for i := range s.windows {
		w := &s.windows[i]
		w.AtStart = s.move(i, &w.FromNs, -1, 0)
		w.AtEnd = s.move(i, &w.ToNs, 1, int64(s.now.Duration))
	}
}

// `move` moves one end of an act's window, and reports whether it reaches the end of the run on that side. Steps
// are 0.1 s within 20 s of the act and 1 s further away. If a step of 1 s fails, steps of 0.1 s find the limit.
func (s *Shrink) move(act int, end *int64, sign, lastNs int64) (isLast bool) {
	far := func(a, b int64) int64 { return max(a-b, b-a) }
	at, refines := int64(s.now.Actions[act].At), false
	for *end != lastNs {
		step := int64(fineNs)
		if !refines && far(*end, at) >= nearNs {
			step = coarseNs
		}
		step = min(step, far(*end, lastNs))
		asked := *end + sign*step
		same := s.ask(fmt.Sprintf("the window of act %d", act+1), func(s *scenario.Scenario) bool {
			s.Actions[act].At = scenario.Duration(asked)
			return true
		})
		switch {
		case same:
			*end = asked
		case step > fineNs && !refines:
			refines = true
		default:
			return false
		}
	}
	return true
}
