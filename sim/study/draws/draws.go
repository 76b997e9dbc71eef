// Package draws finds the interval of each leader change of a scenario over all jitter that its electors can draw.
//
// Guarantee: the outcome is a function of the scenario and the plan, and runs of the simulator reach both ends of every
// interval. Whatever else the scenario draws (instants within a span, starts, latencies, probabilities) stays as its
// seed draws it. Non-guarantee: the search proves no bound. It tries draws at random and draws that make an attempt
// begin just before or just after an instant that matters: a write, the expiry of a Lease, the begin and the end of an
// act. A change that is the same in all these runs counts as exact, and rare draws could still lead outside an
// interval: where several candidates and faults meet, up to one draw in a hundred does, by less than half a second at
// client-go's defaults. Outcome.SlackNs is there for who must not fail then.
package draws

import (
	"maps"
	"math"
	"slices"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/world"
)

// Plan says how long to search. The search ends with the first of its limits.
type Plan struct {
	Scenario scenario.Scenario
	Runs     int   // at most, besides one with the scenario's own draws; 0: DefaultRuns
	Requests int64 // simulated requests, about; 0: DefaultRequests
	_        struct{}
}

// The limits of a plan that gives none: about a second.
const (
	DefaultRuns     = 3000
	DefaultRequests = 4_000_000
)

// Change is what all runs have in common about their leader change of one number. A name is "" for no leader.
type Change struct {
	From, To             []string // the names that occur, sorted
	EarliestNs, LatestNs int64
}

// Exact reports whether every run has the same change.
func (c *Change) Exact() bool {
	return c.EarliestNs == c.LatestNs && len(c.From) == 1 && len(c.To) == 1
}

// Outcome is what a search found.
type Outcome struct {
	Changes []Change // as many as the run with the most has
	Least   int      // leader changes in the run with the fewest: the later ones need not happen
	Broken  []string // safety and liveness rules that at least one run breaks, sorted
	Runs    int
	// how far beyond the ends of an interval that is not exact a rare draw may lead, by measure: a quarter of a draw's
	// range
	SlackNs int64
}

// Search searches the draws of a scenario.
func Search(p Plan) Outcome {
	if p.Runs == 0 {
		p.Runs = DefaultRuns
	}
	if p.Requests == 0 {
		p.Requests = DefaultRequests
	}
	s := newSearch(p)
	s.try(s.own())
	for k := 0; k < p.Runs/3 && s.more(); k++ {
		s.try(s.uniform())
	}
	for early := range 1 << min(len(s.setup.Candidates), 4) {
		if s.more() {
			s.try(s.steered(aim{early: early}, trial{}))
		}
	}
	for round := 0; s.more() && len(s.ends) > 0 && s.improve(round); round++ {
	}
	return s.outcome()
}

// trial is a finished run: the draws of its electors and what it led to.
type trial struct {
	draws   [][]draw // by candidate
	changes []change
	writes  []int64 // instants at which the Lease changed
}

type draw struct {
	atNs  int64
	value float64
}

type change struct {
	atNs     int64
	from, to string
}

// end is one end of the interval of a change, and the run that reached it.
type end struct {
	atNs    int64
	witness trial
	tries   int
	stale   int // tries since it last moved
}

// patience is how many runs in a row must not move an end before the search leaves it.
const patience = 150

type search struct {
	setup     *world.Setup
	stream    random.Stream
	instants  []int64 // at which acts begin and end
	left      int     // runs
	requests  int64
	runs      int
	least     int
	waitNs    int64    // the longest between two attempts
	rangeNs   int64    // of a draw: between the shortest wait and the longest
	longestNs int64    // of a takeover, about: what happened earlier does not count for it
	ends      [][2]end // earliest and latest, by change
	names     [][2]map[string]bool
	broken    map[string]bool
}

func newSearch(p Plan) *search {
	s := &search{setup: compile.Scenario(p.Scenario), stream: random.New(p.Scenario.Seed), left: p.Runs,
		requests: p.Requests, least: math.MaxInt, broken: map[string]bool{}}
	for i := range s.setup.Candidates {
		c := &s.setup.Candidates[i]
		s.waitNs = max(s.waitNs, int64(c.RetryPeriod)*22/10)
		s.rangeNs = max(s.rangeNs, int64(c.RetryPeriod)*12/10)
		s.longestNs = max(s.longestNs, int64(c.LeaseDuration+6*c.RetryPeriod))
	}
	for i := range s.setup.Controls {
		c := &s.setup.Controls[i]
		s.instants = append(s.instants, c.AtNs)
		if c.UntilNs > 0 {
			s.instants = append(s.instants, c.UntilNs)
		}
	}
	return s
}

func (s *search) more() bool { return s.left > 0 && s.requests > 0 }

// jitter decides a draw of a candidate.
type jitter func(w *world.World, candidate int32, nowNs int64) float64

// own is the scenario's own draws.
func (s *search) own() jitter { return nil }

