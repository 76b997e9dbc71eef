package explain

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// objects is what the API server stores: the last two versions of the Lease, and where the ConfigMap was last stored.
type objects struct {
	lease     version
	before    version // the Lease before that
	configMap Place
}

// version is a stored version of the Lease and where it was stored.
type version struct {
	at     Place
	holder coordination.Symbol
	endsNs int64 // renewTime and leaseDurationSeconds, as an instant of the run
}

// stored reports whether a write was accepted and made a version.
func stored(r *trace.Record) bool { return r.Outcome.Accepted() && r.Outcome != storage.Unchanged }

func (o *objects) observe(r *trace.Record, at Place) {
	switch r.Kind {
	case trace.RequestServed:
		if r.Verb == elector.Get {
			return
		}
	case trace.Coordinated, trace.Written:
	default:
		return
	}
	switch {
	case !stored(r):
	case r.Object == elector.ConfigMap:
		o.configMap = at
	default:
		ends := int64(r.Spec.RenewTime)*1000 - world.EpochUnixNs + int64(r.Spec.LeaseDurationSeconds)*1e9
		o.before, o.lease = o.lease, version{at, r.Spec.HolderIdentity, ends}
	}
}

// last is where the object of a kind was last stored.
func (o *objects) last(kind elector.Object) Place {
	if kind == elector.ConfigMap {
		return o.configMap
	}
	return o.lease.at
}
