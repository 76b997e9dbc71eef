package shrink

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// number is a value to make rounder and then smaller.
type number struct {
	what  string
	get   func(s *scenario.Scenario) int64 // distance from the smallest possible value; 0 at that value
	set   func(s *scenario.Scenario, n int64)
	steps []int64 // from coarse to fine
}

// `scan` lists the multiples to try after halving.
var scan = []int64{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20}

var (
	lengthSteps   = []int64{1e9, 500e6, 100e6, 10e6, 1e6}
	durationSteps = []int64{10e9, 1e9, 100e6, 1e6}
	rateSteps     = []int64{500_000, 100_000, 10_000, 1000}
	countSteps    = []int64{1}
)

// `lower` looks for the coarsest step that has a working multiple near the value. Then it bisects to find the smallest
// multiple of that step that works. Finally it tries some smaller multiples, the smallest first, because timing may
// matter: even if 10 s fails, 2 s may work.
//
// Example: a pause of 17.3 s. With steps of 1 s, 17 s works, so the step is 1 s. Bisection finds that 12 s works and
// 11 s does not. Then it tries 1 s, 2 s, 3 s and so on, and keeps the first that works.
func (s *Shrink) lower(n *number) {
	value := n.get(&s.now)
	for _, step := range n.steps {
		ask := func(multiple int64) bool {
			return s.try(n.what+" "+n.text(multiple*step), func(s *scenario.Scenario) bool {
				n.set(s, multiple*step)
				return true
			})
		}
		switch good := value / step; {
		case value == 0:
			return
		case value%step == 0 || good > 0 && ask(good):
			bisect(good, ask)
			return
		case ask(good + 1):
			return
		}
	}
}

