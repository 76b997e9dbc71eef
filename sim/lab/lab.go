package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/breakpoint"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Protocol numbers the shapes that cross to the page: this package's views, wasm/bridge and web/js/protocol.d.ts.
const Protocol = 1

// stepBudget is how many requests one call may compute before it returns to its caller.
const stepBudget = 1 << 62

// spec says what a branch is: everything it can be computed from.
type spec struct {
	base    string            // name of the shipped scenario it began as, "" for one of the user's
	patch   []PatchEntry      // knobs changed against it
	begun   scenario.Scenario // base with patch
	actions []scenario.Action // live acts, by time
	sources []int32           // one number an act, never reused
	run     *run              // computed so far; nil when it was dropped
	knobs   []string          // what begun sets each of Knobs to for all, once somebody has asked
	text    []byte            // begun as a document, once somebody has asked
}

// branch is a named line of the tree.
type branch struct {
	view   BranchView
	spec   *spec
	cursor Cursor
	edge   Cursor
}

// moment in the history of what the user did: what to go back to.
type past struct {
	label  string // what led away from here
	branch int
	spec   *spec
	cursor Cursor
	edge   Cursor
	views  []BranchView // the branches there were, with their names
}

// Lab is one open session.
type Lab struct {
	branches []*branch
	current  int
	cursor   Cursor
	edge     Cursor
	here     *state // the state at the cursor
	hereRun  int    // of which run
	undo     []past
	redo     []past
	runs     int
	sources  int32
	toast    string
	named    map[string]scenario.Scenario // shipped ones
	seldom   func(name string) (s scenario.Scenario, known bool, err error)
	search   *search // not finished yet
	sliced   bool    // one call computes a bounded share

	playing bool
	speed   float64 // 0: story
	until   int64   // pause there; 0: nowhere
	matches matches

	sweeping swept
	wonder   wondering
	face     face

	breaks     []Breakpoint
	conditions []breakpoint.Condition // theirs
	walk       *walk                  // the state at the cursor while breakpoints are watched
	fired      string                 // the breakpoint that stopped it last
	compared   *Comparison

	besides []*run // that a comparison needs
	viewed  []BranchView
	counted int // checkpoints of the run when all were last weighed
}

// New returns a lab that knows the shipped scenarios.
func New(shipped []scenario.Scenario) *Lab {
	l := &Lab{named: map[string]scenario.Scenario{}, sources: 1 << 20}
	for _, s := range shipped {
		l.named[s.Name] = s
	}
	return l
}

// Seldom says where scenarios are found that New was not given: those which are decoded only when somebody wants them. The
// error is of one that is known and cannot be decoded.
func (l *Lab) Seldom(find func(name string) (s scenario.Scenario, known bool, err error)) {
	l.seldom = find
}

// shipped is a scenario by its name.
func (l *Lab) shipped(name string) (scenario.Scenario, bool, error) {
	s, known := l.named[name]
	if !known && l.seldom != nil {
		return l.seldom(name)
	}
	return s, known, nil
}

// Opening is what Open takes.
type Opening struct {
	Name    string             // of a shipped scenario, or
	Whole   *scenario.Scenario // a scenario of the user's
	Patch   []PatchEntry
	Seed    *uint64
	Actions []scenario.Action
	Cursor  *Cursor
	Edge    *Cursor
	Engine  int    // that a link was made with, 0 if unknown
	Hash    string // that a link was made at, "" if unknown

	Breakpoints []Breakpoint
}

// Open starts a session with a scenario. On an error the lab keeps what it had. A session opened far ahead stands at its
// beginning until all before has been computed.
func (l *Lab) Open(o Opening) error {
	breaks, conditions, err := readBreakpoints(o.Breakpoints)
	if err != nil {
		return err
	}
	sp, err := l.specOf(&o)
	if err != nil {
		return err
	}
	title := sp.title()
	l.branches = []*branch{{view: BranchView{Name: title, Parent: -1}, spec: sp}}
	l.current, l.undo, l.redo, l.playing, l.until, l.here = 0, nil, nil, false, 0, nil
	l.breaks, l.conditions, l.walk = breaks, conditions, nil
	l.cursor, l.edge = Cursor{N: -1}, Cursor{N: -1}
	cursor, edge := l.cursor, l.edge
	if o.Edge != nil {
		edge = l.clamp(*o.Edge)
	}
	if o.Cursor != nil {
		cursor = l.clamp(*o.Cursor)
	}
	edge = latest(edge, cursor)
	l.begin(search{toNs: edge.T, look: nothing, done: func(Cursor, bool) {
		l.cursor, l.edge = cursor, edge
		l.compareLink(&o)
	}})
	return nil
}

