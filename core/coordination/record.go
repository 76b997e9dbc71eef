// Package coordination holds the specs of coordination.k8s.io as values for the engine, and the schemas that package
// wire uses to read and write whole objects. Record is a LeaseSpec, Candidate a LeaseCandidateSpec; Symbols stores
// their strings. MicroTime counts microseconds since the Unix epoch.
//
// Guarantee: a value has every field of its spec, absent or not, with the precision of the wire. Non-guarantee:
// values are not validated and have no metadata.
package coordination

// MicroTime is an instant in microseconds since the Unix epoch: the precision of acquireTime and renewTime on the wire.
type MicroTime int64

// MicroTimeOf truncates a wall-clock reading in nanoseconds since the Unix epoch, as the wire form does.
func MicroTimeOf(wallNs int64) MicroTime { return MicroTime(floorDiv(wallNs, 1000)) }

// Seconds returns the whole second that contains the instant, which is all that a metav1.Time keeps in JSON.
func (t MicroTime) Seconds() int64 { return floorDiv(int64(t), 1_000_000) }

// sameSecond reports whether two instants lie in one second. Most pairs are equal or seconds apart, and for them it
// needs no division.
func sameSecond(a, b MicroTime) bool {
	const second = 1_000_000
	return a == b || a-b < second && b-a < second && a.Seconds() == b.Seconds()
}

func floorDiv(a, b int64) int64 {
	if a >= 0 {
		return int64(uint64(a) / uint64(b)) // compiles to less code than a signed division
	}
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Fields is the set of optional fields that a LeaseSpec has.
type Fields uint8

const (
	HasHolderIdentity Fields = 1 << iota
	HasLeaseDurationSeconds
	HasAcquireTime
	HasRenewTime
	HasLeaseTransitions
	HasStrategy
	HasPreferredHolder
)

// Record is a LeaseSpec as a value, with the same contents as client-go's LeaderElectionRecord. A field that is not in
// Present is zero.
type Record struct {
	AcquireTime          MicroTime
	RenewTime            MicroTime
	HolderIdentity       Symbol
	Strategy             Symbol
	PreferredHolder      Symbol
	LeaseDurationSeconds int32
	LeaseTransitions     int32
	Present              Fields
}

// Has reports whether the record has all the given fields.
func (r *Record) Has(fields Fields) bool { return r.Present&fields == fields }

// SameRaw reports whether two records would have the same JSON if both were LeaderElectionRecords. That is how an
// elector notices a change: it compares times in whole seconds, and an absent number or string equals zero. Source:
// client-go v0.37.2 tools/leaderelection/resourcelock LeaderElectionRecord (metav1.Time fields).
func (r *Record) SameRaw(o *Record) bool {
	const times = HasAcquireTime | HasRenewTime
	return sameSecond(r.RenewTime, o.RenewTime) && r.HolderIdentity == o.HolderIdentity &&
		r.LeaseTransitions == o.LeaseTransitions && r.LeaseDurationSeconds == o.LeaseDurationSeconds &&
		sameSecond(r.AcquireTime, o.AcquireTime) && r.Strategy == o.Strategy &&
		r.PreferredHolder == o.PreferredHolder && r.Present&times == o.Present&times
}

// Valid reports whether the API would accept the record: the duration is above zero, the transitions are zero or more,
// and a record with a preferredHolder also has a strategy. Source: kubernetes pkg/apis/coordination/validation
// ValidateLeaseSpec.
func (r *Record) Valid() bool {
	if r.Has(HasLeaseDurationSeconds) && r.LeaseDurationSeconds <= 0 {
		return false
	}
	if r.LeaseTransitions < 0 {
		return false
	}
	return r.PreferredHolder == 0 || r.Strategy != 0
}

// Differing returns the set of fields in which two records differ.
func (r *Record) Differing(o *Record) Fields {
	d := r.Present ^ o.Present
	if r.HolderIdentity != o.HolderIdentity {
		d |= HasHolderIdentity
	}
	if r.LeaseDurationSeconds != o.LeaseDurationSeconds {
		d |= HasLeaseDurationSeconds
	}
	if r.AcquireTime != o.AcquireTime {
		d |= HasAcquireTime
	}
	if r.RenewTime != o.RenewTime {
		d |= HasRenewTime
	}
	if r.LeaseTransitions != o.LeaseTransitions {
		d |= HasLeaseTransitions
	}
	if r.Strategy != o.Strategy {
		d |= HasStrategy
	}
	if r.PreferredHolder != o.PreferredHolder {
		d |= HasPreferredHolder
	}
	return d
}
