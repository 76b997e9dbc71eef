package storage_test

import (
	"math/rand/v2"
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/require"
)

// naive is the obvious store: a map of the existing objects, a list of all versions, and for each field of each Lease
// the manager who last changed it.
type naive struct {
	revision int64
	uids     uint64
	leases   map[int32]*naiveLease
	history  []storage.Version
}

type naiveLease struct {
	version int64
	uid     uint64
	created int64
	touches int32
	spec    coordination.Record
	owner   map[coordination.Fields]int
	times   [2]int32 // whole seconds
}

var allFields = []coordination.Fields{
	coordination.HasHolderIdentity, coordination.HasLeaseDurationSeconds, coordination.HasAcquireTime,
	coordination.HasRenewTime,
	coordination.HasLeaseTransitions, coordination.HasStrategy, coordination.HasPreferredHolder,
}

// field returns a field of a record as a number, 0 if it is absent.
func field(r coordination.Record, f coordination.Fields) (value int64, present bool) {
	present = r.Present&f != 0
	switch f {
	case coordination.HasHolderIdentity:
		value = int64(r.HolderIdentity)
	case coordination.HasLeaseDurationSeconds:
		value = int64(r.LeaseDurationSeconds)
	case coordination.HasAcquireTime:
		value = int64(r.AcquireTime)
	case coordination.HasRenewTime:
		value = int64(r.RenewTime)
	case coordination.HasLeaseTransitions:
		value = int64(r.LeaseTransitions)
	case coordination.HasStrategy:
		value = int64(r.Strategy)
	case coordination.HasPreferredHolder:
		value = int64(r.PreferredHolder)
	}
	return value, present
}

func (l *naiveLease) object() storage.Object {
	o := storage.Object{ResourceVersion: l.version, UID: l.uid, CreatedNs: l.created, Touches: l.touches, Spec: l.spec}
	for f, m := range l.owner {
		o.Managers[m].Owned |= f
	}
	o.Managers[0].Seconds, o.Managers[1].Seconds = l.times[0], l.times[1]
	return o
}

func (n *naive) record(at int64, by, lease int32, deleted bool) storage.Object {
	n.revision++
	l := n.leases[lease]
	l.version = n.revision
	n.history = append(n.history, storage.Version{AtNs: at, By: by, Lease: lease, Deleted: deleted, Object: l.object()})
	return l.object()
}

func (n *naive) write(at int64, by, lease int32, to coordination.Record) storage.Object {
	l := n.leases[lease]
	m := 0
	if by < 0 {
		m = 1
	}
	for _, f := range allFields {
		now, present := field(to, f)
		was, before := field(l.spec, f)
		switch {
		case !present:
			delete(l.owner, f)
		case !before || now != was:
			l.owner[f] = m
		}
	}
	l.spec, l.times[m] = to, int32(at/1_000_000_000)
	return n.record(at, by, lease, false)
}

func (n *naive) create(at int64, by, lease int32, to coordination.Record) (storage.Object, storage.Outcome) {
	if n.leases[lease] != nil {
		return storage.Object{}, storage.AlreadyExists
	}
	n.uids++
	n.leases[lease] = &naiveLease{uid: n.uids, created: at, owner: map[coordination.Fields]int{}}
	return n.write(at, by, lease, to), storage.Created
}

func (n *naive) replace(at int64, by, lease int32, to coordination.Record) (storage.Object, storage.Outcome) {
	if n.leases[lease].spec == to {
		return n.leases[lease].object(), storage.Unchanged
	}
	return n.write(at, by, lease, to), storage.Updated
}

func acceptable(r coordination.Record) bool {
	d, has := field(r, coordination.HasLeaseDurationSeconds)
	return (!has || d > 0) && r.LeaseTransitions >= 0 && (r.PreferredHolder == 0 || r.Strategy != 0)
}

