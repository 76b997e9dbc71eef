// Package protocol holds the JSON shapes that cross between the engine and the page. web/js/protocol.d.ts mirrors them;
// a test in wasm/bridge keeps the two equal. Times are virtual nanoseconds since the run's epoch, below 2^53.
package protocol

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/timeline"
)

// incomparable keeps the compiler from writing a comparison for a shape. Nobody compares shapes, and the comparisons were 3 KiB of
// the page's engine.
type incomparable [0]func()

// View is everything the page needs to draw an instant. It is valid from cursor.t until nextT: a countdown is the
// instant at which it reaches zero.
type View struct {
	_          incomparable
	Run        int             `json:"run"`      // changes whenever the past changes: cached timelines of other runs are stale
	Scenario   string          `json:"scenario"` // its name
	Title      string          `json:"title"`
	Seed       uint64          `json:"seed"`
	Hash       string          `json:"hash"` // trace hash at the cursor, 16 hex digits
	Cursor     timeline.Cursor `json:"cursor"`
	InInstant  int             `json:"inInstant"`
	NextT      int64           `json:"nextT"` // nothing drawn changes before this instant; at most live.t, and equal to cursor.t at the live instant
	Live       timeline.Cursor `json:"live"`
	End        int64           `json:"end"` // the scenario's duration
	Playing    bool            `json:"playing"`
	Speed      float64         `json:"speed"`      // 0 means story speed
	StorySpeed float64         `json:"storySpeed"` // the present factor of story speed
	Nodes      []NodeView      `json:"nodes"`      // at most 100; nodesTotal is the number of all nodes
	NodesTotal int             `json:"nodesTotal"`
	Lease      LeaseView       `json:"lease"`
	Flights    []FlightView    `json:"flights"`
	Headline   Headline        `json:"headline"`
	Change     *ChangeRef      `json:"change,omitempty"` // the leader change that the headline is about
	Totals     Totals          `json:"totals"`
	Branches   []BranchView    `json:"branches"`
	Branch     int             `json:"branch"`
	Undo       string          `json:"undo,omitempty"` // "crash a at 00:20.000"
	Redo       string          `json:"redo,omitempty"`
	Knobs      []KnobValue     `json:"knobs"`
	MarginNs   int64           `json:"marginNs"`        // L − R − P − d, shown as the safety margin
	Toast      string          `json:"toast,omitempty"` // "New branch. The original run is kept."
	Acts       []ActState      `json:"acts"`            // for the target node: which acts are possible now, and why others are not

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
}

// ActState says whether an act on a node is possible now.
type ActState struct {
	_       incomparable
	Node    string `json:"node"`
	Act     string `json:"act"`
	Refusal string `json:"refusal,omitempty"` // "a is already down. Restart it first."
}

// KnobValue is the effective value of a knob.
type KnobValue struct {
	_       incomparable
	Path    string `json:"path"`
	Value   string `json:"value"`             // "15s"
	Pending string `json:"pending,omitempty"` // set, but not effective before the next start
}

// NodeView is one node: a candidate, an API server, or a node that only sends heartbeats.
type NodeView struct {
	_              incomparable
	Name           string     `json:"name"`
	Index          int        `json:"index"` // colour and order; never reused
	Identity       string     `json:"identity"`
	Role           string     `json:"role"`     // an API server's: "controller" | "serving" | …; else "waiting" | "following" | "leading" | "lost" | "paused" | "down" | "stopped"
	RoleWord       string     `json:"roleWord"` // the role as the page prints it: "leading", "down"
	Since          int64      `json:"since"`
	Countdown      *Countdown `json:"countdown,omitempty"`
	Believes       string     `json:"believes"`       // "I lead" | "a leads" | "nobody leads" | "knows nothing yet"
	BelievesHolder string     `json:"believesHolder"` // name of the holder, or ""
	Cut            string     `json:"cut"`            // "" | "both" | "up" | "down"
	Paused         bool       `json:"paused"`
	ClockOffsetNs  int64      `json:"clockOffsetNs"`
	ClockRatePpm   int64      `json:"clockRatePpm"`
	Wall           string     `json:"wall"` // the node's wall clock if it is wrong, else ""

	Candidate *CandidateView `json:"candidate,omitempty"` // only with coordinated election
	Server    *ServerView    `json:"server,omitempty"`    // set for an API server, which is not a candidate and never a leader
}

