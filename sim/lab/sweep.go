package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/paired"
)

const (
	maxSweepSeeds = 10_000
	sweepRequests = 4000 // per slice: about 8 ms in a browser
)

// Sweep computes one slice of a sweep: the run's acts with count seeds from first on, with the present settings and
// with a patch. Call it again with the same arguments to continue; to cancel, stop calling.
func (l *Lab) Sweep(patch []protocol.PatchEntry, afterNs int64, first uint64, count int) (*protocol.Swept, error) {
	if count < 1 || count > maxSweepSeeds {
		return nil, refuseSweep("count", fmt.Sprint(count), fmt.Sprintf("1 to %d", maxSweepSeeds))
	}
	if first > scenario.MaxSeed-uint64(count) {
		return nil, refuseSweep("first", fmt.Sprint(first), "a seed below 2^53")
	}
	sweep, err := l.asked.sweep.begin(fmt.Sprint(l.run().ID(), patch, afterNs, first, count),
		func() (*paired.Sweep, error) {
			plan := paired.Plan{Plain: l.Scenario(), AfterNs: afterNs, First: first, Count: count}
			var err error
			plan.Changed, err = scenario.SetAll(plan.Plain, changesOf(patch))
			return paired.New(plan), err
		})
	if err != nil {
		return nil, err
	}
	sweep.Go(sweepRequests)
	o := sweep.Outcome()
	return &protocol.Swept{
		Done: o.Done, Of: count, HereNs: known(o.HereNs), MedianNs: known(o.MedianNs),
		PlainMedianNs: known(o.PlainMedianNs),
	}, nil
}

// known returns a length, nil if it is not known yet or has no end.
func known(ns int64) *int64 {
	if ns < 0 || ns == paired.Unended {
		return nil
	}
	return &ns
}

func refuseSweep(path, value, rule string) error {
	return &scenario.FieldError{Path: path, Value: value, Rule: rule,
		Message: fmt.Sprintf("%s %s must be %s", path, value, rule)}
}
