package controllers

import (
	"maps"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
)

// The finalizers that the server adds to a deleted object for the garbage collector.
const (
	orphanFinalizer     = "orphan"
	foregroundFinalizer = "foregroundDeletion"
)

// collector is the garbage collector. It deletes objects whose owners are gone. It also finishes deletions that must
// first orphan or delete the dependents.
//
// Deviation: it acts at once, without upstream's queues and their delays. An owner of a kind that the server does not
// have, such as a Node, counts as alive; upstream retries until it knows the kind. Pinned by TestGarbage. Source:
// kubernetes v1.36 pkg/controller/garbagecollector garbagecollector.go, graph_builder.go.
type collector struct {
	cluster Cluster
	items   map[string]*item           // by key
	keys    map[string]string          // by uid
	needs   map[string]map[string]bool // by uid of an owner: the keys of its dependents
	due     map[string]bool            // keys
	queue   []string                   // keys that were due
}

// item contains what the collector needs to know about an object before a deletion.
type item struct {
	uid        string
	revision   int64
	owners     []any
	finalizers []any
	deleting   bool
}

func (i *item) has(finalizer string) bool { return slices.Contains(i.finalizers, any(finalizer)) }

func (g *collector) begin(time.Time) {
	g.queue = nil
	g.items, g.keys, g.needs, g.due = map[string]*item{}, map[string]string{}, map[string]map[string]bool{},
		map[string]bool{}
}

func ownerUID(ref any) string {
	m, _ := ref.(wire.Map)
	return wire.Text(m, "uid")
}

// `see` updates the graph of owners and dependents, and records which objects become due because of a change. A
// dependent becomes due when its owner disappears. An owner in deletion becomes due when a dependent no longer blocks
// it.
func (g *collector) see(c *apiserver.Change) {
	old := g.items[c.Key]
	if old != nil {
		for _, ref := range old.owners {
			delete(g.needs[ownerUID(ref)], c.Key)
			g.dueUID(ref)
		}
	}
	delete(g.items, c.Key)
	if old != nil {
		delete(g.keys, old.uid)
	}
	if c.Object == nil {
		if old != nil {
			maps.Copy(g.due, g.needs[old.uid])
		}
		return
	}
	meta := wire.Object(c.Object, "metadata")
	o := &item{uid: wire.Text(meta, "uid"), revision: c.Revision, owners: wire.List(meta, "ownerReferences"),
		finalizers: wire.List(meta, "finalizers"),
		deleting:   wire.Text(meta, "deletionTimestamp") != ""}
	g.items[c.Key], g.keys[o.uid] = o, c.Key
	for _, ref := range o.owners {
		uid := ownerUID(ref)
		if g.needs[uid] == nil {
			g.needs[uid] = map[string]bool{}
		}
		g.needs[uid][c.Key] = true
	}
	if o.deleting || len(o.owners) > 0 {
		g.due[c.Key] = true
	}
	if o.deleting && o.has(foregroundFinalizer) {
		maps.Copy(g.due, g.needs[o.uid])
	}
}

// dueUID makes the owner in a reference due, because the owner may be waiting for this dependent.
func (g *collector) dueUID(ref any) {
	if len(g.needs[ownerUID(ref)]) == 0 {
		delete(g.needs, ownerUID(ref))
	}
	if key, has := g.keys[ownerUID(ref)]; has && g.items[key].deleting {
		g.due[key] = true
	}
}

// `act` handles the due objects in the order of their keys. Its own requests change objects, which makes other objects
// due. So Advance calls it again until nothing changes.
func (g *collector) act(now time.Time) time.Time {
	if len(g.queue) == 0 {
		g.queue = slices.Sorted(maps.Keys(g.due))
		clear(g.due)
	}
	keys := g.queue[:min(len(g.queue), mostAtOnce)]
	g.queue = g.queue[len(keys):]
	for _, key := range keys {
		o := g.items[key]
		switch {
		case o == nil:
		case o.deleting && o.has(orphanFinalizer):
			g.orphan(now, key, o)
		case o.deleting && o.has(foregroundFinalizer):
			if !g.isBlocked(o) {
				g.keep(now, key, "finalizers", func(f any) bool { return f != foregroundFinalizer })
			}
		case !o.deleting:
			g.consider(now, key, o)
		}
	}
	if len(g.queue) > 0 {
		return now
	}
	return time.Time{}
}

