// Package bridge is the seam between the page and the engine: one function, JSON in and JSON out. It holds no rule of
// the simulation; sim/lab shapes every number and sentence.
//
// Guarantee: any bytes in give a reply with an error rather than a panic out, and an error leaves the session as it was.
// Non-guarantee: a bridge serves one page; calls do not overlap.
package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Bridge is one page's engine.
type Bridge struct {
	lab    *lab.Lab
	clock  clock.Clock
	pacer  *pacer.Pacer
	shelf  *shelf
	opened bool
}

// New returns a bridge that paces by a clock: clock.New(), or a clock.Mock in tests.
func New(c clock.Clock) *Bridge {
	b := &Bridge{lab: lab.New(nil), clock: c, pacer: pacer.New(c), shelf: &shelf{}}
	b.lab.Slice()
	return b
}

// stand is what is to be drawn now, or how far the lab is with getting there.
func (b *Bridge) stand() any {
	if p := b.lab.Progress(); p != nil {
		return p
	}
	if c := b.lab.Compared(); c != nil {
		return c
	}
	return b.lab.View()
}

// Handle answers one request.
func (b *Bridge) Handle(request []byte) (reply []byte) {
	var r Request
	defer func() {
		if cause := recover(); cause != nil {
			reply = encode(Reply{ID: r.ID, Error: &lab.ErrorReply{
				Code: "panic", Message: fmt.Sprintf("The simulator failed: %v. This is a bug in leaselab.", cause), Stack: string(debug.Stack()),
			}})
		}
	}()
	if err := readRequest(request, &r); err != nil {
		return encode(Reply{ID: idOf(request), Error: errorReply(err)})
	}
	result, err := b.op(&r)
	if err != nil {
		return encode(Reply{ID: r.ID, Error: errorReply(err)})
	}
	return encode(Reply{ID: r.ID, OK: true, Result: result})
}

// maxDepth is how deep a request may be nested: a session holds scenarios, and a request holds it.
const maxDepth = scenario.MaxDepth + 8

func readRequest(request []byte, r *Request) error {
	if _, at := wire.Depth(request, maxDepth); at >= 0 {
		message := fmt.Sprintf("this is nested more than %d levels deep, the limit of a scenario and of what holds one", scenario.MaxDepth)
		return &scenario.FieldError{Rule: fmt.Sprintf("at most %d levels", scenario.MaxDepth), Message: message}
	}
	if err := json.Unmarshal(request, r); err != nil {
		return &scenario.FieldError{Rule: "a request of the protocol", Message: "the request is not JSON of the protocol: " + scenario.SayJSON(err)}
	}
	return nil
}

// idOf is the id of a request that cannot be read: the page waits for an answer to it. It stands first.
func idOf(request []byte) (id int64) {
	d := json.NewDecoder(bytes.NewReader(request))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return 0
	}
	if name, err := d.Token(); err != nil || name != "id" || d.Decode(&id) != nil {
		return 0
	}
	return id
}

func encode(r Reply) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // replies are plain structs
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func errorReply(err error) *lab.ErrorReply {
	var field *scenario.FieldError
	if errors.As(err, &field) {
		return &lab.ErrorReply{Code: "input", Message: short(field.Message), Path: field.Path, Value: field.Value, Rule: short(field.Rule), Line: field.Line}
	}
	return &lab.ErrorReply{Code: "state", Message: short(err.Error())}
}

// maxMessage is how long a sentence for the reader may be, in bytes: some quote what was given, whole, and say at their end
// what is wrong with it.
const maxMessage = 1000

func short(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage/2], "") + "…" + strings.ToValidUTF8(message[len(message)-maxMessage/2:], "")
}

// errNothingOpen answers everything that needs a scenario before one is open.
var errNothingOpen = errors.New("no scenario is open yet")

