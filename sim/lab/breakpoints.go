package lab

import (
	"errors"
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/judge/breakpoint"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// MaxBreakpoints is the maximum number of breakpoints of a session.
const MaxBreakpoints = 50

// `breakpoints` holds the breakpoints of the session and watches them.
type breakpoints struct {
	all        []protocol.Breakpoint
	conditions []breakpoint.Condition // parsed conditions, by index in all
	walk       *walk                  // the state that watches at the cursor during playback
	fired      string                 // the text of the breakpoint that last stopped the session
}

// readBreakpoints parses conditions and returns them with their canonical texts.
func readBreakpoints(all []protocol.Breakpoint) (breakpoints, error) {
	if len(all) > MaxBreakpoints {
		return breakpoints{}, refuse("breakpoints", fmt.Sprint(len(all)),
			fmt.Sprintf("at most %d", MaxBreakpoints),
			fmt.Sprintf("a session has at most %d breakpoints; this one has %d", MaxBreakpoints, len(all)))
	}
	read, conditions := make([]protocol.Breakpoint, len(all)), make([]breakpoint.Condition, len(all))
	for i, b := range all {
		c, err := breakpoint.Parse(b.Text)
		if err != nil {
			rule := ""
			var refused *breakpoint.ParseError
			if errors.As(err, &refused) {
				rule = fmt.Sprintf("character %d: %s", refused.At, refused.Allowed)
			}
			return breakpoints{}, refuse(fmt.Sprintf("breakpoints[%d]", i), b.Text, rule, err.Error())
		}
		read[i], conditions[i] = protocol.Breakpoint{Text: c.String(), Off: b.Off}, c
	}
	return breakpoints{all: read, conditions: conditions}, nil
}

// SetBreakpoints replaces the breakpoints of the session. On an error it changes nothing.
func (l *Lab) SetBreakpoints(all []protocol.Breakpoint) error {
	stops, err := readBreakpoints(all)
	if err == nil {
		l.stops = stops
	}
	return err
}

// walk is a state that advances through the run and watches for breakpoints.
type walk struct {
	run     int
	at      timeline.Cursor // current cursor of the walk
	state   *timeline.State
	watches []breakpoint.Watch
	texts   []string
	fired   string // text of the breakpoint that stopped the walk
}

// walkFrom starts a walk at the cursor. A condition that is already true there fires only when it becomes true again.
func (b *breakpoints) walkFrom(look timeline.Look) *walk {
	w := &walk{run: look.Run.ID(), at: look.Cursor, state: look.Here().Clone()}
	for i := range b.all {
		if one := &b.all[i]; !one.Off {
			watch := b.conditions[i].From(w.state.World, &w.state.Checks, look.Cursor.T)
			w.watches, w.texts = append(w.watches, watch), append(w.texts, one.Text)
		}
	}
	return w
}

// `watching` reports whether any breakpoint is on.
func (b *breakpoints) watching() bool {
	return slices.ContainsFunc(b.all, func(one protocol.Breakpoint) bool { return !one.Off })
}

// unknownNames returns the names in the watched conditions that belong to no node of the run, each once.
func (b *breakpoints) unknownNames(w *world.World) []string {
	var all []string
	for i := range b.all {
		if b.all[i].Off {
			continue
		}
		for _, name := range b.conditions[i].Strangers(w) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// `to` walks up to an instant, but handles no more requests than the budget allows. It returns true if it reached the
// instant or a breakpoint fired.
func (w *walk) to(ns, budget int64) (there bool) {
	s := w.state
	limit := s.World.Counts().Requests + budget
	for w.fired == "" {
		next := min(s.NextAt(), ns+1)
		first := int64(-1)
		for i := range w.watches {
			if at := w.watches[i].DueBefore(s.World, &s.Checks, next); at > w.at.T && (first < 0 || at < first) {
				first, w.fired = at, w.texts[i]
			}
		}
		if first >= 0 {
			w.at = timeline.Cursor{T: first, N: -1}
			return true
		}
		if s.World.Counts().Requests >= limit && next > s.World.Now() && next <= ns {
			w.at.N = -1 // everything at this instant has happened
			return false
		}
		if !s.Step(ns, nil) {
			w.at = timeline.Cursor{T: ns, N: -1}
			return true
		}
		for i := range w.watches {
			if w.watches[i].Step(s.World, &s.Checks) && w.fired == "" {
				w.fired = w.texts[i]
			}
		}
		w.at = s.Cursor()
	}
	return true
}

// ToBreakpoint moves the cursor to where a breakpoint fires, or to the end. It returns the breakpoint that fired, or
// "". If nothing has called Slice, it computes everything up to there in one call.
func (l *Lab) ToBreakpoint() (fired string, err error) {
	if err := l.runToBreakpoint(); err != nil {
		return "", err
	}
	return l.stops.fired, nil
}

// runToBreakpoint starts to move the cursor to where a breakpoint fires, or to the end.
func (l *Lab) runToBreakpoint() error {
	if !l.stops.watching() {
		return fmt.Errorf("no breakpoint is set; set one first, such as “active = 2”")
	}
	w := l.stops.walkFrom(l.Look())
	r, end := l.liveRun(), l.history.endNs()
	there := false
	l.begin(search{
		toNs: end, at: func() int64 { return w.at.T },
		walk: func() bool {
			there = there || w.to(end, tickRequests/2)
			return r.ComputeShare(w.at.T, tickRequests/2) && there
		},
		look: nothing,
		done: func(timeline.Cursor, bool) {
			l.move(w.at)
			l.stops.fired = w.fired
			l.toast = stopReason(w)
			if w.fired == "" {
				l.toast = "No breakpoint fires before the run ends."
				if len(w.texts) == 1 {
					l.toast = fmt.Sprintf("“%s” never becomes true before the run ends.", w.texts[0])
				}
				for _, name := range l.stops.unknownNames(w.state.World) {
					l.toast += fmt.Sprintf(" This run has no node named “%s”.", name)
				}
			}
		},
	})
	return nil
}

func stopReason(w *walk) string {
	return fmt.Sprintf("Stopped at %s: %s.", words.Instant(w.at.T), w.fired)
}

// `follow` moves the walk along with a playing run, up to an instant and for at most one share. It returns how far it
// got, and whether a breakpoint fires there. The walk continues from frame to frame. If the cursor has moved in
// another way, or if the run is a different one, the walk starts over.
func (b *breakpoints) follow(look timeline.Look, toNs int64) (reached timeline.Cursor, fires bool) {
	if !b.watching() {
		return timeline.Cursor{T: toNs, N: -1}, false
	}
	if w := b.walk; w == nil || w.run != look.Run.ID() || w.at != look.Cursor || w.fired != "" {
		b.walk = b.walkFrom(look)
	}
	b.walk.to(toNs, tickRequests)
	return b.walk.at, b.walk.fired != ""
}
