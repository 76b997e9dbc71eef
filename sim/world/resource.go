package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// Fence says which token of a write a resource compares with the highest it has seen.
type Fence uint8

const (
	NoFence Fence = iota
	TransitionsFence
	VersionFence
)

// CleanUp is what comes of the step with which a leader gives the resource up.
type CleanUp uint8

const (
	NoCleanUp CleanUp = iota // there is no such step, and nobody owns the resource
	CleanUpWorks
	CleanUpFails
)

// Resource is what a leader writes to while it works. It is reached without the API server: cuts between a candidate and
// the API server do not concern it. WriteEveryNs 0: there is none.
type Resource struct {
	Fence        Fence
	CleanUp      CleanUp
	WriteEveryNs int64
	LatencyNs    int64
}

// resource is its state. Clone copies it.
type resource struct {
	writers []writer // by candidate; none without a resource
	rules   network.Rules
	highest int64 // token seen
	sent    uint32
}

// writer is what a candidate knows of its own Lease, and its loop of writes.
type writer struct {
	transitions int64 // leaseTransitions of the Lease as it last read its own name there
	version     int64 // and its resourceVersion
	serial      int32 // of the loop: a later term has another one
	link        network.Link
}

func (r resource) clone() resource {
	r.writers, r.rules = slices.Clone(r.writers), r.rules.Clone()
	return r
}

// ownNumber sets the keys of the resource's messages apart from those of the candidate's others.
const ownNumber = 1 << 30

// learn takes the tokens of an answer that names the candidate itself.
func (w *World) learn(i int32, in *elector.Input) {
	if in.Result != step.Success || in.Record.HolderIdentity != w.nodes[i].identity {
		return
	}
	k := &w.resource.writers[i]
	k.transitions, k.version = int64(in.Record.LeaseTransitions), in.ResourceVersion
}

// startWrites starts the loop of writes; the first goes out at once.
func (w *World) startWrites(i int32) {
	if len(w.resource.writers) == 0 {
		return
	}
	k := &w.resource.writers[i]
	k.serial++
	w.writeAt(w.now, i, k.serial)
}

func (w *World) writeAt(at int64, i, serial int32) {
	w.queue.push(event{at: at, key: orderKey(ownTimer, i, ownNumber|uint32(serial)), slot: serial, what: resourceDue})
}

// writeResource sends the write that is due. A paused process sends it when it goes on: the classic late one.
func (w *World) writeResource(i, serial int32) {
	n, k := &w.nodes[i], &w.resource.writers[i]
	if k.serial != serial || !n.process.Active {
		return
	}
	if !n.process.Works() {
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, seq: uint32(serial), what: resourceDue})
		return
	}
	token := k.transitions
	if w.setup.Resource.Fence == VersionFence {
		token = k.version
	}
	w.sendToResource(i, token, false)
	w.writeAt(w.now+w.setup.Resource.WriteEveryNs, i, serial)
}

// giveUpResource is the last step of a leader's work.
func (w *World) giveUpResource(i int32) {
	switch w.setup.Resource.CleanUp {
	case CleanUpWorks:
		w.sendToResource(i, 0, true)
	case CleanUpFails:
		w.say(trace.ResourceKept, i)
	}
}

func (w *World) sendToResource(i int32, token int64, cleansUp bool) {
	slot, m := w.net.newMessage(w, resourceRequest, i, network.Update, network.AnyResource)
	m.version, m.run, m.cleansUp = token, w.nodes[i].process.Run, cleansUp
	w.resource.writers[i].link = network.Link{Client: i, Server: network.None}
	w.net.leave(w, slot)
}

// endResource decides what comes of a write: the resource knows nothing but the tokens it has seen.
func (w *World) endResource(slot int32) {
	m, _ := w.net.drop(slot)
	said := trace.Record{Kind: trace.ResourceAccepted, Candidate: m.client, Run: m.run, Payload: trace.Tokens{Sent: m.version, Highest: w.resource.highest}.Payload()}
	switch {
	case m.lostUp && m.cleansUp:
		said.Kind = trace.ResourceKept
	case m.cleansUp:
		said.Kind = trace.ResourceGivenUp
	case m.lostUp:
		said.Kind = trace.ResourceLost
	case w.setup.Resource.Fence != NoFence && m.version < w.resource.highest:
		said.Kind = trace.ResourceRefused
	default:
		w.resource.highest = max(w.resource.highest, m.version)
	}
	w.emit(said)
}

// cutResource and healResource change the way to the resource.
func (c *Control) cutResource(w *World, target int32) {
	w.resource.rules.BeginCut(network.Cut{Client: target, FromNs: w.now, UntilNs: c.UntilNs, Source: c.Source})
	w.emit(trace.Record{Kind: trace.ResourceCutBegan, Candidate: target, Control: c.Source, Payload: trace.FaultSpan{UntilNs: c.UntilNs}.Payload()})
}

func (c *Control) healResource(w *World, target int32) {
	w.resource.rules.EndCuts(w.now, target)
	w.emit(trace.Record{Kind: trace.ResourceCutEnded, Candidate: target, Control: c.Source})
}

// Resource is the highest token that the resource has seen; ok is false if there is no resource.
func (w *World) Resource() (highest int64, ok bool) {
	return w.resource.highest, w.setup.Resource.WriteEveryNs > 0
}

// Bounds are what a run must keep; 0: no bound.
type Bounds struct {
	LeaderlessNs      int64
	RecoveryNs        int64
	RequestsPerSecond int64
}
