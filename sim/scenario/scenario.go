// Package scenario is the format of a simulated run: which candidates compete for a Lease, on what network and clocks,
// and what happens to them when.
//
// # The problem
//
// A bug in leader election shows only in a story: three candidates, a pause of 20 s, a slow answer. An engineer must
// be able to write down that story, read it, change one number, mail it, and get the same run again. So everything
// that affects a run is in one small document. A scenario, which includes its seed, and the engine version determine
// a run completely. A live run in the page, a saved file, a shared link and a bug report are all scenarios:
//
//	apiVersion: leaselab.dev/v1alpha1
//	kind: Scenario
//	seed: 1
//	duration: 2m
//	candidates: [{name: a}, {name: b, startAt: 500ms}]
//	actions: [{at: 20s, act: pause, target: holder, for: 30s}]
//	expect: [{violation: moreThanOneActive}]
//
// # The types to know
//
// Scenario is the document as its author wrote it, where a missing field means the default. Action is one thing that
// happens at an instant, and Expect is one assertion. Resolve turns a Scenario into a Resolved one for the simulator:
// one entry per process, every default written out, actions in order. Set changes one field by its path.
//
// The types say which fields exist. The tables next to them (fields_*.go) give each field's meaning, default and
// limits. The schema, the page's forms and the checks follow from both. Each act has its own file (act_*.go).
//
// # Guarantee and non-guarantee
//
// Guarantee: Decode accepts a document, or names the field, its value and the rule that it breaks. Encode(Decode(x))
// is canonical, and decoding the canonical form gives an equal value. Non-guarantee: a valid scenario may break rules
// of safety. Scenarios exist to show exactly that.
//
// Durations have Go's form ("15s"). Instants are durations since the start of the run. Settings of electors have the
// names of client-go's LeaderElectionConfig and the checks of NewLeaderElector.
package scenario

import "time"

const (
	APIVersion = "leaselab.dev/v1alpha1"
	Kind       = "Scenario"
)

// Limits of a scenario. They limit the work for a document from an unknown source: a link, an upload, an issue. The
// error about a larger scenario names the limit. MaxSeed is the largest integer that is exact in JavaScript.
const (
	MaxBytes      = 4 << 20
	MaxDepth      = 100 // levels of nested objects and lists; a scenario needs about ten
	MaxCandidates = 10_000
	MaxActions    = 100_000
	MaxDuration   = Duration(90 * 24 * time.Hour)
	MaxSeed       = 1<<53 - 1
	MinRatePpm    = 100_000
	MaxRatePpm    = 10_000_000
)

// Duration is a time.Duration in nanoseconds, which documents write as Go does ("15s", "9.999999999s"). Unless a
// field says otherwise, 0 <= d <= 90 days. As an instant it counts from the start of the run.
type Duration time.Duration

// Scenario is the whole document. A missing field has its zero value here, and Resolve fills in the default. So a
// Scenario contains only what its author wrote, and encoding it adds nothing. If a default changes later, the change
// applies to old files that do not set the field.
//
// The order of the fields is roughly the order in which an author thinks: what the scenario is, what competes, on
// which network, what happens, and what the result should be. Encode keeps this order, so moving a field changes the
// canonical form of every document.
type Scenario struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Name       string      `json:"name,omitempty"`
	Title      string      `json:"title,omitempty"`
	Summary    string      `json:"summary,omitempty"`
	Seed       uint64      `json:"seed"`
	Streams    string      `json:"streams,omitempty"`
	Duration   Duration    `json:"duration"`
	Preset     string      `json:"preset,omitempty"`
	Lease      Lease       `json:"lease,omitzero"`
	Elector    Elector     `json:"elector,omitzero"`
	Network    Network     `json:"network,omitzero"`
	Candidates []Candidate `json:"candidates,omitempty"`
	APIServers []APIServer `json:"apiServers,omitempty"`
	NilHolder  string      `json:"nilHolder,omitempty"`

	Coordination Coordination `json:"coordination,omitzero"`

	Actions []Action `json:"actions,omitempty"`
	Expect  []Expect `json:"expect,omitempty"`
	Process Process  `json:"process,omitzero"`
	Client  Client   `json:"client,omitzero"`

	Controllers           *Controllers `json:"controllers,omitempty"`
	LeaseCandidateVersion string       `json:"leaseCandidateVersion,omitempty"`
	Server                *Server      `json:"server,omitempty"`
	Museum                *Museum      `json:"museum,omitempty"`

	Resource   *Resource   `json:"resource,omitempty"`
	Bounds     Bounds      `json:"bounds,omitzero"`
	Heartbeats *Heartbeats `json:"heartbeats,omitempty"`
}

