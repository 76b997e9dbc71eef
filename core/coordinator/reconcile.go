package coordinator

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

type phase uint8

const (
	resting phase = iota
	pinging
	creating
	reading
	updating
	deleting
)

// job is the current reconcile.
type job struct {
	phase    phase
	key      Key
	electee  coordination.Symbol // 0 if a third party elects the leader
	strategy coordination.Symbol
	lowest   int32     // serial of the first ping in flight
	answered int32     // number of answered pings
	pings    []Request // all pings; the older body sends them one by one
	decision *Decision
	list     []int32 // scratch memory
	acked    []int32 // scratch memory
}

func (j *job) clone() job {
	c := *j
	c.pings = append([]Request(nil), j.pings...)
	c.list, c.acked = nil, nil
	if j.decision != nil {
		d := j.decision.clone()
		c.decision = &d
	}
	return c
}

// reconcile takes one step toward the right holder of one Lease: it does nothing, asks candidates for an ack, or
// elects. Source: kubernetes v1.36.2 leaderelection_controller.go reconcileElectionStep.
func (m *Machine) reconcile(at step.Reading, key Key, out []Output) []Output {
	m.job = job{key: key, pings: m.job.pings[:0], list: m.job.list[:0], acked: m.job.acked[:0]}
	j := &m.job
	if m.looking {
		j.decision = m.beginDecision(at, key)
	}
	// a. The candidates of this Lease that have renewed within half an hour. An ordinary Lease has none.
	for i := range m.cache.candidates {
		c := &m.cache.candidates[i]
		if c.Namespace == key.Namespace && c.Spec.LeaseName == key.Name && !m.config.expired(&c.Spec, at.Wall) {
			j.list = append(j.list, int32(i))
		}
	}
	if len(j.list) == 0 {
		return m.finish(at, NobodyToElect, 0, out)
	}
	if m.config.Flaps {
		m.orderByChance(key.Namespace)
	}
	// b. Is an election necessary at all?
	need := m.need(at, key)
	if j.decision != nil {
		j.decision.Need = need
	}
	if !need.Needed() {
		return m.finish(at, NotNeeded, m.config.requeueNs(), out)
	}
	// c. Every candidate must have acked recently; ping the others.
	waiting := false
	for _, i := range j.list {
		switch c := &m.cache.candidates[i]; m.config.standing(&c.Spec, at.Wall) {
		case AwaitingAck:
			waiting = true
		case Stale:
			j.pings = append(j.pings, ping(c, at.Wall))
		}
	}
	if len(j.pings) > 0 {
		return m.sendPings(at, out)
	}
	if waiting {
		return m.finish(at, AwaitsAcks, m.config.requeueNs(), out)
	}
	// d. Check again, without the pings just sent. That makes a difference only in the older body.
	for _, i := range j.list {
		c := &m.cache.candidates[i].Spec
		if c.Has(coordination.HasPing) && !m.config.acks(c) && later(c.PingTime, m.config.electionNs(), at.Wall) {
			return m.finish(at, AwaitsAcksOnly, 0, out)
		}
	}
	// e. Only candidates that have acked can win.
	for _, i := range j.list {
		if later(m.cache.candidates[i].Spec.RenewTime, m.config.electionNs(), at.Wall) {
			j.acked = append(j.acked, i)
		}
	}
	return m.elect(at, out)
}

// mapSlots is how many entries a Go map keeps in one group. Iteration begins at a random slot and goes around.
// Source: Go 1.26 internal/runtime/maps.
const mapSlots = 8

// orderByChance draws the order of the job's list. Upstream's list is a walk through a Go map with all candidates of
// the namespace. Of up to eight, the oldest is in the first slot: it comes first unless the walk begins at another one,
// so of two candidates the older one comes first with a chance of 7 in 8. A larger map has any order.
func (m *Machine) orderByChance(namespace coordination.Symbol) {
	list := m.job.list
	begin, slot, skipped := int(m.config.Chance.Uint64()%mapSlots), 0, 0
	for i := range m.cache.candidates {
		if m.cache.candidates[i].Namespace != namespace {
			continue
		}
		if slot < begin && slices.Contains(list, int32(i)) {
			skipped++
		}
		slot++
	}
	if slot <= mapSlots {
		slices.Reverse(list[:skipped])
		slices.Reverse(list[skipped:])
		slices.Reverse(list)
		return
	}
	for i := len(list) - 1; i > 0; i-- {
		k := m.config.Chance.Uint64() % uint64(i+1)
		list[i], list[k] = list[k], list[i]
	}
}