// CandidateView is a node's LeaseCandidate as stored, and the result of a controller's last check of it.
type CandidateView struct {
	_                incomparable
	Name             string `json:"name"`
	Exists           bool   `json:"exists"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	Strategy         string `json:"strategy"`
	PingTime         *int64 `json:"pingTime,omitempty"` // by its writer's clock
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Unacked          bool   `json:"unacked"`  // pingTime is after renewTime
	Mark             string `json:"mark"`     // "counts" | "waits" | "out" | "none"
	Standing         string `json:"standing"` // mark in words, with the reason
	JudgedAt         *int64 `json:"judgedAt,omitempty"`
	JudgedBy         string `json:"judgedBy,omitempty"`
	Place            int    `json:"place"`            // rank in that check, 1 for the electee; 0 means not ranked
	Behind           string `json:"behind,omitempty"` // "behind c: older emulationVersion (1.35.0, not 1.36.0)"
}

// ServerView is an API server.
type ServerView struct {
	_              incomparable
	Version        string `json:"version"`
	Up             bool   `json:"up"`
	RunsController bool   `json:"runsController"`
}

// DecisionView is a controller's check of the candidates of the Lease, step by step.
type DecisionView struct {
	_          incomparable
	Run        int              `json:"run"`
	Number     int              `json:"number"`  // 1-based, among the decisions in the events; 0 if there is none yet
	Numbers    int              `json:"numbers"` // number of decisions up to the live instant
	Cursor     timeline.Cursor  `json:"cursor"`  // its event
	By         string           `json:"by"`      // "api-1"
	ByIndex    int              `json:"byIndex"`
	Title      string           `json:"title"`   // "c is elected."
	Electee    string           `json:"electee"` // "" for none
	Index      int              `json:"index"`   // the electee's index, -1 for none
	Reason     string           `json:"reason"`  // "older emulationVersion (1.35.0, not 1.36.0) than b"
	Outcome    string           `json:"outcome"`
	Steps      []DecisionStep   `json:"steps"`
	Considered []ConsideredView `json:"considered"` // in the controller's order
	Latest     string           `json:"latest"`     // the last check at the cursor, even if no event reports it
}

// DecisionStep is one step of a decision in words.
type DecisionStep struct {
	_     incomparable
	Title string `json:"title"`
	Text  string `json:"text"`
	Mark  string `json:"mark"` // "" | "yes" | "no" | "waits"
}

// ConsideredView is one LeaseCandidate as a decision saw it.
type ConsideredView struct {
	_                incomparable
	Name             string `json:"name"`
	Index            int    `json:"index"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	Strategy         string `json:"strategy"`
	Created          int64  `json:"created"`
	PingTime         *int64 `json:"pingTime,omitempty"`
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Mark             string `json:"mark"` // see CandidateView.mark
	Standing         string `json:"standing"`
	Place            int    `json:"place"`
	Behind           string `json:"behind,omitempty"`
}

// LaneNote is a small event of one lane: a ping, an ack, a hand-over request.
type LaneNote struct {
	_     incomparable
	T     int64  `json:"t"`
	N     int32  `json:"n"`
	Index int    `json:"index"` // the lane
	Other int    `json:"other"` // for handOver: the preferred holder's lane, else -1
	Kind  string `json:"kind"`  // "ping" | "ack" | "gone" | "handOver"
	Text  string `json:"text"`
}

// Countdown is the time until a node may acquire the Lease, or must stop leading. It falls one second per second.
type Countdown struct {
	_      incomparable
	Kind   string `json:"kind"`   // "mayTake" | "mustStop"
	ZeroAt int64  `json:"zeroAt"` // world time at which it reaches zero
	FromNs int64  `json:"fromNs"` // full scale of the ramp: 15 s for a follower, 12 s for the leader
}

// LeaseView is the stored Lease that the candidates compete for.
type LeaseView struct {
	_               incomparable
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	Exists          bool   `json:"exists"`
	Holder          string `json:"holder"`      // name or identity of a node, "" for none
	HolderIndex     int    `json:"holderIndex"` // index of the holder, -1 for none
	Version         int    `json:"version"`     // number of the stored version, from 1; 0 before the first
	ResourceVersion string `json:"resourceVersion"`
	Versions        int    `json:"versions"`         // number of versions up to the live instant
	Others          bool   `json:"others,omitempty"` // there is also a lock ConfigMap to show, with or without a Lease
}

