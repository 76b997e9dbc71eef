// Package scenario is the format of a simulated run: who competes for a Lease, on what network and clocks, and what
// happens to them when. A scenario with its seed and the engine version determines a run completely; a live run in the
// page, a saved file, a shared link and a bug report are all scenarios.
//
// Guarantee: Decode accepts a document or names the field, its value and the rule it breaks; Encode(Decode(x)) is
// canonical, and decoding the canonical form gives an equal value.
// Non-guarantee: a valid scenario need not be a safe one. That is what it is for.
package scenario

import "time"

const (
	APIVersion = "leaselab.dev/v1alpha1"
	Kind       = "Scenario"
)

// Limits of a scenario. Each is named in the error that refuses a larger one.
const (
	MaxBytes      = 4 << 20
	MaxDepth      = 100 // of objects and lists in each other; a scenario needs about ten
	MaxCandidates = 10_000
	MaxActions    = 100_000
	MaxDuration   = Duration(90 * 24 * time.Hour)
	MaxSeed       = 1<<53 - 1
	MinRatePpm    = 100_000
	MaxRatePpm    = 10_000_000
)

// Duration is a time.Duration written as Go writes it ("15s", "9.999999999s"); 0 <= d <= 90 days except where noted.
type Duration time.Duration

// Scenario is the whole document.
type Scenario struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Name       string      `json:"name,omitempty"`    // DNS label: "a-leader-dies"
	Title      string      `json:"title,omitempty"`   // "A leader dies"
	Summary    string      `json:"summary,omitempty"` // one paragraph: what to watch
	Seed       uint64      `json:"seed"`              // 0…2^53−1
	Streams    string      `json:"streams,omitempty"` // how jitter is drawn: "named" (default: one stream per candidate name) or "recorded" (the streams of the recorded client-go traces, by candidate index)
	Duration   Duration    `json:"duration"`          // > 0; the run ends there
	Lease      Lease       `json:"lease,omitzero"`    // default namespace default, name demo
	Elector    Elector     `json:"elector,omitzero"`  // defaults of every candidate
	Network    Network     `json:"network,omitzero"`  // defaults of every candidate
	Candidates []Candidate `json:"candidates,omitempty"`
	APIServers []APIServer `json:"apiServers,omitempty"` // with controllers; left out: one that answers at once and has none
	NilHolder  string      `json:"nilHolder,omitempty"`  // a Lease without holderIdentity before the controller: "crash" (default, as in v1.36) or "intended"
	Actions    []Action    `json:"actions,omitempty"`    // happen in order of at; equal times keep list order
	Expect     []Expect    `json:"expect,omitempty"`
	Process    Process     `json:"process,omitzero"` // defaults of every candidate
	Client     Client      `json:"client,omitzero"`  // defaults of every candidate

	// Of the API servers and their controllers: "v1beta1" (default) or "v1alpha1", with lists of strategies.
	Controllers           *Controllers `json:"controllers,omitempty"` // of coordinated election, where they are other than upstream's
	LeaseCandidateVersion string       `json:"leaseCandidateVersion,omitempty"`
	Server                *Server      `json:"server,omitempty"` // how the API server copes with load; left out: it answers at once
	Museum                *Museum      `json:"museum,omitempty"` // of an exhibit: the incident it stages

	Resource   *Resource   `json:"resource,omitempty"`   // what the leader writes to; left out: nothing
	Bounds     Bounds      `json:"bounds,omitzero"`      // what the run must keep
	Heartbeats *Heartbeats `json:"heartbeats,omitempty"` // nodes beside the candidates that say they are alive, and who watches them
}

// Lease names the object the candidates compete for.
type Lease struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Clock is a node's clock: local = offset + elapsed·ratePpm/1e6.
type Clock struct {
	Offset  Duration `json:"offset,omitempty"`  // may be negative
	RatePpm int64    `json:"ratePpm,omitempty"` // 100,000…10,000,000; 0 means 1,000,000
}

