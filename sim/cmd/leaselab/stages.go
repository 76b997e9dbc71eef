package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// resumeFile is the name of the file of --resume.
type resumeFile string

// resumeFlag adds --resume.
func resumeFlag(c *cobra.Command, to *string, usage string) {
	c.Flags().Var((*resumeFile)(to), "resume", usage)
}

// Set implements pflag.Value. An empty name, such as that of a shell variable without a value, would keep nothing.
func (f *resumeFile) Set(name string) error {
	if name == "" {
		return errors.New("the name of the file is empty")
	}
	*f = resumeFile(name)
	return nil
}

func (f *resumeFile) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *resumeFile) Type() string { return "string" }

// regular refuses a file that cannot be read back, such as a device: reading it may never end. One that is not there is
// fine.
func regular(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file: what is kept there cannot be read back; name another file", name)
	}
	return nil
}

// staged is a study in stages under way, and the file that keeps its runs. They have one number through all stages.
type staged[T any] struct {
	study study.Stages[T]
	first int // the number of the stage's first run
	done  int // runs, of all stages

	name  string // of the file, "" without one
	file  *runfile.File
	had   map[int]T  // the runs that it has
	alone sync.Mutex // results come from all cores
}

// keepIn opens the file of the study, or creates it. plan is all that the runs depend on, most how many there are at
// most.
func (s *staged[T]) keepIn(name, kind string, plan any, most int) error {
	h, err := runfile.NewHeader(kind, plan, study.Shard{}, most)
	if err != nil {
		return err
	}
	s.name, s.had = name, map[int]T{}
	if s.file, err = runfile.Open(name, h, func(number int, one T) { s.had[number] = one }); err != nil {
		return fmt.Errorf("--resume %w", err)
	}
	if len(s.had) > 0 {
		fmt.Fprintf(os.Stderr, "leaselab: %s has %s\n", name, runs(len(s.had)))
	}
	return nil
}

func (s *staged[T]) close() {
	if s.file != nil {
		s.file.Close()
	}
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
				return s.cancelled()
			}
			return err
		}
		s.first += plan.Runs()
	}
}

func (s *staged[T]) stage(ctx context.Context, under *study.Study[T], unit string) error {
	p := newProgress()
	defer p.over()
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
	var keep func(int, T) error
	if s.file != nil {
		keep = s.keep
	}
	return onAllCores(ctx, under, keep, func(int, T) error {
		take()
		p.tell(under.Done(), under.Of(), unit)
		return nil
	})
}

// keep appends a run of the stage to the file.
func (s *staged[T]) keep(number int, one T) error {
	s.alone.Lock()
	defer s.alone.Unlock()
	if err := s.file.Append(s.first+number, one); err != nil {
		return fmt.Errorf("--resume %s: %w; it keeps the runs before this one, and the same command goes on from there",
			s.name, err)
	}
	return nil
}

func (s *staged[T]) cancelled() error {
	again := "with --resume FILE the next one can go on where it stopped"
	if s.file != nil {
		again = "the same command goes on from there"
	}
	return exitError{exitCancelled, fmt.Sprintf("cancelled after %s runs, and the answer needs all of them; %s",
		words.Thousands(int64(s.done)), again)}
}
