package apiserver

import (
	"strconv"

	"github.com/leaselab/leaselab/core/wire"
)

// The finalizers with which a deletion asks the garbage collector to orphan dependents, or to delete them first.
const (
	orphanFinalizer     = "orphan"
	foregroundFinalizer = "foregroundDeletion"
)

// delete removes one object, or sets its deletionTimestamp if finalizers remain.
// Source: apiserver v0.36 pkg/endpoints/handlers delete.go DeleteResource.
func (c *call) delete() Response {
	o, f := c.deleteOptions()
	if f != nil {
		return c.sendFailure(f)
	}
	var d deleteResult
	if c.res == namespaces {
		d, f = c.deleteNamespace(o)
	} else {
		d, f = c.deleteNamed(c.name, o)
	}
	if f != nil {
		return c.sendFailure(f)
	}
	if d.uid != nil {
		return c.write(200, c.success(*d.uid))
	}
	code := 200
	if !d.gone && o.orphan != nil && !*o.orphan {
		code = 202 // upstream answers 202 only to clients that send the deprecated orphanDependents: false
	}
	return c.send(code, d.storedObject)
}

// deleteResult is the result of a deletion: the uid of a removed object, or the object if it remains.
type deleteResult struct {
	storedObject
	uid  *string
	gone bool
}

// success is the Status that answers a deletion.
func (c *call) success(uid string) []byte {
	details := detailsOf(c.name, c.res.group, c.res.name)
	if uid != "" {
		details["uid"] = uid
	}
	return wire.Encode(nil, wire.Map{"kind": "Status", "apiVersion": "v1", "metadata": wire.Map{}, "status": "Success",
		"details": details}, statusType)
}

// deleteNamed deletes one object of the path's namespace.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go Delete, updateForGracefulDeletionAndFinalizers.
func (c *call) deleteNamed(name string, o *deleteOptions) (deleteResult, *failure) {
	if f := c.res.nameFault(c.namespace, name); f != nil {
		return deleteResult{}, f
	}
	key := c.res.key(c.namespace, name)
	live, has := c.store.Get(key)
	if !has {
		return deleteResult{}, c.res.notFound(name)
	}
	meta := wire.Object(live.Value.read(), "metadata")
	uid := wire.Text(meta, "uid")
	if f := c.res.precondition(o, name, uid, live.Revision); f != nil {
		return deleteResult{}, f
	}
	before := wire.List(meta, "finalizers")
	after, changed := o.collectorFinalizers(before)
	switch {
	case len(after) > 0:
		return c.mark(key, storedOf(live), after), nil
	case changed && c.dryRun:
		// Upstream answers with an empty object, because only a write would fill it in.
		empty, _, err := wire.Decode(&wire.Node{Kind: wire.ObjectKind}, c.res.storageVersion().kind)
		if err != nil {
			panic(err) // an object without members has no member of the wrong type
		}
		return deleteResult{storedObject: storedObject{object: empty}, gone: true}, nil
	case !c.dryRun:
		c.store.Delete(key)
	}
	return deleteResult{uid: &uid, gone: true}, nil
}

// precondition returns a failure if the stored object's uid or resourceVersion is not what the options require.
// Source: apiserver v0.36 pkg/registry/rest delete.go BeforeDelete.
func (r *resource) precondition(o *deleteOptions, name, uid string, revision int64) *failure {
	if o.uid != nil && *o.uid != uid {
		return r.kindConflict(name, "the UID in the precondition ("+*o.uid+") does not match the UID in record ("+uid+
			"). The object might have been deleted and then recreated")
	}
	if have := strconv.FormatInt(revision, 10); o.revision != nil && *o.revision != have {
		return r.kindConflict(name, "the ResourceVersion in the precondition ("+*o.revision+
			") does not match the ResourceVersion in record ("+
			have+"). The object might have been modified")
	}
	return nil
}

// collectorFinalizers returns an object's finalizers, with or without the garbage collector's, as the options say.
// Without a propagation policy, an object keeps the finalizers from an earlier deletion. Source: apiserver v0.36
// pkg/registry/generic/registry store.go deletionFinalizersForGarbageCollection.
func (o *deleteOptions) collectorFinalizers(before []any) (after []any, changed bool) {
	orphan, foreground := false, false
	switch {
	case o.orphan != nil:
		orphan = *o.orphan
	case o.policy != nil:
		orphan, foreground = *o.policy == "Orphan", *o.policy == "Foreground"
	default:
		for _, f := range before {
			if f == orphanFinalizer || f == foregroundFinalizer {
				orphan, foreground = f == orphanFinalizer, f == foregroundFinalizer
				break
			}
		}
	}
	had := map[any]bool{}
	for _, f := range before {
		had[f] = true
		if f != orphanFinalizer && f != foregroundFinalizer {
			after = append(after, f)
		}
	}
	if orphan {
		after = append(after, orphanFinalizer)
	}
	if foreground {
		after = append(after, foregroundFinalizer)
	}
	if had[orphanFinalizer] == orphan && had[foregroundFinalizer] == foreground {
		return before, false
	}
	return after, true
}

// mark sets the deletionTimestamp of an object with finalizers.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go markAsDeleting.
func (c *call) mark(key string, live storedObject, finalizers []any) deleteResult {
	o := wire.CopyMap(live.object)
	meta := wire.Object(o, "metadata")
	meta["finalizers"] = finalizers
	at := wire.Text(meta, "deletionTimestamp")
	if generation, _ := meta["generation"].(int64); at == "" && generation > 0 {
		meta["generation"] = generation + 1
	}
	if now := c.instant(); at == "" || at > now { // both are in UTC and have the same layout
		meta["deletionTimestamp"] = now
	}
	meta["deletionGracePeriodSeconds"] = int64(0)
	return deleteResult{storedObject: c.rewrite(key, live, o)}
}

// rewrite stores an object that a deletion does not remove, unless the object is unchanged or the request is a dry
// run.
func (c *call) rewrite(key string, live storedObject, o object) storedObject {
	switch {
	case wire.Equal(o, live.object):
		return live
	case c.dryRun:
		return storedObject{object: o, revision: live.revision}
	}
	entry := c.store.Put(key, &objectVersion{tree: o})
	return storedOf(entry)
}

// goesNow reports whether an update removes a terminating object's last finalizer. Source: apiserver v0.36
// pkg/registry/generic/registry store.go ShouldDeleteDuringUpdate; kubernetes v1.36
// pkg/registry/core/namespace/storage ShouldDeleteNamespaceDuringUpdate.
func (r *resource) goesNow(o, live object) bool {
	grace, _ := wire.Get(live, "metadata", "deletionGracePeriodSeconds").(int64)
	switch {
	case len(wire.List(o, "metadata", "finalizers")) > 0, wire.Text(live, "metadata", "deletionTimestamp") == "",
		grace != 0:
		return false
	}
	return r != namespaces || len(wire.List(o, "spec", "finalizers")) == 0
}

// remove removes a live object from the store. The answer is the object o with the live object's resourceVersion.
func (c *call) remove(key string, live *storedObject, o object) (objectResult, *failure) {
	if !c.dryRun {
		c.store.Delete(key)
	}
	return objectResult{200, storedObject{object: o, revision: live.revision}}, nil
}
