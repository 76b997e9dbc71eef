package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// staged is a running study in stages, and the file that keeps its runs. The commands advise and reroll and the
// counterfactuals use it, since in each of them, the next runs depend on earlier results.
//
// Run numbers count through all stages: if the first stage has 400 runs, the second begins with number 400. So the
// file does not need to know about stages. On resuming, each stage picks its runs out of had by number. That works
// because a stage depends only on the results before it, so the resumed study asks for the same runs again.
type staged[T any] struct {
	study study.Stages[T]
	first int // the number of the stage's first run
	done  int // runs, of all stages

	kept kept
	file *runfile.File[T]
	had  map[int]T // the runs in the file
}

// keep opens or creates the file of the study, and reads the runs in it. plan is everything that the runs depend on.
// Without a file it only prepares an empty list.
func (s *staged[T]) keep(in kept, h runfile.Header, plan any) error {
	h, err := runfile.NewHeader(h, study.Shard{}, plan)
	if err != nil {
		return err
	}
	s.kept, s.had = in, map[int]T{}
	s.file, err = openRuns(in, h, func(number int, one T) { s.had[number] = one })
	if len(s.had) > 0 {
		fmt.Fprintf(os.Stderr, "leaselab: %s has %s\n", in.file, runs(len(s.had)))
	}
	return err
}

// run makes the runs of all stages, on all cores. unit names the runs for the progress line. A cancelled study has no
// answer, unlike a sweep: half of a stage says nothing about the next. So it returns exit code 130 and how to continue.
func (s *staged[T]) run(ctx context.Context, unit string) error {
	for {
		plan, err := s.study.Next()
		if plan == nil || err != nil {
			return err
		}
		if err := s.stage(ctx, study.New(plan, study.Shard{}), unit); err != nil {
			if errors.Is(err, context.Canceled) {
				return s.cancellation()
			}
			return err
		}
		s.first += plan.Runs()
	}
}

// stage makes the runs of one stage. First it puts in and takes the runs from the file, so that a finished stage
// costs nothing. Then it makes the rest.
func (s *staged[T]) stage(ctx context.Context, under *study.Study[T], unit string) error {
	p := newProgress()
	defer p.erase()
	for i := range under.Of() {
		if one, has := s.had[s.first+i]; has {
			under.Put(i, one)
			delete(s.had, s.first+i)
		}
	}
	p.had = under.Done()
	take := func() {
		for number, one, more := under.Take(); more; number, one, more = under.Take() {
			s.study.Take(number, one)
		}
		s.done = s.first + under.Done()
	}
	take()
	keep := func(number int, one T) error { return s.file.Append(s.first+number, one) }
	return onAllCores(ctx, under, keep, func(int, T) error {
		take()
		p.tell(under.Done(), under.Of(), unit)
		return nil
	})
}

// cancellation is the error after Ctrl-C, with the number of runs made so far.
func (s *staged[T]) cancellation() error {
	return exitError{exitCancelled, fmt.Sprintf("cancelled after %s runs, but the answer needs all of them; %s",
		words.Thousands(int64(s.done)), s.kept.goesOn())}
}
