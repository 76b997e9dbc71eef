package lab

import (
	"fmt"
	"sort"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
)

const (
	maxSweepSeeds = 10_000
	sweepRequests = 4000 // requests per slice: about 8 ms in a browser
)

// Sweep computes one slice of a sweep. The sweep runs the run's acts with each of several seeds, once with the current
// settings and once with a patch. The argument first is the first seed, and count is the number of seeds. Call it again
// with the same arguments to continue; to cancel, stop calling. Other arguments, or another run, start a new sweep, and
// the lab forgets the old one.
func (l *Lab) Sweep(patch []protocol.PatchEntry, afterNs int64, first uint64, count int) (*protocol.Swept, error) {
	if count < 1 || count > maxSweepSeeds {
		return nil, mustBe("count", fmt.Sprint(count), fmt.Sprintf("1 to %d", maxSweepSeeds))
	}
	if first > scenario.MaxSeed-uint64(count) {
		return nil, mustBe("first", fmt.Sprint(first), "a seed below 2^53")
	}
	s, err := l.asked.sweep.begin(fmt.Sprint(l.liveRun().ID(), patch, afterNs, first, count),
		func() (s *sweep, err error) {
			s = &sweep{plain: l.Scenario(), afterNs: afterNs, first: first, count: count, hereNs: -1}
			s.changed, err = scenario.SetAll(s.plain, changesOf(patch))
			return s, err
		})
	if err != nil {
		return nil, err
	}
	s.step(sweepRequests)
	return s.swept(), nil
}

// `swept` returns the results so far. Done counts the seeds with both runs finished.
func (s *sweep) swept() *protocol.Swept {
	return &protocol.Swept{Done: len(s.changedGaps), Of: s.count, HereNs: knownLength(s.hereNs),
		MedianNs: knownLength(median(s.changedGaps)), PlainMedianNs: knownLength(median(s.plainGaps))}
}

// knownLength returns a length, or nil if the length is unknown or has no end.
func knownLength(ns int64) *int64 {
	if ns < 0 || ns == unended {
		return nil
	}
	return &ns
}

// unended is the gap of a run in which no candidate led again. It is longer than any other gap.
const unended = int64(1<<63 - 1)

// `sweep` compares how long a run has no leader: with the original scenario and with changed settings, for some seeds.
// The outcome is a function of the two scenarios, the instant and the seeds, no matter how calls slice the work.
//
// It answers the question next to a setting: would this help in general, or only in this run? It runs each seed twice:
// once with the original scenario and once with the changed one. It stops a run as soon as the leader has changed after
// the instant. A run without such a change counts as unended, which raises the median.
type sweep struct {
	plain, changed scenario.Scenario
	afterNs        int64  // the sweep measures the gap of the first leader change after this instant
	first          uint64 // seeds first … first+count−1
	count          int

	number      int     // number of the current or the next run
	hereNs      int64   // gap of the changed scenario with the run's own seed; -1 while unknown
	plainGaps   []int64 // sorted gaps
	changedGaps []int64
	run         *run.Run // the current run; nil between two runs
}

// `runs` returns the number of runs: one of the changed scenario with its own seed, then two for each seed, plain
// before changed.
func (s *sweep) runs() int { return 1 + 2*s.count }

// scenario returns the scenario of a run.
func (s *sweep) scenario(number int) scenario.Scenario {
	if number == 0 {
		return s.changed
	}
	one := s.changed
	if number%2 == 1 {
		one = s.plain
	}
	one.Seed = s.first + uint64((number-1)/2)
	return one
}

// ledAgain reports whether a run's leader has changed after the instant.
func (s *sweep) ledAgain(r *run.Run) bool {
	n := len(r.Checks.Changes)
	return n > 1 && r.Checks.Changes[n-1].AtNs > s.afterNs
}

// `gap` returns the time without a leader before that change.
func (s *sweep) gap(r *run.Run) int64 {
	if !s.ledAgain(r) {
		return unended
	}
	changes := r.Checks.Changes
	return changes[len(changes)-1].LeaderlessNs
}

// step continues the sweep for about as many simulated requests as the argument says, and reports whether the sweep is
// complete.
func (s *sweep) step(requests int64) (over bool) {
	for requests > 0 && s.number < s.runs() {
		if s.run == nil {
			s.run = run.Plain(s.scenario(s.number))
			requests -= run.CompileRequests
		}
		if !s.run.Slice(s.run.EndNs(), &requests, func() bool { return s.ledAgain(s.run) }) {
			break
		}
		s.put(s.gap(s.run))
		s.run = nil
		s.number++
	}
	return s.number == s.runs()
}

// `put` stores the gap of the current run.
func (s *sweep) put(gap int64) {
	switch {
	case s.number == 0:
		s.hereNs = gap
	case s.number%2 == 1:
		s.plainGaps = insert(s.plainGaps, gap)
	default:
		s.changedGaps = insert(s.changedGaps, gap)
	}
}

// insert keeps the gaps sorted. It spares the page's engine a sort function, which would add 6 KiB.
func insert(gaps []int64, gap int64) []int64 {
	at := sort.Search(len(gaps), func(i int) bool { return gaps[i] > gap })
	gaps = append(gaps, 0)
	copy(gaps[at+1:], gaps[at:])
	gaps[at] = gap
	return gaps
}

// median returns the median of sorted gaps, the upper one if two are in the middle, or -1 if no gaps exist.
func median(gaps []int64) int64 {
	if len(gaps) == 0 {
		return -1
	}
	return gaps[len(gaps)/2]
}
