// Package bridge connects the page and the engine: one function, JSON in and JSON out. Bridge.Handle finds an operation
// in the table of operations, decodes its parameters, runs it on a sim/lab session and encodes the answer. The package
// contains no simulation rule; sim/view makes every number and sentence.
//
// Guarantee: for any bytes, Handle returns a reply and never panics, and an error does not change the session.
// Non-guarantee: a bridge is for one page, and calls must not overlap.
package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// Bridge is one page's engine.
type Bridge struct {
	lab        *lab.Lab
	clock      clock.Clock
	pacer      *pacer.Pacer
	alive      func()
	shelf      *shelf
	opened     bool
	operations map[string]Operation
	studied    any    // the previous request's study
	spec       string // of that study, as JSON
	record     any    // the last record that the page read
}

// New returns a bridge whose playback follows a clock: clock.New(), or a clock.Mock in tests. During a long call it
// calls the function alive from time to time, as long as virtual time advances. This function may be nil.
func New(c clock.Clock, alive func()) *Bridge {
	b := &Bridge{clock: c, pacer: pacer.New(c), alive: alive, shelf: &shelf{}, operations: map[string]Operation{}}
	for _, one := range Operations() {
		b.operations[one.Name] = one
	}
	b.begin()
	return b
}

// begin starts an empty session.
func (b *Bridge) begin() {
	b.lab, b.opened = lab.New(nil), false
	b.lab.FindBy(b.shelf.find)
	b.lab.Slice()
	b.lab.Alive(b.alive)
}

// view returns what the page should draw now.
func (b *Bridge) view() *protocol.View { return view.Of(b.lab.Look(), b.lab.Session()) }

// viewOrProgress returns what the page draws now, or the progress of a computation.
func (b *Bridge) viewOrProgress() any {
	if p := b.lab.Progress(); p != nil {
		return p
	}
	if c := b.lab.TakeComparedRuns(); c != nil {
		return view.Compare(&c[0], &c[1])
	}
	return b.view()
}

