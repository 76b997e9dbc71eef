package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// staged is a running study in stages, with the file for its runs. The commands advise and reroll use it, and so do
// the counterfactuals: in each of them, the next runs depend on earlier results.
//
// Run numbers continue from stage to stage: if the first stage has 400 runs, the second begins with number 400. So
// the file need not distinguish the stages. When the study resumes, each stage takes its runs by number from the field
// "had". That works because a stage depends only on earlier results, so the resumed study asks for the same runs again.
type staged[T any] struct {
	study study.Stages[T]
	first int // the number of the stage's first run
	done  int // finished runs of all stages

	kept kept
	file *runfile.File[T]
	had  map[int]T // the runs in the file
}

// The method keep opens or creates the study's file and reads the runs in it. The argument "plan" is everything that
// the runs depend on. Without a file, the method only prepares an empty list.
func (s *staged[T]) keep(in kept, h runfile.Header, plan any) error {
	h, err := runfile.NewHeader(h, study.Shard{}, plan)
	if err != nil {
		return err
	}
	s.kept, s.had = in, map[int]T{}
	s.file, err = openRuns(in, h, func(number int, one T) { s.had[number] = one })
	if len(s.had) > 0 {
		fmt.Fprintf(stderr, "leaselab: %s has %s\n", in.file, runs(len(s.had)))
	}
	return err
}

// run makes the runs of all stages, on all cores. The argument "unit" names the runs for the progress line. Unlike a
// sweep, a cancelled study has no partial answer, because half a stage says nothing about the next one. So run returns
// exit code 130 and says how to continue.
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

// stage makes the runs of one stage. It first uses the runs in the file, so that a finished stage costs nothing. Then
// it makes the rest.
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
