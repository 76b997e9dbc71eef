// Package reroll finds the point of no return: it runs on from instants of a run with fresh randomness, many times
// each, and tells in how many of those futures a rule is broken. When is it inevitable?
//
// Guarantee: the curve is a function of the scenario, its seed and the plan, however the work was sliced. At an instant
// before anything random has happened it is the probability over all seeds; after the violation it is 1.
// Non-guarantee: a share of so many runs is an estimate; every point carries its 95 % interval. What the scenario fixes
// (its acts, listed draws, starts) is the same in every future.
package reroll

import (
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

// Event is the event to search for: a broken rule, or a time without a leader that is longer than a bound.
type Event struct {
	Rule         string // "" for a bound
	LeaderlessNs int64
	AfterNs      int64 // what began before this instant does not count
}

// leaderless is how an event of the second kind is written: "leaderless>20s".
const leaderless = "leaderless>"

// ParseEvent reads "moreThanOneActive" or "leaderless>20s".
func ParseEvent(text string) (Event, error) {
	bound, long := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), leaderless)
	if !long {
		if text == "" {
			return Event{}, fmt.Errorf("a rule is needed, such as %s or %s20s", rules.MoreThanOneActive, leaderless)
		}
		var names []string
		for _, rule := range rules.All() {
			if rule.Name == text {
				return Event{Rule: text}, nil
			}
			names = append(names, rule.Name)
		}
		return Event{}, fmt.Errorf("%q is no rule; there are %s, and %s with a duration", text,
			strings.Join(names, ", "), leaderless)
	}
	d, err := time.ParseDuration(bound)
	if err != nil || d < 0 {
		return Event{}, fmt.Errorf("%q: after %s comes a duration, such as 20s", text, leaderless)
	}
	return Event{LeaderlessNs: int64(d)}, nil
}

// String is what ParseEvent reads.
func (e Event) String() string {
	if e.Rule != "" {
		return e.Rule
	}
	return leaderless + time.Duration(e.LeaderlessNs).String()
}

// Plan says what to run.
type Plan struct {
	Scenario scenario.Scenario // with its acts
	Event    Event
	Runs     int   // futures of each instant
	Points   int   // instants, evenly spaced; as many again at most go to where the curve rises
	FromNs   int64 // of the instants
	ToNs     int64 // 0: the instant at which the event happens in the run itself, its end if it does not
	UntilNs  int64 // futures end here; 0: at the run's end
	_        struct{}
}

// Point is the curve at one instant.
type Point struct {
	AtNs      int64
	Runs      int
	Hits      int
	Low, High float64 // Wilson's 95 % interval
	Coarse    bool    // one of the evenly spaced ones
}

// Share is the estimate.
func (p Point) Share() float64 { return float64(p.Hits) / float64(max(p.Runs, 1)) }

// Outcome is what is known so far.
type Outcome struct {
	Done, Of     int   // futures
	HappensNs    int64 // when it happens in the run itself, -1: it does not
	EndNs        int64 // of the run
	Points       []Point
	InevitableNs int64 // from here on the share is at least Inevitable, -1: never, or not known yet
	Turn         Turn
	Scripted     *Scripted // the scenario decides, and no instant does; nil: not so, or not known yet
}

// Turn is where the curve moves most: whatever happened in between decided.
type Turn struct {
	FromNs, ToNs int64 // after the one and up to the other; equal when there is none
	From, To     float64
}

// Inevitable is the share from which on an event is called so.
const Inevitable = 0.99

// leastTurn is how much the curve must move between two neighbours for that to be called a turn.
const leastTurn = 0.05

// refinements is how many instants are added where the curve rises most.
const refinements = 12

// Reroll is a plan under way, a study in stages: the run itself; the futures of evenly spaced instants; those of one
// instant after another where the curve moves most; and where the event happens in all of them, those without one act
// at a time. The result of a run is the instant at which the event happens in it, Never if it does not.
type Reroll struct {
	plan    Plan
	setup   *world.Setup
	happens int64
	points  []Point    // done, ascending
	marks   []*watched // the run at instants that are done, ascending: where a later one begins
	refined int
	stage   func(*futures) *futures // takes what the futures under way came to, and returns the next ones
	under   *futures
	done    int   // futures, with those that need not be run
	acts    []int // left out, by the states of the last stage
	over    bool

	scripted *Scripted
}

