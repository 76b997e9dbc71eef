package check

import (
	"github.com/leaselab/leaselab/core/wide"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Buckets is the number of one-second buckets in the histogram of failovers; the last one holds all longer ones.
const Buckets = 60

// failover is rule 16: after a crash, a successor takes the Lease as soon as the formula says.
//
// With L = leaseDuration and P = retryPeriod, a standby may see the last renewal up to 2.2 P late, then waits L, then
// polls up to 2.2 P later. With 15 s and 2 s that makes 23.8 s, not L + P. The shortest failover after a crash is L −
// P. The rule compares only failovers after a crash. A leader that was cut off or paused keeps working up to
// renewDeadline after its last renewal, so its time without a leader begins later than the formula assumes. A release
// or a handover does not count as a failover. The formula ignores latencies and clock rates, but knows the dialects
// that change when a Lease expires.
type failover struct {
	recordless
	histogram [Buckets]int32
	number    int32
	others    int32 // the leader ended in some way other than a crash
	leastNs   int64
	mostNs    int64
	sumNs     int64
}

// pollPerMille is the longest wait between two attempts of a standby, in thousandths of retryPeriod: 1 + jitter, with a
// jitter of up to 1.2.
const pollPerMille = 2200

var _ = register(rules.FailoverOverFormula, check{
	begin: func() checker { return &failover{} },
	describe: func(v *Violation, _, second string, _ int64) string {
		return "The failover to " + second + " took " + words.Seconds(v.Number) + "; the formula allows " +
			words.Seconds(v.Counted) + "."
	},
})

func (f *failover) clone() checker { d := *f; return &d }

// formula returns the shortest failover, counted from the crash, and the longest, counted from the last renewal. Both
// are 0 while they are unknown.
func (f *failover) formula(c *Checks) (bestNs, worstNs int64) {
	l, p := c.takenNs, c.settings.retryNs
	if l == 0 || p == 0 {
		return 0, 0
	}
	return l - p, c.settings.expiresNs(l) + 2*p/1000*pollPerMille
}

// expiresNs returns how long a Lease with this duration may block other candidates, given their dialects.
func (s *settings) expiresNs(durationNs int64) int64 {
	durationNs = max(durationNs, s.ownNs)
	if s.expiryPpm == 0 {
		return durationNs
	}
	return wide.MulDiv(durationNs, s.expiryPpm, 1_000_000) + s.lockDelayNs
}

func (f *failover) willStart(c *Checks, r *trace.Record) {
	if len(c.active) > 0 {
		return
	}
	gapNs, expired := r.At-c.sinceNs, c.expired
	c.expired = false
	if c.last < 0 || !expired || gapNs <= 0 {
		return
	}
	if !c.crashed {
		f.others++
		return
	}
	if f.number == 0 || gapNs < f.leastNs {
		f.leastNs = gapNs
	}
	f.mostNs = max(f.mostNs, gapNs)
	f.sumNs += gapNs
	f.number++
	f.histogram[min(gapNs/secondNs, Buckets-1)]++
	if _, worst := f.formula(c); worst > 0 && gapNs > worst {
		v := c.breach(rules.FailoverOverFormula, r, c.last, r.Candidate)
		v.Number, v.Counted = gapNs, worst
		c.noteViolation(v)
	}
}

func (f *failover) figure(c *Checks, _ int64) string {
	text := "no failover after a crash yet"
	if f.number > 0 {
		text = words.Count(f.number, "failover", "failovers") + " after a crash, " + words.Seconds(f.leastNs) + " to " +
			words.Seconds(f.mostNs) + ", mean " + words.Seconds(f.sumNs/int64(f.number))
		if best, worst := f.formula(c); worst > 0 {
			text += "; formula " + words.Seconds(best) + " to " + words.Seconds(worst)
		}
	}
	if f.others > 0 {
		text += "; " + words.Number(int64(f.others)) + " without a crash, not compared"
	}
	return text
}

// Formula returns the shortest and the longest failover by the formula of rule 16. The shortest counts from the crash,
// the longest from the last renewal. Both are 0 while they are unknown.
func (c *Checks) Formula() (bestNs, worstNs int64) { return stateOf[*failover](c).formula(c) }

// Histogram counts the failovers after a crash, by whole seconds without a leader.
func (c *Checks) Histogram() [Buckets]int32 { return stateOf[*failover](c).histogram }
