package apiserver

import (
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// nameFault refuses what no object's key can be made of; whoever names an object finds that out before it is looked for.
func (r *resource) nameFault(namespace, name string) *failure {
	if f := segmentFault(name); f != nil {
		return f
	}
	return r.keyFault(namespace, name)
}

// segmentFault refuses a name that cannot be a part of a key.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go NamespaceKeyFunc.
func segmentFault(name string) *failure {
	if faults := validate.PathSegmentName(name, false); len(faults) > 0 {
		return badRequest("Name parameter invalid: %q: %s", name, strings.Join(faults, ";"))
	}
	return nil
}

// keyFault refuses what would lead out of the store: a namespace of one dot or two. name is "" for a collection.
// Source: apiserver v0.36 pkg/storage/etcd3 store.go prepareKey.
func (r *resource) keyFault(namespace, name string) *failure {
	if !r.namespaced || namespace != "." && namespace != ".." {
		return nil
	}
	key := strings.TrimPrefix(r.key(namespace, name), registryPrefix)
	return internal("invalid key: %q", strings.TrimSuffix(key, "/"))
}
