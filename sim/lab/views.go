package lab

import "encoding/json"

// The shapes of what the page draws, as JSON. They are written down once more in web/js/protocol.d.ts; wasm/bridge has the
// test that keeps the two equal. Times are virtual nanoseconds since the run's epoch, below 2^53.

// Cursor: A place in a run: the instant, and how many records of that instant are already behind it. n = -1: after all of them.
type Cursor struct {
	T int64 `json:"t"`
	N int32 `json:"n"`
}

// View: Everything the page needs to draw an instant. Values are valid from cursor.t until nextT: countdowns are given as the instant at which they reach zero.
type View struct {
	Run        int          `json:"run"`      // changes whenever the past changed: cached timelines of other runs are stale
	Scenario   string       `json:"scenario"` // name
	Title      string       `json:"title"`
	Seed       uint64       `json:"seed"`
	Hash       string       `json:"hash"` // trace hash at the cursor, 16 hex digits
	Cursor     Cursor       `json:"cursor"`
	InInstant  int          `json:"inInstant"`
	NextT      int64        `json:"nextT"` // no drawn state changes before this (edge-clipped); equals cursor.t at the edge
	Edge       Cursor       `json:"edge"`
	End        int64        `json:"end"` // the scenario's duration
	Playing    bool         `json:"playing"`
	Speed      float64      `json:"speed"`      // 0: story
	StorySpeed float64      `json:"storySpeed"` // the factor in force now
	Nodes      []NodeView   `json:"nodes"`      // at most 100; nodesTotal says how many there are
	NodesTotal int          `json:"nodesTotal"`
	Lease      LeaseView    `json:"lease"`
	Flights    []FlightView `json:"flights"`
	Headline   Headline     `json:"headline"`
	Change     *ChangeRef   `json:"change,omitempty"` // the leader change the headline is about
	Totals     Totals       `json:"totals"`
	Branches   []BranchView `json:"branches"`
	Branch     int          `json:"branch"`
	Undo       string       `json:"undo,omitempty"` // "crash a at 00:20.000"
	Redo       string       `json:"redo,omitempty"`
	Knobs      []KnobValue  `json:"knobs"`
	MarginNs   int64        `json:"marginNs"`        // L − R − P − d, shown as the safety margin
	Toast      string       `json:"toast,omitempty"` // "New branch. The old future is kept."
	Acts       []ActState   `json:"acts"`            // for the target node: what is possible now, or why not

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
}
type ActState struct {
	Node    string `json:"node"`
	Act     string `json:"act"`
	Refusal string `json:"refusal,omitempty"` // "a is already down. Restart it first."
}
type KnobValue struct {
	Path    string `json:"path"`
	Value   string `json:"value"`             // "15s"
	Pending string `json:"pending,omitempty"` // set but not in force before the next start
}
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
	Numbers    int              `json:"numbers"` // up to the edge
	Cursor     Cursor           `json:"cursor"`  // its event
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
type DecisionStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Mark  string `json:"mark"` // "" | "yes" | "no" | "waits"
}
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
type Countdown struct {
	Kind   string `json:"kind"`   // "mayTake" | "mustStop"
	ZeroAt int64  `json:"zeroAt"` // world instant at which it reaches zero
	FromNs int64  `json:"fromNs"` // full scale of the ramp: 15 s for a follower, 12 s for the leader
}
type LeaseView struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	Exists          bool   `json:"exists"`
	Holder          string `json:"holder"`      // node name or identity, "" = none
	HolderIndex     int    `json:"holderIndex"` // -1 when it is nobody's
	Version         int    `json:"version"`     // ordinal of the stored version, 1-based; 0 before the first
	ResourceVersion string `json:"resourceVersion"`
	Versions        int    `json:"versions"`         // how many there are up to the edge
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

// Headline: Text with live and linked parts. {elapsed} in a text is to be replaced by cursor.t − sinceT.
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
	Ns     int64  `json:"ns"`
	Shown  string `json:"shown"` // "13.165"
	Text   string `json:"text"`  // "left on b's countdown"
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Cursor Cursor `json:"cursor"` // the event that explains it
}
type ChangeRef struct {
	Index        int    `json:"index"`
	At           int64  `json:"at"`
	From         string `json:"from"`
	To           string `json:"to"`
	LeaderlessNs int64  `json:"leaderlessNs"`
}
type Totals struct {
	Leaders      int   `json:"leaders"`
	LeaderlessNs int64 `json:"leaderlessNs"`
	DoubleNs     int64 `json:"doubleNs"`
	Violations   int   `json:"violations"`   // of safety and liveness
	Observations int   `json:"observations"` // broken rules that are only worth knowing
	Requests     int   `json:"requests"`
}
type BranchView struct {
	Id     int    `json:"id"`
	Name   string `json:"name"`   // "a crashes at 12.3 s"
	Parent int    `json:"parent"` // -1 for the first
	ForkAt int64  `json:"forkAt"`
	Edge   int64  `json:"edge"`
	Hidden bool   `json:"hidden"`
}