// Candidate is one process, or Replicas of them named name-0, name-1, … starting SpreadStart/Replicas apart.
type Candidate struct {
	Name           string    `json:"name"`
	Identity       string    `json:"identity,omitempty"` // holderIdentity; default: the name (of each replica)
	StartAt        Duration  `json:"startAt,omitempty"`
	Replicas       int       `json:"replicas,omitempty"` // 0 means one, with the name as it is; 1 is name-0
	SpreadStart    Duration  `json:"spreadStart,omitempty"`
	Elector        *Elector  `json:"elector,omitempty"`
	Network        *Network  `json:"network,omitempty"`
	Clock          *Clock    `json:"clock,omitempty"`
	Restart        string    `json:"restart,omitempty"` // when Run returns: "" the process ends, "new" a new elector, "same" the same elector object runs again
	RestartAfter   Duration  `json:"restartAfter,omitempty"`
	WorkTail       Duration  `json:"workTail,omitempty"`       // the work goes on this long after its context ended
	JitterDraws    []float64 `json:"jitterDraws,omitempty"`    // in [0,1); used before the stream
	StartJitterMax Duration  `json:"startJitterMax,omitempty"` // the start is delayed by a drawn part of this
	// Of a coordinated candidate: its LeaseCandidate, named as its identity.
	BinaryVersion    string   `json:"binaryVersion,omitempty"`
	EmulationVersion string   `json:"emulationVersion,omitempty"`
	Strategy         string   `json:"strategy,omitempty"`
	PingAckDelay     Duration `json:"pingAckDelay,omitempty"` // until its informer shows what was written to its LeaseCandidate
	APIServer        string   `json:"apiServer,omitempty"`    // whom it talks to; left out: the first

	Process *Process `json:"process,omitempty"`
	Client  *Client  `json:"client,omitempty"`

	PreferredStrategies []string `json:"preferredStrategies,omitempty"` // of v1alpha1, in place of strategy
	LeaseCandidate      string   `json:"leaseCandidate,omitempty"`      // its name; only the identity will do
}

// APIServer is one kube-apiserver: a node with the controllers of coordinated leader election, one of which works at a time.
type APIServer struct {
	Name         string   `json:"name"`
	StartAt      Duration `json:"startAt,omitempty"`
	Version      string   `json:"version,omitempty"`
	Clock        *Clock   `json:"clock,omitempty"`
	WatchLag     Duration `json:"watchLag,omitempty"`     // until its informers show what was written
	RestartAfter Duration `json:"restartAfter,omitempty"` // after it has crashed by itself
}

