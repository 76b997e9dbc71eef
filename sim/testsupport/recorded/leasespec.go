package recorded

import "github.com/leaselab/leaselab/core/coordination"

// LeaseSpec is the spec of a Lease on the wire; nil means absent. Recordings with other names or times convert to it.
type LeaseSpec struct {
	HolderIdentity       *string                 `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32                  `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *coordination.MicroTime `json:"acquireTime,omitempty"`
	RenewTime            *coordination.MicroTime `json:"renewTime,omitempty"`
	LeaseTransitions     *int32                  `json:"leaseTransitions,omitempty"`
	Strategy             *string                 `json:"strategy,omitempty"`
	PreferredHolder      *string                 `json:"preferredHolder,omitempty"`
}

// SpecOf returns the wire form of a record.
func SpecOf(r *coordination.Record, symbols *coordination.Symbols) LeaseSpec {
	record, s := *r, LeaseSpec{}
	text := func(symbol coordination.Symbol) *string { t := symbols.Text(symbol); return &t }
	if record.Has(coordination.HasHolderIdentity) {
		s.HolderIdentity = text(record.HolderIdentity)
	}
	if record.Has(coordination.HasLeaseDurationSeconds) {
		s.LeaseDurationSeconds = &record.LeaseDurationSeconds
	}
	if record.Has(coordination.HasAcquireTime) {
		s.AcquireTime = &record.AcquireTime
	}
	if record.Has(coordination.HasRenewTime) {
		s.RenewTime = &record.RenewTime
	}
	if record.Has(coordination.HasLeaseTransitions) {
		s.LeaseTransitions = &record.LeaseTransitions
	}
	if record.Has(coordination.HasStrategy) {
		s.Strategy = text(record.Strategy)
	}
	if record.Has(coordination.HasPreferredHolder) {
		s.PreferredHolder = text(record.PreferredHolder)
	}
	return s
}

// Record returns the spec as a value.
func (s *LeaseSpec) Record(symbols *coordination.Symbols) coordination.Record {
	var r coordination.Record
	if s.HolderIdentity != nil {
		r.HolderIdentity, r.Present = symbols.Intern(*s.HolderIdentity), r.Present|coordination.HasHolderIdentity
	}
	if s.LeaseDurationSeconds != nil {
		r.LeaseDurationSeconds, r.Present = *s.LeaseDurationSeconds, r.Present|coordination.HasLeaseDurationSeconds
	}
	if s.AcquireTime != nil {
		r.AcquireTime, r.Present = *s.AcquireTime, r.Present|coordination.HasAcquireTime
	}
	if s.RenewTime != nil {
		r.RenewTime, r.Present = *s.RenewTime, r.Present|coordination.HasRenewTime
	}
	if s.LeaseTransitions != nil {
		r.LeaseTransitions, r.Present = *s.LeaseTransitions, r.Present|coordination.HasLeaseTransitions
	}
	if s.Strategy != nil {
		r.Strategy, r.Present = symbols.Intern(*s.Strategy), r.Present|coordination.HasStrategy
	}
	if s.PreferredHolder != nil {
		r.PreferredHolder, r.Present = symbols.Intern(*s.PreferredHolder), r.Present|coordination.HasPreferredHolder
	}
	return r
}
