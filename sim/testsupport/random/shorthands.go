package random

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/scenario"
)

// shorthands draws presets, probabilities, lengths of crashes, grace periods and rolling updates. It leaves out what
// makes the scenario invalid. Each kind has its own stream, so that it does not change other draws.
func shorthands(number uint64, s scenario.Scenario) scenario.Scenario {
	try := func(what string, oneIn int, change func(g generator, s *scenario.Scenario)) {
		stream := random.NamedStream(number, "shorthand", what)
		g := generator{rand.New(&stream)}
		if !g.one(oneIn) {
			return
		}
		with := s.Clone()
		change(g, &with)
		if scenario.Validate(with) == nil {
			s = with
		}
	}
	try("preset", 8, func(g generator, s *scenario.Scenario) {
		s.Preset = g.pick(scenario.Choices("Scenario.preset")...)
	})
	try("candidate's preset", 8, func(g generator, s *scenario.Scenario) {
		s.Candidates[g.IntN(len(s.Candidates))].Preset = g.pick(scenario.Choices("Candidate.preset")...)
	})
	for i := range s.Actions {
		try("act "+strconv.Itoa(i), 3, func(g generator, s *scenario.Scenario) {
			a := &s.Actions[i]
			switch act := scenario.ActNamed(a.Act); {
			case act.TakesField("probability"):
				a.Probability = new(1 - g.Float64())
			case act.TakesField("grace"):
				a.Grace = g.upTo(40 * time.Second)
			case a.Act == scenario.ActCrash:
				a.For = g.upTo(40 * time.Second)
			}
		})
	}
	try("rolling update", 6, func(g generator, s *scenario.Scenario) {
		s.Actions = append(s.Actions, scenario.Action{
			At: g.upTo(time.Duration(s.Duration)), Act: scenario.ActRollingUpdate, Every: g.upTo(20 * time.Second),
			Grace: g.upTo(40 * time.Second),
		})
	})
	return s
}
