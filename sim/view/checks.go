package view

import (
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
)

// Checks returns what the checkers report at the cursor. Each rule has an entry, whether it has broken or not,
// because a rule that did not break is a result, too. The text of a violation that still lasts gives its length up to
// the cursor. The histogram of failovers has one count per whole second of the gap, and ends with the longest gap. The
// histogram's two bounds come from the formula of rule 16. The bounds are 0 as long as the settings do not determine
// them.
func Checks(look timeline.Look) *protocol.ChecksView {
	s := look.Here()
	c := &s.Checks
	v := &protocol.ChecksView{Run: look.Run.ID(), Cursor: look.Cursor, Failovers: protocol.Failovers{Counts: []int{}}}
	for _, f := range c.Findings(look.Cursor.T) {
		one := protocol.CheckView{
			Rule: f.Rule.Name, Number: f.Rule.Number, Severity: f.Rule.Severity.String(), State: f.State.String(),
			Title: f.Rule.Title, Figure: f.Figure, Count: f.Count,
		}
		if f.First >= 0 {
			x := &c.Violations[f.First]
			until := x.UntilNs
			if until < 0 {
				until = look.Cursor.T
			}
			_, one.Text = describe(s.World, x, until-x.FromNs)
			one.First = &timeline.Cursor{T: x.FromNs, N: x.Ordinal}
		}
		v.Checks = append(v.Checks, one)
	}
	if last, least, ok := c.Margin(); ok {
		v.Margin = &protocol.MarginFigures{LastNs: last, LeastNs: least}
		if nearest, ok := c.NearestNs(); ok {
			v.Margin.NearestNs = &nearest
		}
	}
	v.Failovers.BestNs, v.Failovers.WorstNs = c.Formula()
	// The histogram keeps zeros before a count, and drops zeros after the last one.
	for i, n := range c.Histogram() {
		if n > 0 {
			v.Failovers.Counts = append(v.Failovers.Counts, make([]int, i-len(v.Failovers.Counts))...)
			v.Failovers.Counts = append(v.Failovers.Counts, int(n))
		}
	}
	return v
}

// lastOverlap returns the number of the last violation with more than one active candidate, or -1. It searches
// backward, because violations of other rules may come later. The violation may have ended long ago.
func lastOverlap(c *check.Checks) int {
	k := len(c.Violations) - 1
	for k >= 0 && c.Violations[k].Rule != rules.MoreThanOneActive {
		k--
	}
	return k
}