// randomSpec draws from few values, so that equal and partly equal specs are common.
func randomSpec(r *rand.Rand) coordination.Record {
	var s coordination.Record
	for _, f := range allFields {
		if r.IntN(3) == 0 {
			continue
		}
		v := r.Int64N(3)
		s.Present |= f
		switch f {
		case coordination.HasHolderIdentity:
			s.HolderIdentity = coordination.Symbol(v)
		case coordination.HasLeaseDurationSeconds:
			s.LeaseDurationSeconds = int32(min(v+r.Int64N(3), 2))
		case coordination.HasAcquireTime:
			s.AcquireTime = coordination.MicroTime(v)
		case coordination.HasRenewTime:
			s.RenewTime = coordination.MicroTime(v)
		case coordination.HasLeaseTransitions:
			s.LeaseTransitions = int32(v) - int32(r.IntN(10)/9)
		case coordination.HasStrategy:
			s.Strategy = coordination.Symbol(v)
		case coordination.HasPreferredHolder:
			s.PreferredHolder = coordination.Symbol(r.Int64N(2) * r.Int64N(2))
		}
	}
	return s
}

// compareStores runs the same random writes on the store and on the naive one. Answers, objects and history must be
// equal.
func compareStores(t *testing.T, seed uint64, ops int) {
	const leases = 3
	r := rand.New(rand.NewPCG(seed, 1))
	s := storage.New(leases)
	n := naive{leases: map[int32]*naiveLease{}}
	at := int64(0)
	for i := range ops {
		at += r.Int64N(3) * r.Int64N(900_000_000)
		lease, by := int32(r.IntN(leases)), int32(r.IntN(4))-1
		to := randomSpec(r)
		l := n.leases[lease]
		if l != nil && r.IntN(4) == 0 {
			to = l.spec // an identical write
		}
		var got, want storage.Object
		var answer, expected storage.Outcome
		switch r.IntN(7) {
		case 0:
			got, answer = s.Get(lease)
			expected = storage.NotFound
			if l != nil {
				want, expected = l.object(), storage.OK
			}
		case 1:
			got, answer = s.Create(at, by, lease, to)
			if expected = storage.Invalid; acceptable(to) {
				want, expected = n.create(at, by, lease, to)
			}
		case 2, 3:
			version, uid := r.Int64N(n.revision+1), uint64(r.Int64N(int64(n.uids)+1))
			if l != nil && r.IntN(3) > 0 {
				version, uid = l.version, l.uid
			}
			got, answer = update(&s, storage.Update{AtNs: at, By: by, Lease: lease, ResourceVersion: version, UID: uid},
				to)
			switch {
			case !acceptable(to):
				expected = storage.Invalid
			case l == nil || l.version != version || l.uid != uid:
				expected = storage.Conflict
			default:
				want, expected = n.replace(at, by, lease, to)
			}
		case 4:
			got, answer = s.Put(at, by, lease, to)
			switch {
			case !acceptable(to):
				expected = storage.Invalid
			case l == nil:
				want, expected = n.create(at, by, lease, to)
			default:
				want, expected = n.replace(at, by, lease, to)
			}
		case 5:
			got, answer = s.Touch(at, by, lease)
			expected = storage.NotFound
			if l != nil {
				l.touches++
				want, expected = n.record(at, by, lease, false), storage.Updated
			}
		case 6:
			if r.IntN(3) > 0 {
				continue // deletions are rare, so that updates find a Lease
			}
			got, answer = s.Delete(at, by, lease)
			expected = storage.NotFound
			if l != nil {
				want, expected = n.record(at, by, lease, true), storage.Deleted
				delete(n.leases, lease)
			}
		}
		require.Equal(t, expected, answer, "op %d", i)
		require.Equal(t, want, got, "op %d: %s", i, answer)
		require.Equal(t, n.revision, s.Revision())
	}
	require.Equal(t, len(n.history), s.History().Len())
	for i := range n.history {
		require.Equal(t, n.history[i], *s.History().At(i), "version %d", i)
	}
}

// The store equals the naive one over 400 random histories.
func TestStoreEqualsNaive(t *testing.T) {
	for seed := range uint64(400) {
		compareStores(t, seed, 300)
	}
}

// The fuzzer chooses the operations.
func FuzzStore(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	// one byte is one operation, and the naive store costs more than the real one
	cost := bounded.Limit{Fixed: 1 << 20, PerByte: 1000}
	f.Fuzz(func(t *testing.T, seed uint64, ops uint16) {
		n := int(ops % 2000)
		cost.Do(t, n, func() { compareStores(t, seed, n) })
	})
}
