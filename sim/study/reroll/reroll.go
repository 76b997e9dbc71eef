// Package reroll finds the point of no return: it runs on from instants of a run with fresh randomness, many times each,
// and tells in how many of those futures a rule is broken. When is it inevitable?
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
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
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
		return Event{}, fmt.Errorf("%q is no rule; there are %s, and %s with a duration", text, strings.Join(names, ", "), leaderless)
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

// Reroll is a plan under way.
type Reroll struct {
	plan    Plan
	setup   *world.Setup
	happens int64
	coarse  []int64    // instants still to come, ascending
	points  []Point    // done, ascending
	first   *watched   // the run itself, as long as it is not known whether the event happens in it
	base    *watched   // on its way to the instant under way
	marks   []*watched // the run at instants that are done, ascending: where a later one begins
	at      *watched   // the state at the instant under way
	point   Point
	aims    bool     // point is chosen, and base is on its way there
	future  *watched // under way
	refined int
	trial   *trial // what the scenario decides is being searched for
	over    bool
}

// New begins a plan. Nothing is run before Go is called. An impossible plan is an error.
func New(p Plan) (*Reroll, error) {
	switch {
	case p.Runs < 1 || p.Runs > MaxRuns:
		return nil, refuse("runs", p.Runs, 1, MaxRuns)
	case p.Points < 2 || p.Points > MaxPoints:
		return nil, refuse("points", p.Points, 2, MaxPoints)
	}
	r := &Reroll{plan: p, setup: compile.Scenario(p.Scenario), happens: -1}
	end := r.setup.DurationNs
	if r.plan.UntilNs == 0 || r.plan.UntilNs > end {
		r.plan.UntilNs = end
	}
	r.first = r.start()
	return r, nil
}

// begin runs the scenario itself, up to the event.
func (r *Reroll) begin(requests *int64) {
	f := r.first
	before := f.World.Counts().Requests
	happens := f.runTo(r.plan.UntilNs, r.plan.Event, before+*requests)
	*requests -= f.World.Counts().Requests - before
	if !happens && !f.ended {
		return
	}
	if happens {
		r.happens = f.hitNs
	}
	r.first = nil
	r.space()
}

// space lays the instants evenly.
func (r *Reroll) space() {
	to := r.plan.ToNs
	if to == 0 {
		to = r.plan.UntilNs
	}
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
		if n := len(r.coarse); n == 0 || r.coarse[n-1] < at {
			r.coarse = append(r.coarse, at)
		}
	}
}

// Limits of a plan.
const (
	MaxRuns   = 10_000
	MaxPoints = 200
)

func refuse(path string, value, low, high int) error {
	rule := fmt.Sprintf("%d to %d", low, high)
	return &scenario.FieldError{Path: path, Value: fmt.Sprint(value), Rule: rule, Message: fmt.Sprintf("%s %d must be %s", path, value, rule)}
}

func (r *Reroll) start() *watched { return start(r.setup) }

func start(setup *world.Setup) *watched {
	return &watched{Run: run.New(setup, run.Watchers{}), hitNs: -1}
}

// Go goes on for about so many simulated requests and reports whether everything is done.
func (r *Reroll) Go(requests int64) (over bool) {
	for requests > 0 && !r.over {
		if r.first != nil {
			r.begin(&requests)
			continue
		}
		if r.trial != nil && !r.trial.over {
			r.try(&requests)
			continue
		}
		if r.at == nil && !r.next(&requests) {
			continue
		}
		if r.future == nil {
			r.future = r.at.clone()
			r.future.World.Reseed(uint64(r.point.Runs) + 1)
			requests -= cloneRequests
		}
		f := r.future
		before := f.World.Counts().Requests
		done := f.runTo(r.plan.UntilNs, r.plan.Event, before+max(requests, 1))
		requests -= f.World.Counts().Requests - before
		if !done && !f.ended {
			break
		}
		r.point.Runs++
		if done {
			r.point.Hits++
		}
		r.future = nil
		if r.point.Runs == r.plan.Runs {
			r.finish()
		}
	}
	return r.over
}

// cloneRequests is what a clone costs, in simulated requests.
const cloneRequests = 8

// next goes to the next instant; false when there is none, when nothing needs to be run there, or when it is not there yet.
func (r *Reroll) next(requests *int64) bool {
	if !r.aims {
		at, coarse, more := r.nextInstant()
		if !more {
			r.over = true
			return false
		}
		r.point, r.aims = Point{AtNs: at, Coarse: coarse}, true
		if r.happens >= 0 && at >= r.happens { // it has happened
			r.point.Runs, r.point.Hits = r.plan.Runs, r.plan.Runs
			r.finish()
			return false
		}
		r.base = r.nearest(at)
	}
	before := r.base.World.Counts().Requests
	r.base.ended = false
	r.base.runTo(r.point.AtNs, Event{LeaderlessNs: math.MaxInt64}, before+max(*requests, 1))
	*requests -= r.base.World.Counts().Requests - before
	if !r.base.ended {
		return false
	}
	r.at = r.base.clone()
	r.mark(r.base)
	return true
}

