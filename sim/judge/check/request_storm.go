package check

import (
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

const secondNs = int64(1e9)

// rate is rule 6: in no second do the clients send more requests than the bound allows. Its figure also shows the
// conflicts, and the most updates of a LeaseCandidate for one ping.
type rate struct {
	untilNs int64 // the end of the current second
	count   int64
	peak    int64
	peakNs  int64 // the start of the busiest second
	total   int64
	perPing int32 // the most updates of a LeaseCandidate after one ping
	storm   int32 // index of the open violation, plus one
	pings   []ping
}

// ping is what a candidate did after its last ping.
type ping struct {
	sent    bool
	updates int32 // updates of its LeaseCandidate since the ping
}

var _ = register(rules.RequestStorm, check{
	begin: func() checker { return &rate{untilNs: secondNs} },
	describe: func(v *Violation, _, _ string, lengthNs int64) string {
		return words.Number(v.Number) + " requests in one second; the bound is " + words.Number(v.Counted) +
			". It lasts " + words.Seconds(lengthNs) + "."
	},
})

func (t *rate) clone() checker { return withOwn(*t, func(d *rate) *[]ping { return &d.pings }) }

func (t *rate) kinds() []trace.Kind {
	return []trace.Kind{trace.RequestSent, trace.CandidateStored, trace.CandidatePinged}
}

func (t *rate) observe(c *Checks, r *trace.Record) {
	if r.Kind == trace.CandidatePinged {
		if r.Candidate >= 0 && r.Outcome.Accepted() && r.Outcome != storage.Deleted {
			*entry(&t.pings, r.Candidate) = ping{sent: true}
		}
		return
	}
	if r.Kind == trace.CandidateStored && r.Candidate >= 0 && r.Outcome.Accepted() && r.Outcome != storage.Deleted {
		if p := entry(&t.pings, r.Candidate); p.sent {
			p.updates++
			t.perPing = max(t.perPing, p.updates)
		}
	}
	if r.At >= t.untilNs {
		t.next(c, r.At)
	}
	t.total++
	t.count++
	if t.count > t.peak {
		t.peak, t.peakNs = t.count, t.untilNs-secondNs
	}
	if bound := c.bounds.RequestsPerSecond; bound > 0 && t.count > bound {
		t.noteExcess(c, r)
	}
}

// `next` starts a new second. Seconds are whole seconds of the run's clock: 0 to 1 s, 1 to 2 s. A storm ends with the
// last second above the bound, so a burst that spans two seconds is one violation.
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

func (t *rate) noteExcess(c *Checks, r *trace.Record) {
	if t.storm == 0 {
		v := c.breach(rules.RequestStorm, r, -1, -1)
		v.UntilNs, v.Counted = -1, c.bounds.RequestsPerSecond
		t.storm = c.noteViolation(v)
	}
	v := &c.Violations[t.storm-1]
	v.Number = max(v.Number, t.count)
}

func (t *rate) state(c *Checks) State {
	return fineIf(c.bounds.RequestsPerSecond > 0, NotEvaluated)
}

func (t *rate) figure(c *Checks, nowNs int64) string {
	text := "peak " + words.Number(t.peak) + "/s"
	if t.peak > 0 {
		text += " from " + words.Instant(t.peakNs)
	}
	if nowNs > 0 {
		text += ", mean " + words.Hundredths(t.total*secondNs*100/max(nowNs, 1)) + "/s"
	}
	text += ", " + words.Count(c.conflicts, "conflict", "conflicts")
	if t.perPing > 0 {
		text += ", at most " + words.Count(t.perPing, "update", "updates") + " for one ping"
	}
	if c.bounds.RequestsPerSecond > 0 {
		text += " (bound " + words.Number(c.bounds.RequestsPerSecond) + "/s)"
	}
	return text
}
