package timeline

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// FlightNodes is the highest number of candidates for which the page draws every request on the wire.
const FlightNodes = 30

// LingerNs is how long Recent reports an answered request, so that its link can fade.
const LingerNs = 2_000_000_000

// State is a run with its explanation at one instant.
type State struct {
	*run.Run
	recordPlace
	inStep  int32 // number of the current instant's records so far
	recent  []Answered
	settled int64 // instant up to which the checkers have taken elapsed time into account
	pulse   pulse
	holds   []hold
}

// hold is a request of an elector that an act holds or held.
type hold struct {
	node, seq    int32
	fromNs, toNs int64 // 0 while the act still holds it
	ended        bool  // the client has the answer or has given up
}

// keptHolds is the number of recent holds that a state keeps.
const keptHolds = 64

// `follow` tracks what acts do to requests.
func (s *State) follow(r *trace.Record) {
	switch r.Kind {
	case trace.Intercepted:
		i := r.Interception()
		if i.Sender != network.Elector || i.Effect != network.HoldMessage && i.Effect != network.HoldMessageForAll {
			return
		}
		if len(s.holds) == keptHolds {
			s.holds = slices.Delete(s.holds, 0, 1)
		}
		s.holds = append(s.holds, hold{node: r.Candidate, seq: r.Seq, fromNs: r.At})
	case trace.Delivered:
		if h := s.heldOf(r.Candidate, r.Seq); h != nil && r.Interception().Sender == network.Elector {
			h.toNs = r.At
		}
	case trace.RequestEnded:
		if h := s.heldOf(r.Candidate, r.Seq); h != nil {
			h.ended = true
		}
	}
}

// Hold returns when an act held a request of an elector, or 0 and 0. toNs is 0 while the act holds it.
func (s *State) Hold(node, seq int32) (fromNs, toNs int64) {
	if h := s.heldOf(node, seq); h != nil {
		return h.fromNs, h.toNs
	}
	return 0, 0
}

// heldOf returns the latest hold of a request, or nil.
func (s *State) heldOf(node, seq int32) *hold {
	for k := len(s.holds) - 1; k >= 0; k-- {
		if h := &s.holds[k]; h.node == node && h.seq == seq {
			return h
		}
	}
	return nil
}

// Answered is a request that got its answer, or that its client abandoned, within LingerNs. Instants are in ns.
type Answered struct {
	Node     int32
	Seq      int32
	Verb     elector.Verb
	Result   step.Result
	SentNs   int64
	ServedNs int64 // -1 if the server never carried it out
	EndedNs  int64
}

// aliveSteps is the number of events between two calls of the function alive: a few milliseconds in a browser.
const aliveSteps = 1000

// `pulse` calls the function alive from time to time while virtual time advances. With ten thousand candidates one call
// may take a minute. Without pulse, a waiting page could not distinguish that from an endless loop.
type pulse struct {
	alive  func() // nil for no calls
	steps  int32  // number of events since the last call
	lastNs int64  // virtual time of the last call
}

func (p *pulse) beat(nowNs int64) {
	if p.steps++; p.steps < aliveSteps {
		return
	}
	p.steps = 0
	if p.alive != nil && nowNs > p.lastNs {
		p.lastNs = nowNs
		p.alive()
	}
}

func newState(setup *world.Setup, outside Outside, alive func()) *State {
	s := &State{pulse: pulse{alive: alive}, Run: run.New(setup, run.Watchers{Explanation: true})}
	s.attach(outside, s.Run)
	return s
}

// `bytes` returns the approximate memory of a checkpoint.
func (s *State) bytes() int64 { return s.Bytes() }

// Cursor returns the cursor after everything that has happened in the state.
func (s *State) Cursor() Cursor { return Cursor{T: s.World.Now(), N: s.inStep} }

// Recent returns the recently answered requests of a run with few nodes.
func (s *State) Recent() []Answered { return s.recent }

// Clone returns an independent copy.
func (s *State) Clone() *State {
	c := *s
	c.Run = s.Run.Clone()
	c.clone(c.Run)
	c.recent, c.holds = slices.Clone(s.recent), slices.Clone(s.holds)
	return &c
}

// Step advances by one event and calls the function see with every record and its note.
func (s *State) Step(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	before, counted := s.World.Now(), false
	count := func() { // called before see gets the first record
		if counted {
			return
		}
		counted = true
		if s.World.Now() != before {
			s.inStep = 0
		}
		s.inStep += int32(len(s.World.Records()))
	}
	if !s.advance(limitNs, func(r *trace.Record, note explain.Note) {
		count()
		if r.Kind == trace.RequestEnded && s.World.Nodes() <= FlightNodes {
			s.linger(r)
		}
		s.follow(r)
		if see != nil {
			see(r, note)
		}
	}) {
		return false
	}
	count()
	s.pulse.beat(s.World.Now())
	return true
}

func (s *State) linger(r *trace.Record) {
	kept := s.recent[:0]
	for _, one := range s.recent {
		if one.EndedNs > r.At-LingerNs {
			kept = append(kept, one)
		}
	}
	exchange := r.Exchange()
	s.recent = append(kept, Answered{
		Node: r.Candidate, Seq: r.Seq, Verb: r.Verb, Result: r.Result, SentNs: exchange.SentNs,
		ServedNs: exchange.ServedNs, EndedNs: r.At,
	})
}

// settle tells the checkers that time has passed up to an instant.
func (s *State) settle(nowNs int64) {
	s.settled = max(s.settled, nowNs)
	s.Run.Settle(nowNs)
}

// runTo advances through everything at or before a cursor.
func (s *State) runTo(c Cursor) {
	for s.Step(c.T-1, nil) {
	}
	for (c.N < 0 || s.World.Now() < c.T || s.inStep < c.N) && s.Step(c.T, nil) {
	}
	s.settle(c.T)
}
