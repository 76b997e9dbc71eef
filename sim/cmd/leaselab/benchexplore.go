package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/explore"
	"github.com/leaselab/leaselab/sim/words"
)

// exploreFigures is how fast explore is: the best rates of the rounds, for another load only slows them, and the median
// ratio.
type exploreFigures struct {
	StatesPerSecond      float64 `json:"statesPerSecond"` // that differ, in a search of three candidates on one core
	TransitionsPerSecond float64 `json:"transitionsPerSecond"`
	Cores                int     `json:"cores"`
	AllPerSecond         float64 `json:"allPerSecond"`   // states, on all cores
	CoresGain            float64 `json:"coresGain"`      // of all cores against one
	SixDeepSeconds       float64 `json:"sixDeepSeconds"` // two candidates, six choices deep
}

// exploreRounds is how often a search is measured; exploreTransitions is how long it is.
const (
	exploreRounds      = 3
	exploreTransitions = 1_000_000
)

// measureExplore explores on one core and on all in turns.
func measureExplore(atLeast time.Duration) (*exploreFigures, error) {
	three, err := load("b05-wiped-lease-fixed")
	if err != nil {
		return nil, err
	}
	two, err := load("crash")
	if err != nil {
		return nil, err
	}
	transitions := exploreTransitions
	if atLeast < time.Second { // as tests have it
		transitions /= 1000
	}
	two.Candidates = two.Candidates[:2]
	draws := []float64{explore.Middle, explore.Low, explore.High}
	workers := 1
	searched := func(s scenario.Scenario, sets []string, depth, limit int) (*explore.Explorer, float64, error) {
		x, err := explore.New(explore.Plan{Scenario: s, Sets: sets, Draws: draws, Order: true, Depth: depth,
			Rules: []explore.Rule{{Name: rules.WriteByNonHolder}}})
		if err != nil {
			return nil, 0, err
		}
		runtime.GC()
		begun := time.Now()
		e := newExplorers(x, workers)
		defer e.end()
		for x.Counts().Transitions < int64(limit) && e.round() {
		}
		return x, time.Since(begun).Seconds(), nil
	}
	var states, steps, whole, deep, gains []float64
	for range exploreRounds {
		x, took, err := searched(three, []string{"actions[0].for=10s..21s/1s"}, 0, transitions)
		if err != nil {
			return nil, err
		}
		states, steps = append(states, float64(x.Counts().States)/took),
			append(steps, float64(x.Counts().Transitions)/took)
		workers = runtime.GOMAXPROCS(0)
		shared, all, err := searched(three, []string{"actions[0].for=10s..21s/1s"}, 0, transitions)
		if err != nil {
			return nil, err
		}
		workers, gains, whole = 1, append(gains, took/all), append(whole, float64(shared.Counts().States)/all)
		if _, took, err = searched(two, nil, 6, transitions); err != nil {
			return nil, err
		}
		deep = append(deep, took)
	}
	for _, all := range [][]float64{states, steps, whole, deep, gains} {
		slices.Sort(all)
	}
	const middle, best = exploreRounds / 2, exploreRounds - 1
	return &exploreFigures{
		StatesPerSecond: states[best], TransitionsPerSecond: steps[best], Cores: runtime.GOMAXPROCS(0),
		AllPerSecond: whole[best],
		CoresGain:    gains[middle], SixDeepSeconds: deep[middle],
	}, nil
}

func writeExploreFigures(out io.Writer, f *exploreFigures) {
	fmt.Fprintf(out,
		"explore: %s states/s on %d cores (reach 200,000); on one %s and %s transitions/s, all cores %.2f x that; "+
			"two candidates, six choices deep: %.3f s (reach < 1 s)\n",
		words.Thousands(int64(f.AllPerSecond)), f.Cores, words.Thousands(int64(f.StatesPerSecond)),
		words.Thousands(int64(f.TransitionsPerSecond)), f.CoresGain, f.SixDeepSeconds)
}
