package world

import (
	"cmp"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// The control plane consists of the API servers and the controllers that run in them.

// Server configures one API server.
type Server struct {
	Node           Candidate // the process: its name, clock, start time, and the elector for its controllers
	Version        coordination.Symbol
	WatchLagNs     int64
	RestartAfterNs int64 // time from a crash of the server's controllers to its next start
}

// apiServer is an API server with its controllers.
type apiServer struct {
	node      int32
	machine   coordinator.Machine
	setup     int32 // index in Setup.Servers
	version   coordination.Symbol
	next      coordination.Symbol // the version that the next start runs
	loopback  network.Link        // connects the controllers to the server that they run in
	latencies random.Stream
	armedNs   int64 // instant of the wake in the queue; never if the queue has none
	decisions [decisionsKept]coordinator.Decision
	decided   int32 // number of decisions; decision n is at index n mod decisionsKept
	sent      int32 // number of requests that the server's controllers have sent
}

// controlPlane holds the API servers that are nodes.
type controlPlane struct {
	list []apiServer
}

func (p *controlPlane) clone() controlPlane {
	c := controlPlane{list: slices.Clone(p.list)}
	for k := range c.list {
		c.list[k].machine = p.list[k].machine.Clone()
	}
	return c
}

// decisionsKept is the number of recent decisions that an API server keeps.
const decisionsKept = 16

// controllerLatencyNs is the one-way latency between a controller and the API server that it runs in.
const controllerLatencyNs = 1_500_000

// controllerLease is the number of the Lease that the controllers compete for.
const controllerLease = 1

// ControllerCandidate configures the process of an API server, whose elector decides whether its controllers lead.
// Source: kubernetes v1.36 cmd/kube-apiserver --coordinated-leadership-lease-duration and related flags.
func ControllerCandidate(name string) Candidate {
	return Candidate{
		Name: name, Identity: name, Lease: controllerLease, RatePpm: trueRatePpm,
		Config: elector.Config{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
			RetryPeriod: 2 * time.Second, ReleaseOnCancel: true},
		RequestNs: controllerLatencyNs, ResponseNs: controllerLatencyNs,
		Process: process.Settings{Restart: process.NewElector, RestartAfterNs: int64(2 * time.Second)},
	}
}

// controllerLatency names the random stream for the latencies of a controller's requests.
const controllerLatency = "latency of the controllers"

// candidateOrder names the random stream for the order in which a controller lists equal candidates.
const candidateOrder = "order of candidates"

// add adds the node of an API server.
func (p *controlPlane) add(w *World, number int) {
	s := &w.setup.Servers[number]
	i := w.addNode(&s.Node)
	w.nodes[i].kind, w.nodes[i].number = serverNode, int32(len(p.list))
	p.list = append(p.list, apiServer{node: i, setup: int32(number), version: s.Version, next: s.Version,
		armedNs:   never,
		loopback:  network.Link{Client: i, Server: network.None, Queue: int32(number), Loopback: true},
		latencies: s.Node.stream(w.setup, controllerLatency)})
}

// `begin` starts the controllers of an API server. The controllers' informers have already listed.
func (p *controlPlane) begin(w *World, number int32) {
	s := &p.list[number]
	policy := coordinator.Crash
	if w.setup.Intended {
		policy = coordinator.Intended
	}
	body := coordinator.Newer
	if w.setup.Lists {
		body = coordinator.Older
	}
	s.machine = coordinator.New(coordinator.Config{Symbols: w.setup.Symbols, Body: body, Lists: w.setup.Lists,
		NilHolder: policy, Terms: w.setup.Terms, Flaps: w.setup.Flaps,
		Chance: p.stream(w, s, candidateOrder)})
	s.machine.Look(true)
	s.version = s.next
	s.armedNs = never
	if o, outcome := w.store.Get(0); outcome == storage.OK {
		p.step(w, number, coordinator.Input{Kind: coordinator.LeaseSeen, Lease: w.leaseInput(&o)})
	}
	for k := range w.clients.objects {
		if o, outcome := w.store.Candidate(int32(k)); outcome == storage.OK {
			p.step(w, number, coordinator.Input{Kind: coordinator.CandidateSeen,
				Candidate: w.candidateInput(int32(k), &o)})
		}
	}
	p.step(w, number, coordinator.Input{Kind: coordinator.Boot})
}

// startLeading tells the controllers of an API server that they now lead.
func (p *controlPlane) startLeading(w *World, i int32) {
	p.step(w, w.nodes[i].number, coordinator.Input{Kind: coordinator.Lead})
}

// stopLeading tells the controllers of an API server that they have lost their Lease.
func (p *controlPlane) stopLeading(w *World, i int32) {
	p.step(w, w.nodes[i].number, coordinator.Input{Kind: coordinator.Lose})
}

// leaseInput converts the Lease to the input of a controller.
func (w *World) leaseInput(o *storage.Object) coordinator.Lease {
	return coordinator.Lease{Key: w.setup.leaseKey(), ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

// leaseKey returns the key of the Lease that the controllers assign.
func (s *Setup) leaseKey() coordinator.Key {
	return coordinator.Key{Namespace: s.Symbols.Intern(s.Namespace), Name: s.Symbols.Intern(s.LeaseNames[0])}
}

// candidateInput converts a LeaseCandidate to the input of a controller.
func (w *World) candidateInput(number int32, o *storage.CandidateObject) coordinator.Candidate {
	return coordinator.Candidate{
		Key: coordinator.Key{Namespace: w.setup.Symbols.Intern(w.setup.Namespace),
			Name: w.clients.objects[number].name},
		ResourceVersion: o.ResourceVersion, UID: o.UID, CreatedSeconds: (EpochUnixNs + o.CreatedNs) / 1e9, Spec: o.Spec,
	}
}

// leaseChanged tells the informers of the API servers about a write to the Lease.
func (w *World) leaseChanged() {
	w.leaseWrittenNs = w.now
	if len(w.servers.list) == 0 {
		return
	}
	o, outcome := w.store.Get(0)
	in := coordinator.Input{Kind: coordinator.LeaseSeen, Lease: w.leaseInput(&o)}
	if outcome != storage.OK {
		in.Kind = coordinator.LeaseGone
		in.Lease.Key = w.setup.leaseKey()
	}
	w.servers.tell(w, in)
}

// `tell` sends an event to the informers of all API servers.
func (p *controlPlane) tell(w *World, in coordinator.Input) {
	for k := range p.list {
		s := &p.list[k]
		if !w.nodes[s.node].process.Alive {
			continue
		}
		slot, m := w.net.add(w, controllerEvent, s.node, network.Get)
		m.body, m.extraNs = w.net.newBody(body{input: in}), w.setup.Servers[s.setup].WatchLagNs
		w.net.tell(w, slot)
	}
}

// `step` passes an input to the controllers of an API server and carries out their outputs.
func (p *controlPlane) step(w *World, number int32, in coordinator.Input) {
	s := &p.list[number]
	n := &w.nodes[s.node]
	pings := int64(0)
	for _, o := range s.machine.Step(n.clock.read(w.now), in, nil) {
		switch o.Kind {
		case coordinator.Send:
			slot, m := w.net.add(w, controllerRequest, s.node, controllerVerbs[o.Request.Verb])
			m.Resource = controllerResource(o.Request.Verb)
			s.sent++
			m.Seq, m.body, m.timeoutNs = s.sent, w.net.newBody(body{request: o.Request}), w.now+network.DefaultHangNs
			if o.Request.Verb == coordinator.Ping {
				m.extraNs = pings * w.setup.PingSpaceNs
				pings++
			}
			w.net.leave(w, slot)
		case coordinator.Reconciled:
			if o.Decision != nil {
				s.decided++
				s.decisions[s.decided%decisionsKept] = *o.Decision
			}
			if o.Outcome != coordinator.NobodyToElect && o.Outcome != coordinator.NotNeeded &&
				o.Outcome != coordinator.AwaitsAcks {
				w.emit(trace.Record{Kind: trace.Decided, Candidate: s.node, Run: n.process.Run,
					Payload: trace.Decision{Number: s.decided, Outcome: o.Outcome, RequeueNs: o.RequeueNs}.Payload()})
			}
		case coordinator.Crashed:
			w.stepProcess(s.node, process.Input{Kind: process.Panic}, -1)
			return
		}
	}
	p.arm(w, number)
}

// handleCrash stops an API server whose controllers crashed and schedules its restart.
func (p *controlPlane) handleCrash(w *World, i int32) {
	w.emit(trace.Record{Kind: trace.ServerCrashed, Candidate: i, Run: w.nodes[i].process.Run})
	w.forget(i)
	s := &p.list[w.nodes[i].number]
	w.Insert(Control{AtNs: w.now + max(w.setup.Servers[s.setup].RestartAfterNs, 1), Kind: DoRestart, Target: i,
		Source: -1})
}

// `arm` queues the next wake of an API server's controllers.
func (p *controlPlane) arm(w *World, number int32) {
	s := &p.list[number]
	w.arm(&s.armedNs, s.node, s.machine.NextWakeNs(), event{slot: number, what: serverWakes})
}

// handleWake wakes the controllers of an API server.
func (p *controlPlane) handleWake(w *World, number int32) {
	s := &p.list[number]
	n := &w.nodes[s.node]
	if s.armedNs != w.now || !n.process.Alive {
		return
	}
	s.armedNs = never
	if !n.process.Paused {
		p.step(w, number, coordinator.Input{Kind: coordinator.Wake})
	}
}

// controllerVerbs maps a controller's requests to the verbs that network rules match.
var controllerVerbs = [...]network.Verb{
	coordinator.Ping: network.Update, coordinator.CreateLease: network.Create, coordinator.GetLease: network.Get,
	coordinator.UpdateLease: network.Update, coordinator.GetCandidate: network.Get,
	coordinator.DeleteCandidate: network.Delete,
}

// controllerResource returns the resource that network rules match for a controller's request.
func controllerResource(v coordinator.Verb) network.Resource {
	switch v {
	case coordinator.CreateLease, coordinator.GetLease, coordinator.UpdateLease:
		return Leases
	}
	return LeaseCandidates
}

// nodeOf returns the node of an API server.
func (p *controlPlane) nodeOf(number int32) int32 { return p.list[number].node }

// `upgrade` sets the version that the next start of an API server runs.
func (p *controlPlane) upgrade(number int32, version coordination.Symbol) {
	p.list[number].next = version
}

// `reseed` gives the controllers new streams.
func (p *controlPlane) reseed(w *World) {
	for k := range p.list {
		s := &p.list[k]
		s.latencies = p.stream(w, s, controllerLatency)
		s.machine.Reseed(p.stream(w, s, candidateOrder))
	}
}

func (p *controlPlane) stream(w *World, s *apiServer, concern string) random.Stream {
	return w.settings[w.nodes[s.node].settings].stream(w.setup, concern)
}

// decision returns a decision of an API server's controllers; number 0 is the latest. It reports false if the
// controllers have not made that decision or no longer keep it.
func (p *controlPlane) decision(server, number int32) (*coordinator.Decision, bool) {
	s := &p.list[server]
	number = cmp.Or(number, s.decided)
	if number == 0 || number > s.decided || number <= s.decided-decisionsKept {
		return nil, false
	}
	return &s.decisions[number%decisionsKept], true
}

// serveController carries out a controller's request.
func serveController(w *World, slot int32) {
	p, m := &w.servers, &w.net.list[slot]
	node, number := m.client, m.body
	r := w.net.bodies[number].request
	in := coordinator.Input{Kind: coordinator.Answer, Serial: r.Serial}
	switch r.Verb {
	case coordinator.CreateLease, coordinator.GetLease, coordinator.UpdateLease:
		in.Result, in.Lease = p.serveLease(w, node, &r)
	default:
		in.Result, in.Candidate = p.serveCandidate(w, node, &r)
	}
	w.net.bodies[number].input = in
	w.net.list[slot].result = in.Result
}

// answerController passes an answer to the controllers of an API server.
func answerController(w *World, slot int32) {
	m, b := w.net.drop(slot)
	b.input.Kind, b.input.Serial, b.input.Result = coordinator.Answer, b.request.Serial, m.result
	if n := &w.nodes[m.client]; n.process.Alive {
		w.servers.step(w, n.number, b.input)
	}
}

// takeControllerEvent passes an informer event to the controllers of an API server.
func takeControllerEvent(w *World, slot int32) {
	m, b := w.net.drop(slot)
	if n := &w.nodes[m.client]; n.process.Alive {
		w.servers.step(w, n.number, b.input)
	}
}

// serveLease carries out a controller's request about the Lease.
func (p *controlPlane) serveLease(w *World, node int32, r *coordinator.Request) (step.Result, coordinator.Lease) {
	var o storage.Object
	var outcome storage.Outcome
	verb := elector.Get
	switch r.Verb {
	case coordinator.CreateLease:
		verb = elector.Create
		o, outcome = w.store.Create(w.now, trace.Controller, 0, r.Lease)
	case coordinator.UpdateLease:
		verb = elector.Update
		outcome = w.store.Update(storage.Update{AtNs: w.now, By: trace.Controller,
			ResourceVersion: r.ResourceVersion, UID: r.UID}, &r.Lease)
		if outcome.Accepted() {
			o = *w.store.Read(0)
		}
	default:
		o, outcome = w.store.Get(0)
	}
	if outcome == storage.Created || outcome == storage.Updated {
		w.emit(trace.Record{Kind: trace.Coordinated, Candidate: trace.NoCandidate, Verb: verb, Outcome: outcome,
			ResourceVersion: o.ResourceVersion, Spec: o.Spec, Payload: trace.Assignment{Controller: node}.Payload()})
		w.leaseChanged()
	}
	return outcomeResult[outcome], w.leaseInput(&o)
}

// serveCandidate carries out a controller's request about a LeaseCandidate.
func (p *controlPlane) serveCandidate(w *World, node int32, r *coordinator.Request) (step.Result,
	coordinator.Candidate) {
	number := w.clients.objectNamed(r.Key.Name)
	if number < 0 {
		return step.NotFound, coordinator.Candidate{}
	}
	var o storage.CandidateObject
	var outcome storage.Outcome
	switch r.Verb {
	case coordinator.Ping:
		o, outcome = w.store.UpdateCandidate(number, r.ResourceVersion, r.UID, r.Candidate)
	case coordinator.DeleteCandidate:
		o, outcome = w.store.DeleteCandidate(number)
	default:
		o, outcome = w.store.Candidate(number)
	}
	if outcome == storage.Updated || outcome == storage.Deleted {
		w.emit(trace.Record{
			Kind: trace.CandidatePinged, Candidate: w.clients.nodeOf(number), Name: r.Key.Name, Outcome: outcome,
			ResourceVersion: o.ResourceVersion,
			Payload: trace.Candidacy{PingTime: o.Spec.PingTime, RenewTime: o.Spec.RenewTime,
				Controller: node}.Payload(),
		})
		w.clients.tellChange(w, number, &o)
	}
	return outcomeResult[outcome], w.candidateInput(number, &o)
}
