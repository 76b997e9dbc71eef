package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
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
	flights []resourceWrite
	cuts    []Cut
	highest int64 // token seen
	sent    uint32
}

// writer is what a candidate knows of its own Lease, and its loop of writes.
type writer struct {
	transitions int64 // leaseTransitions of the Lease as it last read its own name there
	version     int64 // and its resourceVersion
	serial      int32 // of the loop: a later term has another one
}

// resourceWrite is a write on its way.
type resourceWrite struct {
	token     int64
	candidate int32
	run       int16
	inUse     bool
	givesUp   bool
}

func (r resource) clone() resource {
	r.writers, r.flights, r.cuts = slices.Clone(r.writers), slices.Clone(r.flights), slices.Clone(r.cuts)
	return r
}

// ownNumber sets the keys of the resource's messages apart from those of the candidate's others.
const ownNumber = 1 << 30

// learns takes the tokens of an answer that names the candidate itself.
func (w *World) learns(i int32, in *elector.Input) {
	if in.Result != elector.Success || in.Record.HolderIdentity != w.nodes[i].identity {
		return
	}
	k := &w.resource.writers[i]
	k.transitions, k.version = int64(in.Record.LeaseTransitions), in.ResourceVersion
}

// workBegins starts the loop of writes; the first goes out at once.
func (w *World) workBegins(i int32) {
	if len(w.resource.writers) == 0 {
		return
	}
	k := &w.resource.writers[i]
	k.serial++
	w.writesAt(w.now, i, k.serial)
}

func (w *World) writesAt(at int64, i, serial int32) {
	w.queue.push(message{at: at, key: orderKey(ownTimer, i, ownNumber|uint32(serial)), slot: serial, what: resourceDue})
}

// resourceWrites sends the write that is due. A process that stands still sends it when it goes on: the classic late one.
func (w *World) resourceWrites(i, serial int32) {
	n, k := &w.nodes[i], &w.resource.writers[i]
	if k.serial != serial || !n.active {
		return
	}
	if n.paused && w.processes[i].standstill != trace.ElectorHangs { // only the elector hangs: the work goes on
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, seq: serial, what: resourceDue})
		return
	}
	token := k.transitions
	if w.setup.Resource.Fence == VersionFence {
		token = k.version
	}
	w.toResource(resourceWrite{token: token, candidate: i, run: n.run})
	w.writesAt(w.now+w.setup.Resource.WriteEveryNs, i, serial)
}

// workOver gives the resource up.
func (w *World) workOver(i int32) {
	switch w.setup.Resource.CleanUp {
	case CleanUpWorks:
		w.toResource(resourceWrite{candidate: i, run: w.nodes[i].run, givesUp: true})
	case CleanUpFails:
		w.say(ResourceKept, i)
	}
}

func (w *World) toResource(write resourceWrite) {
	write.inUse = true
	slot := slices.IndexFunc(w.resource.flights, func(f resourceWrite) bool { return !f.inUse })
	if slot < 0 {
		slot = len(w.resource.flights)
		w.resource.flights = append(w.resource.flights, write)
	}
	w.resource.flights[slot] = write
	w.resource.sent++
	key := orderKey(arrival, write.candidate, ownNumber|w.resource.sent&(ownNumber-1))
	w.queue.push(message{at: w.now + w.setup.Resource.LatencyNs, key: key, slot: int32(slot), what: resourceReached})
}

// reachesResource decides what comes of a write: the resource knows nothing but the tokens it has seen.
func (w *World) reachesResource(slot int32) {
	f := w.resource.flights[slot]
	w.resource.flights[slot] = resourceWrite{}
	said := Record{Kind: ResourceAccepted, Candidate: f.candidate, Run: f.run, Payload: trace.Tokens{Sent: f.token, Highest: w.resource.highest}.Payload()}
	lost := slices.ContainsFunc(w.resource.cuts, func(c Cut) bool {
		return concerns(c.Candidate, f.candidate) && within(w.now, c.FromNs, c.UntilNs)
	})
	switch {
	case lost && f.givesUp:
		said.Kind = ResourceKept
	case f.givesUp:
		said.Kind = ResourceGivenUp
	case lost:
		said.Kind = ResourceLost
	case w.setup.Resource.Fence != NoFence && f.token < w.resource.highest:
		said.Kind = ResourceRefused
	default:
		w.resource.highest = max(w.resource.highest, f.token)
	}
	w.emit(said)
}

// cutResource and healResource change the way to the resource.
func (w *World) cutResource(c *Control, target int32) {
	w.resource.cuts = append(w.resource.cuts, Cut{Candidate: target, FromNs: w.now, UntilNs: c.UntilNs, Control: c.Source})
	w.emit(Record{Kind: ResourceCutBegan, Candidate: target, Control: c.Source, Payload: trace.FaultSpan{UntilNs: c.UntilNs}.Payload()})
}

func (w *World) healResource(c *Control, target int32) {
	w.resource.cuts = pruned(w.resource.cuts, func(r *Cut) bool { return concerns(target, r.Candidate) })
	w.emit(Record{Kind: ResourceCutEnded, Candidate: target, Control: c.Source})
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
