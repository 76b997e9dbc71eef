package apiserver

import (
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// objectResult is the result of a request for one object: a status code and the object.
type objectResult struct {
	code int
	storedObject
}

// create stores a new object.
// Source: apiserver v0.36 pkg/endpoints/handlers create.go.
func (c *call) create() (objectResult, *failure) {
	o, manager, f := c.readObject("CreateOptions")
	if f != nil {
		return objectResult{}, f
	}
	for _, dropped := range []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
		"selfLink"} {
		delete(wire.Object(o, "metadata"), dropped)
	}
	c.dedupOwners(o, "")
	o = c.writes(manager).Update(nil, c.confine(o, nil))
	if c.res.review != nil {
		return c.answerReview(o)
	}
	if f := c.admitCreate(wire.Text(o, "metadata", "name")); f != nil {
		return objectResult{}, f
	}
	return c.insert(o, true)
}

// readObject decodes the object of a create or an update and returns it with the field manager. In errors, the argument
// options names the kind of the options in the query.
func (c *call) readObject(options string) (o object, manager string, f *failure) {
	media, unknown := c.r.bodyMedia()
	if unknown != nil && options == "CreateOptions" { // an update has already parsed its options
		return nil, "", unknown
	}
	data, f := c.readBody()
	if f != nil {
		return nil, "", f
	}
	if manager, f = c.writeOptions(options); f != nil {
		return nil, "", f
	}
	if unknown != nil {
		return nil, "", unknown
	}
	if o = c.parsedBody(media); o == nil {
		if o, f = c.body(media, data); f != nil {
			return nil, "", f
		}
	}
	return o, manager, matchNamespace(o, c.namespace)
}

// parsedBody returns the object of an update if the caller has already parsed the body, or nil if the body still needs
// decoding. It removes the tree from the request, because the returned object now owns the tree.
func (c *call) parsedBody(media string) object {
	o := c.r.Parsed
	c.r.Parsed = nil
	if o == nil || media != jsonMedia || c.verb != "update" || c.res == namespaces ||
		wire.Text(o, "kind") != c.res.kind || wire.Text(o, "apiVersion") != c.res.groupVersion(c.version) ||
		!wire.Settle(o, c.version.kind) {
		return nil
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return o
}

// insert is the registry's part of a create. For generateName it tries up to eight names.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go Create.
func (c *call) insert(o object, post bool) (objectResult, *failure) {
	const tries = 8
	o = convert(o, c.version, c.res.storageVersion())
	meta := wire.Object(o, "metadata")
	prefix := wire.Text(meta, "generateName")
	if prefix == "" || wire.Text(meta, "name") != "" {
		made, f := c.insertNamed(o, post)
		return objectResult{201, made}, f
	}
	const longest = 63 - 5
	for try := 1; ; try++ {
		named := wire.CopyMap(o)
		wire.Set(named, prefix[:min(len(prefix), longest)]+c.suffix(), "metadata", "name")
		made, f := c.insertNamed(named, post)
		if f == nil || f.reason != "AlreadyExists" || try == tries {
			return objectResult{201, made}, f
		}
	}
}

// insertNamed validates a new object and stores it under its name.
// Source: apiserver v0.36 pkg/registry/rest create.go BeforeCreate, pkg/registry/generic/registry store.go create.
func (c *call) insertNamed(o object, post bool) (storedObject, *failure) {
	meta := wire.Object(o, "metadata")
	name := wire.Text(meta, "name")
	key := c.res.key(c.namespace, name)
	meta["uid"] = c.uidFor(key)
	meta["creationTimestamp"] = c.instant()
	if !c.res.namespaced {
		delete(meta, "namespace")
	}
	if c.res.prepareCreate != nil {
		c.res.prepareCreate(c, o)
	}
	causes := c.res.validate(c, o)
	if len(causes) == 0 {
		causes = validate.Metadata(meta, c.res.namespaced, validate.PathSegmentName)
	}
	if len(causes) > 0 {
		return storedObject{}, c.res.invalid(name, causes)
	}
	revision, err := parseRevision(wire.Text(meta, "resourceVersion"))
	if post && !c.dryRun && err == nil && revision != 0 {
		return storedObject{}, internal("resourceVersion should not be set on objects to be created")
	}
	if f := storable(o); f != nil {
		return storedObject{}, f
	}
	if there, has := c.store.Get(key); has {
		return storedObject{}, c.res.refuseTakenName(name, wire.Text(meta, "generateName") != "", there.Value.read())
	}
	delete(meta, "resourceVersion")
	if c.dryRun {
		return storedObject{object: o, revision: revision}, nil
	}
	c.unlink(meta)
	return c.put(key, o)
}

// refuseTakenName is the failure of a create whose name is in use.
func (r *resource) refuseTakenName(name string, generated bool, there object) *failure {
	f := r.alreadyExists(name)
	if generated {
		f.message += ", the server was not able to generate a unique name for the object"
		f.details["retryAfterSeconds"] = int64(1)
	}
	if wire.Text(there, "metadata", "deletionTimestamp") != "" {
		f.message = "object is being deleted: " + f.message
	}
	return f
}

// dedupOwners drops duplicate owner references with a warning. The parameter named when says at which point upstream
// warns. Source: apiserver v0.36 pkg/endpoints/handlers/rest.go dedupOwnerReferencesAndAddWarning.
func (c *call) dedupOwners(o object, when string) {
	var kept []any
	var repeated []string
	seen := map[any]bool{}
	for _, ref := range wire.List(o, "metadata", "ownerReferences") {
		id := wire.Identity(ref)
		if seen[id] {
			m, _ := ref.(wire.Map)
			repeated = append(repeated, wire.Text(m, "uid"))
			continue
		}
		kept, seen[id] = append(kept, ref), true
	}
	if len(repeated) == 0 {
		return
	}
	wire.Set(o, kept, "metadata", "ownerReferences")
	c.warn(".metadata.ownerReferences contains duplicate entries" + when +
		"; API server dedups owner references in 1.20+, and may reject such requests " +
		"as early as 1.24; please fix your requests; duplicate UID(s) observed: " + strings.Join(repeated, ", "))
}

// matchNamespace sets an object's namespace to the path's. It returns a failure if the object has a different one.
// Source: apiserver v0.36 pkg/registry/rest meta.go EnsureObjectNamespaceMatchesRequestNamespace.
func matchNamespace(o object, want string) *failure {
	meta := wire.Object(o, "metadata")
	switch have := wire.Text(meta, "namespace"); {
	case have == want:
	case have == "":
		meta["namespace"] = want
	case want == "":
		delete(meta, "namespace")
	default:
		return badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}
