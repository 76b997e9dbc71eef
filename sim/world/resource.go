package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

// resource is what leaders write to, with a writer for every candidate. Writes bypass the API server and have their
// own network rules. Without a resource in the setup, the list of writers is empty.
type resource struct {
	machine fencing.Resource
	writers []writer
	rules   network.Rules
	sent    uint32
}

type writer struct {
	fencing.Writer
	link network.Link
	sent int32 // number of writes so far
}

func (r *resource) clone() resource {
	c := *r
	c.writers, c.rules = slices.Clone(r.writers), r.rules.Clone()
	return c
}

// add adds the writer of a new node.
func (r *resource) add(w *World) {
	if w.setup.Resource.WriteEveryNs > 0 {
		r.writers = append(r.writers, writer{})
	}
}

// nextNumber numbers a message to the resource within the total order of an instant.
func (r *resource) nextNumber() uint32 {
	r.sent++
	return ownNumber | r.sent&(ownNumber-1)
}

// ownNumber separates the keys of a candidate's writes to the resource from its other messages.
const ownNumber = 1 << 30

// `learn` gives a candidate's writer the tokens in an answer that names the candidate.
func (r *resource) learn(w *World, i int32, in *elector.Input) {
	if in.Result != step.Success || in.Record.HolderIdentity != w.nodes[i].identity {
		return
	}
	r.stepWriter(w, i, &fencing.Input{Kind: fencing.Read, Transitions: int64(in.Record.LeaseTransitions),
		Version: in.ResourceVersion})
}

// startWrites starts a leader's write loop.
func (r *resource) startWrites(w *World, i int32) {
	if len(r.writers) > 0 {
		r.stepWriter(w, i, &fencing.Input{Kind: fencing.Leads})
	}
}

// handleWriteDue passes a timer to its writer.
func (r *resource) handleWriteDue(w *World, i, serial int32) {
	p := &w.nodes[i].process
	r.stepWriter(w, i, &fencing.Input{Kind: fencing.Due, Serial: serial, Active: p.Active, Works: p.Works()})
}

// stepWriter passes an input to a candidate's writer and carries out its output.
func (r *resource) stepWriter(w *World, i int32, in *fencing.Input) {
	o := r.writers[i].Step(&w.setup.Resource, in)
	if o.Send {
		r.send(w, i, o.Token, false)
	}
	if o.Timer {
		w.queue.push(event{at: w.now + o.AfterNs, key: orderKey(ownTimer, i, ownNumber|uint32(o.Serial)),
			slot: o.Serial, what: resourceDue})
	}
	if o.Defer {
		w.deferred.add(w.now, event{key: orderKey(ownTimer, i, uint32(o.Serial)), slot: -1, what: resourceDue})
	}
}

// giveUp is the last step of a leader's work.
func (r *resource) giveUp(w *World, i int32) {
	switch w.setup.Resource.CleanUp {
	case fencing.CleanUpWorks:
		r.send(w, i, 0, true)
	case fencing.CleanUpFails:
		w.say(trace.ResourceKept, i)
	}
}

func (r *resource) send(w *World, i int32, token int64, cleansUp bool) {
	slot, m := w.net.add(w, resourceRequest, i, network.Update)
	m.version, m.run, m.cleansUp = token, w.nodes[i].process.Run, cleansUp
	r.writers[i].sent++
	m.Seq = r.writers[i].sent
	r.writers[i].link = network.Link{Client: i, Server: network.None}
	w.net.leave(w, slot)
}

// writeKinds maps the outcomes of writes to kinds of record.
var writeKinds = [...]trace.Kind{
	fencing.Accepted: trace.ResourceAccepted, fencing.Refused: trace.ResourceRefused, fencing.Lost: trace.ResourceLost,
	fencing.GivenUp: trace.ResourceGivenUp, fencing.Kept: trace.ResourceKept,
}

// takeResourceWrite passes the resource a write that arrived or got lost.
func takeResourceWrite(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	r := &w.resource
	tokens := trace.Tokens{Sent: m.version, Highest: r.machine.Highest()}
	outcome := r.machine.Step(&w.setup.Resource, fencing.Write{Token: m.version, CleansUp: m.cleansUp, Lost: m.lostUp})
	w.emit(trace.Record{Kind: writeKinds[outcome], Candidate: m.client, Run: m.run, Payload: tokens.Payload()})
}

// cutResource cuts candidates off from the resource.
func (c *Control) cutResource(w *World, target int32) {
	w.resource.rules.BeginCut(network.Cut{Client: target, FromNs: w.now, UntilNs: c.UntilNs, Source: c.Source})
	w.emit(trace.Record{Kind: trace.ResourceCutBegan, Candidate: target, Control: c.Source,
		Payload: trace.FaultSpan{UntilNs: c.UntilNs}.Payload()})
}

// healResource reconnects candidates to the resource.
func (c *Control) healResource(w *World, target int32) {
	w.resource.rules.EndCuts(w.now, target)
	w.emit(trace.Record{Kind: trace.ResourceCutEnded, Candidate: target, Control: c.Source})
}
