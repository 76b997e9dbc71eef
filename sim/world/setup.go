package world

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/fencing"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Setup is everything a run is a function of, in the simulator's own terms. It is not changed by a run.
type Setup struct {
	Symbols      *coordination.Symbols
	Seed         uint64
	Recorded     bool // jitter from the streams of the recorded traces
	DurationNs   int64
	Namespace    string
	LeaseNames   []string
	ConfigureAPI func(*apiserver.Config) // what the command adds and the page does not carry; nil: nothing
	Candidates   []Candidate
	Servers      []Server // API servers with controllers; none: one that answers at once
	Lists        bool     // LeaseCandidates are of v1alpha1: each has a list of strategies, and the older controller elects
	Terms        coordinator.Terms
	RenewEveryNs int64     // of LeaseCandidates; 0: upstream's
	PingSpaceNs  int64     // between the pings of one round
	Intended     bool      // a Lease without holderIdentity does not crash them
	Controls     []Control // by AtNs, then list order
	Latencies    []network.Latency
	Faults       []network.Fault
	Cuts         []network.Cut
	Resource     fencing.Settings
	Bounds       Bounds
	FreezePoints bool // pauses as in the recorded traces: a tick may be used up inside a pause
	Capacity     network.Capacity
	Heartbeats   *Heartbeats // nil: none
}

// Candidate is one process: its node, its elector and what it does beside it.
type Candidate struct {
	Name             string
	Identity         string
	Lease            int32
	StartNs          int64
	elector.Config                       // without its identity: a process may have one of its own
	RequestTimeoutNs int64               // 0: none
	Server           int32               // the API server it talks to
	BinaryVersion    coordination.Symbol // of its LeaseCandidate; 0: it has none
	EmulationVersion coordination.Symbol
	Strategy         coordination.Symbol
	PingAckNs        int64
	RequestNs        int64 // latency to the server
	ResponseNs       int64 // and back
	OffsetNs         int64
	RatePpm          int64
	Process          process.Settings
	Client           Client
	Draws            []float64
	// World-time lengths of the elector's timers where they are not simply scaled by the clock rate; 0: scaled.
	RetryPeriodTimerNs   int64
	RenewDeadlineTimerNs int64

	Lock        elector.Lock
	ExpiryPpm   int64 // dialect ttlLock: of the published duration
	LockDelayNs int64

	RequestDraw, ResponseDraw *network.Distribution // instead of RequestNs and ResponseNs; nil: those
	DeadPeerNs                int64                 // 0: it keeps its connection for ever
	ReadLagNs                 int64
}

// Client configures the rate limiter of a candidate's client, and what the leader's work sends through it.
type Client struct {
	TokenNs        int64 // one token every so often, 0: no limiter
	Burst          int64
	OwnLeaseClient bool  // the elector's requests do not share the limiter with the work's
	WorkEveryNs    int64 // the work sends a request every so often, 0: none
}

// Change changes settings of a candidate and leaves the others as they are. It is not changed by a run.
type Change interface {
	SetElector(*Candidate) // what the elector reads at its next start
	SetNetwork(*Candidate) // what holds at once
}

// Everybody and Holder are targets of a Control besides a candidate's index.
const (
	Everybody = network.Everybody
	Holder    = int32(-2)
)

// ControlKind says what a Control does.
type ControlKind uint8

const (
	DoStart ControlKind = iota
	DoRestart
	DoPause
	DoResume
	DoCrash
	DoStop
	DoCut
	DoHeal
	DoFail
	DoRecover
	DoLatency
	DoClock
	DoWrite
	DoJoin
	DoRemove
	DoSet
	DoProbe
	DoOver // what an act began for a length of time is over
	DoRequest
	DoUpgrade
	DoSuspend
	DoHang
	DoBurst
	DoCapacity
	DoRollback
	DoCutResource
	DoHealResource
)

// Control is something done to the world from outside at an instant.
type Control struct {
	AtNs        int64
	Kind        ControlKind
	Target      int32               // candidate index, Everybody or Holder
	TargetName  coordination.Symbol // if not empty: the candidate of that name, looked up when it happens
	UntilNs     int64               // end of what has a length; 0: open
	Auto        bool                // DoResume: ends the pauses with the same Source that still last; DoRestart: restarts what has crashed
	Cut         network.Cut
	Fault       network.Fault
	Latency     network.Latency
	OffsetNs    int64 // DoClock
	SetOffset   bool
	RatePpm     int64 // DoClock; 0: unchanged
	Write       Write
	Binary      coordination.Symbol // DoUpgrade
	Emulation   coordination.Symbol
	Request     *apiserver.Request // DoRequest; not changed by a run
	Candidate   *Candidate         // DoJoin; not changed by a run
	Change      Change             // DoSet
	ToleranceNs int64              // DoProbe
	Source      int32              // number of the scenario's action it came from, -1 if none
	JumpNs      int64              // DoClock: the wall clock is set on by this
	Count       int64              // DoBurst
	Capacity    network.Capacity   // DoCapacity
	ToNs        int64              // DoRollback
}

// Write is an administrator's write: unconditional and at once. Spec.Present says what a Patch sets.
type Write struct {
	Op       trace.WriteOp
	Lease    int32 // or Setup.configMap
	Spec     coordination.Record
	Clear    coordination.Fields
	RenewNow bool
	Always   bool // a new version even when nothing changes, as the recorded writes made
}

// Bounds are what a run must keep; 0: no bound.
type Bounds struct {
	LeaderlessNs      int64
	RecoveryNs        int64
	RequestsPerSecond int64
}