// `bisect` finds the smallest multiple that works, and then tries some smaller ones.
func bisect(good int64, ask func(multiple int64) bool) {
	for bad := int64(0); good-bad > 1; {
		if middle := (good + bad) / 2; ask(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	for _, multiple := range scan {
		if multiple >= good || ask(multiple) {
			break
		}
	}
}

func (n *number) text(value int64) string {
	if n.steps[0] == lengthSteps[0] || n.steps[0] == durationSteps[0] {
		return time.Duration(value).String()
	}
	return fmt.Sprint(value)
}

// `numbers` returns the values to simplify in a scenario: lengths in acts and in the settings that acts change, the
// time between acts, replicas, and the duration.
func numbers(s *scenario.Scenario) []*number {
	var all []*number
	for i := range s.Actions {
		all = append(all, ofAct(s, i)...)
	}
	for i := range s.Candidates {
		all = append(all, ofCandidate(s, i)...)
	}
	for i := range s.Actions {
		all = append(all, gap(i))
	}
	return append(all, duration())
}

func duration() *number {
	return &number{
		what: "a run of", steps: durationSteps,
		get: func(s *scenario.Scenario) int64 { return int64(s.Duration) },
		set: func(s *scenario.Scenario, n int64) { s.Duration = scenario.Duration(n) },
	}
}

// ofAct returns the lengths, times, rates and counts of one act.
func ofAct(s *scenario.Scenario, i int) []*number {
	var all []*number
	phrase := s.Actions[i].Act + " of " + s.Actions[i].TargetName()
	add := func(what string, steps []int64, at func(a *scenario.Action) *int64) {
		if *at(&s.Actions[i]) != 0 {
			all = append(all, keepSign(phrase+what, steps,
				func(s *scenario.Scenario) *int64 { return at(&s.Actions[i]) }))
		}
	}
	add(" for", lengthSteps, func(a *scenario.Action) *int64 { return (*int64)(&a.For) })
	add(" every", lengthSteps, func(a *scenario.Action) *int64 { return (*int64)(&a.Every) })
	add(" with grace", lengthSteps, func(a *scenario.Action) *int64 { return (*int64)(&a.Grace) })
	add(": request", lengthSteps, func(a *scenario.Action) *int64 { return length(a.Request) })
	add(": response", lengthSteps, func(a *scenario.Action) *int64 { return length(a.Response) })
	add(": offset", lengthSteps, func(a *scenario.Action) *int64 { return length(a.Offset) })
	add(": jump", lengthSteps, func(a *scenario.Action) *int64 { return length(a.Jump) })
	if s.Actions[i].Count > 1 {
		all = append(all, &number{
			what: phrase + ": count", steps: countSteps,
			get: func(s *scenario.Scenario) int64 {
				return int64(s.Actions[i].Count)
			}, set: func(s *scenario.Scenario, n int64) { s.Actions[i].Count = int(n) },
		})
	}
	if s.Actions[i].RatePpm != 0 {
		all = append(all, rate(phrase, func(s *scenario.Scenario) *int64 { return &s.Actions[i].RatePpm }))
	}
	return all
}

// length returns a pointer to a length's nanoseconds, or nil.
func length(d *scenario.Duration) *int64 {
	if d == nil {
		return new(int64)
	}
	return (*int64)(d)
}

func ofCandidate(s *scenario.Scenario, i int) []*number {
	var all []*number
	c := &s.Candidates[i]
	if c.Replicas > 1 {
		all = append(all, &number{
			what: "replicas of " + c.Name, steps: countSteps,
			get: func(s *scenario.Scenario) int64 { return int64(s.Candidates[i].Replicas) },
			set: func(s *scenario.Scenario, n int64) { s.Candidates[i].Replicas = int(n) },
		})
	}
	add := func(what string, at func(c *scenario.Candidate) *int64) {
		if *at(c) != 0 {
			all = append(all, keepSign(what+" of "+c.Name, lengthSteps,
				func(s *scenario.Scenario) *int64 { return at(&s.Candidates[i]) }))
		}
	}
	add("startAt", func(c *scenario.Candidate) *int64 { return (*int64)(&c.StartAt) })
	add("workTail", func(c *scenario.Candidate) *int64 { return (*int64)(&c.WorkTail) })
	if c.Clock != nil {
		add("clock offset", func(c *scenario.Candidate) *int64 { return (*int64)(&c.Clock.Offset) })
		if c.Clock.RatePpm != 0 {
			all = append(all, rate("clock of "+c.Name,
				func(s *scenario.Scenario) *int64 { return &s.Candidates[i].Clock.RatePpm }))
		}
	}
	return all
}

// keepSign returns a number that keeps the sign of its value.
func keepSign(what string, steps []int64, at func(s *scenario.Scenario) *int64) *number {
	return &number{
		what: what, steps: steps,
		get: func(s *scenario.Scenario) int64 { return max(*at(s), -*at(s)) },
		set: func(s *scenario.Scenario, n int64) {
			if *at(s) < 0 {
				n = -n
			}
			*at(s) = n
		},
	}
}

const trueRate = 1_000_000

// rate returns how far a clock's rate is off.
func rate(phrase string, at func(s *scenario.Scenario) *int64) *number {
	return &number{
		what: phrase + ": rate off by, in ppm,", steps: rateSteps,
		get: func(s *scenario.Scenario) int64 { return max(*at(s)-trueRate, trueRate-*at(s)) },
		set: func(s *scenario.Scenario, n int64) {
			if *at(s) < trueRate {
				n = -n
			}
			*at(s) = trueRate + n
		},
	}
}

// `gap` returns the time between an act and the act before it. A change of the gap moves that act and all later ones.
// Moving a single act alone would usually fail, because acts depend on each other: for example, a cut may have to
// come during a pause.
func gap(nth int) *number {
	order := func(s *scenario.Scenario) []int {
		all := make([]int, len(s.Actions))
		for i := range all {
			all[i] = i
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(s.Actions[a].At, s.Actions[b].At) })
		return all
	}
	gapNs := func(s *scenario.Scenario) int64 {
		all := order(s)
		switch {
		case nth >= len(all):
			return 0
		case nth == 0:
			return int64(s.Actions[all[0]].At)
		}
		return int64(s.Actions[all[nth]].At - s.Actions[all[nth-1]].At)
	}
	return &number{
		what: fmt.Sprintf("act %d in order of time follows the previous act after", nth+1), steps: lengthSteps,
		get: gapNs,
		set: func(s *scenario.Scenario, n int64) {
			by := n - gapNs(s)
			for _, i := range order(s)[nth:] {
				s.Actions[i].At += scenario.Duration(by)
			}
		},
	}
}
