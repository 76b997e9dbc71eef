package world

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Fingerprint selects what the digest of a world covers beyond the state that always decides its future.
type Fingerprint struct {
	Draws       bool  // random streams of the nodes, because the nodes will draw again
	Numbers     bool  // request numbers, because rules match them
	Connections bool  // start times of connections and rules
	Exact       bool  // an elector's observed record, even if the elector will replace it with whatever it reads next
	Acts        int32 // the search numbers acts from this source on; of these acts, the digest covers only the effect
}

// Digest adds everything that decides the future of a world of electors, and nothing else. So two worlds with the
// same digest continue alike, each from its own instant. Instants are relative to now. leaseTransitions are relative
// to the stored Lease. A resourceVersion matters only for a compare-and-swap, so the digest contains only whether it
// is current. The digest keeps the fraction of the wall clock's second, because electors compare whole seconds. It
// omits the numbers of requests, runs and records.
//
// A world has more state than Digest covers if it has LeaseCandidates, controllers, heartbeats, a resource, a lock of
// two objects, a rate limiter, chances or load.
func (w *World) Digest(d *digest.Digest, with *Fingerprint) {
	const second = 1_000_000_000
	o, outcome := w.store.Get(0)
	f := fingerprinter{Fingerprint: with, w: w, spec: &o.Spec,
		from: coordination.Origin{WallNs: EpochUnixNs + w.now, Transitions: o.Spec.LeaseTransitions,
			Symbols: w.setup.Symbols},
		stored: elector.Version{Resource: o.ResourceVersion, UID: o.UID}}
	d.AddInt(w.now % second)
	d.AddFlags(outcome == storage.OK)
	o.Spec.Digest(d, &f.from)
	for i := range w.nodes {
		f.addNode(d, int32(i))
	}
	w.net.rules.Digest(d, w.now, with.Connections)
	f.addMessages(d)
	f.addQueue(d)
	for i := range w.deferred {
		e := &w.deferred[i]
		d.AddSince(w.now, e.at)
		f.addEvent(d, e)
	}
	f.addActs(d)
}

// fingerprinter adds the parts of a world to a digest.
type fingerprinter struct {
	*Fingerprint
	w      *World
	from   coordination.Origin
	spec   *coordination.Record // spec of the stored Lease
	stored elector.Version
}

// observesNext reports whether a node's elector will observe whatever it reads next. For that, all clocks must be
// true. Also, no write may be under way whose renewTime is in the same second as the one that the elector has seen.
func (f *fingerprinter) observesNext(i int32) bool {
	n := &f.w.nodes[i]
	if f.Exact || n.flight >= 0 || !n.machine.ObservesNext(f.spec, EpochUnixNs+f.w.now) {
		return false
	}
	seen, _, _ := n.machine.ObservedRecord()
	for k := range f.w.nodes {
		o := &f.w.nodes[k]
		if o.clock.ratePpm != trueRatePpm || o.clock.offsetNs != 0 || o.machine.WritesFrom(seen.RenewTime.Seconds()) {
			return false
		}
	}
	for k := range f.w.net.list {
		if m := &f.w.net.list[k]; m.client >= 0 && m.servedNs < 0 && m.Verb != network.Get &&
			m.record.RenewTime.Seconds() == seen.RenewTime.Seconds() {
			return false
		}
	}
	return true
}

// addNode adds what decides a node's future: clock, process, timer and elector, each relative to now.
func (f *fingerprinter) addNode(d *digest.Digest, i int32) {
	n := &f.w.nodes[i]
	s := &f.w.settings[n.settings]
	d.AddInt(int64(n.settings) | int64(n.running)<<32)
	d.Add(f.from.Symbols.Hash(n.identity))
	d.AddInt(n.clock.mono(f.w.now) + n.clock.offsetNs - f.w.now)
	d.AddInt(n.clock.ratePpm)
	if n.clock.ratePpm != trueRatePpm || n.clock.awakePpm != 0 {
		d.AddInt(n.clock.awakePpm)
		d.AddInt(n.clock.sleptNs)
		d.AddSince(f.w.now, n.clock.baseNow) // clock readings round from this base
	}
	n.process.Digest(d, f.w.now, &s.Process)
	d.AddSince(f.w.now, f.w.timers.of(i))
	n.machine.Digest(d, &elector.View{At: n.clock.read(f.w.now), From: &f.from, Stored: f.stored,
		ObservesNext: f.observesNext(i)})
	if n.special&asksServer != 0 {
		d.AddSince(f.w.now, f.w.leaseWrittenNs)
	}
	if f.Draws {
		copied := n.jitter
		d.Add(copied.Uint64())
		d.AddInt(int64(n.drawn))
	}
	if f.Numbers {
		d.AddInt(int64(n.seq))
	}
	if f.Connections {
		d.AddSince(f.w.now, n.link.OpenedNs)
		d.AddSince(f.w.now, max(n.link.HeardNs, n.heardNs))
	}
}

// `matters` reports whether a message can still have an effect: its client waits for it, or it is a write that the
// server has not carried out. If Numbers or Connections is true, any message on the wire matters: an act of the
// scenario may stop the message, and its answer keeps a connection alive.
func (m *message) matters(with *Fingerprint) bool {
	switch {
	case m.client < 0:
		return false
	case with.Numbers || with.Connections:
		return m.waited || m.onWire
	}
	return m.waited || m.onWire && m.Verb != network.Get && m.servedNs < 0
}

