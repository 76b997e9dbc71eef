package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Act performs a button's act on a node, right after the cursor's instant. At the live cursor the run continues with
// the act. At an earlier instant, the act starts a branch.
func (l *Lab) Act(act, node string, options protocol.ActOptions) error {
	a := scenario.Action{Act: act, Target: node}
	if kind := scenario.ActNamed(act); kind != nil { // Inject refuses an unknown word
		if err := fill(&options, &a, kind); err != nil {
			return err
		}
		if kind.TakesField("candidate") && a.Candidate.Name == "" {
			a.Candidate.Name = freeName(l.history.spec(), l.stateAfterInstant().World)
		}
	}
	return l.Inject(a, true)
}

// `fill` sets the fields that an act of this kind uses.
func fill(o *protocol.ActOptions, a *scenario.Action, kind *scenario.Act) error {
	if kind.TakesField("direction") {
		a.Direction = o.Direction
	}
	if kind.TakesField("ratePpm") {
		a.RatePpm = o.RatePpm
	}
	if kind.TakesField("count") {
		a.Count = o.Count
	}
	if kind.TakesField("candidate") {
		a.Target, a.Candidate = "", &scenario.Candidate{Name: o.Name}
	}
	for _, d := range []struct {
		name, text string
		to         **scenario.Duration
	}{{"offset", o.Offset, &a.Offset}, {"jump", o.Jump, &a.Jump}} {
		if d.text == "" || !kind.TakesField(d.name) {
			continue
		}
		value, err := time.ParseDuration(d.text)
		if err != nil {
			path := a.Act + "." + d.name
			return &scenario.FieldError{
				Path: path, Value: d.text, Rule: "a duration",
				Message: fmt.Sprintf("%s %q is not a duration; write it like \"1h\", \"-250ms\" or \"0s\"", path,
					d.text),
			}
		}
		*d.to = new(scenario.Duration(value))
	}
	kind.Complete(a)
	return nil
}

// stateAfterInstant returns the state in which an act happens: the state after everything at the cursor's instant.
func (l *Lab) stateAfterInstant() *timeline.State {
	return l.liveRun().After(l.history.cursor.T)
}