// specOf is what a run is opened from, checked.
func (l *Lab) specOf(o *Opening) (*spec, error) {
	sp := &spec{base: o.Name}
	if o.Whole != nil {
		sp.begun, sp.base = *o.Whole, ""
	} else {
		s, known, err := l.shipped(o.Name)
		if err != nil {
			return nil, err
		}
		if !known {
			return nil, fmt.Errorf("there is no scenario named %q", o.Name)
		}
		sp.begun = s
	}
	patch := o.Patch
	if o.Seed != nil && *o.Seed != sp.begun.Seed {
		patch = append(patch[:len(patch):len(patch)], PatchEntry{Path: "seed", Value: fmt.Sprint(*o.Seed)})
	}
	var err error
	if sp.begun, err = scenario.SetAll(sp.begun, changesOf(patch)); err != nil {
		return nil, err
	}
	for _, p := range patch {
		sp.change(p)
	}
	for _, a := range o.Actions {
		sp.actions = append(sp.actions, a)
		l.sources++
		sp.sources = append(sp.sources, l.sources)
	}
	if err := scenario.Validate(sp.whole()); err != nil {
		return nil, err
	}
	return sp, nil
}

// title is what the first branch of a session is called.
func (s *spec) title() string {
	switch {
	case s.begun.Title != "":
		return s.begun.Title
	case s.begun.Name != "":
		return s.begun.Name
	}
	return "your scenario"
}

// compareLink tells when the run is not the one that a link was made of.
func (l *Lab) compareLink(o *Opening) {
	switch hash := l.stateHere().world.Hash().String(); {
	case o.Engine != 0 && o.Engine != world.Engine:
		l.toast = fmt.Sprintf("This link was made with engine %d, this is engine %d: the run may differ.", o.Engine, world.Engine)
	case o.Hash != "" && o.Hash != hash:
		l.toast = "This run differs from the one that was shared: its trace hash is another."
	}
}

// change records a knob against the base, once a path.
func (s *spec) change(p PatchEntry) {
	for i := range s.patch {
		if s.patch[i].Path == p.Path {
			s.patch = append(append(s.patch[:i:i], s.patch[i+1:]...), p)
			return
		}
	}
	s.patch = append(s.patch[:len(s.patch):len(s.patch)], p)
}

// whole is the scenario with the live acts in it: what a file holds.
func (s *spec) whole() scenario.Scenario {
	w := s.begun
	w.Actions = append(append([]scenario.Action(nil), s.begun.Actions...), s.actions...)
	return w
}

func (l *Lab) spec() *spec { return l.branches[l.current].spec }

// run is the current branch, computed from its spec if need be.
func (l *Lab) run() *run { return l.runOf(l.spec()) }

func (l *Lab) runOf(sp *spec) *run {
	if sp.run == nil {
		l.runs++
		sp.run = newRun(l.runs, sp.begun)
		if len(sp.actions) > 0 {
			l.runs++
			sp.run = sp.run.fork(l.runs, sp.run.segments[0].fromNs, l.controls(sp.run, sp, 0))
		}
	}
	return sp.run
}

// controls compiles a spec's acts from number first on.
func (l *Lab) controls(r *run, sp *spec, first int) []world.Control {
	var all []world.Control
	for k := first; k < len(sp.actions); k++ {
		a := scenario.ResolveAction(sp.actions[k])
		all = append(all, compile.Action(r.setup, sp.begun, &a, sp.sources[k])...)
	}
	return all
}

func (l *Lab) endNs() int64 { return int64(l.spec().begun.Duration) }

func (l *Lab) clamp(c Cursor) Cursor { return l.spec().clamp(c) }

// clamp is a cursor within the run.
func (s *spec) clamp(c Cursor) Cursor {
	switch end := int64(s.begun.Duration); {
	case c.T < 0:
		return Cursor{T: 0, N: -1}
	case c.T > end:
		return Cursor{T: end, N: -1}
	}
	return c
}

// latest is the later of two cursors.
func latest(a, b Cursor) Cursor {
	if earlier(a, b) {
		return b
	}
	return a
}

// earlier reports a < b; n = -1 is after all of an instant.
func earlier(a, b Cursor) bool {
	if a.T != b.T {
		return a.T < b.T
	}
	return a.N >= 0 && (b.N < 0 || a.N < b.N)
}

func (l *Lab) compute(toNs int64) { l.run().compute(toNs, stepBudget) }

// stateHere is the state at the cursor.
func (l *Lab) stateHere() *state {
	r := l.run()
	near := l.here
	if near != nil && (l.hereRun != r.id || !before(near, l.cursor)) {
		near = nil
	}
	r.compute(l.cursor.T, stepBudget)
	l.here = r.stateAt(l.cursor, near)
	l.hereRun = r.id
	return l.here
}

