package world

import "slices"

// ForgetDone drops the acts that have been applied. Knows and Request no longer find them.
func (w *World) ForgetDone() {
	w.acts.list, w.acts.next = slices.Clone(w.acts.list[w.acts.next:]), 0
}

// Forget drops what the mirror no longer needs of the world that it follows: see storage.Store.Forget.
func (m *Mirror) Forget(w *World) {
	m.Follow(w)
	renumber := w.store.Forget(w.now)
	for i := range w.clients.objects {
		w.clients.objects[i].based = renumber(w.clients.objects[i].based)
	}
	m.others = len(w.store.Others())
}
