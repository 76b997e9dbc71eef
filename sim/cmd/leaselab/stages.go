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

// staged is a running study in stages, and the file that keeps its runs. Run numbers count through all stages.
type staged[T any] struct {
	study study.Stages[T]
	first int // the number of the stage's first run
	done  int // runs, of all stages

	kept kept
	file *runfile.File[T]
	had  map[int]T // the runs that it has
}

// keep opens or creates the file of the study. plan is everything that the runs depend on.
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

// run makes the runs of all stages, on all cores.
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

func (s *staged[T]) cancellation() error {
	return exitError{exitCancelled, fmt.Sprintf("cancelled after %s runs, but the answer needs all of them; %s",
		words.Thousands(int64(s.done)), s.kept.goesOn())}
}
