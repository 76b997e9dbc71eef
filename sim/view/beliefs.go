package view

import (
	"time"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// This file answers "who thinks what?". In leader election a node acts on its opinion of the Lease: the record that
// it read last, and how long that record is valid on its own clock. The truth is in the store, but every node reads
// the store with a delay. Mistakes happen where opinions differ, so the page shows them side by side.

// beliefNs is how much time before the cursor the bands cover.
const beliefNs = 60_000_000_000

// Beliefs returns what the nodes believe at the cursor. API servers do not appear: they compete for another Lease.
// For each node the result has the holder that the node has read, and two instants of the run. Seen is when the node
// saw that record change. Until is when the record expires by the node's clock. Until is nil while nobody holds the
// Lease. Margins has one entry per active leader, so it has two in an overlap. Bands covers the last minute before the
// cursor.
func Beliefs(look timeline.Look) *protocol.Beliefs {
	s := look.Here()
	w := s.World
	b := &protocol.Beliefs{
		Run: look.Run.ID(), Server: wallText(look.Cursor.T), From: max(0, look.Cursor.T-beliefNs), To: look.Cursor.T,
		Nodes: []protocol.Belief{}, Margins: []protocol.LeaderMargin{},
	}
	for i := range int32(min(w.Nodes(), viewNodes)) {
		if w.Node(i).IsServer() {
			continue
		}
		one := protocol.Belief{Name: w.Node(i).Name(), Index: int(i), Alive: w.Node(i).Alive(),
			Leads: w.Node(i).IsLeader()}
		offset, _, _ := w.Node(i).Clock()
		one.MonoNs = w.Node(i).MonoNs(look.Cursor.T)
		one.Wall = wallText(one.MonoNs + offset)
		if record, at, seen := w.Node(i).ObservedRecord(); seen {
			one.Holder = w.DisplayName(record.HolderIdentity)
			one.Seen = &timeline.Cursor{T: at, N: -1}
			if until, known := w.Node(i).LeaseExpiresNs(); known && record.HolderIdentity != 0 {
				one.Until = &until
			}
		}
		b.Nodes = append(b.Nodes, one)
		if w.Node(i).Active() && w.Node(i).Alive() {
			b.Margins = append(b.Margins, marginOf(s, i))
		}
	}
	if _, least, known := s.Checks.Margin(); known {
		b.Least = &least
	}
	if nearest, known := s.Checks.NearestNs(); known {
		b.Nearest = &nearest
	}
	b.Bands = beliefBands(look, b.From, b.To)
	return b
}

// marginOf compares, for one active leader, when it must stop and when another node takes over at the earliest. The
// sum has the same four addends as in marginNs, but with the leader's own values: renewDeadline and retryPeriod on
// its clock, and the latency of its last answer. Stops and Takes are instants of the run, and By names the node that
// takes over. If the instant Takes comes before the instant Stops, two nodes are about to lead. A paused node cannot
// take over, so it does not count.
func marginOf(s *timeline.State, i int32) protocol.LeaderMargin {
	w := s.World
	running, _ := w.Node(i).Settings()
	m := protocol.LeaderMargin{
		Node: w.Node(i).Name(), Index: int(i), LeaseNs: int64(running.LeaseDuration / time.Second * time.Second),
		RenewNs: w.Node(i).TimerNs(int64(running.RenewDeadline)),
		RetryNs: w.Node(i).TimerNs(int64(running.RetryPeriod)), AnswerNs: running.ResponseNs,
		Paused: w.Node(i).Paused(),
	}
	if _, answer, known := s.Tracker.Renewal(i); known {
		m.AnswerNs = answer
	}
	m.MarginNs = m.LeaseNs - m.RenewNs - m.RetryNs - m.AnswerNs
	if zero, leading, ok := w.Node(i).Countdown(); ok && leading {
		m.Stops = &zero
	}
	for k := range int32(w.Nodes()) {
		stored, exists := w.Node(k).LockObject()
		zero, leading, ok := w.Node(k).Countdown()
		if k == i || leading || !ok || w.Node(k).IsServer() || w.Node(k).Paused() {
			continue
		}
		// A node that has not seen the last renewal will see that renewal at the next read. Then the node's countdown
		// starts again.
		if record, _, _ := w.Node(k).ObservedRecord(); exists && !record.SameRaw(&stored.Spec) {
			zero = max(zero, w.Now()+w.Node(k).TimerNs(int64(stored.Spec.LeaseDurationSeconds)*1e9))
		}
		if m.Takes == nil || zero < *m.Takes {
			m.Takes, m.By = &zero, w.Node(k).Name()
		}
	}
	return m
}

// beliefBands recomputes a span of the run and returns the bands in which no node, or more than one, believed that it
// was the leader. It must step through the span again, because the index does not contain IsLeader, and the state at
// the cursor does not show what nodes believed a minute ago. A belief that begins and ends within one instant has no
// width, so it gets no band.
func beliefBands(look timeline.Look, fromNs, toNs int64) []protocol.BeliefBand {
	all := []protocol.BeliefBand{}
	r := look.Run
	s := r.At(timeline.Cursor{T: fromNs, N: -1})
	open := protocol.BeliefBand{}
	// open holds the current band. Kind "" means that exactly one node believes that it is the leader, which is the
	// normal case and gets no band.
	note := func(now int64) {
		kind, who := believers(s.World)
		if kind == open.Kind && who == open.Who {
			return
		}
		if open.Kind != "" && now > open.From {
			open.To = now
			all = append(all, open)
		}
		open = protocol.BeliefBand{From: now, Kind: kind, Who: who}
	}
	note(fromNs)
	for s.Step(toNs, nil) {
		note(s.World.Now())
	}
	if open.Kind != "" && toNs > open.From {
		open.To = toNs
		all = append(all, open)
	}
	return all
}

// believers returns the kind of band, and the names of the nodes that believe they are the leader. It returns "" if
// exactly one does. Belief is not the same as work: IsLeader stays true in a node that has lost the Lease, until the
// node reads another record. client-go's IsLeader works the same way.
func believers(w *world.World) (kind, who string) {
	n := 0
	for i := range int32(w.Nodes()) {
		if !w.Node(i).IsLeader() {
			continue
		}
		if n++; n > 1 {
			who += " and "
		}
		who += w.Node(i).Name()
	}
	switch n {
	case 0:
		return "nobody", ""
	case 1:
		return "", ""
	}
	return "two", who
}