// FlightView is a request on the wire, or just answered. Its four instants determine its position at any time.
type FlightView struct {
	_       incomparable
	Node    int    `json:"node"` // index of the client
	Seq     int    `json:"seq"`
	Verb    string `json:"verb"` // "get" | "create" | "update"
	Sent    int64  `json:"sent"`
	Reaches int64  `json:"reaches"`           // arrival at the server, planned or real; for a lost request see lost
	Served  *int64 `json:"served,omitempty"`  // set once the server has served it
	Returns *int64 `json:"returns,omitempty"` // arrival of the answer at the client; planned once served
	Lost    string `json:"lost,omitempty"`    // "up" | "down": the leg on which a cut lost it
	Hangs   bool   `json:"hangs,omitempty"`   // it hangs at the server
	GaveUp  *int64 `json:"gaveUp,omitempty"`  // the client stopped waiting
	Outcome string `json:"outcome"`           // "" while unknown | "ok" | "conflict" | "error" | "lost"
	Ended   *int64 `json:"ended,omitempty"`

	Stopped      *int64 `json:"stopped,omitempty"`      // an act lost it or holds it since then
	Held         bool   `json:"held,omitempty"`         // an act holds it
	CanBeStopped bool   `json:"canBeStopped,omitempty"` // an act can lose or hold it at the cursor
}

// Headline is a text with live and linked parts. The page replaces {elapsed} by cursor.t − sinceT.
type Headline struct {
	_        incomparable
	Kind     string   `json:"kind"`               // "leads" | "nobody" | "gap" | "two" | "start"
	Title    string   `json:"title"`              // "Nobody led for 14.039 s." | "Nobody leads: {elapsed} so far."
	Question string   `json:"question,omitempty"` // "Why so long?"
	SinceT   *int64   `json:"sinceT,omitempty"`
	GapFrom  *int64   `json:"gapFrom,omitempty"`
	GapTo    *int64   `json:"gapTo,omitempty"`
	Addends  []Addend `json:"addends"` // the parts of the sum, shown as the second line and as brackets
}

// Addend is one part of a gap. The ns of all addends add up to gapTo − gapFrom; the shown strings add up to the shown
// total (largest remainder).
type Addend struct {
	_      incomparable
	Ns     int64           `json:"ns"`
	Shown  string          `json:"shown"` // "13.165"
	Text   string          `json:"text"`  // "left on b's countdown"
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Cursor timeline.Cursor `json:"cursor"` // the event that explains it
}

// ChangeRef names a leader change by its index.
type ChangeRef struct {
	_            incomparable
	Index        int    `json:"index"`
	At           int64  `json:"at"`
	From         string `json:"from"`
	To           string `json:"to"`
	LeaderlessNs int64  `json:"leaderlessNs"`
}

// Totals counts what has happened up to the cursor. Lengths are in nanoseconds.
type Totals struct {
	_            incomparable
	Leaders      int   `json:"leaders"`
	LeaderlessNs int64 `json:"leaderlessNs"`
	DoubleNs     int64 `json:"doubleNs"`
	Violations   int   `json:"violations"`   // of safety and liveness
	Observations int   `json:"observations"` // of rules that are not errors
	Requests     int   `json:"requests"`
}

// BranchView is one line of the tree of branches.
type BranchView struct {
	Id     int    `json:"id"`
	Name   string `json:"name"`   // "a crashes at 12.3 s"
	Parent int    `json:"parent"` // -1 for the first branch
	ForkAt int64  `json:"forkAt"`
	Live   int64  `json:"live"`
	Hidden bool   `json:"hidden"`
}

// Timeline is everything drawn between two instants, up to the live instant.
type Timeline struct {
	_          incomparable
	Run        int                 `json:"run"`
	From       int64               `json:"from"`
	To         int64               `json:"to"`
	Live       int64               `json:"live"`   // what goes on at its end goes on at this instant
	Detail     bool                `json:"detail"` // true: ticks and ramps; false: buckets
	Lanes      []Lane              `json:"lanes"`
	Holder     []HolderSpan        `json:"holder"` // the holders of the stored Lease
	Bands      []Band              `json:"bands"`  // without an active leader, or with two
	Faults     []FaultSpan         `json:"faults"`
	Violations []ViolationMark     `json:"violations"`
	Changes    []ChangeRef         `json:"changes"`
	Landmarks  []timeline.Landmark `json:"landmarks"`
	Notes      []LaneNote          `json:"notes,omitempty"` // only with coordinated election
	Resource   *ResourceLane       `json:"resource,omitempty"`

	Observations []ViolationMark `json:"observations,omitempty"` // violations of rules that are not errors
}

// ResourceLane is what leaders write to a resource that the scenario has.
type ResourceLane struct {
	_      incomparable
	Fence  string           `json:"fence"` // the token that the resource compares: "none" | "leaseTransitions" | "resourceVersion"
	Writes []timeline.Write `json:"writes"`
}

// Lane is what one node did in the window.
type Lane struct {
	_       incomparable
	Node    string               `json:"node"`
	Index   int                  `json:"index"`
	Spans   []RoleSpan           `json:"spans"`
	Ticks   []timeline.Tick      `json:"ticks"`             // only with detail
	Ramp    []timeline.RampPoint `json:"ramp"`              // only with detail
	Buckets *timeline.Buckets    `json:"buckets,omitempty"` // only without detail
	Server  bool                 `json:"server,omitempty"`  // the lane of an API server
	Ready   []RoleSpan           `json:"ready,omitempty"`   // what the monitors consider it: "ready" | "notReady" | "disputed"
}