// Timeline: Everything drawn between two instants, clipped to the edge.
type Timeline struct {
	Run        int             `json:"run"`
	From       int64           `json:"from"`
	To         int64           `json:"to"`
	Detail     bool            `json:"detail"` // true: ticks and ramps; false: buckets
	Lanes      []Lane          `json:"lanes"`
	Holder     []HolderSpan    `json:"holder"` // the stored Lease's holder
	Bands      []Band          `json:"bands"`  // nobody / two
	Faults     []FaultSpan     `json:"faults"`
	Violations []ViolationMark `json:"violations"`
	Changes    []ChangeRef     `json:"changes"`
	Landmarks  []Landmark      `json:"landmarks"`
	Notes      []LaneNote      `json:"notes,omitempty"` // with coordinated election

	Observations []ViolationMark `json:"observations,omitempty"` // broken rules that are only worth knowing
}
type Lane struct {
	Node    string      `json:"node"`
	Index   int         `json:"index"`
	Spans   []RoleSpan  `json:"spans"`
	Ticks   []Tick      `json:"ticks"`             // detail only
	Ramp    []RampPoint `json:"ramp"`              // detail only
	Buckets *Buckets    `json:"buckets,omitempty"` // otherwise
	Server  bool        `json:"server,omitempty"`  // an API server's
	Ready   []RoleSpan  `json:"ready,omitempty"`   // what the monitors took it for: "ready" | "notReady" | "disputed"
}
type RoleSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Role string `json:"role"` // as NodeView.role
}
type Tick struct {
	T       int64  `json:"t"`   // sent
	End     int64  `json:"end"` // answered or given up; = t while open
	Verb    string `json:"verb"`
	Outcome string `json:"outcome"` // "ok" | "conflict" | "notFound" | "error" | "lost" | "open"
	Write   bool   `json:"write"`   // an accepted write: tall tick
	N       int32  `json:"n"`       // cursor n of the record at `end`
}

// RampPoint: From t on, the countdown reaches zero at zeroAt (it falls one second a second); zeroAt = t means there is none.
type RampPoint struct {
	T       int64 `json:"t"`
	ZeroAt  int64 `json:"zeroAt"`
	Leading bool  `json:"leading"`
}

// Buckets: What a lane did in equal stretches of time, one after the other without a hole.
type Buckets struct {
	From     int64   `json:"from"`
	WidthNs  int64   `json:"widthNs"`
	Requests []int   `json:"requests"`
	WorstNs  []int64 `json:"worstNs"` // smallest remaining countdown in each, -1: none ran
}
type HolderSpan struct {
	From         int64  `json:"from"`
	To           int64  `json:"to"`
	Holder       string `json:"holder"`       // node name (or identity of a stranger), "" nobody
	Index        int    `json:"index"`        // -1: nobody's colour
	RenewedUntil int64  `json:"renewedUntil"` // after this: "still a, no longer renewed" (outline)
}
type Band struct {
	From    int64    `json:"from"`
	To      int64    `json:"to"`
	Kind    string   `json:"kind"`    // "nobody" | "two"
	Open    bool     `json:"open"`    // still going on at the edge
	Change  int      `json:"change"`  // index of the leader change that ends it, -1 if none yet
	Addends []Addend `json:"addends"` // brackets; empty for "two"
}
type FaultSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Open bool   `json:"open"`
	Node string `json:"node"` // "" = the API
	Text string `json:"text"` // "a is down", "a cut off (both ways)"
}
type ViolationMark struct {
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Rule   string `json:"rule"` // "more than one active worker"
	Kind   string `json:"kind"` // "safety" | "liveness" | "observation"
	Text   string `json:"text"`
	Cursor Cursor `json:"cursor"`
}
type Landmark struct {
	T    int64  `json:"t"`
	N    int32  `json:"n"`
	Kind string `json:"kind"` // "leader" | "fault" | "lost" | "violation" | "act"
	Text string `json:"text"`
}
type Events struct {
	Run   int        `json:"run"`
	Total int        `json:"total"` // rows of the filtered list up to the edge
	From  int        `json:"from"`  // index of rows[0]
	Rows  []EventRow `json:"rows"`
	At    int        `json:"at"` // index of the row at the cursor, -1 if none
}
type EventRow struct {
	T       int64  `json:"t"`
	N       int32  `json:"n"`
	Node    string `json:"node"`    // "" = administrator, network
	Index   int    `json:"index"`   // -1 likewise
	Text    string `json:"text"`    // "reads the Lease: unchanged for 12.900 s, a still holds it."
	Detail  string `json:"detail"`  // "PUT 200, v12, 5.0 ms"
	Kind    string `json:"kind"`    // "request" | "write" | "lead" | "fault" | "violation" | "act" | "callback"
	Outcome string `json:"outcome"` // as Tick.outcome, "" otherwise
	Version int    `json:"version"` // Lease version written, 0 otherwise
}
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

	Objects []ObjectRef `json:"objects,omitempty"` // what else there is to look at, up to the edge
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
type WhyLine struct {
	Text   string `json:"text"`
	Cursor Cursor `json:"cursor"`
}
type PatchEntry struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}
type Share struct {
	Scenario any               `json:"scenario"`
	Patch    []PatchEntry      `json:"patch"`
	Actions  []json.RawMessage `json:"actions"`
	Seed     uint64            `json:"seed"`
	Engine   int               `json:"engine"`
	Hash     string            `json:"hash"`
	Cursor   Cursor            `json:"cursor"`
	Edge     Cursor            `json:"edge"`

	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
}
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
