package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// `electors` steps the electors, which live in their nodes, and holds what they share.
type electors struct {
	outputs       []elector.Output    // memory that every step reuses
	locks         []elector.MultiLock // indexed by candidate; grows when a candidate needs a lock
	usesConfigMap bool                // whether a lock or an act has used the ConfigMap
}

func (e *electors) clone() electors {
	return electors{locks: slices.Clone(e.locks), usesConfigMap: e.usesConfigMap}
}

// `step` passes an input to a node's elector and carries out its outputs.
func (e *electors) step(w *World, i int32, in *elector.Input) { e.stepOf(w, &w.nodes[i], i, in) }

// stepOf is step for a caller that has already looked up the node. An output may ask for an input at the same
// instant, such as a jitter draw. The loop continues until no output asks for one, so that no other event comes in
// between.
func (e *electors) stepOf(w *World, n *node, i int32, in *elector.Input) {
	if n.special&runsProgram != 0 {
		w.programs.step(w, i, in.Kind)
		return
	}
	reading := step.Reading{Now: w.now, Mono: w.now, Wall: EpochUnixNs + w.now}
	if !n.plainClock {
		reading = n.clock.read(w.now)
	}
	e.outputs = n.machine.Step(reading, in, e.outputs[:0])
	for {
		asked, outputs := elector.Send, e.outputs
		for k := range outputs {
			switch o := &outputs[k]; o.Kind {
			case elector.NeedDraw, elector.AwaitWork:
				asked = o.Kind
			default:
				e.handleOutput(w, n, i, o)
			}
		}
		if asked == elector.NeedDraw {
			e.outputs = n.machine.StepDraw(reading, e.draw(w, n, i), e.outputs[:0])
		} else if asked == elector.AwaitWork && !n.process.Draining {
			e.outputs = n.machine.Step(reading, &elector.Input{Kind: elector.WorkOver}, e.outputs[:0])
		} else {
			break
		}
	}
	w.timers.set(i, n.machine.NextWakeNs())
}

// draw returns a node's next jitter draw.
func (e *electors) draw(w *World, n *node, i int32) float64 {
	if w.setup.Jitter != nil {
		return w.setup.Jitter(i, w.now)
	}
	if draws := w.settings[n.alike].Draws; len(draws) > 0 && int(n.drawn) < len(draws) { // drawn is cold: see node
		n.drawn++
		return draws[n.drawn-1]
	}
	return n.jitter.Float64()
}

// handleOutput carries out one output of a node's elector. Nearly every output also becomes a record of the trace.
func (e *electors) handleOutput(w *World, n *node, i int32, o *elector.Output) {
	switch o.Kind {
	case elector.Send:
		e.send(w, n, i, o.Verb)
	case elector.NotSent:
		record, version, _ := n.machine.Outgoing()
		e.reportUnsent(w, i, &elector.Part{Object: n.lock.First(), Verb: o.Verb, Record: record,
			ResourceVersion: version}, o.Result)
	case elector.Abort:
		e.abandon(w, i, o.Result)
	case elector.Jitter:
		r := w.blank()
		r.Kind, r.Candidate, r.Run, r.Payload = trace.JitterDrawn, i, n.process.Run,
			trace.Jitter{Draw: o.Draw, DelayNs: o.DelayNs}.Payload()
		w.commit(r)
	case elector.LeadingDone:
		if n.kind == serverNode {
			w.say(trace.ControllerEnds, i)
			w.servers.stopLeading(w, i)
			return
		}
		if n.process.Works() {
			n.limiter.countWork(&w.settings[n.running].Client, w.now)
		}
		w.stepProcess(i, process.Input{Kind: process.ContextEnded, Cancelled: n.machine.Cancelled(),
			Releases: w.settings[n.settings].ReleaseAfterWork}, -1)
	case elector.NewLeader:
		w.emit(trace.Record{Kind: trace.NewLeader, Candidate: i, Run: n.process.Run, Name: o.Name})
	case elector.RunReturned:
		w.emit(trace.Record{Kind: trace.RunReturned, Candidate: i, Run: n.process.Run,
			Payload: trace.Return{RunsAgain: w.Node(i).runsAgain()}.Payload()})
		w.stepProcess(i, process.Input{Kind: process.Returned, Cancelled: n.machine.Cancelled()}, -1)
	case elector.StartedLeading:
		if n.kind == serverNode {
			w.say(trace.ControllerLeads, i)
			w.servers.startLeading(w, i)
			return
		}
		n.limiter.workNs = w.now
		w.stepProcess(i, process.Input{Kind: process.Leads}, -1)
		w.net.rules.LeaderStarted(w.now)
		w.emit(trace.Record{Kind: trace.StartedLeading, Candidate: i, Run: n.process.Run,
			Payload: trace.Term{CandidateVersion: w.Node(i).candidateVersion(),
				MarginNs: w.Node(i).marginNs()}.Payload()})
		w.resource.startWrites(w, i)
	default:
		w.say(plainKind[o.Kind], i)
	}
}

// `begin` runs a new elector on a node, or reports the error that client-go's constructor returns.
func (e *electors) begin(w *World, i int32) {
	n := &w.nodes[i]
	if !w.Node(i).HasElector() {
		w.heartbeats.begin(w, i)
		return
	}
	n.take()
	c := &w.settings[n.settings]
	if c.Program {
		n.special = c.special()
		w.stepProcess(i, process.Input{Kind: process.Begun}, -1)
		w.programs.step(w, i, elector.Start)
		return
	}
	config := c.Config
	config.Identity = n.identity
	if err := config.Validate(); err != nil {
		w.emit(trace.Record{Kind: trace.ConfigError, Candidate: i, Run: n.process.Run,
			Name: w.setup.Symbols.Intern(err.Error())})
		return
	}
	retry, deadline := w.Node(i).timerLengths()
	n.machine = elector.New(config, retry, deadline)
	n.special = c.special()
	e.takeLock(w, i, c.Lock)
	w.stepProcess(i, process.Input{Kind: process.Begun}, -1)
	w.say(trace.MetricLeaderOff, i)
	e.step(w, i, &elector.Input{Kind: elector.Start})
}

// plainKind maps each output that has only a kind to the kind of its record.
var plainKind = [...]trace.Kind{
	elector.BecameLeader:    trace.EventBecameLeader,
	elector.MetricLeaderOn:  trace.MetricLeaderOn,
	elector.MetricLeaderOff: trace.MetricLeaderOff,
	elector.MetricSlowPath:  trace.MetricSlowPath,
	elector.StoppedEvent:    trace.EventStoppedLeading,
	elector.StoppedLeading:  trace.StoppedLeading,
}
