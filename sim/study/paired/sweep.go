// Package paired is the study of one scenario with many seeds, as it is and with some knobs changed: it compares how
// long each run was without a leader. Its Plan is one of package study; a Sweep makes the runs of the plan in order and
// in slices of a run, for a page that must stay responsive while one of them is long.
//
// Guarantee: the outcome is a function of the two scenarios, the instant and the seeds, however the work was sliced.
// Non-guarantee: a median of some seeds is an observation, not a bound.
package paired

import (
	"sort"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Unended is the gap of a run in which no candidate led again. It is longer than any other.
const Unended = int64(1<<63 - 1)

// Plan says what to run.
type Plan struct {
	Plain   scenario.Scenario // as it is
	Changed scenario.Scenario // with the knobs changed
	AfterNs int64             // the gap measured is that of the first change of leader after this instant
	First   uint64            // seeds First … First+Count−1
	Count   int
	_       struct{}
}

// Runs returns how many runs there are: the changed scenario with its own seed, then every seed, plain before changed.
func (p *Plan) Runs() int { return 1 + 2*p.Count }

// scenario is the scenario of a run.
func (p *Plan) scenario(number int) scenario.Scenario {
	if number == 0 {
		return p.Changed
	}
	one := p.Changed
	if number%2 == 1 {
		one = p.Plain
	}
	one.Seed = p.First + uint64((number-1)/2)
	return one
}

// ledAgain reports whether the leader of a run has changed after the plan's instant.
func (p *Plan) ledAgain(r *run.Run) bool {
	n := len(r.Checks.Changes)
	return n > 1 && r.Checks.Changes[n-1].AtNs > p.AfterNs
}

// gap is the time without a leader before that change.
func (p *Plan) gap(r *run.Run) int64 {
	if !p.ledAgain(r) {
		return Unended
	}
	changes := r.Checks.Changes
	return changes[len(changes)-1].LeaderlessNs
}

// Outcome is what is known so far.
type Outcome struct {
	Done          int   // seeds of which both runs are over
	HereNs        int64 // gap of the changed scenario with its own seed; -1 while it is not known
	MedianNs      int64 // of the changed scenario; -1 before the first
	PlainMedianNs int64 // of the plain one; -1 before the first
}

// Sweep is a plan under way.
type Sweep struct {
	plan    Plan
	number  int // of the run under way, or of the next one
	here    int64
	plain   []int64 // gaps, by length
	changed []int64
	run     *run.Run // under way, nil between two
}

// New begins a sweep. Nothing is run before Go is called.
func New(plan Plan) *Sweep { return &Sweep{plan: plan, here: -1} }

// Go goes on for about so many simulated requests and reports whether the sweep is over.
func (s *Sweep) Go(requests int64) (over bool) {
	for requests > 0 && s.number < s.plan.Runs() {
		if s.run == nil {
			s.run = run.Plain(s.plan.scenario(s.number))
			requests -= run.CompileRequests
		}
		if !s.run.Slice(s.run.EndNs(), &requests, func() bool { return s.plan.ledAgain(s.run) }) {
			break
		}
		s.put(s.number, s.plan.gap(s.run))
		s.run = nil
		s.number++
	}
	return s.number == s.plan.Runs()
}

// put takes the gap of a run.
func (s *Sweep) put(number int, gap int64) {
	switch {
	case number == 0:
		s.here = gap
	case number%2 == 1:
		s.plain = insert(s.plain, gap)
	default:
		s.changed = insert(s.changed, gap)
	}
}

// Outcome is what is known so far.
func (s *Sweep) Outcome() Outcome {
	return Outcome{Done: len(s.changed), HereNs: s.here, MedianNs: median(s.changed), PlainMedianNs: median(s.plain)}
}

// insert keeps the gaps sorted as they come: so the page's engine needs no sorting, which would be 6 KiB of it.
func insert(gaps []int64, gap int64) []int64 {
	at := sort.Search(len(gaps), func(i int) bool { return gaps[i] > gap })
	gaps = append(gaps, 0)
	copy(gaps[at+1:], gaps[at:])
	gaps[at] = gap
	return gaps
}

// median is the middle one of sorted gaps, the upper of two; -1 of nothing.
func median(gaps []int64) int64 {
	if len(gaps) == 0 {
		return -1
	}
	return gaps[len(gaps)/2]
}
