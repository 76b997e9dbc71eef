package world

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/core/storage"
)

// Coordinated election in the world: the API servers are nodes whose electors compete for a Lease of their own, and the
// one that leads runs the controller. A coordinated candidate's process runs a LeaseCandidate client beside its elector.
// Both see the store through informers, which lag.

// Server is one API server to be.
type Server struct {
	Node           Candidate // its process: name, clock, start, the elector of its controller
	Version        coordination.Symbol
	WatchLagNs     int64
	RestartAfterNs int64 // after it has crashed by itself
}

// apiServer is an API server with its controllers.
type apiServer struct {
	node      int32
	machine   coordinator.Machine
	setup     int32 // its Server in Setup.Servers
	version   coordination.Symbol
	next      coordination.Symbol // version of its next start
	armedNs   int64               // the wake that is queued, never if none
	decisions [decisionsKept]coordinator.Decision
	decided   int32 // decisions so far; number n is at n mod decisionsKept
}

// decisionsKept is how many of an API server's last decisions can be asked for.
const decisionsKept = 16

// client is a LeaseCandidate client.
type client struct {
	node    int32
	object  int32 // the number of its LeaseCandidate in the store
	machine leasecandidate.Machine
	armedNs int64
	shown   int64 // resourceVersion of what its informer showed last: what comes late is no news
	serial  int32 // of the request in flight
	term    int16 // the run of the process it belongs to
	running bool
}

// stored is a LeaseCandidate by its number in the store: that of every identity that has clients, and what administrators
// created.
type stored struct {
	name coordination.Symbol
	note int32 // of its newest version among the store's asides, from 1; 0: none
}

// trip is something on its way to a client, to a server's controllers or to the store on their behalf.
type trip struct {
	number    int32 // of the client or the server
	term      int16 // of the process that it is for: another one throws it away
	serial    int32
	verb      elector.Verb // of a client's request
	object    leasecandidate.Object
	request   coordinator.Request
	input     coordinator.Input
	seen      leasecandidate.Input
	version   int64 // the resourceVersion at which that was so
	result    elector.Result
	inUse     bool
	sentNs    int64
	forServer bool
}

// controllerLatencyNs is one way between a controller and the API server it runs in.
const controllerLatencyNs = 1_500_000

// controllerLease is the number of the Lease on which the controllers elect.
const controllerLease = 1

// addServer makes a node for an API server.
func (w *World) addServer(number int) {
	s := &w.setup.Servers[number]
	i := w.addNode(&s.Node)
	w.nodes[i].server = int32(len(w.servers)) + 1
	w.servers = append(w.servers, apiServer{node: i, setup: int32(number), version: s.Version, next: s.Version, armedNs: never})
}

// addClient makes a LeaseCandidate client for a node whose candidate has a strategy.
func (w *World) addClient(i int32, c *Candidate) {
	if c.Strategy == 0 {
		return
	}
	w.nodes[i].client = int32(len(w.clients)) + 1
	w.clients = append(w.clients, client{node: i, object: w.candidateNumber(w.nodes[i].identity), armedNs: never})
}

// candidateNumber is the number of the LeaseCandidate of a name, a new one if nobody had it before. Clients with one
// identity share an object.
func (w *World) candidateNumber(name coordination.Symbol) int32 {
	if number := w.candidateNamed(name); number >= 0 {
		return number
	}
	w.candidates = append(w.candidates, stored{name: name})
	return int32(len(w.candidates) - 1)
}

// candidateNamed is the number of the LeaseCandidate of a name, -1 if it has none.
func (w *World) candidateNamed(name coordination.Symbol) int32 {
	for k := range w.candidates {
		if w.candidates[k].name == name {
			return int32(k)
		}
	}
	return -1
}

// clientOf is the newest node whose LeaseCandidate that is, NoCandidate if it is an administrator's.
func (w *World) clientOf(number int32) int32 {
	for k := len(w.clients) - 1; k >= 0; k-- {
		if w.clients[k].object == number {
			return w.clients[k].node
		}
	}
	return NoCandidate
}

// IsServer reports whether a node is an API server.
func (w *World) IsServer(i int32) bool { return w.nodes[i].server != 0 }

// silent reports what comes of talking to a node's API server: one that is gone refuses, one that is stopped says nothing.
func (w *World) silent(i int32) (lost, refused bool) {
	if len(w.servers) == 0 || w.nodes[i].server != 0 {
		return false, false
	}
	n := &w.nodes[w.servers[w.nodes[i].peer].node]
	return n.alive && n.paused, !n.alive
}

