package world

import "slices"

// ForgetDone drops what was done to the world and is over: for those who never ask what it was.
func (w *World) ForgetDone() {
	w.controls, w.nextControl = slices.Clone(w.controls[w.nextControl:]), 0
}

// Forget drops what the mirror does not need any more of the world that it follows: see storage.Store.Forget.
func (m *Mirror) Forget(w *World) {
	m.Follow(w)
	renumber := w.store.Forget(w.now)
	for i := range w.candidates {
		w.candidates[i].based = renumber(w.candidates[i].based)
	}
	m.others = len(w.store.Others())
}
