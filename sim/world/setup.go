package world

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
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
	Latencies    []Latency
	Faults       []Fault
	Cuts         []Cut
	Resource     Resource
	Bounds       Bounds
	FreezePoints bool // pauses as in the recorded traces: a tick may be used up inside a pause
	Capacity     Capacity
	Heartbeats   *Heartbeats // nil: none
}

// RestartPolicy says what a process does when Run returns.
type RestartPolicy uint8

const (
	Exit RestartPolicy = iota
	NewElector
	SameElector
)

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
	Restart          RestartPolicy
	RestartAfterNs   int64
	WorkTailNs       int64
	Draws            []float64
	// World-time lengths of the elector's timers where they are not simply scaled by the clock rate; 0: scaled.
	RetryPeriodTimerNs   int64
	RenewDeadlineTimerNs int64
	Conduct              Conduct

	RequestDraw, ResponseDraw *Distribution // instead of RequestNs and ResponseNs; nil: those
	DeadPeerNs                int64         // 0: it keeps its connection for ever
	ReadLagNs                 int64
	varied                    bool // one of these four is there
}

// Change changes settings of a candidate and leaves the others as they are. It is not changed by a run.
type Change interface {
	SetElector(*Candidate) // what the elector reads at its next start
	SetNetwork(*Candidate) // what holds at once
}

// Everybody and Holder are targets of a Control besides a candidate's index.
const (
	Everybody = int32(-1)
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
	DoMend
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
	Cut         Cut
	Fault       Fault
	Latency     Latency
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
	Capacity    Capacity           // DoCapacity
	ToNs        int64              // DoRollback
}

// Write is an administrator's write: unconditional and at once. Spec.Present says what a Patch sets.
type Write struct {
	Op       WriteOp
	Lease    int32 // or Setup.configMap
	Spec     coordination.Record
	Clear    coordination.Fields
	RenewNow bool
	Always   bool // a new version even when nothing changes, as the recorded writes made
}

// Cut is a partition between candidates and the API server during [FromNs, UntilNs). A message is lost when the cut is
// active at its send or at its arrival instant.
type Cut struct {
	Candidate int32 // or Everybody
	FromNs    int64
	UntilNs   int64 // 0: open
	Direction Direction
	Refuse    bool // requests fail after the request latency instead of vanishing
	Control   int32
	Hold      HoldMode
	OldOnly   bool // only connections that are older than the cut
}

// stops reports whether the cut is active for a candidate's messages of a direction.
func (c *Cut) stops(w *World, candidate int32, now int64, direction Direction) bool {
	return within(now, c.FromNs, c.UntilNs) && (c.Direction == BothWays || c.Direction == direction) &&
		(concerns(c.Candidate, candidate) || w.serves(c.Candidate, candidate)) && (!c.OldOnly || w.nodes[candidate].connectedNs < c.FromNs)
}

// AnyVerb matches every verb.
const AnyVerb = elector.Verb(255)

// Fault changes the fate of requests sent during [FromNs, UntilNs).
type Fault struct {
	Candidate int32 // or Everybody
	FromNs    int64
	UntilNs   int64 // 0: open
	Verb      elector.Verb
	Nth       int32 // 0: any; else that candidate's request number
	Count     int32 // 0: every matching request; else the first so many
	Kind      FaultKind
	used      int32
	Control   int32
	EveryNs   int64 // if not 0: it lasts for ForNs each time this has passed since FromNs
	ForNs     int64
}

// Latency replaces a candidate's latencies for requests sent during [FromNs, UntilNs); the first match wins.
type Latency struct {
	Candidate  int32 // or Everybody
	FromNs     int64
	UntilNs    int64 // 0: open
	Verb       elector.Verb
	Nth        int32
	RequestNs  int64 // -1: unchanged
	ResponseNs int64
	Control    int32

	RequestDraw, ResponseDraw *Distribution // instead of the constants; nil: those
	EveryNs                   int64         // if not 0: it lasts for ForNs each time this has passed since FromNs
	ForNs                     int64
}

// recurs reports whether something that comes again and again is on.
func recurs(now, fromNs, everyNs, forNs int64) bool {
	return everyNs == 0 || (now-fromNs)%everyNs < forNs
}

func within(now, fromNs, untilNs int64) bool { return fromNs <= now && (untilNs == 0 || now < untilNs) }

func concerns(target, candidate int32) bool { return target == Everybody || target == candidate }
