//go:build !page

package apiserver

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// An open kind is a kind without a schema: the server knows its names, its scope and its subresources, and accepts any
// member beside metadata. Config.Kinds lists the open kinds of a server; it also serves the kinds of the stored
// CustomResourceDefinitions. The page has no open kinds.
//
// Deviation: the server neither validates nor defaults an open kind's members, and does not convert them between
// versions. A strategic merge patch replaces lists unless it names the order of their items, and server-side apply
// treats them as atomic. Subresources other than status and scale are missing. Pinned by TestOpenKinds.

// Kinds lists the kinds of a cluster in the order in which discovery lists their groups. Where the server has a schema
// for a kind, the schema counts.
type Kinds []*resource

// ParseKinds parses a table of kinds. A line has the group, the versions, the resource, the kind, the scope ("created"
// for kinds that are only created, never stored), the subresources, the short names, the categories and the hash of the
// storage version; "-" stands for none. A malformed line panics.
func ParseKinds(table string) (all Kinds) {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		for i := range f {
			f[i] = strings.ReplaceAll(strings.TrimPrefix(f[i], "-"), ",", " ")
		}
		r := &resource{group: f[0], name: f[2], kind: f[3], goKind: f[3], singular: strings.ToLower(f[3]),
			namespaced: f[4] == "namespaced", subresources: strings.Fields(f[5]), short: f[6], categories: f[7],
			storageHash: f[8], unconditional: true, selects: func(*selector.Term) bool { return true }}
		if f[4] != "created" {
			r.open(strings.Fields(f[1]))
		}
		if r.stored == definitionsKey {
			r.prepareCreate, r.prepareUpdate, r.validate = establish, establishAgain, validateDefinition
			r.validateUpdate = func(c *call, o, _ object) []validate.Cause { return validateDefinition(c, o) }
		}
		all = append(all, r)
	}
	return all
}

// The method open completes an open kind with versions; the first one is the storage version.
func (r *resource) open(versions []string) {
	openType := *coreTypes["v1.Object"]
	openType.GoName, openType.GoType, openType.Open = r.kind, r.kind, true
	for _, name := range versions {
		r.versions = append(r.versions, version{name: name, kind: &openType})
	}
	r.onlyPosted, r.stored, r.columns = true, r.fullName(), []string{"Name", "Age"}
	r.prepareCreate = func(_ *call, o object) {
		if r.tracksGeneration() {
			wire.Set(o, int64(1), "metadata", "generation")
		}
	}
	r.prepareUpdate = func(c *call, o, old object) { r.countGeneration(c, o, old) }
	r.validate = func(*call, object) []validate.Cause { return nil } // every create and update checks the metadata
	r.validateUpdate = func(*call, object, object) []validate.Cause { return nil }
}

// isOpen reports whether a kind has no schema.
func (r *resource) isOpen() bool { return len(r.versions) > 0 && r.versions[0].kind.Open }

// bodyFactor returns how many times as many values as usual the body of an object may have. The schemas of a
// CustomResourceDefinition are long, but the server does not store them.
func (r *resource) bodyFactor() int {
	if r.stored == definitionsKey {
		return 10
	}
	return 1
}

// has reports whether an open kind has a subresource.
func (r *resource) has(subresource string) bool { return slices.Contains(r.subresources, subresource) }

// tracksGeneration reports whether the server counts the changes of a kind's objects.
func (r *resource) tracksGeneration() bool { return r.scalePaths != nil || r.has("status") }

// countGeneration counts a change of anything but metadata and, if it is a subresource, status.
// Source: apiextensions-apiserver v0.36 pkg/registry/customresource strategy.go PrepareForUpdate.
func (r *resource) countGeneration(c *call, o, old object) {
	was, _ := wire.Get(old, "metadata", "generation").(int64)
	if c.subresource == "status" || was == 0 || !r.tracksGeneration() {
		return
	}
	same := func(a, b object) bool {
		for name, value := range a {
			if name != "metadata" && (name != "status" || !r.has("status")) && !wire.Equal(value, b[name]) {
				return false
			}
		}
		return true
	}
	if !same(o, old) || !same(old, o) {
		wire.Set(o, was+1, "metadata", "generation")
	}
}

