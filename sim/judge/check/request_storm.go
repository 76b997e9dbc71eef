package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

const secondNs = int64(1e9)

// rate is rule 6: the requests sent in any second of the run's clock stay within the bound. It counts conflicts and the
// updates of LeaseCandidates for one ping besides.
type rate struct {
	untilNs   int64 // end of the second that is counted
	count     int64
	peak      int64
	peakNs    int64 // when that second began
	total     int64
	conflicts int64
	perPing   int32 // the most updates of a LeaseCandidate for one ping
	storm     int32 // index of the violation that goes on, plus one
}

func (t *rate) sent(c *Checks, r *trace.Record) {
	if r.At >= t.untilNs {
		t.next(c, r.At)
	}
	t.total++
	t.count++
	if t.count > t.peak {
		t.peak, t.peakNs = t.count, t.untilNs-secondNs
	}
	if bound := c.bounds.RequestsPerSecond; bound > 0 && t.count > bound {
		t.over(c, r)
	}
}

// next begins another second.
func (t *rate) next(c *Checks, nowNs int64) {
	if t.storm > 0 && (t.count <= c.bounds.RequestsPerSecond || nowNs >= t.untilNs+secondNs) {
		end := t.untilNs
		if t.count <= c.bounds.RequestsPerSecond {
			end -= secondNs
		}
		c.close(&t.storm, max(end, c.Violations[t.storm-1].FromNs))
	}
	t.untilNs = nowNs - nowNs%secondNs + secondNs
	t.count = 0
}

func (t *rate) over(c *Checks, r *trace.Record) {
	if t.storm == 0 {
		v := c.breach(rules.RequestStorm, rules.Observation, r, -1, -1)
		v.UntilNs, v.Counted = -1, c.bounds.RequestsPerSecond
		t.storm = int32(c.broken(v)) + 1
	}
	v := &c.Violations[t.storm-1]
	v.Number = max(v.Number, t.count)
}

func requestsFigure(c *Checks, nowNs int64) string {
	t := &c.rate
	text := "peak " + words.Number(t.peak) + "/s"
	if t.peak > 0 {
		text += " from " + words.Instant(t.peakNs)
	}
	if nowNs > 0 {
		text += ", mean " + words.Hundredths(t.total*secondNs*100/max(nowNs, 1)) + "/s"
	}
	text += ", " + words.Count(t.conflicts, "conflict", "conflicts")
	if t.perPing > 0 {
		text += ", at most " + words.Count(t.perPing, "update", "updates") + " for one ping"
	}
	if c.bounds.RequestsPerSecond > 0 {
		text += " (bound " + words.Number(c.bounds.RequestsPerSecond) + "/s)"
	}
	return text
}
