package world

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Fingerprint is what the digest of a world adds beside what always decides its future.
type Fingerprint struct {
	Draws       bool  // the state of the nodes' streams: their draws go on
	Numbers     bool  // the numbers of requests: rules ask for one
	Connections bool  // when connections and rules began
	Exact       bool  // an elector's observed record even if it observes whatever it reads next
	Acts        int32 // from this source on, acts are numbered by the search: only what they do counts
}

// Digest adds everything that decides what happens from now on in a world of electors, and nothing else: two worlds
// with the same digest have the same future, each from its own instant on. Instants count from now, resourceVersions as
// what a compare-and-swap asks of them, leaseTransitions from those of the stored Lease. The part of the wall clock's
// second stays, because electors compare whole seconds. Numbers of requests, runs and records are left out.
//
// A world with LeaseCandidates, controllers, heartbeats, a resource, a lock of two objects, a rate limiter, chances or
// load has more state than this.
func (w *World) Digest(d *digest.Digest, with *Fingerprint) {
	const second = 1_000_000_000
	o, outcome := w.store.Get(0)
	from := coordination.Origin{WallNs: EpochUnixNs + w.now, Transitions: o.Spec.LeaseTransitions,
		Symbols: w.setup.Symbols}
	stored := elector.Version{Resource: o.ResourceVersion, UID: o.UID}
	d.AddInt(w.now % second)
	d.AddFlags(outcome == storage.OK)
	o.Spec.Digest(d, &from)
	for i := range w.nodes {
		w.digestNode(d, int32(i), &from, stored, w.observesNext(int32(i), &o.Spec, with))
		n := &w.nodes[i]
		if n.special&asksServer != 0 {
			d.AddSince(w.now, w.leaseWrittenNs)
		}
		if with.Draws {
			copied := n.jitter
			d.Add(copied.Uint64())
			d.AddInt(int64(n.drawn))
		}
		if with.Numbers {
			d.AddInt(int64(n.seq))
		}
		if with.Connections {
			d.AddSince(w.now, n.link.OpenedNs)
			d.AddSince(w.now, max(n.link.HeardNs, n.heardNs))
		}
	}
	w.net.rules.Digest(d, w.now, with.Connections)
	w.digestMessages(d, &from, stored, with)
	w.digestQueue(d, with)
	for i := range w.deferred {
		e := &w.deferred[i]
		d.AddSince(w.now, e.at)
		w.digestEvent(d, e, with)
	}
	w.digestActs(d, with)
}

// observesNext reports whether a node's elector observes whatever it reads next. All clocks must be true, and no write
// under way may bring the second back that the elector has seen.
func (w *World) observesNext(i int32, stored *coordination.Record, with *Fingerprint) bool {
	n := &w.nodes[i]
	if with.Exact || n.flight >= 0 || !n.machine.ObservesNext(stored, EpochUnixNs+w.now) {
		return false
	}
	seen, _, _ := n.machine.Observed()
	for k := range w.nodes {
		o := &w.nodes[k]
		if o.clock.ratePpm != trueRatePpm || o.clock.offsetNs != 0 || o.machine.WritesFrom(seen.RenewTime.Seconds()) {
			return false
		}
	}
	for k := range w.net.list {
		if m := &w.net.list[k]; m.client >= 0 && m.servedNs < 0 && m.Verb != network.Get &&
			m.record.RenewTime.Seconds() == seen.RenewTime.Seconds() {
			return false
		}
	}
	return true
}

func (w *World) digestNode(d *digest.Digest, i int32, from *coordination.Origin, stored elector.Version,
	observesNext bool) {
	n := &w.nodes[i]
	s := &w.settings[n.settings]
	d.AddInt(int64(n.settings) | int64(n.running)<<32)
	d.Add(from.Symbols.Hash(n.identity))
	d.AddInt(n.clock.mono(w.now) + n.clock.offsetNs - w.now)
	d.AddInt(n.clock.ratePpm)
	if n.clock.ratePpm != trueRatePpm || n.clock.awakePpm != 0 {
		d.AddInt(n.clock.awakePpm)
		d.AddInt(n.clock.sleptNs)
		d.AddSince(w.now, n.clock.baseNow) // readings are rounded from here
	}
	n.process.Digest(d, w.now, &s.Process)
	d.AddSince(w.now, w.timers.of(i))
	n.machine.Digest(d, n.clock.read(w.now), from, stored, observesNext)
}

