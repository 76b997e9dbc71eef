package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// SnapshotKind is the kind of a document from which a new engine continues after the old one has failed. It holds a
// session with its hidden branches and every step of undo and redo.
const SnapshotKind = "Snapshot"

// Snapshot is a document of SnapshotKind. The page takes a snapshot after every change, so a snapshot stores
// everything only once: scenarios, acts and specs are tables, and everything else consists of indices into them.
type Snapshot struct {
	APIVersion  string                `json:"apiVersion"`
	Kind        string                `json:"kind"`
	Record      bool                  `json:"record,omitempty"` // set for a record, which is not in the snapshot
	Scenarios   []json.RawMessage     `json:"scenarios"`
	Acts        []json.RawMessage     `json:"acts,omitempty"`
	Specs       []SnapshotSpec        `json:"specs"`
	Branches    []SnapshotBranch      `json:"branches"`
	Branch      int                   `json:"branch"` // the current branch, an index into branches
	Undo        []SnapshotPast        `json:"undo,omitempty"`
	Redo        []SnapshotPast        `json:"redo,omitempty"`
	Breakpoints []protocol.Breakpoint `json:"breakpoints,omitempty"`
}

// SnapshotSpec is the source of a branch.
type SnapshotSpec struct {
	Base     string                `json:"base,omitempty"`
	Patch    []protocol.PatchEntry `json:"patch,omitempty"`
	Scenario int                   `json:"scenario"` // an index into scenarios
	Acts     []SnapshotActs        `json:"acts,omitempty"`
}

// SnapshotActs is a range of the table of acts.
type SnapshotActs struct {
	From int `json:"from"`
	To   int `json:"to"` // exclusive
}

// SnapshotBranch is one branch, hidden or not. Its parent comes before it.
type SnapshotBranch struct {
	Name   string          `json:"name"`
	Parent int             `json:"parent"` // -1 for none
	ForkAt int64           `json:"forkAt"`
	Hidden bool            `json:"hidden,omitempty"`
	Spec   int             `json:"spec"` // index into specs
	Cursor timeline.Cursor `json:"cursor"`
	Live   timeline.Cursor `json:"live"`
}

// SnapshotPast is one step of undo or redo. It lists only the branches that differ from the current ones.
type SnapshotPast struct {
	Label    string          `json:"label"`
	Branch   int             `json:"branch"`
	Spec     int             `json:"spec"`
	Cursor   timeline.Cursor `json:"cursor"`
	Live     timeline.Cursor `json:"live"`
	Branches int             `json:"branches"` // number of branches at that step
	Other    []SnapshotView  `json:"other,omitempty"`
}

// SnapshotView is the name of a branch at a step, and whether it was hidden.
type SnapshotView struct {
	Branch int    `json:"branch"`
	Name   string `json:"name"`
	Hidden bool   `json:"hidden,omitempty"`
}

// maxSnapshotEntries limits the acts of all specs and the branches of all steps together. Otherwise a few bytes of a
// document could refer to millions of entries.
const maxSnapshotEntries = 100_000

// IsSnapshot reports whether a JSON document has the kind of a snapshot.
func IsSnapshot(document []byte) bool { return isKind(document, SnapshotKind) }

// snapshotWriter fills the tables of a snapshot.
type snapshotWriter struct {
	out       *Snapshot
	scenarios map[string]int
	places    map[*byte]int // index of a scenario by the address of its text, which most specs share
	acts      map[int32]int // index of an act by its source
	specs     map[*spec]int
}

// Snapshot returns everything in the session that an engine cannot recompute.
func (l *Lab) Snapshot() *Snapshot {
	l.history.leave()
	if l.Record() != nil {
		return &Snapshot{APIVersion: scenario.APIVersion, Kind: SnapshotKind, Record: true}
	}
	s := snapshotWriter{
		out: &Snapshot{APIVersion: scenario.APIVersion, Kind: SnapshotKind, Branch: l.history.current,
			Breakpoints: l.stops.all},
		scenarios: map[string]int{}, places: map[*byte]int{}, acts: map[int32]int{}, specs: map[*spec]int{},
	}
	for _, b := range l.history.branches {
		v := &b.view
		s.out.Branches = append(s.out.Branches, SnapshotBranch{
			Name: v.Name, Parent: v.Parent, ForkAt: v.ForkAt, Hidden: v.Hidden, Spec: s.spec(b.spec), Cursor: b.cursor,
			Live: b.live,
		})
	}
	s.out.Undo, s.out.Redo = s.history(l.history.undo), s.history(l.history.redo)
	return s.out
}

