package reroll

import (
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/world"
)

// futures is the plan of a stage. The field each says how many futures start from each state, and every future has
// its own draws. A state is a clone that never steps. A future starts from a clone of that state. Cloning only reads
// the state, so several cores may make runs at once.
type futures struct {
	plan   *Plan
	states []*watchedRun
	each   int
	itself bool // the run itself, with the draws of the scenario's seed

	points []Point // results of the futures, by state
	hitNs  int64   // result of the latest future
	taken  int
}

func (r *Reroll) futures(states []*watchedRun, each int, itself bool) *futures {
	f := &futures{plan: &r.plan, each: each, itself: itself, points: make([]Point, len(states)), hitNs: Never}
	for _, s := range states {
		f.states = append(f.states, s.clone())
	}
	return f
}

// Runs implements study.Plan.
func (f *futures) Runs() int { return len(f.states) * f.each }

// Run implements study.Plan: it returns the instant at which the event happens, or Never.
func (f *futures) Run(number int) int64 {
	s := f.states[number/f.each].clone()
	if !f.itself {
		s.World.Reseed(uint64(number%f.each) + 1)
	}
	s.runTo(f.plan.UntilNs, f.plan.Event)
	return s.hitNs
}

func (f *futures) take(number int, hitNs int64) {
	f.hitNs = hitNs
	f.taken++
	p := &f.points[number/f.each]
	p.Runs++
	if hitNs >= 0 {
		p.Hits++
	}
}

// watchedRun is a run, with the progress of the search for the event in that run.
type watchedRun struct {
	*run.Run
	seen  int   // number of violations already searched
	hitNs int64 // Never if the event has not happened yet
}

func start(setup *world.Setup) *watchedRun {
	return &watchedRun{Run: run.New(setup, run.Watchers{}), hitNs: Never}
}

func (s *watchedRun) clone() *watchedRun {
	c := *s
	c.Run = s.Run.Clone()
	return &c
}

// runTo steps to an instant and reports whether the event happened on the way. If so, it stops at the event. After a
// step that ends a gap, the checks no longer show the gap. So runTo looks at the checks before each step.
func (s *watchedRun) runTo(toNs int64, e Event) bool {
	for {
		before, since, nobody := s.Checks.LeaderlessNs, s.Checks.SinceNs(), len(s.Checks.Active()) == 0
		if !s.Step(toNs, nil) {
			s.Settle(toNs)
			if e.Rule == "" {
				return s.leaderless(toNs, e)
			}
			return s.hasBroken(e)
		}
		if e.Rule == "" {
			if nobody && s.Checks.LeaderlessNs-before > e.LeaderlessNs && since >= e.AfterNs ||
				s.leaderless(s.World.Now(), e) {
				s.hitNs = since + e.LeaderlessNs
				return true
			}
			continue
		}
		if s.hasBroken(e) {
			return true
		}
	}
}

// hasBroken searches the new violations since the last call for the event.
func (s *watchedRun) hasBroken(e Event) bool {
	for ; s.seen < len(s.Checks.Violations); s.seen++ {
		if v := &s.Checks.Violations[s.seen]; v.Rule == e.Rule && v.FromNs >= e.AfterNs {
			s.hitNs = v.FromNs
			return true
		}
	}
	return false
}

// `leaderless` reports whether no candidate has been active for longer than the bound.
func (s *watchedRun) leaderless(nowNs int64, e Event) bool {
	since := s.Checks.SinceNs()
	if len(s.Checks.Active()) > 0 || nowNs-since <= e.LeaderlessNs || since < e.AfterNs {
		return false
	}
	s.hitNs = since + e.LeaderlessNs
	return true
}
