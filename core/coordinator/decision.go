package coordinator

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// Decision describes one reconcile: which candidates it considered, who would win and why, what it waited for and
// what it wrote.
type Decision struct {
	Key        Key
	BeginNs    int64 // in world time, like EndNs
	EndNs      int64
	WallNs     int64        // the controller's wall clock at the start, to compare with the candidates' times
	Lease      LeaseView    // the Lease as cached
	Considered []Considered // candidates in the controller's order
	ElectionNs int64        // how long a ping waits, and how long an ack counts
	ValidNs    int64        // how long a candidate counts if it does not renew
	Need       Need         // not set if Need is NobodyToElect
	Strategy   coordination.Symbol
	Decider    coordination.Symbol    // candidate whose strategy decides; 0 with lists
	Conflict   [2]coordination.Symbol // two candidates with the same binaryVersion but different strategies
	// candidates that acked, with the electee first; without an election, all candidates that count
	Ranking   []Ranked
	Change    Change // to an existing Lease
	Writes    []Write
	Outcome   Outcome
	RequeueNs int64
	_         struct{}
}

// LeaseView is the cached Lease.
type LeaseView struct {
	There   bool
	Expired bool
	Spec    coordination.Record
}

// Considered is a candidate of the Lease, whether it counts or not.
type Considered struct {
	Name     coordination.Symbol
	Spec     coordination.Candidate
	Created  int64 // seconds since the Unix epoch
	Standing Standing
	Silent   bool // its renewTime is older than half of ValidNs, which is a reason for an election
	Readable bool // both versions parse
}

// Ranked is a candidate in the ranking, and why it is behind the one before it.
type Ranked struct {
	Name   coordination.Symbol
	Behind Advantage // zero for the first
}

// Write is a write and its result.
type Write struct {
	Verb   Verb
	Name   coordination.Symbol
	Result step.Result
}

// Need says why an election is necessary, or why not.
type Need uint8

const (
	NeedUnknown Need = iota
	NoLease
	LeaseExpired
	NoHolder
	SilentCandidate
	BetterCandidate
	HolderIsBest
	ThirdParty
	StrategyConflict
	NoVersions
)

// Needed reports whether it is a reason for an election.
func (n Need) Needed() bool { return n >= NoLease && n <= BetterCandidate }

var needNames = [...]string{
	"", "the Lease does not exist", "the Lease has expired", "the Lease has no holder",
	"a candidate has not renewed for half of its validity period",
	"a candidate is better than the holder", "the holder is the best candidate",
	"the strategy belongs to a third party",
	"candidates with the same binaryVersion ask for different strategies", "no candidate has readable versions",
}

// String says why an election is necessary, or that none is necessary.
func (n Need) String() string { return needNames[n] }

// NeedText says in words why an election is necessary or not, with the durations of this controller.
func (d *Decision) NeedText() string {
	switch {
	case d.Need == StrategyConflict && d.Conflict[0] == 0:
		return "the candidates' lists of strategies contradict each other"
	case d.Need == SilentCandidate:
		return "a candidate has not renewed for " + duration(d.ValidNs/2)
	}
	return d.Need.String()
}

// Standing is how a candidate stands with the controller, according to its renewTime and pingTime.
type Standing uint8

const (
	NeverRenewed Standing = iota // candidate that does not count
	Expired                      // candidate that does not count
	AwaitingAck
	Fresh
	Stale
	Unanswered
)

var standingNames = [...]string{"NeverRenewed", "Expired", "AwaitingAck", "Fresh", "Stale", "Unanswered"}

// String returns the standing's name.
func (s Standing) String() string { return standingNames[s] }

// duration formats a duration in words: 1.5 s, 90 s, 30 min.
func duration(ns int64) string {
	const minute = 60 * second
	if ns >= 2*minute && ns%minute == 0 {
		return strconv.FormatInt(ns/minute, 10) + " min"
	}
	milliseconds := strconv.FormatInt(ns/1_000_000%1000+1000, 10)[1:]
	return strings.TrimRight(strings.TrimRight(strconv.FormatInt(ns/second, 10)+"."+milliseconds, "0"), ".") + " s"
}

// Advantage is why one candidate is better than another.
type Advantage uint8

const (
	NoAdvantage Advantage = iota
	OlderEmulation
	OlderBinary
	CreatedEarlier
	NameBefore
	VersionsRead // the other candidate's versions are unreadable
	ByChance     // the candidates are equal, and the list happened to begin with it
)

var advantageNames = [...]string{"", "older emulationVersion", "older binaryVersion", "created earlier",
	"name comes first", "readable versions", "first by chance"}

// String returns the advantage in words, or "".
func (a Advantage) String() string { return advantageNames[a] }

// Change is what an election does to an existing Lease.
type Change uint8

const (
	NoChange    Change = iota // the Lease did not exist, or the reconcile did not get that far
	NotOurs                   // a third party elects, so write only the strategy
	HolderStays               // the electee already holds it, so write only the strategy
	AsksHolder                // set preferredHolder on a live Lease
	TakesOver                 // an expired Lease gets another holder
	FillsIn                   // a Lease without a holder gets one
	Crashes
)

