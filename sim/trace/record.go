// Package trace defines what a run reports: records in execution order, the names of events, and the hash of the
// trace.
//
// A Record is one thing that happened: a Kind, the node, and a Payload with the fields of that kind. An Event names a
// set of records for assertions and filters. A Hash names a whole trace. Instants are nanoseconds since the run began.
//
// Guarantee: two runs with equal hashes have the same records, except for the number that each act has. A run has the
// same hash on every platform. Non-guarantee: a record is not a log line; package explain writes those.
package trace

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
)

// Controller marks Lease versions that the coordinated-election controller wrote.
const Controller = int32(-2)

// NoCandidate stands for the network and for administrators, which are not nodes.
const NoCandidate = int32(-1)

// Record is one entry of the trace. Kind-specific fields are in its payload.
type Record struct {
	At int64 // ns since the run began
	Payload
	ResourceVersion int64               // resourceVersion sent, stored or answered
	Spec            coordination.Record // spec of the Lease: sent, stored or answered; empty for a request without one
	Candidate       int32               // the node's index, or NoCandidate
	// number of a candidate's request; 0 for a record that is not about a request
	Seq int32
	// Control is the number of the scenario's act that caused the record, or -1. It is meaningful only for records
	// that an act may cause; other records leave it 0.
	Control int32
	// Name holds the writer's identity (RequestServed), the identity of the new process (Restarted), the observed
	// holder (NewLeader, Probed), a LeaseCandidate's name (CandidatePinged) or the text of a ConfigError.
	Name    coordination.Symbol
	Run     int16 // number of earlier processes of the node
	Kind    Kind
	Verb    elector.Verb
	Result  step.Result     // what the client learned: RequestEnded, RequestNotSent, CandidateFailed
	Outcome storage.Outcome // what the store did
	Fault   network.FaultKind
	Object  elector.Object // lock object of a request, or of an administrator's write
}

// SameButForNames compares records of runs with different symbol tables. It ignores texts, the Lease and the instant.
// It also ignores Control, because that numbers the acts of just one scenario.
func (r *Record) SameButForNames(o *Record) bool {
	a, b := *r, *o
	a.At, a.Name, a.Spec, a.Control = b.At, b.Name, b.Spec, b.Control
	return a == b
}
