package world

import (
	"cmp"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wide"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// `do` applies the act to the world.
func (c *Control) do(w *World) {
	switch {
	case c.Auto:
		c.undo(w)
		return
	case c.Kind == DoOver: // it ends what its act began, and needs no target
		c.endRule(w)
		return
	}
	target := c.Target
	switch {
	case c.TargetName != 0:
		target = w.nodeNamed(c.TargetName)
	case target == Holder:
		target = w.liveHolder()
	}
	if target < 0 && target != Everybody {
		c.skip(w, trace.NoCandidate)
		return
	}
	switch c.Kind {
	case DoCut, DoHeal, DoFail, DoRecover, DoLatency:
		c.changeNetwork(w, target)
	case DoCapacity:
		c.changeCapacity(w)
	case DoRollback:
		c.rollback(w)
	case DoCutResource:
		c.cutResource(w, target)
	case DoHealResource:
		c.healResource(w, target)
	case DoRequest:
		c.request(w)
	case DoWrite:
		c.write(w)
	case DoJoin:
		c.join(w, c.Candidate)
	case DoRollout:
		c.rollOut(w)
	default:
		if target == Everybody {
			for i := range w.nodes {
				c.doTo(w, int32(i))
			}
			return
		}
		c.doTo(w, target)
	}
}

// `join` adds a node and starts its process.
func (c *Control) join(w *World, candidate *Candidate) {
	i := w.addNode(candidate)
	w.emit(trace.Record{Kind: trace.Joined, Candidate: i, Control: c.Source})
	w.stepProcess(i, process.Input{Kind: process.Start}, c.Source)
}

// `undo` ends what the act began, on all nodes, because the target may mean a different node by now. It resumes paused
// processes, restarts crashed ones, and kills processes that outlived their grace period.
func (c *Control) undo(w *World) {
	for i := range w.nodes {
		n := &w.nodes[i]
		p := &n.process
		switch c.Kind {
		case DoResume:
			if p.Paused && p.PauseSource == c.Source {
				c.doTo(w, int32(i))
			}
		case DoRestart:
			if p.Life == process.Crashed && (c.Source < 0 || p.EndSource == c.Source) {
				c.doTo(w, int32(i))
			}
		case DoStop:
			if c.TargetName == 0 || c.TargetName == n.name {
				w.stepProcess(int32(i), process.Input{Kind: process.Kill, Source: c.Source}, c.Source)
			}
		}
	}
}

// nodeNamed returns the newest node with a name, or Holder if no node has it.
func (w *World) nodeNamed(name coordination.Symbol) int32 {
	for i := len(w.nodes) - 1; i >= 0; i-- {
		if w.nodes[i].name == name {
			return int32(i)
		}
	}
	return Holder
}

// liveHolder returns the live candidate that the first Lease names, or else the one that the ConfigMap names. It
// returns Holder if neither names a live candidate.
func (w *World) liveHolder() int32 {
	if i := w.holderOf(0); i != Holder {
		return i
	}
	return w.holderOf(w.setup.ConfigMap())
}

// holderOf returns the live candidate that an object names. If several match, it prefers one that leads. It
// returns Holder if the object names no live candidate.
func (w *World) holderOf(object int32) int32 {
	o, outcome := w.store.Get(object)
	found := Holder
	if outcome != storage.OK || o.Spec.HolderIdentity == 0 {
		return found
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.identity != o.Spec.HolderIdentity || !n.process.Alive {
			continue
		}
		if n.leads() {
			return int32(i)
		}
		if found < 0 {
			found = int32(i)
		}
	}
	return found
}

// `skip` records that the act does not apply.
func (c *Control) skip(w *World, candidate int32) {
	w.emit(trace.Record{Kind: trace.Skipped, Candidate: candidate, Control: c.Source,
		Payload: trace.Skip{Control: int32(c.Kind)}.Payload()})
}

// doTo applies the act to a node.
func (c *Control) doTo(w *World, i int32) {
	switch c.Kind {
	case DoStart:
		c.step(w, i, process.Input{Kind: process.Start})
	case DoRestart:
		c.step(w, i, process.Input{Kind: process.Restart, Busy: w.nodes[i].machine.Running() ||
			!w.Node(i).HasElector()})
	case DoPause, DoSuspend, DoHang:
		c.pause(w, i)
	case DoResume:
		c.step(w, i, process.Input{Kind: process.Resume})
	case DoCrash:
		c.step(w, i, process.Input{Kind: process.Crash, Source: c.Source})
	case DoRemove:
		c.step(w, i, process.Input{Kind: process.Remove})
	case DoStop:
		stop := w.stopInput(i, process.Stop)
		stop.Source = c.Source
		c.step(w, i, stop)
	case DoClock:
		c.setClock(w, i)
	case DoSet:
		c.changeSettings(w, i)
	case DoUpgrade:
		c.upgrade(w, i)
	case DoProbe:
		c.probe(w, i)
	case DoBurst:
		c.burst(w, i)
	case DoIntercept:
		c.intercept(w, i)
	case DoDeliver:
		c.deliver(w, i)
	}
}

// `step` passes the act to a node's process and skips it if it does not apply.
func (c *Control) step(w *World, i int32, in process.Input) {
	if !w.stepProcess(i, in, c.Source) {
		c.skip(w, i)
	}
}

var pauseKinds = [...]trace.PauseKind{DoPause: trace.ProcessStopped, DoSuspend: trace.NodeSuspended,
	DoHang: trace.ElectorHangs}

// pause pauses a process, suspends its node or hangs its elector. An API server can only be paused.
func (c *Control) pause(w *World, i int32) {
	if c.Kind != DoPause && w.nodes[i].kind == serverNode {
		c.skip(w, i)
		return
	}
	c.step(w, i, process.Input{Kind: process.Pause, PauseKind: pauseKinds[c.Kind], Source: c.Source,
		UntilNs: c.UntilNs})
}

// changeNetwork begins or ends a rule of the network.
func (c *Control) changeNetwork(w *World, target int32) {
	said := trace.Record{Candidate: target, Control: c.Source, Payload: trace.FaultSpan{UntilNs: c.UntilNs}.Payload()}
	switch c.Kind {
	case DoCut:
		cut := *c.Cut
		cut.Client, cut.FromNs, cut.UntilNs, cut.Source = target, w.now, c.UntilNs, c.Source
		w.net.rules.BeginCut(cut)
		if cut.Refuse && target == Everybody {
			w.loseHistory()
		}
		said.Kind = trace.CutBegan
		said.Payload = trace.Cut{UntilNs: c.UntilNs, Direction: cut.Direction, Refuse: cut.Refuse, Hold: cut.Hold,
			Chance: cut.Chance}.Payload()
	case DoHeal:
		w.net.rules.EndCuts(w.now, target)
		said.Kind = trace.CutEnded
	case DoFail:
		f := *c.Fault
		f.Client, f.FromNs, f.UntilNs, f.Source = target, w.now, c.UntilNs, c.Source
		w.net.rules.BeginFault(f)
		said.Kind, said.Fault = trace.FailBegan, f.Kind
		said.Payload = trace.FaultSpan{UntilNs: c.UntilNs, After: f.After, Chance: f.Chance}.Payload()
	case DoRecover:
		w.net.rules.EndFaults(w.now, target)
		said.Kind = trace.FailEnded
	case DoLatency:
		l := *c.Latency
		l.Client, l.FromNs, l.UntilNs, l.Source = target, w.now, c.UntilNs, c.Source
		w.net.rules.BeginLatency(l)
		said.Kind = trace.LatencyChanged
	}
	w.emit(said)
	w.net.resumeHeld(w)
}

var endedKind = [...]trace.Kind{network.CutRule: trace.CutEnded, network.FaultRule: trace.FailEnded,
	network.LatencyRule: trace.LatencyRestored}

// endRule ends the rule that an act began for a limited time, or delivers the message that the act still holds.
func (c *Control) endRule(w *World) {
	w.net.deliverHeldBy(w, c.Source)
	rules, kind := &w.net.rules, trace.Kind(trace.NoKind)
	ended := w.net.rules.End(c.Source)
	if ended.Kind != network.NoRule {
		kind = endedKind[ended.Kind]
	} else if ended = w.resource.rules.End(c.Source); ended.Kind != network.NoRule {
		rules, kind = &w.resource.rules, trace.ResourceCutEnded
	}
	if kind != trace.NoKind {
		over := trace.Over{AnotherLasts: rules.Lasts(w.now, ended)}
		w.emit(trace.Record{Kind: kind, Candidate: ended.Client, Control: c.Source, Payload: over.Payload()})
	}
	w.net.resumeHeld(w)
}

// setClock changes a node's clock at once. Running timers stretch with the rate.
func (c *Control) setClock(w *World, i int32) {
	n := &w.nodes[i]
	if n.clock.ratePpm == stoppedRate { // the clock stays suspended while the node sleeps
		c.skip(w, i)
		return
	}
	oldRate, rate := n.clock.ratePpm, c.RatePpm
	rate = cmp.Or(rate, oldRate)
	slept := n.clock.sleptNs
	offsetNs := n.clock.offsetNs - slept
	if c.SetOffset {
		offsetNs = c.OffsetNs
	}
	offsetNs += c.JumpNs
	n.clock.set(w.now, offsetNs+slept, rate)
	n.plainClock = false
	w.emit(trace.Record{Kind: trace.ClockChanged, Candidate: i, Run: n.process.Run, Control: c.Source,
		Payload: trace.Clock{OffsetNs: offsetNs, RatePpm: rate}.Payload()})
	if rate == oldRate || !n.process.Alive {
		return
	}
	w.rearmBesideElector(i)
	retry, deadline := w.Node(i).timerLengths()
	n.machine.Reclock(w.now, retry, deadline, func(left int64) int64 { return wide.MulDiv(left, oldRate, rate) })
	if !n.process.Paused {
		w.timers.set(i, n.machine.NextWakeNs())
	}
}

// changeSettings gives a node new settings. Network settings take effect at once, elector settings at the elector's
// next start.
func (c *Control) changeSettings(w *World, i int32) {
	n := &w.nodes[i]
	next := w.settings[n.settings]
	c.Change.SetNetwork(&next)
	if n.kind != serverNode {
		c.Change.SetElector(&next)
	} else { // the target is "*", so the controllers keep their election settings and their own API server
		next.DeadPeerNs, next.ReadLagNs = 0, 0
	}
	n.set(w, &next)
	w.emit(trace.Record{Kind: trace.SettingsChanged, Candidate: i, Run: n.process.Run, Control: c.Source})
}

// write applies an administrator's write.
func (c *Control) write(w *World) {
	a, object := c.Write, elector.Lease
	if a.Lease == w.setup.ConfigMap() {
		object, w.electors.usesConfigMap = elector.ConfigMap, true
	}
	o, outcome := w.store.Get(a.Lease)
	spec := a.Spec
	switch a.Op {
	case trace.Delete:
		o, outcome = w.store.Delete(w.now, trace.NoCandidate, a.Lease)
	case trace.Touch:
		o, outcome = w.store.Touch(w.now, trace.NoCandidate, a.Lease)
	case trace.Patch:
		if outcome != storage.OK {
			break
		}
		spec = withPatch(o.Spec, a)
		fallthrough
	case trace.Put:
		if a.RenewNow {
			spec.RenewTime = coordination.MicroTimeOf(EpochUnixNs + w.now)
			spec.Present |= coordination.HasRenewTime
		}
		spec = object.AsStored(spec)
		o, outcome = w.store.Put(w.now, trace.NoCandidate, a.Lease, spec)
		if outcome == storage.Unchanged && a.Always {
			o, outcome = w.store.Touch(w.now, trace.NoCandidate, a.Lease)
		}
	}
	if a.Lease == 0 && outcome != storage.NotFound && outcome != storage.Unchanged {
		w.leaseChanged()
	}
	w.emit(trace.Record{Kind: trace.Written, Candidate: trace.NoCandidate, Outcome: outcome,
		ResourceVersion: o.ResourceVersion, Spec: o.Spec, Control: c.Source, Object: object,
		Payload: trace.Write{Op: a.Op}.Payload()})
}

// withPatch returns a spec after a Patch has set and cleared its fields.
func withPatch(spec coordination.Record, a *Write) coordination.Record {
	p := &a.Spec
	for field := coordination.HasHolderIdentity; field <= coordination.HasPreferredHolder; field <<= 1 {
		switch {
		case p.Has(field):
			copyField(&spec, p, field)
			spec.Present |= field
		case a.Clear&field != 0:
			copyField(&spec, &coordination.Record{}, field)
			spec.Present &^= field
		}
	}
	return spec
}

// copyField copies one field of a spec.
func copyField(to, from *coordination.Record, field coordination.Fields) {
	switch field {
	case coordination.HasHolderIdentity:
		to.HolderIdentity = from.HolderIdentity
	case coordination.HasLeaseDurationSeconds:
		to.LeaseDurationSeconds = from.LeaseDurationSeconds
	case coordination.HasAcquireTime:
		to.AcquireTime = from.AcquireTime
	case coordination.HasRenewTime:
		to.RenewTime = from.RenewTime
	case coordination.HasLeaseTransitions:
		to.LeaseTransitions = from.LeaseTransitions
	case coordination.HasStrategy:
		to.Strategy = from.Strategy
	case coordination.HasPreferredHolder:
		to.PreferredHolder = from.PreferredHolder
	}
}

// `probe` runs a node's health check.
func (c *Control) probe(w *World, i int32) {
	w.emit(w.Node(i).healthRecord(w.Node(i).healthy(c.ToleranceNs)))
}

// `upgrade` gives the next process of a node another version. A candidate also gets a new identity, like a component
// whose identity has a random part. Otherwise the candidate's existing LeaseCandidate would keep the old versions.
func (c *Control) upgrade(w *World, i int32) {
	n := &w.nodes[i]
	w.emit(trace.Record{Kind: trace.SettingsChanged, Candidate: i, Run: n.process.Run, Control: c.Source})
	if n.kind == serverNode {
		w.servers.upgrade(n.number, c.Binary)
		return
	}
	next := w.settings[n.settings]
	next.BinaryVersion, next.EmulationVersion = c.Binary, c.Emulation
	if w.setup.Symbols.Text(c.Emulation) == "" {
		next.EmulationVersion = c.Binary
	}
	next.Identity = next.Name + "_" + w.setup.Symbols.Text(c.Binary)
	n.set(w, &next)
}

// rollback takes the store back to an earlier instant. The store loses later writes and assigns their
// resourceVersions again. So an update may succeed even if its client has seen a version that got lost. Source: etcd
// v3.5 snapshot restore without --bump-revision.
func (c *Control) rollback(w *World) {
	if !w.store.Rollback(w.now, c.ToNs) {
		c.skip(w, trace.NoCandidate)
		return
	}
	o, outcome := w.store.Get(0)
	w.emit(trace.Record{Kind: trace.RolledBack, Candidate: trace.NoCandidate, Control: c.Source,
		Payload: trace.Restore{ToNs: c.ToNs}.Payload(), Outcome: outcome, ResourceVersion: w.store.Revision(),
		Spec: o.Spec})
}

// changeCapacity changes how much load the API servers can take.
func (c *Control) changeCapacity(w *World) {
	w.net.rules.SetCapacity(*c.Capacity)
	to := trace.Capacity{ServiceNs: c.Capacity.ServiceNs, Queue: c.Capacity.Queue}
	w.emit(trace.Record{Kind: trace.CapacityChanged, Candidate: trace.NoCandidate, Control: c.Source,
		Payload: to.Payload()})
}
