package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// beyondLease is rule 17: a real program stops its work before its Lease expires. The Lease expires leaseDuration after
// the store took the last renewal whose answer the program got. From then on any other candidate may begin to work.
// While another one works, moreThanOneActive tells what happens, so this rule is about one worker alone.
//
// After a pause, a process needs time to notice what it missed. So it gets another leaseDuration.
// Simulated candidates never break this rule: the other rules know when each of them gives up.
type beyondLease struct {
	dueNs int64 // when the Lease of the only worker expires
	going int32 // index of the open violation, plus one
	terms []leaseTerm
}

// leaseTerm is how long a candidate may work.
type leaseTerm struct{ untilNs, lengthNs int64 }

var _ = register(rules.WorksBeyondLease, check{
	begin: func() checker { return &beyondLease{dueNs: never} },
	describe: func(_ *Violation, first, _ string, lengthNs int64) string {
		return first + " works for " + words.Seconds(lengthNs) + " after its Lease has expired."
	},
	clause: func(_ *Violation, first, _ string) string { return first + " works although its Lease has expired" },
})

func (b *beyondLease) clone() checker {
	return withOwn(*b, func(d *beyondLease) *[]leaseTerm { return &d.terms })
}

func (b *beyondLease) kinds() []trace.Kind { return []trace.Kind{trace.Resumed} }

func (b *beyondLease) observe(c *Checks, r *trace.Record) {
	if slices.Contains(c.active, r.Candidate) {
		term := entry(&b.terms, r.Candidate)
		term.untilNs = max(term.untilNs, r.At+term.lengthNs)
		b.rearm(c, r.At)
	}
}

func (b *beyondLease) didAnswer(c *Checks, r *trace.Record) {
	if !c.settings.programs || r.Spec.HolderIdentity == 0 {
		return
	}
	length := int64(r.Spec.LeaseDurationSeconds) * secondNs
	*entry(&b.terms, r.Candidate) = leaseTerm{r.Exchange().ServedNs + length, length}
	if slices.Contains(c.active, r.Candidate) {
		b.rearm(c, r.At)
	}
}

func (b *beyondLease) didStart(c *Checks, r *trace.Record) { b.rearm(c, r.At) }
func (b *beyondLease) didStop(c *Checks, r *trace.Record)  { b.rearm(c, r.At) }

// rearm ends an open violation, and finds the instant that begins the next one.
func (b *beyondLease) rearm(c *Checks, nowNs int64) {
	c.close(&b.going, nowNs)
	b.dueNs = never
	if c.settings.programs && len(c.active) == 1 {
		if term := *entry(&b.terms, c.active[0]); term.lengthNs > 0 {
			b.dueNs = max(term.untilNs, nowNs)
		}
	}
	c.rearm()
}

func (b *beyondLease) due() int64 { return b.dueNs }

func (b *beyondLease) settle(c *Checks, _ int64) {
	if !c.node(c.active[0]).paused { // otherwise Resumed arms the rule again
		b.going = c.noteViolation(overdue(rules.WorksBeyondLease, b.dueNs, c.active[0], -1))
	}
	b.dueNs = never
}

func (b *beyondLease) state(c *Checks) State { return fineIf(c.settings.programs, Off) }

func (b *beyondLease) figure(c *Checks, nowNs int64) string {
	_, longest := c.lengths(rules.WorksBeyondLease, nowNs)
	switch {
	case !c.settings.programs:
		return "no real programs"
	case longest == 0:
		return "no program has worked beyond its Lease"
	}
	return "work goes on for up to " + words.Seconds(longest) + " after the Lease has expired"
}
