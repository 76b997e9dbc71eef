package replay

import (
	"fmt"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// head is a run's position on the tape. In the run's world, it takes the place of the programs.
type head struct {
	*Tape
	world *world.World
	next  int   // the next entry
	steps int64 // number of the world's steps since the previous entry
	count int64 // number of calls and steps carried out so far
}

var (
	_ timeline.Outside = (*Tape)(nil)
	_ timeline.Place   = (*head)(nil)
	_ world.Programs   = (*head)(nil)
)

// Attach begins a run at its instant 0.
func (t *Tape) Attach(r *run.Run) timeline.Place { return t.attach(r) }

func (t *Tape) attach(r *run.Run) *head {
	h := &head{Tape: t, world: r.World}
	r.World.Attach(h)
	if t.desk == nil {
		t.desk = NewDesk(&t.scenario, r.World)
	}
	return h
}

// Clone attaches a copy of the run.
func (h *head) Clone(r *run.Run) timeline.Place {
	c := *h
	c.world = r.World
	r.World.Attach(&c)
	return &c
}

// NextAt returns the instant of the next call or of the world's next event, or step.Never if the tape knows none.
func (h *head) NextAt() int64 {
	switch {
	case h.next < len(h.entries) && h.steps >= h.entries[h.next].Steps:
		return h.entries[h.next].AtNs
	case h.next < len(h.entries) || h.steps < h.spare:
		return h.world.NextAt()
	}
	return step.Never
}

// Step carries out the next call or the world's own next event, unless it comes after limitNs.
func (h *head) Step(r *run.Run, limitNs int64, see func(*trace.Record, explain.Note)) bool {
	limit, steps := h.untilNs, h.spare
	if h.next < len(h.entries) {
		limit, steps = h.entries[h.next].AtNs, h.entries[h.next].Steps
	}
	at := r.World.NextAt()
	switch {
	case h.steps < steps && at > limit:
		h.fail(h.next, errUnfit)
		return false
	case h.steps < steps:
		if !r.Step(limitNs, see) {
			return false
		}
		h.steps++
	case h.next == len(h.entries):
		h.compare()
		return false
	case limit > limitNs:
		return false
	case !h.carry(r, see):
		return false
	default:
		h.next, h.steps = h.next+1, 0
	}
	h.count++
	h.Tape.count = max(h.Tape.count, h.count)
	return true
}

// `compare` compares the trace at the end of the tape with the record's hash.
func (h *head) compare() {
	if h.hash == "" {
		return
	}
	if hash := h.world.Hash().String(); hash != h.hash {
		h.fail(h.next,
			fmt.Errorf(
				"the trace has the hash %s, but the record says %s: the file has changed, or another leaselab made it",
				hash, h.hash))
	}
	h.hash = ""
}

// carry carries out the next call.
func (h *head) carry(r *run.Run, see func(*trace.Record, explain.Note)) bool {
	e := &h.entries[h.next]
	if !e.known {
		if err := h.place(e); err != nil {
			h.fail(h.next, err)
			return false
		}
	}
	r.Do(e.AtNs, func(w *world.World) { h.apply(w, e) }, see)
	return true
}

// place works out what a call refers to, when the first run performs the call.
func (h *head) place(e *entry) error {
	if e.AtNs < h.world.Now() {
		return errUnfit
	}
	e.known = true
	if e.Do == CallAdministers {
		return nil
	}
	for i := range int32(h.world.Nodes()) {
		if int(i) < len(h.begun) && h.begun[i] && h.world.Node(i).Name() == e.node {
			e.Node = i
		}
	}
	if e.Node < 0 {
		return fmt.Errorf("no process of a candidate %q has started", e.node)
	}
	if e.Do == CallRequest {
		e.asked = h.desk.Asks(h.world, e.Node, e.Number, e.Request)
	}
	return nil
}

func (h *head) apply(w *world.World, e *entry) {
	switch e.Do {
	case CallRequest:
		asked := e.asked
		e.slot = w.Sends(e.Node, &asked)
	case CallAbandon:
		w.Abandons(h.entries[e.of].slot, e.Number, e.Reason())
	case CallAdministers:
		w.Insert(e.Act(int32(len(h.scenario.Actions)) + e.slot))
	default:
		e.Apply(w)
	}
}

// `first` reports whether this run is the first one to get this far.
func (h *head) first() bool { return h.count >= h.Tape.count }

// Begin implements world.Programs.
func (h *head) Begin(i int32) {
	if !h.first() {
		return
	}
	h.desk.Begin(i)
	for int(i) >= len(h.begun) {
		h.begun = append(h.begun, false)
	}
	h.begun[i] = true
}

// Serve implements world.Programs.
func (h *head) Serve(number uint64, fault network.FaultKind) world.Served {
	e := &h.entries[h.requests[number]]
	if !fault.Stores() {
		return world.Served{}
	}
	if e.Refused != 0 {
		return Refusal(&e.asked, e.Refused)
	}
	if e.done != nil {
		return e.done.again(h.world, e.Node, &e.asked)
	}
	done := h.desk.Serve(h.world, e.Node, &e.asked, e.Request)
	done.Answer = apiserver.Response{} // nobody reads the answer
	e.done = &done
	return done.Served
}

// The programs are gone, so these methods do nothing.

func (h *head) Cancel(int32)                                                      {}
func (h *head) End(int32)                                                         {}
func (h *head) Answer(uint64, step.Result, network.FaultKind, network.RetryAfter) {}
func (h *head) Event(uint64, bool)                                                {}
func (h *head) Disconnect(int32)                                                  {}