// elect picks the strategy and the electee among the candidates that acked and tries to create the Lease.
func (m *Machine) elect(at step.Reading, out []Output) []Output {
	j := &m.job
	if len(j.acked) == 0 {
		return m.finish(at, NobodyAcked, 0, out)
	}
	// f. Find the strategy of the candidates that acked, and its electee. With a third party's strategy, the
	// election happens elsewhere.
	strategy, decider, differ, ok := m.strategyOf(j.acked)
	if j.decision != nil {
		m.decidedStrategy(strategy, decider, differ, ok)
	}
	if !ok {
		return m.finish(at, StrategiesDiffer, 0, out)
	}
	j.strategy = strategy
	spec := coordination.Record{
		Strategy: strategy, LeaseDurationSeconds: m.config.durationSeconds(),
		RenewTime: coordination.MicroTimeOf(at.Wall),
		Present:   coordination.HasStrategy | coordination.HasLeaseDurationSeconds | coordination.HasRenewTime,
	}
	if m.oldest(strategy) {
		best := m.electeeOf(j.acked)
		if best < 0 {
			return m.finish(at, NoElectee, 0, out)
		}
		j.electee = m.cache.candidates[best].Name
		spec.HolderIdentity, spec.Present = j.electee, spec.Present|coordination.HasHolderIdentity
		if j.decision != nil {
			m.rank(j.acked)
		}
	}
	// g. Create the Lease, which usually exists.
	j.phase = creating
	return m.send(Request{Verb: CreateLease, Key: j.key, Lease: spec}, out)
}

// sendPings pings all stale candidates; the older body pings one after the other.
func (m *Machine) sendPings(at step.Reading, out []Output) []Output {
	j := &m.job
	j.phase = pinging
	j.lowest = m.serial + 1
	for i := range j.pings {
		out = m.send(j.pings[i], out)
		if m.config.Body == Older {
			break
		}
	}
	return out
}

// ping returns the cached candidate with pingTime set. If the stored candidate has changed since, the write conflicts.
func ping(c *candidate, wallNs int64) Request {
	r := Request{Verb: Ping, Key: c.Key, ResourceVersion: c.ResourceVersion, UID: c.UID, Candidate: c.Spec}
	r.Candidate.SetPing(coordination.MicroTimeOf(wallNs))
	return r
}

// answer continues the current reconcile.
func (m *Machine) answer(at step.Reading, in *Input, out []Output) []Output {
	j := &m.job
	if j.phase == pinging {
		return m.pingAnswered(at, in, out)
	}
	if j.phase == resting || in.Serial != m.serial {
		return out // the controller gave up this request
	}
	switch j.phase {
	case creating:
		switch in.Result {
		case step.Success:
			m.wrote(CreateLease, j.key.Name, in.Result)
			return m.finish(at, LeaseCreated, m.config.requeueNs(), out)
		case step.AlreadyExists:
			j.phase = reading
			return m.send(Request{Verb: GetLease, Key: j.key}, out)
		}
		m.wrote(CreateLease, j.key.Name, in.Result)
	case reading:
		if in.Result == step.Success {
			return m.change(at, &in.Lease, out)
		}
	case updating:
		m.wrote(UpdateLease, j.key.Name, in.Result)
		if in.Result == step.Success {
			return m.finish(at, LeaseUpdated, m.config.requeueNs(), out)
		}
	}
	return m.finish(at, RequestFailed, 0, out)
}

