package storage_test

import (
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// admin is a writer that is not an elector.
const admin = int32(-1)

func spec(holder coordination.Symbol) coordination.Record {
	return coordination.Record{
		HolderIdentity: holder, LeaseDurationSeconds: 15,
		Present: coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds,
	}
}

// update replaces the spec of a Lease whose version a writer has seen.
func update(s *storage.Store, u storage.Update, to coordination.Record) (storage.Object, storage.Outcome) {
	outcome := s.Update(u, &to)
	if !outcome.Accepted() {
		return storage.Object{}, outcome
	}
	return *s.Read(u.Lease), outcome
}

// Every write gets the API's answer, and a refused write stores nothing.
func TestOutcomes(t *testing.T) {
	invalid := spec(1)
	invalid.LeaseDurationSeconds = 0
	negative := spec(1)
	negative.LeaseTransitions, negative.Present = -1, negative.Present|coordination.HasLeaseTransitions
	preferred := spec(1)
	preferred.PreferredHolder, preferred.Present = 2, preferred.Present|coordination.HasPreferredHolder
	for _, c := range []struct {
		name string
		do   func(s *storage.Store, o storage.Object) storage.Outcome
		want storage.Outcome
	}{
		{"read an existing Lease", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Get(0)
			return x
		}, storage.OK},
		{"read a missing Lease", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Get(1)
			return x
		}, storage.NotFound},
		{"create twice", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Create(9, 1, 0, spec(2))
			return x
		}, storage.AlreadyExists},
		{"create with a duration of 0", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Create(9, 1, 1, invalid)
			return x
		}, storage.Invalid},
		{"validation precedes the look-up of the name", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Create(9, 1, 0, invalid)
			return x
		}, storage.Invalid},
		{"negative transitions", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion, UID: o.UID}, negative)
			return x
		}, storage.Invalid},
		{"preferredHolder without strategy", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Put(9, admin, 0, preferred)
			return x
		}, storage.Invalid},
		{"update at the stored version", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion, UID: o.UID}, spec(2))
			return x
		}, storage.Updated},
		{"update at an old version", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion - 1, UID: o.UID},
				spec(2))
			return x
		}, storage.Conflict},
		{"update with the uid of another object", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion, UID: o.UID + 1},
				spec(2))
			return x
		}, storage.Conflict},
		{"update of a missing Lease", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, Lease: 1, ResourceVersion: 1, UID: 1}, spec(2))
			return x
		}, storage.Conflict},
		{"update of a missing Lease without a version", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, Lease: 1}, spec(2))
			return x
		}, storage.Conflict},
		{"update with the same contents", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion, UID: o.UID}, spec(1))
			return x
		}, storage.Unchanged},
		{"the same contents at an old version", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := update(s, storage.Update{AtNs: 9, By: 1, ResourceVersion: o.ResourceVersion - 1, UID: o.UID},
				spec(1))
			return x
		}, storage.Conflict},
		{"put over an existing Lease", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Put(9, admin, 0, spec(2))
			return x
		}, storage.Updated},
		{"put of the same contents", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Put(9, admin, 0, spec(1))
			return x
		}, storage.Unchanged},
		{"put of a missing Lease", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Put(9, admin, 1, spec(2))
			return x
		}, storage.Created},
		{"touch", func(s *storage.Store, o storage.Object) storage.Outcome { _, x := s.Touch(9, admin, 0); return x },
			storage.Updated},
		{"touch nothing", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Touch(9, admin, 1)
			return x
		}, storage.NotFound},
		{"delete", func(s *storage.Store, o storage.Object) storage.Outcome { _, x := s.Delete(9, admin, 0); return x },
			storage.Deleted},
		{"delete nothing", func(s *storage.Store, o storage.Object) storage.Outcome {
			_, x := s.Delete(9, admin, 1)
			return x
		}, storage.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storage.New(2)
			_, outcome := s.Create(1, 0, 0, spec(7)) // makes version 1 an old one
			require.Equal(t, storage.Created, outcome)
			first, _ := s.Get(0)
			o, outcome := update(&s, storage.Update{AtNs: 2, ResourceVersion: first.ResourceVersion, UID: first.UID},
				spec(1))
			require.Equal(t, storage.Updated, outcome)
			before := s.Revision()
			assert.Equal(t, c.want, c.do(&s, o))
			stored := map[storage.Outcome]int64{storage.Created: 1, storage.Updated: 1, storage.Deleted: 1}[c.want]
			assert.Equal(t, before+stored, s.Revision(), "every stored write takes a revision, and nothing else does")
			assert.Equal(t, int(s.Revision()), s.History().Len(), "every revision is in the history")
		})
	}
}

