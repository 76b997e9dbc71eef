package world

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

// A client keeps one connection to an API server. It notices that the other end is dead when nothing has come back for
// some time: after two thirds of deadPeerTime without a frame it sends a ping, and waits for the rest of it. Then it opens
// a new connection, to the next API server if there are several.
// Source: apimachinery v0.36 util/net http.go, ReadIdleTimeout 30s and PingTimeout 15s.

// deadAt is the instant at which a node notices that its connection is dead, if it has been since fromNs. Pings that were
// answered before count as signs of life.
func (n *node) deadAt(fromNs, deadPeerNs int64) int64 {
	idle := max(deadPeerNs/3*2, 1)
	heard := n.heardNs
	if fromNs > heard {
		heard += (fromNs - heard) / idle * idle
	}
	return heard + deadPeerNs
}

// deaf reports whether nothing gets through to a node's API server and back, and since when.
func (w *World) deaf(i int32) (fromNs int64, yes bool) {
	n := &w.nodes[i]
	for k := range w.cuts {
		c := &w.cuts[k]
		if !c.Refuse && (c.stops(w, i, w.now, Up) || c.stops(w, i, w.now, Down)) {
			return c.FromNs, true
		}
	}
	if stopped, _ := w.silent(i); stopped {
		return w.nodes[w.servers[n.peer].node].stoodNs, true
	}
	return 0, false
}

// connects gives a node that is about to send a new connection if it has noticed that the old one is dead.
func (w *World) connects(i int32, deadPeerNs int64) {
	if from, deaf := w.deaf(i); deaf && w.now >= w.nodes[i].deadAt(from, deadPeerNs) {
		w.reconnects(i)
	}
}

// reconnects opens a new connection, to the next API server.
func (w *World) reconnects(i int32) {
	n := &w.nodes[i]
	to := trace.Connection{HeardNs: n.heardNs, Server: NoCandidate}
	n.connectedNs, n.heardNs = w.now, w.now
	if len(w.servers) > 0 {
		n.peer = (n.peer + 1) % int32(len(w.servers))
		to.Server = w.servers[n.peer].node
	}
	w.emit(Record{Kind: Reconnected, Candidate: i, Run: n.run, Payload: to.Payload()})
}

// mortal ends a lost request when its client notices that the connection is dead, if that is before its timeout.
func (w *World) mortal(r *request) {
	n := &w.nodes[r.candidate]
	dead := w.settings[n.settings].DeadPeerNs
	if dead == 0 {
		return
	}
	if from, deaf := w.deaf(r.candidate); deaf {
		r.timeoutNs = min(r.timeoutNs, max(n.deadAt(from, dead), w.now))
	}
}

// serves reports whether a node is the API server that a client is connected to.
func (w *World) serves(server, client int32) bool {
	return len(w.servers) > 0 && w.nodes[client].server == 0 && w.servers[w.nodes[client].peer].node == server
}

// Peer is the API server that a node is connected to, as a node, NoCandidate if there is only one that is none.
func (w *World) Peer(i int32) int32 {
	if len(w.servers) == 0 {
		return NoCandidate
	}
	return w.servers[w.nodes[i].peer].node
}

// behind answers a read from a cache that is so far behind.
func (w *World) behind(r *request, lease int32) (storage.Object, storage.Outcome) {
	history := w.store.History()
	for k := history.IndexAt(w.now - r.lagNs); k >= history.First() && k >= 0; k-- {
		if v := history.At(k); v.Lease == lease {
			if v.Deleted {
				break
			}
			return v.Object, storage.OK
		}
	}
	return storage.Object{}, storage.NotFound
}

// prepare is what only some candidates need before they send: a living connection, drawn latencies, a cache to read from.
func (w *World) prepare(r *request, i int32, verb elector.Verb, seq int32) (requestNs, responseNs int64) {
	settings := &w.settings[w.nodes[i].settings]
	if settings.DeadPeerNs > 0 {
		w.connects(i, settings.DeadPeerNs)
	}
	r.lagNs = settings.ReadLagNs
	return w.legs(i, verb, seq, settings)
}