// begun starts what runs beside the elector of a process.
func (w *World) begun(i int32) {
	n := &w.nodes[i]
	n.born++
	n.connectedNs, n.heardNs, n.peer = w.now, w.now, w.settings[n.settings].Server
	if !n.alive {
		return
	}
	if n.server != 0 {
		w.beginServer(n.server - 1)
	}
	if n.client != 0 {
		w.beginClient(n.client - 1)
	}
}

func (w *World) beginServer(number int32) {
	s := &w.servers[number]
	policy := coordinator.Crash
	if w.setup.Intended {
		policy = coordinator.Intended
	}
	body := coordinator.Newer
	if w.setup.Lists {
		body = coordinator.Older
	}
	s.machine = coordinator.New(coordinator.Config{Symbols: w.setup.Symbols, Body: body, Lists: w.setup.Lists, NilHolder: policy, Terms: w.setup.Terms})
	s.machine.Look(true)
	s.version = s.next
	s.armedNs = never
	if o, outcome := w.store.Get(0); outcome == storage.OK {
		w.stepServer(number, coordinator.Input{Kind: coordinator.LeaseSeen, Lease: w.leaseInput(&o)})
	}
	for k := range w.candidates {
		if o, outcome := w.store.Candidate(int32(k)); outcome == storage.OK {
			w.stepServer(number, coordinator.Input{Kind: coordinator.CandidateSeen, Candidate: w.candidateInput(int32(k), &o)})
		}
	}
	w.stepServer(number, coordinator.Input{Kind: coordinator.Boot})
}

// beginClient runs a new LeaseCandidate client; its informer's list takes one round.
func (w *World) beginClient(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	settings := &w.settings[n.settings]
	c.machine = leasecandidate.New(leasecandidate.Config{
		LeaseName: w.setup.Symbols.Intern(w.setup.LeaseNames[0]), BinaryVersion: settings.BinaryVersion, EmulationVersion: settings.EmulationVersion, Strategy: settings.Strategy,
		RenewEveryNs: w.setup.RenewEveryNs,
	})
	c.term, c.armedNs, c.running, c.shown = n.born, never, true, -1
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Start})
	w.tripIn(settings.RequestNs+settings.ResponseNs, clientLists, trip{number: number, term: n.born})
}

// upgrade gives a node's next start another version. A candidate then comes with another identity too, as a component
// whose identity has a random part does: a LeaseCandidate that is there already would keep its old versions.
func (w *World) upgrade(c *Control, i int32) {
	n := &w.nodes[i]
	w.emit(Record{Kind: SettingsChanged, Candidate: i, Run: n.run, Control: c.Source})
	if n.server != 0 {
		w.servers[n.server-1].next = c.Binary
		return
	}
	next := w.settings[n.settings]
	next.BinaryVersion, next.EmulationVersion = c.Binary, c.Emulation
	if w.setup.Symbols.Text(c.Emulation) == "" {
		next.EmulationVersion = c.Binary
	}
	next.Identity = next.Name + "_" + w.setup.Symbols.Text(c.Binary)
	w.settings = append(w.settings, next)
	n.settings = int32(len(w.settings) - 1)
}

// renamed gives a node the identity of its settings before its process starts again.
func (w *World) renamed(i int32) {
	n := &w.nodes[i]
	settings := &w.settings[n.settings]
	if identity := w.setup.Symbols.Intern(settings.Identity); identity != n.identity {
		n.identity = identity
		w.addClient(i, settings)
	}
}

// ended stops what runs beside the elector of a process that is gone.
func (w *World) ended(i int32) {
	if k := w.nodes[i].client; k != 0 {
		w.clients[k-1].running = false
	}
}

// leads and loses tell the controllers of an API server about their own election.
func (w *World) leads(i int32) {
	w.stepServer(w.nodes[i].server-1, coordinator.Input{Kind: coordinator.Lead})
}

func (w *World) loses(i int32) {
	w.stepServer(w.nodes[i].server-1, coordinator.Input{Kind: coordinator.Lose})
}

