//go:build !page

package timeline

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Records is true because this program supports recorded runs. The page's engine leaves them out.
const Records = true

// Outside is what reaches a run from outside: the calls of real programs, from a record. With it, a run takes the same
// steps as the recorded run.
type Outside interface {
	// Setup returns the setup of the run's world.
	Setup() *world.Setup
	// KnownNs returns the latest instant that the record covers so far. It grows with the record, up to EndNs or
	// beyond.
	KnownNs() int64
	EndNs() int64
	GoesOn() bool
	// Attach begins a run at instant 0 and returns its position in the record.
	Attach(*run.Run) Place
}

// Place is a run's position in a record.
type Place interface {
	// NextAt returns the instant of the next known step, or step.Never.
	NextAt() int64
	// Step is Run.Step together with what comes from outside.
	Step(r *run.Run, limitNs int64, see func(*trace.Record, explain.Note)) bool
	// Clone returns the place of a copy of the run.
	Clone(*run.Run) Place
}

// recordPlace is a state's position in a record.
type recordPlace struct {
	place Place // nil if nothing comes from outside
}

func (p *recordPlace) attach(outside Outside, r *run.Run) {
	if outside != nil {
		p.place = outside.Attach(r)
	}
}

// clone copies the position for a copy of the state. The run of that copy is r.
func (p *recordPlace) clone(r *run.Run) {
	if p.place != nil {
		p.place = p.place.Clone(r)
	}
}

// NextAt returns the instant of the next step, or step.Never.
func (s *State) NextAt() int64 {
	if s.place != nil {
		return s.place.NextAt()
	}
	return s.World.NextAt()
}

// advance is Run.Step together with what comes from outside.
func (s *State) advance(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	if s.place != nil {
		return s.place.Step(s.Run, limitNs, see)
	}
	return s.Run.Step(limitNs, see)
}
