// Package lab is a run as somebody watches it: a cursor that can go anywhere, an edge nothing is shown beyond, branches
// for what was done in the past, and every number and sentence the page draws.
//
// Guarantee: what is shown at a cursor is a function of (scenario, seed, acts, cursor, edge), however one got there, and
// nothing after the edge leaves the package.
// Non-guarantee: the lab may compute ahead of the edge; it just never tells.
package lab

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// flightNodes is up to how many candidates the requests on the wire are drawn one by one.
const flightNodes = 30

// lingerNs is how long an answered request is still reported, so that its link can fade.
const lingerNs = 2_000_000_000

// state is a world with everything that watches it, at one instant.
type state struct {
	world   *world.World
	checks  check.Checks
	tracker explain.Tracker
	inStep  int32        // records of the present instant so far
	recent  []FlightView // answered lately
	settled int64        // the instant up to which time alone has broken rules
	steps   int32        // since the last sign of life
	aliveNs int64        // the instant of that
}

// Alive, where it is set, is called every now and then while a call computes, as long as virtual time goes on: with ten
// thousand candidates one call may take a minute, and the page that waits cannot tell that from a loop without an end.
var Alive func()

// aliveSteps is how many events lie between two signs of life: a few milliseconds in a browser.
const aliveSteps = 1000

// live gives a sign of life when it is time for one.
func (s *state) live() {
	if s.steps++; s.steps < aliveSteps {
		return
	}
	s.steps = 0
	if now := s.world.Now(); Alive != nil && now > s.aliveNs {
		s.aliveNs = now
		Alive()
	}
}

func newState(setup *world.Setup) *state {
	return &state{world: world.New(setup), checks: check.For(setup), tracker: explain.New()}
}

// bytes is about how much memory a checkpoint takes.
func (s *state) bytes() int64 { return s.world.Bytes() + s.tracker.Bytes() + s.checks.Bytes() }

func (s *state) clone() *state {
	c := *s
	c.world, c.checks, c.tracker = s.world.Clone(), s.checks.Clone(), s.tracker.Clone()
	c.recent = slices.Clone(s.recent)
	return &c
}

// step advances by one event and hands every record with its note to see.
func (s *state) step(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	before := s.world.Now()
	if !s.world.Step(limitNs) {
		return false
	}
	s.live()
	if s.world.Now() != before {
		s.inStep = 0
	}
	records := s.world.Records()
	s.inStep += int32(len(records))
	s.checks.Observe(records)
	for i := range records {
		note := s.tracker.Observe(s.world, &records[i])
		if records[i].Kind == trace.RequestEnded && s.world.Nodes() <= flightNodes {
			s.linger(&records[i])
		}
		if see != nil {
			see(&records[i], note)
		}
	}
	s.tracker.Follow(s.world, s.checks.Violations)
	return true
}

func (s *state) linger(r *trace.Record) {
	kept := s.recent[:0]
	for i := range s.recent {
		if *s.recent[i].Ended > r.At-lingerNs {
			kept = append(kept, s.recent[i])
		}
	}
	ended, exchange := r.At, r.Exchange()
	f := FlightView{
		Node: int(r.Candidate), Seq: int(r.Seq), Verb: r.Verb.String(), Sent: exchange.SentNs, Reaches: r.At, Ended: &ended, Outcome: explain.OutcomeWord(r.Result),
	}
	if exchange.ServedNs >= 0 {
		served := exchange.ServedNs
		f.Served, f.Returns, f.Reaches = &served, &ended, served
	}
	switch r.Result {
	case elector.ClientTimeout, elector.ContextDeadline, elector.ContextCanceled:
		f.GaveUp, f.Returns = &ended, nil
		f.Lost = map[bool]string{true: "down", false: "up"}[exchange.ServedNs >= 0]
	case elector.ConnRefused:
		f.Returns = &ended
	}
	s.recent = append(kept, f)
}

// settle breaks what time alone has broken by an instant.
func (s *state) settle(nowNs int64) {
	s.settled = max(s.settled, nowNs)
	s.checks.Settle(nowNs)
	s.tracker.Follow(s.world, s.checks.Violations)
}

// runTo steps through everything at or before a cursor.
func (s *state) runTo(c Cursor) {
	for s.step(c.T-1, nil) {
	}
	for (c.N < 0 || s.world.Now() < c.T || s.inStep < c.N) && s.step(c.T, nil) {
	}
	s.settle(c.T)
}
