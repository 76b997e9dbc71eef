// Package protocol is what crosses between the engine and the page, as JSON. The shapes are written down once more in
// web/js/protocol.d.ts; wasm/bridge has the test that keeps the two equal. Times are virtual nanoseconds since the run's
// epoch, below 2^53.
package protocol

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/timeline"
)

// View: Everything the page needs to draw an instant. Values are valid from cursor.t until nextT: countdowns are given as the instant at which they reach zero.
type View struct {
	Run        int             `json:"run"`      // changes whenever the past changed: cached timelines of other runs are stale
	Scenario   string          `json:"scenario"` // name
	Title      string          `json:"title"`
	Seed       uint64          `json:"seed"`
	Hash       string          `json:"hash"` // trace hash at the cursor, 16 hex digits
	Cursor     timeline.Cursor `json:"cursor"`
	InInstant  int             `json:"inInstant"`
	NextT      int64           `json:"nextT"` // no drawn state changes before this (cut at the live instant); equals cursor.t at the live instant
	Live       timeline.Cursor `json:"live"`
	End        int64           `json:"end"` // the scenario's duration
	Playing    bool            `json:"playing"`
	Speed      float64         `json:"speed"`      // 0: story
	StorySpeed float64         `json:"storySpeed"` // the factor in force now
	Nodes      []NodeView      `json:"nodes"`      // at most 100; nodesTotal says how many there are
	NodesTotal int             `json:"nodesTotal"`
	Lease      LeaseView       `json:"lease"`
	Flights    []FlightView    `json:"flights"`
	Headline   Headline        `json:"headline"`
	Change     *ChangeRef      `json:"change,omitempty"` // the leader change the headline is about
	Totals     Totals          `json:"totals"`
	Branches   []BranchView    `json:"branches"`
	Branch     int             `json:"branch"`
	Undo       string          `json:"undo,omitempty"` // "crash a at 00:20.000"
	Redo       string          `json:"redo,omitempty"`
	Knobs      []KnobValue     `json:"knobs"`
	MarginNs   int64           `json:"marginNs"`        // L − R − P − d, shown as the safety margin
	Toast      string          `json:"toast,omitempty"` // "New branch. The old future is kept."
	Acts       []ActState      `json:"acts"`            // for the target node: what is possible now, or why not

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
}

// ActState says of one act on one node whether it is possible now.
type ActState struct {
	Node    string `json:"node"`
	Act     string `json:"act"`
	Refusal string `json:"refusal,omitempty"` // "a is already down. Restart it first."
}

// KnobValue is the value of a knob in force.
type KnobValue struct {
	Path    string `json:"path"`
	Value   string `json:"value"`             // "15s"
	Pending string `json:"pending,omitempty"` // set but not in force before the next start
}

// NodeView is one node: a candidate, an API server, or a node that only sends heartbeats.
type NodeView struct {
	Name           string     `json:"name"`
	Index          int        `json:"index"` // colour and order; never reused
	Identity       string     `json:"identity"`
	Role           string     `json:"role"`     // an API server's: "controller" | "serving" | …; else "waiting" | "following" | "leading" | "lost" | "paused" | "down" | "stopped"
	RoleWord       string     `json:"roleWord"` // what is printed: "leading", "down"
	Since          int64      `json:"since"`
	Countdown      *Countdown `json:"countdown,omitempty"`
	Believes       string     `json:"believes"`       // "I lead" | "a leads" | "nobody leads" | "knows nothing yet"
	BelievesHolder string     `json:"believesHolder"` // holder name or ""
	Cut            string     `json:"cut"`            // "" | "both" | "up" | "down"
	Paused         bool       `json:"paused"`
	ClockOffsetNs  int64      `json:"clockOffsetNs"`
	ClockRatePpm   int64      `json:"clockRatePpm"`
	Wall           string     `json:"wall"` // its own wall clock when it is off, "" otherwise

	Candidate *CandidateView `json:"candidate,omitempty"` // with coordinated election
	Server    *ServerView    `json:"server,omitempty"`    // it is an API server: no candidate, never a leader
}

