package network

import "slices"

// Everybody is the client of a rule for all clients.
const Everybody = int32(-1)

// Verb is the verb of a request.
type Verb uint8

const (
	Get Verb = iota // get and list
	Create
	Update
	Delete

	AnyWrite = Verb(253) // every verb but Get; only in a rule
	AnyRead  = Verb(254) // Get; only in a rule
	AnyVerb  = Verb(255) // every verb; only in a rule
)

var verbNames = [...]string{"get", "create", "update", "delete"}

// String returns the verb as Kubernetes writes it, or the word that rules use.
func (v Verb) String() string {
	switch v {
	case AnyVerb:
		return "any"
	case AnyRead:
		return "reads"
	case AnyWrite:
		return "writes"
	}
	return verbNames[v]
}

// Matches reports whether a rule for v applies to a request with that verb.
func (v Verb) Matches(verb Verb) bool {
	switch v {
	case AnyVerb:
		return true
	case AnyRead:
		return verb == Get
	case AnyWrite:
		return verb != Get
	}
	return v == verb
}

// Resource is the resource of a request. The caller numbers the resources.
type Resource uint8

// AnyResource is the resource of a rule for every request.
const AnyResource = Resource(0)

// `matches` reports whether a rule with a verb and a resource applies to a request.
func (q *Request) matches(verb Verb, resource Resource) bool {
	return verb.Matches(q.Verb) && (resource == AnyResource || resource == q.Resource)
}

// Direction is the direction of a cut.
type Direction uint8

const (
	BothWays Direction = iota
	Up                 // the cut loses requests
	Down               // the cut loses answers and watch events
)

// HoldMode says what a cut does with the messages that it stops.
type HoldMode uint8

const (
	Drop       HoldMode = iota // the cut loses them
	Hold                       // the cut delivers them when it ends, if the client still waits
	HoldForAll                 // the cut delivers them when it ends, even if the client no longer waits
)

// Effect is what an act does to one message under way.
type Effect uint8

const (
	LoseMessage       Effect = iota
	HoldMessage              // the act holds the message, and may deliver it only while the client still waits
	HoldMessageForAll        // the act holds the message, and may deliver it even if the client no longer waits
	LoseAnswer               // the request goes on, but its answer gets lost
)

// Cut is a partition between clients and their server during [FromNs, UntilNs). A message gets lost if the cut is
// active at the instant when the client sends it or when it arrives.
type Cut struct {
	Client    int32 // a client, Everybody, or a server's endpoint for all clients connected to it
	Source    int32 // what began the rule: see End
	FromNs    int64
	UntilNs   int64 // 0 if the rule has no end yet
	Direction Direction
	Hold      HoldMode
	Refuse    bool // requests fail after the request latency instead of vanishing
	OldOnly   bool // the cut stops only connections that are older than the cut
	Draws          // selects the messages that the cut stops
}

// FaultKind says what a fault does with a request.
type FaultKind uint8

const (
	NoFault FaultKind = iota
	Http429
	Http500
	Http503
	Http504
	HttpConflict
	Http504Applied // the server stores the write but returns the error
	DropRequest
	DropResponse
	RefuseConnection
	Hang            // the request waits at the server, which finally answers 504 and stores nothing
	Stall           // the request waits at the server, which serves it when the fault ends
	ResetConnection // the connection resets before an answer; nothing is stored
	CloseConnection // the server closes the connection before an answer (EOF); nothing is stored
	BrokenBody      // the server carries out the request and sends half a body, whatever it answers
	EmptyBody       // the server carries out the request and sends no body if it answers 200 or 201
	Http401
	Http403
	Http502
)

// Stores reports whether the server carries out a request with that fault.
func (k FaultKind) Stores() bool {
	switch k {
	case NoFault, DropResponse, Http504Applied, BrokenBody, EmptyBody:
		return true
	}
	return false
}

// RetryAfter is the Retry-After header of an answer: 0 without the header, otherwise its seconds plus 1.
type RetryAfter uint16

// MaxRetryAfterSeconds is the longest Retry-After.
const MaxRetryAfterSeconds = 1<<16 - 2

// After returns a Retry-After of that many seconds.
func After(seconds int64) RetryAfter { return RetryAfter(seconds + 1) }

// Seconds returns the header's value, or -1 without it.
func (r RetryAfter) Seconds() int32 { return int32(r) - 1 }