func (s *snapshotWriter) spec(sp *spec) int {
	if k, known := s.specs[sp]; known {
		return k
	}
	if sp.text == nil {
		sp.text = scenario.Encode(sp.begun)
	}
	one := SnapshotSpec{Base: sp.base, Patch: sp.patch, Scenario: s.scenario(sp.text)}
	for k, source := range sp.sources {
		at, known := s.acts[source]
		if !known {
			text, err := json.Marshal(sp.actions[k])
			if err != nil {
				panic(err) // an action of a valid scenario always encodes
			}
			at = len(s.out.Acts)
			s.acts[source] = at
			s.out.Acts = append(s.out.Acts, text)
		}
		if n := len(one.Acts); n > 0 && one.Acts[n-1].To == at {
			one.Acts[n-1].To++
		} else {
			one.Acts = append(one.Acts, SnapshotActs{From: at, To: at + 1})
		}
	}
	s.specs[sp] = len(s.out.Specs)
	s.out.Specs = append(s.out.Specs, one)
	return len(s.out.Specs) - 1
}

func (s *snapshotWriter) scenario(text []byte) int {
	place, known := s.places[&text[0]]
	if known {
		return place
	}
	if place, known = s.scenarios[string(text)]; !known {
		place = len(s.out.Scenarios)
		s.scenarios[string(text)] = place
		s.out.Scenarios = append(s.out.Scenarios, text)
	}
	s.places[&text[0]] = place
	return place
}