// freeName returns the first letter that neither the world nor the scenario uses as a name. After z come n-1, n-2, …
func freeName(sp *spec, w *world.World) string {
	taken := map[string]bool{}
	for i := range int32(w.Nodes()) {
		taken[w.Node(i).Name()] = true
	}
	for _, c := range sp.begun.Candidates {
		taken[c.Name] = true
	}
	for _, a := range sp.whole().Actions {
		if a.Candidate != nil {
			taken[a.Candidate.Name] = true
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		if !taken[string(c)] {
			return string(c)
		}
	}
	for i := 1; ; i++ {
		if name := "n-" + strconv.Itoa(i); !taken[name] {
			return name
		}
	}
}

// actLabel formats an act as a clause: "b crashes".
func actLabel(a *scenario.Action) string {
	kind := scenario.ActNamed(a.Act)
	switch {
	case kind == nil:
		return a.Act
	case a.Candidate != nil:
		return kind.Say(a.Candidate.Name)
	}
	return kind.Say(a.Target)
}

// `do` performs acts right after a cursor. At the live cursor the run continues with them; at an earlier instant, they
// start a branch. `do` computes the branch's run in shares. The session stays unchanged until the run is complete, or
// for good if the user stops the computation.
//
// An act happens one nanosecond after the cursor's instant. At the cursor's instant it would compete with events that
// the user has already seen, such as the renewal on screen. The cursor then moves to the act's instant with all its
// records, so the user sees the act happen.
func (l *Lab) do(from timeline.Cursor, label string, acts []scenario.Action) error {
	at := int64(acts[0].At)
	if at > l.history.endNs() {
		return fmt.Errorf("the run ends at %s, so no act is possible after that", words.Instant(l.history.endNs()))
	}
	next, toast, err := l.withActs(acts)
	if err != nil {
		return err
	}
	before, inThePast := l.liveRun().ID(), from.T < l.history.live.T || from.Before(l.history.live)
	label += " at " + words.Instant(from.T)
	shown := timeline.Cursor{T: at, N: -1} // the next event is the act itself
	l.arrive(next, shown, func() {
		l.history.recall(label)
		if inThePast {
			l.history.newBranch(label, next, from.T)
			toast = strings.TrimSpace("New branch. The original run is kept. " + toast)
		} else {
			l.history.branches[l.history.current].spec = next
			l.api.goOn(before, next.run.ID())
		}
		l.history.cursor, l.history.live = shown, shown
		if toast != "" {
			l.toast = toast
		}
	})
	return nil
}

// withActs returns the current branch with some acts of one instant, which replace its live acts from that instant
// on. The toast says that the script had to change, or that it goes on after the first act, or is "".
//
// withActs drops later live acts, because the user made them in a future that no longer comes. It keeps the acts of
// the script, because they belong to the scenario. Only a remove act may contradict them, because the format allows
// no act on a node that has left. In that case withActs also drops the script's later acts on that node. The scenario
// then becomes the user's own, and its run starts from the beginning instead of at a fork.
func (l *Lab) withActs(acts []scenario.Action) (next *spec, toast string, err error) {
	old := l.history.spec()
	at := acts[0].At
	next = &spec{base: old.base, patch: old.patch, begun: old.begun, text: old.text}
	var undone []int32
	for k, a := range old.actions {
		if a.At < at {
			next.actions, next.sources = append(next.actions, a), append(next.sources, old.sources[k])
		} else {
			undone = append(undone, old.sources[k])
		}
	}
	kept := len(next.actions)
	for _, a := range acts {
		next.actions, next.sources = append(next.actions, a), append(next.sources, l.runs.source())
	}
	if acts[0].Act == scenario.ActRemove && scenario.Validate(next.whole()) != nil {
		// The script still acts on the node later. Remove these acts, too. Then the scenario is no longer the shipped
		// one.
		next.base, next.patch, next.text = "", nil, nil
		next.begun.Actions = withoutTarget(next.begun.Actions, acts[0].Target, at)
		toast = fmt.Sprintf("%s leaves, so the script's later acts on it disappear, too.", acts[0].Target)
	}
	if err := scenario.Validate(next.whole()); err != nil {
		return nil, "", err
	}
	follows := func(a scenario.Action) bool { return a.At > at }
	if k := slices.IndexFunc(next.begun.Actions, follows); k >= 0 && len(old.actions) == 0 && toast == "" {
		toast = "The script goes on: " + next.begun.Actions[k].Phrase() + ". You can change it in All faults."
	}
	if len(next.begun.Actions) == len(old.begun.Actions) {
		r := l.liveRun()
		next.run = r.Fork(l.runs.number(), int64(at)-1, next.controls(r, kept), undone...)
	}
	return next, toast, nil
}

// withoutTarget returns a script without the acts on a node after an instant.
func withoutTarget(all []scenario.Action, node string, after scenario.Duration) []scenario.Action {
	return elements.If(all, func(a scenario.Action) bool { return a.Target != node || a.At <= after })
}

// Undo restores the state before the last change.
func (l *Lab) Undo() error { return l.goBack(&l.history.undo, &l.history.redo, true) }

// Redo repeats the last undone change.
func (l *Lab) Redo() error { return l.goBack(&l.history.redo, &l.history.undo, false) }

func (l *Lab) goBack(from, to *[]undoStep, undoing bool) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("nothing to %s", map[bool]string{true: "undo", false: "redo"}[undoing])
	}
	p := (*from)[n-1]
	l.playback.on = false
	l.arrive(p.spec, p.live, func() {
		*from = (*from)[:n-1]
		*to = append(*to, l.history.present(p.label))
		l.history.restore(&p)
	})
	return nil
}

// arrive computes a branch's run up to its live cursor, in shares, and then shows it. The session does not change
// until then. If the user stops the computation, the session does not change at all. Acts, undo, a switch to another
// branch and the restoration of a session all end by calling arrive.
func (l *Lab) arrive(sp *spec, live timeline.Cursor, then func()) {
	l.begin(search{run: l.runs.of(sp), toNs: live.T, look: nothing, done: func(timeline.Cursor, bool) {
		then()
		l.dropRuns()
	}})
}

// Edit is EditAll for a single field.
func (l *Lab) Edit(path, value, mode, node string) error {
	return l.EditAll([]protocol.PatchEntry{{Path: path, Value: value}}, mode, node)
}