// SheddingRetryAfter is what a kube-apiserver sends with the 429 of a request that it sheds. Source: apiserver
// v0.36.2 pkg/server/filters/maxinflight.go retryAfter.
//
// Deviation: with priority and fairness the real server starts with 1 s and doubles it, up to 32 s, while it sheds
// more requests (dropped_requests_tracker.go). TestSheddingSendsRetryAfter pins this.
const SheddingRetryAfter = RetryAfter(2)

// `keeps` reports whether the fault keeps a request at the server.
func (k FaultKind) keeps() bool { return k == Hang || k == Stall }

// Fault changes the fate of requests sent during [FromNs, UntilNs).
type Fault struct {
	Client   int32 // a client, or Everybody
	Source   int32 // what began the rule: see End
	FromNs   int64
	UntilNs  int64 // 0 if the rule has no end yet
	Nth      int32 // Seq of the request; 0 for any
	Count    int32 // number of requests that the fault affects; 0 for every matching request
	used     int32
	Verb     Verb
	Resource Resource
	Kind     FaultKind
	After    RetryAfter // Retry-After of an answer that the fault makes
	EveryNs  int64      // if not 0, the rule is on for ForNs in every EveryNs since FromNs
	ForNs    int64
	Draws    // selects the requests that the fault affects; Count counts them
}

// Latency replaces a client's latencies for requests sent during [FromNs, UntilNs); the first match wins.
type Latency struct {
	Client     int32 // a client, or Everybody
	Source     int32 // what began the rule: see End
	FromNs     int64
	UntilNs    int64 // 0 if the rule has no end yet
	Nth        int32 // Seq of the request; 0 for any
	Verb       Verb
	Resource   Resource
	RequestNs  int64 // -1 to leave the latency unchanged
	ResponseNs int64 // -1 to leave the latency unchanged

	RequestDraw, ResponseDraw *Distribution // replace RequestNs and ResponseNs unless nil
	EveryNs                   int64         // if not 0, the rule is on for ForNs in every EveryNs since FromNs
	ForNs                     int64
}

// Rules holds everything between clients and servers at one instant. The zero value delivers every message after its
// latency.
type Rules struct {
	seed      uint64 // seed of chances, and of draws that all requests in a window share
	cuts      []Cut
	faults    []Fault
	latencies []Latency
	queues    []queue // indexed by server
	capacity  Capacity
	leaderNs  int64 // when a leader last started
	led       bool  // whether a leader has started
	mayKeep   bool  // whether a server may keep requests in a queue
}

// Scripted holds the rules that a run begins with.
type Scripted struct {
	Cuts      []Cut
	Faults    []Fault
	Latencies []Latency
}

// New returns the rules for some number of servers. The rules take ownership of the slices.
func New(seed uint64, servers int, capacity Capacity, s Scripted) Rules {
	faults := s.Faults
	r := Rules{seed: seed, queues: make([]queue, servers), cuts: s.Cuts, faults: faults, latencies: s.Latencies}
	r.SetCapacity(capacity)
	for i := range faults {
		r.mayKeep = r.mayKeep || faults[i].Kind.keeps()
	}
	return r
}

// Clear reports whether no rule can touch a message: every message takes its latencies and passes every gate.
func (r *Rules) Clear() bool {
	return len(r.cuts) == 0 && len(r.faults) == 0 && len(r.latencies) == 0 && !r.mayKeep
}

// Clone returns an independent copy.
func (r *Rules) Clone() (c Rules) {
	r.CopyTo(&c)
	return c
}

// Reseed replaces the seed of chances and of the draws that all requests in a window share.
func (r *Rules) Reseed(seed uint64) { r.seed = seed }

// `stops` reports whether the cut stops messages of a link in a direction.
func (c *Cut) stops(now int64, l *Link, direction Direction) bool {
	return isWithin(now, c.FromNs, c.UntilNs) && (c.Direction == BothWays || c.Direction == direction) &&
		(c.Client == Everybody || c.Client == l.Client || c.Client == l.Server) &&
		(!c.OldOnly || l.OpenedNs < c.FromNs) && !l.Loopback
}

// `recurs` reports whether a recurring rule is on now.
func recurs(now, fromNs, everyNs, forNs int64) bool {
	return everyNs == 0 || (now-fromNs)%everyNs < forNs
}

// isWithin reports whether now lies in [fromNs, untilNs). With untilNs 0 the interval has no end.
func isWithin(now, fromNs, untilNs int64) bool {
	return fromNs <= now && (untilNs == 0 || now < untilNs)
}

func concerns(rule, client int32) bool { return rule == Everybody || rule == client }

