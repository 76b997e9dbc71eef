package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// Inject performs any act of the format. If the argument now is true, the act happens right after the cursor's instant,
// otherwise at its own instant. If the session has already shown that instant, the act starts a branch there. Otherwise
// the act becomes part of the script, and the cursor stays.
func (l *Lab) Inject(a scenario.Action, now bool) error {
	if now {
		a.At = scenario.Duration(l.history.cursor.T + 1)
	}
	if err := l.CheckInject(a, now); err != nil {
		return err
	}
	label := actLabel(&a)
	switch {
	case now:
		return l.do(l.history.cursor, label, []scenario.Action{a})
	case a.At == 0:
		return l.EditAll([]protocol.PatchEntry{scriptPatch(l.history.spec().begun, a)}, "rerun", "")
	case int64(a.At) > l.history.live.T:
		l.plan(label, a)
		return nil
	}
	return l.do(timeline.Cursor{T: int64(a.At) - 1, N: -1}, label, []scenario.Action{a})
}

// CheckInject returns the error that Inject would return, with the act's field, and changes nothing. So a form can
// show mistakes before the user confirms. It builds the script that Inject would build, without the live acts that
// the new act would undo. The script ends with the act, so that inAct can find the act's own errors.
func (l *Lab) CheckInject(a scenario.Action, now bool) error {
	if now {
		a.At = scenario.Duration(l.history.cursor.T + 1)
	}
	sp := l.history.spec()
	whole := sp.begun
	whole.Actions = append([]scenario.Action(nil), sp.begun.Actions...)
	for _, one := range sp.actions {
		if one.At < a.At || int64(a.At) > l.history.live.T {
			whole.Actions = append(whole.Actions, one)
		}
	}
	if a.Act == scenario.ActRemove && now { // a remove also drops the script's later acts on the node
		whole.Actions = withoutTarget(whole.Actions, a.Target, a.At)
	}
	at := len(whole.Actions)
	whole.Actions = append(whole.Actions, a)
	if now {
		if refusal := compile.Refusal(l.stateAfterInstant().World, a.Act, a.Target); refusal != "" {
			return &scenario.FieldError{Path: "target", Value: a.Target, Rule: refusal, Message: refusal}
		}
	}
	return inAct(scenario.Validate(whole), at, "")
}

// Extend adds acts of another run, which this run follows, to the current branch. They come after the live cursor.
// The part that the session has shown does not change, and undo does not remove the acts.
func (l *Lab) Extend(more []scenario.Action) error {
	if len(more) == 0 {
		return nil
	}
	old := l.history.spec()
	if from := int64(more[0].At); from <= l.history.live.T {
		return fmt.Errorf("the session has shown the run up to %s, so it is too late to add an act at %s",
			words.Instant(l.history.live.T), words.Instant(from))
	}
	next := &spec{base: old.base, patch: old.patch, begun: old.begun, text: old.text}
	next.actions = append(old.actions[:len(old.actions):len(old.actions)], more...)
	next.sources = old.sources[:len(old.sources):len(old.sources)]
	for range more {
		next.sources = append(next.sources, l.runs.source())
	}
	if err := scenario.Validate(next.whole()); err != nil {
		return err
	}
	r := l.liveRun()
	next.run = r.Fork(l.runs.number(), int64(more[0].At)-1, next.controls(r, len(old.actions)))
	l.history.branches[l.history.current].spec = next
	l.api.goOn(r.ID(), next.run.ID())
	l.dropRuns()
	return nil
}

// plan adds an act after the live cursor to the script. The part of the run that the session has shown does not
// change. So the session needs no branch, and the cursor does not move: the act happens when the run reaches its
// instant.
func (l *Lab) plan(label string, a scenario.Action) {
	old := l.history.spec()
	next := old.with(old.begun.Clone(), scriptPatch(old.begun, a))
	next.begun.Actions = append(next.begun.Actions, a)
	cursor, live := l.history.cursor, l.history.live
	l.playback.on = false
	l.arrive(next, live, func() {
		l.history.remember(label)
		l.history.branches[l.history.current].spec = next
		l.history.cursor, l.history.live = cursor, live
		l.toast = fmt.Sprintf("Planned for %s: %s.", words.Instant(int64(a.At)), label)
	})
}

// scriptPatch returns the change that adds an act to the script.
func scriptPatch(s scenario.Scenario, a scenario.Action) protocol.PatchEntry {
	all, err := json.Marshal(append(append([]scenario.Action(nil), s.Actions...), a))
	if err != nil {
		panic(err) // cannot happen: an action of a valid scenario always encodes
	}
	return protocol.PatchEntry{Path: "actions", Value: string(all)}
}

// inAct converts an error about the script's last act into an error about that act's own fields.
func inAct(err error, number int, prefix string) error {
	var field *scenario.FieldError
	if !errors.As(err, &field) {
		return err
	}
	act := fmt.Sprintf("actions[%d]", number)
	if field.Path != act && !strings.HasPrefix(field.Path, act+".") {
		return err
	}
	own := *field
	own.Path = prefix + strings.TrimPrefix(strings.TrimPrefix(field.Path, act), ".")
	own.Message = strings.Replace(strings.ReplaceAll(field.Message, act+".", ""), act+": ", "", 1)
	return &own
}
