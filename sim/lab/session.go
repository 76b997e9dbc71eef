package lab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// SessionKind is the kind of a document that holds a whole session: the named branches, the breakpoints, and the cursor
// of each branch.
const SessionKind = "Session"

// Session is a document of SessionKind. Every branch is a complete scenario with its live acts. Base and patch name
// the shipped scenario from which a branch derives, so that links stay short.
type Session struct {
	APIVersion  string                `json:"apiVersion"`
	Kind        string                `json:"kind"`
	Branch      int                   `json:"branch"` // the current branch, an index into branches
	Branches    []SessionBranch       `json:"branches"`
	Breakpoints []protocol.Breakpoint `json:"breakpoints,omitempty"`
}

// SessionBranch is one branch. Its parent comes before it.
type SessionBranch struct {
	Name     string                `json:"name"`
	Parent   int                   `json:"parent"` // an index into branches; -1 for none
	ForkAt   int64                 `json:"forkAt"`
	Cursor   timeline.Cursor       `json:"cursor"`
	Live     timeline.Cursor       `json:"live"`
	Base     string                `json:"base,omitempty"`
	Patch    []protocol.PatchEntry `json:"patch,omitempty"`
	Scenario json.RawMessage       `json:"scenario"`
	Actions  []json.RawMessage     `json:"actions,omitempty"`
}

// maxSessionBranches is the maximum number of branches in a session document.
const maxSessionBranches = 1000

// IsSession reports whether a JSON document has the kind of a session.
func IsSession(document []byte) bool { return isKind(document, SessionKind) }

func isKind(document []byte, kind string) bool {
	var head struct {
		Kind string `json:"kind"`
	}
	return json.Unmarshal(document, &head) == nil && head.Kind == kind
}

// SaveSession returns the whole session as a file.
func (l *Lab) SaveSession() *protocol.Saved {
	l.history.leave()
	s := Session{APIVersion: scenario.APIVersion, Kind: SessionKind, Breakpoints: l.stops.all}
	place := make([]int, len(l.history.branches))
	for id, b := range l.history.branches {
		place[id] = -1
		if b.view.Hidden {
			continue
		}
		place[id] = len(s.Branches)
		if id == l.history.current {
			s.Branch = place[id]
		}
		parent := b.view.Parent
		for parent >= 0 && l.history.branches[parent].view.Hidden {
			parent = l.history.branches[parent].view.Parent
		}
		one := SessionBranch{
			Name: b.view.Name, Parent: -1, ForkAt: b.view.ForkAt, Cursor: b.cursor, Live: b.live, Base: b.spec.base,
			Patch:    b.spec.patch,
			Scenario: scenario.Encode(b.spec.begun), Actions: b.spec.encodedActions(),
		}
		if parent >= 0 {
			one.Parent = place[parent]
		}
		s.Branches = append(s.Branches, one)
	}
	document, err := json.Marshal(s)
	if err != nil {
		panic(err) // cannot happen: the scenarios of a session always encode
	}
	name := cmp.Or(l.history.branches[0].spec.begun.Name, "scenario")
	return &protocol.Saved{Name: name + "-session.json", Scenario: document}
}

// ReadSession decodes a session. It returns a scenario.FieldError for unknown fields and invalid indices.
func ReadSession(document []byte) (*Session, error) {
	var s Session
	d := json.NewDecoder(bytes.NewReader(scenario.CurrentMembers(document)))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, refuse("", "", "a session of leaselab",
			"the document is not a session from leaselab: "+scenario.SayJSON(err))
	}
	switch {
	case s.APIVersion != scenario.APIVersion:
		return nil, refuse("apiVersion", s.APIVersion, scenario.APIVersion,
			fmt.Sprintf("apiVersion %q must be %q", s.APIVersion, scenario.APIVersion))
	case len(s.Branches) == 0 || len(s.Branches) > maxSessionBranches:
		return nil, refuse("branches", fmt.Sprint(len(s.Branches)), "1 to 1,000",
			fmt.Sprintf("branches: a session has 1 to 1,000 branches; this one has %d", len(s.Branches)))
	case s.Branch < 0 || s.Branch >= len(s.Branches):
		return nil, refuse("branch", fmt.Sprint(s.Branch), "an index into branches",
			fmt.Sprintf("branch %d must be an index into branches, 0 to %d", s.Branch, len(s.Branches)-1))
	}
	return &s, nil
}

func refuse(path, value, rule, message string) error {
	return &scenario.FieldError{Path: path, Value: value, Rule: rule, Message: message}
}

func mustBe(path, value, rule string) error {
	return refuse(path, value, rule, strings.TrimSpace(path+" "+value)+" must be "+rule)
}

// Scenario returns the current branch of a session, with its live acts.
func (s *Session) Scenario() (scenario.Scenario, error) {
	sp, err := New(nil).specOfBranch(s, s.Branch)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return sp.whole(), nil
}

// specOfBranch decodes one branch. It uses base and patch only if they still yield the same scenario.
func (l *Lab) specOfBranch(s *Session, i int) (*spec, error) {
	b := &s.Branches[i]
	path := fmt.Sprintf("branches[%d]", i)
	if b.Parent < -1 || b.Parent >= i {
		return nil, refuse(path+".parent", fmt.Sprint(b.Parent), "-1 or an earlier branch",
			fmt.Sprintf("%s.parent %d must be -1 or the index of an earlier branch", path, b.Parent))
	}
	if _, err := branchName(b.Name); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	whole, err := scenario.Decode(b.Scenario)
	if err != nil {
		return nil, fmt.Errorf("%s.scenario: %w", path, err)
	}
	actions, err := scenario.DecodeActions(b.Actions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sp, err := l.specOf(&Opening{Whole: &whole, Actions: actions})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if b.Base != "" {
		named, err := l.specOf(&Opening{Name: b.Base, Patch: b.Patch, Actions: actions})
		if err == nil && bytes.Equal(scenario.Encode(named.begun), scenario.Encode(sp.begun)) {
			sp = named
		}
	}
	return sp, nil
}

// OpenSession opens a whole session at its saved place. An error does not change the current session.
func (l *Lab) OpenSession(s *Session) error {
	stops, err := readBreakpoints(s.Breakpoints)
	if err != nil {
		return err
	}
	var all []*branch
	for i := range s.Branches {
		sp, err := l.specOfBranch(s, i)
		if err != nil {
			return err
		}
		b := &s.Branches[i]
		all = append(all, branchAt(protocol.BranchView{Id: i, Name: b.Name, Parent: b.Parent, ForkAt: b.ForkAt}, sp,
			b.Cursor, b.Live))
	}
	l.show(historyOf(all, s.Branch), stops)
	return nil
}

// branchAt returns a branch at its saved cursors.
func branchAt(view protocol.BranchView, sp *spec, cursor, live timeline.Cursor) *branch {
	b := &branch{view: view, spec: sp, cursor: sp.clamp(cursor)}
	b.live = timeline.Latest(sp.clamp(live), b.cursor)
	return b
}

// show replaces the session by another, at the saved place of its current branch.
func (l *Lab) show(saved history, stops breakpoints) {
	l.Stop()
	l.history, l.stops = saved, stops
	l.playback.stop()
	here := saved.branches[saved.current]
	l.arrive(here.spec, here.live, func() { l.history.cursor, l.history.live = here.cursor, here.live })
}
