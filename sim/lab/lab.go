// Package lab is a session in the laboratory. It opens a scenario, moves a cursor, performs and undoes acts, creates
// branches, plays, runs variants, and saves the whole session.
//
// The problem: a user acts on a run in the past, changes a setting, steps back, and compares two futures, and every
// click must show the right instant within milliseconds. A run is a function of its scenario and acts. So the session
// stores only these; it computes runs and forgets them as it likes. Long computations happen in slices: each call
// computes a bounded share, and GoOn continues.
//
// Lab is one open session. A branch is a run with its own acts. The cursor is the instant on screen, and the live
// cursor is the latest instant that the user has seen. All instants are nanoseconds of virtual time.
//
// # Two cursors
//
//	instant   0 ────────── 20 s ─────────── 34 s ─ ─ ─ ─ ─ ─ 120 s
//	                    cursor             live cursor        end
//	                      │                    │
//	          an act here starts a branch      an act here continues the run
//
// Everything before the live cursor is the past: the user has seen it, so nothing may change it. An act there starts
// a branch, and the old run remains. At the live cursor an act changes only a future that nobody has seen, so the
// branch simply continues with the act.
//
// # Where things are
//
//	open, move, play, stop         lab.go, pace.go, breakpoints.go
//	act, now or at any instant     acts.go, inject.go
//	change settings                settings.go
//	branches, undo, redo           history.go, branches.go
//	make and forget runs           memory.go
//	slice long computations        search.go
//	save and share                 session.go, snapshot.go, share.go, package link
//	answer requests to the API     rest.go
//	compare runs, run studies      sides.go, sweep.go, questions.go
//	follow real programs           record.go
//
// # Guarantees
//
// Guarantee: what a session shows is a function of (scenario, seed, acts, cursor, live), no matter how it got there. An
// error does not change the session. Non-guarantee: a lab draws nothing. Look returns the current run for sim/view. A
// Lab is not safe for concurrent use.
package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// spec is everything that determines a branch. A spec never changes once a branch or an undo step uses it: a change
// makes a new spec, which shares as much as it can. So undo only needs to remember pointers. Only two caches, text
// and run, may change: dropRuns clears run, and runs.of fills it again.
//
// The field patch stays separate from begun, so that a link to a shipped scenario with two changes can contain just
// those two changes.
type spec struct {
	base    string                // name of the shipped scenario from which the spec derives; "" for the user's own
	patch   []protocol.PatchEntry // the user's changes to base
	begun   scenario.Scenario     // base with patch applied
	actions []scenario.Action     // live acts, ordered by time
	sources []int32               // one number for each act, never reused
	run     *timeline.Run         // the computed run; nil if it was dropped
	text    []byte                // begun as a document; nil until needed
	outside timeline.Outside      // source of a record's calls; nil for a simulation
}

// Lab is one open session.
type Lab struct {
	history  history
	playback playback
	stops    breakpoints
	asked    questions
	api      api
	runs     runs
	shelf    shelf
	search   *search // nil unless a computation is unfinished
	sliced   bool    // each call computes only a bounded share
	toast    string
}

// shelf finds shipped scenarios.
type shelf struct {
	named  map[string]scenario.Scenario
	findBy func(name string) (s scenario.Scenario, known bool, err error)
}

// Alive sets a function that long computations call from time to time while virtual time advances. It lets the page
// distinguish a long call from an endless loop.
func (l *Lab) Alive(sign func()) { l.runs.alive = sign }

// New returns a lab that knows the shipped scenarios.
func New(shipped []scenario.Scenario) *Lab {
	l := &Lab{shelf: shelf{named: map[string]scenario.Scenario{}}, runs: runs{sources: firstSource}}
	for _, s := range shipped {
		l.shelf.named[s.Name] = s
	}
	return l
}

// FindBy sets a function that finds scenarios that New did not get. The page decodes most scenarios only when it
// opens them. `find` returns an error for a known scenario that does not decode.
func (l *Lab) FindBy(find func(name string) (s scenario.Scenario, known bool, err error)) {
	l.shelf.findBy = find
}

// `find` returns a scenario by its name.
func (s *shelf) find(name string) (scenario.Scenario, bool, error) {
	one, known := s.named[name]
	if !known && s.findBy != nil {
		return s.findBy(name)
	}
	return one, known, nil
}

// Opening holds the arguments of Open.
type Opening struct {
	Name    string             // name of a shipped scenario, unless Whole is set
	Whole   *scenario.Scenario // the user's own scenario
	Patch   []protocol.PatchEntry
	Seed    *uint64
	Actions []scenario.Action
	Cursor  *timeline.Cursor
	Live    *timeline.Cursor
	Engine  int    // number of the engine that made a link; 0 if unknown
	Hash    string // the trace hash in a link; "" if unknown

	Breakpoints []protocol.Breakpoint
}

