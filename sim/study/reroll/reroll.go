package reroll

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/world"
)

// Event is what to search for: a broken rule, or a time without a leader that exceeds a bound.
type Event struct {
	Rule         string // "" for a bound
	LeaderlessNs int64
	AfterNs      int64 // ignore what began before this instant
}

// leaderless is how users write an event of the second kind: "leaderless>20s".
const leaderless = "leaderless>"

// ParseEvent parses "moreThanOneActive" or "leaderless>20s".
func ParseEvent(text string) (Event, error) {
	bound, long := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), leaderless)
	if !long {
		if text == "" {
			return Event{}, fmt.Errorf("the rule is missing, such as %s or %s20s", rules.MoreThanOneActive, leaderless)
		}
		var names []string
		for _, rule := range rules.All() {
			if rule.Name == text {
				return Event{Rule: text}, nil
			}
			names = append(names, rule.Name)
		}
		return Event{}, fmt.Errorf("unknown rule %q; use %s, or %s with a duration", text,
			strings.Join(names, ", "), leaderless)
	}
	d, err := time.ParseDuration(bound)
	if err != nil || d < 0 {
		return Event{}, fmt.Errorf("%q: put a duration after %s, such as 20s", text, leaderless)
	}
	return Event{LeaderlessNs: int64(d)}, nil
}

// String formats the event the way ParseEvent expects it.
func (e Event) String() string {
	if e.Rule != "" {
		return e.Rule
	}
	return leaderless + time.Duration(e.LeaderlessNs).String()
}

// Plan says what to run.
type Plan struct {
	Scenario scenario.Scenario // the scenario, including its acts
	Event    Event
	Runs     int   // number of futures from each instant
	Points   int   // number of evenly spaced instants; up to as many more instants where the curve rises
	FromNs   int64 // first of the instants
	ToNs     int64 // last of the instants; 0 for the instant of the event in the run itself, or the run's end
	UntilNs  int64 // futures end here; 0 for the end of the run
	_        struct{}
}

// Point is the curve at one instant.
type Point struct {
	AtNs      int64
	Runs      int
	Hits      int
	Low, High float64 // Wilson's 95 % interval
}

// Share returns the estimated share.
func (p Point) Share() float64 { return float64(p.Hits) / float64(max(p.Runs, 1)) }

// Outcome contains the results of the study so far.
type Outcome struct {
	Done, Of     int   // number of finished futures, and of all futures
	HappensNs    int64 // when the event happens in the run itself, or -1
	Points       []Point
	InevitableNs int64 // from here on the share is at least Inevitable; -1 if it never is, or is still unknown
	Turn         Turn
}

// Turn is where the curve moves most, up or down. What happened there was decisive. If the curve moves down, the run
// had a narrow escape.
type Turn struct {
	FromNs, ToNs int64 // the turn is after FromNs and up to ToNs; both are equal without a turn
	From, To     float64
}

// An event counts as inevitable if its share is at least Inevitable.
const Inevitable = 0.99

// leastTurn is how much the curve must move between two neighbors to count as a turn.
const leastTurn = 0.05

// refinements is how many instants to add where the curve rises most.
const refinements = 12

// Reroll is a study in stages. First comes the run itself, then the futures of evenly spaced instants, then more
// instants, one by one, where the curve moves most. The result of a run is the instant at which the event happens, or
// Never.
type Reroll struct {
	plan    Plan
	setup   *world.Setup
	happens int64
	points  []Point       // finished points, in order of time
	marks   []*watchedRun // the run at finished instants, in order of time, to start from
	refined int
	under   *futures
	done    int // number of futures, including futures that need no run
	over    bool
}

// Never is the result of a run in which the event does not happen.
const Never = -1

// New prepares a study, whose runs you make with Next. For an impossible plan it returns an error.
func New(p Plan) (*Reroll, error) {
	switch {
	case p.Runs < 1 || p.Runs > MaxRuns:
		return nil, refuse("runs", p.Runs, 1, MaxRuns)
	case p.Points < 2 || p.Points > MaxPoints:
		return nil, refuse("points", p.Points, 2, MaxPoints)
	}
	r := &Reroll{plan: p, setup: compile.Scenario(p.Scenario), happens: Never}
	end := r.setup.DurationNs
	if r.plan.UntilNs == 0 || r.plan.UntilNs > end {
		r.plan.UntilNs = end
	}
	return r, nil
}