// pingAnswered waits for the answers to all pings. The first failure ends the round. The controller then gives up the
// other pings and reconciles the key again after five seconds.
func (m *Machine) pingAnswered(at step.Reading, in *Input, out []Output) []Output {
	j := &m.job
	sent := m.serial - j.lowest + 1
	if in.Serial < j.lowest || in.Serial > m.serial {
		return out
	}
	which := in.Serial - j.lowest
	if j.pings[which].Serial != 0 {
		return out // answered before
	}
	j.pings[which].Serial = in.Serial
	j.answered++
	m.wrote(Ping, j.pings[which].Key.Name, in.Result)
	switch {
	case in.Result != step.Success:
		out = m.abort(out)
		return m.finish(at, RequestFailed, m.config.requeueNs(), out)
	case int(j.answered) == len(j.pings):
		return m.finish(at, AsksForAcks, m.config.requeueNs(), out)
	case m.config.Body == Older && j.answered == sent:
		return m.send(j.pings[sent], out)
	}
	return out
}

// abort gives up every request in flight.
func (m *Machine) abort(out []Output) []Output {
	j := &m.job
	switch j.phase {
	case resting:
	case pinging:
		for s := j.lowest; s <= m.serial && int(s-j.lowest) < len(j.pings); s++ {
			if j.pings[s-j.lowest].Serial == 0 {
				out = append(out, Output{Kind: Abort, Request: Request{Serial: s, Verb: Ping}})
			}
		}
	default:
		out = append(out, Output{Kind: Abort, Request: Request{Serial: m.serial}})
	}
	return out
}

// change compares the Lease with the decision and writes the difference.
func (m *Machine) change(at step.Reading, existing *Lease, out []Output) []Output {
	j := &m.job
	// h. A live Lease keeps its holder and gets the electee as preferredHolder. An expired Lease, or one without a
	// holder, gets the electee as holder.
	spec, c := m.config.amend(&existing.Spec, j.electee, j.strategy, at.Wall)
	if j.decision != nil {
		j.decision.Change = c
	}
	if c == Crashes {
		m.crashed = true
		out = m.finish(at, ServerCrashed, 0, out)
		return append(out, Output{Kind: Crashed, Key: existing.Key})
	}
	if spec == existing.Spec {
		return m.finish(at, Unchanged, m.config.requeueNs(), out)
	}
	j.phase = updating
	return m.send(Request{Verb: UpdateLease, Key: j.key, ResourceVersion: existing.ResourceVersion, UID: existing.UID,
		Lease: spec}, out)
}

// amend returns the Lease as decided. The electee is 0 if a third party elects.
func (c *Config) amend(existing *coordination.Record, electee, strategy coordination.Symbol,
	wallNs int64) (coordination.Record, Change) {
	spec := *existing
	named := existing.Has(coordination.HasHolderIdentity)
	if c.NilHolder == Crash && c.dereferencesNil(existing, electee) {
		return spec, Crashes
	}
	spec.Strategy, spec.Present = strategy, spec.Present|coordination.HasStrategy
	held := named && existing.HolderIdentity != 0
	switch {
	case electee == 0:
		return spec, NotOurs
	case held && existing.HolderIdentity == electee:
		return spec, HolderStays
	case held && !leaseExpired(existing, wallNs):
		spec.PreferredHolder, spec.Present = electee, spec.Present|coordination.HasPreferredHolder
		return spec, AsksHolder
	}
	spec.PreferredHolder, spec.AcquireTime = 0, 0
	spec.Present &^= coordination.HasPreferredHolder | coordination.HasAcquireTime
	spec.HolderIdentity, spec.LeaseDurationSeconds, spec.RenewTime = electee, c.durationSeconds(),
		coordination.MicroTimeOf(wallNs)
	spec.Present |= coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds | coordination.HasRenewTime
	if held {
		return spec, TakesOver
	}
	return spec, FillsIn
}

// dereferencesNil reports whether upstream follows a nil pointer to the holder. v1.36 does so when it has an electee.
// The older body does so with any Lease without holderIdentity. If a third party elects, it also follows the pointer
// for an empty holderIdentity, because it has no name to log.
func (c *Config) dereferencesNil(existing *coordination.Record, electee coordination.Symbol) bool {
	named := existing.Has(coordination.HasHolderIdentity)
	if c.Body == Newer {
		return electee != 0 && !named
	}
	return !named || (electee == 0 && existing.HolderIdentity == 0)
}

