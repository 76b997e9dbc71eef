package controllers

import (
	"maps"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// namespaceFinalizer is the finalizer that the namespace controller removes.
const namespaceFinalizer = "kubernetes"

// `terminations` empties namespaces in deletion, and finalizes them when nothing remains in them. Objects with other
// finalizers stay until clients remove the finalizers.
//
// Deviation: a terminating namespace has no conditions in its status. Pinned by TestNamespacesEnd.
// Source: kubernetes v1.36 pkg/controller/namespace/deletion namespaced_resources_deleter.go Delete.
type terminations struct {
	cluster Cluster
	ending  map[string]apiserver.Change // by name
}

func (n *terminations) begin(time.Time) { n.ending = map[string]apiserver.Change{} }

func (n *terminations) see(c *apiserver.Change) {
	p := placeOf(c.Key)
	if p.resource != "namespaces" {
		return
	}
	delete(n.ending, p.name)
	if c.Object != nil && wire.Text(c.Object, "metadata", "deletionTimestamp") != "" &&
		slices.Contains(wire.List(c.Object, "spec", "finalizers"), any(namespaceFinalizer)) {
		n.ending[p.name] = *c
	}
}

// act deletes the contents of the ending namespaces, and then looks at what remains. If an object has finalizers, the
// object and its namespace survive.
func (n *terminations) act(now time.Time) time.Time {
	if len(n.ending) == 0 {
		return time.Time{}
	}
	for _, one := range n.contents() {
		n.cluster.Do(now, request(controllerManager, "DELETE", n.cluster.Objects().PathOf(one.key("")), nil))
	}
	full := map[string]bool{}
	for _, one := range n.contents() {
		full[one.namespace] = true
	}
	for _, name := range slices.Sorted(maps.Keys(n.ending)) {
		if !full[name] {
			n.finalize(now, name)
		}
	}
	return time.Time{}
}

// `contents` lists the resources that still have objects in ending namespaces.
func (n *terminations) contents() (found []place) {
	last := place{}
	n.cluster.Objects().Each(func(c apiserver.Change) bool {
		p := placeOf(c.Key)
		p.name = ""
		if _, ends := n.ending[p.namespace]; ends && p != last &&
			n.cluster.Objects().PathOf(c.Key) != "" {
			found, last = append(found, p), p
		}
		return true
	})
	return found
}

// finalize removes the controller's finalizer. If that was the last one, the server removes the namespace.
func (n *terminations) finalize(now time.Time, name string) {
	live := n.ending[name]
	delete(n.ending, name)
	o := wire.CopyMap(live.Object)
	var left []any
	for _, f := range wire.List(o, "spec", "finalizers") {
		if f != namespaceFinalizer {
			left = append(left, f)
		}
	}
	wire.Set(o, left, "spec", "finalizers")
	wire.Set(o, precondition(live.Revision)["resourceVersion"], "metadata", "resourceVersion")
	o["kind"], o["apiVersion"] = "Namespace", "v1"
	n.cluster.Do(now, request(controllerManager, "PUT", objectPath("v1", "", "namespaces", name)+"/finalize", o))
}
