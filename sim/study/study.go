package study

// Plan defines the runs of a study. A run must depend only on its number: another machine may repeat the run years
// later, and must get the same result.
type Plan[T any] interface {
	// Runs returns the number of runs. They have the numbers 0 to Runs()-1.
	Runs() int
	// Run makes one run. Several goroutines may call it at once.
	Run(number int) T
}

// Stages is a study whose later runs depend on earlier results. It has one plan for each stage. Take must receive all
// results of a plan, in order, before Next returns the next plan. So the workers wait for each other at the end of
// each stage.
type Stages[T any] interface {
	// Next returns the plan of the next stage, after Take has received all results of the previous stage. It returns
	// nil when the outcome is complete.
	Next() (Plan[T], error)
	// Take receives the results of a stage, in the order of their numbers.
	Take(number int, result T)
}

// Study is a plan in progress: which runs Next has handed out, which are done, and the results that wait for Take. It
// needs one byte per run, and memory for the waiting results. If run 0 is slow, all other results wait, so their
// number has no limit.
type Study[T any] struct {
	plan    Plan[T]
	shard   Shard
	next    int       // first place that Next checks; a place is a run's position in its shard
	states  []state   // states of the runs, by place
	waiting map[int]T // finished results that Take has not returned yet, by place
	done    int
	taken   int // first place that Take checks
	ended   bool
}

// state is the progress of a run.
type state uint8

const (
	open state = iota
	handedOut
	finished
)

// New returns the study of the plan's runs that belong to the shard. The zero Shard has all of them.
func New[T any](plan Plan[T], shard Shard) *Study[T] {
	return &Study[T]{plan: plan, shard: shard, states: make([]state, shard.Runs(plan.Runs())), waiting: map[int]T{}}
}

// Plan returns the plan.
func (s *Study[T]) Plan() Plan[T] { return s.plan }

// Of returns the number of runs in the study, which are the runs of its shard.
func (s *Study[T]) Of() int { return len(s.states) }

// Done returns the number of finished runs.
func (s *Study[T]) Done() int { return s.done }

// Waiting returns the number of finished results that Take has not returned.
func (s *Study[T]) Waiting() int { return len(s.waiting) }

// Next hands out the number of a run to make, each number once. It skips runs that already have a result. It returns
// false when it has handed out all runs, even if some are not done.
func (s *Study[T]) Next() (number int, more bool) {
	for ; s.next < len(s.states); s.next++ {
		if s.states[s.next] == open {
			s.states[s.next] = handedOut
			return s.shard.Number(s.next), true
		}
	}
	return 0, false
}

// Put stores the result of a run. It returns false, and changes nothing, if the study already has that result, or if
// that run does not belong to the study. Next need not have handed out the run: when a command resumes, it first puts
// the runs from the file into the study.
func (s *Study[T]) Put(number int, result T) bool {
	place, has := s.shard.place(number)
	if !has || place >= len(s.states) || s.states[place] == finished {
		return false
	}
	s.states[place] = finished
	s.waiting[place] = result
	s.done++
	return true
}

// Take returns the next result in the order of the numbers, and forgets it. It returns false if that run is not done
// yet, or if Take has returned every result.
func (s *Study[T]) Take() (number int, result T, more bool) {
	for ; s.taken < len(s.states); s.taken++ {
		if s.states[s.taken] == finished {
			place := s.taken
			s.taken++
			result = s.waiting[place]
			delete(s.waiting, place)
			return s.shard.Number(place), result, true
		}
		if !s.ended {
			break
		}
	}
	return 0, result, false
}

// End says that no more runs will come. From now on Take skips unfinished runs, so that finished results are not
// lost. For example, if Ctrl-C comes during run 3, Take continues with run 4, and the outcome shows how many runs it
// includes.
func (s *Study[T]) End() { s.ended = true }

// Go makes at most `runs` runs, one after another, and reports whether all are done. A worker of the page calls it
// once per slice.
func (s *Study[T]) Go(runs int) (over bool) {
	for range runs {
		number, more := s.Next()
		if !more {
			break
		}
		s.Put(number, s.plan.Run(number))
	}
	return s.done == len(s.states)
}

// Staged is a study in stages whose runs happen one after another.
type Staged[T any] struct {
	of    Stages[T]
	under *Study[T]
	over  bool
}

// InStages returns a study in stages. The study runs when you call Go.
func InStages[T any](of Stages[T]) *Staged[T] { return &Staged[T]{of: of} }

// Go makes at most `runs` runs and reports whether the outcome is complete. A worker of the page calls it once per
// slice.
func (s *Staged[T]) Go(runs int) (over bool, err error) {
	for ; runs > 0 && !s.over; runs-- {
		if s.under == nil {
			plan, err := s.of.Next()
			if err != nil {
				return true, err
			}
			if s.over = plan == nil; s.over {
				break
			}
			s.under = New(plan, Shard{})
		}
		over := s.under.Go(1)
		for number, one, more := s.under.Take(); more; number, one, more = s.under.Take() {
			s.of.Take(number, one)
		}
		if over {
			s.under = nil
		}
	}
	return s.over, nil
}
