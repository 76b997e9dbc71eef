package world

import (
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

// Setup is everything that a run is a function of, in the simulator's own terms. A run does not change it.
type Setup struct {
	Symbols      *coordination.Symbols
	Seed         uint64
	Recorded     bool // jitter from the streams of the recorded traces
	DurationNs   int64
	Namespace    string
	LeaseNames   []string
	Administered bool                    // clients that are no candidates write, too: see Mirror.Handles
	ConfigureAPI func(*apiserver.Config) // adds what the command has and the page has not; nil: nothing
	Candidates   []Candidate
	Servers      []Server // API servers with controllers; none: one API server that answers at once
	// LeaseCandidates are v1alpha1: they have a list of strategies, and the older controller elects
	Lists        bool
	Terms        coordinator.Terms
	RenewEveryNs int64     // of LeaseCandidates; 0: upstream's
	PingSpaceNs  int64     // between the pings of one round
	Intended     bool      // a Lease without holderIdentity does not crash the controllers
	Controls     []Control // by AtNs, then list order
	Latencies    []network.Latency
	Faults       []network.Fault
	Cuts         []network.Cut
	Resource     fencing.Settings
	Bounds       Bounds
	Jitter       func(candidate int32, nowNs int64) float64 // the draws of every elector; nil: the streams of the nodes
	// pauses as in the recorded traces: a tick that falls due in a pause is used up
	FreezePoints bool
	Capacity     network.Capacity
	Heartbeats   *Heartbeats // nil: none
}

// Candidate configures one node: its process, its elector and what runs beside it. The fields that every request reads
// come first: with 10,000 candidates each line of the cache that a request reads less counts.
type Candidate struct {
	RequestTimeoutNs          int64                 // 0: none
	RequestNs                 int64                 // latency to the server
	ResponseNs                int64                 // and back
	RequestDraw, ResponseDraw *network.Distribution // instead of RequestNs and ResponseNs; nil: those
	DeadPeerNs                int64                 // 0: it never gives its connection up
	ReadLagNs                 int64
	Draws                     []float64

	Name             string
	Identity         string
	Lease            int32
	StartNs          int64
	elector.Config                       // without Identity: every process may have its own
	Server           int32               // the number of its API server
	BinaryVersion    coordination.Symbol // of its LeaseCandidate; 0: it has none
	EmulationVersion coordination.Symbol
	Strategy         coordination.Symbol
	PingAckNs        int64
	OffsetNs         int64
	RatePpm          int64
	Process          process.Settings
	Client           Client
	// World-time lengths of the elector's timers; 0: as the clock rate scales them.
	RetryPeriodTimerNs   int64
	RenewDeadlineTimerNs int64

	Program     bool // a real program runs in place of the elector: see World.Attach
	Lock        elector.Lock
	ExpiryPpm   int64 // dialect ttlLock: share of leaseDurationSeconds after which the lock is free
	LockDelayNs int64
	Stream      string // the name that its draws follow from; "": Name
}

// asksLike reports whether two candidates are alike in what every request reads.
func (c *Candidate) asksLike(o *Candidate) bool {
	return c.RequestTimeoutNs == o.RequestTimeoutNs && c.RequestNs == o.RequestNs && c.ResponseNs == o.ResponseNs &&
		c.RequestDraw == o.RequestDraw && c.ResponseDraw == o.ResponseDraw && c.DeadPeerNs == o.DeadPeerNs &&
		c.ReadLagNs == o.ReadLagNs &&
		len(c.Draws)+len(o.Draws) == 0
}

// stream is a stream of one concern of the node.
func (c *Candidate) stream(s *Setup, concern string) random.Stream {
	name := c.Stream
	if name == "" {
		name = c.Name
	}
	return random.Named(s.Seed, concern, name)
}

// Client configures the rate limiter of a candidate's client, and the requests of the leader's work.
type Client struct {
	PerSecond      float32 // rest.Config's QPS; 0: no limiter
	Burst          int64
	OwnLeaseClient bool  // the elector has a limiter apart from the work's
	WorkEveryNs    int64 // between requests of the work; 0: it sends none
}

// Change changes some settings of a candidate. A run does not change it.
type Change interface {
	SetElector(*Candidate) // those that the elector reads at its next start
	SetNetwork(*Candidate) // those that take effect at once
}

// Everybody and Holder are targets of a Control beside the number of a node.
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
	DoOver // the length of an act is over
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
)

// Control is an act: something done to the world at an instant.
type Control struct {
	AtNs       int64
	Kind       ControlKind
	Target     int32               // number of a node, Everybody or Holder
	TargetName coordination.Symbol // if not empty: the newest node of that name when the act is applied
	UntilNs    int64               // end of an act that has a length; 0: open
	// it ends what an act with the same Source began: DoResume pauses, DoRestart crashes (Source -1: all), DoStop the
	// processes of TargetName that have not stopped
	Auto        bool
	Cut         *network.Cut     // DoCut; like all pointers here a run does not change what it points at
	Fault       *network.Fault   // DoFail
	Latency     *network.Latency // DoLatency
	OffsetNs    int64            // DoClock
	SetOffset   bool
	RatePpm     int64               // DoClock; 0: unchanged
	Write       *Write              // DoWrite
	Binary      coordination.Symbol // DoUpgrade
	Emulation   coordination.Symbol
	Request     *apiserver.Request // DoRequest
	Candidate   *Candidate         // DoJoin
	Change      Change             // DoSet
	ToleranceNs int64              // DoProbe
	Source      int32              // number of its action in the scenario, -1: none
	JumpNs      int64              // DoClock: added to the wall clock
	Count       int64              // DoBurst
	Capacity    *network.Capacity  // DoCapacity
	ToNs        int64              // DoRollback
	Effect      network.Effect     // DoIntercept
	// DoIntercept, DoDeliver: whose message; a kubelet's stands for network.Elector, which it has not
	Sender network.Sender
	Nth    int32 // DoIntercept, DoDeliver: only the request with that number; 0: any
}

// Write is an administrator's write: unconditional and at once. Spec.Present says what a Patch sets.
type Write struct {
	Op       trace.WriteOp
	Lease    int32 // or Setup.ConfigMap
	Spec     coordination.Record
	Clear    coordination.Fields
	RenewNow bool
	Always   bool // a new version even if nothing changes, as in the recorded writes
}

// Bounds are the bounds that checkers hold a run to; 0: no bound.
type Bounds struct {
	LeaderlessNs      int64
	RecoveryNs        int64
	RequestsPerSecond int64
}
