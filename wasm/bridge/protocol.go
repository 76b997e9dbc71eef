package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// wasm/declare writes this file and package sim/protocol as TypeScript; protocol.Version numbers both.

// Request is one call: an id to match its reply, an op, and the op's parameters.
type Request struct {
	ID     int64           `json:"id"`
	Op     string          `json:"op"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Reply answers the request with the same id.
type Reply struct {
	ID     int64                `json:"id"`
	OK     bool                 `json:"ok"`
	Result any                  `json:"result,omitempty"`
	Error  *protocol.ErrorReply `json:"error,omitempty"`
}

// HelloParams passes the shipped scenarios to the engine. The site keeps them in a separate file.
type HelloParams struct {
	Scenarios []json.RawMessage `json:"scenarios,omitempty"`
}

// None is for an operation without parameters or without a result.
type None struct{}

// Greeting answers hello.
type Greeting struct {
	Hello protocol.Hello `json:"hello"`
	Ops   []OpInfo       `json:"ops"`
}

// OpInfo describes how an operation affects the run.
type OpInfo struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "starts" | "opens" | "moves" | "changes" | "mayChange" | "asks" | "watches" | "drives"
}

// OpenParams opens a scenario, by name or whole.
type OpenParams struct {
	Scenario json.RawMessage       `json:"scenario"`
	Actions  []json.RawMessage     `json:"actions,omitempty"`
	Seed     *uint64               `json:"seed,omitempty"`
	Patch    []protocol.PatchEntry `json:"patch,omitempty"`
	Cursor   *timeline.Cursor      `json:"cursor,omitempty"`
	Live     *timeline.Cursor      `json:"live,omitempty"`
	Engine   int                   `json:"engine,omitempty"` // the engine that made the link
	Hash     string                `json:"hash,omitempty"`   // the trace hash in the link

	Breakpoints []protocol.Breakpoint `json:"breakpoints,omitempty"`
}

// PlayParams starts playing.
type PlayParams struct {
	Speed float64 `json:"speed"`
	Until *int64  `json:"until,omitempty"`
}

// SeekParams moves the cursor.
type SeekParams struct {
	Cursor timeline.Cursor `json:"cursor"`
}

// StepParams moves the cursor by one event or landmark.
type StepParams struct {
	Direction int    `json:"direction"`
	Unit      string `json:"unit"` // "event" | "landmark"
}

// RunToParams moves the cursor to the next event of a kind, or to an instant.
type RunToParams struct {
	What string `json:"what"`        // "leaderChange" | "violation" | "breakpoint" | "time" | "end"
	T    int64  `json:"t,omitempty"` // used if what is "time"
}

// ActParams performs an act.
type ActParams struct {
	Act     string               `json:"act"`
	Node    string               `json:"node,omitempty"`
	Options *protocol.ActOptions `json:"options,omitempty"`

	Action json.RawMessage `json:"action,omitempty"` // any act of the format, instead of the other fields
	Now    bool            `json:"now,omitempty"`    // ignore the action's at
}

// ExtendParams adds acts after the live cursor, in order of time.
type ExtendParams struct {
	Actions []json.RawMessage `json:"actions"`
}

// EditParams changes a knob.
type EditParams struct {
	Path  string `json:"path"`
	Value string `json:"value"`
	Mode  string `json:"mode"` // "rerun" | "restart" | "now" | "same" | ""
	Node  string `json:"node,omitempty"`

	Changes []protocol.PatchEntry `json:"changes,omitempty"` // several fields together, instead of path and value
}

// BranchParams switches to a branch, renames or deletes it, or creates one at the cursor.
type BranchParams struct {
	Branch int    `json:"branch"`
	Do     string `json:"do,omitempty"` // "" | "rename" | "delete" | "fork"
	Name   string `json:"name,omitempty"`
}

// BreakpointsParams replaces the breakpoints of the session.
type BreakpointsParams struct {
	Breakpoints []protocol.Breakpoint `json:"breakpoints"`
}

// CompareParams names two runs to compare.
type CompareParams struct {
	A protocol.Side `json:"a"`
	B protocol.Side `json:"b"`
}

// TimelineParams asks for everything drawn between two instants.
type TimelineParams struct {
	From    int64 `json:"from"`
	To      int64 `json:"to"`
	WidthPx int   `json:"widthPx"` // 0 means without requests and countdowns
}

// EventsParams asks for a window of the event list.
type EventsParams struct {
	Around *timeline.Cursor `json:"around,omitempty"`
	From   *int             `json:"from,omitempty"`
	Count  int              `json:"count"`
	Filter string           `json:"filter,omitempty"`
	Node   string           `json:"node,omitempty"`
}

// ObjectParams asks for a version of the Lease, or of another object.
type ObjectParams struct {
	Version int    `json:"version,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Name    string `json:"name,omitempty"`
}