var changeNames = [...]string{
	"", "a third party picks the leader: the controller may write only the strategy",
	"the electee is already the holder: the controller may write only the strategy",
	"the controller asks the holder to hand over: preferredHolder", "the expired Lease goes to the electee",
	"the Lease has no holder and goes to the electee",
	"holderIdentity is absent: nil pointer dereference",
}

// String returns the change in words.
func (c Change) String() string { return changeNames[c] }

// Outcome says how a reconcile ended.
type Outcome uint8

const (
	NobodyToElect Outcome = iota
	NotNeeded
	AsksForAcks
	AwaitsAcks
	AwaitsAcksOnly // waits, but does not requeue the key
	NobodyAcked
	StrategiesDiffer
	NoElectee
	LeaseCreated
	LeaseUpdated
	Unchanged
	RequestFailed
	ServerCrashed
)

var outcomeNames = [...]string{
	"nobody to elect", "no election is needed", "pinged; waits for acks", "waits for acks",
	"waits for acks, and does not check again by itself",
	"error: no available candidates", "error: strategies differ", "error: no suitable electee", "Lease created",
	"Lease updated",
	"nothing to change", "error: a request failed", "the API server crashes",
}

// String returns the outcome in words.
func (o Outcome) String() string { return outcomeNames[o] }

func (d *Decision) clone() Decision {
	c := *d
	c.Considered = append([]Considered(nil), d.Considered...)
	c.Ranking = append([]Ranked(nil), d.Ranking...)
	c.Writes = append([]Write(nil), d.Writes...)
	return c
}

// beginDecision starts to record a reconcile. It lists every candidate that names the Lease, with that candidate's
// standing.
func (m *Machine) beginDecision(at step.Reading, key Key) *Decision {
	d := &Decision{Key: key, BeginNs: at.Now, WallNs: at.Wall, ElectionNs: m.config.electionNs(),
		ValidNs: m.config.validNs()}
	if l := m.cache.lease(key); l != nil {
		d.Lease = LeaseView{There: true, Expired: leaseExpired(&l.Spec, at.Wall), Spec: l.Spec}
	}
	for i := range m.cache.candidates {
		c := &m.cache.candidates[i]
		if c.Namespace != key.Namespace || c.Spec.LeaseName != key.Name {
			continue
		}
		d.Considered = append(d.Considered, Considered{
			Name: c.Name, Spec: c.Spec, Created: c.CreatedSeconds, Standing: m.config.standing(&c.Spec, at.Wall),
			Silent:   !m.config.expired(&c.Spec, at.Wall) && earlier(c.Spec.RenewTime, m.config.validNs()/2, at.Wall),
			Readable: !c.emulation.bad && !c.binary.bad,
		})
	}
	return d
}

// decidedStrategy records the deciding candidate, or the two candidates that conflict.
func (m *Machine) decidedStrategy(strategy coordination.Symbol, decider int32, differ conflict, ok bool) {
	d := m.job.decision
	d.Strategy, d.Decider, d.Conflict = 0, 0, [2]coordination.Symbol{}
	name := func(i int32) coordination.Symbol {
		if i < 0 {
			return 0
		}
		return m.cache.candidates[i].Name
	}
	if ok {
		d.Strategy, d.Decider = strategy, name(decider)
	} else {
		d.Conflict = [2]coordination.Symbol{name(differ.a), name(differ.b)}
	}
}

// rank sorts candidates, the best first.
func (m *Machine) rank(list []int32) {
	m.job.decision.Ranking = nil
	var order []int32
	for _, i := range list {
		at := len(order)
		for at > 0 && m.ahead(i, order[at-1]) {
			at--
		}
		order = append(order, 0)
		copy(order[at+1:], order[at:])
		order[at] = i
	}
	for k, i := range order {
		r := Ranked{Name: m.cache.candidates[i].Name}
		if k > 0 {
			r.Behind = m.advantage(order[k-1], i)
		}
		m.job.decision.Ranking = append(m.job.decision.Ranking, r)
	}
}

// The method ahead reports whether a candidate is better than one that stands before it in the list.
func (m *Machine) ahead(i, earlier int32) bool {
	a, b := &m.cache.candidates[i], &m.cache.candidates[earlier]
	if a.unreadable() != b.unreadable() {
		return b.unreadable()
	}
	return m.compare(earlier, i).better < 0
}

// advantage returns why the first candidate is better than the second.
func (m *Machine) advantage(better, worse int32) Advantage {
	if m.cache.candidates[worse].unreadable() && !m.cache.candidates[better].unreadable() {
		return VersionsRead
	}
	return m.compare(better, worse).by
}

func (c *candidate) unreadable() bool { return c.emulation.bad || c.binary.bad }

// The method wrote records a write and its result.
func (m *Machine) wrote(verb Verb, name coordination.Symbol, result step.Result) {
	if d := m.job.decision; d != nil {
		d.Writes = append(d.Writes, Write{verb, name, result})
	}
}
