package grid

import (
	"slices"
	"sync/atomic"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Plan contains every combination that is not refused, with each of the seeds First to First+Seeds-1. The seed
// changes fastest.
type Plan struct {
	Combinations []Combination
	First        uint64
	Seeds        int

	accepted []int // numbers of the combinations with runs
	last     atomic.Pointer[compileCache]
}

// compileCache keeps the latest compiled combination, because the runs of one combination are consecutive. All
// compiled combinations together would need too much memory.
type compileCache struct {
	combination int
	seeds       *compile.Seeds
}

// NewPlan returns the plan of the combinations.
func NewPlan(all []Combination, first uint64, seeds int) *Plan {
	p := &Plan{Combinations: all, First: first, Seeds: seeds}
	for i := range all {
		if all[i].Refused == "" {
			p.accepted = append(p.accepted, i)
		}
	}
	return p
}

// Runs implements study.Plan.
func (p *Plan) Runs() int { return len(p.accepted) * p.Seeds }

// Of returns the combination and the seed of a run.
func (p *Plan) Of(number int) (combination int, seed uint64) {
	return p.accepted[number/p.Seeds], p.First + uint64(number%p.Seeds)
}

// Run implements study.Plan.
func (p *Plan) Run(number int) Run {
	i, _ := p.Of(number)
	return One(&p.Combinations[i].Scenario, p.Begin(number))
}

// Begin returns a run at its beginning.
func (p *Plan) Begin(number int) *run.Run {
	i, seed := p.Of(number)
	return run.New(p.setup(i, seed), run.Watchers{Clauses: p.Combinations[i].Scenario.Expect})
}

// With more seeds than fewSeeds, one setup for many runs saves time.
const fewSeeds = 3

// setup compiles a run. Several workers may replace the cache at once: each gets a correct setup, and at worst two
// compile the same combination.
func (p *Plan) setup(combination int, seed uint64) *world.Setup {
	if p.Seeds < fewSeeds {
		s := p.Combinations[combination].Scenario
		s.Seed = seed
		return compile.Scenario(s)
	}
	c := p.last.Load()
	if c == nil || c.combination != combination {
		c = &compileCache{combination, compile.ForSeeds(p.Combinations[combination].Scenario)}
		p.last.Store(c)
	}
	return c.seeds.Setup(seed)
}

// Run contains what a row needs from a run. Files store each Run as a line of JSON, so it has figures and no records.
type Run struct {
	VirtualNs int64 `json:"virtualNs"`
	// longest time without a leader after the first election; the whole run if no candidate ever leads
	LeaderlessNs int64 `json:"leaderlessNs"`
	DoubleNs     int64 `json:"doubleNs"` // total time with two active leaders
	// no candidate leads at the end, so LeaderlessNs might grow in a longer run
	LeaderlessUnended bool `json:"leaderlessUnended,omitempty"`
	// two lead at the end, so DoubleNs might grow in a longer run
	DoubleUnended bool  `json:"doubleUnended,omitempty"`
	Changes       int   `json:"changes"` // number of leader changes after the first leader
	Requests      int64 `json:"requests"`
	// candidates' writes to the API server, successful or not
	Writes int64 `json:"writes"`
	// shortest time from a leader's stop to its successor's start; nil without a change
	MarginNs     *int64   `json:"marginNs,omitempty"`
	Broken       []Broken `json:"broken,omitempty"` // each pair of rule and severity appears once
	Code         int      `json:"code,omitempty"`   // exit code of `leaselab run`
	FailedClause int      `json:"failed,omitempty"` // number of the first failed assertion, from 1
}

// Broken is a rule that a run broke, with its severity.
type Broken struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
}

// One runs a scenario with its clauses to the end.
func One(s *scenario.Scenario, r *run.Run) Run {
	c, untilNs := &r.Checks, r.EndNs()
	one := Run{VirtualNs: untilNs}
	for r.Step(untilNs, nil) {
		for records := r.World.Records(); len(records) > 0; records = records[1:] {
			if records[0].Kind == trace.RequestServed && records[0].Verb != elector.Get {
				one.Writes++
			}
		}
	}
	r.Settle(untilNs)
	one.Requests = r.World.Counts().Requests
	if ns, followed := c.NearestNs(); followed {
		one.MarginNs = &ns
	}
	for _, change := range c.Changes[min(1, len(c.Changes)):] {
		one.Changes++
		one.LeaderlessNs = max(one.LeaderlessNs, change.LeaderlessNs)
	}
	if len(c.Active()) == 0 {
		one.LeaderlessUnended = true // the last gap might have become the longest
		one.LeaderlessNs = max(one.LeaderlessNs, untilNs-c.SinceNs())
	}
	one.DoubleUnended = len(c.Active()) > 1
	_, one.DoubleNs = c.Totals(untilNs)
	for i := range c.Violations {
		one.breaks(&c.Violations[i])
	}
	one.judge(s, r)
	return one
}

func (o *Run) breaks(v *check.Violation) {
	one := Broken{v.Rule, v.Severity.String()}
	if !slices.Contains(o.Broken, one) {
		o.Broken = append(o.Broken, one)
	}
}

// `judge` sets the verdict on a finished run.
func (o *Run) judge(s *scenario.Scenario, r *run.Run) {
	for i, outcome := range r.Outcomes(o.VirtualNs) {
		if !outcome.Met {
			o.FailedClause = i + 1
			break
		}
	}
	o.Code = summary.Worst(*s, r)
	if o.Code == summary.Fine && o.FailedClause > 0 {
		o.Code = summary.Unexpected
	}
}

var _ study.Plan[Run] = (*Plan)(nil)
