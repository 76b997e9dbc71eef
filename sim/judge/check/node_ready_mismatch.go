package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Rule 15: a node counts as ready exactly while its process runs. One that is gone may count as ready for as long as a monitor
// needs to notice: the grace period, one look, the lag of its watch, and a renewal that was under way.

// readiness is what monitors say of nodes.
type readiness struct {
	pairs     []readyPair // a monitor and a node that it has spoken of
	allowedNs int64
	dueNs     int64
	beats     bool // there are heartbeats
}

type readyPair struct {
	monitor, node int32
	goneNs        int64 // since when its process does not run, -1: it does
	going         int32 // index of the violation that goes on, plus one
	ready         bool
}

func (d *readiness) expect(h *world.Heartbeats) {
	if h == nil {
		return
	}
	d.beats = true
	d.allowedNs = h.GraceNs + h.EvaluateNs + h.TimeoutNs + slices.Max(h.WatchLagNs)
}

// says takes a monitor's change of mind.
func (d *readiness) says(c *Checks, r *trace.Record) {
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
		p.going = int32(c.broken(Violation{
			Rule: rules.NodeReadyMismatch, Severity: rules.Observation, FromNs: r.At, UntilNs: -1, First: p.node, Second: p.monitor, Number: said.HeartbeatAgeNs, Ordinal: c.ordinal,
		})) + 1
	}
	d.due(c)
}

// lives takes the beginning or the end of what runs on a node.
func (d *readiness) lives(c *Checks, r *trace.Record, runs bool) {
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
	d.due(c)
}

func (d *readiness) due(c *Checks) {
	d.dueNs = never
	for k := range d.pairs {
		if p := &d.pairs[k]; p.ready && p.goneNs >= 0 && p.going == 0 {
			d.dueNs = min(d.dueNs, p.goneNs+d.allowedNs)
		}
	}
	c.rearm()
}

func (d *readiness) settle(c *Checks, nowNs int64) {
	if nowNs <= d.dueNs {
		return
	}
	for k := range d.pairs {
		p := &d.pairs[k]
		if from := p.goneNs + d.allowedNs; p.ready && p.goneNs >= 0 && p.going == 0 && from < nowNs {
			p.going = int32(c.broken(Violation{
				Rule: rules.NodeReadyMismatch, Severity: rules.Observation, FromNs: from + 1, UntilNs: -1, First: p.node, Second: p.monitor, Number: p.goneNs, Counted: d.allowedNs, Ordinal: -1,
			})) + 1
		}
	}
	d.due(c)
}

func noHeartbeats(c *Checks) bool { return !c.ready.beats }

func readyFigure(c *Checks, nowNs int64) string {
	if !c.ready.beats {
		return "there are no heartbeats"
	}
	number, longest := c.lengths(rules.NodeReadyMismatch, nowNs)
	if number == 0 {
		return "every node's readiness was right"
	}
	return words.Count(number, "misjudged node", "misjudged nodes") + ", at most " + words.Seconds(longest) + " long"
}