// Open starts a session with a scenario. An error does not change the current session. A session that opens at a later
// instant shows instant 0 until it has computed the run up to there.
//
// If Live is nil, the live cursor is where Cursor is. A cursor beyond the end of the run moves to the end, because a
// link may come from a longer version of the scenario.
func (l *Lab) Open(o Opening) error {
	stops, err := readBreakpoints(o.Breakpoints)
	if err != nil {
		return err
	}
	sp, err := l.specOf(&o)
	if err != nil {
		return err
	}
	title := sp.title()
	l.history = historyOf([]*branch{{view: protocol.BranchView{Name: title, Parent: -1}, spec: sp}}, 0)
	l.playback.stop()
	l.stops = stops
	cursor, live := l.history.cursor, l.history.live
	if o.Live != nil {
		live = l.history.clamp(*o.Live)
	}
	if o.Cursor != nil {
		cursor = l.history.clamp(*o.Cursor)
	}
	live = timeline.Latest(live, cursor)
	l.begin(search{toNs: live.T, look: nothing, done: func(timeline.Cursor, bool) {
		l.history.cursor, l.history.live = cursor, live
		l.compareLink(&o)
	}})
	return nil
}

// specOf decodes and validates the scenario with which a session opens.
func (l *Lab) specOf(o *Opening) (*spec, error) {
	sp := &spec{base: o.Name}
	if o.Whole != nil {
		sp.begun, sp.base = *o.Whole, ""
	} else {
		s, known, err := l.shelf.find(o.Name)
		if err != nil {
			return nil, err
		}
		if !known {
			return nil, fmt.Errorf("no scenario is named %q", o.Name)
		}
		sp.begun, sp.base = s, s.Name // replace an alias by the current name
	}
	patch := o.Patch
	if o.Seed != nil && *o.Seed != sp.begun.Seed {
		patch = append(patch[:len(patch):len(patch)], protocol.PatchEntry{Path: "seed", Value: fmt.Sprint(*o.Seed)})
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
		sp.sources = append(sp.sources, l.runs.source())
	}
	if err := scenario.Validate(sp.whole()); err != nil {
		return nil, err
	}
	return sp, nil
}

// title returns the name of a session's first branch.
func (s *spec) title() string {
	switch {
	case s.begun.Title != "":
		return s.begun.Title
	case s.begun.Name != "":
		return s.begun.Name
	}
	return "your scenario"
}

// compareLink adds a toast if the run differs from the run that the link came from. A hash covers the trace up to the
// cursor. So it reveals a different past even if the screen looks the same. A different engine number explains the
// difference, so the toast about the engine comes first.
func (l *Lab) compareLink(o *Opening) {
	switch hash := l.Look().Here().World.Hash().String(); {
	case o.Engine != 0 && o.Engine != world.Engine:
		l.toast = fmt.Sprintf("This link comes from engine %d, and this is engine %d: the run may differ.", o.Engine,
			world.Engine)
	case o.Hash != "" && o.Hash != hash:
		l.toast = "This run differs from the one that was shared: its trace hash differs."
	}
}

// `change` records a change to the base. For each path it keeps only the last change.
func (s *spec) change(p protocol.PatchEntry) {
	for i := range s.patch {
		if s.patch[i].Path == p.Path {
			s.patch = append(append(s.patch[:i:i], s.patch[i+1:]...), p)
			return
		}
	}
	s.patch = append(s.patch[:len(s.patch):len(s.patch)], p)
}

// with returns a copy that begins with a changed scenario.
func (s *spec) with(begun scenario.Scenario, changes ...protocol.PatchEntry) *spec {
	next := &spec{base: s.base, patch: s.patch, begun: begun, actions: s.actions, sources: s.sources}
	for _, p := range changes {
		next.change(p)
	}
	return next
}

// `whole` returns the scenario as a file, with the live acts.
func (s *spec) whole() scenario.Scenario {
	w := s.begun
	w.Actions = append(append([]scenario.Action(nil), s.begun.Actions...), s.actions...)
	return w
}

// liveRun returns the current branch's run, and computes it from its spec if necessary.
func (l *Lab) liveRun() *timeline.Run { return l.runs.of(l.history.spec()) }

// endNs returns the last instant that the session can show.
func (s *spec) endNs() int64 {
	if timeline.Records && s.outside != nil {
		return s.outside.KnownNs()
	}
	return int64(s.begun.Duration)
}

