package protocol

import "github.com/leaselab/leaselab/sim/timeline"

// View is everything the page needs to draw an instant. It is valid from cursor.t until nextT. It contains each
// countdown as the instant at which the countdown reaches zero.
type View struct {
	// a number that changes whenever the past changes; a cached timeline with another number is stale
	Run       int             `json:"run"`
	Scenario  string          `json:"scenario"` // name of the branch
	Title     string          `json:"title"`
	Seed      uint64          `json:"seed"`
	Hash      string          `json:"hash"` // trace hash at the cursor, 16 hex digits
	Cursor    timeline.Cursor `json:"cursor"`
	InInstant int             `json:"inInstant"`
	// the picture does not change before this instant; at most live.t, and equal to cursor.t at the live instant
	NextT      int64           `json:"nextT"`
	Live       timeline.Cursor `json:"live"`
	End        int64           `json:"end"` // the scenario's duration
	Playing    bool            `json:"playing"`
	Speed      float64         `json:"speed"`      // 0 means story speed
	StorySpeed float64         `json:"storySpeed"` // the present factor of story speed
	Nodes      []NodeView      `json:"nodes"`      // at most 100; nodesTotal is the number of all nodes
	NodesTotal int             `json:"nodesTotal"`
	Lease      LeaseView       `json:"lease"`
	Flights    []Flight        `json:"flights"`
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
	// for the target node: which acts are possible now, and why others are not
	Acts []ActState `json:"acts"`

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`

	// for a record of real programs: "live" while more may come, then "whole"; "" for a simulation
	Record string `json:"record,omitempty"`
}

// ActState says whether an act on a node is possible now.
type ActState struct {
	Node    string `json:"node"`
	Act     string `json:"act"`
	Refusal string `json:"refusal,omitempty"` // "a is already down. Restart it first."
}

// KnobValue is the effective value of a knob.
type KnobValue struct {
	Path    string `json:"path"`
	Value   string `json:"value"`             // "15s"
	Pending string `json:"pending,omitempty"` // set, but not effective before the next start
}

// NodeView is one node: a candidate, an API server, or a node that only sends heartbeats.
type NodeView struct {
	Name  string `json:"name"`
	Index int    `json:"index"` // color and order; never reused
	// "waiting" | "following" | "leading" | "lost" | "paused" | "down" | "stopped" | "controller" | "serving": the
	// last two are for API servers
	Role          string     `json:"role"`
	RoleWord      string     `json:"roleWord"` // the role as the page prints it: "leading", "down"
	Since         int64      `json:"since"`
	Countdown     *Countdown `json:"countdown,omitempty"`
	Believes      string     `json:"believes"` // "I lead", "a leads", "nobody leads", "knows nothing yet"
	Cut           string     `json:"cut"`      // "" | "both" | "up" | "down"
	Paused        bool       `json:"paused"`
	ClockOffsetNs int64      `json:"clockOffsetNs"`
	ClockRatePpm  int64      `json:"clockRatePpm"`
	Wall          string     `json:"wall"` // the node's wall clock if it is wrong, else ""

	Candidate *CandidateView `json:"candidate,omitempty"` // only with coordinated election
	// set for an API server, which is not a candidate and never a leader
	Server *ServerView `json:"server,omitempty"`
}

// Countdown is the time until a node may acquire the Lease, or must stop leading. It falls one second per second.
type Countdown struct {
	Kind   string `json:"kind"`   // "mayTake" | "mustStop"
	ZeroAt int64  `json:"zeroAt"` // world time at which the countdown reaches zero
	FromNs int64  `json:"fromNs"` // full scale of the ramp: 15 s for a follower, 12 s for the leader
}

// LeaseView is the stored Lease that the candidates compete for.
type LeaseView struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	Exists          bool   `json:"exists"`
	Holder          string `json:"holder"`      // name or identity of a node, or ""
	HolderIndex     int    `json:"holderIndex"` // index of the holder, or -1
	Version         int    `json:"version"`     // number of the stored version, from 1; 0 before the first
	ResourceVersion string `json:"resourceVersion"`
	Versions        int    `json:"versions"`         // number of versions up to the live instant
	Others          bool   `json:"others,omitempty"` // the page can also show a lock ConfigMap, with or without a Lease
}

// Flight is a request on the wire, or just answered. Its four instants determine its position at any time.
type Flight struct {
	Node int    `json:"node"` // index of the client
	Seq  int    `json:"seq"`
	Verb string `json:"verb"` // "get" | "create" | "update" | "delete"
	// the sender, in the words of acts: "leaseCandidate", "heartbeat", …; "" for the elector
	Message string `json:"message,omitempty"`
	Sent    int64  `json:"sent"`
	Reaches int64  `json:"reaches"`           // arrival at the server, planned or real; see lost for a lost request
	Served  *int64 `json:"served,omitempty"`  // set once the server has served it
	Returns *int64 `json:"returns,omitempty"` // when the answer arrives at the client; planned once served
	Lost    string `json:"lost,omitempty"`    // "up" | "down": the leg on which a cut lost it
	Hangs   bool   `json:"hangs,omitempty"`   // the request hangs at the server
	GaveUp  *int64 `json:"gaveUp,omitempty"`  // the client stopped waiting
	Outcome string `json:"outcome"`           // "" | "ok" | "conflict" | "notFound" | "error" | "lost" | "open"
	Ended   *int64 `json:"ended,omitempty"`

	Stopped      *int64 `json:"stopped,omitempty"`      // when an act dropped the request, or began to hold it
	Held         bool   `json:"held,omitempty"`         // an act holds the request
	CanBeStopped bool   `json:"canBeStopped,omitempty"` // an act can drop or hold the request at the cursor
}

// Headline is a text with live and linked parts. The page replaces {elapsed} by cursor.t − sinceT.
type Headline struct {
	Kind     string   `json:"kind"`               // "leads" | "nobody" | "gap" | "two" | "overlap" | "start"
	Title    string   `json:"title"`              // "Nobody led for 14.039 s.", "Nobody leads: {elapsed} so far."
	Question string   `json:"question,omitempty"` // "Why so long?"
	SinceT   *int64   `json:"sinceT,omitempty"`
	GapFrom  *int64   `json:"gapFrom,omitempty"`
	GapTo    *int64   `json:"gapTo,omitempty"`
	Addends  []Addend `json:"addends"` // the parts of the sum, shown as the second line and as brackets
}

// Totals counts what has happened up to the cursor. Lengths are in nanoseconds.
type Totals struct {
	Leaders      int   `json:"leaders"`
	LeaderlessNs int64 `json:"leaderlessNs"`
	DoubleNs     int64 `json:"doubleNs"`
	Violations   int   `json:"violations"`   // violations of safety and liveness rules
	Observations int   `json:"observations"` // violations of rules that are not errors
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

// SessionView is what a session adds to the view of a run; View has the same members. It does not cross to the page
// itself.
type SessionView struct {
	Title       string
	Playing     bool
	Speed       float64 // 0 means story speed
	Branches    []BranchView
	Branch      int
	Undo, Redo  string
	Toast       string
	Breakpoints []Breakpoint
}