func (s *snapshotWriter) history(all []undoStep) []SnapshotPast {
	var steps []SnapshotPast
	for i := range all {
		p := &all[i]
		step := SnapshotPast{Label: p.label, Branch: p.branch, Spec: s.spec(p.spec), Cursor: p.cursor, Live: p.live,
			Branches: len(p.views)}
		for id, v := range p.views {
			if now := &s.out.Branches[id]; v.Name != now.Name || v.Hidden != now.Hidden {
				step.Other = append(step.Other, SnapshotView{Branch: id, Name: v.Name, Hidden: v.Hidden})
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// restorer decodes a snapshot. It keeps its first error.
type restorer struct {
	lab   *Lab
	in    *Snapshot
	specs []*spec
	count int // number of entries so far: see maxSnapshotEntries
	err   error
}

// tooMany counts entries, and refuses the document beyond maxSnapshotEntries. A range such as 0..1,000,000 takes
// only a few bytes, and a thousand specs may refer to it.
func (r *restorer) tooMany(path string, more int) bool {
	r.count += more
	if r.count <= maxSnapshotEntries {
		return false
	}
	if r.err == nil {
		r.err = refuse(path, "", "100,000 acts and branches at most", path+
			": a snapshot names 100,000 acts and branches at most")
	}
	return true
}

// `refuse` refuses the document if an index is out of range, and then returns true.
func (r *restorer) refuse(path string, index, below int) bool {
	if index >= 0 && index < below {
		return false
	}
	if r.err == nil {
		r.err = refuse(path, fmt.Sprint(index), "an index of this document",
			fmt.Sprintf("%s %d must be an index, 0 to %d", path, index, below-1))
	}
	return true
}

// Restore opens a snapshot. cursor and live, if not nil, replace the saved cursors of the current branch. An error does
// not change the session.
func (l *Lab) Restore(document []byte, cursor, live *timeline.Cursor) error {
	var s Snapshot
	d := json.NewDecoder(bytes.NewReader(document))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return refuse("", "", "a snapshot of leaselab", "the document is not a snapshot from leaselab: "+
			scenario.SayJSON(err))
	}
	if s.APIVersion != scenario.APIVersion {
		return refuse("apiVersion", s.APIVersion, scenario.APIVersion,
			fmt.Sprintf("apiVersion %q must be %q", s.APIVersion, scenario.APIVersion))
	}
	if timeline.Records && s.Record {
		return errors.New(
			"a snapshot does not contain a record of real programs; reload the page that follows it, or drop its file")
	}
	stops, err := readBreakpoints(s.Breakpoints)
	if err != nil {
		return err
	}
	r := restorer{lab: l, in: &s}
	r.readSpecs()
	all := r.branches()
	undo, redo := r.history("undo", s.Undo, all), r.history("redo", s.Redo, all)
	if r.refuse("branch", s.Branch, len(all)) || r.err != nil {
		return r.err
	}
	here := all[s.Branch]
	if live != nil {
		here.live = here.spec.clamp(*live)
	}
	if cursor != nil {
		here.cursor = here.spec.clamp(*cursor)
	}
	here.live = timeline.Latest(here.live, here.cursor)
	saved := historyOf(all, s.Branch)
	saved.undo, saved.redo = undo, redo
	l.show(saved, stops)
	return nil
}

// readSpecs decodes every scenario and every act once. It uses base and patch of a spec only if they still yield the
// same scenario.
func (r *restorer) readSpecs() {
	acts, err := scenario.DecodeActions(r.in.Acts)
	if err != nil {
		r.err = fmt.Errorf("acts: %w", err)
		return
	}
	sources := make([]int32, len(acts))
	for k := range sources {
		sources[k] = r.lab.runs.source()
	}
	begun := make([]*spec, len(r.in.Scenarios))
	for i, text := range r.in.Scenarios {
		whole, err := scenario.Decode(text)
		if err != nil {
			r.err = fmt.Errorf("scenarios[%d]: %w", i, err)
			return
		}
		begun[i] = &spec{begun: whole, text: scenario.Encode(whole)}
	}
	for i := range r.in.Specs {
		one := &r.in.Specs[i]
		path := fmt.Sprintf("specs[%d]", i)
		if r.refuse(path+".scenario", one.Scenario, len(begun)) {
			return
		}
		from := begun[one.Scenario]
		sp := &spec{begun: from.begun, text: from.text}
		for _, some := range one.Acts {
			if r.refuse(path+".acts.to", some.To, len(acts)+1) || r.refuse(path+".acts.from", some.From, some.To) ||
				r.tooMany(path+".acts", some.To-some.From) {
				return
			}
			sp.actions, sp.sources = append(sp.actions, acts[some.From:some.To]...),
				append(sp.sources, sources[some.From:some.To]...)
		}
		if err := scenario.Validate(sp.whole()); err != nil {
			r.err = fmt.Errorf("%s: %w", path, err)
			return
		}
		if one.Base != "" {
			named, err := r.lab.specOf(&Opening{Name: one.Base, Patch: one.Patch})
			if err == nil && bytes.Equal(scenario.Encode(named.begun), sp.text) {
				sp.base, sp.patch = named.base, named.patch
			}
		}
		r.specs = append(r.specs, sp)
	}
}

func (r *restorer) branches() []*branch {
	var all []*branch
	for i := range r.in.Branches {
		b := &r.in.Branches[i]
		path := fmt.Sprintf("branches[%d]", i)
		if b.Parent != -1 && r.refuse(path+".parent", b.Parent, i) || r.refuse(path+".spec", b.Spec, len(r.specs)) {
			return nil
		}
		if _, err := branchName(b.Name); err != nil {
			r.err = fmt.Errorf("%s: %w", path, err)
			return nil
		}
		all = append(all, branchAt(protocol.BranchView{Id: i, Name: b.Name, Parent: b.Parent, ForkAt: b.ForkAt,
			Hidden: b.Hidden}, r.specs[b.Spec], b.Cursor, b.Live))
	}
	return all
}

func (r *restorer) history(name string, steps []SnapshotPast, all []*branch) []undoStep {
	var history []undoStep
	for i := range steps {
		one := &steps[i]
		path := fmt.Sprintf("%s[%d]", name, i)
		if r.refuse(path+".branches", one.Branches, len(all)+1) || r.refuse(path+".branch", one.Branch, one.Branches) ||
			r.refuse(path+".spec", one.Spec, len(r.specs)) || r.tooMany(path, one.Branches) {
			return nil
		}
		sp := r.specs[one.Spec]
		p := undoStep{label: one.Label, branch: one.Branch, spec: sp, cursor: sp.clamp(one.Cursor),
			live: sp.clamp(one.Live)}
		p.live = timeline.Latest(p.live, p.cursor)
		for _, b := range all[:one.Branches] {
			p.views = append(p.views, b.view)
		}
		for _, v := range one.Other {
			if r.refuse(path+".other", v.Branch, len(p.views)) {
				return nil
			}
			p.views[v.Branch].Name, p.views[v.Branch].Hidden = v.Name, v.Hidden
		}
		history = append(history, p)
	}
	return history
}