func (b *Bridge) op(r *Request) (any, error) {
	switch r.Op {
	case "hello":
		return b.hello(r)
	case "open":
		return b.open(r)
	}
	if !b.opened {
		return nil, errNothingOpen
	}
	switch r.Op {
	case "goOn":
		b.lab.GoOn()
		return b.stand(), nil
	case "play", "pause", "seek", "step", "runTo":
		b.lab.Stop()
		return b.move(r)
	case "tick":
		return b.move(r)
	case "act", "edit", "undo", "redo", "branch", "breakpoints", "compare", "try":
		b.lab.Stop()
		return b.change(r)
	case "rest", "restPoll", "restClose", "exchange":
		return b.rest(r)
	case "timeline", "events", "object", "decision", "why", "share", "save", "saveSession", "snapshot", "sweep", "check", "cause", "whatIf", "reroll", "beliefs", "checks", "settings":
		return b.ask(r)
	case "expect":
		return b.expect(r)
	}
	return nil, &scenario.FieldError{Path: "op", Value: r.Op, Rule: "an operation of the protocol", Message: fmt.Sprintf("there is no operation %q", r.Op)}
}

func params[T any](r *Request) (T, error) {
	var p T
	if len(r.Params) == 0 {
		return p, nil
	}
	d := json.NewDecoder(bytes.NewReader(r.Params))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, &scenario.FieldError{Path: "params", Rule: "the parameters of " + r.Op, Message: "the parameters of " + r.Op + " are not as the protocol says: " + scenario.SayJSON(err)}
	}
	return p, nil
}

func (b *Bridge) hello(r *Request) (any, error) {
	p, err := params[HelloParams](r)
	if err != nil {
		return nil, err
	}
	if p.Scenarios != nil {
		shelf, err := newShelf(p.Scenarios)
		if err != nil {
			return nil, err
		}
		b.shelf, b.lab, b.opened = shelf, lab.New(nil), false
		b.lab.Seldom(shelf.find)
		b.lab.Slice()
	}
	return lab.NewHello(b.shelf.menu), nil
}

func (b *Bridge) open(r *Request) (any, error) {
	p, err := params[OpenParams](r)
	if err != nil {
		return nil, err
	}
	o := lab.Opening{Seed: p.Seed, Patch: p.Patch, Cursor: p.Cursor, Edge: p.Edge, Engine: p.Engine, Hash: p.Hash, Breakpoints: p.Breakpoints}
	if lab.IsSnapshot(p.Scenario) {
		if err := b.lab.Restore(p.Scenario, p.Cursor, p.Edge); err != nil {
			return nil, err
		}
		b.opened = true
		return b.stand(), nil
	}
	if lab.IsSession(p.Scenario) {
		session, err := lab.ReadSession(p.Scenario)
		if err == nil {
			err = b.lab.OpenSession(session)
		}
		if err != nil {
			return nil, err
		}
		b.opened = true
		return b.stand(), nil
	}
	if bytes.HasPrefix(bytes.TrimSpace(p.Scenario), []byte{'"'}) {
		if err := json.Unmarshal(p.Scenario, &o.Name); err != nil {
			return nil, err
		}
	} else {
		whole, err := scenario.Decode(p.Scenario)
		if err != nil {
			return nil, err
		}
		o.Whole = &whole
	}
	if o.Actions, err = scenario.DecodeActions(p.Actions); err != nil {
		return nil, err
	}
	if err := b.lab.Open(o); err != nil {
		return nil, err
	}
	b.opened = true
	return b.stand(), nil
}

// move is everything that changes what is looked at, not what happens.
func (b *Bridge) move(r *Request) (any, error) {
	switch r.Op {
	case "play":
		p, err := params[PlayParams](r)
		if err != nil {
			return nil, err
		}
		if p.Speed < 0 || p.Speed > 1000 || p.Speed > 0 && p.Speed < 0.01 {
			return nil, &scenario.FieldError{Path: "speed", Value: fmt.Sprint(p.Speed), Rule: "0 (story) or 0.01 to 1000", Message: fmt.Sprintf("speed %v must be 0 (story) or lie between 0.01 and 1000", p.Speed)}
		}
		until := int64(0)
		if p.Until != nil {
			until = *p.Until
		}
		b.pacer.Reset()
		b.lab.Play(p.Speed, until)
	case "pause":
		b.lab.Pause()
	case "tick":
		if !b.lab.Playing() {
			return struct{}{}, nil
		}
		b.lab.Advance(b.pacer)
	case "seek":
		p, err := params[SeekParams](r)
		if err != nil {
			return nil, err
		}
		b.lab.Seek(p.Cursor)
	case "step":
		p, err := params[StepParams](r)
		if err != nil {
			return nil, err
		}
		b.lab.Step(p.Direction, p.Unit)
	case "runTo":
		p, err := params[RunToParams](r)
		if err != nil {
			return nil, err
		}
		if err := b.lab.RunTo(p.What); err != nil {
			return nil, err
		}
	}
	return b.stand(), nil
}

