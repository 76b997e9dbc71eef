package lab

import (
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/rules"
)

// ChecksView: What every checker says at the cursor, in the order of the rules.
type ChecksView struct {
	Run       int            `json:"run"`
	Cursor    Cursor         `json:"cursor"`
	Checks    []CheckView    `json:"checks"`
	Margin    *MarginFigures `json:"margin,omitempty"` // once somebody has led
	Failovers Failovers      `json:"failovers"`
}

// CheckView: One rule: whether it holds, what was measured, and where it was first broken.
type CheckView struct {
	Rule     string  `json:"rule"`     // "moreThanOneActive"
	Number   int     `json:"number"`   // 1 to 16
	Severity string  `json:"severity"` // "safety" | "liveness" | "observation"
	State    string  `json:"state"`    // "ok" | "off" | "observed" | "violated" | "unjudged"
	Title    string  `json:"title"`    // "more than one active worker"
	Figure   string  `json:"figure"`
	Count    int     `json:"count"`
	Text     string  `json:"text"`            // the first breach in a sentence, "" if there is none
	First    *Cursor `json:"first,omitempty"` // where that is
}

// MarginFigures: The margin meter: L − R − P − d in nanoseconds.
type MarginFigures struct {
	LastNs    int64  `json:"lastNs"`              // of the last renewal
	LeastNs   int64  `json:"leastNs"`             // so far
	NearestNs *int64 `json:"nearestNs,omitempty"` // from a stop to the next start, the least so far; negative: they overlapped
}

// Failovers: The histogram of failovers after a crash by whole seconds without a leader, against the formula.
type Failovers struct {
	Counts  []int `json:"counts"` // from second 0 on, up to the last that is not empty
	BestNs  int64 `json:"bestNs"` // by the formula; 0: not known yet
	WorstNs int64 `json:"worstNs"`
}

// Checks is what the checkers say at the cursor.
func (l *Lab) Checks() *ChecksView {
	s := l.stateHere()
	c := &s.checks
	v := &ChecksView{Run: l.run().id, Cursor: l.cursor, Failovers: Failovers{Counts: []int{}}}
	for _, f := range c.Findings(l.cursor.T) {
		one := CheckView{
			Rule: f.Rule.Name, Number: f.Rule.Number, Severity: f.Rule.Severity.String(), State: f.State.String(), Title: f.Rule.Title, Figure: f.Figure, Count: f.Count,
		}
		if f.First >= 0 {
			x := &c.Violations[f.First]
			until := x.UntilNs
			if until < 0 {
				until = l.cursor.T
			}
			_, one.Text = describe(s.world, x, until-x.FromNs)
			one.First = &Cursor{T: x.FromNs, N: x.Ordinal}
		}
		v.Checks = append(v.Checks, one)
	}
	if last, least, ok := c.Margin(); ok {
		v.Margin = &MarginFigures{LastNs: last, LeastNs: least}
		if nearest, ok := c.NearestNs(); ok {
			v.Margin.NearestNs = &nearest
		}
	}
	v.Failovers.BestNs, v.Failovers.WorstNs = c.Formula()
	for i, n := range c.Histogram() {
		if n > 0 {
			v.Failovers.Counts = append(v.Failovers.Counts, make([]int, i-len(v.Failovers.Counts))...)
			v.Failovers.Counts = append(v.Failovers.Counts, int(n))
		}
	}
	return v
}

// overlapUntil is the last time that two were active and have ceased to be, nil if that never was.
func overlapUntil(c *check.Checks) *check.Violation {
	for i := len(c.Violations) - 1; i >= 0; i-- {
		if v := &c.Violations[i]; v.Rule == rules.MoreThanOneActive && v.UntilNs >= 0 {
			return v
		}
	}
	return nil
}
