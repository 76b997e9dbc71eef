//go:build !page

package apiserver

import (
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/storage"
)

// Local answers a request from a component of this server, such as a controller. The component needs no token, and
// may make any request.
func (s *Server) Local(now time.Time, r *Request) Response {
	guard := s.config.Guard
	s.config.Guard = nil
	defer func() { s.config.Guard = guard }()
	return s.Handle(now, r)
}

// Oldest returns the first revision from which Changes is complete.
func (s *Server) Oldest() int64 { return s.store.Oldest() }

// ObjectAt returns the object at a storage key; ok is false if it does not exist. The caller must not change it.
func (s *Server) ObjectAt(key string) (c Change, ok bool) {
	e, ok := s.store.Get(key)
	return Change{Key: key, Revision: e.Revision, Object: e.Value.read()}, ok
}

// Each calls yield with every object, in the order of keys, until yield returns false. The caller must not change the
// objects.
func (s *Server) Each(yield func(Change) bool) {
	s.store.Range(registryPrefix, "", func(e storage.Entry[*objectVersion]) bool {
		return yield(Change{Key: e.Key, Revision: e.Revision, Object: e.Value.read()})
	})
}

// PathOf returns the path of the object at a storage key, or of a collection if the key ends with a slash. It is "" if
// no request reaches the object.
func (s *Server) PathOf(key string) string {
	for _, r := range s.served() {
		rest, is := strings.CutPrefix(key, r.prefix(""))
		if !is || r.review != nil || !s.offers(r) {
			continue
		}
		for i := range r.versions {
			if !s.serves(r.group, r.versions[i].name) {
				continue
			}
			path := "/apis/" + r.groupVersion(&r.versions[i])
			if r.group == "" {
				path = "/api/v1"
			}
			if namespace, name, _ := strings.Cut(rest, "/"); r.namespaced {
				path, rest = path+"/namespaces/"+namespace, name
			}
			return strings.TrimSuffix(path+"/"+r.name+"/"+rest, "/")
		}
	}
	return ""
}

// Contents returns the paths of the collections in a namespace that have objects.
func (s *Server) Contents(namespace string) (paths []string) {
	for _, r := range s.served() {
		if !r.namespaced || r.review != nil || s.store.Count(r.prefix(namespace), "") == 0 {
			continue
		}
		if path := s.PathOf(r.prefix(namespace)); path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// KeyOf returns the storage key of an object; ok is false if the server does not have its kind.
func (s *Server) KeyOf(apiVersion, kind, namespace, name string) (key string, ok bool) {
	group, _, has := strings.Cut(apiVersion, "/")
	if !has {
		group = ""
	}
	for _, r := range s.served() {
		if r.group == group && r.kind == kind && r.review == nil && len(r.versions) > 0 &&
			s.PathOf(r.prefix("")) != "" {
			return r.key(namespace, name), true
		}
	}
	return "", false
}

// Knows reports whether a path is about a group, a version and a resource that the server serves. It returns
// true for a path that names none of them.
func (s *Server) Knows(path string) bool {
	rest, is := strings.CutPrefix(path, "/apis/")
	if !is {
		return true
	}
	group, rest, _ := strings.Cut(strings.Trim(rest, "/"), "/")
	versionName, _, _ := strings.Cut(rest, "/")
	if !s.groupKnown(group) || versionName != "" && len(s.resourcesOf(group, versionName)) == 0 {
		return false
	}
	a, f := (&Request{Method: "GET", Path: path}).attributes()
	if f != nil || !a.OnResource {
		return true
	}
	r, _ := s.find(group, versionName, a.Resource)
	return r != nil
}

// Refuse returns the answer to a request that the given guard refuses, or false if this guard allows the request. The
// server's own guard stays the same.
func (s *Server) Refuse(now time.Time, r *Request, guard Guard) (answer Response, refused bool) {
	c := &call{Server: s, r: r, now: now}
	asks, f := r.attributes()
	if f != nil {
		return Response{}, false // Handle answers the request
	}
	warnings, refusal := guard(r, asks)
	for _, text := range warnings {
		c.warn(text)
	}
	if refusal == nil {
		return Response{}, false
	}
	return c.sendFailure(refusal.failure()), true
}

// Attributes returns what the server asks a Guard about. A path that upstream cannot parse names no resource.
func (r *Request) Attributes() Attributes {
	a, f := r.attributes()
	if f != nil {
		return Attributes{Verb: strings.ToLower(r.Method), Path: r.Path}
	}
	return a
}

// ConfigMapKey returns the storage key of a ConfigMap.
func ConfigMapKey(namespace, name string) string { return configMaps.key(namespace, name) }
