package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/view"
)

func (b *Bridge) hello(p *HelloParams) (*Greeting, error) {
	if p.Scenarios != nil {
		shelf, err := newShelf(p.Scenarios)
		if err != nil {
			return nil, err
		}
		b.shelf = shelf
		b.begin()
	}
	g := &Greeting{Hello: protocol.NewHello(b.shelf.menu)}
	for _, o := range Operations() {
		g.Ops = append(g.Ops, OpInfo{Name: o.Name, Kind: string(o.kind)})
	}
	return g, nil
}

// open opens a snapshot, a session or a scenario. The parameters have the scenario's name, or the whole scenario.
func (b *Bridge) open(p *OpenParams) error {
	if err := b.openAny(p); err != nil {
		return err
	}
	b.opened = true
	return nil
}

// errors lists all errors of a scenario, while open names only the first. Only open checks a session or a snapshot.
func (b *Bridge) errors(p *ScenarioParams) (*ScenarioErrors, error) {
	out := &ScenarioErrors{Errors: []ScenarioError{}, Whole: true}
	if lab.IsSnapshot(p.Scenario) || lab.IsSession(p.Scenario) {
		return out, nil
	}
	_, all := scenario.DecodeAll(scenario.Imported(p.Scenario), nil)
	out.Whole = all.Whole()
	for _, e := range all.FoundErrors() {
		out.Errors = append(out.Errors, ScenarioError{Path: e.Path, Message: short(e.Message)})
	}
	return out, nil
}

func (b *Bridge) openAny(p *OpenParams) error {
	if lab.IsSnapshot(p.Scenario) {
		return b.lab.Restore(p.Scenario, p.Cursor, p.Live)
	}
	if lab.IsSession(p.Scenario) {
		session, err := lab.ReadSession(p.Scenario)
		if err != nil {
			return err
		}
		return b.lab.OpenSession(session)
	}
	o := lab.Opening{Seed: p.Seed, Patch: p.Patch, Cursor: p.Cursor, Live: p.Live, Engine: p.Engine, Hash: p.Hash,
		Breakpoints: p.Breakpoints}
	if bytes.HasPrefix(bytes.TrimSpace(p.Scenario), []byte{'"'}) {
		if err := json.Unmarshal(p.Scenario, &o.Name); err != nil {
			return err
		}
	} else {
		whole, err := scenario.Decode(scenario.Imported(p.Scenario))
		if err != nil {
			return err
		}
		o.Whole = &whole
	}
	actions, err := scenario.DecodeActions(p.Actions)
	if err != nil {
		return err
	}
	o.Actions = actions
	return b.lab.Open(o)
}

func (b *Bridge) play(p *PlayParams) error {
	if p.Speed < 0 || p.Speed > 1000 || p.Speed > 0 && p.Speed < 0.01 {
		return &scenario.FieldError{Path: "speed", Value: fmt.Sprint(p.Speed), Rule: "0 (story) or 0.01 to 1000",
			Message: fmt.Sprintf("speed %v must be 0 (story) or lie between 0.01 and 1000", p.Speed)}
	}
	until := int64(0)
	if p.Until != nil {
		until = *p.Until
	}
	b.pacer.Reset()
	b.lab.Play(p.Speed, until)
	return nil
}

// tick returns nil while no run plays.
func (b *Bridge) tick(*Request) (any, error) {
	if !b.lab.Playing() {
		return None{}, nil
	}
	b.lab.Advance(b.pacer)
	return b.viewOrProgress(), nil
}

func (b *Bridge) act(p *ActParams) error {
	if p.Action != nil {
		return b.inject(p.Action, p.Now, b.lab.Inject)
	}
	options := protocol.ActOptions{}
	if p.Options != nil {
		options = *p.Options
	}
	return b.lab.Act(p.Act, p.Node, options)
}

func (b *Bridge) extend(p *ExtendParams) error {
	more, err := scenario.DecodeActions(p.Actions)
	if err != nil {
		return err
	}
	return b.lab.Extend(more)
}

func (b *Bridge) edit(p *EditParams) error {
	if len(p.Changes) > 0 {
		return b.lab.EditAll(p.Changes, p.Mode, p.Node)
	}
	return b.lab.Edit(p.Path, p.Value, p.Mode, p.Node)
}

func (b *Bridge) branch(p *BranchParams) error {
	switch p.Do {
	case "":
		return b.lab.Switch(p.Branch)
	case "rename":
		return b.lab.Rename(p.Branch, p.Name)
	case "delete":
		return b.lab.Delete(p.Branch)
	case "fork":
		return b.lab.Fork(p.Name)
	}
	return &scenario.FieldError{Path: "do", Value: p.Do, Rule: "rename, delete, fork or nothing",
		Message: fmt.Sprintf("do %q must be rename, delete, fork or left out", p.Do)}
}

func (b *Bridge) compare(p *CompareParams) error {
	b.lab.Stop()
	if err := b.lab.Compare(p.A, p.B); err != nil {
		return err
	}
	b.pacer.Reset()
	return nil
}

func (b *Bridge) events(p *EventsParams) (*protocol.Events, error) {
	around, from := b.lab.Cursor(), -1
	if p.Around != nil {
		around = *p.Around
	}
	if p.From != nil {
		from = max(*p.From, 0)
	}
	return view.Events(b.lab.Look(), view.Rows{Around: around, From: from, Count: p.Count, Filter: p.Filter,
		Node: p.Node}), nil
}

// checkNow returns a refusal as its answer instead of as an error.
func (b *Bridge) checkNow(p *CheckParams) (*Checked, error) {
	if err := b.check(p); err != nil {
		return &Checked{Error: errorReply(err)}, nil
	}
	if len(p.Changes) == 0 {
		return &Checked{}, nil
	}
	outlook, err := b.lab.Outlook(p.Changes)
	return &Checked{Outlook: &outlook}, err
}