// CandidateView: A node's LeaseCandidate, as stored, and how it stood when a controller looked last.
type CandidateView struct {
	Name             string `json:"name"`
	Exists           bool   `json:"exists"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	Strategy         string `json:"strategy"`
	PingTime         *int64 `json:"pingTime,omitempty"` // as its writer's clock had it
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Unacked          bool   `json:"unacked"`  // pinged later than it has renewed
	Mark             string `json:"mark"`     // "counts" | "waits" | "out" | "none"
	Standing         string `json:"standing"` // the same in words, with the reason
	JudgedAt         *int64 `json:"judgedAt,omitempty"`
	JudgedBy         string `json:"judgedBy,omitempty"`
	Place            int    `json:"place"`            // in the ranking of that look, 1 for the electee; 0: not ranked
	Behind           string `json:"behind,omitempty"` // "behind c: older emulationVersion (1.35.0, not 1.36.0)"
}

// ServerView: An API server.
type ServerView struct {
	Version        string `json:"version"`
	Up             bool   `json:"up"`
	RunsController bool   `json:"runsController"`
}

// DecisionView: One look of a controller at the candidates of the Lease, step by step.
type DecisionView struct {
	Run        int              `json:"run"`
	Number     int              `json:"number"`  // 1-based, of those that the events tell of; 0: none yet
	Numbers    int              `json:"numbers"` // up to the live instant
	Cursor     timeline.Cursor  `json:"cursor"`  // its event
	By         string           `json:"by"`      // "api-1"
	ByIndex    int              `json:"byIndex"`
	Title      string           `json:"title"`   // "c is elected."
	Electee    string           `json:"electee"` // "" if nobody is
	Index      int              `json:"index"`   // the electee's, -1
	Reason     string           `json:"reason"`  // "older emulationVersion (1.35.0, not 1.36.0) than b"
	Outcome    string           `json:"outcome"`
	Steps      []DecisionStep   `json:"steps"`
	Considered []ConsideredView `json:"considered"` // in the controller's order
	Latest     string           `json:"latest"`     // the last look at the cursor, told of or not
}

// DecisionStep is one step of a decision, in words.
type DecisionStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Mark  string `json:"mark"` // "" | "yes" | "no" | "waits"
}

// ConsideredView is one LeaseCandidate as a decision saw it.
type ConsideredView struct {
	Name             string `json:"name"`
	Index            int    `json:"index"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	Strategy         string `json:"strategy"`
	Created          int64  `json:"created"`
	PingTime         *int64 `json:"pingTime,omitempty"`
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Mark             string `json:"mark"` // as CandidateView.mark
	Standing         string `json:"standing"`
	Place            int    `json:"place"`
	Behind           string `json:"behind,omitempty"`
}

// LaneNote: Something small that happened to one lane: a ping, an ack, a holder asked to hand over.
type LaneNote struct {
	T     int64  `json:"t"`
	N     int32  `json:"n"`
	Index int    `json:"index"` // the lane
	Other int    `json:"other"` // handOver: the preferred holder's lane, -1
	Kind  string `json:"kind"`  // "ping" | "ack" | "gone" | "handOver"
	Text  string `json:"text"`
}

// Countdown is the time until a node may acquire the Lease, or must stop leading. It falls one second a second.
type Countdown struct {
	Kind   string `json:"kind"`   // "mayTake" | "mustStop"
	ZeroAt int64  `json:"zeroAt"` // world instant at which it reaches zero
	FromNs int64  `json:"fromNs"` // full scale of the ramp: 15 s for a follower, 12 s for the leader
}

// LeaseView is the stored Lease that the candidates compete for.
type LeaseView struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	Exists          bool   `json:"exists"`
	Holder          string `json:"holder"`      // node name or identity, "" = none
	HolderIndex     int    `json:"holderIndex"` // -1 when it is nobody's
	Version         int    `json:"version"`     // ordinal of the stored version, 1-based; 0 before the first
	ResourceVersion string `json:"resourceVersion"`
	Versions        int    `json:"versions"`         // how many there are up to the live instant
	Others          bool   `json:"others,omitempty"` // there is a ConfigMap of the locks to look at, with or without a Lease
}

