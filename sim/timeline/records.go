//go:build !page

package timeline

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Records says that runs may come from outside. The page's engine is built without them.
const Records = true

// Outside is what reaches a run from outside: the calls of real programs, from a record. With it a run steps as the
// record did.
type Outside interface {
	// Setup is the setup of the run's world.
	Setup() *world.Setup
	// KnownNs is how far the record is known. While it goes on that grows, up to EndNs or beyond.
	KnownNs() int64
	EndNs() int64
	GoesOn() bool
	// Attach begins a run at its instant 0, and returns its place in the record.
	Attach(*run.Run) Place
}

// Place is a run's place in a record.
type Place interface {
	// NextAt is the instant of the next step, step.Never if none is known.
	NextAt() int64
	// Step is run.Run's, with what comes from outside.
	Step(r *run.Run, limitNs int64, see func(*trace.Record, explain.Note)) bool
	// Clone returns the place of a copy of the run.
	Clone(*run.Run) Place
}

// placed is a state's place in a record.
type placed struct {
	place Place // nil: nothing comes from outside
}

func (p *placed) attach(outside Outside, r *run.Run) {
	if outside != nil {
		p.place = outside.Attach(r)
	}
}

// clone is for a copy of the state, with the copy of its run.
func (p *placed) clone(r *run.Run) {
	if p.place != nil {
		p.place = p.place.Clone(r)
	}
}

// NextAt returns the instant of the next step, step.Never if there is none.
func (s *State) NextAt() int64 {
	if s.place != nil {
		return s.place.NextAt()
	}
	return s.World.NextAt()
}

// advance is run.Run's Step, with what comes from outside.
func (s *State) advance(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	if s.place != nil {
		return s.place.Step(s.Run, limitNs, see)
	}
	return s.Run.Step(limitNs, see)
}
