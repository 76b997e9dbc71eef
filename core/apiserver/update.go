package apiserver

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// update replaces an object, or creates it if the resource allows that.
// Source: apiserver v0.36 pkg/endpoints/handlers update.go, pkg/registry/generic/registry store.go Update.
func (c *call) update() (objectResult, *failure) {
	sent, manager, f := c.readObject("UpdateOptions")
	if f != nil {
		return objectResult{}, f
	}
	if f := matchName(sent, c.name); f != nil {
		return objectResult{}, f
	}
	c.dedupOwners(sent, "")
	return c.change(wire.Text(sent, "metadata", "uid"), func(live *storedObject) (object, *failure) {
		var old object
		if live != nil {
			old = convert(live.object, c.res.storageVersion(), c.version)
		}
		w := c.writes(manager)
		w.Apart = true
		return w.Update(old, c.confine(sent, old)), nil
	})
}

// matchName returns a failure if an object's name differs from the path's.
func matchName(o object, want string) *failure {
	switch name := wire.Text(o, "metadata", "name"); name {
	case want:
	case "":
		return badRequest("the name of the object (%s based on URL) was undeterminable: name must be provided", want)
	default:
		return badRequest("the name of the object (%s) does not match the name on the URL (%s)", name, want)
	}
	return nil
}

// change is the registry's part of every write to a named object. The function updated makes the new object from the
// live one, or from nil if none exists. The argument uid is the precondition of a replace.
func (c *call) change(uid string, updated func(live *storedObject) (object, *failure)) (objectResult, *failure) {
	if f := c.res.nameFault(c.namespace, c.name); f != nil {
		return objectResult{}, f
	}
	key := c.res.key(c.namespace, c.name)
	entry, has := c.store.Get(key)
	if !has {
		if uid != "" && (!c.res.onlyPosted || c.verb != "update") {
			return objectResult{}, c.uidMismatch(key, uid, "")
		}
		return c.createNamed(updated)
	}
	key = entry.Key // all versions share it
	live := new(storedOf(entry))
	meta := wire.Object(live.object, "metadata")
	if have := wire.Text(meta, "uid"); uid != "" && uid != have {
		return objectResult{}, c.uidMismatch(key, uid, have)
	}
	o, f := updated(live)
	if f == nil {
		f = c.admitUpdate()
	}
	if f != nil {
		return objectResult{}, f
	}
	revision, err := revisionIn(o)
	switch {
	case err != nil:
		return objectResult{}, internal("%s", err)
	case revision == 0 && !c.res.unconditional:
		return objectResult{}, invalid(c.res.group, c.res.name, c.name, []validate.Cause{
			validate.Invalid("metadata.resourceVersion", "0", "must be specified for an update"),
		})
	case revision != 0 && revision != entry.Revision:
		return objectResult{}, c.res.conflict(c.name, conflictMessage)
	}
	return c.replace(key, live, o)
}

// conflictMessage is the message of a conflict.
const conflictMessage = "the object has been modified; please apply your changes to the latest version and try again"

// createNamed creates the object of a write if no object has its name yet.
func (c *call) createNamed(updated func(live *storedObject) (object, *failure)) (objectResult, *failure) {
	if c.res.onlyPosted && c.verb == "update" {
		return objectResult{}, c.res.notFound(c.name)
	}
	o, f := updated(nil)
	if f != nil {
		return objectResult{}, f
	}
	if f := c.admitCreate(c.name); f != nil {
		return objectResult{}, f
	}
	if _, err := revisionIn(o); err != nil {
		return objectResult{}, internal("%s", err)
	}
	return c.insert(o, false)
}

