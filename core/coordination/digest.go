package coordination

import "github.com/leaselab/leaselab/core/digest"

// Origin is the reference point of a record's digest. Records that are the same relative to their origins have the
// same digest.
type Origin struct {
	WallNs      int64 // since the Unix epoch
	Transitions int32
	Symbols     *Symbols
}

// Digest adds a record to a digest. Times and leaseTransitions are relative to an origin.
func (r *Record) Digest(d *digest.Digest, from *Origin) {
	d.Add(uint64(r.Present) | uint64(uint32(r.LeaseDurationSeconds))<<8)
	d.AddInt(int64(r.LeaseTransitions - from.Transitions))
	if r.Present&HasAcquireTime != 0 {
		d.AddInt(int64(r.AcquireTime)*1000 - from.WallNs)
	}
	if r.Present&HasRenewTime != 0 {
		d.AddInt(int64(r.RenewTime)*1000 - from.WallNs)
	}
	d.Add(from.Symbols.Hash(r.HolderIdentity))
	if r.Strategy != 0 || r.PreferredHolder != 0 {
		d.Add(from.Symbols.Hash(r.Strategy))
		d.Add(from.Symbols.Hash(r.PreferredHolder))
	}
}
