package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// makeRuns makes the runs of a plan on all cores, and passes their results to take in the order of their numbers. The
// argument "unit" names the runs for the progress line. Unlike a sweep, a cancelled study has no partial answer, so
// after Ctrl-C makeRuns returns exit code 130.
func makeRuns[T any](ctx context.Context, plan study.Plan[T], unit string, take func(number int, one T)) error {
	ctx, stop := untilSignal(ctx)
	defer stop()
	under, p := study.New(plan, study.Shard{}), newProgress()
	defer p.erase()
	err := onAllCores(ctx, under, nil, func(int, T) error {
		for number, one, more := under.Take(); more; number, one, more = under.Take() {
			take(number, one)
		}
		p.tell(under.Done(), under.Of(), unit)
		return nil
	})
	if errors.Is(err, context.Canceled) {
		return exitError{exitCancelled, fmt.Sprintf("cancelled after %s of %s %s, but the answer needs all of them",
			words.Thousands(int64(under.Done())), words.Thousands(int64(under.Of())), unit)}
	}
	return err
}

// makeStages makes the runs of all stages of a study. The commands advise and explain use it: in their studies, the
// next runs depend on earlier results.
func makeStages[T any](ctx context.Context, of study.Stages[T], unit string) error {
	for {
		plan, err := of.Next()
		if plan == nil || err != nil {
			return err
		}
		if err := makeRuns(ctx, plan, unit, of.Take); err != nil {
			return err
		}
	}
}