// Next implements study.Stages: it reads the results of the current futures and returns the next ones.
func (r *Reroll) Next() (study.Plan[int64], error) {
	for !r.over {
		switch f := r.under; {
		case f == nil:
			r.under = r.futures([]*watchedRun{start(r.setup)}, 1, true)
		case f.itself:
			r.happens = f.hitNs
			r.under = r.from(r.spaced())
		default:
			for _, p := range f.points {
				r.insert(p)
			}
			at, rises := r.steepest()
			if r.over = !rises || r.refined == refinements; r.over {
				return nil, nil
			}
			r.refined++
			r.under = r.from([]int64{at})
		}
		if r.under.Runs() > 0 {
			return r.under, nil
		}
	}
	return nil, nil
}

// Take implements study.Stages.
func (r *Reroll) Take(number int, hitNs int64) { r.under.take(number, hitNs) }

// spaced returns evenly spaced instants.
func (r *Reroll) spaced() (instants []int64) {
	to := cmp.Or(r.plan.ToNs, r.plan.UntilNs)
	if r.happens >= 0 {
		to = min(to, r.happens)
	}
	from := min(max(r.plan.FromNs, 0), to)
	last := r.plan.Points - 1
	for k := range r.plan.Points {
		at := from + int64(float64(to-from)/float64(last)*float64(k))
		if k == last {
			at = to
		}
		if n := len(instants); n == 0 || instants[n-1] < at {
			instants = append(instants, at)
		}
	}
	return instants
}

// steepest returns the middle of the steepest part of the curve. Parts that rise by 5 % or less, or that are at most a
// millisecond long, do not count.
func (r *Reroll) steepest() (at int64, rises bool) {
	steepest := 0.05
	for k := 1; k < len(r.points); k++ {
		from, to := &r.points[k-1], &r.points[k]
		if rise := math.Abs(to.Share() - from.Share()); rise > steepest && to.AtNs-from.AtNs > 1_000_000 {
			steepest, at, rises = rise, (from.AtNs+to.AtNs)/2, true
		}
	}
	return at, rises
}

// `from` returns the futures of instants. For an instant after the event, futures need no run.
func (r *Reroll) from(instants []int64) *futures {
	var states []*watchedRun
	var points []Point
	for _, at := range instants {
		p := Point{AtNs: at}
		if r.happens >= 0 && at >= r.happens {
			p.Runs, p.Hits = r.plan.Runs, r.plan.Runs
			r.insert(p)
			continue
		}
		points, states = append(points, p), append(states, r.at(at))
	}
	f := r.futures(states, r.plan.Runs, false)
	f.points = points
	return f
}

// `at` returns the run at an instant. It starts at the last mark before that instant, or at the beginning. The marks
// need memory but save time: to reach the middle of a part, the method `at` steps through half of that part instead of
// the whole run.
func (r *Reroll) at(atNs int64) *watchedRun {
	k := len(r.marks)
	for k > 0 && r.marks[k-1].World.Now() > atNs {
		k--
	}
	s := start(r.setup)
	if k > 0 {
		s = r.marks[k-1].clone()
	}
	s.runTo(atNs, Event{LeaderlessNs: math.MaxInt64})
	r.marks = slices.Insert(r.marks, k, s)
	return s
}

func (r *Reroll) insert(p Point) {
	p.Low, p.High = study.Wilson(p.Hits, p.Runs)
	k := len(r.points)
	for k > 0 && r.points[k-1].AtNs > p.AtNs {
		k--
	}
	r.points = slices.Insert(r.points, k, p)
	r.done += p.Runs
}

// Limits of a plan.
const (
	MaxRuns   = 10_000
	MaxPoints = 200
)

func refuse(path string, value, low, high int) error {
	rule := fmt.Sprintf("%d to %d", low, high)
	return &scenario.FieldError{Path: path, Value: fmt.Sprint(value), Rule: rule,
		Message: fmt.Sprintf("%s %d must be %s", path, value, rule)}
}

// Outcome returns the results of the study so far.
func (r *Reroll) Outcome() Outcome {
	o := Outcome{HappensNs: r.happens, InevitableNs: -1, Points: slices.Clone(r.points),
		Done: r.done}
	if r.under != nil && !r.over {
		o.Done += r.under.taken
		o.Of = r.under.Runs() - r.under.taken
	}
	o.Of += o.Done
	if !r.over {
		if len(r.points) == 0 {
			o.Of += r.plan.Points * r.plan.Runs // the curve is not known yet
		}
		o.Of++ // the answer is not known yet
		return o
	}
	for k := 1; k < len(r.points); k++ {
		a, b := r.points[k-1], r.points[k]
		if move := math.Abs(b.Share() - a.Share()); move >= leastTurn && move > math.Abs(o.Turn.To-o.Turn.From) {
			o.Turn = Turn{FromNs: a.AtNs, ToNs: b.AtNs, From: a.Share(), To: b.Share()}
		}
	}
	for k := len(r.points) - 1; k >= 0 && r.points[k].Share() >= Inevitable; k-- {
		o.InevitableNs = r.points[k].AtNs
	}
	return o
}
