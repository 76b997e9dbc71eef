package world

import (
	"cmp"
	"slices"
	"sort"

	"github.com/leaselab/leaselab/core/apiserver"
)

// acts are the controls of a run: what the scenario and its user do to the world.
type acts struct {
	list []Control // sorted by time, then by order of insertion; clones share the list until one of them inserts
	next int       // index in list of the next act
	done *doneActs // the acts before the list, so that an insertion does not copy them; nil if none
}

// doneActs are old acts of a world and its clones.
type doneActs struct {
	list   []Control
	before *doneActs
}

// mostDone is how many acts that are over an insertion may copy.
const mostDone = 256

func (a *acts) clone() acts { return acts{list: slices.Clip(a.list), next: a.next, done: a.done} }

// dueNs returns the instant of the next act, or never if no act remains.
func (a *acts) dueNs() int64 {
	if a.next < len(a.list) {
		return a.list[a.next].AtNs
	}
	return never
}

// `take` returns the next act and advances past it.
func (a *acts) take() *Control {
	a.next++
	return &a.list[a.next-1]
}

// addStart adds the first start of a node's process.
func (a *acts) addStart(atNs int64, node int32) {
	a.list = append(a.list, Control{AtNs: atNs, Kind: DoStart, Target: node, Source: -1})
}

// `sort` orders the list once, after the setup has added all its acts. Most lists are already in order, and checking is
// cheaper than sorting.
func (a *acts) sort() {
	byTime := func(i, j int) bool { return a.list[i].AtNs < a.list[j].AtNs }
	if !sort.SliceIsSorted(a.list, byTime) {
		sort.SliceStable(a.list, byTime)
	}
}

// insert adds acts, which must come after every act taken so far. It copies the list once for all of them.
func (a *acts) insert(added []Control) {
	if a.next > mostDone {
		a.done = &doneActs{slices.Clone(a.list[:a.next]), a.done}
		a.list, a.next = a.list[a.next:], 0
	}
	all, old := make([]Control, 0, len(a.list)+len(added)), 0
	byTime := func(a, b Control) int { return cmp.Compare(a.AtNs, b.AtNs) }
	for _, c := range slices.SortedStableFunc(slices.Values(added), byTime) {
		from := old
		old += sort.Search(len(a.list)-old, func(k int) bool { return a.list[old+k].AtNs > c.AtNs })
		if old < a.next {
			panic("world: insert: the act's instant has already passed")
		}
		all = append(append(all, a.list[from:old]...), c)
	}
	a.list = append(all, a.list[old:]...)
}

// `again` moves the act that the world is applying to a later instant.
func (a *acts) again(c Control) {
	a.next--
	a.list = slices.Delete(slices.Clone(a.list), a.next, a.next+1)
	a.insert([]Control{c})
}

// `find` returns the first act with the given source that meets a condition, or nil.
func (a *acts) find(source int32, is func(*Control) bool) *Control {
	for i := range a.list {
		if c := &a.list[i]; c.Source == source && is(c) {
			return c
		}
	}
	for done := a.done; done != nil; done = done.before {
		for i := range done.list {
			if c := &done.list[i]; c.Source == source && is(c) {
				return c
			}
		}
	}
	return nil
}

// Insert adds acts. They must come after the last processed instant. Clones share the list of acts until one of
// them inserts.
func (w *World) Insert(added ...Control) { w.acts.insert(added) }

// MayStart reports whether an act that is still to come starts a process.
func (w *World) MayStart() bool {
	return slices.ContainsFunc(w.acts.list[w.acts.next:], func(c Control) bool {
		return c.Kind == DoStart || c.Kind == DoRestart || c.Kind == DoJoin || c.Kind == DoRollout
	})
}

// Knows reports whether the world has an act with a given source, past or future.
func (w *World) Knows(source int32) bool {
	return w.acts.find(source, func(*Control) bool { return true }) != nil
}

// Request returns the request of the act with a given source, or an empty one if the act has none.
func (w *World) Request(source int32) *apiserver.Request {
	if c := w.acts.find(source, func(c *Control) bool { return c.Request != nil }); c != nil {
		return c.Request
	}
	return &apiserver.Request{}
}

// ForgetDone drops the acts that the world has applied. Knows and Request no longer find them.
func (w *World) ForgetDone() { w.acts = acts{list: slices.Clone(w.acts.list[w.acts.next:])} }