// finish ends the reconcile. A delay of 0 means that only an event enqueues the key again.
func (m *Machine) finish(at step.Reading, o Outcome, delayNs int64, out []Output) []Output {
	j := &m.job
	j.phase = resting
	m.queue.Done(j.key)
	if delayNs > 0 {
		m.queue.AddAt(j.key, at.Mono+delayNs)
	}
	done := Output{Kind: Reconciled, Key: j.key, Outcome: o, RequeueNs: delayNs}
	if j.decision != nil {
		j.decision.Outcome, j.decision.RequeueNs, j.decision.EndNs = o, delayNs, at.Now
		done.Decision, j.decision = j.decision, nil
	}
	return append(out, done)
}

// need says whether and why an election is necessary, according to the cached Lease. Source: kubernetes v1.36.2
// leaderelection_controller.go electionNeeded.
func (m *Machine) need(at step.Reading, key Key) Need {
	lease := m.cache.lease(key)
	if lease == nil {
		return NoLease
	}
	if leaseExpired(&lease.Spec, at.Wall) {
		return LeaseExpired
	}
	if lease.Spec.HolderIdentity == 0 {
		return NoHolder
	}
	// An election is also necessary if a candidate has not renewed for 15 min, half the time for which it counts. The
	// election then pings every candidate.
	for _, i := range m.job.list {
		if earlier(m.cache.candidates[i].Spec.RenewTime, m.config.validNs()/2, at.Wall) {
			return SilentCandidate
		}
	}
	strategy, decider, differ, ok := m.strategyOf(m.job.list)
	if m.job.decision != nil {
		m.decidedStrategy(strategy, decider, differ, ok)
	}
	if !ok {
		return StrategyConflict
	}
	if !m.oldest(strategy) {
		return ThirdParty
	}
	best := m.electeeOf(m.job.list)
	if best < 0 {
		return NoVersions
	}
	if m.job.decision != nil {
		m.rank(m.job.list)
	}
	if m.cache.candidates[best].Name == lease.Spec.HolderIdentity {
		return HolderIsBest
	}
	return BetterCandidate
}

// The method oldest reports whether this controller elects by a strategy.
func (m *Machine) oldest(strategy coordination.Symbol) bool {
	return m.config.Symbols.Text(strategy) == coordination.OldestEmulationVersion
}

// standing returns the standing of a candidate at an instant.
func (c *Config) standing(s *coordination.Candidate, wallNs int64) Standing {
	switch {
	case !s.Has(coordination.HasRenew):
		return NeverRenewed
	case c.expired(s, wallNs):
		return Expired
	case s.Has(coordination.HasPing) && later(s.PingTime, c.electionNs(), wallNs) && s.RenewTime < s.PingTime:
		return AwaitingAck
	case later(s.RenewTime, c.electionNs(), wallNs):
		return Fresh
	case !s.Has(coordination.HasPing), earlier(s.PingTime, c.electionNs(), wallNs) && c.acks(s):
		return Stale
	}
	return Unanswered
}

// acks reports whether the renewal of a pinged candidate answers its ping.
func (c *Config) acks(s *coordination.Candidate) bool {
	if c.Body == Older {
		return s.RenewTime > s.PingTime
	}
	return s.RenewTime >= s.PingTime
}

// The function later reports whether t plus a duration is after an instant: upstream's t.Add(d).After(now).
func later(t coordination.MicroTime, durationNs, wallNs int64) bool {
	return int64(t)*1000+durationNs > wallNs
}

// The function earlier does the same for before: upstream's t.Add(d).Before(now).
func earlier(t coordination.MicroTime, durationNs, wallNs int64) bool {
	return int64(t)*1000+durationNs < wallNs
}

// expired reports whether a candidate no longer counts. Source: kubernetes v1.36.2 election.go
// isLeaseCandidateExpired.
func (c *Config) expired(s *coordination.Candidate, wallNs int64) bool {
	return !s.Has(coordination.HasRenew) || earlier(s.RenewTime, c.validNs(), wallNs)
}

// leaseExpired checks a Lease with this process's wall clock, even though its renewTime comes from another clock.
// Source: kubernetes v1.36.2 election.go isLeaseExpired.
func leaseExpired(l *coordination.Record, wallNs int64) bool {
	if !l.Has(coordination.HasRenewTime | coordination.HasLeaseDurationSeconds) {
		return true
	}
	return earlier(l.RenewTime, int64(l.LeaseDurationSeconds)*second, wallNs)
}