// Handle answers one request.
func (b *Bridge) Handle(request []byte) (reply []byte) {
	var r Request
	defer func() {
		if cause := recover(); cause != nil {
			reply = encode(Reply{ID: r.ID, Error: &protocol.ErrorReply{
				Code: "panic", Message: fmt.Sprintf("The simulator failed: %v. This is a bug in leaselab.", cause),
				Stack: string(debug.Stack()),
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

// maxDepth is the maximum depth of a request. It is larger than a scenario's, because a request may contain a
// session, and a session contains scenarios.
const maxDepth = scenario.MaxDepth + 8

func readRequest(request []byte, r *Request) error {
	if _, at := wire.Depth(request, maxDepth); at >= 0 {
		message := fmt.Sprintf("the request nests more than %d levels deep", scenario.MaxDepth)
		return &scenario.FieldError{Rule: fmt.Sprintf("at most %d levels", scenario.MaxDepth), Message: message}
	}
	if err := json.Unmarshal(request, r); err != nil {
		return &scenario.FieldError{Rule: "a request of the protocol",
			Message: "the request is not JSON as the protocol defines it:  " + scenario.SayJSON(err)}
	}
	return nil
}

// idOf returns the id of a request that does not decode, because the page waits for an answer with that id. A request
// begins with its id.
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
		panic(err) // replies are plain structs, so encoding cannot fail
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func errorReply(err error) *protocol.ErrorReply {
	var field *scenario.FieldError
	if errors.As(err, &field) {
		return &protocol.ErrorReply{Code: "input", Message: short(field.Message), Path: field.Path, Value: field.Value,
			Rule: short(field.Rule), Line: field.Line}
	}
	return &protocol.ErrorReply{Code: "state", Message: short(err.Error())}
}

// maxMessage is the maximum length of an error message in bytes. Some messages quote their whole input before they
// state the error.
const maxMessage = 1000

func short(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage/2], "") + "…" +
		strings.ToValidUTF8(message[len(message)-maxMessage/2:], "")
}

// errNothingOpen is the error of every operation that needs an open scenario.
var errNothingOpen = errors.New("no scenario is open yet")

func (b *Bridge) op(r *Request) (any, error) {
	o, there := b.operations[r.Op]
	if !there {
		return nil, &scenario.FieldError{Path: "op", Value: r.Op, Rule: "an operation of the protocol",
			Message: fmt.Sprintf("unknown operation %q", r.Op)}
	}
	if !b.opened && o.kind != starts && o.kind != opens {
		return nil, errNothingOpen
	}
	if timeline.Records && unfit[r.Op] && b.lab.Record() != nil {
		return nil, lab.ErrFact
	}
	return o.run(b, r)
}

// kind describes how an operation affects the run. The page gets the kind of each operation in the answer to "hello".
type kind string

const (
	starts    kind = "starts"    // works without an open run
	opens     kind = "opens"     // opens a run
	moves     kind = "moves"     // moves the cursor, and ends a computation in progress
	changes   kind = "changes"   // changes the run, and ends a computation in progress
	mayChange kind = "mayChange" // changes the run if the answer says so
	asks      kind = "asks"      // changes nothing
	watches   kind = "watches"   // concerns a watch, which ends with its worker
	drives    kind = "drives"    // only for the worker's owner; other parts of the page never send it
)

// Operation is one operation of the protocol. The function run performs the operation, and changes only what the
// operation's kind allows. The exported fields are for wasm/declare, which writes the operation's declaration.
type Operation struct {
	Name    string
	kind    kind
	Params  reflect.Type
	Results []reflect.Type
	run     func(*Bridge, *Request) (any, error)
}

// Operations returns every operation of the protocol.
func Operations() []Operation {
	return append([]Operation{
		answers("hello", starts, (*Bridge).hello),
		redraws("open", opens, (*Bridge).open),
		answers("errors", asks, (*Bridge).errors),

		redraws("play", moves, (*Bridge).play),
		redraws("pause", moves, func(b *Bridge, _ *None) error { b.lab.Pause(); return nil }),
		redraws("seek", moves, func(b *Bridge, p *SeekParams) error { b.lab.Seek(p.Cursor); return nil }),
		redraws("step", moves, func(b *Bridge, p *StepParams) error { b.lab.Step(p.Direction, p.Unit); return nil }),
		redraws("runTo", moves, func(b *Bridge, p *RunToParams) error { return b.lab.RunToTime(p.What, p.T) }),

		redraws("act", changes, (*Bridge).act),
		redraws("extend", changes, (*Bridge).extend),
		redraws("edit", changes, (*Bridge).edit),
		redraws("undo", changes, func(b *Bridge, _ *None) error { return b.lab.Undo() }),
		redraws("redo", changes, func(b *Bridge, _ *None) error { return b.lab.Redo() }),
		redraws("branch", changes, (*Bridge).branch),
		redraws("breakpoints", changes, func(b *Bridge, p *BreakpointsParams) error {
			return b.lab.SetBreakpoints(p.Breakpoints)
		}),
		redraws("try", changes, func(b *Bridge, p *TryParams) error { return b.lab.Try(p.Kind, p.Number, p.Line) }),

		answers("timeline", asks, func(b *Bridge, p *TimelineParams) (*protocol.Timeline, error) {
			return view.Timeline(b.lab.Look(), p.From, p.To, p.WidthPx), nil
		}),
		answers("events", asks, (*Bridge).events),
		answers("object", asks, func(b *Bridge, p *ObjectParams) (*protocol.ObjectView, error) {
			return view.Object(b.lab.Look(), p.Kind, p.Name, p.Version)
		}),
		answers("decision", asks, func(b *Bridge, p *DecisionParams) (*protocol.DecisionView, error) {
			return view.Decision(b.lab.Look(), p.Number)
		}),
		answers("checks", asks, func(b *Bridge, _ *None) (*protocol.ChecksView, error) {
			return view.Checks(b.lab.Look()), nil
		}),
		answers("why", asks, func(b *Bridge, p *WhyParams) (*protocol.Why, error) {
			return view.ExplainChange(b.lab.Look(), p.Change)
		}),
		answers("cause", asks, func(b *Bridge, p *CauseParams) (*protocol.Cause, error) {
			return view.Cause(b.lab.Look(), p.Kind, p.Number)
		}),
		answers("whatIf", asks, func(b *Bridge, p *CauseParams) (*protocol.WhatIf, error) {
			return b.lab.WhatIf(p.Kind, p.Number)
		}),
		answers("sweep", asks, func(b *Bridge, p *SweepParams) (*protocol.Swept, error) {
			return b.lab.Sweep(p.Patch, p.After, p.First, p.Count)
		}),
		redraws("compare", asks, (*Bridge).compare, reflect.TypeFor[protocol.Comparison]()),
		answers("expect", asks, (*Bridge).expect),

		answers("settings", asks, func(b *Bridge, _ *None) (*protocol.Settings, error) {
			return b.lab.Settings(), nil
		}),
		answers("check", asks, (*Bridge).checkNow),
		answers("share", asks, func(b *Bridge, p *ShareParams) (*protocol.Share, error) {
			return b.lab.Share(p.Whole), nil
		}),
		answers("save", asks, func(b *Bridge, _ *None) (*protocol.Saved, error) { return b.lab.Save(), nil }),
		answers("saveSession", asks, func(b *Bridge, _ *None) (*protocol.Saved, error) {
			return b.lab.SaveSession(), nil
		}),
		answers("snapshot", asks, func(b *Bridge, _ *None) (*lab.Snapshot, error) { return b.lab.Snapshot(), nil }),

		answers("rest", mayChange, (*Bridge).rest),
		answers("exchange", asks, func(b *Bridge, p *ExchangeParams) (*protocol.Exchange, error) {
			return view.Exchange(b.lab.Look(), p.Cursor)
		}),
		answers("restPoll", watches, func(b *Bridge, p *RestWatchParams) (*protocol.RestFrames, error) {
			return b.lab.RestPoll(b.clock.Now(), p.Watch), nil
		}),
		answers("restClose", watches, func(b *Bridge, p *RestWatchParams) (*None, error) {
			b.lab.RestClose(p.Watch)
			return &None{}, nil
		}),

		answers("yaml", asks, (*Bridge).yaml),

		redraws("goOn", drives, func(b *Bridge, _ *None) error { b.lab.GoOn(); return nil },
			reflect.TypeFor[protocol.Comparison]()),
		{"tick", drives, reflect.TypeFor[None](),
			[]reflect.Type{reflect.TypeFor[protocol.View](), reflect.TypeFor[None]()}, (*Bridge).tick},
	}, beyond...)
}

// The list beyond has the operations on lessons and the operations that make many runs. The build tag "page" leaves
// them out of the page's engine, because few visitors need them and they would make it larger. They are in
// bin/tools.wasm, which the page loads on demand.
var beyond []Operation

// The map unfit has the operations that do not work on a record of real programs.
var unfit = map[string]bool{
	"act": true, "extend": true, "edit": true, "undo": true, "redo": true, "branch": true, "try": true, "whatIf": true,
	"sweep": true, "check": true,
	"compare": true, "share": true, "save": true, "saveSession": true,
}

// answers returns an operation with its own answer type. P and R are pointers, so that all operations share one
// compiled body; separate bodies would make the engine 9 KiB larger.
func answers[P, R any](name string, k kind, do func(*Bridge, P) (R, error)) Operation {
	return takes(name, k, func(b *Bridge, p P) (any, error) { return do(b, p) }, reflect.TypeFor[R]().Elem())
}

// redraws returns an operation whose answer is what the page draws next: a View, or one of the types in others. While
// the operation computes, it may answer with Progress.
func redraws[P any](name string, k kind, do func(*Bridge, P) error, others ...reflect.Type) Operation {
	return takes(name, k, func(b *Bridge, p P) (any, error) {
		if k == moves || k == changes {
			b.lab.Stop()
		}
		if err := do(b, p); err != nil {
			return nil, err
		}
		if k == changes {
			b.pacer.Reset()
		}
		return b.viewOrProgress(), nil
	}, append([]reflect.Type{reflect.TypeFor[protocol.View]()}, others...)...)
}

// takes returns an operation that decodes its parameters.
func takes[P any](name string, k kind, do func(*Bridge, P) (any, error), results ...reflect.Type) Operation {
	o := Operation{Name: name, kind: k, Params: reflect.TypeFor[P]().Elem(), Results: results}
	o.run = func(b *Bridge, r *Request) (any, error) {
		p := reflect.New(o.Params).Interface()
		if err := decode(r, p); err != nil {
			return nil, err
		}
		return do(b, p.(P))
	}
	return o
}

// decode decodes the parameters of a request.
func decode(r *Request, into any) error {
	if len(r.Params) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(scenario.CurrentMembers(r.Params)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return &scenario.FieldError{Path: "params", Rule: "the parameters of " + r.Op, Message: "the parameters of " +
			r.Op + " do not match the protocol:  " + scenario.SayJSON(err)}
	}
	return nil
}
