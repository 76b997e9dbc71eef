package check

import (
	"github.com/leaselab/leaselab/core/wide"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Buckets is how many seconds the histogram of failovers has, the last for all that are longer.
const Buckets = 60

// failover is rule 16: a Lease that its holder lets run out is taken within see-lag (2.2 P) + L + poll (2.2 P) of the
// last renewal: 23.8 s at 15 s and 2 s, not L + P. The best case counted from a crash is L − P. Only failovers after a
// crash are compared: a leader that is cut off or paused stops up to renewDeadline after its last renewal, so that the
// time without a leader begins later than what the formula counts. Releases and hand-overs are no failovers. Latencies
// are not in the formula, nor are the rates of clocks; dialects that change when a Lease expires are.
type failover struct {
	recordless
	histogram [Buckets]int32
	number    int32
	others    int32 // after another end than a crash
	leastNs   int64
	mostNs    int64
	sumNs     int64
}

// pollPerMille is the longest wait between two attempts of a standby: retryPeriod times 1 + jitter, jitter up to 1.2.
const pollPerMille = 2200

var _ = register(rules.FailoverOverFormula, check{
	begin: func() checker { return &failover{} },
	describe: func(v *Violation, _, second string, _ int64) string {
		return "The failover to " + second + " took " + words.Seconds(v.Number) + "; by the formula at most " +
			words.Seconds(v.Counted) + "."
	},
})

func (f *failover) clone() checker { d := *f; return &d }

// formula is the shortest and the longest failover, counted from a crash and from the last renewal; 0, 0 before it is
// known.
func (f *failover) formula(c *Checks) (bestNs, worstNs int64) {
	l, p := c.takenNs, c.settings.retryNs
	if l == 0 || p == 0 {
		return 0, 0
	}
	return l - p, c.settings.expiresNs(l) + 2*p/1000*pollPerMille
}

// expiresNs is after how long at most a Lease with a duration is free, by the candidates' dialects.
func (s *settings) expiresNs(durationNs int64) int64 {
	durationNs = max(durationNs, s.ownNs)
	if s.expiryPpm == 0 {
		return durationNs
	}
	return wide.MulDiv(durationNs, s.expiryPpm, 1_000_000) + s.lockDelayNs
}

func (f *failover) starting(c *Checks, r *trace.Record) {
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
		c.broken(v)
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
		text += "; " + words.Number(int64(f.others)) + " after another end, not compared"
	}
	return text
}

// Formula is the shortest and the longest failover by the formula of rule 16, counted from a crash and from the last
// renewal;
// 0, 0 before it is known.
func (c *Checks) Formula() (bestNs, worstNs int64) { return stateOf[*failover](c).formula(c) }

// Histogram counts the failovers after a crash by the whole seconds without a leader.
func (c *Checks) Histogram() [Buckets]int32 { return stateOf[*failover](c).histogram }