func (w *World) leaseInput(o *storage.Object) coordinator.Lease {
	return coordinator.Lease{Key: w.leaseIs(), ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

func (w *World) leaseIs() coordinator.Key {
	s := w.setup
	return coordinator.Key{Namespace: s.Symbols.Intern(s.Namespace), Name: s.Symbols.Intern(s.LeaseNames[0])}
}

func (w *World) candidateInput(number int32, o *storage.CandidateObject) coordinator.Candidate {
	return coordinator.Candidate{
		Key:             coordinator.Key{Namespace: w.setup.Symbols.Intern(w.setup.Namespace), Name: w.candidates[number].name},
		ResourceVersion: o.ResourceVersion, UID: o.UID, CreatedSeconds: (EpochUnixNs + o.CreatedNs) / 1e9, Spec: o.Spec,
	}
}

// tripIn puts something on its way.
func (w *World) tripIn(delayNs int64, what messageKind, t trip) {
	slot := int32(-1)
	for k := range w.trips {
		if !w.trips[k].inUse {
			slot = int32(k)
			break
		}
	}
	if slot < 0 {
		w.trips = append(w.trips, trip{})
		slot = int32(len(w.trips) - 1)
	}
	t.inUse = true
	w.trips[slot] = t
	w.tripped++
	node := w.nodeOf(&t)
	class := response
	if what == controllerAsks || what == clientAsks {
		class = arrival
	}
	w.queue.push(message{at: w.now + delayNs, key: orderKey(class, node, uint32(w.tripped)), slot: slot, what: what})
}

func (w *World) nodeOf(t *trip) int32 {
	if t.forServer {
		return w.servers[t.number].node
	}
	return w.clients[t.number].node
}

// arrived takes a trip off the way; ok is false if the process it was for is gone.
func (w *World) arrived(slot int32) (t trip, ok bool) {
	t = w.trips[slot]
	w.trips[slot] = trip{}
	n := &w.nodes[w.nodeOf(&t)]
	return t, n.alive && n.born == t.term
}

// tripEnds carries out what a trip brings. A stopped process finds it when it goes on.
func (w *World) tripEnds(m message) {
	if node := w.nodeOf(&w.trips[m.slot]); w.nodes[node].paused && m.what != controllerAsks && m.what != clientAsks {
		w.deferred = append(w.deferred, deferred{at: w.now, class: response, candidate: node, slot: m.slot, what: m.what})
		return
	}
	t, ok := w.arrived(m.slot)
	switch m.what {
	case clientAsks:
		w.clientAsked(t)
	case controllerAsks:
		w.controllerAsked(t)
	case clientLists:
		if ok {
			w.clientListed(&t)
		}
	case clientSees:
		if c := &w.clients[t.number]; ok && c.running && t.version > c.shown {
			c.shown = t.version
			w.stepClient(t.number, t.seen)
		}
	case clientHears:
		if c := &w.clients[t.number]; ok && c.running && c.serial == t.serial {
			if t.result != elector.Success {
				w.emit(Record{Kind: CandidateFailed, Candidate: c.node, Run: w.nodes[c.node].run, Verb: t.verb, Result: t.result, A: t.sentNs})
			}
			w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Answer, Result: t.result})
		}
	case serverSees, serverHears:
		if ok {
			w.stepServer(t.number, t.input)
		}
	}
}

// relistNs is how long an informer waits before it lists again when its list or its watch did not get through.
// Source: client-go tools/cache reflector, the first step of its back-off.
const relistNs = 800_000_000

// clientListed shows a client what its informer's list found: the first one, or one after the watch broke.
func (w *World) clientListed(t *trip) {
	c := &w.clients[t.number]
	if !c.running {
		return
	}
	up, refused := w.cutOff(c.node, Up)
	down, _ := w.cutOff(c.node, Down)
	if up || refused || down {
		w.tripIn(relistNs, clientLists, *t)
		return
	}
	o, outcome := w.store.Candidate(c.object)
	c.shown = w.store.Revision()
	if outcome == storage.OK {
		w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(&o)})
	} else {
		w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Gone})
	}
	w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Listed})
}

