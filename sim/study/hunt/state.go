package hunt

import (
	"fmt"
	"maps"
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// State is a hunt between two rounds, as JSON keeps it. A hunt that goes on from it gives what it would have given
// without a stop.
type State struct {
	Of       string         `json:"of"` // the plan: see identity
	Runs     int            `json:"runs"`
	Hash     trace.Hash     `json:"hash,string"`
	Features []feature      `json:"features"`
	Kept     []keptState    `json:"kept"`
	Keys     []string       `json:"keys"`
	Shrunk   []string       `json:"shrunk"`
	Lone     []string       `json:"lone"`
	Pending  []pendingState `json:"pending"`
	Failures []Failure      `json:"failures"`
	_        [0]func()      // nobody compares states
}

type keptState struct {
	scheduleState
	Led    []spanState `json:"led"`
	Silent []spanState `json:"silent"`
}

type scheduleState struct {
	Seed   uint64       `json:"seed"`
	Faults []faultState `json:"faults"`
}

func (s *schedule) state() scheduleState {
	one := scheduleState{Seed: s.seed}
	for _, f := range s.faults {
		one.Faults = append(one.Faults, faultState{kinds[f.kind].name, f.acts})
	}
	return one
}

func (s *scheduleState) schedule() (schedule, error) {
	one := schedule{seed: s.Seed}
	for _, f := range s.Faults {
		if kindNamed(f.Kind) < 0 || len(f.Acts) == 0 {
			return one, fmt.Errorf("it has a fault of kind %q, which does not exist", f.Kind)
		}
		one.faults = append(one.faults, fault{kindNamed(f.Kind), f.Acts})
	}
	return one, nil
}

// spanState is a span: from, to.
type spanState [2]int64

func statesOf(spans []span) (all []spanState) {
	for _, s := range spans {
		all = append(all, spanState{s.fromNs, s.toNs})
	}
	return all
}

func spansOf(states []spanState) (all []span) {
	for _, s := range states {
		all = append(all, span{s[0], s[1]})
	}
	return all
}

type faultState struct {
	Kind string            `json:"kind"`
	Acts []scenario.Action `json:"acts"`
}

type pendingState struct {
	Run      int               `json:"run"`
	Failure  failure.Failure   `json:"failure"`
	Happened []string          `json:"happened"`
	Scenario scenario.Scenario `json:"scenario"`
	Crash    string            `json:"crash,omitempty"`
}

func (f *found) state() pendingState {
	return pendingState{f.run, f.failure, f.happened, f.scenario, f.crash}
}

func (p *pendingState) found() found {
	return found{p.Run, p.Failure, p.Happened, p.Scenario, p.Crash}
}

// identity names what a hunt is a function of, but for how many runs it has.
func (h *Hunt) identity() string {
	var faults []string
	for _, k := range h.ground.kinds {
		faults = append(faults, kinds[k].name)
	}
	text := fmt.Sprintf("%d %d %t %t %v %s", world.Engine, h.plan.Seed, h.plan.Blind, h.plan.Whole, faults,
		scenario.Encode(h.plan.Scenario))
	return fmt.Sprintf("%016x", coordination.Hash64(text))
}

// State is the hunt as it is between two rounds.
func (h *Hunt) State() State {
	s := State{Of: h.identity(), Runs: h.runs, Hash: h.hash, Failures: h.failures}
	s.Features = slices.Sorted(maps.Keys(h.features))
	s.Keys, s.Shrunk = slices.Sorted(maps.Keys(h.keys)), slices.Sorted(maps.Keys(h.shrunk))
	for _, k := range h.corpus {
		s.Kept = append(s.Kept, keptState{k.schedule.state(), statesOf(k.led), statesOf(k.silent)})
	}
	for k, lone := range h.lone {
		if lone {
			s.Lone = append(s.Lone, kinds[k].name)
		}
	}
	for _, f := range h.pending {
		s.Pending = append(s.Pending, f.state())
	}
	return s
}

// Resume puts a new hunt where another one of the same plan was. That of another plan is an error.
func (h *Hunt) Resume(s State) error {
	if s.Of != h.identity() {
		return fmt.Errorf("it is of another hunt: the scenario, the seed, the faults or the engine differ")
	}
	if s.Runs > h.plan.Runs {
		return fmt.Errorf("it has %d runs, and this hunt ends after %d: give it as many or more, or name another file",
			s.Runs, h.plan.Runs)
	}
	h.runs, h.hash, h.failures = s.Runs, s.Hash, s.Failures
	for _, f := range s.Features {
		h.features[f] = struct{}{}
	}
	for _, key := range s.Keys {
		h.keys[key] = struct{}{}
	}
	for _, key := range s.Shrunk {
		h.shrunk[key] = struct{}{}
	}
	for _, name := range s.Lone {
		if k := kindNamed(name); k >= 0 {
			h.lone[k] = true
		}
	}
	for _, k := range s.Kept {
		from, err := k.schedule()
		if err != nil {
			return err
		}
		h.corpus = append(h.corpus, kept{from, spansOf(k.Led), spansOf(k.Silent)})
	}
	for _, p := range s.Pending {
		h.pending = append(h.pending, p.found())
	}
	return nil
}
