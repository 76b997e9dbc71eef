package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// overlap is rule 1: at most one worker is active. The rule watches the work, not the Lease. A paused process counts
// as active: it may write as soon as it resumes. A process also counts if its context has ended but its work goes on.
type overlap struct {
	recordless
	going int32 // index of the open violation, plus one
}

var _ = register(rules.MoreThanOneActive, check{
	begin: func() checker { return &overlap{} },
	describe: func(v *Violation, first, second string, lengthNs int64) string {
		if v.Number > 2 {
			return first + ", " + second + " lead, up to " + words.Number(v.Number) + " at once; more than one for " +
				words.Seconds(lengthNs) + "."
		}
		return first + " and " + second + " both lead, for " + words.Seconds(lengthNs) + "."
	},
})

func (o *overlap) clone() checker { d := *o; return &d }

// didStart begins the violation when the second candidate becomes active. A third one joins that violation, so
// three leaders at once are one violation whose Number is 3.
func (o *overlap) didStart(c *Checks, r *trace.Record) {
	switch n := len(c.active); {
	case n == 2:
		v := c.breach(rules.MoreThanOneActive, r, c.active[0], r.Candidate)
		v.UntilNs, v.Number = -1, 2
		o.going = c.noteViolation(v)
	case n > 2 && o.going > 0:
		v := &c.Violations[o.going-1]
		v.Number = max(v.Number, int64(n))
		if r.Candidate != v.First && r.Candidate != v.Second && !slices.Contains(v.Others, r.Candidate) {
			v.Others = append(slices.Clip(v.Others), r.Candidate)
		}
	}
}

func (o *overlap) didStop(c *Checks, r *trace.Record) {
	if len(c.active) < 2 {
		c.close(&o.going, r.At)
	}
}

func (o *overlap) figure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.MoreThanOneActive, nowNs)
	_, double := c.Totals(nowNs)
	if number == 0 {
		return "never two at once"
	}
	return words.Times(number) + ", " + words.Seconds(double) + " in all, the longest " + words.Seconds(longest)
}
