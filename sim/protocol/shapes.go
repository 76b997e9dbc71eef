package protocol

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/timeline"
)

// PatchEntry sets one field of a scenario: a path in the form that scenario.Set takes, and its value as text or JSON.
// "" removes the field.
type PatchEntry struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Share is the content of a link: everything needed to restore the screen.
type Share struct {
	Scenario any               `json:"scenario"`
	Patch    []PatchEntry      `json:"patch"`
	Actions  []json.RawMessage `json:"actions"`
	Seed     uint64            `json:"seed"`
	Engine   int               `json:"engine"`
	Hash     string            `json:"hash"`
	Cursor   timeline.Cursor   `json:"cursor"`
	Live     timeline.Cursor   `json:"live"`

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
}

// Saved is a document to save as a file.
type Saved struct {
	Name     string          `json:"name"` // name of the file
	Scenario json.RawMessage `json:"scenario"`
}

// Progress is the progress of a computation that takes several calls. The op goOn continues the computation. Any
// change ends it.
type Progress struct {
	Done bool  `json:"done"` // always false: a finished computation answers as its op does
	At   int64 `json:"at"`
	Of   int64 `json:"of"`
}

// ScenarioInfo is one scenario of the menu.
type ScenarioInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// Knob is a field of the scenario with a control in the page. path is as in ErrorReply.path.
type Knob struct {
	Path    string `json:"path"`
	Label   string `json:"label"`   // "leaseDuration"
	Name    string `json:"name"`    // "Followers wait"
	Kind    string `json:"kind"`    // "duration" | "bool" | "int"
	Takes   string `json:"takes"`   // "now" | "restart": at once, or at the next start
	Default string `json:"default"` // "15s"
	Help    string `json:"help"`    // help in two lines, with common mistakes
}

// ActInfo is an act on a node.
type ActInfo struct {
	Act     string `json:"act"`   // "crash"
	Label   string `json:"label"` // "Crash"
	Key     string `json:"key"`   // "K"
	Help    string `json:"help"`
	Told    string `json:"told"`    // the verb for an act that happens, after its target's name: "crashes"
	Promise string `json:"promise"` // the verb for a planned act: "will crash"
}

// FieldHelp explains one field of a kind of object.
type FieldHelp struct {
	Kind  string `json:"kind"`  // "Lease" | "LeaseCandidate"
	Field string `json:"field"` // "spec.renewTime"
	Help  string `json:"help"`
}

// ErrorReply has a message in complete sentences: what is wrong, where, the rule, and the way out. path names a field
// of the scenario ("elector.renewDeadline").
type ErrorReply struct {
	Code    string `json:"code"` // "input" | "limit" | "unknown" | "panic" | "state"
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Value   string `json:"value,omitempty"`
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

// Hello is the engine's first answer: its version and its lists.
type Hello struct {
	Engine    int            `json:"engine"`
	Protocol  int            `json:"protocol"`
	Scenarios []ScenarioInfo `json:"scenarios"`
	Knobs     []Knob         `json:"knobs"`
	Acts      []ActInfo      `json:"acts"`
	FieldHelp []FieldHelp    `json:"fieldHelp"`
}

// Settings has every setting of the run, both as the scenario writes it and as it takes effect. The schema explains
// the fields and their values.
type Settings struct {
	Scenario json.RawMessage `json:"scenario"` // the scenario without live acts
	InForce  json.RawMessage `json:"inForce"`  // with defaults and inherited values filled in
	Usual    json.RawMessage `json:"usual"`    // the settings of an empty scenario
	Nodes    []string        `json:"nodes"`    // the possible targets of an act now
	Outlook  Outlook         `json:"outlook"`
}

// Outlook is what the settings of a scenario lead to: the least safety margin and the longest failover.
type Outlook struct {
	MarginNs   int64 `json:"marginNs"`
	FailoverNs int64 `json:"failoverNs"`
}

// ActOptions are an act's parameters besides its node.
type ActOptions struct {
	Direction string `json:"direction,omitempty"` // cut: both, up, down
	Offset    string `json:"offset,omitempty"`    // clock: "1h", may be negative
	RatePpm   int64  `json:"ratePpm,omitempty"`   // clock
	Jump      string `json:"jump,omitempty"`      // clock: "1h", may be negative
	Count     int    `json:"count,omitempty"`     // burst
	Name      string `json:"name,omitempty"`      // add
}

// Breakpoint is a condition at which the run stops, as text: "active = 2", "holder = b and leaderless >= 10s".
type Breakpoint struct {
	Text string `json:"text"`
	Off  bool   `json:"off,omitempty"` // kept, but not watched
}

// Version identifies the shapes that cross to the page: this package and wasm/bridge.
const Version = 1