// matters reports whether a message still does something: its client waits, or it is a write that the server has not
// carried out. An act of the scenario may stop any other message, too, and any answer keeps a connection alive.
func (m *message) matters(with *Fingerprint) bool {
	switch {
	case m.client < 0:
		return false
	case with.Numbers || with.Connections:
		return m.waited || m.onWire
	}
	return m.waited || m.onWire && m.Verb != network.Get && m.servedNs < 0
}

// rank is the place of a message among those of its client that matter, by the order in which they were sent.
func (w *World) rank(slot int32, with *Fingerprint) uint64 {
	m, rank := &w.net.list[slot], uint64(0)
	for k := range w.net.list {
		if o := &w.net.list[k]; o.client == m.client && o.order < m.order && o.matters(with) {
			rank++
		}
	}
	return rank
}

func (w *World) digestMessages(d *digest.Digest, from *coordination.Origin, stored elector.Version, with *Fingerprint) {
	var all digest.Unordered
	for k := range w.net.list {
		if w.net.list[k].matters(with) {
			var one digest.Digest
			one.Add(w.rank(int32(k), with))
			w.digestMessage(&one, int32(k), from, stored)
			all.Add(&one)
		}
	}
	d.AddAll(&all)
}

func (w *World) digestMessage(d *digest.Digest, slot int32, from *coordination.Origin, stored elector.Version) {
	m := &w.net.list[slot]
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
		d.AddSince(w.now, m.timeoutNs)
	}
	if m.servedNs < 0 && m.Verb != network.Get {
		elector.Version{Resource: m.version, UID: m.uid}.AddTo(d, stored)
		m.record.Digest(d, from)
	}
	if m.servedNs >= 0 && m.waited {
		elector.Version{Resource: m.answer.ResourceVersion, UID: m.answer.UID}.AddTo(d, stored)
		m.answer.Record.Digest(d, from)
	}
	if m.call >= 0 {
		w.net.calls.list[m.call].Digest(d, w.now)
	}
	for i := range w.net.stopped {
		if s := &w.net.stopped[i]; s.held && s.slot == slot && s.is(m) {
			d.AddInt(s.leftNs)
			d.AddSince(w.now, w.endOf(s.source))
		}
	}
}

// endOf is the instant of the act that ends what an act with a source began, never if none does.
func (w *World) endOf(source int32) int64 {
	for _, c := range w.acts.list[w.acts.next:] {
		if c.Source == source && c.Kind == DoOver {
			return c.AtNs
		}
	}
	return never
}

func (w *World) digestQueue(d *digest.Digest, with *Fingerprint) {
	var all digest.Unordered
	for k := range w.queue {
		e := &w.queue[k]
		if timer, is := timerOf(e.what); is && !w.nodes[e.candidate()].process.Expects(timer, e.number()) {
			continue
		}
		if e.isOfMessage() && (!w.net.list[e.slot].matters(with) || e.what == clientGivesUp &&
			!w.net.list[e.slot].waited) {
			continue
		}
		var one digest.Digest
		one.AddSince(w.now, e.at)
		w.digestEvent(&one, e, with)
		all.Add(&one)
	}
	d.AddAll(&all)
}

// timerOf is the timer of a process that an event is; is is false for any other event.
func timerOf(what eventKind) (timer process.InputKind, is bool) {
	switch what {
	case drainDue, runDue, startDue, probeDue:
		return processInputs[what], true
	}
	return 0, false
}

// digestEvent adds an event without its instant.
func (w *World) digestEvent(d *digest.Digest, e *event, with *Fingerprint) {
	d.Add(uint64(e.what) | uint64(e.key>>56)<<8 | uint64(uint32(e.candidate()))<<16)
	if e.isOfMessage() {
		d.Add(w.rank(e.slot, with))
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

func (w *World) digestActs(d *digest.Digest, with *Fingerprint) {
	for i := w.acts.next; i < len(w.acts.list); i++ {
		c := &w.acts.list[i]
		d.AddSince(w.now, c.AtNs)
		d.Add(uint64(c.Kind) | uint64(uint32(c.Target))<<8)
		if c.UntilNs == 0 {
			d.Add(0)
		} else {
			d.AddSince(w.now, c.UntilNs)
		}
		if c.Source < with.Acts {
			d.AddInt(int64(c.Source))
		}
		if c.Kind == DoIntercept {
			d.AddInt(int64(c.Nth - w.nodes[max(c.Target, 0)].seq))
			d.Add(uint64(c.Effect))
		}
	}
}