// FlightView: A request on the wire or just answered. Where it is at time t follows from the four instants alone.
type FlightView struct {
	Node    int    `json:"node"` // index
	Seq     int    `json:"seq"`
	Verb    string `json:"verb"` // "get" | "create" | "update"
	Sent    int64  `json:"sent"`
	Reaches int64  `json:"reaches"`           // at the server (planned); absent message: see lostAt
	Served  *int64 `json:"served,omitempty"`  // set once served
	Returns *int64 `json:"returns,omitempty"` // at the client (planned once served)
	Lost    string `json:"lost,omitempty"`    // "up" | "down": cut on that leg
	Hangs   bool   `json:"hangs,omitempty"`   // waits at the server
	GaveUp  *int64 `json:"gaveUp,omitempty"`  // the client stopped waiting
	Outcome string `json:"outcome"`           // "" while unknown | "ok" | "conflict" | "error" | "lost"
	Ended   *int64 `json:"ended,omitempty"`
}

// Headline: Text with live and linked parts. Replace {elapsed} in a text by cursor.t − sinceT.
type Headline struct {
	Kind     string   `json:"kind"`               // "leads" | "nobody" | "gap" | "two" | "start"
	Title    string   `json:"title"`              // "Nobody led for 14.039 s." | "Nobody leads: {elapsed} so far."
	Question string   `json:"question,omitempty"` // "Why so long?"
	SinceT   *int64   `json:"sinceT,omitempty"`
	GapFrom  *int64   `json:"gapFrom,omitempty"`
	GapTo    *int64   `json:"gapTo,omitempty"`
	Addends  []Addend `json:"addends"` // the sum, shown as the second line and as brackets
}

// Addend: One part of a gap. Sum of ns over all addends = gapTo − gapFrom exactly; shown strings sum to the shown total (largest remainder).
type Addend struct {
	Ns     int64           `json:"ns"`
	Shown  string          `json:"shown"` // "13.165"
	Text   string          `json:"text"`  // "left on b's countdown"
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Cursor timeline.Cursor `json:"cursor"` // the event that explains it
}

// ChangeRef names a change of leader, by its number from 0 on.
type ChangeRef struct {
	Index        int    `json:"index"`
	At           int64  `json:"at"`
	From         string `json:"from"`
	To           string `json:"to"`
	LeaderlessNs int64  `json:"leaderlessNs"`
}

// Totals count what has happened up to the cursor. Lengths are in nanoseconds.
type Totals struct {
	Leaders      int   `json:"leaders"`
	LeaderlessNs int64 `json:"leaderlessNs"`
	DoubleNs     int64 `json:"doubleNs"`
	Violations   int   `json:"violations"`   // of safety and liveness
	Observations int   `json:"observations"` // broken rules that are only worth knowing
	Requests     int   `json:"requests"`
}

// BranchView is one line of the tree of branches.
type BranchView struct {
	Id     int    `json:"id"`
	Name   string `json:"name"`   // "a crashes at 12.3 s"
	Parent int    `json:"parent"` // -1 for the first
	ForkAt int64  `json:"forkAt"`
	Live   int64  `json:"live"`
	Hidden bool   `json:"hidden"`
}

// Timeline: Everything drawn between two instants, clipped to the live instant.
type Timeline struct {
	Run        int                 `json:"run"`
	From       int64               `json:"from"`
	To         int64               `json:"to"`
	Detail     bool                `json:"detail"` // true: ticks and ramps; false: buckets
	Lanes      []Lane              `json:"lanes"`
	Holder     []HolderSpan        `json:"holder"` // the stored Lease's holder
	Bands      []Band              `json:"bands"`  // nobody / two
	Faults     []FaultSpan         `json:"faults"`
	Violations []ViolationMark     `json:"violations"`
	Changes    []ChangeRef         `json:"changes"`
	Landmarks  []timeline.Landmark `json:"landmarks"`
	Notes      []LaneNote          `json:"notes,omitempty"` // with coordinated election

	Observations []ViolationMark `json:"observations,omitempty"` // broken rules that are only worth knowing
}

// Lane is what one node did in the window.
type Lane struct {
	Node    string               `json:"node"`
	Index   int                  `json:"index"`
	Spans   []RoleSpan           `json:"spans"`
	Ticks   []timeline.Tick      `json:"ticks"`             // detail only
	Ramp    []timeline.RampPoint `json:"ramp"`              // detail only
	Buckets *timeline.Buckets    `json:"buckets,omitempty"` // otherwise
	Server  bool                 `json:"server,omitempty"`  // an API server's
	Ready   []RoleSpan           `json:"ready,omitempty"`   // what the monitors took it for: "ready" | "notReady" | "disputed"
}