func clientObject(o *storage.CandidateObject) leasecandidate.Object {
	return leasecandidate.Object{ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

// stepClient hands a client an input and sends what it asks for.
func (w *World) stepClient(number int32, in leasecandidate.Input) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	for _, o := range c.machine.Step(n.clock.read(w.now), in, nil) {
		if o.Kind == leasecandidate.Abort {
			c.serial++
			continue
		}
		verb, object := c.machine.Outgoing()
		c.serial++
		w.counts.Requests++
		settings := &w.settings[n.settings]
		t := trip{number: number, term: c.term, serial: c.serial, verb: verb, object: object, sentNs: w.now}
		lost, refused := w.cutOff(c.node, Up)
		switch {
		case refused:
			t.result = elector.ConnRefused
			w.tripIn(settings.RequestNs, clientHears, t)
		case lost:
			t.result = elector.ClientTimeout
			if settings.RequestTimeoutNs > 0 {
				w.tripIn(settings.RequestTimeoutNs, clientHears, t)
			}
		default:
			w.tripIn(settings.RequestNs, clientAsks, t)
		}
	}
	w.armClient(number)
}

// armClient queues the client's next wake.
func (w *World) armClient(number int32) {
	c := &w.clients[number]
	due := c.machine.NextWakeNs()
	if due == leasecandidate.Never {
		c.armedNs = never
		return
	}
	at := max(w.nodes[c.node].clock.reaches(due), w.now)
	if at == c.armedNs {
		return
	}
	c.armedNs = at
	w.queue.push(message{at: at, key: orderKey(ownTimer, c.node, 1<<31), slot: number, what: clientWakes})
}

func (w *World) clientWoken(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	if c.armedNs != w.now || !c.running || !n.alive || n.born != c.term {
		return
	}
	c.armedNs = never
	if n.paused {
		return // it is armed again when the process goes on
	}
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Wake})
}

// clientAsked serves a client's request.
func (w *World) clientAsked(t trip) {
	c := &w.clients[t.number]
	settings := &w.settings[w.nodes[c.node].settings]
	if lost, refused := w.cutOff(c.node, Up); lost || refused {
		t.result = elector.ConnRefused
		if lost {
			return
		}
		w.tripIn(settings.ResponseNs, clientHears, t)
		return
	}
	var o storage.CandidateObject
	var outcome storage.Outcome
	if t.verb == elector.Create {
		o, outcome = w.store.CreateCandidate(w.now, c.object, t.object.Spec)
	} else {
		o, outcome = w.store.UpdateCandidate(c.object, t.object.ResourceVersion, t.object.UID, t.object.Spec)
	}
	t.result = outcomeResult[outcome]
	if outcome == storage.Created || outcome == storage.Updated {
		w.emit(Record{Kind: CandidateStored, Candidate: c.node, Verb: t.verb, Outcome: outcome, ResourceVersion: o.ResourceVersion, A: int64(o.Spec.PingTime), B: int64(o.Spec.RenewTime)})
		w.candidateChanged(c.object, &o)
	}
	if lost, _ := w.cutOff(c.node, Down); !lost {
		w.tripIn(settings.ResponseNs, clientHears, t)
	}
}

// candidateChanged tells the informers of a version of a LeaseCandidate, or of its deletion.
func (w *World) candidateChanged(number int32, o *storage.CandidateObject) {
	w.noteCandidate(number, o)
	w.candidateNoted(number, o)
}

// candidateNoted is candidateChanged for a version that is kept for readers already.
func (w *World) candidateNoted(number int32, o *storage.CandidateObject) {
	seen := leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(o)}
	in := coordinator.Input{Kind: coordinator.CandidateSeen, Candidate: w.candidateInput(number, o)}
	if _, outcome := w.store.Candidate(number); outcome != storage.OK {
		seen, in.Kind = leasecandidate.Input{Kind: leasecandidate.Gone}, coordinator.CandidateGone
	}
	for k := range w.clients {
		if c := &w.clients[k]; c.object == number && c.running && w.nodes[c.node].alive && w.nodes[c.node].born == c.term {
			w.tellClient(int32(k), trip{number: int32(k), term: c.term, seen: seen, version: w.store.Revision()})
		}
	}
	w.tellServers(in)
}

// tellClient shows a client's informer what has changed. If the watch does not get through it lists, as soon as it can.
func (w *World) tellClient(number int32, t trip) {
	c := &w.clients[number]
	settings := &w.settings[w.nodes[c.node].settings]
	stopped, gone := w.silent(c.node)
	if lost, _ := w.cutOff(c.node, Down); lost || stopped || gone {
		w.tripIn(relistNs, clientLists, trip{number: number, term: t.term})
		return
	}
	w.tripIn(settings.ResponseNs+settings.PingAckNs, clientSees, t)
}