// isBlocked reports whether a dependent must go before its owner.
func (g *collector) isBlocked(o *item) bool {
	for key := range g.needs[o.uid] {
		for _, ref := range g.items[key].owners {
			if m, _ := ref.(wire.Map); ownerUID(ref) == o.uid && m["blockOwnerDeletion"] == true {
				return true
			}
		}
	}
	return false
}

// orphan removes an object from the owner references of its dependents. Then it removes the finalizer, so that the
// object can go.
func (g *collector) orphan(now time.Time, key string, o *item) {
	for _, dependent := range slices.Sorted(maps.Keys(g.needs[o.uid])) {
		if !g.keep(now, dependent, "ownerReferences", func(ref any) bool { return ownerUID(ref) != o.uid }) {
			g.due[key] = true
			return
		}
	}
	g.keep(now, key, "finalizers", func(f any) bool { return f != orphanFinalizer })
}

// `keep` drops the other elements of a list in an object's metadata: ownerReferences or finalizers. It returns false if
// the object has changed in the meantime.
func (g *collector) keep(now time.Time, key, member string, fits func(any) bool) bool {
	o := g.items[key]
	list := o.owners
	if member == "finalizers" {
		list = o.finalizers
	}
	meta := precondition(o.revision)
	meta[member] = append([]any{}, elements.If(list, fits)...)
	return g.do(now, "PATCH", key, wire.Map{"metadata": meta})
}

// `do` sends a request about an object. The body of a deletion is its options.
func (g *collector) do(now time.Time, method, key string, body wire.Map) bool {
	path := g.cluster.Objects().PathOf(key)
	if path == "" {
		return true // no request can reach it
	}
	answer := g.cluster.Do(now, request(controllerManager, method, path, body))
	return answer.Status < 300 || answer.Status == 404
}

// standing is the state of an owner.
type standing int

const (
	solid    standing = iota // it exists, or the server does not know its kind
	dangling                 // it is gone
	awaits                   // its deletion waits for its dependents
)

// owner returns the state of the object that a reference names.
func (g *collector) owner(namespace string, ref any) standing {
	m, _ := ref.(wire.Map)
	key, known := g.cluster.Objects().KeyOf(wire.Text(m, "apiVersion"), wire.Text(m, "kind"), namespace,
		wire.Text(m, "name"))
	if !known {
		return solid
	}
	switch o := g.items[key]; {
	case o == nil || o.uid != ownerUID(ref):
		return dangling
	case o.deleting && o.has(foregroundFinalizer):
		return awaits
	}
	return solid
}

// `consider` deletes an object if no owner keeps it.
// Source: kubernetes v1.36 pkg/controller/garbagecollector garbagecollector.go attemptToDeleteItem.
func (g *collector) consider(now time.Time, key string, o *item) {
	namespace := placeOf(key).namespace
	count := map[standing]int{}
	for _, ref := range o.owners {
		count[g.owner(namespace, ref)]++
	}
	policy := "Background"
	switch {
	case len(o.owners) == 0:
		return
	case count[solid] == len(o.owners):
		return
	case count[solid] > 0:
		g.keep(now, key, "ownerReferences", func(ref any) bool { return g.owner(namespace, ref) == solid })
		return
	case count[awaits] > 0 && len(g.needs[o.uid]) > 0:
		policy = "Foreground"
	case o.has(orphanFinalizer):
		policy = "Orphan"
	case o.has(foregroundFinalizer):
		policy = "Foreground"
	}
	g.do(now, "DELETE", key, wire.Map{
		"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": policy,
		"preconditions": wire.Map{"uid": o.uid},
	})
}
