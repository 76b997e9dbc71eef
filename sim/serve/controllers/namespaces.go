package controllers

import (
	"maps"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/elements"
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
	due     map[string]task             // by name
	paths   []string                    // the collections that the controller still has to delete
	rest    func() apiserver.Response   // of a large deletion; nil if none is under way
}

// task is what a change in an ending namespace requires. Most changes require nothing, such as a deletion that waits
// for finalizers. So a namespace that never ends costs nothing.
type task struct{ deletes bool } // without a deletion, the controller only looks whether the namespace is empty

func (n *terminations) begin(time.Time) {
	n.ending, n.due, n.paths, n.rest = map[string]apiserver.Change{}, map[string]task{}, nil, nil
}

func (n *terminations) see(c *apiserver.Change) {
	p := placeOf(c.Key)
	isDeleted := c.Object != nil && wire.Text(c.Object, "metadata", "deletionTimestamp") != ""
	if p.resource != "namespaces" {
		if _, ends := n.ending[p.namespace]; ends && !isDeleted {
			n.due[p.namespace] = task{deletes: c.Object != nil || n.due[p.namespace].deletes}
		}
		return
	}
	delete(n.ending, p.name)
	delete(n.due, p.name)
	if isDeleted && slices.Contains(wire.List(c.Object, "spec", "finalizers"), any(namespaceFinalizer)) {
		n.ending[p.name], n.due[p.name] = *c, task{deletes: true}
	}
}

// act deletes the contents of the due namespaces, and then looks at what remains. If an object has finalizers, the
// object and its namespace survive.
func (n *terminations) act(now time.Time) time.Time {
	for _, name := range slices.Sorted(maps.Keys(n.due)) {
		if n.due[name].deletes {
			n.due[name] = task{}
			n.paths = append(n.paths, n.cluster.Objects().Contents(name)...)
		}
	}
	for n.rest != nil || len(n.paths) > 0 {
		if n.rest != nil {
			n.rest = n.rest().Resume
		} else {
			n.rest = begin(n.cluster, now, request(controllerManager, "DELETE", n.paths[0], nil)).Resume
			n.paths = n.paths[1:]
		}
		if n.rest != nil {
			return now
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.due)) {
		if delete(n.due, name); len(n.cluster.Objects().Contents(name)) == 0 {
			n.finalize(now, name)
		}
	}
	return time.Time{}
}

// finalize removes the controller's finalizer. If that was the last one, the server removes the namespace.
func (n *terminations) finalize(now time.Time, name string) {
	live := n.ending[name]
	delete(n.ending, name)
	o := wire.CopyMap(live.Object)
	left := elements.If(wire.List(o, "spec", "finalizers"), func(f any) bool { return f != namespaceFinalizer })
	wire.Set(o, left, "spec", "finalizers")
	wire.Set(o, precondition(live.Revision)["resourceVersion"], "metadata", "resourceVersion")
	o["kind"], o["apiVersion"] = "Namespace", "v1"
	n.cluster.Do(now, request(controllerManager, "PUT", objectPath("v1", "", "namespaces", name)+"/finalize", o))
}