// DecisionParams asks for a decision of a controller.
type DecisionParams struct {
	Number int `json:"number,omitempty"`
}

// WhyParams asks for the chain of a leader change.
type WhyParams struct {
	Change int `json:"change"`
}

// ShareParams says whether the link includes acts after the live instant, which it otherwise leaves out.
type ShareParams struct {
	Whole bool `json:"whole,omitempty"`
}

// SweepParams asks for one slice of a sweep.
type SweepParams struct {
	Patch []protocol.PatchEntry `json:"patch"`
	After int64                 `json:"after"`
	First uint64                `json:"first"`
	Count int                   `json:"count"`
}

// RestParams is a request to the API server of the run.
type RestParams struct {
	Method  string   `json:"method"`
	Target  string   `json:"target"`
	Headers []string `json:"headers,omitempty"`
	Body    string   `json:"body,omitempty"`
}

// RestWatchParams names a watch that a request opened.
type RestWatchParams struct {
	Watch int `json:"watch"`
}

// YAMLParams is JSON to print as YAML.
type YAMLParams struct {
	JSON string `json:"json"`
}

// Text is a text for another program, such as YAML or a file.
type Text struct {
	Text string `json:"text"`
}

// ScenarioParams contains a scenario, by name or whole. For "errors" it is a document that "open" refuses.
type ScenarioParams struct {
	Scenario json.RawMessage `json:"scenario"`
}

// ScenarioErrors lists what is wrong with a document, in the order of the document. Whole means that the list is
// complete.
type ScenarioErrors struct {
	Errors []ScenarioError `json:"errors"`
	Whole  bool            `json:"whole"`
}

// ScenarioError is one error: a sentence, and the path of its field, as in ErrorReply.path.
type ScenarioError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// ExchangeParams names an event of a candidate's request.
type ExchangeParams struct {
	Cursor timeline.Cursor `json:"cursor"`
}

// CheckParams asks whether a change would be valid, without making it.
type CheckParams struct {
	Path  string `json:"path"`
	Value string `json:"value"`

	// The parameters of edit or act, instead of Path and Value.
	Changes []protocol.PatchEntry `json:"changes,omitempty"`
	Mode    string                `json:"mode,omitempty"` // "rerun" | "restart" | "now" | "same" | ""
	Node    string                `json:"node,omitempty"`
	Action  json.RawMessage       `json:"action,omitempty"`
	Now     bool                  `json:"now,omitempty"`
}

// Checked has no error if the change is valid. Valid changes of settings have an outlook.
type Checked struct {
	Error   *protocol.ErrorReply `json:"error,omitempty"`
	Outlook *protocol.Outlook    `json:"outlook,omitempty"`
}

// LessonParams contains the document of a lesson, with its sentences.
type LessonParams struct {
	Lesson json.RawMessage `json:"lesson"`
}

// LessonChecked contains what is wrong with a lesson. If nothing is wrong, it contains the lesson for the player, a
// lesson.Whole.
type LessonChecked struct {
	Problems []ScenarioError `json:"problems"`
	Lesson   json.RawMessage `json:"lesson,omitempty"`
}

// OffersParams asks for predictions about what follows an instant of a scenario. Give the scenario by name or whole.
type OffersParams struct {
	Scenario json.RawMessage `json:"scenario"`
	After    int64           `json:"after"`
}

// Offered lists the predictions that a lesson could ask for, each as a lesson.Offer.
type Offered struct {
	Offers []json.RawMessage `json:"offers"`
}

// ExpectParams names the scenario whose assertions to check.
type ExpectParams struct {
	Scenario json.RawMessage `json:"scenario"`
	Words    bool            `json:"words,omitempty"` // only the assertions in words, without a run
}

// Expected contains what a scenario asserts or, after a run to the end, the outcome of every assertion.
type Expected struct {
	Clauses  []expect.Clause  `json:"clauses,omitempty"`
	Outcomes []expect.Outcome `json:"outcomes"`
}