// rank returns the position of a message among those messages of its client that matter, in sending order.
func (f *fingerprinter) rank(slot int32) uint64 {
	m, rank := &f.w.net.list[slot], uint64(0)
	for k := range f.w.net.list {
		if o := &f.w.net.list[k]; o.client == m.client && o.order < m.order && o.matters(f.Fingerprint) {
			rank++
		}
	}
	return rank
}

// addMessages adds the messages that matter, as a set. A message's slot depends on the past, but its rank among the
// messages of its client does not.
func (f *fingerprinter) addMessages(d *digest.Digest) {
	var all digest.Unordered
	for k := range f.w.net.list {
		if f.w.net.list[k].matters(f.Fingerprint) {
			var one digest.Digest
			one.Add(f.rank(int32(k)))
			f.addMessage(&one, int32(k))
			all.Add(&one)
		}
	}
	d.AddAll(&all)
}

func (f *fingerprinter) addMessage(d *digest.Digest, slot int32) {
	m := &f.w.net.list[slot]
	d.Add(
		uint64(uint32(m.client)) | uint64(m.Verb)<<32 | uint64(m.Resource)<<40 | uint64(m.Fault)<<48 | uint64(
			m.sender)<<56)
	d.AddFlags(m.onWire, m.waited, m.timeoutSet && m.waited, m.lostUp, m.lostDown, m.unsent, m.answer.Expired, m.hangs,
		m.losesAnswer, m.servedNs >= 0, m.call >= 0)
	d.Add(
		uint64(m.object) | uint64(m.result)<<8 | uint64(m.broke)<<16 | uint64(m.held)<<24 | uint64(m.hold)<<32 | uint64(
			m.retryAfter)<<40)
	d.AddInt(m.RequestNs)
	d.AddInt(m.ResponseNs)
	d.AddInt(m.extraNs)
	if m.waited {
		d.AddSince(f.w.now, m.timeoutNs)
	}
	if m.servedNs < 0 && m.Verb != network.Get {
		elector.Version{Resource: m.version, UID: m.uid}.AddTo(d, f.stored)
		m.record.Digest(d, &f.from)
	}
	if m.servedNs >= 0 && m.waited {
		elector.Version{Resource: m.answer.ResourceVersion, UID: m.answer.UID}.AddTo(d, f.stored)
		m.answer.Record.Digest(d, &f.from)
	}
	if m.call >= 0 {
		f.w.net.calls.list[m.call].Digest(d, f.w.now)
	}
	for i := range f.w.net.stopped {
		if s := &f.w.net.stopped[i]; s.held && s.slot == slot && s.is(m) {
			d.AddInt(s.leftNs)
			d.AddSince(f.w.now, f.endOf(s.source))
		}
	}
}

// endOf returns the instant of the act that ends the act with the given source, or never.
func (f *fingerprinter) endOf(source int32) int64 {
	for _, c := range f.w.acts.list[f.w.acts.next:] {
		if c.Source == source && c.Kind == DoOver {
			return c.AtNs
		}
	}
	return never
}

func (f *fingerprinter) addQueue(d *digest.Digest) {
	var all digest.Unordered
	for k := range f.w.queue {
		e := &f.w.queue[k]
		if timer, is := timerOf(e.what); is && !f.w.nodes[e.candidate()].process.Expects(timer, e.number()) {
			continue
		}
		if e.isOfMessage() && (!f.w.net.list[e.slot].matters(f.Fingerprint) || e.what == clientGivesUp &&
			!f.w.net.list[e.slot].waited) {
			continue
		}
		var one digest.Digest
		one.AddSince(f.w.now, e.at)
		f.addEvent(&one, e)
		all.Add(&one)
	}
	d.AddAll(&all)
}

// timerOf returns the process timer for which an event stands, and reports whether it stands for one.
func timerOf(what eventKind) (timer process.InputKind, is bool) {
	switch what {
	case drainDue, runDue, startDue, probeDue:
		return processInputs[what], true
	}
	return 0, false
}

// addEvent adds an event without its instant.
func (f *fingerprinter) addEvent(d *digest.Digest, e *event) {
	d.Add(uint64(e.what) | uint64(e.key>>56)<<8 | uint64(uint32(e.candidate()))<<16)
	if e.isOfMessage() {
		d.Add(f.rank(e.slot))
	}
}

// isOfMessage reports whether the event is about the message in its slot.
func (e *event) isOfMessage() bool {
	switch e.what {
	case requestArrives, requestServed, responseArrives, clientGivesUp, callWakes, callEnds:
		return true
	}
	return false
}

func (f *fingerprinter) addActs(d *digest.Digest) {
	for i := f.w.acts.next; i < len(f.w.acts.list); i++ {
		c := &f.w.acts.list[i]
		d.AddSince(f.w.now, c.AtNs)
		d.Add(uint64(c.Kind) | uint64(uint32(c.Target))<<8)
		if c.UntilNs == 0 {
			d.Add(0)
		} else {
			d.AddSince(f.w.now, c.UntilNs)
		}
		if c.Source < f.Acts {
			d.AddInt(int64(c.Source))
		}
		if c.Kind == DoIntercept {
			d.AddInt(int64(c.Nth - f.w.nodes[max(c.Target, 0)].seq))
			d.Add(uint64(c.Effect))
		}
	}
}