// replace stores the object that an update made from a live one.
// Source: apiserver v0.36 pkg/registry/rest update.go BeforeUpdate.
func (c *call) replace(key string, live *storedObject, o object) (objectResult, *failure) {
	o = convert(o, c.version, c.res.storageVersion())
	old, meta := wire.Object(live.object, "metadata"), wire.Object(o, "metadata")
	delete(meta, "resourceVersion")
	if !c.res.namespaced {
		delete(meta, "namespace")
	}
	wire.Set(meta, old["generation"], "generation")
	if c.res.prepareUpdate != nil {
		c.res.prepareUpdate(c, o, live.object)
	}
	for _, kept := range []string{"uid", "deletionGracePeriodSeconds"} {
		if _, has := meta[kept]; !has {
			wire.Set(meta, old[kept], kept)
		}
	}
	wire.Set(meta, old["creationTimestamp"], "creationTimestamp")
	if at := old["deletionTimestamp"]; at != nil {
		meta["deletionTimestamp"] = at
	}
	// Upstream validates the metadata here and again in the resource's own validation, so its errors appear twice.
	// Without errors, the second pass would find nothing.
	causes := append(validate.Metadata(meta, c.res.namespaced, validate.PathSegmentName),
		validate.MetadataUpdate(meta, old)...)
	c.sound = len(causes) == 0
	if causes = append(causes, c.res.validateUpdate(c, o, live.object)...); len(causes) > 0 {
		return objectResult{}, c.res.invalid(c.name, causes)
	}
	fieldmanager.KeepTimes(o, live.object)
	c.unlink(meta)
	if c.res.goesNow(o, live.object) {
		return c.remove(key, live, o)
	}
	if wire.Equal(o, live.object) {
		return objectResult{200, *live}, nil
	}
	if f := storable(o); f != nil {
		return objectResult{}, f
	}
	if c.dryRun {
		return objectResult{200, storedObject{object: o, revision: live.revision}}, nil
	}
	written, f := c.put(key, o)
	return objectResult{200, written}, f
}

// unlink drops a client's selfLink; upstream keeps it in the answer to a dry run.
// Source: apiserver v0.36 pkg/storage/api_object_versioner.go PrepareObjectForStorage.
func (c *call) unlink(meta wire.Map) {
	if !c.dryRun {
		delete(meta, "selfLink")
	}
}

// uidMismatch is the failure of a replace that has another object's uid. In a dry run upstream prints the key without
// the store's prefix. Source: apiserver v0.36 pkg/registry/generic/registry dryrun.go.
func (c *call) uidMismatch(key, want, have string) *failure {
	if c.dryRun {
		key = strings.TrimPrefix(key, registryPrefix)
	}
	return c.res.conflict(c.name, "StorageError: invalid object, Code: 4, Key: "+key+
		", ResourceVersion: 0, AdditionalErrorMsg: "+
		"Precondition failed: UID in precondition: "+want+", UID in object meta: "+have)
}

// revisionIn parses the resourceVersion of a client's object, or returns 0 if it has none.
func revisionIn(o object) (int64, error) {
	version := wire.Text(o, "metadata", "resourceVersion")
	if version == "" {
		return 0, nil
	}
	return parseRevision(version)
}

// parseRevision parses a resourceVersion. Its errors come from strconv.
func parseRevision(text string) (int64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, err
	}
	return int64(n), nil
}

// get reads one object. Source: apiserver v0.36 pkg/storage/cacher cacher.go Get: resourceVersion is the minimum
// freshness.
func (c *call) get() (objectResult, *failure) {
	revision, err := parseListRevision(c.r.param("resourceVersion"))
	if err != nil {
		return objectResult{}, internal("%s", err)
	}
	if revision > uint64(c.store.Revision()) {
		return objectResult{}, c.tooLarge(revision)
	}
	if f := c.res.nameFault(c.namespace, c.name); f != nil {
		return objectResult{}, f
	}
	entry, has := c.store.Get(c.res.key(c.namespace, c.name))
	if !has {
		return objectResult{}, c.res.notFound(c.name)
	}
	return objectResult{200, storedOf(entry)}, nil
}
