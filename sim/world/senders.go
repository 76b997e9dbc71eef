package world

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// sender says what sent a message. The table of senders has everything that depends on the sender; other code never
// checks the sender.
type sender uint8

const (
	electorRequest    sender = iota
	candidateRequest         // a write of a LeaseCandidate client
	candidateList            // a list of the LeaseCandidate client's informer
	candidateEvent           // an event for the LeaseCandidate client's informer
	controllerRequest        // a request of a controller, inside its API server
	controllerEvent          // an event for a controller's informer
	heartbeatRequest         // a renewal of a kubelet
	heartbeatList            // a list of a monitor
	heartbeatEvent           // an event for a monitor's watch
	resourceRequest          // a leader's write to the resource
	programRequest           // a request of a program that runs in place of an elector
	programEvent             // an event for a program's watch
	anySender
)

// actor handles the messages of one sender.
type actor struct {
	client     network.Sender   // the client that acts name to stop its messages, or AnySender
	resource   network.Resource // the resource of its messages; AnyResource if it differs between messages
	path       path
	isElectors bool // calls end with the elector's context and go through the rate limiter of the node's client
	isNumbered bool // the sender numbers its messages in the total order; otherwise the transport does
	isOneWay   bool // nothing answers the message, and its sender does not wait
	seesFaults bool // serve handles a request's fault itself, because its record shows it

	serve  func(w *World, slot int32) // carries out a request at the server; nil for an event, which starts there
	answer func(w *World, slot int32) // takes the answer or the event at the client
	lose   func(w *World, slot int32) // handles a loss; nil if the client waits for its timeout
	keep   func(w *World, slot int32) // takes an event for a paused process; nil if the process finds it on resuming

	// rest.Request of client-go retries after some answers. The field retry is nil if the sender does not use
	// rest.Request.
	retry func(w *World, m *message, why step.Result, r trace.Retry) // records the retry and numbers the next request
	send  func(w *World, slot int32)                                 // sends a request of a call after its wait
	end   func(w *World, slot int32)                                 // ends a call without another request
}

// senders is the table of all senders. `init` fills it, because its functions send messages too.
var senders [anySender]actor

func init() {
	senders = [...]actor{
		electorRequest: {client: network.Elector, path: connection{}, isElectors: true, isNumbered: true,
			seesFaults: true,
			serve:      serveElector, answer: answerElector, retry: retryElector, send: sendElector,
			end: endElectorCall},
		candidateRequest: {client: network.LeaseCandidate, resource: LeaseCandidates, path: candidateConnection{},
			serve: serveCandidateWrite, answer: answerCandidate, retry: retryCandidate, send: sendAgain, end: endCall},
		candidateList: {client: network.AnySender, resource: LeaseCandidates, path: candidateConnection{},
			serve: serveCandidateList, answer: takeCandidateList, lose: loseCandidateRead},
		candidateEvent: {client: network.AnySender, resource: LeaseCandidates, path: candidateConnection{},
			answer: takeCandidateEvent, lose: loseCandidateRead},
		controllerRequest: {client: network.Controller, path: loopback{},
			serve: serveController, answer: answerController},
		controllerEvent: {client: network.AnySender, path: loopback{}, answer: takeControllerEvent},
		heartbeatRequest: {client: network.Kubelet, resource: Leases, path: connection{}, isNumbered: true,
			serve: serveHeartbeat, answer: answerKubelet, retry: retryHeartbeat, send: sendAgain, end: endCall},
		heartbeatList: {client: network.AnySender, resource: Leases, path: connection{},
			serve: serveMonitorList, answer: takeMonitorList, lose: loseMonitorRead},
		heartbeatEvent: {client: network.AnySender, resource: Leases, path: connection{}, isNumbered: true,
			answer: takeMonitorEvent, lose: loseMonitorRead, keep: keepMonitorEvent},
		resourceRequest: {client: network.ResourceWriter, path: toResource{}, isOneWay: true,
			serve: takeResourceWrite, lose: takeResourceWrite},
		programRequest: {client: network.Elector, path: connection{}, seesFaults: true,
			serve:  func(w *World, slot int32) { w.programs.serve(w, slot) },
			answer: func(w *World, slot int32) { w.programs.handleAnswer(w, slot) }},
		programEvent: {client: network.AnySender, path: connection{},
			answer: func(w *World, slot int32) { w.programs.handleEvent(w, slot, false) },
			lose:   func(w *World, slot int32) { w.programs.handleEvent(w, slot, true) }},
	}
}

// `hear` passes the answer or the event in a slot to its client. The call may retry instead.
func (a *actor) hear(w *World, slot int32, m *message) {
	if m.result == step.Success || a.retry == nil || !w.net.asksAgain(w, slot) {
		a.answer(w, slot)
	}
}

// isFrom reports whether a sender matches the client that an act names.
func (s sender) isFrom(meant network.Sender) bool {
	return meant == network.AnySender || senders[s].client == meant
}

// path returns the way that a sender's messages travel.
type path interface {
	link(w *World, m *message) *network.Link // connection of a message
	rules(w *World) *network.Rules
	way(w *World, m *message) network.Way
}

// connection is the connection of a node to its API server.
type connection struct{}

func (connection) link(w *World, m *message) *network.Link { return w.net.link(w, m.client) }

func (connection) rules(w *World) *network.Rules { return &w.net.rules }

func (connection) way(w *World, m *message) network.Way {
	n := &w.nodes[m.client]
	settings := &w.settings[n.settings]
	return network.Way{RequestNs: settings.RequestNs, ResponseNs: settings.ResponseNs,
		RequestDraw: settings.RequestDraw, ResponseDraw: settings.ResponseDraw,
		Draws: &n.latencies}
}

// candidateConnection is a node's connection with the latencies of its LeaseCandidate client.
type candidateConnection struct{ connection }

func (c candidateConnection) way(w *World, m *message) network.Way {
	way := c.connection.way(w, m)
	way.Draws = &w.clients.list[w.nodes[m.client].client].latencies
	return way
}

// loopback connects a controller to the API server that it runs in.
type loopback struct{ connection }

func (loopback) link(w *World, m *message) *network.Link {
	n := &w.nodes[m.client]
	l := &w.servers.list[n.number].loopback
	l.State = network.Serving
	if !n.process.Alive {
		l.State = network.Gone
	}
	return l
}

func (loopback) way(w *World, m *message) network.Way {
	return network.Way{RequestNs: controllerLatencyNs, ResponseNs: controllerLatencyNs,
		Draws: &w.servers.list[w.nodes[m.client].number].latencies}
}

// toResource connects a leader to the resource, which has its own network rules.
type toResource struct{}

func (toResource) link(w *World, m *message) *network.Link { return &w.resource.writers[m.client].link }

func (toResource) rules(w *World) *network.Rules { return &w.resource.rules }

func (toResource) way(w *World, m *message) network.Way {
	return network.Way{RequestNs: w.setup.Resource.LatencyNs, Draws: &w.nodes[m.client].latencies}
}
