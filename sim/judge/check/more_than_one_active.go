package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Rule 1: at most one worker is active. It is about work, not about the Lease: a paused process is active, and
// so is one whose context has ended while its work goes on.

func (c *Checks) twoBegin(r *trace.Record) {
	if len(c.active) != 2 {
		return
	}
	v := c.breach(rules.MoreThanOneActive, rules.Safety, r, c.active[0], r.Candidate)
	v.UntilNs = -1
	c.overlap = c.broken(v)
}

func (c *Checks) twoEnd(r *trace.Record) {
	if len(c.active) < 2 && c.overlap >= 0 {
		c.Violations[c.overlap].UntilNs = r.At
		c.overlap = -1
	}
}

func oneActiveFigure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.MoreThanOneActive, nowNs)
	_, double := c.Totals(nowNs)
	if number == 0 {
		return "never two at once"
	}
	return words.Times(number) + ", " + words.Seconds(double) + " in all, the longest " + words.Seconds(longest)
}
