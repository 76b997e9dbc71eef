// Package study is the one idea behind every question that takes many runs. A plan says which runs there are and
// numbers them; a run is a pure function of its number; the outcome follows from the results in the order of their
// numbers.
//
// Guarantee: the order in which runs finish, the shards they are split into and runs that are made twice do not change
// what Take returns. So one core or all of them, slices in a worker of the page, several machines and a command that
// goes on after it was cancelled give the same outcome.
//
// grid (and heat on it) is a plan. advise, reroll and whatif are studies in stages, with one plan after
// another. The runs of hunt and shrink depend on those before, so that they have no numbers: they have New and Outcome
// in common, and make their work in slices, too.
//
// Non-guarantee: a Study is a plain value. Those who make runs on several goroutines call its methods on one of them.
package study

// Plan says which runs there are.
type Plan[T any] interface {
	// Runs returns how many there are; their numbers are 0 to Runs()-1.
	Runs() int
	// Run makes one of them. It may be called on several goroutines at once.
	Run(number int) T
}

// Stages is a study whose later runs depend on the results of earlier ones: it has one plan after another.
type Stages[T any] interface {
	// Next returns the plan of the next stage, once all results of the one before have been taken; nil when the outcome
	// is complete.
	Next() (Plan[T], error)
	// Take takes the results of a stage, in the order of their numbers.
	Take(number int, result T)
}

// Study is a plan under way: which of its runs are handed out, which are done, and the results that wait to be taken.
type Study[T any] struct {
	plan    Plan[T]
	shard   Shard
	next    int       // the place of the run that Next looks at first; a place is a run's position in its shard
	states  []state   // by place
	waiting map[int]T // the results that are done and not taken, by place
	done    int
	taken   int // the place that Take looks at first
	ended   bool
}

// state says what has become of a run.
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

// Of returns how many runs the study has, Done how many of them are done.
func (s *Study[T]) Of() int { return len(s.states) }

// Done returns how many runs are done.
func (s *Study[T]) Done() int { return s.done }

// Waiting returns how many results are done and not taken.
func (s *Study[T]) Waiting() int { return len(s.waiting) }

// Next hands out the number of a run to make, each once. It reports false when no run is left to hand out.
func (s *Study[T]) Next() (number int, more bool) {
	for ; s.next < len(s.states); s.next++ {
		if s.states[s.next] == open {
			s.states[s.next] = handedOut
			return s.shard.Number(s.next), true
		}
	}
	return 0, false
}

// Put stores the result of a run. It reports false, and changes nothing, if the study has that run's result or does not
// have that run.
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

// Take returns the next result in the order of the numbers, and forgets it. It reports false if that run is not done
// yet, or if all results have been taken.
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

// End says that no more runs come: from now on Take passes over those that are not done, so that what was found is not
// lost.
func (s *Study[T]) End() { s.ended = true }

// Go makes up to so many runs, one after another, and reports whether all are done. A worker of the page calls it in
// slices.
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

// Staged is a study in stages under way, whose runs are made one after another.
type Staged[T any] struct {
	of    Stages[T]
	under *Study[T]
	over  bool
}

// InStages returns the study. Nothing is run before Go is called.
func InStages[T any](of Stages[T]) *Staged[T] { return &Staged[T]{of: of} }

// Go makes up to so many runs and reports whether the outcome is complete. A worker of the page calls it in slices.
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
