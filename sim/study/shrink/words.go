package shrink

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// SizeOf describes the size of a scenario: "2 acts, 3 candidates, 1m30s".
func SizeOf(s *scenario.Scenario) string {
	plural := func(n int, what string) string {
		if n == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	return plural(len(s.Actions), "act") + ", " + plural(len(scenario.Resolve(*s).Candidates), "candidate") + ", " +
		s.Duration.String()
}

// Says describes at which instants an act may happen: "act 2, cut of a at 25s: any `at` from 24.1s to 26.3s".
func (w *Window) Says(s *scenario.Scenario) string {
	a := &s.Actions[w.Act]
	var where string
	switch {
	case w.AtStart && w.AtEnd:
		where = "any `at`"
	case w.AtStart:
		where = "any `at` up to " + time.Duration(w.ToNs).String()
	case w.AtEnd:
		where = "any `at` from " + time.Duration(w.FromNs).String() + " on"
	case w.FromNs == w.ToNs:
		where = "only this exact instant: 0.1s earlier or later, it does not happen"
	default:
		where = "any `at` from " + time.Duration(w.FromNs).String() + " to " + time.Duration(w.ToNs).String()
	}
	return fmt.Sprintf("act %d, %s: %s", w.Act+1, a.Phrase(), where)
}