// Lease names the object that the candidates compete for. The object does not exist when the run begins: a candidate
// or a controller creates it.
type Lease struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Clock is a node's clock: local = offset + elapsed·ratePpm/1e6. A node reads two clocks, a wall clock and a
// monotonic clock. The offset affects the wall clock, whose times go into the Lease. The rate affects both clocks,
// and so the elector's timers. A clock with a ratePpm of 1,000,000 is correct, and with 1,010,000 it gains 10 ms per
// second.
type Clock struct {
	Offset  Duration `json:"offset,omitempty"`
	RatePpm int64    `json:"ratePpm,omitempty"`
}

// Candidate is one process, or Replicas processes named name-0, name-1, …, which start SpreadStart/Replicas apart.
// Groups such as Elector are pointers, because a candidate that leaves one out inherits the scenario's, field by field.
type Candidate struct {
	Name             string    `json:"name"`
	Identity         string    `json:"identity,omitempty"`
	StartAt          Duration  `json:"startAt,omitempty"`
	Replicas         int       `json:"replicas,omitempty"`
	SpreadStart      Duration  `json:"spreadStart,omitempty"`
	Preset           string    `json:"preset,omitempty"`
	Elector          *Elector  `json:"elector,omitempty"`
	Network          *Network  `json:"network,omitempty"`
	Clock            *Clock    `json:"clock,omitempty"`
	Restart          string    `json:"restart,omitempty"`
	RestartAfter     Duration  `json:"restartAfter,omitempty"`
	WorkTail         Duration  `json:"workTail,omitempty"`
	JitterDraws      []float64 `json:"jitterDraws,omitempty"`
	StartJitterMax   Duration  `json:"startJitterMax,omitempty"`
	BinaryVersion    string    `json:"binaryVersion,omitempty"`
	EmulationVersion string    `json:"emulationVersion,omitempty"`
	Strategy         string    `json:"strategy,omitempty"`
	PingAckDelay     Duration  `json:"pingAckDelay,omitempty"`
	APIServer        string    `json:"apiServer,omitempty"`

	Process *Process `json:"process,omitempty"`
	Client  *Client  `json:"client,omitempty"`

	PreferredStrategies []string `json:"preferredStrategies,omitempty"`
	LeaseCandidate      string   `json:"leaseCandidate,omitempty"`
	Stream              string   `json:"stream,omitempty"`
}

// APIServer is one kube-apiserver: a node with the controllers of coordinated leader election. Only one API server's
// controllers are active at a time. A scenario that lists no API server has one that is not a node: it never crashes
// and has no name.
type APIServer struct {
	Name         string   `json:"name"`
	StartAt      Duration `json:"startAt,omitempty"`
	Version      string   `json:"version,omitempty"`
	Clock        *Clock   `json:"clock,omitempty"`
	WatchLag     Duration `json:"watchLag,omitempty"`
	RestartAfter Duration `json:"restartAfter,omitempty"`
	Stream       string   `json:"stream,omitempty"`
}

