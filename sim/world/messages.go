package world

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
)

// The resources that rules of the network tell apart.
const (
	Leases network.Resource = iota + 1
	LeaseCandidates
	ConfigMaps
)

// message is one request with its answer, or one event of a watch. It lasts while it is on the wire or its client
// waits.
type message struct {
	network.Request
	reachesNs int64
	servedNs  int64         // -1: not served
	returnsNs int64         // -1: no answer on the way
	timeoutNs int64         // never: none
	lagNs     int64         // of the cache that it reads from
	extraNs   int64         // added to the latency of a request by its client, or of an event by the server
	uid       uint64        // of the Lease; of a program's message: its number
	version   int64         // resourceVersion; of a heartbeat's event: renewals; of a write to the resource: the token
	answer    elector.Input // what its client learns of the Lease
	record    coordination.Record
	client    int32  // the node that sent it, -1 in a free slot
	order     uint32 // its number in the total order of its instant
	body      int32  // its place in bodies, -1: none
	subject   int32  // the kubelet that an event is about; 1: a program's request that is about its Lease
	run       int16  // of the process that writes to the resource
	sender    sender
	object    elector.Object
	result    step.Result
	broke     step.Result // why its connection breaks, Success if it does not
	outcome   storage.Outcome
	held      network.HeldAt
	hold      network.HoldMode

	onWire      bool
	waited      bool // the client still waits
	timeoutSet  bool // a clientGivesUp event is queued
	lostUp      bool
	lostDown    bool
	unsent      bool               // its client waits before it sends it: see calls
	hangs       bool               // it waits at the server
	cleansUp    bool               // it gives the resource up
	losesAnswer bool               // an act loses its answer
	retryAfter  network.RetryAfter // of its answer
	call        int32              // the number of its call among calls, -1: its first answer ends it
}

// learns makes a stored Lease the answer.
func (m *message) learns(o *storage.Object) {
	m.answer.ResourceVersion, m.answer.UID, m.answer.Record = o.ResourceVersion, o.UID, o.Spec
}

// verb is the verb of an elector's or a client's request: packages network and elector number these verbs alike.
func (m *message) verb() elector.Verb { return elector.Verb(m.Verb) }

var _ = [1]struct{}{}[elector.Verb(network.Get)-elector.Get]
var _ = [1]struct{}{}[elector.Verb(network.Create)-elector.Create]
var _ = [1]struct{}{}[elector.Verb(network.Update)-elector.Update]

// body is what only the messages of LeaseCandidate clients and of controllers carry.
type body struct {
	candidate leasecandidate.Object // a client's write
	seen      leasecandidate.Input  // by its informer
	request   coordinator.Request
	input     coordinator.Input // for a controller
}
