//go:build page

package timeline

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Records is false: to stay small, the page's engine does not support recorded runs. The methods here have no
// bodies.
const Records = false

// Outside is empty in the page's engine.
type Outside interface {
	Setup() *world.Setup
	KnownNs() int64
	EndNs() int64
	GoesOn() bool
}

type recordPlace struct{}

func (recordPlace) attach(Outside, *run.Run) {}
func (recordPlace) clone(*run.Run)           {}

// NextAt returns the instant of the next step, or step.Never.
func (s *State) NextAt() int64 { return s.World.NextAt() }

func (s *State) advance(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	return s.Run.Step(limitNs, see)
}
