package coordinated

import (
	"encoding/json"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
)

// Lease and Candidate are the objects as the API sends and takes them. Fields have the order of the wire; nil is absent.
type (
	Lease struct {
		Kind       string     `json:"kind,omitempty"`
		APIVersion string     `json:"apiVersion,omitempty"`
		Metadata   ObjectMeta `json:"metadata"`
		Spec       LeaseSpec  `json:"spec"`
	}
	Candidate struct {
		Kind       string                          `json:"kind,omitempty"`
		APIVersion string                          `json:"apiVersion,omitempty"`
		Metadata   ObjectMeta                      `json:"metadata"`
		Spec       coordination.LeaseCandidateSpec `json:"spec"`
	}
)

// ObjectMeta is the metadata that a replay needs.
type ObjectMeta struct {
	Name              string     `json:"name,omitempty"`
	Namespace         string     `json:"namespace,omitempty"`
	UID               string     `json:"uid,omitempty"`
	ResourceVersion   string     `json:"resourceVersion,omitempty"`
	CreationTimestamp *time.Time `json:"creationTimestamp,omitempty"`
}

// LeaseSpec is the spec of a Lease.
type LeaseSpec struct {
	HolderIdentity       *string                 `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32                  `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *coordination.MicroTime `json:"acquireTime,omitempty"`
	RenewTime            *coordination.MicroTime `json:"renewTime,omitempty"`
	LeaseTransitions     *int32                  `json:"leaseTransitions,omitempty"`
	Strategy             *string                 `json:"strategy,omitempty"`
	PreferredHolder      *string                 `json:"preferredHolder,omitempty"`
}

// specOf returns the JSON form of a record.
func specOf(r *coordination.Record, symbols *coordination.Symbols) LeaseSpec {
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

// record returns the value of a JSON form.
func (s *LeaseSpec) record(symbols *coordination.Symbols) coordination.Record {
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

// encoded is the JSON of a Lease or a Candidate.
func encoded(object any) []byte {
	out, err := json.Marshal(object)
	if err != nil {
		panic(err) // every field is of a type that always encodes
	}
	return out
}