// Seek moves the cursor, never beyond the edge.
func (l *Lab) Seek(c Cursor) {
	c = l.clamp(c)
	if earlier(l.edge, c) {
		c = l.edge
	}
	l.cursor = c
}

// Step moves to the next or the previous event or landmark. Forward at the edge it moves the edge.
func (l *Lab) Step(direction int, unit string) {
	l.playing = false
	there := func(to Cursor, found bool) {
		switch {
		case found:
			l.move(to)
		case direction > 0:
			l.move(Cursor{T: l.endNs(), N: -1})
		default:
			l.cursor = Cursor{T: 0, N: 0}
		}
	}
	switch {
	case unit != "landmark":
		there(l.event(direction))
	case direction > 0:
		l.begin(search{toNs: l.endNs(), look: l.nextLandmark, done: there})
	default:
		there(l.lastLandmark())
	}
}

// move goes to a place, taking the edge along when it lies beyond.
func (l *Lab) move(c Cursor) {
	l.cursor = l.clamp(c)
	l.edge = latest(l.edge, l.cursor)
	l.compute(l.edge.T)
}

// event finds the next or previous row of the usual list.
func (l *Lab) event(direction int) (Cursor, bool) {
	r := l.run()
	if direction > 0 {
		return l.nextEvent(r)
	}
	for k := r.near(l.cursor.T); k >= 0; k-- {
		rows := r.load(k).rows
		for i := len(rows) - 1; i >= 0; i-- {
			c := Cursor{T: rows[i].T, N: rows[i].N}
			if earlier(c, l.cursor) {
				return c, true
			}
		}
	}
	return Cursor{}, false
}

func (l *Lab) nextEvent(r *run) (Cursor, bool) {
	for aheadNs := int64(1_000_000_000); ; aheadNs *= 4 {
		r.compute(l.cursor.T+aheadNs, stepBudget)
		for k := r.near(l.cursor.T); k < len(r.segments); k++ {
			rows := r.load(k).rows
			for i := range rows {
				if c := (Cursor{T: rows[i].T, N: rows[i].N}); earlier(l.cursor, c) {
					return c, true
				}
			}
		}
		if l.cursor.T+aheadNs >= l.endNs() {
			return Cursor{}, false
		}
	}
}

func (l *Lab) lastLandmark() (Cursor, bool) {
	r := l.run()
	for k := len(r.index.landmarks) - 1; k >= 0; k-- {
		if c := at(&r.index.landmarks[k]); earlier(c, l.cursor) && (l.cursor.N >= 0 || c.T < l.cursor.T) {
			return c, true
		}
	}
	return Cursor{}, false
}

func (l *Lab) nextLandmark() (Cursor, bool) {
	r := l.run()
	for k := range r.index.landmarks {
		if c := at(&r.index.landmarks[k]); earlier(l.cursor, c) {
			return c, true
		}
	}
	return Cursor{}, false
}

func at(m *Landmark) Cursor { return Cursor{T: m.T, N: m.N} }

// RunTo runs silently to the next leader change or violation, or to the end, and takes the edge along.
func (l *Lab) RunTo(what string) error {
	l.playing = false
	r := l.run()
	var look func() (Cursor, bool)
	switch what {
	case "leaderChange":
		look = func() (Cursor, bool) {
			for _, e := range r.frontier.tracker.Explanations {
				if c := cursorOf(e.LeadsAt); earlier(l.cursor, c) {
					return c, true
				}
			}
			return Cursor{}, false
		}
	case "violation":
		look = func() (Cursor, bool) {
			for _, v := range r.frontier.checks.Violations {
				if c := (Cursor{T: v.FromNs, N: v.Ordinal}); v.Severity != rules.Observation && earlier(l.cursor, c) {
					return c, true
				}
			}
			return Cursor{}, false
		}
	case "end":
		look = nothing
	case "breakpoint":
		return l.runToBreakpoint()
	default:
		return fmt.Errorf("run to what? %q is none of leaderChange, violation, breakpoint, end", what)
	}
	l.begin(search{toNs: l.endNs(), look: look, done: func(to Cursor, found bool) {
		if !found {
			to = Cursor{T: l.endNs(), N: -1}
			l.toast = map[string]string{
				"leaderChange": "The leader does not change again before the run ends.",
				"violation":    "No violation before the run ends.",
			}[what]
		}
		l.move(to)
	}})
	return nil
}

func cursorOf(p explain.Place) Cursor {
	if p.Ordinal < 0 {
		return Cursor{T: p.AtNs, N: -1}
	}
	return Cursor{T: p.AtNs, N: p.Ordinal}
}

// Cursor is where the lab looks.
func (l *Lab) Cursor() Cursor { return l.cursor }
