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
	servedNs  int64         // -1 until the server has carried the request out
	returnsNs int64         // -1 until an answer is on the way
	timeoutNs int64         // never if the message has none
	lagNs     int64         // lag of the cache from which the request reads
	extraNs   int64         // extra latency, from the client for a request, or from the server for an event
	uid       uint64        // UID of the Lease; for a program's message, its number
	version   int64         // resourceVersion; of a heartbeat event: renewals; of a resource write: token
	answer    elector.Input // what the client learns about the Lease
	record    coordination.Record
	client    int32  // node that sent the message, or -1 in a free slot
	order     uint32 // number of the message in the total order of its instant
	body      int32  // index in bodies, or -1
	subject   int32  // for an event, its kubelet; for a program's request, 1 if it is about the Lease
	run       int16  // number of the process's run, for a write to the resource
	sender    sender
	object    elector.Object
	result    step.Result
	broke     step.Result // why the message's connection breaks; Success if it does not
	outcome   storage.Outcome
	held      network.HeldAt
	hold      network.HoldMode

	onWire      bool
	waited      bool // the client still waits
	timeoutSet  bool // the queue has a clientGivesUp event
	lostUp      bool
	lostDown    bool
	unsent      bool               // the client holds the message back for now: see calls
	hangs       bool               // the server keeps the message waiting
	cleansUp    bool               // the write gives up the resource
	losesAnswer bool               // an act drops the answer
	retryAfter  network.RetryAfter // Retry-After of the answer
	call        int32              // index of the message's call in calls, or -1 if the first answer ends the call
}

// `learns` copies a stored Lease into the answer.
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
	seen      leasecandidate.Input  // what the client's informer sees
	request   coordinator.Request
	input     coordinator.Input // answer for a controller
}
