package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// studyFigures is how fast a sweep of crash is.
type studyFigures struct {
	// on one core: the best of the rounds, for another load only slows them
	RunsPerSecond float64 `json:"runsPerSecond"`
	Cores         int     `json:"cores"`      // at most two
	CoresRatio    float64 `json:"coresRatio"` // runs per second on so many cores against one
}

// studyRounds is how many pairs of sweeps are measured; studyRuns is how many runs each has.
const (
	studyRounds = 7
	studyRuns   = 4_000
)

// measureStudy sweeps crash on one core and on two in turns, so that another load on the machine slows both, and takes
// the best rate and the median ratio.
func measureStudy(ctx context.Context, atLeast time.Duration) (*studyFigures, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	crash, err := load("crash")
	if err != nil {
		return nil, err
	}
	all, err := grid.Combinations(crash, []string{"duration=2m"})
	if err != nil {
		return nil, err
	}
	runs := studyRuns
	if atLeast < time.Second { // as tests have it
		runs /= 100
	}
	cores := min(2, runtime.NumCPU())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var ratios, rates []float64
	for range studyRounds {
		var took [2]time.Duration
		for k, n := range []int{1, cores} {
			runtime.GOMAXPROCS(n)
			runtime.GC()
			start := time.Now()
			if err := onAllCores(ctx, study.New(grid.NewPlan(all, 1, runs), study.Shard{}), nil, nil); err != nil {
				return nil, err
			}
			took[k] = time.Since(start)
		}
		rates = append(rates, float64(runs)/took[0].Seconds())
		ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
	}
	slices.Sort(rates)
	slices.Sort(ratios)
	return &studyFigures{RunsPerSecond: rates[studyRounds-1], Cores: cores, CoresRatio: ratios[studyRounds/2]}, nil
}
