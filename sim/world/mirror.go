package world

import (
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/storage"
)

// Mirror is an API server for reads and watches that follows a world. It uses the world's clock.
type Mirror struct {
	Server   *apiserver.Server
	now      time.Time
	versions int // number of versions that the mirror keeps in its history
	others   int
	core     bool // whether the mirror serves the ConfigMap

	rollbacks, restarts int // of the world that the mirror follows
}

// restart is the last restart of the API server of programs. A new API server knows no history, so a watch from before
// gets 410. The simulated electors watch nothing that a restart could break.
type restart struct {
	count    int
	versions int   // versions of Leases in the store at that time
	revision int64 // the store's revision at that time
}

// loseHistory handles the death of the API server: a cut that refuses the connections of everybody.
func (w *World) loseHistory() {
	if w.programs != nil {
		w.restart = restart{w.restart.count + 1, w.store.History().Len(), w.store.Revision()}
	}
}

// NewMirror returns a mirror of a world. The argument kept says how many of the last versions of the Leases the mirror
// must know, if the store still has them.
func (w *World) NewMirror(kept int) *Mirror {
	api, history := w.API(), w.store.History()
	m := &Mirror{rollbacks: w.store.Rollbacks(), restarts: w.restart.count,
		versions: max(history.First(), history.Len()-kept, history.RollbackEnd(), w.restart.versions)}
	config := api.config()
	m.core = config.Core
	config.Today = func() time.Time { return m.now }
	m.Server = apiserver.New(config)
	api.placeNamespaces(m.Server)
	begin, live := w.restart.revision, map[int32]*storage.Version{}
	for i := history.First(); i < m.versions; i++ {
		live[history.At(i).Lease] = history.At(i)
		begin = max(begin, history.At(i).Object.ResourceVersion)
	}
	for i := range w.setup.LeaseNames {
		if v := live[int32(i)]; v != nil && !v.Deleted {
			m.Server.Place(api.LeaseChange(v))
		}
	}
	if v := live[w.setup.ConfigMap()]; m.core && v != nil && !v.Deleted {
		m.Server.Place(api.LeaseChange(v))
	}
	others := w.store.Others()
	for m.others < len(others) && others[m.others].Revision <= begin {
		m.others++
	}
	api.placeOthers(m.Server, m.others)
	m.Server.Reach(begin)
	m.Follow(w)
	return m
}

// Follows reports whether the mirror can follow a world. A rollback of the store makes that impossible, and so does a
// restart of the API server.
func (m *Mirror) Follows(w *World) bool {
	return m.rollbacks == w.store.Rollbacks() && m.restarts == w.restart.count
}

// Show sets the mirror's clock to an instant after the last event.
func (m *Mirror) Show(ns int64) { m.now = Clock(ns) }

// Follow applies what a world has stored since the last call. `w` must continue the world that the mirror has followed
// so far.
func (m *Mirror) Follow(w *World) {
	m.now = Clock(w.now)
	api, history, others := w.API(), w.store.History(), w.store.Others()
	for m.versions < history.Len() || m.others < len(others) {
		if m.versions < history.Len() {
			v := history.At(m.versions)
			if m.others == len(others) || v.Object.ResourceVersion < others[m.others].Revision {
				if m.core || v.Lease != w.setup.ConfigMap() {
					m.Server.Follow(api.LeaseChange(v))
				}
				m.versions++
				continue
			}
		}
		m.Server.Follow(api.OtherChange(m.others))
		m.others++
	}
}

// Forget drops the parts of the world that the mirror no longer needs: see storage.Store.Forget.
func (m *Mirror) Forget(w *World) {
	m.Follow(w)
	renumber := w.store.Forget(w.now)
	w.clients.renumber(renumber)
	m.others, w.kept = len(w.store.Others()), nil
}
