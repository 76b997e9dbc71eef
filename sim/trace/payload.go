package trace

import (
	"math"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/sim/network"
)

// Payload holds the fields of one kind of record. Each type below packs its fields into a Payload, and the Payload's
// method with that type's name unpacks them. A method for a different kind returns meaningless numbers. Three words
// are enough for every kind, so a record needs no allocation.
type Payload struct {
	a, b int64
	c    int32
}

func flag(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

// Exchange is the payload of RequestServed, RequestEnded and CandidateFailed. Only RequestEnded knows whether the API
// server served the request.
type Exchange struct {
	SentNs     int64
	ServedNs   int64              // -1 if the client gave up before the server served it
	RetryAfter network.RetryAfter // Retry-After of the answer
}

// Payload packs the fields.
func (e Exchange) Payload() Payload {
	return Payload{a: e.SentNs, b: e.ServedNs, c: int32(e.RetryAfter)}
}

// Exchange unpacks the instants of a request.
func (p *Payload) Exchange() Exchange { return Exchange{p.a, p.b, network.RetryAfter(p.c)} }

// Retry is the payload of RequestRetries and CandidateRetries.
type Retry struct {
	WaitNs     int64
	Number     int32 // number of the retry within the call, from 1
	RetryAfter bool  // the answer says how long to wait; otherwise the connection of a GET broke
}

// Payload packs the fields.
func (r Retry) Payload() Payload { return Payload{a: r.WaitNs, b: flag(r.RetryAfter), c: r.Number} }

// Retry unpacks how a call retries.
func (p *Payload) Retry() Retry { return Retry{p.a, p.c, p.b != 0} }

// UnknownDelay is the Jitter.DelayNs of a real program. Its attempt is over, but its draw is not visible.
const UnknownDelay = int64(-1)

// Jitter is the payload of JitterDrawn.
type Jitter struct {
	Draw    float64 // the random number, in [0, 1)
	DelayNs int64   // UnknownDelay for a real program
}

// Payload packs the fields.
func (j Jitter) Payload() Payload { return Payload{a: j.DelayNs, b: int64(math.Float64bits(j.Draw))} }

// Jitter unpacks a drawn delay.
func (p *Payload) Jitter() Jitter { return Jitter{math.Float64frombits(uint64(p.b)), p.a} }

// Limited is the payload of Throttled.
type Limited struct{ WaitNs int64 }

// Payload packs the fields.
func (l Limited) Payload() Payload { return Payload{a: l.WaitNs} }

// Limited unpacks how long a request waits for the rate limiter.
func (p *Payload) Limited() Limited { return Limited{p.a} }

// Requests is the payload of Burst.
type Requests struct {
	Count      int64
	LastWaitNs int64 // how long the last request waits for the rate limiter
}

// Payload packs the fields.
func (r Requests) Payload() Payload { return Payload{a: r.Count, b: r.LastWaitNs} }

// Requests unpacks the requests of a burst.
func (p *Payload) Requests() Requests { return Requests{p.a, p.b} }

// Process is the payload of Started and Restarted. Versions are numbers in version order; 0 if the node has none.
type Process struct {
	ServerVersion    int64 // version of an API server
	CandidateVersion int64 // the candidate's emulation version, or else its binary version
}

// Payload packs the fields.
func (s Process) Payload() Payload { return Payload{a: s.ServerVersion, b: s.CandidateVersion} }

// Process unpacks the versions of a process that starts.
func (p *Payload) Process() Process { return Process{p.a, p.b} }

// Term is the payload of StartedLeading.
type Term struct {
	CandidateVersion int64 // candidate's version, as in Process
	// MarginNs is leaseDuration − renewDeadline − retryPeriod in ns of true time. If every answer came at once, this
	// leader would stop this long before a successor may start.
	MarginNs int64
}

// Payload packs the fields.
func (t Term) Payload() Payload { return Payload{a: t.CandidateVersion, b: t.MarginNs} }

// Term unpacks what a leader starts with.
func (p *Payload) Term() Term { return Term{p.a, p.b} }

// UntilProcessEnds is the value of Work.LeftNs for work that goes on until the process ends.
const UntilProcessEnds = int64(-1)

// UntilReported is the value of Work.LeftNs for a real program. A WorkDone record marks the end of its work.
const UntilReported = int64(-2)

// Work is the payload of LeadingDone.
type Work struct {
	LeftNs int64 // how long the leader's work continues, or UntilProcessEnds, or UntilReported
}

// Payload packs the fields.
func (w Work) Payload() Payload { return Payload{a: w.LeftNs} }

// Work unpacks how long the work outlasts its context.
func (p *Payload) Work() Work { return Work{p.a} }

// Return is the payload of RunReturned.
type Return struct {
	RunsAgain bool // the process calls Run again on its own
}

// Payload packs the fields.
func (r Return) Payload() Payload { return Payload{b: flag(r.RunsAgain)} }

// Return unpacks what follows the return of Run.
func (p *Payload) Return() Return { return Return{p.b == 1} }

// Pause is the payload of Paused and Resumed.
type Pause struct {
	UntilNs int64 // Paused only: the end; 0 if open
	Kind    PauseKind
}

// Payload packs the fields.
func (s Pause) Payload() Payload { return Payload{a: s.UntilNs, b: int64(s.Kind)} }

// Pause unpacks the kind of a pause and its end.
func (p *Payload) Pause() Pause { return Pause{p.a, PauseKind(p.b)} }

// Crash is the payload of Crashed.
type Crash struct {
	ByWatchdog bool
	ByGrace    bool // SIGKILL ended it, because its grace period was over
}

// Payload packs the fields.
func (c Crash) Payload() Payload { return Payload{b: flag(c.ByWatchdog) | flag(c.ByGrace)<<1} }

// Crash unpacks what killed a process.
func (p *Payload) Crash() Crash { return Crash{p.b&1 == 1, p.b>>1 == 1} }

// FaultSpan is the payload of FailBegan, LatencyChanged and ResourceCutBegan. CutBegan has its fields, too, and also
// the other fields of Cut.
type FaultSpan struct {
	UntilNs int64              // end of the fault; 0 if open
	After   network.RetryAfter // FailBegan: Retry-After of the answers that the fault makes
	Chance  network.Chance     // FailBegan: probability that the fault affects a request
}

// Payload packs the fields.
func (f FaultSpan) Payload() Payload {
	return Payload{a: f.UntilNs, b: int64(f.Chance), c: int32(f.After)}
}

// FaultSpan unpacks how long a fault lasts.
func (p *Payload) FaultSpan() FaultSpan {
	return FaultSpan{p.a, network.RetryAfter(p.c), network.Chance(p.b)}
}

// Cut is the payload of CutBegan.
type Cut struct {
	UntilNs   int64 // end of the cut; 0 if open
	Direction network.Direction
	Refuse    bool // requests fail instead of vanishing
	Hold      network.HoldMode
	Chance    network.Chance // probability that the cut stops a message, without the last 16 bits
}

const (
	refuseBit  = 1 << 8
	chanceBits = -1 << 16
)

// Payload packs the fields.
func (c Cut) Payload() Payload {
	return Payload{a: c.UntilNs, b: int64(c.Direction) | flag(c.Refuse)*refuseBit | int64(c.Chance)&chanceBits,
		c: int32(c.Hold)}
}

// Cut unpacks what a cut does.
func (p *Payload) Cut() Cut {
	return Cut{p.a, network.Direction(p.b), p.b&refuseBit != 0, network.HoldMode(p.c), network.Chance(p.b & chanceBits)}
}

// Interception is the payload of Intercepted and Delivered.
type Interception struct {
	UntilNs int64 // end of the act; 0 if open
	Effect  network.Effect
	At      network.HeldAt // where the message is
	Sender  network.Sender // client of the node that sent the message
}

// Payload packs the fields.
func (i Interception) Payload() Payload {
	return Payload{a: i.UntilNs, b: int64(i.Sender)<<16 | int64(i.Effect)<<8 | int64(i.At)}
}

// Interception unpacks what an act does to a message.
func (p *Payload) Interception() Interception {
	return Interception{p.a, network.Effect(p.b >> 8), network.HeldAt(p.b), network.Sender(p.b >> 16)}
}

// Over is the payload of CutEnded, FailEnded, LatencyRestored and ResourceCutEnded.
type Over struct {
	AnotherLasts bool // another fault of the same kind still affects the same target
}

// Payload packs the fields.
func (o Over) Payload() Payload { return Payload{b: flag(o.AnotherLasts)} }

// Over unpacks what is still in effect after a fault has ended.
func (p *Payload) Over() Over { return Over{p.b == 1} }

// Clock is the payload of ClockChanged.
type Clock struct {
	OffsetNs int64
	RatePpm  int64
}

// Payload packs the fields.
func (c Clock) Payload() Payload { return Payload{a: c.OffsetNs, b: c.RatePpm} }

// Clock unpacks a node's new clock setting.
func (p *Payload) Clock() Clock { return Clock{p.a, p.b} }

// Write is the payload of Written and Asked.
type Write struct {
	Op     WriteOp
	Status int64 // the HTTP status of a request; 0 for the other operations
}

// Payload packs the fields.
func (w Write) Payload() Payload { return Payload{a: w.Status, c: int32(w.Op)} }

// Write unpacks an administrator's write.
func (p *Payload) Write() Write { return Write{WriteOp(p.c), p.a} }

// Candidacy is the payload of CandidateStored and CandidatePinged.
type Candidacy struct {
	PingTime   coordination.MicroTime
	RenewTime  coordination.MicroTime
	Controller int32 // CandidatePinged: node that ran the controller
}

// Acked reports whether the candidate has answered its latest ping.
func (c Candidacy) Acked() bool { return c.PingTime != 0 && c.RenewTime >= c.PingTime }

// Payload packs the fields.
func (c Candidacy) Payload() Payload {
	return Payload{a: int64(c.PingTime), b: int64(c.RenewTime), c: c.Controller}
}

// Candidacy unpacks the instants of a LeaseCandidate.
func (p *Payload) Candidacy() Candidacy {
	return Candidacy{coordination.MicroTime(p.a), coordination.MicroTime(p.b), p.c}
}

// Assignment is the payload of Coordinated.
type Assignment struct{ Controller int32 } // node that ran the controller

// Payload packs the fields.
func (a Assignment) Payload() Payload { return Payload{c: a.Controller} }

// Assignment unpacks who wrote the Lease.
func (p *Payload) Assignment() Assignment { return Assignment{p.c} }

// Decision is the payload of Decided.
type Decision struct {
	Number    int32 // number of the decision among the node's decisions
	Outcome   coordinator.Outcome
	RequeueNs int64 // time until the controller's next attempt; 0 if it plans none
}

// Payload packs the fields.
func (d Decision) Payload() Payload { return Payload{a: int64(d.Outcome), b: d.RequeueNs, c: d.Number} }

// Decision unpacks what a controller decided.
func (p *Payload) Decision() Decision { return Decision{p.c, coordinator.Outcome(p.a), p.b} }

// Capacity is the payload of CapacityChanged.
type Capacity struct {
	ServiceNs int64 // time that one request takes; 0 if none
	Queue     int64 // maximum number of waiting requests
}

// Payload packs the fields.
func (c Capacity) Payload() Payload { return Payload{a: c.ServiceNs, b: c.Queue} }

// Capacity unpacks the API server's new capacity.
func (p *Payload) Capacity() Capacity { return Capacity{p.a, p.b} }

// Restore is the payload of RolledBack.
type Restore struct{ ToNs int64 } // the store is back in the state of this instant

// Payload packs the fields.
func (r Restore) Payload() Payload { return Payload{a: r.ToNs} }

// Restore unpacks the instant to which the store went back.
func (p *Payload) Restore() Restore { return Restore{p.a} }

// Connection is the payload of Reconnected.
type Connection struct {
	Server  int32 // node of the API server, or NoCandidate if API servers are not nodes
	HeardNs int64 // when the last answer arrived on the old connection
}

// Payload packs the fields.
func (c Connection) Payload() Payload { return Payload{a: c.HeardNs, c: c.Server} }

// Connection unpacks which server a client connects to.
func (p *Payload) Connection() Connection { return Connection{p.c, p.a} }

// Readiness is the payload of NodeReady and NodeNotReady.
type Readiness struct {
	Monitor        int32 // the monitor's node
	HeartbeatAgeNs int64 // time since the monitor saw the last heartbeat
	Running        bool  // the node's process runs and is not paused
}

// Payload packs the fields.
func (r Readiness) Payload() Payload {
	return Payload{a: r.HeartbeatAgeNs, b: flag(r.Running), c: r.Monitor}
}

// Readiness unpacks a monitor's report.
func (p *Payload) Readiness() Readiness { return Readiness{p.c, p.a, p.b == 1} }

// Tokens is the payload of ResourceAccepted, ResourceRefused, ResourceLost, ResourceGivenUp and ResourceKept.
type Tokens struct {
	Sent    int64 // the writer's fencing token
	Highest int64 // highest token that the resource had seen
}

// Payload packs the fields.
func (t Tokens) Payload() Payload { return Payload{a: t.Sent, b: t.Highest} }

// Tokens unpacks the fencing tokens of a write to the resource.
func (p *Payload) Tokens() Tokens { return Tokens{p.a, p.b} }

// Health is the payload of Probed.
type Health struct {
	Healthy bool
	Leads   bool // the elector believes that it leads
}

// Payload packs the fields.
func (h Health) Payload() Payload { return Payload{a: flag(h.Healthy), b: flag(h.Leads)} }

// Health unpacks the answer of a health check.
func (p *Payload) Health() Health { return Health{p.a == 1, p.b == 1} }

// Skip is the payload of Skipped.
type Skip struct {
	Control int32 // number of the control's kind
	Left    int64 // rolling update: number of old pods
}

// Payload packs the fields.
func (s Skip) Payload() Payload { return Payload{a: s.Left, c: s.Control} }

// Skip unpacks which control had nothing to act on.
func (p *Payload) Skip() Skip { return Skip{p.c, p.a} }