// clamp limits a cursor to the run. At either end of the run N is -1, which means after all records of that instant.
func (s *spec) clamp(c timeline.Cursor) timeline.Cursor {
	switch end := s.endNs(); {
	case c.T < 0:
		return timeline.Cursor{T: 0, N: -1}
	case c.T > end:
		return timeline.Cursor{T: end, N: -1}
	}
	return c
}

// Seek moves the cursor, never beyond the live cursor.
func (l *Lab) Seek(c timeline.Cursor) { l.history.seek(c) }

// Step moves to the next or the previous event or landmark. A step forward from the live cursor moves the live
// cursor, too.
func (l *Lab) Step(direction int, unit string) {
	l.playback.on = false
	there := func(to timeline.Cursor, found bool) {
		switch {
		case found:
			l.move(to)
		case direction > 0:
			l.move(timeline.Cursor{T: l.history.endNs(), N: -1})
		default:
			l.history.cursor = timeline.Cursor{T: 0, N: 0}
		}
	}
	switch {
	case unit != "landmark" && direction > 0:
		there(l.liveRun().NextEvent(l.history.cursor))
	case unit != "landmark":
		there(l.liveRun().PreviousEvent(l.history.cursor))
	case direction > 0:
		l.begin(search{toNs: l.history.endNs(),
			look: func() (timeline.Cursor, bool) { return l.liveRun().NextLandmark(l.history.cursor) }, done: there})
	default:
		there(l.liveRun().PreviousLandmark(l.history.cursor))
	}
}

// `move` sets the cursor, and also the live cursor if the new place is beyond it. It computes the run up to there.
// Unlike Seek, `move` may show what the user has not seen yet.
func (l *Lab) move(c timeline.Cursor) {
	l.history.move(c)
	l.liveRun().Compute(l.history.live.T)
}

// RunTo moves the cursor to the next leader change, violation or breakpoint, or to the end, and moves the live cursor
// with it.
func (l *Lab) RunTo(what string) error { return l.RunToTime(what, 0) }

// RunToTime is RunTo with one more target: if the argument what is "time", it runs to the instant ns, or to the end of
// the run.
func (l *Lab) RunToTime(what string, ns int64) error {
	l.playback.on = false
	r, end := l.liveRun(), l.history.endNs()
	var look func() (timeline.Cursor, bool)
	switch what {
	case "leaderChange":
		look = func() (timeline.Cursor, bool) {
			for _, e := range r.Frontier().Tracker.Explanations {
				if c := timeline.CursorOf(e.LeadsAt); l.history.cursor.Before(c) {
					return c, true
				}
			}
			return timeline.Cursor{}, false
		}
	case "violation":
		look = func() (timeline.Cursor, bool) {
			for _, v := range r.Frontier().Checks.Violations {
				if c := (timeline.Cursor{T: v.FromNs, N: v.Ordinal}); v.Severity != rules.Observation &&
					l.history.cursor.Before(c) {
					return c, true
				}
			}
			return timeline.Cursor{}, false
		}
	case "time":
		end = max(0, min(ns, end))
		look = nothing
	case "end":
		look = nothing
	case "breakpoint":
		return l.runToBreakpoint()
	default:
		return fmt.Errorf("run to %q: must be leaderChange, violation, breakpoint, time or end", what)
	}
	l.begin(search{toNs: end, look: look, done: func(to timeline.Cursor, found bool) {
		if !found {
			to = timeline.Cursor{T: end, N: -1}
			l.toast = map[string]string{
				"leaderChange": "The leader does not change again before the run ends.",
				"violation":    "No violation before the run ends.",
			}[what]
		}
		l.move(to)
	}})
	return nil
}

// Cursor returns the cursor.
func (l *Lab) Cursor() timeline.Cursor { return l.history.cursor }

// Look returns the current run, seen from the cursor.
func (l *Lab) Look() timeline.Look {
	return timeline.Look{Run: l.liveRun(), Cursor: l.history.cursor, Live: l.history.live}
}

// Session returns what a view shows besides the run. It returns each toast only once.
func (l *Lab) Session() protocol.SessionView {
	v := protocol.SessionView{
		Title: l.history.branches[0].view.Name, Playing: l.playback.on, Speed: l.playback.speed,
		Branches: l.history.branchViews(), Branch: l.history.current,
		Toast: l.toast, Breakpoints: l.stops.all,
	}
	l.toast = ""
	if n := len(l.history.undo); n > 0 {
		v.Undo = l.history.undo[n-1].label
	}
	if n := len(l.history.redo); n > 0 {
		v.Redo = l.history.redo[n-1].label
	}
	return v
}
