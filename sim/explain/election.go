package explain

import (
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// election is what the controller of coordinated election did since a candidate last started leading. With
// coordinated election a candidate does not count down: it waits until the Lease names it. So the parts of a gap are
// what the controller did.
type election struct {
	_        incomparable
	pinged   Place // the first ping of the controller's last round
	lastPing int64
	given    Place // the controller's last write that set a holder
	endsNs   int64 // when the previous Lease expired, according to the Lease's fields
	by       int32 // the API server that the controller runs in
	to       int32 // the candidate that the Lease named
}

// roundNs is the longest time between two pings of the same round. A controller pings all candidates of a round in
// one reconciliation, and pings again only after the time for acks.
const roundNs = 1_000_000_000

// `observe` follows the controller. Call it before the objects take the record into account. Only a write that names a
// holder ends a candidate's wait. A write of preferredHolder first asks the old leader to give up.
func (k *election) observe(w *world.World, r *trace.Record, at Place, objects *objects) {
	switch r.Kind {
	case trace.CandidatePinged:
		if r.Outcome == storage.Deleted { // the garbage collector deleted it
			return
		}
		if k.pinged.Ordinal == 0 || r.At-k.lastPing > roundNs {
			k.pinged = at
		}
		k.lastPing = r.At
	case trace.Coordinated:
		if isStored(r) && r.Spec.HolderIdentity != 0 && r.Spec.PreferredHolder == 0 {
			k.given, k.by, k.to = at, r.Assignment().Controller, w.ByIdentity(r.Spec.HolderIdentity)
			k.endsNs = objects.lease.endsNs
		}
	}
}

// layController divides the time until the controller gave the Lease to the new leader. In order of time: the old
// Lease expires, the controller pings, the candidates answer, the Lease gets a new holder. An expiry after the pings
// did not start the election, so it is not a part.
func (x *change) layController() {
	b, k := &x.builder, &x.t.election
	if k.given.Ordinal == 0 || k.to != x.who || k.given.AtNs > x.c.attempt.fromNs {
		return
	}
	if ends := k.endsNs; ends > b.cursor && ends < k.given.AtNs && (!k.inGap(b) || ends < k.pinged.AtNs) {
		b.lay(ends, Place{AtNs: ends, Ordinal: -1},
			"until the Lease expired (renewTime and leaseDurationSeconds)")
	}
	if k.inGap(b) {
		b.lay(k.pinged.AtNs, k.pinged, "until the controller pinged the candidates")
		b.lay(k.given.AtNs, k.given, "until the candidates answered the ping and the controller gave the Lease to %s",
			b.name)
		return
	}
	b.lay(k.given.AtNs, k.given, "until the controller gave the Lease to %s", b.name)
}

// inGap reports whether the last round of pings belongs to this election.
func (k *election) inGap(b *builder) bool {
	return k.pinged.Ordinal != 0 && k.pinged.AtNs >= b.e.FromNs && k.pinged.AtNs <= k.given.AtNs
}
