package world

import (
	"cmp"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/fencing"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Setup is everything that determines a run, in the simulator's own terms. A run does not change it.
type Setup struct {
	Symbols      *coordination.Symbols
	Seed         uint64
	Recorded     bool // draws jitter from the streams of the recorded traces
	DurationNs   int64
	Namespace    string
	LeaseNames   []string
	Administered bool                    // clients other than candidates also write: see Mirror.Handles
	ConfigureAPI func(*apiserver.Config) // adds what the command has and the page does not; may be nil
	Candidates   []Candidate
	Servers      []Server // API servers with controllers; if empty, one API server without controllers answers at once
	// LeaseCandidates are v1alpha1: they list several strategies, and the older controller elects
	Lists        bool
	Terms        coordinator.Terms
	RenewEveryNs int64     // interval of LeaseCandidates; 0 for the upstream default
	PingSpaceNs  int64     // delay between the pings of one round
	Intended     bool      // a Lease without holderIdentity does not crash the controllers
	Flaps        bool      // chance decides among equal candidates
	Controls     []Control // sorted by AtNs, then by list order
	Latencies    []network.Latency
	Faults       []network.Fault
	Cuts         []network.Cut
	Resource     fencing.Settings
	Bounds       Bounds
	Jitter       func(candidate int32, nowNs int64) float64 // draws for every elector; nil for the streams of the nodes
	// pauses work as in the recorded traces, where a tick that falls due during a pause gets lost
	FreezePoints bool
	Capacity     network.Capacity
	Heartbeats   *Heartbeats // nil if none
}

// Candidate configures one node: its process, its elector and what runs beside it. The fields that every request reads
// come first. With 10,000 candidates, every cache line that a request does not have to read saves time.
type Candidate struct {
	RequestTimeoutNs          int64                 // 0 if none
	RequestNs                 int64                 // latency to the server
	ResponseNs                int64                 // latency of the answer
	RequestDraw, ResponseDraw *network.Distribution // replace RequestNs and ResponseNs unless nil
	DeadPeerNs                int64                 // 0 if the client never gives up its connection
	ReadLagNs                 int64
	Draws                     []float64

	Name             string
	Identity         string
	Lease            int32
	StartNs          int64
	elector.Config                       // settings without Identity, because every process may have its own
	Server           int32               // index of its API server
	BinaryVersion    coordination.Symbol // binaryVersion of its LeaseCandidate; 0 if it has none
	EmulationVersion coordination.Symbol
	Strategy         coordination.Symbol
	PingAckNs        int64
	OffsetNs         int64
	RatePpm          int64
	Process          process.Settings
	Client           Client
	// Durations of the elector's timers in world time. 0 means that the clock rate determines them.
	RetryPeriodTimerNs   int64
	RenewDeadlineTimerNs int64

	Program     bool // a real program runs in place of the elector: see World.Attach
	Lock        elector.Lock
	ExpiryPpm   int64 // dialect ttlLock: share of leaseDurationSeconds after which the lock is free
	LockDelayNs int64
	Stream      string // name that seeds its draws; "" for Name
}

// asksLike reports whether two candidates agree in all settings that a request reads.
func (c *Candidate) asksLike(o *Candidate) bool {
	return c.RequestTimeoutNs == o.RequestTimeoutNs && c.RequestNs == o.RequestNs && c.ResponseNs == o.ResponseNs &&
		c.RequestDraw == o.RequestDraw && c.ResponseDraw == o.ResponseDraw && c.DeadPeerNs == o.DeadPeerNs &&
		c.ReadLagNs == o.ReadLagNs &&
		len(c.Draws)+len(o.Draws) == 0
}

// stream returns the node's random stream for one concern.
func (c *Candidate) stream(s *Setup, concern string) random.Stream {
	name := cmp.Or(c.Stream, c.Name)
	return random.NamedStream(s.Seed, concern, name)
}

// Client configures the rate limiter of a candidate's client, and the requests of the leader's work.
type Client struct {
	PerSecond      float32 // QPS of rest.Config; 0 for no limiter
	Burst          int64
	OwnLeaseClient bool  // the elector's rate limiter is separate from the work's
	WorkEveryNs    int64 // time between requests of the work; 0 if it sends none
}

// Change changes some settings of a candidate. A run does not change it.
type Change interface {
	SetElector(*Candidate) // sets what the elector reads at its next start
	SetNetwork(*Candidate) // sets what takes effect at once
}

// Everybody and Holder are targets of a Control in addition to node numbers.
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
	DoOver // the act has reached its end
	DoRequest
	DoUpgrade
	DoSuspend
	DoHang
	DoBurst
	DoCapacity
	DoRollback
	DoCutResource
	DoHealResource
	DoIntercept
	DoDeliver
	DoRollout
)

// Control is an act: something that happens to the world at an instant, from outside.
type Control struct {
	AtNs       int64
	Kind       ControlKind
	Target     int32               // number of a node, Everybody or Holder
	TargetName coordination.Symbol // if set, the target is the newest node of that name when the act applies
	UntilNs    int64               // end of an act that has a duration; 0 if open
	// the control ends what an act with the same Source began: DoResume ends its pauses, DoRestart its crashes (all
	// crashes if Source is -1), and DoStop the processes of TargetName that still run
	Auto        bool
	Cut         *network.Cut     // DoCut; a run never changes what the pointers in a Control point at
	Fault       *network.Fault   // DoFail
	Latency     *network.Latency // DoLatency
	OffsetNs    int64            // DoClock
	SetOffset   bool
	RatePpm     int64               // DoClock; 0 to leave the rate unchanged
	Write       *Write              // DoWrite
	Binary      coordination.Symbol // DoUpgrade
	Emulation   coordination.Symbol
	Request     *apiserver.Request // DoRequest
	Candidate   *Candidate         // DoJoin
	Change      Change             // DoSet
	ToleranceNs int64              // DoProbe
	Source      int32              // index of the act in the scenario, or -1
	JumpNs      int64              // DoClock: added to the wall clock
	Count       int64              // DoBurst
	Capacity    *network.Capacity  // DoCapacity
	ToNs        int64              // DoRollback
	Effect      network.Effect     // DoIntercept
	// DoIntercept, DoDeliver: the sender of the message; for a kubelet, which has no elector, network.Elector means
	// the kubelet itself
	Sender  network.Sender
	Nth     int32    // DoIntercept, DoDeliver: number of the request; 0 for any
	Rollout *Rollout // DoRollout
}

// Write is an administrator's write. It is unconditional and immediate. Spec.Present says what a Patch sets.
type Write struct {
	Op       trace.WriteOp
	Lease    int32 // index of a Lease, or Setup.ConfigMap
	Spec     coordination.Record
	Clear    coordination.Fields
	RenewNow bool
	Always   bool // the write creates a new version even if nothing changes, as in the recorded writes
}

// Bounds are the limits that checkers apply to a run; 0 means no limit.
type Bounds struct {
	LeaderlessNs      int64
	RecoveryNs        int64
	RequestsPerSecond int64
}
