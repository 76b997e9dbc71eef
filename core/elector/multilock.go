package elector

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

// Lock names the object that holds an elector's record: client-go's resource locks.
type Lock uint8

const (
	Leases     Lock = iota
	ConfigMaps      // the record is JSON in an annotation of a ConfigMap; New refuses it since client-go v0.24
	// ConfigMapsLeases keeps the record in a ConfigMap and a Lease, for a migration; client-go v0.28 removed it.
	ConfigMapsLeases
)

// LockNames are the locks as client-go names them, by their number.
var LockNames = [...]string{"leases", "configmaps", "configmapsleases"}

// Object is the kind of object that an elector's request names.
type Object uint8

const (
	Lease Object = iota
	ConfigMap
)

// First returns the object that a lock asks for first.
func (l Lock) First() Object {
	if l == Leases {
		return Lease
	}
	return ConfigMap
}

// AsStored returns a record as the object stores it: a ConfigMap's annotation holds times in whole seconds. Source:
// client-go v0.23.0 tools/leaderelection/resourcelock LeaderElectionRecord (metav1.Time fields).
func (o Object) AsStored(r coordination.Record) coordination.Record {
	if o == ConfigMap {
		r.AcquireTime = coordination.MicroTime(r.AcquireTime.Seconds() * 1e6)
		r.RenewTime = coordination.MicroTime(r.RenewTime.Seconds() * 1e6)
	}
	return r
}

// Part is one request of a call to a lock.
type Part struct {
	Object          Object
	Verb            Verb
	Record          coordination.Record // record to write; zero for a Get
	ResourceVersion int64
	UID             uint64
}

// MultiLock is the lock of two objects: a ConfigMap, its primary, and a Lease. It turns each call of an elector into
// requests for both objects, one after the other. The zero value with its two names set is ready.
//
// Guarantee: the calls equal client-go v0.27.0's tools/leaderelection/resourcelock MultiLock (the same since v0.17),
// in order, with the resourceVersion that each part saw last; sim/conformance/clients runs the real one next to it.
// Non-guarantee: it does not write the two objects at once. A process that stops in between leaves two holders. A
// leader that renews without reading overwrites a Lease that names another holder (the fast path of client-go v0.30,
// two releases after client-go removed this lock).
type MultiLock struct {
	Identity coordination.Symbol
	Unknown  coordination.Symbol // client-go's name UnknownLeader

	call     Verb
	observes bool // whether the call observes what it reads
	part     Part
	record   coordination.Record // record to write
	read     coordination.Record // the primary as this call read it
	held     [2]seenVersion      // versions last seen, by object
	seen     coordination.Record // the secondary's record as last observed, or zero
}

// seenVersion is the version of an object that a lock saw last. Zero stands for the empty object that a failed create
// leaves.
//
// Deviation: client-go refuses to send an update of the empty object, since it has no name. This elector sends the
// update without a resourceVersion, and the API answers with a conflict. TestUpdateAfterAFailedCreate pins this.
type seenVersion struct {
	version int64
	uid     uint64
}

// Begin starts a call of the elector. Part then returns the call's first request. A release does not observe what it
// reads.
func (l *MultiLock) Begin(call Verb, record *coordination.Record, releasing bool) {
	l.call, l.observes, l.record = call, !releasing, *record
	l.ask(ConfigMap, call)
}

// Part returns the request in flight.
func (l *MultiLock) Part() *Part { return &l.part }

func (l *MultiLock) ask(o Object, verb Verb) {
	l.part = Part{Object: o, Verb: verb}
	if verb == Get {
		return
	}
	l.part.Record = o.AsStored(l.record)
	if verb == Create {
		l.held[o] = seenVersion{}
	}
	l.part.ResourceVersion, l.part.UID = l.held[o].version, l.held[o].uid
}

// Answer handles the end of the request in flight. If the call is over, in then holds the elector's answer. Otherwise
// Part returns the next request.
func (l *MultiLock) Answer(in *Input) (over bool) {
	object, verb := l.part.Object, l.part.Verb
	if in.Result == step.Success {
		l.held[object] = seenVersion{in.ResourceVersion, in.UID}
	}
	switch {
	case object == ConfigMap && in.Result != step.Success && (l.call != Create || in.Result != step.AlreadyExists):
		return true
	case object == ConfigMap && l.call == Create:
		l.ask(Lease, Create)
	case object == ConfigMap:
		l.read = in.Record
		l.ask(Lease, Get)
	case l.call == Get:
		l.combine(in)
		return true
	case verb != Get:
		return true
	case in.Result == step.NotFound:
		l.ask(Lease, Create)
	default: // after any other answer, the version last read either works or makes the write fail
		l.ask(Lease, Update)
	}
	return false
}

// combine makes the answer to a Get: the primary's record. If the secondary names another holder, the holder is
// unknown.
func (l *MultiLock) combine(in *Input) {
	secondary := in.Record
	switch {
	case in.Result == step.NotFound && l.read.HolderIdentity != l.Identity: // an old client holds the lock
		in.Result, in.Record, secondary = step.Success, l.read, coordination.Record{}
	case in.Result == step.Success:
		in.Record = l.read
		if secondary.HolderIdentity != l.read.HolderIdentity {
			in.Record.HolderIdentity = l.Unknown
		}
	default:
		return
	}
	if l.observes { // client-go compares both records as one text
		in.Changed = !l.seen.SameRaw(&secondary)
		l.seen = secondary
	}
	in.ResourceVersion, in.UID = l.held[ConfigMap].version, l.held[ConfigMap].uid
}
