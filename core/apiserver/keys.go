package apiserver

import (
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// nameFault returns a failure for a name or namespace that cannot be part of a key. Requests fail this way before
// the server looks for the object.
func (r *resource) nameFault(namespace, name string) *failure {
	if f := segmentFault(name); f != nil {
		return f
	}
	return r.keyFault(namespace, name)
}

// segmentFault returns a failure for a name that cannot be part of a key.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go NamespaceKeyFunc.
func segmentFault(name string) *failure {
	if faults := validate.PathSegmentName(name, false); len(faults) > 0 {
		return badRequest("Name parameter invalid: %q: %s", name, strings.Join(faults, ";"))
	}
	return nil
}

// keyFault returns a failure for the namespaces "." and "..", whose keys would leave the store. The name is "" for a
// collection. Source: apiserver v0.36 pkg/storage/etcd3 store.go prepareKey.
func (r *resource) keyFault(namespace, name string) *failure {
	if !r.namespaced || namespace != "." && namespace != ".." {
		return nil
	}
	key := strings.TrimPrefix(r.key(namespace, name), registryPrefix)
	return internal("invalid key: %q", strings.TrimSuffix(key, "/"))
}