// uniform draws as client-go does.
func (s *search) uniform() jitter {
	return func(*world.World, int32, int64) float64 { return s.stream.Float64() }
}

// try runs the scenario with draws and widens the intervals by its leader changes.
func (s *search) try(draws jitter) {
	setup := *s.setup
	var r *run.Run
	var t trial
	if draws != nil {
		setup.Jitter = func(candidate int32, nowNs int64) float64 {
			value := draws(r.World, candidate, nowNs)
			for int(candidate) >= len(t.draws) {
				t.draws = append(t.draws, nil)
			}
			t.draws[candidate] = append(t.draws[candidate], draw{nowNs, value})
			return value
		}
	}
	r = run.New(&setup, run.Watchers{})
	r.To(setup.DurationNs, nil)
	s.left--
	s.requests -= r.World.Counts().Requests + run.CompileRequests
	s.runs++
	history := r.World.Store().History()
	for k := history.First(); k < history.Len(); k++ {
		t.writes = append(t.writes, history.At(k).AtNs)
	}
	for _, c := range r.Checks.Changes {
		t.changes = append(t.changes, change{c.AtNs, nameOf(r.World, c.From), nameOf(r.World, c.To)})
	}
	for i := range r.Checks.Violations {
		if v := &r.Checks.Violations[i]; v.Severity != rules.Observation {
			s.broken[v.Rule] = true
		}
	}
	s.widen(t)
}

func nameOf(w *world.World, candidate int32) string {
	if candidate < 0 {
		return ""
	}
	return w.Node(candidate).Name()
}

// widen adds a run to what is known.
func (s *search) widen(t trial) {
	s.least = min(s.least, len(t.changes))
	for k, c := range t.changes {
		if k == len(s.ends) {
			s.ends = append(s.ends, [2]end{{atNs: c.atNs, witness: t}, {atNs: c.atNs, witness: t}})
			s.names = append(s.names, [2]map[string]bool{{}, {}})
		}
		s.names[k][0][c.from], s.names[k][1][c.to] = true, true
		if c.atNs < s.ends[k][0].atNs {
			s.ends[k][0] = end{atNs: c.atNs, witness: t, tries: s.ends[k][0].tries}
		}
		if c.atNs > s.ends[k][1].atNs {
			s.ends[k][1] = end{atNs: c.atNs, witness: t, tries: s.ends[k][1].tries}
		}
	}
}

// improve repeats the run at one end of an interval up to an instant before that end, and goes on with other draws. It
// reports whether any end may still move.
func (s *search) improve(round int) (going bool) {
	k, side := round/2%len(s.ends), round%2
	at := &s.ends[k][side]
	if at.stale == patience {
		for k := range s.ends {
			going = going || s.ends[k][0].stale < patience || s.ends[k][1].stale < patience
		}
		return going
	}
	a := aim{early: 15 * (1 - side), fromNs: max(0, at.atNs-s.longestNs), asServed: true}
	near := s.near(at.witness, a.fromNs, at.atNs)
	if n := at.tries / 2; at.tries%2 == 0 && len(near) > 0 { // each instant in turn, from a little before it
		a.meetNs = near[n/3%len(near)] + int64(n%3) - 1
		a.fromNs = a.meetNs - 3*s.waitNs
	} else {
		s.vary(&a, at.atNs, near)
	}
	at.tries++
	at.stale++
	s.try(s.steered(a, at.witness))
	return true
}

// vary changes an aim at random.
func (s *search) vary(a *aim, atNs int64, near []int64) {
	if s.stream.Uint64()%2 == 0 {
		a.early = int(s.stream.Uint64() % 16)
	}
	if s.stream.Uint64()%4 == 0 { // keep more of the run
		a.fromNs += int64(float64(atNs-a.fromNs) * s.stream.Float64())
	}
	if n := s.stream.Uint64() % uint64(len(near)+1); n < uint64(len(near)) {
		a.meetNs = near[n] + int64(s.stream.Uint64()%3) - 1
	}
	a.asServed = s.stream.Uint64()%2 == 0
	a.astray = [...]float64{0, 0.05, 0.1, 0.4}[s.stream.Uint64()%4]
}

// near lists the instants in a span that an attempt may just reach, or just miss: a write, the begin or the end of an
// act.
func (s *search) near(of trial, fromNs, toNs int64) []int64 {
	var near []int64
	for _, all := range [][]int64{s.instants, of.writes} {
		for _, at := range all {
			if at > fromNs && at <= toNs {
				near = append(near, at)
			}
		}
	}
	return near
}

func (s *search) outcome() Outcome {
	o := Outcome{Least: s.least, Runs: s.runs, Broken: slices.Sorted(maps.Keys(s.broken)), SlackNs: s.rangeNs / 4}
	for k := range s.ends {
		o.Changes = append(o.Changes, Change{
			From: slices.Sorted(maps.Keys(s.names[k][0])), To: slices.Sorted(maps.Keys(s.names[k][1])),
			EarliestNs: s.ends[k][0].atNs, LatestNs: s.ends[k][1].atNs,
		})
	}
	return o
}