// A Lease deleted and created again is another object: a write meant for the first must not change the second, even
// if the versions agree.
func TestARecreatedLeaseIsAnother(t *testing.T) {
	s := storage.New(1)
	first, _ := s.Create(1, 0, 0, spec(1))
	_, outcome := s.Delete(2, admin, 0)
	require.Equal(t, storage.Deleted, outcome)
	second, outcome := s.Create(3, 1, 0, spec(2))
	require.Equal(t, storage.Created, outcome)
	assert.NotEqual(t, first.UID, second.UID)
	assert.Equal(t, int64(3), second.ResourceVersion, "the deletion takes its own revision")
	assert.Equal(t, int64(3), second.CreatedNs)
	_, outcome = update(&s, storage.Update{AtNs: 4, ResourceVersion: second.ResourceVersion, UID: first.UID}, spec(1))
	assert.Equal(t, storage.Conflict, outcome)
}

// Neither a clone nor its original sees what the other stores later.
func TestCloneIsIndependent(t *testing.T) {
	s := storage.New(1)
	s.Create(1, 0, 0, spec(1))
	c := s.Clone()
	s.Put(2, admin, 0, spec(2))
	c.Put(3, admin, 0, spec(3))
	c.Put(4, admin, 0, spec(4))
	ours, _ := s.Get(0)
	theirs, _ := c.Get(0)
	assert.Equal(t, coordination.Symbol(2), ours.Spec.HolderIdentity)
	assert.Equal(t, coordination.Symbol(4), theirs.Spec.HolderIdentity)
	assert.Equal(t, 2, s.History().Len())
	assert.Equal(t, 3, c.History().Len())
	assert.Equal(t, coordination.Symbol(2), s.History().At(1).Object.Spec.HolderIdentity)
	assert.Equal(t, coordination.Symbol(3), c.History().At(1).Object.Spec.HolderIdentity)
}

// The store does not validate the ConfigMap, and a rollback ignores it while it has never existed.
func TestTheObjectBesideTheLeases(t *testing.T) {
	s := storage.New(1)
	zero := coordination.Record{Present: coordination.HasLeaseDurationSeconds}
	_, outcome := s.Create(0, 0, 0, zero)
	assert.Equal(t, storage.Invalid, outcome)
	for i := range int64(2*storage.KeptVersions + 10) {
		s.Put(i, 0, 0, coordination.Record{LeaseDurationSeconds: 15, RenewTime: coordination.MicroTime(i),
			Present: coordination.HasLeaseDurationSeconds | coordination.HasRenewTime})
	}
	require.Positive(t, s.History().First(), "the oldest versions are gone")
	c := s.Clone()
	require.True(t, c.Rollback(2*storage.KeptVersions+20, 2*storage.KeptVersions))
	_, outcome = c.Get(1)
	assert.Equal(t, storage.NotFound, outcome)
	_, outcome = s.Create(2*storage.KeptVersions+20, 0, 1, zero)
	assert.Equal(t, storage.Created, outcome)
	assert.True(t, s.Rollback(2*storage.KeptVersions+30, 2*storage.KeptVersions+25))
	o, _ := s.Get(1)
	assert.EqualValues(t, 2*storage.KeptVersions+11, o.ResourceVersion)
}