// leaseChanged tells the informers of the API servers that the Lease was written.
func (w *World) leaseChanged() {
	w.leaseWrittenNs = w.now
	if len(w.servers) == 0 {
		return
	}
	o, outcome := w.store.Get(0)
	in := coordinator.Input{Kind: coordinator.LeaseSeen, Lease: w.leaseInput(&o)}
	if outcome != storage.OK {
		in.Kind = coordinator.LeaseGone
		in.Lease.Key = w.leaseIs()
	}
	w.tellServers(in)
}

func (w *World) tellServers(in coordinator.Input) {
	for k := range w.servers {
		s := &w.servers[k]
		if n := &w.nodes[s.node]; n.alive {
			w.tripIn(w.setup.Servers[s.setup].WatchLagNs+controllerLatencyNs, serverSees, trip{number: int32(k), term: n.born, input: in, forServer: true})
		}
	}
}

// stepServer hands the controllers of an API server an input and carries out what they say.
func (w *World) stepServer(number int32, in coordinator.Input) {
	s := &w.servers[number]
	n := &w.nodes[s.node]
	pings := int64(0)
	for _, o := range s.machine.Step(n.clock.read(w.now), in, nil) {
		switch o.Kind {
		case coordinator.Send:
			afterNs := int64(controllerLatencyNs)
			if o.Request.Verb == coordinator.Ping {
				afterNs += pings * w.setup.PingSpaceNs
				pings++
			}
			w.tripIn(afterNs, controllerAsks, trip{number: number, term: n.born, request: o.Request, forServer: true, sentNs: w.now})
		case coordinator.Reconciled:
			if o.Decision != nil {
				s.decided++
				s.decisions[s.decided%decisionsKept] = *o.Decision
			}
			if o.Outcome != coordinator.NobodyToElect && o.Outcome != coordinator.NotNeeded && o.Outcome != coordinator.AwaitsAcks {
				w.emit(Record{Kind: Decided, Candidate: s.node, Run: n.run, Seq: s.decided, A: int64(o.Outcome), B: o.RequeueNs})
			}
		case coordinator.Crashed:
			w.emit(Record{Kind: ServerCrashed, Candidate: s.node, Run: n.run})
			n.alive, n.life = false, crashed
			w.forget(s.node)
			w.Insert(Control{AtNs: w.now + max(w.setup.Servers[s.setup].RestartAfterNs, 1), Kind: DoRestart, Target: s.node, Source: -1})
			return
		}
	}
	w.armServer(number)
}

// armServer queues the next wake of an API server's controllers.
func (w *World) armServer(number int32) {
	s := &w.servers[number]
	n := &w.nodes[s.node]
	due := s.machine.NextWakeNs()
	if due == coordinator.Never {
		s.armedNs = never
		return
	}
	if at := max(n.clock.reaches(due), w.now); at != s.armedNs {
		s.armedNs = at
		w.queue.push(message{at: at, key: orderKey(ownTimer, s.node, 1<<31), slot: number, what: serverWakes})
	}
}

func (w *World) serverWoken(number int32) {
	s := &w.servers[number]
	n := &w.nodes[s.node]
	if s.armedNs != w.now || !n.alive {
		return
	}
	s.armedNs = never
	if !n.paused {
		w.stepServer(number, coordinator.Input{Kind: coordinator.Wake})
	}
}

// controllerAsked serves a request of a controller. Nothing gets lost inside a process.
func (w *World) controllerAsked(t trip) {
	s := &w.servers[t.number]
	if !w.nodes[s.node].alive {
		return
	}
	r := &t.request
	in := coordinator.Input{Kind: coordinator.Answer, Serial: r.Serial}
	switch r.Verb {
	case coordinator.CreateLease, coordinator.GetLease, coordinator.UpdateLease:
		in.Result, in.Lease = w.controllerLeases(s.node, r)
	default:
		in.Result, in.Candidate = w.controllerCandidates(s.node, r)
	}
	t.input = in
	w.tripIn(controllerLatencyNs, serverHears, t)
}

func (w *World) controllerLeases(node int32, r *coordinator.Request) (elector.Result, coordinator.Lease) {
	var o storage.Object
	var outcome storage.Outcome
	verb := elector.Get
	switch r.Verb {
	case coordinator.CreateLease:
		verb = elector.Create
		o, outcome = w.store.Create(w.now, Controller, 0, r.Lease)
	case coordinator.UpdateLease:
		verb = elector.Update
		o, outcome = w.store.Update(w.now, Controller, 0, r.ResourceVersion, r.UID, r.Lease)
	default:
		o, outcome = w.store.Get(0)
	}
	if outcome == storage.Created || outcome == storage.Updated {
		w.emit(Record{Kind: Coordinated, Candidate: NoCandidate, Seq: node, Verb: verb, Outcome: outcome, ResourceVersion: o.ResourceVersion, Spec: o.Spec})
		w.leaseChanged()
	}
	return outcomeResult[outcome], w.leaseInput(&o)
}

