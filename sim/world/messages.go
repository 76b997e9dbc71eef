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

// The resources that network rules can match.
const (
	Leases network.Resource = iota + 1
	LeaseCandidates
	ConfigMaps
)

// message is one request with its answer, or one event of a watch. It exists while it is on the wire or its client
// waits.
type message struct {
	network.Request
	reachesNs int64
	servedNs  int64         // -1 until the server has served it
	returnsNs int64         // -1 while no answer is on the way
	timeoutNs int64         // never if it has none
	lagNs     int64         // lag of the cache that it reads from
	extraNs   int64         // added to the latency: by the client for a request, by the server for an event
	uid       uint64        // UID of the Lease; for a program's message, its number
	version   int64         // resourceVersion; of a heartbeat event: renewals; of a write to the resource: the token
	answer    elector.Input // what its client learns about the Lease
	record    coordination.Record
	client    int32  // node that sent it, or -1 in a free slot
	order     uint32 // its number in the total order of its instant
	body      int32  // index in bodies, or -1
	subject   int32  // kubelet that an event is about; 1 for a program's request that is about its Lease
	run       int16  // number of the run of the process that writes to the resource
	sender    sender
	object    elector.Object
	result    step.Result
	broke     step.Result // why its connection breaks; Success if it does not
	outcome   storage.Outcome
	held      network.HeldAt
	hold      network.HoldMode

	onWire      bool
	waited      bool // the client still waits
	timeoutSet  bool // the queue has a clientGivesUp event
	lostUp      bool
	lostDown    bool
	unsent      bool               // its client holds it back for now: see calls
	hangs       bool               // the server keeps it waiting
	cleansUp    bool               // gives the resource up
	losesAnswer bool               // an act loses its answer
	retryAfter  network.RetryAfter // Retry-After of its answer
	call        int32              // index of its call in calls, or -1 if its first answer ends it
}

// learns copies a stored Lease into the answer.
func (m *message) learns(o *storage.Object) {
	m.answer.ResourceVersion, m.answer.UID, m.answer.Record = o.ResourceVersion, o.UID, o.Spec
}

// verb returns the verb of an elector's or client's request. Packages network and elector use the same numbers for
// these verbs.
func (m *message) verb() elector.Verb { return elector.Verb(m.Verb) }

var _ = [1]struct{}{}[elector.Verb(network.Get)-elector.Get]
var _ = [1]struct{}{}[elector.Verb(network.Create)-elector.Create]
var _ = [1]struct{}{}[elector.Verb(network.Update)-elector.Update]

// body holds what only the messages of LeaseCandidate clients and controllers carry.
type body struct {
	candidate leasecandidate.Object // a client's write
	seen      leasecandidate.Input  // what its informer sees
	request   coordinator.Request
	input     coordinator.Input // for a controller
}