// RoleSpan is a stretch of time in which a node had one role.
type RoleSpan struct {
	_    incomparable
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Role string `json:"role"` // see NodeView.role
	// Of "paused": the node is an active leader that does no work.
	Active bool `json:"active,omitempty"`
}

// HolderSpan is a stretch of time in which the stored Lease named one holder.
type HolderSpan struct {
	_            incomparable
	From         int64  `json:"from"`
	To           int64  `json:"to"`
	Holder       string `json:"holder"`       // name of the node, or identity of a stranger; "" for none
	Index        int    `json:"index"`        // -1 for none
	RenewedUntil int64  `json:"renewedUntil"` // from here on the holder no longer renewed (outline)
}

// Band is a stretch of time with no active leader, with more than one, or with one that is paused and does no work.
type Band struct {
	_        incomparable
	From     int64    `json:"from"`
	To       int64    `json:"to"`
	Kind     string   `json:"kind"`               // "nobody" | "two" | "idle"
	Open     bool     `json:"open"`               // not over at the live instant
	Change   int      `json:"change"`             // index of the leader change that ends it, -1 if none has yet
	Addends  []Addend `json:"addends"`            // the brackets; only of "nobody"
	PausedNs int64    `json:"pausedNs,omitempty"` // of "two": how long one of the leaders was paused
}

// FaultSpan is a stretch of time during which a fault lasts.
type FaultSpan struct {
	_    incomparable
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Open bool   `json:"open"`
	Node string `json:"node"` // "" means the API
	Text string `json:"text"` // "a is down", "a cut off (both ways)"
}