// served lists the resources of the server: those with a schema and, with Config.Kinds, the open kinds and the
// kinds of the stored definitions.
func (s *Server) served() []*resource {
	if s.config.Kinds == nil {
		return s.resources
	}
	last := s.defined
	s.defined = s.store.Revision()
	if s.all == nil || last < s.store.Oldest() || s.store.Changed(definitionsPrefix, last) {
		s.all = s.arrange()
	}
	return s.all
}

func (s *Server) arrange() (all []*resource) {
	for _, r := range s.config.Kinds {
		known := slices.IndexFunc(s.resources, func(k *resource) bool { return k.group == r.group && k.name == r.name })
		switch {
		case known >= 0:
			all = append(all, s.resources[known])
		case r.isOpen():
			all = append(all, r)
		}
	}
	for _, r := range s.resources {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return append(all, s.definedKinds()...)
}

// describe completes a resource's entry in discovery.
func (r *resource) describe(entry wire.Map) wire.Map {
	for name, words := range map[string]string{"shortNames": r.short, "categories": r.categories} {
		if words != "" {
			entry[name] = wire.Texts(strings.Fields(words))
		}
	}
	return entry
}

// verbsBelow returns the verbs of a subresource.
func verbsBelow(subresource string) []any {
	if subresource == finalize {
		return []any{"update"}
	}
	return []any{"get", "patch", "update"}
}

// listBelow returns the entries of a resource's subresources in an APIResourceList.
func (r *resource) listBelow() (list []any) {
	for _, name := range r.subresources {
		entry := wire.Map{"name": r.name + "/" + name, "singularName": "", "namespaced": r.namespaced, "kind": r.kind,
			"verbs": verbsBelow(name)}
		if name == "scale" {
			entry["group"], entry["version"], entry["kind"] = "autoscaling", "v1", "Scale"
		}
		list = append(list, entry)
	}
	return list
}

// describeWhole completes a resource's entry in aggregated discovery, which contains its subresources.
func (r *resource) describeWhole(entry wire.Map) wire.Map {
	var below []any
	for _, name := range r.subresources {
		shown := wire.Map{"group": "", "version": "", "kind": r.kind}
		if name == "scale" {
			shown = wire.Map{"group": "autoscaling", "version": "v1", "kind": "Scale"}
		}
		below = append(below, wire.Map{"subresource": name, "responseKind": shown, "verbs": verbsBelow(name)})
	}
	if below != nil {
		entry["subresources"] = below
	}
	return r.describe(entry)
}

// isSubresource takes the last part of a path as a subresource if the resource has it.
func (c *call) isSubresource(name string) bool {
	if c.res == nil || !c.res.has(name) || !c.res.isOpen() || c.legacyWatch {
		return false
	}
	c.subresource = name
	return true
}

// confine undoes changes that a write must not make: the path of an object does not change a status that is a
// subresource, and /status changes nothing else. Source: apiextensions-apiserver v0.36 pkg/registry/customresource
// strategy.go, status_strategy.go.
func (c *call) confine(o, old object) object {
	if !c.res.isOpen() || !c.res.has("status") {
		return o
	}
	if c.subresource == "" {
		wire.Set(o, wire.Copy(old["status"]), "status")
		return o
	}
	meta, kept := wire.CopyMap(wire.Object(old, "metadata")), wire.CopyMap(old)
	for _, own := range []string{"managedFields", "resourceVersion", "uid"} {
		wire.Set(meta, wire.Get(o, "metadata", own), own)
	}
	delete(kept, "kind")
	delete(kept, "apiVersion")
	kept["metadata"] = meta
	wire.Set(kept, o["status"], "status")
	return kept
}

// confineApplied removes what confine would undo from an applied configuration, so that its manager does not own it.
func (c *call) confineApplied(config wire.Map) {
	if !c.res.isOpen() || !c.res.has("status") {
		return
	}
	for _, name := range wire.Keys(config) {
		identifies := name == "kind" || name == "apiVersion" || name == "metadata"
		if !identifies && (name == "status") == (c.subresource == "") {
			delete(config, name)
		}
	}
}
