package view

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// This file is about node health: which nodes the monitors consider ready, and whether those nodes are alive. A
// monitor checks a node's heartbeat Lease, like Kubernetes' node lifecycle controller. A monitor may consider a dead
// node ready or a living node dead, and two monitors may disagree.

// The monitors' opinions about a node, in one word.
const (
	wordReady    = "ready"
	wordNotReady = "notReady"
	wordDisputed = "disputed" // the monitors disagree
)

// takenFor returns the word for what the monitors think of a node. It ignores monitors that have not yet seen the
// node: they have no opinion, which is not the same as "not ready". If no monitor has an opinion, takenFor returns
// "".
func takenFor(w *world.World, node int32) string {
	word := ""
	for k := range w.Monitors() {
		ready, known := w.Node(w.Monitor(k)).Ready(node)
		if known {
			word = joinWord(word, ready)
		}
	}
	return word
}

// joinWord adds one monitor's opinion to the word so far. "disputed" stays, because no other opinion can resolve the
// dispute.
func joinWord(word string, ready bool) string {
	one := wordNotReady
	if ready {
		one = wordReady
	}
	if word != "" && word != one {
		return wordDisputed
	}
	return one
}

// readySpans fills in the spans in which the monitors considered each node ready, and the spans in which they did not.
// The index has an entry for each change of a monitor's opinion. A node's word depends on the latest opinions of all
// monitors, so a change of one opinion may leave the word the same. Then the span continues.
func readySpans(look timeline.Look, r *timeline.Run, t *protocol.Timeline) {
	type opinion struct {
		monitor int32
		ready   bool
	}
	said := make([][]opinion, len(t.Lanes)) // in the order of the monitors' first opinions
	for _, n := range r.Index().Ready {
		if look.Live.Before(n.Cursor) {
			break
		}
		all, known := said[n.Node], false
		for k := range all {
			if all[k].monitor == n.Monitor {
				all[k].ready, known = n.Ready, true
			}
		}
		if !known {
			all = append(all, opinion{n.Monitor, n.Ready})
		}
		said[n.Node] = all
		word := ""
		for _, o := range all {
			word = joinWord(word, o.ready)
		}
		lane := &t.Lanes[n.Node]
		if k := len(lane.Ready) - 1; k >= 0 {
			if lane.Ready[k].Role == word {
				continue
			}
			lane.Ready[k].To = n.Cursor.T
		}
		lane.Ready = append(lane.Ready, protocol.RoleSpan{From: n.Cursor.T, To: look.Live.T, Role: word})
	}
	for i := range t.Lanes {
		t.Lanes[i].Ready = spansWithin(t.Lanes[i].Ready, t.From, t.To)
	}
}

// spansWithin returns the spans that overlap the window. It does not cut them, so the page knows how long ago a span
// began. It drops spans of length 0: for two changes at one instant there is nothing to draw. It reuses the memory of
// its argument "all".
func spansWithin(all []protocol.RoleSpan, fromNs, toNs int64) []protocol.RoleSpan {
	kept := all[:0]
	for _, s := range all {
		if s.To > s.From && s.To >= fromNs && s.From <= toNs {
			kept = append(kept, s)
		}
	}
	return kept
}

// roleOfBeating returns the word for a node without an elector that is neither down nor paused.
func roleOfBeating(w *world.World, i int32) string {
	for k := range w.Monitors() {
		if w.Monitor(k) == i {
			return "monitor"
		}
	}
	switch takenFor(w, i) {
	case wordReady:
		return "ready"
	case wordNotReady:
		return "not ready"
	case wordDisputed:
		return "disputed"
	}
	return "no elector"
}

