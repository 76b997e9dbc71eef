package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// readiness is rule 15: a node counts as ready exactly while its process runs. After the process ends, the node may
// count as ready for as long as a monitor needs to notice: the grace period, one evaluation, the lag of its watch, and
// a renewal in flight.
type readiness struct {
	pairs     []readyPair // each entry pairs a monitor with a node that it has reported on
	allowedNs int64
	dueNs     int64
	beats     bool // the run has heartbeats
}

type readyPair struct {
	monitor, node int32
	goneNs        int64 // when the node's process ended; -1 while it runs
	going         int32 // index of the open violation, plus one
	ready         bool
}

var _ = register(rules.NodeReadyMismatch, check{
	begin: func() checker { return &readiness{dueNs: never} },
	describe: func(v *Violation, first, second string, lengthNs int64) string {
		if v.Counted == 0 {
			return first + " is alive, but " + second + " does not count it as ready, for " + words.Seconds(lengthNs) +
				"."
		}
		return first + " has been gone since " + words.Instant(v.Number) + ", but " + second +
			" still counts it as ready, " + words.Seconds(lengthNs) + " longer than it needs to notice."
	},
	clause: func(v *Violation, first, second string) string {
		if v.Counted == 0 {
			return first + " is alive, but " + second + " does not count it as ready"
		}
		return first + " is gone, but " + second + " still counts it as ready"
	},
})

func (d *readiness) clone() checker {
	return withOwn(*d, func(d *readiness) *[]readyPair { return &d.pairs })
}

func (d *readiness) prepare(setup *world.Setup) {
	if h := setup.Heartbeats; h != nil {
		d.beats = true
		d.allowedNs = h.GraceNs + h.EvaluateNs + h.TimeoutNs + slices.Max(h.WatchLagNs)
	}
}

func (d *readiness) kinds() []trace.Kind {
	return []trace.Kind{
		trace.NodeReady, trace.NodeNotReady, trace.Crashed, trace.Removed, trace.Paused, trace.StopAsked, trace.Started,
		trace.Restarted, trace.Resumed,
	}
}

func (d *readiness) observe(c *Checks, r *trace.Record) {
	switch r.Kind {
	case trace.NodeReady, trace.NodeNotReady:
		d.noteReport(c, r)
	case trace.Started, trace.Restarted, trace.Resumed:
		d.runs(c, r, true)
	default:
		d.runs(c, r, false)
	}
}

// noteReport handles a monitor's report that a node is ready or not.
func (d *readiness) noteReport(c *Checks, r *trace.Record) {
	said := r.Readiness()
	k := slices.IndexFunc(d.pairs, func(p readyPair) bool { return p.monitor == said.Monitor && p.node == r.Candidate })
	if k < 0 {
		k = len(d.pairs)
		d.pairs = append(d.pairs, readyPair{monitor: said.Monitor, node: r.Candidate, goneNs: -1})
		if !said.Running {
			d.pairs[k].goneNs = r.At
		}
	}
	p := &d.pairs[k]
	p.ready = r.Kind == trace.NodeReady
	c.close(&p.going, r.At)
	if !p.ready && said.Running {
		v := c.breach(rules.NodeReadyMismatch, r, p.node, p.monitor)
		v.UntilNs, v.Number = -1, said.HeartbeatAgeNs
		p.going = c.noteViolation(v)
	}
	d.rearm(c)
}

// `runs` handles the start or the end of the process on a node.
func (d *readiness) runs(c *Checks, r *trace.Record, runs bool) {
	if !d.beats {
		return
	}
	for k := range d.pairs {
		p := &d.pairs[k]
		if p.node != r.Candidate || runs == (p.goneNs < 0) {
			continue
		}
		p.goneNs = -1
		if !runs {
			p.goneNs = r.At
		}
		if p.ready == runs {
			c.close(&p.going, r.At)
		}
	}
	d.rearm(c)
}

func (d *readiness) rearm(c *Checks) {
	d.dueNs = never
	for k := range d.pairs {
		if p := &d.pairs[k]; p.ready && p.goneNs >= 0 && p.going == 0 {
			d.dueNs = min(d.dueNs, p.goneNs+d.allowedNs)
		}
	}
	c.rearm()
}

func (d *readiness) due() int64 { return d.dueNs }

func (d *readiness) settle(c *Checks, nowNs int64) {
	for k := range d.pairs {
		p := &d.pairs[k]
		if from := p.goneNs + d.allowedNs; p.ready && p.goneNs >= 0 && p.going == 0 && from < nowNs {
			v := overdue(rules.NodeReadyMismatch, from+1, p.node, p.monitor)
			v.Number, v.Counted = p.goneNs, d.allowedNs
			p.going = c.noteViolation(v)
		}
	}
	d.rearm(c)
}

func (d *readiness) state(*Checks) State { return fineIf(d.beats, Off) }

func (d *readiness) figure(c *Checks, nowNs int64) string {
	if !d.beats {
		return "the run has no heartbeats"
	}
	number, longest := c.lengths(rules.NodeReadyMismatch, nowNs)
	if number == 0 {
		return "every node's readiness was right"
	}
	return words.Count(number, "misjudged node", "misjudged nodes") + ", at most " + words.Seconds(longest) + " long"
}
