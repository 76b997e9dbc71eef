package explain

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// `objects` contains the last two versions of the Lease that the API server stored, and the place of the last write to
// the ConfigMap. The type lock is what one candidate believes. The difference between the two explains most double
// leaders.
type objects struct {
	_         incomparable
	lease     version
	before    version // the previous version
	released  release // the last time that a candidate cleared holderIdentity
	configMap Place
	moved     bool // the last record changed the holder or leaseDuration, or created or deleted the Lease
}

// version is a stored version of the Lease and the place of its write. endsNs is when the Lease would expire by its own
// fields. No client-go elector uses that; the controller does.
type version struct {
	at       Place
	holder   coordination.Symbol
	duration int32
	endsNs   int64 // renewTime plus leaseDurationSeconds, as an instant of the run
}

// release is a write that cleared holderIdentity. The field own is false if the writer emptied a Lease that another
// candidate already held. That can happen if the writer does not check the holder first.
type release struct {
	at   Place
	by   int32
	held coordination.Symbol // the holder until then
	own  bool                // the writer released its own Lease
}

// `observe` follows the writes of every client. It sets moved, from which the background learns whether an
// administrator's write matters to electors. A changed label, for example, does not matter.
func (o *objects) observe(r *trace.Record, at Place) {
	o.moved = false
	switch r.Kind {
	case trace.RequestServed:
		if r.Verb == elector.Get || !isStored(r) {
			return
		}
	case trace.Coordinated, trace.Written:
		if !isStored(r) {
			return
		}
	case trace.RolledBack:
	default:
		return
	}
	if r.Object == elector.ConfigMap {
		o.configMap, o.moved = at, true
		return
	}
	now := version{at: at}
	if gone := r.Outcome == storage.Deleted || r.Kind == trace.RolledBack && r.Outcome != storage.OK; !gone {
		now.holder, now.duration = r.Spec.HolderIdentity, r.Spec.LeaseDurationSeconds
		now.endsNs = int64(r.Spec.RenewTime)*1000 - world.EpochUnixNs + int64(r.Spec.LeaseDurationSeconds)*1e9
	}
	o.moved = now.holder != o.lease.holder || now.duration != o.lease.duration
	if r.Kind == trace.RequestServed && now.holder == 0 {
		o.released = release{at, r.Candidate, o.lease.holder, o.lease.holder == r.Name}
	}
	o.before, o.lease = o.lease, now
}

// `last` returns the place of the last write to an object.
func (o *objects) last(kind elector.Object) Place {
	if kind == elector.ConfigMap {
		return o.configMap
	}
	return o.lease.at
}