// health returns what a monitor believes about the nodes, or what the monitors believe about a node that sends
// heartbeats. For a monitor the result has numbers, because a monitor may watch a thousand nodes. For a watched node
// the result lists each monitor's opinion, and since when the monitor has had it. A monitor's sentence gives the most
// worrying fact: dead nodes if there are any, otherwise the ready ones.
func health(look timeline.Look, w *world.World, i int32) string {
	if !w.Node(i).Alive() {
		return "nothing: no process"
	}
	for k := range w.Monitors() {
		if w.Monitor(k) != i {
			continue
		}
		notReady, _, known := opinionsOf(w, i)
		switch {
		case known == 0:
			return "knows no node yet"
		case notReady == 0:
			return fmt.Sprintf("considers %d of %d nodes ready", known, w.Heartbeating())
		}
		return fmt.Sprintf("considers %d of %d nodes dead", notReady, w.Heartbeating())
	}
	var said []string
	for k := range w.Monitors() {
		m := w.Monitor(k)
		ready, known := w.Node(m).Ready(i)
		if !known {
			continue
		}
		word := "considered dead"
		if ready {
			word = "ready"
		}
		if w.Monitors() > 1 {
			word += " for " + w.Node(m).Name()
		}
		said = append(said, word+" since "+words.Instant(mindChanged(look, m, i)))
	}
	if len(said) == 0 {
		return "no monitor knows it yet"
	}
	return strings.Join(said, "; ")
}

// mindChanged returns since when a monitor has had its current opinion of a node. It returns 0 if the index has no
// such change, which cannot happen if the monitor has an opinion.
func mindChanged(look timeline.Look, monitor, node int32) int64 {
	all := look.Run.Index().Ready
	for k := len(all) - 1; k >= 0; k-- {
		if n := &all[k]; n.Node == node && n.Monitor == monitor && !look.Cursor.Before(n.Cursor) {
			return n.Cursor.T
		}
	}
	return 0
}

// opinionsOf counts the nodes that a monitor considers dead, how many of these are alive, and all nodes that it
// knows. A paused node counts as not alive: it sends no heartbeats, so the monitor is right.
func opinionsOf(w *world.World, monitor int32) (notReady, live, known int) {
	for k := range w.Heartbeating() {
		i := w.HeartbeatNode(k)
		ready, seen := w.Node(monitor).Ready(i)
		if !seen {
			continue
		}
		known++
		if !ready {
			notReady++
			if w.Node(i).Alive() && !w.Node(i).Paused() {
				live++
			}
		}
	}
	return notReady, live, known
}

// healthTitle returns the headline while a monitor considers nodes dead, or after a monitor considered living nodes
// dead. Otherwise it returns "". With two monitors it is about the one that considers the most nodes dead. The second
// headline stays for the rest of the run: such a scenario is about a wrong verdict, even after the monitor has
// corrected it.
func healthTitle(look timeline.Look, w *world.World) string {
	all := w.Heartbeating()
	if all == 0 {
		return ""
	}
	most, living, who := 0, 0, "The monitor"
	for k := range w.Monitors() {
		if notReady, live, _ := opinionsOf(w, w.Monitor(k)); notReady > most {
			most, living = notReady, live
			if w.Monitors() > 1 {
				who = w.Node(w.Monitor(k)).Name()
			}
		}
	}
	if most > 0 {
		rest := fmt.Sprintf("%d of them are alive.", living)
		switch {
		case most == 1 && living == 1:
			rest = "It lives."
		case most == 1:
			rest = "It is down or paused."
		case living == most:
			rest = "All of them are alive."
		case living == 0:
			rest = "All of them are down or paused."
		case living == 1:
			rest = "1 of them is alive."
		}
		return fmt.Sprintf("%s considers %d of %d nodes dead. %s", who, most, all, rest)
	}
	wronged, number := make([]bool, w.Nodes()), 0
	for _, n := range look.Run.Index().Ready {
		if !look.Cursor.Before(n.Cursor) && !n.Ready && n.Alive && !wronged[n.Node] {
			wronged[n.Node] = true
			number++
		}
	}
	if number == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d nodes were alive while a monitor considered them dead.", number, all)
}