// RoleSpan is a stretch of time in which a node had one role.
type RoleSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Role string `json:"role"` // as NodeView.role
}

// HolderSpan is a stretch of time in which the stored Lease named one holder.
type HolderSpan struct {
	From         int64  `json:"from"`
	To           int64  `json:"to"`
	Holder       string `json:"holder"`       // node name (or identity of a stranger), "" nobody
	Index        int    `json:"index"`        // -1: nobody's colour
	RenewedUntil int64  `json:"renewedUntil"` // after this: "still a, no longer renewed" (outline)
}

// Band is a stretch of time in which nobody, or more than one, was active.
type Band struct {
	From    int64    `json:"from"`
	To      int64    `json:"to"`
	Kind    string   `json:"kind"`    // "nobody" | "two"
	Open    bool     `json:"open"`    // still going on at the live instant
	Change  int      `json:"change"`  // index of the leader change that ends it, -1 if none yet
	Addends []Addend `json:"addends"` // brackets; empty for "two"
}

// FaultSpan is a stretch of time in which a fault lasted.
type FaultSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Open bool   `json:"open"`
	Node string `json:"node"` // "" = the API
	Text string `json:"text"` // "a is down", "a cut off (both ways)"
}

// ViolationMark is a broken rule, from when to when it was broken.
type ViolationMark struct {
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Rule   string          `json:"rule"` // "more than one active worker"
	Kind   string          `json:"kind"` // "safety" | "liveness" | "observation"
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// Events is a window of the event list.
type Events struct {
	Run   int                 `json:"run"`
	Total int                 `json:"total"` // rows of the filtered list up to the live instant
	From  int                 `json:"from"`  // index of rows[0]
	Rows  []timeline.EventRow `json:"rows"`
	At    int                 `json:"at"` // index of the row at the cursor, -1 if none
}

// ObjectView is one version of a stored object, as YAML with its changes, as JSON, and as the bytes the API sends.
type ObjectView struct {
	Run      int        `json:"run"`
	Kind     string     `json:"kind"` // "Lease"
	Name     string     `json:"name"`
	Version  int        `json:"version"`
	Versions int        `json:"versions"`
	T        int64      `json:"t"`
	By       string     `json:"by"`
	YAML     []YamlLine `json:"yaml"`
	JSON     string     `json:"json"` // indented, exactly the API's bytes re-indented
	Raw      string     `json:"raw"`  // the bytes the API would send
	Text     string     `json:"text"` // the YAML text, for copying

	Objects []ObjectRef `json:"objects,omitempty"` // what else there is to look at, up to the live instant
}

// ObjectRef: An object that can be looked at.
type ObjectRef struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// YamlLine: One line of YAML. mark: "" unchanged, "old" struck, "new" added or changed.
type YamlLine struct {
	Text  string `json:"text"`
	Mark  string `json:"mark"`
	Field string `json:"field"` // "spec.renewTime", "" if none
}

// Why is the chain of causes of a change of leader.
type Why struct {
	Change   ChangeRef `json:"change"`
	Title    string    `json:"title"`
	Addends  []Addend  `json:"addends"`
	Story    []WhyLine `json:"story"` // the full chain, in order
	Surprise string    `json:"surprise"`
	Rules    WhyRules  `json:"rules"`
	Counts   []Count   `json:"counts"`   // the countdowns under way at the change, the new leader's first
	LookedAt int64     `json:"lookedAt"` // when the new leader began the look that made it leader
}

// WhyRules: The settings that governed the change: those the leader before it ran with.
type WhyRules struct {
	LeaseNs         int64 `json:"leaseNs"`
	RenewDeadlineNs int64 `json:"renewDeadlineNs"`
	RetryPeriodNs   int64 `json:"retryPeriodNs"`
}

// Count: How long the Lease counts as one node sees it: from its own last sight of a change.
type Count struct {
	Node  string `json:"node"`
	Index int    `json:"index"`
	Seen  int64  `json:"seen"`
	Until int64  `json:"until"`
}

// WhyLine is a sentence with the event that it is about.
type WhyLine struct {
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// PatchEntry sets one field of a scenario: a path as scenario.Set takes it, and its value as text or JSON; "" takes the field away.
type PatchEntry struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Share is the content of a link: everything that brings back what is on screen.
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

// Saved is a document to be saved as a file.
type Saved struct {
	Name     string          `json:"name"` // file name
	Scenario json.RawMessage `json:"scenario"`
}

// Swept: How a sweep stands: the same acts with other seeds, as the run is and with knobs changed.
type Swept struct {
	Done          int    `json:"done"` // seeds so far
	Of            int    `json:"of"`
	HereNs        *int64 `json:"hereNs,omitempty"`        // this run's gap with the knobs changed; absent: it did not end
	MedianNs      *int64 `json:"medianNs,omitempty"`      // of the seeds so far, knobs changed
	PlainMedianNs *int64 `json:"plainMedianNs,omitempty"` // of the same seeds, nothing changed
	NotShorter    int    `json:"notShorter"`              // seeds whose gap the change did not shorten
}

// Progress: How far the engine is with what takes more than one call. goOn goes on with it, every other change leaves it.
type Progress struct {
	Done bool  `json:"done"` // always false: what is done answers as its op says
	At   int64 `json:"at"`
	Of   int64 `json:"of"`
}

// PaceSpan: Story speed from t on.
type PaceSpan struct {
	T      int64   `json:"t"`
	Factor float64 `json:"factor"`
}

// ScenarioInfo is one scenario of the menu.
type ScenarioInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// Knob: A field of the scenario with a control in the page. path as in ErrorReply.path.
type Knob struct {
	Path  string `json:"path"`
	Label string `json:"label"` // "leaseDuration"
	Kind  string `json:"kind"`  // "duration" | "bool" | "int"
	Takes string `json:"takes"` // "now" (acts at once) | "restart" (takes effect at the next start)
	Help  string `json:"help"`  // two lines, with what people get wrong
}

// ActInfo: What can be done to a node.
type ActInfo struct {
	Act     string `json:"act"`   // "crash" | "restart" | "pause" | "resume" | "cut" | "heal" | "stop" | "clock" | "add" | "remove" | "suspend" | "hang" | "burst"
	Label   string `json:"label"` // "Crash"
	Key     string `json:"key"`   // "K"
	Help    string `json:"help"`
	Section string `json:"section"` // under which it is listed: "Process"
	Inverse string `json:"inverse"` // the act that ends it; ""
	Told    string `json:"told"`    // after its target's name, when it happens: "crashes"
	Promise string `json:"promise"` // and before: "will crash"
}

// FieldHelp explains one field of a kind of object.
type FieldHelp struct {
	Kind  string `json:"kind"`  // "Lease" | "LeaseCandidate"
	Field string `json:"field"` // "spec.renewTime"
	Help  string `json:"help"`
}

// ErrorReply: message is a whole sentence: what, where, the rule, the way out. path names a field of the scenario ("elector.renewDeadline").
type ErrorReply struct {
	Code    string `json:"code"` // "input" | "limit" | "unknown" | "panic" | "state"
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Value   string `json:"value,omitempty"`
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

// Hello is what the engine says of itself.
type Hello struct {
	Engine    int            `json:"engine"`
	Protocol  int            `json:"protocol"`
	Scenarios []ScenarioInfo `json:"scenarios"`
	Knobs     []Knob         `json:"knobs"`
	Acts      []ActInfo      `json:"acts"`
	FieldHelp []FieldHelp    `json:"fieldHelp"`
}

// RestAnswer is the answer to a request to the API server of the run.
type RestAnswer struct {
	Status  int      `json:"status"`
	Headers []string `json:"headers"` // "name: value"
	Body    string   `json:"body"`
	Watch   int      `json:"watch,omitempty"`   // number of a watch that was opened: its frames are polled
	Changed bool     `json:"changed,omitempty"` // the write is an act of the scenario now
	View    *View    `json:"view,omitempty"`    // after a change
}

// RestFrames is what a watch has had to say since it was polled last.
type RestFrames struct {
	Frames []string `json:"frames"` // each a line of JSON with its line break
	Ended  bool     `json:"ended"`
}

// Exchange is a candidate's request as it went over the wire.
type Exchange struct {
	Node    string   `json:"node"`
	Index   int      `json:"index"`
	Method  string   `json:"method"`
	Target  string   `json:"target"`
	Headers []string `json:"headers"`
	Body    string   `json:"body"`
	Sent    int64    `json:"sent"`
	Served  *int64   `json:"served,omitempty"`
	Ended   *int64   `json:"ended,omitempty"`
	Status  int      `json:"status,omitempty"` // 0: no answer was made
	Answer  string   `json:"answer"`
	Outcome string   `json:"outcome,omitempty"` // as the client saw it
}

// Cause: Why a change of leader with its gap, or a violation, happened. Every part and every sentence opens its event.
type Cause struct {
	Run     int             `json:"run"`
	Kind    string          `json:"kind"`   // "change" | "violation"
	Number  int             `json:"number"` // index among the changes, or the violations
	Title   string          `json:"title"`
	Cursor  timeline.Cursor `json:"cursor"`
	Parts   []Addend        `json:"parts"`  // of the gap, or of the violation's length
	Chain   []Addend        `json:"chain"`  // change: the new leader's whole way, from the last renewal it saw
	Ending  []Addend        `json:"ending"` // change: the leader before, since it last renewed
	Story   []WhyLine       `json:"story"`
	Bound   string          `json:"bound"`   // what a re-roll would count: "more than one active worker", "nobody leads for more than 14 s"
	Subject []CauseRef      `json:"subject"` // everything there is to ask about, up to the live instant
}

// CauseRef: Something to ask about.
type CauseRef struct {
	Kind   string          `json:"kind"`
	Number int             `json:"number"`
	Rule   string          `json:"rule"` // of a violation, "" of a change
	Title  string          `json:"title"`
	Cursor timeline.Cursor `json:"cursor"`
}

// WhatIf: How it would have gone with one thing changed: runs of the same seed, what leaves least of the gap or the violation first.
type WhatIf struct {
	Done  int          `json:"done"` // runs so far
	Of    int          `json:"of"`
	Lines []WhatIfLine `json:"lines"`
}

// WhatIfLine: One of these runs.
type WhatIfLine struct {
	Number   int    `json:"number"`   // for trying it
	Label    string `json:"label"`    // "releaseOnCancel"
	Sentence string `json:"sentence"` // "releaseOnCancel: 2.100 s, 11.900 s shorter"
	Effect   string `json:"effect"`   // "better" | "same" | "worse"
}

// Rerolled: Futures of instants of the run with fresh randomness: in how many of them it comes to the same.
type Rerolled struct {
	Done       int           `json:"done"` // futures so far
	Of         int           `json:"of"`
	Runs       int           `json:"runs"` // futures of each instant
	Happens    *int64        `json:"happens,omitempty"`
	Inevitable *int64        `json:"inevitable,omitempty"` // from here on at least 99 % of the futures end so; absent: never, or not known yet
	Points     []RerollPoint `json:"points"`
	Turn       *RerollTurn   `json:"turn,omitempty"`
}

// RerollPoint: One instant.
type RerollPoint struct {
	T     int64   `json:"t"`
	Hits  int     `json:"hits"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // the 95 % interval
	High  float64 `json:"high"`
}

// RerollTurn: Where the curve moves most, and what happened there.
type RerollTurn struct {
	From     int64     `json:"from"`
	To       int64     `json:"to"`
	Before   float64   `json:"before"` // shares
	After    float64   `json:"after"`
	Happened []WhyLine `json:"happened"`
}

// Side: One of two runs to compare: a branch of the session up to its live instant, or a scenario, a shipped one by name or a whole one, up to until or its end. A seed runs either with another one.
type Side struct {
	Branch   *int              `json:"branch,omitempty"`
	Scenario any               `json:"scenario,omitempty"`
	Patch    []PatchEntry      `json:"patch,omitempty"`
	Actions  []json.RawMessage `json:"actions,omitempty"`
	Seed     *uint64           `json:"seed,omitempty"`
	Until    *int64            `json:"until,omitempty"`
	Title    string            `json:"title,omitempty"`
}

// Compared: One of the two runs: everything drawn of it, and the side by which a link finds it again.
type Compared struct {
	Title    string   `json:"title"`
	Scenario string   `json:"scenario"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`  // at until
	Until    int64    `json:"until"` // so far it is compared
	Side     Side     `json:"side"`
	Branch   int      `json:"branch"` // of the session, -1
	View     *View    `json:"view"`   // at until
	Timeline Timeline `json:"timeline"`
}

// Comparison: Two runs on one time axis, and where they differ.
type Comparison struct {
	A           Compared        `json:"a"`
	B           Compared        `json:"b"`
	To          int64           `json:"to"`   // end of the common axis
	Same        bool            `json:"same"` // nothing differs as far as both go
	Differences []Difference    `json:"differences"`
	Changes     []ChangePair    `json:"changes"`
	Totals      []ComparedTotal `json:"totals"`
}

// Difference: One place where two runs differ. kind: "first" (the first event that is not the same) | "change" | "violation".
type Difference struct {
	T       int64            `json:"t"`
	Kind    string           `json:"kind"`
	In      string           `json:"in"` // "a" | "b" | "both"
	Text    string           `json:"text"`
	TextA   string           `json:"textA,omitempty"` // first: what happens in a
	TextB   string           `json:"textB,omitempty"`
	CursorA *timeline.Cursor `json:"cursorA,omitempty"`
	CursorB *timeline.Cursor `json:"cursorB,omitempty"`
}

// ChangePair: The leader changes of two runs, matched in order.
type ChangePair struct {
	A      *ChangeRef `json:"a,omitempty"`
	B      *ChangeRef `json:"b,omitempty"`
	AtNs   *int64     `json:"atNs,omitempty"`  // b's instant minus a's
	GapNs  *int64     `json:"gapNs,omitempty"` // b's gap minus a's
	Differ bool       `json:"differ"`
}

// ComparedTotal: A figure of both runs, ready to print.
type ComparedTotal struct {
	Label  string `json:"label"`
	A      string `json:"a"`
	B      string `json:"b"`
	Delta  string `json:"delta"`            // "" if they are equal
	Better string `json:"better,omitempty"` // "a" | "b": which is the better one, where that has a meaning
}

// ChecksView: What every checker says at the cursor, in the order of the rules.
type ChecksView struct {
	Run       int             `json:"run"`
	Cursor    timeline.Cursor `json:"cursor"`
	Checks    []CheckView     `json:"checks"`
	Margin    *MarginFigures  `json:"margin,omitempty"` // after the first term
	Failovers Failovers       `json:"failovers"`
}

// CheckView: One rule: whether it holds, what was measured, and where it was first broken.
type CheckView struct {
	Rule     string           `json:"rule"`     // "moreThanOneActive"
	Number   int              `json:"number"`   // 1 to 16
	Severity string           `json:"severity"` // "safety" | "liveness" | "observation"
	State    string           `json:"state"`    // "ok" | "off" | "observed" | "violated" | "unjudged"
	Title    string           `json:"title"`    // "more than one active worker"
	Figure   string           `json:"figure"`
	Count    int              `json:"count"`
	Text     string           `json:"text"`            // the first breach in a sentence, "" if there is none
	First    *timeline.Cursor `json:"first,omitempty"` // where that is
}

// MarginFigures: The margin meter: L − R − P − d in nanoseconds.
type MarginFigures struct {
	LastNs    int64  `json:"lastNs"`              // of the last renewal
	LeastNs   int64  `json:"leastNs"`             // so far
	NearestNs *int64 `json:"nearestNs,omitempty"` // from a stop to the next start, the least so far; negative: they overlapped
}

// Failovers: The histogram of failovers after a crash by whole seconds without a leader, against the formula.
type Failovers struct {
	Counts  []int `json:"counts"` // from second 0 on, up to the last that is not empty
	BestNs  int64 `json:"bestNs"` // by the formula; 0: not known yet
	WorstNs int64 `json:"worstNs"`
}

// Beliefs: What every node takes for true at the cursor, when nobody or more than one took itself for the leader lately, and what keeps the leader and its successor apart.
type Beliefs struct {
	Run     int            `json:"run"`
	Server  string         `json:"server"` // the API server's wall clock: true time
	From    int64          `json:"from"`   // of the bands
	To      int64          `json:"to"`
	Nodes   []Belief       `json:"nodes"`
	Bands   []BeliefBand   `json:"bands"`
	Margins []LeaderMargin `json:"margins"`           // one for each leader
	Least   *int64         `json:"least,omitempty"`   // the smallest margin so far, after the first renewal
	Nearest *int64         `json:"nearest,omitempty"` // the shortest time from a stop to the next start so far; negative: they overlapped
}

// Belief: One node's own view.
type Belief struct {
	Name   string           `json:"name"`
	Index  int              `json:"index"`
	Alive  bool             `json:"alive"`
	Wall   string           `json:"wall"` // its own wall clock
	MonoNs int64            `json:"monoNs"`
	Leads  bool             `json:"leads"` // it takes itself for the leader
	Holder string           `json:"holder"`
	Seen   *timeline.Cursor `json:"seen,omitempty"`  // when it last saw the Lease change
	Until  *int64           `json:"until,omitempty"` // the Lease counts for it until then
}

// BeliefBand: A stretch in which nobody, or more than one, took itself for the leader.
type BeliefBand struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"` // "nobody" | "two"
	Who  string `json:"who"`  // "a and c"
}

// LeaderMargin: leaseDuration − renewDeadline − retryPeriod − the way of the last answer from the server: what is left between a leader's last chance to stop and the first chance of another to take over.
type LeaderMargin struct {
	Node     string `json:"node"`
	Index    int    `json:"index"`
	LeaseNs  int64  `json:"leaseNs"` // L, as the Lease publishes it
	RenewNs  int64  `json:"renewNs"` // R, on the node's own clock in true time
	RetryNs  int64  `json:"retryNs"` // P, likewise
	AnswerNs int64  `json:"answerNs"`
	MarginNs int64  `json:"marginNs"`
	Stops    *int64 `json:"stops,omitempty"` // when it must stop if nothing succeeds from now on
	Takes    *int64 `json:"takes,omitempty"` // when the first of the others may take over
	By       string `json:"by"`
	Paused   bool   `json:"paused"` // a paused process cannot stop
}

// Settings is every setting of the run: as it is written, as it is in force, and as it would be in a scenario that says
// nothing. What the fields mean, and what they take, is in the schema.
type Settings struct {
	Scenario json.RawMessage `json:"scenario"` // what the run began as, without live acts
	InForce  json.RawMessage `json:"inForce"`  // defaults and what is inherited written out
	Usual    json.RawMessage `json:"usual"`
	Nodes    []string        `json:"nodes"` // who can be the target of an act now
}

// ActOptions is what an act takes besides its node.
type ActOptions struct {
	Direction string `json:"direction,omitempty"` // cut: both, up, down
	Offset    string `json:"offset,omitempty"`    // clock: "1h", may be negative
	RatePpm   int64  `json:"ratePpm,omitempty"`   // clock
	Jump      string `json:"jump,omitempty"`      // clock: "1h", may be negative
	Count     int    `json:"count,omitempty"`     // burst
	Name      string `json:"name,omitempty"`      // add
}

// Breakpoint: A condition at which the run stops, in words: "active = 2", "holder = b and leaderless >= 10s".
type Breakpoint struct {
	Text string `json:"text"`
	Off  bool   `json:"off,omitempty"` // kept, not watched
}

// SessionView is what a session adds to the picture of a run; its members stand in View. It does not cross by itself.
type SessionView struct {
	Title       string
	Playing     bool
	Speed       float64 // 0: story
	Branches    []BranchView
	Branch      int
	Undo, Redo  string
	Toast       string
	Breakpoints []Breakpoint
}

// ComparedRun is one of two runs to compare, computed up to Look.Live: what Compared is drawn from. It does not cross.
type ComparedRun struct {
	Look    timeline.Look
	Title   string
	Branch  int // of the session, -1 if it is none of its branches
	Share   *Share
	Session SessionView
}

// WhyLines are the lines of an explanation with the cursors of their events.
func WhyLines(lines []explain.Line) []WhyLine {
	all := make([]WhyLine, len(lines))
	for i, line := range lines {
		all[i] = WhyLine{Text: line.Text, Cursor: timeline.CursorOf(line.Event)}
	}
	return all
}

// Protocol numbers the shapes that cross to the page: this package's views, wasm/bridge and web/js/protocol.d.ts.
const Version = 1