// nearest is the run at the last mark before an instant, or at its beginning.
func (r *Reroll) nearest(atNs int64) *watched {
	for k := len(r.marks) - 1; k >= 0; k-- {
		if r.marks[k].World.Now() <= atNs {
			return r.marks[k].clone()
		}
	}
	return r.start()
}

func (r *Reroll) mark(s *watched) {
	k := len(r.marks)
	for k > 0 && r.marks[k-1].World.Now() > s.World.Now() {
		k--
	}
	r.marks = append(r.marks, nil)
	copy(r.marks[k+1:], r.marks[k:])
	r.marks[k] = s
}

// nextInstant is the next of the evenly spaced ones, then the middle of where the curve rises most.
func (r *Reroll) nextInstant() (at int64, coarse, more bool) {
	if len(r.coarse) > 0 {
		at, r.coarse = r.coarse[0], r.coarse[1:]
		return at, true, true
	}
	if r.refined == refinements {
		return 0, false, false
	}
	r.refined++
	steepest, best := 0.05, -1
	for k := 1; k < len(r.points); k++ {
		rise := math.Abs(r.points[k].Share() - r.points[k-1].Share())
		if rise > steepest && r.points[k].AtNs-r.points[k-1].AtNs > 1_000_000 {
			steepest, best = rise, k
		}
	}
	if best < 0 {
		r.refined = refinements
		return 0, false, false
	}
	return (r.points[best-1].AtNs + r.points[best].AtNs) / 2, false, true
}

func (r *Reroll) finish() {
	p := r.point
	p.Low, p.High = study.Wilson(p.Hits, p.Runs)
	k := len(r.points)
	for k > 0 && r.points[k-1].AtNs > p.AtNs {
		k--
	}
	r.points = append(r.points, Point{})
	copy(r.points[k+1:], r.points[k:])
	r.points[k] = p
	r.at, r.future, r.aims = nil, nil, false
	if len(r.coarse) == 0 && r.trial == nil && r.flat() {
		r.trial = newTrial(r.plan.Scenario, r.happens, r.points[0].AtNs == 0)
	}
}

// flat reports whether the event happens, and in nearly every future of every instant.
func (r *Reroll) flat() bool {
	return r.happens > 0 && !slices.ContainsFunc(r.points, func(p Point) bool { return p.Share() < Inevitable })
}

// Outcome is what is known so far.
func (r *Reroll) Outcome() Outcome {
	o := Outcome{HappensNs: r.happens, EndNs: r.setup.DurationNs, InevitableNs: -1, Points: append([]Point(nil), r.points...)}
	o.Done = len(r.points) * r.plan.Runs
	o.Of = (len(r.points) + len(r.coarse) + refinements - r.refined) * r.plan.Runs
	if r.first != nil {
		o.Of += r.plan.Points * r.plan.Runs
	}
	if r.at != nil {
		o.Done += r.point.Runs
		o.Of += r.plan.Runs
	}
	if t := r.trial; t != nil {
		o.Done += t.done
		o.Of = o.Done + max(1, len(t.acts)*r.plan.Runs)
	}
	if !r.over {
		return o
	}
	o.Of = o.Done
	if r.trial != nil {
		o.Scripted = r.trial.scripted
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

// watched is a run and how far it has been searched for the event.
type watched struct {
	*run.Run
	seen  int // violations searched
	hitNs int64
	ended bool
}

func (s *watched) clone() *watched {
	c := *s
	c.Run, c.ended = s.Run.Clone(), false
	return &c
}

// runTo steps to an instant and reports whether the event happened on the way; it stops there, or after about so many
// requests.
func (s *watched) runTo(toNs int64, e Event, requests int64) bool {
	for s.World.Counts().Requests < requests {
		before, since, nobody := s.Checks.LeaderlessNs, s.Checks.SinceNs(), len(s.Checks.Active()) == 0
		if !s.Step(toNs, nil) {
			s.ended = true
			s.Settle(toNs)
			if e.Rule == "" {
				return s.leaderless(toNs, e)
			}
			return s.broken(e)
		}
		if e.Rule == "" {
			if nobody && s.Checks.LeaderlessNs-before > e.LeaderlessNs && since >= e.AfterNs || s.leaderless(s.World.Now(), e) {
				s.hitNs = since + e.LeaderlessNs
				return true
			}
			continue
		}
		if s.broken(e) {
			return true
		}
	}
	return false
}

// broken searches the violations found since its last call.
func (s *watched) broken(e Event) bool {
	for ; s.seen < len(s.Checks.Violations); s.seen++ {
		if v := &s.Checks.Violations[s.seen]; v.Rule == e.Rule && v.FromNs >= e.AfterNs {
			s.hitNs = v.FromNs
			return true
		}
	}
	return false
}

// leaderless reports whether no candidate has been active for longer than the bound.
func (s *watched) leaderless(nowNs int64, e Event) bool {
	since := s.Checks.SinceNs()
	if len(s.Checks.Active()) > 0 || nowNs-since <= e.LeaderlessNs || since < e.AfterNs {
		return false
	}
	s.hitNs = since + e.LeaderlessNs
	return true
}