// Action is something that happens to the world at an instant, by script or by a click in the page. Acts lists the
// acts and the fields that each takes. A flat struct has the fields of all acts, and a table says which fields an act
// takes; everything else is common code. With one type per act, the format would need a tag to choose the type, and a
// decoder for each type.
//
// At counts from the start of the run. If Within is not 0, the seed delays the action by up to that much. Two actions
// at the same instant happen in the order of the list.
type Action struct {
	At               Duration   `json:"at"`
	Within           Duration   `json:"within,omitempty"`
	Act              string     `json:"act"`
	Target           string     `json:"target,omitempty"`
	For              Duration   `json:"for,omitempty"`
	Direction        string     `json:"direction,omitempty"`
	Mode             string     `json:"mode,omitempty"`
	Error            string     `json:"error,omitempty"`
	Verb             string     `json:"verb,omitempty"`
	Resource         string     `json:"resource,omitempty"`
	Count            int        `json:"count,omitempty"`
	Request          *Duration  `json:"request,omitempty"`
	Response         *Duration  `json:"response,omitempty"`
	Offset           *Duration  `json:"offset,omitempty"`
	RatePpm          int64      `json:"ratePpm,omitempty"`
	Op               string     `json:"op,omitempty"`
	Object           string     `json:"object,omitempty"`
	Spec             *LeaseSpec `json:"spec,omitempty"`
	Clear            []string   `json:"clear,omitempty"`
	RenewNow         bool       `json:"renewNow,omitempty"`
	Method           string     `json:"method,omitempty"`
	Path             string     `json:"path,omitempty"`
	Headers          []string   `json:"headers,omitempty"`
	Body             string     `json:"body,omitempty"`
	Candidate        *Candidate `json:"candidate,omitempty"`
	Elector          *Elector   `json:"elector,omitempty"`
	Network          *Network   `json:"network,omitempty"`
	BinaryVersion    string     `json:"binaryVersion,omitempty"`
	EmulationVersion string     `json:"emulationVersion,omitempty"`

	Jump                 *Duration     `json:"jump,omitempty"`
	RequestDistribution  *Distribution `json:"requestDistribution,omitempty"`
	ResponseDistribution *Distribution `json:"responseDistribution,omitempty"`
	Every                Duration      `json:"every,omitempty"`
	Server               *Server       `json:"server,omitempty"`
	To                   *Duration     `json:"to,omitempty"`
	RetryAfter           *Duration     `json:"retryAfter,omitempty"`
	Probability          *float64      `json:"probability,omitempty"`
	Grace                Duration      `json:"grace,omitempty"`
	Effect               string        `json:"effect,omitempty"`
	Nth                  int           `json:"nth,omitempty"`
	Message              string        `json:"message,omitempty"`
	MaxSurge             *int          `json:"maxSurge,omitempty"`
	MaxUnavailable       *int          `json:"maxUnavailable,omitempty"`
	PreStop              Duration      `json:"preStop,omitempty"`
	Readiness            string        `json:"readiness,omitempty"`
}

// LeaseSpec is what an administrator writes; times are relative to the scenario's epoch ("-1h" is an hour before it).
// Each field is a pointer, because writing an empty holderIdentity is different from not writing holderIdentity.
type LeaseSpec struct {
	HolderIdentity       *string   `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32    `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *Duration `json:"acquireTime,omitempty"`
	RenewTime            *Duration `json:"renewTime,omitempty"`
	LeaseTransitions     *int32    `json:"leaseTransitions,omitempty"`
	Strategy             *string   `json:"strategy,omitempty"`
	PreferredHolder      *string   `json:"preferredHolder,omitempty"`
}

// Expect is an assertion. It makes the scenario a test, which fails if the run does something else. If an assertion
// names a violation, the violation alone does not fail the scenario.
//
//	violation [measure nodes from until atLeast atMost]   the run breaks a rule at least once, or within the bounds
//	leader [at]                                           this node is active, at the end or at an instant
//	changes                                               the number of leader changes
//	measure atLeast|atMost                                a figure of the whole run lies within the bounds
//	event [node from until atLeast atMost]                an event happens at least once, or within the bounds
//
// Both bounds are inclusive. The fields From and Until limit the instants at which a violation begins or an event
// happens.
type Expect struct {
	Violation string    `json:"violation,omitempty"`
	Leader    string    `json:"leader,omitempty"`
	Changes   *int      `json:"changes,omitempty"`
	At        *Duration `json:"at,omitempty"`
	Measure   string    `json:"measure,omitempty"`
	Event     string    `json:"event,omitempty"`
	Node      string    `json:"node,omitempty"`
	Nodes     []string  `json:"nodes,omitempty"`
	From      *Duration `json:"from,omitempty"`
	Until     *Duration `json:"until,omitempty"`
	AtLeast   Amount    `json:"atLeast,omitempty"`
	AtMost    Amount    `json:"atMost,omitempty"`
}
