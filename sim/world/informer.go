package world

// informer is a node's list and watch. It lists when its process starts, and again after a list or an event of the
// watch gets lost.
type informer struct {
	node    int32
	againNs int64 // when the informer lists again on its own; never if it does not
}

// relistNs is how long an informer waits before it lists again. Source: client-go tools/cache reflector, the first
// step of its back-off.
const relistNs = 800_000_000

// listLater schedules the informer's next list, after its back-off. number is the node's index among its kind.
func (f *informer) listLater(w *World, number int32) {
	if f.againNs != never {
		return
	}
	f.againNs = w.now + relistNs
	w.net.sent++
	w.queue.push(event{at: f.againNs, key: orderKey(response, f.node, w.net.sent), slot: number, what: listDue})
}

// takeDue reports whether the informer should list again, now that its back-off is over. The informer of a paused
// process lists after the process resumes.
func (f *informer) takeDue(w *World, e *event) bool {
	p := &w.nodes[f.node].process
	switch {
	case f.againNs != e.at || !p.Alive:
	case p.Paused:
		w.deferred.add(w.now, event{key: orderKey(response, f.node, 0), slot: e.slot, what: listDue})
	default:
		f.againNs = never
		return true
	}
	return false
}