// Action is something that happens to the world at an instant: by script, or by a click in the page. Acts lists the acts with the
// fields that each takes.
type Action struct {
	At        Duration   `json:"at"`
	Act       string     `json:"act"`
	Target    string     `json:"target,omitempty"`    // a candidate's name, "holder" (the holder of the Lease at that instant), or "*"
	For       Duration   `json:"for,omitempty"`       // 0: until ended by another act
	Direction string     `json:"direction,omitempty"` // "both" (default), "up" (requests lost), "down" (answers lost)
	Mode      string     `json:"mode,omitempty"`      // cut: "drop" (default), "refuse", "hold" (delivered on heal, if the client still waits) "late" (delivered on heal in any case) or "connection" (drop, on connections that are there by then)
	Error     string     `json:"error,omitempty"`     // fail: http429 http500 http503 http504 conflict http504Applied dropRequest dropResponse refused hang stall
	Verb      string     `json:"verb,omitempty"`      // "" any, get, create, update, reads, writes
	Resource  string     `json:"resource,omitempty"`  // fail, latency: only requests about "leases", "leasecandidates" or "configmaps"; "": all
	Count     int        `json:"count,omitempty"`     // fail: the first n matching requests; 0: all
	Request   *Duration  `json:"request,omitempty"`   // latency
	Response  *Duration  `json:"response,omitempty"`  // latency
	Offset    *Duration  `json:"offset,omitempty"`    // clock; may be negative
	RatePpm   int64      `json:"ratePpm,omitempty"`   // clock; 0: unchanged
	Op        string     `json:"op,omitempty"`        // write: put patch delete touch
	Object    string     `json:"object,omitempty"`    // write: "lease" (default) or "configmap", that of the locks
	Spec      *LeaseSpec `json:"spec,omitempty"`      // write
	Clear     []string   `json:"clear,omitempty"`     // write: fields of spec removed
	RenewNow  bool       `json:"renewNow,omitempty"`  // write: renewTime = now by the server's clock
	Method    string     `json:"method,omitempty"`    // request: POST PUT PATCH DELETE
	Path      string     `json:"path,omitempty"`      // request: with its query, "/apis/coordination.k8s.io/v1/…"
	Headers   []string   `json:"headers,omitempty"`   // request: "Content-Type: application/merge-patch+json"
	Body      string     `json:"body,omitempty"`      // request
	Candidate *Candidate `json:"candidate,omitempty"` // add
	Elector   *Elector   `json:"elector,omitempty"`   // set
	Network   *Network   `json:"network,omitempty"`   // set
	// upgrade
	BinaryVersion    string `json:"binaryVersion,omitempty"`
	EmulationVersion string `json:"emulationVersion,omitempty"`

	Jump                 *Duration     `json:"jump,omitempty"`                 // clock: the wall clock is set on by this; may be negative
	RequestDistribution  *Distribution `json:"requestDistribution,omitempty"`  // latency
	ResponseDistribution *Distribution `json:"responseDistribution,omitempty"` // latency
	Every                Duration      `json:"every,omitempty"`                // latency, fail: again and again, each time for a length of for
	Server               *Server       `json:"server,omitempty"`               // server
	To                   *Duration     `json:"to,omitempty"`                   // rollback: the instant to return to, before at
}

// LeaseSpec is what an administrator writes; times are relative to the scenario's epoch ("-1h" is an hour before it).
type LeaseSpec struct {
	HolderIdentity       *string   `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32    `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *Duration `json:"acquireTime,omitempty"` // may be negative
	RenewTime            *Duration `json:"renewTime,omitempty"`   // may be negative
	LeaseTransitions     *int32    `json:"leaseTransitions,omitempty"`
	Strategy             *string   `json:"strategy,omitempty"`
	PreferredHolder      *string   `json:"preferredHolder,omitempty"`
}

// Expect is a clause that makes the scenario a test. A violation it names does not count; one that does not happen fails.
//
//	violation [measure nodes from until atLeast atMost]   a rule is broken: at least once, or so often, so long
//	leader [at]                                          who is active, at the end or at an instant
//	changes                                              how many leader changes there are
//	measure atLeast|atMost                               a figure of the whole run lies between
//	event [node from until atLeast atMost]               something happens: at least once, or so often
type Expect struct {
	Violation string    `json:"violation,omitempty"` // a checker's rule: "moreThanOneActive", "writeByNonHolder", …
	Leader    string    `json:"leader,omitempty"`    // who is active, "" not asked, "nobody"
	Changes   *int      `json:"changes,omitempty"`   // number of leader changes
	At        *Duration `json:"at,omitempty"`        // leader: then, and not at the end
	Measure   string    `json:"measure,omitempty"`   // of violation: count (default), longest, total; alone: a figure of the run
	Event     string    `json:"event,omitempty"`     // "startedLeading", "conflict", …
	Node      string    `json:"node,omitempty"`      // event: whose; "" anybody's
	Nodes     []string  `json:"nodes,omitempty"`     // violation: only one that concerns all of these
	From      *Duration `json:"from,omitempty"`      // violation, event: not before
	Until     *Duration `json:"until,omitempty"`     // violation, event: not after
	AtLeast   Amount    `json:"atLeast,omitempty"`
	AtMost    Amount    `json:"atMost,omitempty"`
}
