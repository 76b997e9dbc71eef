package world

import (
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/storage"
)

// Mirror is an API server that follows a world, for reads and watches. Its clock is the world's.
type Mirror struct {
	Server   *apiserver.Server
	now      time.Time
	versions int // so many versions of the history are followed
	others   int
	core     bool // it serves the ConfigMap

	rollbacks int
}

// NewMirror returns a mirror of a world. It knows at least the last kept versions of the Leases, as far as the store
// still has them.
func (w *World) NewMirror(kept int) *Mirror {
	api, history := w.API(), w.store.History()
	m := &Mirror{rollbacks: w.store.Rollbacks(), versions: max(history.First(), history.Len()-kept, history.Settled())}
	config := api.config()
	m.core = config.Core
	config.Today = func() time.Time { return m.now }
	m.Server = apiserver.New(config)
	begin := int64(0)
	api.placeNamespaces(m.Server)
	live := map[int32]*storage.Version{}
	for i := history.First(); i < m.versions; i++ {
		live[history.At(i).Lease] = history.At(i)
		begin = history.At(i).Object.ResourceVersion
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

// Follows reports whether the mirror can follow a world. It cannot after a rollback of the store.
func (m *Mirror) Follows(w *World) bool { return m.rollbacks == w.store.Rollbacks() }

// Show sets the mirror's clock to an instant after the last event.
func (m *Mirror) Show(ns int64) { m.now = Clock(ns) }

// Follow repeats what a world has stored since the last call. w must continue the world that the mirror has followed.
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

// Forget drops what the mirror no longer needs of the world that it follows: see storage.Store.Forget.
func (m *Mirror) Forget(w *World) {
	m.Follow(w)
	renumber := w.store.Forget(w.now)
	w.clients.renumber(renumber)
	m.others = len(w.store.Others())
}
