package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Buckets is how many seconds the histogram of failovers has, the last for all that are longer.
const Buckets = 60

// failover is rule 16: a Lease that its holder lets run out is taken within see-lag (2.2 P) + L + poll (2.2 P) of the last
// renewal: 23.8 s at 15 s and 2 s, not L + P. The best case counted from a crash is L − P. Only failovers after a crash are
// compared: a leader that is cut off or paused stops up to renewDeadline after its last renewal, so that the time
// without a leader begins later than what the formula counts. Releases and hand-overs are no failovers. Latencies are not in
// the formula.
type failover struct {
	histogram [Buckets]int32
	number    int32
	others    int32 // after another end than a crash
	leastNs   int64
	mostNs    int64
	sumNs     int64
	leaseNs   int64 // leaseDuration that the successor had to wait for
}

// pollPerMille is the longest wait between two looks of a standby: retryPeriod times 1 + jitter, jitter up to 1.2.
const pollPerMille = 2200

// published notes the duration of the Lease that is taken.
func (f *failover) published(before *coordination.Record) {
	f.leaseNs = int64(before.LeaseDurationSeconds) * 1e9
}

// Formula is the shortest and the longest failover by the formula, counted from a crash and from the last renewal; 0, 0
// before it is known.
func (c *Checks) Formula() (bestNs, worstNs int64) {
	l, p := c.failover.leaseNs, c.terms.retryNs
	if l == 0 || p == 0 {
		return 0, 0
	}
	return l - p, l + 2*p/1000*pollPerMille
}

func (f *failover) over(c *Checks, r *trace.Record, gapNs int64) {
	expired := c.expired
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
	if _, worst := c.Formula(); worst > 0 && gapNs > worst {
		v := c.breach(rules.FailoverOverFormula, rules.Observation, r, c.last, r.Candidate)
		v.Number, v.Counted = gapNs, worst
		c.broken(v)
	}
}

// Histogram counts the failovers after a crash by the whole seconds nobody led.
func (c *Checks) Histogram() [Buckets]int32 { return c.failover.histogram }

func failoverFigure(c *Checks, _ int64) string {
	f := &c.failover
	text := "no failover after a crash yet"
	if f.number > 0 {
		text = words.Count(f.number, "failover", "failovers") + " after a crash, " + words.Seconds(f.leastNs) + " to " + words.Seconds(f.mostNs) + ", mean " + words.Seconds(f.sumNs/int64(f.number))
		if best, worst := c.Formula(); worst > 0 {
			text += "; formula " + words.Seconds(best) + " to " + words.Seconds(worst)
		}
	}
	if f.others > 0 {
		text += "; " + words.Number(int64(f.others)) + " after another end, not compared"
	}
	return text
}
