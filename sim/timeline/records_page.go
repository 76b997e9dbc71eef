//go:build page

package timeline

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Records says that runs may come from outside: not in the page's engine, which would be larger. What is here has no
// bodies.
const Records = false

// Outside is without a value here.
type Outside interface {
	Setup() *world.Setup
	KnownNs() int64
	EndNs() int64
	GoesOn() bool
}

type placed struct{}

func (placed) attach(Outside, *run.Run) {}
func (placed) clone(*run.Run)           {}

// NextAt returns the instant of the next step, step.Never if there is none.
func (s *State) NextAt() int64 { return s.World.NextAt() }

func (s *State) advance(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	return s.Run.Step(limitNs, see)
}