// BeginCut adds a cut.
func (r *Rules) BeginCut(c Cut) {
	c.Draws.ownStream(len(r.cuts), func(i int) *Draws { return &r.cuts[i].Draws })
	r.cuts = append(r.cuts, c)
}

// BeginFault adds a fault; the oldest match wins.
func (r *Rules) BeginFault(f Fault) {
	f.used = 0
	f.Draws.ownStream(len(r.faults), func(i int) *Draws { return &r.faults[i].Draws })
	r.mayKeep = r.mayKeep || f.Kind.keeps()
	r.faults = append(r.faults, f)
}

// BeginLatency adds a latency; the newest match wins.
func (r *Rules) BeginLatency(l Latency) { r.latencies = append([]Latency{l}, r.latencies...) }

// SetCapacity changes how the servers cope with load.
func (r *Rules) SetCapacity(c Capacity) {
	r.capacity = c
	r.mayKeep = r.mayKeep || c.isLimited()
}

// LeaderStarted tells the servers that a leader starts now. The time of Capacity.NewLeaderNs starts here.
func (r *Rules) LeaderStarted(now int64) { r.leaderNs, r.led = now, true }

// EndCuts ends the cuts of a client, or all of them for Everybody.
func (r *Rules) EndCuts(now int64, client int32) {
	r.cuts = slices.DeleteFunc(r.cuts, func(c Cut) bool {
		return concerns(client, c.Client) && isWithin(now, c.FromNs, c.UntilNs) || isOver(now, c.UntilNs)
	})
}

// EndFaults ends the faults of a client, or all of them for Everybody.
func (r *Rules) EndFaults(now int64, client int32) {
	r.faults = slices.DeleteFunc(r.faults, func(f Fault) bool {
		return concerns(client, f.Client) && isWithin(now, f.FromNs, f.UntilNs) || isOver(now, f.UntilNs)
	})
}

func isOver(now, untilNs int64) bool { return untilNs != 0 && untilNs <= now }

// Ended says which rules End has removed: their kind and their client.
type Ended struct {
	Kind   RuleKind
	Client int32 // a client, or Everybody
}

// RuleKind is a kind of rule.
type RuleKind uint8

const (
	NoRule RuleKind = iota
	CutRule
	FaultRule
	LatencyRule
)

// End removes the rules that one source began. The kind is NoRule if the source had begun none.
func (r *Rules) End(source int32) Ended {
	var ended Ended
	note := func(same bool, kind RuleKind, client int32) bool {
		if same {
			ended = Ended{kind, client}
		}
		return same
	}
	r.cuts = slices.DeleteFunc(r.cuts, func(c Cut) bool { return note(c.Source == source, CutRule, c.Client) })
	r.faults = slices.DeleteFunc(r.faults, func(f Fault) bool { return note(f.Source == source, FaultRule, f.Client) })
	r.latencies = slices.DeleteFunc(r.latencies, func(l Latency) bool {
		return note(l.Source == source, LatencyRule, l.Client)
	})
	return ended
}

// Lasts reports whether another rule of that kind still affects the client.
func (r *Rules) Lasts(now int64, e Ended) bool {
	switch e.Kind {
	case CutRule:
		for i := range r.cuts {
			if c := &r.cuts[i]; concerns(c.Client, e.Client) && isWithin(now, c.FromNs, c.UntilNs) {
				return true
			}
		}
	case FaultRule:
		for i := range r.faults {
			if f := &r.faults[i]; concerns(f.Client, e.Client) && isWithin(now, f.FromNs, f.UntilNs) {
				return true
			}
		}
	case LatencyRule:
		for i := range r.latencies {
			if l := &r.latencies[i]; concerns(l.Client, e.Client) && isWithin(now, l.FromNs, l.UntilNs) {
				return true
			}
		}
	}
	return false
}

// LatencyBegunBy returns the latency that one source began for a client; ok is false once it has ended.
func (r *Rules) LatencyBegunBy(source, client int32) (l Latency, ok bool) {
	for i := range r.latencies {
		if l := r.latencies[i]; l.Source == source && l.Client == client {
			return l, true
		}
	}
	return Latency{}, false
}

// CutOff reports in which directions cuts of a client, or of Everybody, stop messages now.
func (r *Rules) CutOff(now int64, client int32) (up, down bool) {
	for i := range r.cuts {
		c := &r.cuts[i]
		if concerns(c.Client, client) && isWithin(now, c.FromNs, c.UntilNs) {
			up = up || c.Direction != Down
			down = down || c.Direction != Up
		}
	}
	return up, down
}