// ViolationMark is a violation of a rule, with its begin and end.
type ViolationMark struct {
	_      incomparable
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Rule   string          `json:"rule"` // "more than one active worker"
	Kind   string          `json:"kind"` // "safety" | "liveness" | "observation"
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// Events is a window of the event list.
type Events struct {
	_     incomparable
	Run   int                 `json:"run"`
	Total int                 `json:"total"` // rows of the filtered list up to the live instant
	From  int                 `json:"from"`  // index of rows[0]
	Rows  []timeline.EventRow `json:"rows"`
	At    int                 `json:"at"` // index of the row at the cursor, -1 for none
}

// ObjectView is one version of a stored object: as YAML with its changes, as JSON, and as the API's bytes.
type ObjectView struct {
	_        incomparable
	Run      int        `json:"run"`
	Kind     string     `json:"kind"` // "Lease"
	Name     string     `json:"name"`
	Version  int        `json:"version"`
	Versions int        `json:"versions"`
	T        int64      `json:"t"`
	By       string     `json:"by"`
	YAML     []YamlLine `json:"yaml"`
	JSON     string     `json:"json"` // the API's bytes, indented again
	Raw      string     `json:"raw"`  // the bytes that the API would send
	Text     string     `json:"text"` // the YAML as a text, for copying

	Objects []ObjectRef `json:"objects,omitempty"` // the other objects up to the live instant
}

// ObjectRef names an object that the page can show.
type ObjectRef struct {
	_    incomparable
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// YamlLine is one line of YAML. mark: "" unchanged, "old" removed, "new" added or changed.
type YamlLine struct {
	_     incomparable
	Text  string `json:"text"`
	Mark  string `json:"mark"`
	Field string `json:"field"` // "spec.renewTime", "" for none
}

// Why is the chain of causes of a leader change.
type Why struct {
	_        incomparable
	Change   ChangeRef `json:"change"`
	Title    string    `json:"title"`
	Addends  []Addend  `json:"addends"`
	Story    []WhyLine `json:"story"` // the chain, in order of time
	Surprise string    `json:"surprise"`
	Rules    WhyRules  `json:"rules"`
	Counts   []Count   `json:"counts"`   // the countdowns under way at the change, the new leader's first
	LookedAt int64     `json:"lookedAt"` // when the new leader sent the request that made it leader
}

// WhyRules are the settings that governed the change: those of the previous leader.
type WhyRules struct {
	_               incomparable
	LeaseNs         int64 `json:"leaseNs"`
	RenewDeadlineNs int64 `json:"renewDeadlineNs"`
	RetryPeriodNs   int64 `json:"retryPeriodNs"`
}

// Count is how long the Lease is valid for one node: from its last observed change on.
type Count struct {
	_     incomparable
	Node  string `json:"node"`
	Index int    `json:"index"`
	Seen  int64  `json:"seen"`
	Until int64  `json:"until"`
}

// WhyLine is a sentence, with the event that it is about.
type WhyLine struct {
	_      incomparable
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// PatchEntry sets one field of a scenario: a path as scenario.Set takes it, and its value as text or JSON; "" removes
// the field.
type PatchEntry struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Share is the content of a link: everything needed to restore the screen.
type Share struct {
	_        incomparable
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
	_        incomparable
	Name     string          `json:"name"` // name of the file
	Scenario json.RawMessage `json:"scenario"`
}

// Swept is the progress of a sweep: the same acts with other seeds, with the run's settings and with changed ones.
type Swept struct {
	_             incomparable
	Done          int    `json:"done"` // number of seeds so far
	Of            int    `json:"of"`
	HereNs        *int64 `json:"hereNs,omitempty"`        // the gap of this run's seed with the changed settings; absent if it did not end
	MedianNs      *int64 `json:"medianNs,omitempty"`      // of the seeds so far, with the changed settings
	PlainMedianNs *int64 `json:"plainMedianNs,omitempty"` // of the same seeds, with the run's settings
}

// Progress is the progress of a computation that takes several calls. The op goOn continues it; any change ends it.
type Progress struct {
	_    incomparable
	Done bool  `json:"done"` // always false: when finished, the answer is that of the op
	At   int64 `json:"at"`
	Of   int64 `json:"of"`
}

// PaceSpan is the factor of story speed from t on.
type PaceSpan struct {
	_      incomparable
	T      int64   `json:"t"`
	Factor float64 `json:"factor"`
}

// ScenarioInfo is one scenario of the menu.
type ScenarioInfo struct {
	_       incomparable
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// Knob is a field of the scenario with a control in the page. path is as in ErrorReply.path.
type Knob struct {
	_     incomparable
	Path  string `json:"path"`
	Label string `json:"label"` // "leaseDuration"
	Kind  string `json:"kind"`  // "duration" | "bool" | "int"
	Takes string `json:"takes"` // "now" (at once) | "restart" (at the next start)
	Help  string `json:"help"`  // two lines, with common mistakes
}

// ActInfo is an act on a node.
type ActInfo struct {
	_       incomparable
	Act     string `json:"act"`   // "crash" | "restart" | "pause" | "resume" | "cut" | "heal" | "stop" | "clock" | "add" | "remove" | "suspend" | "hang" | "burst"
	Label   string `json:"label"` // "Crash"
	Key     string `json:"key"`   // "K"
	Help    string `json:"help"`
	Section string `json:"section"` // heading in the list of acts: "Process"
	Inverse string `json:"inverse"` // the act that ends it, "" for none
	Told    string `json:"told"`    // the verb for an act that happens, after its target's name: "crashes"
	Promise string `json:"promise"` // the verb for a planned act: "will crash"
}

// FieldHelp explains one field of a kind of object.
type FieldHelp struct {
	_     incomparable
	Kind  string `json:"kind"`  // "Lease" | "LeaseCandidate"
	Field string `json:"field"` // "spec.renewTime"
	Help  string `json:"help"`
}

// ErrorReply has a complete sentence as message: what, where, the rule, the way out. path names a field of the scenario
// ("elector.renewDeadline").
type ErrorReply struct {
	_       incomparable
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
	_         incomparable
	Engine    int            `json:"engine"`
	Protocol  int            `json:"protocol"`
	Scenarios []ScenarioInfo `json:"scenarios"`
	Knobs     []Knob         `json:"knobs"`
	Acts      []ActInfo      `json:"acts"`
	FieldHelp []FieldHelp    `json:"fieldHelp"`
}

// RestAnswer is the answer to a request to the API server of the run.
type RestAnswer struct {
	_       incomparable
	Status  int      `json:"status"`
	Headers []string `json:"headers"` // "name: value"
	Body    string   `json:"body"`
	Watch   int      `json:"watch,omitempty"`   // number of an opened watch, whose frames the page polls
	Changed bool     `json:"changed,omitempty"` // the write has become an act of the scenario
	View    *View    `json:"view,omitempty"`    // set after a change
}

// RestFrames holds the frames of a watch since the last poll.
type RestFrames struct {
	_      incomparable
	Frames []string `json:"frames"` // each is a line of JSON with its line break
	Ended  bool     `json:"ended"`
}

// Exchange is a candidate's request as it went over the wire.
type Exchange struct {
	_       incomparable
	Node    string   `json:"node"`
	Index   int      `json:"index"`
	Method  string   `json:"method"`
	Target  string   `json:"target"`
	Headers []string `json:"headers"`
	Body    string   `json:"body"`
	Sent    int64    `json:"sent"`
	Served  *int64   `json:"served,omitempty"`
	Ended   *int64   `json:"ended,omitempty"`
	Status  int      `json:"status,omitempty"`  // 0 if there is no answer
	Answer  string   `json:"answer"`            // as much of the body as the client got
	Outcome string   `json:"outcome,omitempty"` // as the client saw it

	AnswerHeaders []string `json:"answerHeaders,omitempty"`
}

// Cause explains a leader change with its gap, or a violation. Every part and every sentence opens its event.
type Cause struct {
	_       incomparable
	Run     int             `json:"run"`
	Kind    string          `json:"kind"`   // "change" | "violation"
	Number  int             `json:"number"` // index among the leader changes, or the violations
	Title   string          `json:"title"`
	Cursor  timeline.Cursor `json:"cursor"`
	Parts   []Addend        `json:"parts"`  // of the gap, or of the violation's length
	Chain   []Addend        `json:"chain"`  // change: everything the new leader did since the last renewal it observed
	Ending  []Addend        `json:"ending"` // change: everything the previous leader did since its last renewal
	Story   []WhyLine       `json:"story"`
	Bound   string          `json:"bound"`   // what Reroll counts: "more than one active worker", "nobody leads for more than 14 s"
	Subject []CauseRef      `json:"subject"` // all subjects of questions, up to the live instant
}

// CauseRef is a subject of questions.
type CauseRef struct {
	_      incomparable
	Kind   string          `json:"kind"`
	Number int             `json:"number"`
	Rule   string          `json:"rule"` // for a violation; "" for a change
	Title  string          `json:"title"`
	Cursor timeline.Cursor `json:"cursor"`
}

// WhatIf is the progress of runs of the same seed, each with one thing changed, the smallest remaining gap or violation
// first.
type WhatIf struct {
	_     incomparable
	Done  int          `json:"done"` // number of runs so far
	Of    int          `json:"of"`
	Lines []WhatIfLine `json:"lines"`
}

// WhatIfLine is one of these runs.
type WhatIfLine struct {
	_        incomparable
	Number   int    `json:"number"`   // for the op try
	Label    string `json:"label"`    // "releaseOnCancel"
	Sentence string `json:"sentence"` // "releaseOnCancel: 2.100 s, 11.900 s shorter"
	Effect   string `json:"effect"`   // "better" | "same" | "worse"
}

// Rerolled is the progress of a re-roll: futures from instants of the run with fresh randomness, and how many of them
// end the same way.
type Rerolled struct {
	_          incomparable
	Done       int           `json:"done"` // number of futures so far
	Of         int           `json:"of"`
	Runs       int           `json:"runs"` // number of futures per instant
	Happens    *int64        `json:"happens,omitempty"`
	Inevitable *int64        `json:"inevitable,omitempty"` // the first instant from which at least 99 % of the futures end this way; absent if there is none, or not yet
	Points     []RerollPoint `json:"points"`
	Turn       *RerollTurn   `json:"turn,omitempty"`
	Scripted   *Scripted     `json:"scripted,omitempty"`
}

// Scripted says that every future ends the same way from the beginning: the scenario decides, and no instant does.
type Scripted struct {
	_     incomparable
	Act   string  `json:"act"`   // without it the fewest futures end so: "pause of the holder at 20s"; "" if no act makes a difference
	Share float64 `json:"share"` // of the futures without the act
	Low   float64 `json:"low"`   // of the 95 % interval
	High  float64 `json:"high"`
}

// RerollPoint is the result for one instant.
type RerollPoint struct {
	_     incomparable
	T     int64   `json:"t"`
	Hits  int     `json:"hits"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // of the 95 % interval
	High  float64 `json:"high"`
}

// RerollTurn is the steepest part of the curve, and what happened there.
type RerollTurn struct {
	_        incomparable
	From     int64     `json:"from"`
	To       int64     `json:"to"`
	Before   float64   `json:"before"` // ratio of futures
	After    float64   `json:"after"`
	Happened []WhyLine `json:"happened"`
}

// Side is one of two runs to compare: a branch of the session up to its live instant, or a scenario, shipped or whole,
// up to until or its end. seed overrides the run's seed.
type Side struct {
	_        incomparable
	Branch   *int              `json:"branch,omitempty"`
	Scenario any               `json:"scenario,omitempty"`
	Patch    []PatchEntry      `json:"patch,omitempty"`
	Actions  []json.RawMessage `json:"actions,omitempty"`
	Seed     *uint64           `json:"seed,omitempty"`
	Until    *int64            `json:"until,omitempty"`
	Title    string            `json:"title,omitempty"`
}

// Compared is one of the two runs: everything drawn of it, and the side by which a link finds it again.
type Compared struct {
	_        incomparable
	Title    string   `json:"title"`
	Scenario string   `json:"scenario"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`  // at until
	Until    int64    `json:"until"` // the end of the comparison
	Side     Side     `json:"side"`
	Branch   int      `json:"branch"` // of the session, -1 for none
	View     *View    `json:"view"`   // at until
	Timeline Timeline `json:"timeline"`
}

// Comparison is two runs on one time axis, with their differences.
type Comparison struct {
	_           incomparable
	A           Compared        `json:"a"`
	B           Compared        `json:"b"`
	To          int64           `json:"to"`   // end of the common axis
	Same        bool            `json:"same"` // no difference as far as both runs go
	Differences []Difference    `json:"differences"`
	Changes     []ChangePair    `json:"changes"`
	Totals      []ComparedTotal `json:"totals"`
	Settings    []SettingPair   `json:"settings"` // fields of the scenarios that differ
}

// SettingPair is a field of two scenarios. "" stands for a value that is not given.
type SettingPair struct {
	Path  string `json:"path"`
	Label string `json:"label"` // the path, in words where it is that of an act: "crash of a at 20s: for"
	A     string `json:"a"`
	B     string `json:"b"`
}

// Difference is one difference between two runs. kind: "first" (the first event that differs) | "change" | "violation".
type Difference struct {
	_       incomparable
	T       int64            `json:"t"`
	Kind    string           `json:"kind"`
	In      string           `json:"in"` // "a" | "b" | "both"
	Text    string           `json:"text"`
	TextA   string           `json:"textA,omitempty"` // for first: the event in a
	TextB   string           `json:"textB,omitempty"`
	CursorA *timeline.Cursor `json:"cursorA,omitempty"`
	CursorB *timeline.Cursor `json:"cursorB,omitempty"`
}

// ChangePair is a pair of leader changes of two runs, matched in order.
type ChangePair struct {
	_      incomparable
	A      *ChangeRef `json:"a,omitempty"`
	B      *ChangeRef `json:"b,omitempty"`
	AtNs   *int64     `json:"atNs,omitempty"`  // b's instant minus a's
	GapNs  *int64     `json:"gapNs,omitempty"` // b's gap minus a's
	Differ bool       `json:"differ"`
}

// ComparedTotal is a figure of both runs, ready to print.
type ComparedTotal struct {
	_      incomparable
	Label  string `json:"label"`
	A      string `json:"a"`
	B      string `json:"b"`
	Delta  string `json:"delta"`            // "" if they are equal
	Better string `json:"better,omitempty"` // "a" | "b": the better run, for figures that can be better
}

// ChecksView is what every checker reports at the cursor, in the order of the rules.
type ChecksView struct {
	_         incomparable
	Run       int             `json:"run"`
	Cursor    timeline.Cursor `json:"cursor"`
	Checks    []CheckView     `json:"checks"`
	Margin    *MarginFigures  `json:"margin,omitempty"` // after the first term
	Failovers Failovers       `json:"failovers"`
}

// CheckView is one rule: whether it holds, what was measured, and its first violation.
type CheckView struct {
	_        incomparable
	Rule     string           `json:"rule"`     // "moreThanOneActive"
	Number   int              `json:"number"`   // 1 to 16
	Severity string           `json:"severity"` // "safety" | "liveness" | "observation"
	State    string           `json:"state"`    // "ok" | "off" | "observed" | "violated" | "notEvaluated"
	Title    string           `json:"title"`    // "more than one active worker"
	Figure   string           `json:"figure"`
	Count    int              `json:"count"`
	Text     string           `json:"text"`            // the first violation in a sentence, "" if there is none
	First    *timeline.Cursor `json:"first,omitempty"` // its place
}

// MarginFigures is the margin meter: L − R − P − d in nanoseconds.
type MarginFigures struct {
	_         incomparable
	LastNs    int64  `json:"lastNs"`              // at the last renewal
	LeastNs   int64  `json:"leastNs"`             // the least so far
	NearestNs *int64 `json:"nearestNs,omitempty"` // least time from a stop to the next start so far; negative if they overlapped
}

// Failovers is the histogram of failovers after a crash by whole seconds without a leader, with the formula's bounds.
type Failovers struct {
	_       incomparable
	Counts  []int `json:"counts"` // from second 0 on, up to the last that is not empty
	BestNs  int64 `json:"bestNs"` // by the formula; 0 if not known yet
	WorstNs int64 `json:"worstNs"`
}

// Beliefs is what every node believes at the cursor, the recent stretches with no believing leader or more than one,
// and what keeps a leader and its successor apart.
type Beliefs struct {
	_       incomparable
	Run     int            `json:"run"`
	Server  string         `json:"server"` // the API server's wall clock, which is true
	From    int64          `json:"from"`   // start of the bands
	To      int64          `json:"to"`
	Nodes   []Belief       `json:"nodes"`
	Bands   []BeliefBand   `json:"bands"`
	Margins []LeaderMargin `json:"margins"`           // one per leader
	Least   *int64         `json:"least,omitempty"`   // the smallest margin so far, after the first renewal
	Nearest *int64         `json:"nearest,omitempty"` // the shortest time from a stop to the next start so far; negative if they overlapped
}

// Belief is one node's own view.
type Belief struct {
	_      incomparable
	Name   string           `json:"name"`
	Index  int              `json:"index"`
	Alive  bool             `json:"alive"`
	Wall   string           `json:"wall"` // the node's wall clock
	MonoNs int64            `json:"monoNs"`
	Leads  bool             `json:"leads"` // the node believes that it is the leader
	Holder string           `json:"holder"`
	Seen   *timeline.Cursor `json:"seen,omitempty"`  // when the node last observed a change of the Lease
	Until  *int64           `json:"until,omitempty"` // the Lease is valid for the node until then
}

// BeliefBand is a stretch in which no node, or more than one, believed that it was the leader.
type BeliefBand struct {
	_    incomparable
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"` // "nobody" | "two"
	Who  string `json:"who"`  // "a and c"
}

// LeaderMargin is leaseDuration − renewDeadline − retryPeriod − the last answer's way from the server: the time between
// a leader's last chance to stop and the first chance of another to take over.
type LeaderMargin struct {
	_        incomparable
	Node     string `json:"node"`
	Index    int    `json:"index"`
	LeaseNs  int64  `json:"leaseNs"` // L, as in the Lease
	RenewNs  int64  `json:"renewNs"` // R, on the node's own clock in true time
	RetryNs  int64  `json:"retryNs"` // P, likewise
	AnswerNs int64  `json:"answerNs"`
	MarginNs int64  `json:"marginNs"`
	Stops    *int64 `json:"stops,omitempty"` // when it must stop unless a renewal succeeds
	Takes    *int64 `json:"takes,omitempty"` // when the first of the others may take over
	By       string `json:"by"`
	Paused   bool   `json:"paused"` // a paused process cannot stop
}

// Settings is every setting of the run: as written, and as effective. The schema explains the fields and their values.
type Settings struct {
	_        incomparable
	Scenario json.RawMessage `json:"scenario"` // the scenario without live acts
	InForce  json.RawMessage `json:"inForce"`  // with defaults and inherited values filled in
	Usual    json.RawMessage `json:"usual"`    // the settings of an empty scenario
	Nodes    []string        `json:"nodes"`    // the possible targets of an act now
}

// ActOptions are an act's parameters besides its node.
type ActOptions struct {
	_         incomparable
	Direction string `json:"direction,omitempty"` // cut: both, up, down
	Offset    string `json:"offset,omitempty"`    // clock: "1h", may be negative
	RatePpm   int64  `json:"ratePpm,omitempty"`   // clock
	Jump      string `json:"jump,omitempty"`      // clock: "1h", may be negative
	Count     int    `json:"count,omitempty"`     // burst
	Name      string `json:"name,omitempty"`      // add
}

// Breakpoint is a condition at which the run stops, as text: "active = 2", "holder = b and leaderless >= 10s".
type Breakpoint struct {
	_    incomparable
	Text string `json:"text"`
	Off  bool   `json:"off,omitempty"` // kept, but not watched
}

// SessionView is what a session adds to the view of a run; View has the same members. It does not cross to the page
// itself.
type SessionView struct {
	_           incomparable
	Title       string
	Playing     bool
	Speed       float64 // 0 means story speed
	Branches    []BranchView
	Branch      int
	Undo, Redo  string
	Toast       string
	Breakpoints []Breakpoint
}

// ComparedRun is one of two runs to compare, computed up to Look.Live: the input of Compared. It does not cross to the
// page.
type ComparedRun struct {
	_       incomparable
	Look    timeline.Look
	Title   string
	Branch  int // index of the branch, -1 for none
	Share   *Share
	Session SessionView
}

// WhyLines returns the lines of an explanation with the cursors of their events.
func WhyLines(lines []explain.Line) []WhyLine {
	all := make([]WhyLine, len(lines))
	for i, line := range lines {
		all[i] = WhyLine{Text: line.Text, Cursor: timeline.CursorOf(line.Event)}
	}
	return all
}

// Version numbers the shapes that cross to the page: this package, wasm/bridge and web/js/protocol.d.ts.
const Version = 1