// Never is the result of a run in which the event does not happen.
const Never = -1

// New begins a plan. Nothing is run before the runs of the plans of Next are. An impossible plan is an error.
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
	r.stage = r.begin
	return r, nil
}

// MostRuns is how many runs all stages have at most.
func (r *Reroll) MostRuns() int {
	return 1 + r.plan.Runs*(r.plan.Points+max(refinements, 1+triedActs))
}

// Next implements study.Stages.
func (r *Reroll) Next() (study.Plan[int64], error) {
	for r.stage != nil {
		if r.under = r.stage(r.under); r.under != nil && r.under.Runs() > 0 {
			return r.under, nil
		}
	}
	r.over = true
	return nil, nil
}

// Take implements study.Stages.
func (r *Reroll) Take(number int, hitNs int64) { r.under.take(number, hitNs) }

// begin runs the scenario itself.
func (r *Reroll) begin(*futures) *futures {
	r.stage = r.space
	return r.futures([]*watched{start(r.setup)}, 1, true)
}

// space lays the instants evenly.
func (r *Reroll) space(itself *futures) *futures {
	r.happens = itself.hitNs
	to := r.plan.ToNs
	if to == 0 {
		to = r.plan.UntilNs
	}
	if r.happens >= 0 {
		to = min(to, r.happens)
	}
	from := min(max(r.plan.FromNs, 0), to)
	last := r.plan.Points - 1
	var instants []int64
	for k := range r.plan.Points {
		at := from + int64(float64(to-from)/float64(last)*float64(k))
		if k == last {
			at = to
		}
		if n := len(instants); n == 0 || instants[n-1] < at {
			instants = append(instants, at)
		}
	}
	r.stage = r.laid
	return r.from(instants, true)
}

// laid takes the futures of the evenly spaced instants.
func (r *Reroll) laid(f *futures) *futures {
	r.keep(f)
	if r.flat() {
		return r.suspect()
	}
	r.stage = r.refine
	return nil
}

// refine takes the futures of an instant, and goes to the middle of where the curve rises most.
func (r *Reroll) refine(f *futures) *futures {
	r.keep(f)
	steepest, best := 0.05, -1
	for k := 1; k < len(r.points) && r.refined < refinements; k++ {
		rise := math.Abs(r.points[k].Share() - r.points[k-1].Share())
		if rise > steepest && r.points[k].AtNs-r.points[k-1].AtNs > 1_000_000 {
			steepest, best = rise, k
		}
	}
	if best < 0 {
		r.stage = nil
		return nil
	}
	r.refined++
	return r.from([]int64{(r.points[best-1].AtNs + r.points[best].AtNs) / 2}, false)
}

// from is the futures of instants. Those from the event on need not be run.
func (r *Reroll) from(instants []int64, coarse bool) *futures {
	var states []*watched
	var points []Point
	for _, at := range instants {
		p := Point{AtNs: at, Coarse: coarse}
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

// at is the run at an instant: it goes on from the last mark before it, or from its beginning.
func (r *Reroll) at(atNs int64) *watched {
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

// keep adds the points whose futures are done to the curve.
func (r *Reroll) keep(f *futures) {
	if f == nil {
		return
	}
	for _, p := range f.points {
		r.insert(p)
	}
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

// flat reports whether the event happens, and in nearly every future of every instant.
func (r *Reroll) flat() bool {
	return r.happens > 0 && !slices.ContainsFunc(r.points, func(p Point) bool { return p.Share() < Inevitable })
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

// Outcome is what is known so far.
func (r *Reroll) Outcome() Outcome {
	o := Outcome{HappensNs: r.happens, EndNs: r.setup.DurationNs, InevitableNs: -1, Points: slices.Clone(r.points),
		Done: r.done}
	if r.under != nil && !r.over {
		o.Done += r.under.taken
		o.Of = r.under.Runs() - r.under.taken
	}
	o.Of += o.Done
	if !r.over {
		if r.acts == nil && len(r.points) == 0 {
			o.Of += r.plan.Points * r.plan.Runs // the curve is still to come
		}
		o.Of++ // the answer is
		return o
	}
	o.Scripted = r.scripted
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