func (w *World) controllerCandidates(node int32, r *coordinator.Request) (elector.Result, coordinator.Candidate) {
	number := w.candidateNamed(r.Key.Name)
	if number < 0 {
		return elector.NotFound, coordinator.Candidate{}
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
		w.emit(Record{Kind: CandidatePinged, Candidate: w.clientOf(number), Seq: node, Name: r.Key.Name, Outcome: outcome, ResourceVersion: o.ResourceVersion, A: int64(o.Spec.PingTime), B: int64(o.Spec.RenewTime)})
		w.candidateChanged(number, &o)
	}
	return outcomeResult[outcome], w.candidateInput(number, &o)
}

// resumed hands what waited during a pause to the machines beside the elector, and arms them again.
func (w *World) resumed(i int32) {
	n := &w.nodes[i]
	if n.kubelet|n.monitor != 0 {
		w.resumedHeartbeats(i)
	}
	if n.client != 0 && w.clients[n.client-1].running {
		w.stepClient(n.client-1, leasecandidate.Input{Kind: leasecandidate.Wake})
	}
	if n.server != 0 && n.alive {
		w.stepServer(n.server-1, coordinator.Input{Kind: coordinator.Wake})
	}
}

// reclocked arms what runs beside the elector of a node again after its clock has changed.
func (w *World) reclocked(i int32) {
	n := &w.nodes[i]
	if n.client != 0 && w.clients[n.client-1].running {
		w.armClient(n.client - 1)
	}
	if n.server != 0 {
		w.armServer(n.server - 1)
	}
}

// nextVersion is the version that an API server starts with, as a number; 0 for a node that is none.
func (w *World) nextVersion(i int32) int64 {
	if k := w.nodes[i].server; k != 0 {
		return w.versionNumber(w.servers[k-1].next)
	}
	return 0
}

// behavesAs is the version that a candidate's process emulates or is, as a number; 0 if it has none.
func (w *World) behavesAs(i int32) int64 {
	c := &w.settings[w.nodes[i].running]
	if c.EmulationVersion != 0 {
		return w.versionNumber(c.EmulationVersion)
	}
	return w.versionNumber(c.BinaryVersion)
}

// versionNumber orders versions: major, minor and patch, 20 bits each. What stands behind a patch does not count.
func (w *World) versionNumber(version coordination.Symbol) int64 {
	text := w.setup.Symbols.Text(version)
	if text == "" {
		return 0
	}
	text, _, _ = strings.Cut(text, "+")
	text, _, _ = strings.Cut(text, "-")
	number := int64(0)
	parts := strings.Split(text, ".")
	for k := range 3 {
		part := int64(0)
		if k < len(parts) {
			part, _ = strconv.ParseInt(parts[k], 10, 20)
		}
		number = number<<20 | part
	}
	return number
}

// Decision is the number-th decision of an API server's controller, 0 for the last; false if it is not kept, or there is
// none yet.
func (w *World) Decision(node, number int32) (*coordinator.Decision, bool) {
	k := w.nodes[node].server
	if k == 0 {
		return nil, false
	}
	s := &w.servers[k-1]
	if number == 0 {
		number = s.decided
	}
	if number == 0 || number > s.decided || number <= s.decided-decisionsKept {
		return nil, false
	}
	return &s.decisions[number%decisionsKept], true
}

// CandidateOf is the LeaseCandidate of a node as it is stored, false if there is none.
func (w *World) CandidateOf(node int32) (coordination.Candidate, bool) {
	k := w.nodes[node].client
	if k == 0 {
		return coordination.Candidate{}, false
	}
	o, outcome := w.store.Candidate(w.clients[k-1].object)
	return o.Spec, outcome == storage.OK
}

// ServerVersion is the version that an API server runs, and whether it is up.
func (w *World) ServerVersion(node int32) (version coordination.Symbol, up bool) {
	k := w.nodes[node].server
	if k == 0 {
		return 0, false
	}
	return w.servers[k-1].version, w.nodes[node].alive
}