// change is everything that changes the run.
func (b *Bridge) change(r *Request) (any, error) {
	var err error
	switch r.Op {
	case "act":
		var p ActParams
		if p, err = params[ActParams](r); err == nil && p.Action != nil {
			err = b.inject(p.Action, p.Now, b.lab.Inject)
		} else if err == nil {
			options := lab.ActOptions{}
			if p.Options != nil {
				options = *p.Options
			}
			err = b.lab.Act(p.Act, p.Node, options)
		}
	case "edit":
		var p EditParams
		if p, err = params[EditParams](r); err == nil && len(p.Changes) > 0 {
			err = b.lab.EditAll(p.Changes, p.Mode, p.Node)
		} else if err == nil {
			err = b.lab.Edit(p.Path, p.Value, p.Mode, p.Node)
		}
	case "undo":
		err = b.lab.Undo()
	case "redo":
		err = b.lab.Redo()
	case "branch":
		var p BranchParams
		if p, err = params[BranchParams](r); err == nil {
			err = b.branch(&p)
		}
	case "breakpoints":
		var p BreakpointsParams
		if p, err = params[BreakpointsParams](r); err == nil {
			err = b.lab.SetBreakpoints(p.Breakpoints)
		}
	case "compare":
		var p CompareParams
		if p, err = params[CompareParams](r); err == nil {
			err = b.lab.Compare(p.A, p.B)
		}
	case "try":
		return b.try(r)
	}
	if err != nil {
		return nil, err
	}
	b.pacer.Reset()
	return b.stand(), nil
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
	return &scenario.FieldError{Path: "do", Value: p.Do, Rule: "rename, delete, fork or nothing", Message: fmt.Sprintf("do %q must be rename, delete, fork or left out", p.Do)}
}

// ask changes nothing.
func (b *Bridge) ask(r *Request) (any, error) {
	switch r.Op {
	case "timeline":
		p, err := params[TimelineParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Timeline(p.From, p.To, p.WidthPx), nil
	case "events":
		p, err := params[EventsParams](r)
		if err != nil {
			return nil, err
		}
		around, from := b.lab.Cursor(), -1
		if p.Around != nil {
			around = *p.Around
		}
		if p.From != nil {
			from = max(*p.From, 0)
		}
		return b.lab.Events(around, from, p.Count, p.Filter, p.Node), nil
	case "object":
		p, err := params[ObjectParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.ObjectOf(p.Kind, p.Name, p.Version)
	case "decision":
		p, err := params[DecisionParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Decision(p.Number)
	case "why":
		p, err := params[WhyParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Why(p.Change)
	case "share":
		p, err := params[ShareParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Share(p.Whole), nil
	case "save":
		return b.lab.Save(), nil
	case "checks":
		return b.lab.Checks(), nil
	case "saveSession":
		return b.lab.SaveSession(), nil
	case "snapshot":
		return b.lab.Snapshot(), nil
	case "settings":
		return b.lab.Settings(), nil
	case "sweep":
		p, err := params[SweepParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Sweep(p.Patch, p.After, p.First, p.Count)
	}
	if r.Op != "check" {
		return b.wonder(r)
	}
	p, err := params[CheckParams](r)
	if err != nil {
		return nil, err
	}
	if err := b.check(&p); err != nil {
		return Checked{Error: errorReply(err)}, nil
	}
	return Checked{}, nil
}
