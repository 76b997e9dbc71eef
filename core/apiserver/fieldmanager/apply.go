package fieldmanager

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// BadRequest is the error for a configuration that no object can accept.
type BadRequest string

// Error returns upstream's text.
func (b BadRequest) Error() string { return string(b) }

// Conflict is a field that another manager owns with another value.
type Conflict struct {
	Manager string // the manager as errors name it: "m1" using coordination.k8s.io/v1
	Path    string

	id   string
	path []element
}

// Conflicts are the conflicts of one apply, by manager and path.
type Conflicts []Conflict

// Error is upstream's text.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/conflict.go getConflictMessage.
func (cs Conflicts) Error() string {
	if len(cs) == 1 {
		return fmt.Sprintf("Apply failed with 1 conflict: conflict with %s: %s", cs[0].Manager, cs[0].Path)
	}
	lines, last := []string{}, ""
	for i, c := range cs {
		if i == 0 || c.id != last {
			lines, last = append(lines, "conflicts with "+c.Manager+":"), c.id
		}
		lines = append(lines, "- "+c.Path)
	}
	return fmt.Sprintf("Apply failed with %d conflicts: %s", len(cs), strings.Join(lines, "\n"))
}

// Apply merges a configuration into a live object and returns a new object. The live object includes kind, apiVersion
// and resourceVersion, and is nil before the first write. The error is a BadRequest, Conflicts, or an error that has no
// reason upstream. Source: apimachinery v0.36 pkg/util/managedfields/internal/fieldmanager.go Apply.
func (w Write) Apply(live, config wire.Map, force bool) (wire.Map, error) {
	owners, err := decodeManaged(wire.List(live, "metadata", "managedFields"), w.Memo)
	if err != nil {
		return nil, fmt.Errorf("failed to decode managed fields: %w", err)
	}
	if apiVersion, kind := wire.Text(config, "apiVersion"), wire.Text(config, "kind"); apiVersion != w.APIVersion ||
		kind != w.Kind {
		return nil, BadRequest("invalid object type: " + groupVersionKind(apiVersion, kind))
	}
	if live == nil {
		live = w.empty()
		live["apiVersion"], live["kind"] = w.APIVersion, w.Kind
	} else {
		live = wire.CopyMap(live)
		wire.Set(live, nil, "metadata", "managedFields") // managedFields itself has no owner
	}
	o, owners, err := w.applyOverLastApplied(live, config, owners, force)
	if err != nil {
		return nil, err
	}
	if w.Manager == kubectl {
		setLastApplied(o, config)
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	wire.Set(o, nil, "metadata", "managedFields")
	if list := owners.encode(); list != nil {
		wire.Set(o, list, "metadata", "managedFields")
	}
	return o, nil
}

// groupVersionKind is a kind as upstream prints one: coordination.k8s.io/v1, Kind=Lease.
func groupVersionKind(apiVersion, kind string) string {
	switch strings.Count(apiVersion, "/") {
	case 0:
		return "/" + apiVersion + ", Kind=" + kind
	case 1:
		return apiVersion + ", Kind=" + kind
	}
	return "/, Kind=" // for a malformed apiVersion upstream prints no kind either
}

// describe names a configuration in errors.
func describe(config wire.Map) string {
	return fmt.Sprintf("%s/%s; %s", wire.Text(config, "metadata", "namespace"), wire.Text(config, "metadata", "name"),
		groupVersionKind(wire.Text(config, "apiVersion"), wire.Text(config, "kind")))
}

// apply is one attempt. The first apply to an untracked object adds an entry that owns all of its existing fields.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/skipnonapplied.go, structuredmerge.go.
func (w Write) apply(live, config wire.Map, owners ownerMap, force bool) (wire.Map, ownerMap, error) {
	if len(owners) == 0 {
		owners = w.update(w.empty(), live, owners, earlierManager)
	}
	if sendsManagedFields(config, w.Type) {
		return nil, nil, BadRequest("metadata.managedFields must be nil")
	}
	if found := check("", config, w.Type); len(found) > 0 {
		return nil, nil, fmt.Errorf("failed to create typed patch object (%s): %w", describe(config), found)
	}
	merged, owners, err := w.merge(live, config, owners, force)
	if err != nil {
		return nil, nil, err
	}
	id := w.applier()
	owners.own(id, difference(owners[id].fields, untracked))
	if same(live, merged) {
		return live, owners, nil
	}
	o, _, err := wire.Convert(merged, w.Type, false)
	if err != nil {
		return nil, nil,
			fmt.Errorf(
				"failed to convert new object (%s) to proper version: unable to convert unstructured object to %s: %w",
				describe(config), groupVersionKind(w.APIVersion, w.Kind), err)
	}
	if e, owns := owners[id]; owns {
		e.time = w.Instant
		owners[id] = e
	}
	return o, owners, nil
}

// applier is the identity of this request's entry.
func (w Write) applier() string {
	e := w.entry(applies, w.Manager)
	return e.identity()
}

// merge merges the configuration into the live object and updates ownership. It compares the fields of each entry in
// the version of that entry. Source: structured-merge-diff v6 merge/update.go Apply, update.
func (w Write) merge(live, config wire.Map, owners ownerMap, force bool) (wire.Map, ownerMap, error) {
	owners = w.fit(owners)
	merged := w.reset(live, merge(some(live), some(config), w.Type).object())
	id := w.applier()
	last, applied := owners[id]
	e := w.entry(applies, w.Manager)
	e.fields, e.time = fieldsOf(w.reset(nil, config), w.Type), last.time
	owners[id] = e
	var err error
	if applied {
		if merged, err = w.prune(merged, owners, last); err != nil {
			return nil, nil, fmt.Errorf("failed to prune fields: %w", err)
		}
	}
	changes := map[string]*comparison{}
	for other := range owners.versions() {
		from, to := live, merged
		if other != w.APIVersion {
			if from, err = w.inVersion(live, w.APIVersion, other); err != nil {
				return nil, nil, fmt.Errorf("failed to convert old object: %w", err)
			}
			if to, err = w.inVersion(merged, w.APIVersion, other); err != nil {
				return nil, nil, fmt.Errorf("failed to convert new object: %w", err)
			}
		}
		changes[other] = compare(from, to, w.Type)
	}
	changeIn := func(version string) *comparison { return changes[version] }
	if !force {
		if cs := owners.conflicts(changeIn, id); len(cs) > 0 {
			return nil, nil, cs
		}
	}
	owners.release(changeIn, id)
	return merged, owners, nil
}

// inVersion converts an object to another version. All served versions have the same members. So the conversion only
// adds members that the target version always has, and drops empty members that the target version leaves out.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/versionconverter.go Convert.
func (w Write) inVersion(o wire.Map, from, to string) (wire.Map, error) {
	if from == to || o == nil {
		return o, nil
	}
	typed, _, err := wire.Convert(o, w.Type, false)
	if err != nil {
		return nil, fmt.Errorf("unable to convert unstructured object to %s: %w", groupVersionKind(from, w.Kind), err)
	}
	n, err := wire.Parse(wire.Encode(nil, typed, w.Type))
	if err != nil {
		return nil, err
	}
	converted, _, err := wire.Decode(n, w.Type)
	return converted, err
}

// conflicts returns the changed fields that other managers own, by version.
func (m ownerMap) conflicts(changeIn func(version string) *comparison, but string) Conflicts {
	var cs Conflicts
	for _, id := range m.ids() {
		if id == but {
			continue
		}
		e := m[id]
		intersection(e.fields, changeIn(e.apiVersion).changedFields()).each(nil, func(path []element) {
			text := ""
			for _, step := range path {
				text += step.String()
			}
			cs = append(cs, Conflict{Manager: e.String(), Path: text, id: id, path: append([]element(nil), path...)})
		})
	}
	return cs
}

// prune removes the fields that the manager applied before and no longer applies, unless another manager owns them.
// It works in the version of the earlier apply. Otherwise it would remove fields that exist only because another
// version always has them. Source: structured-merge-diff v6 merge/update.go prune, addBackOwnedItems,
// addBackDanglingItems.
func (w Write) prune(merged wire.Map, owners ownerMap, last entry) (wire.Map, error) {
	if len(last.fields) == 0 {
		return merged, nil
	}
	t := w.Type
	object := func(v any) wire.Map {
		m, _ := v.(wire.Map)
		return m
	}
	before, err := w.inVersion(merged, w.APIVersion, last.apiVersion)
	if err != nil {
		return nil, fmt.Errorf("failed to convert merged object to last applied version: %w", err)
	}
	pruned := object(remove(before, withFields(last.fields, t), t))
	// Restore the fields that another manager owns,
	owned := owners.versions()
	at, all := last.apiVersion, before
	for _, version := range versionsFrom(owned, last.apiVersion) {
		if all, err = w.inVersion(all, at, version); err != nil {
			return nil, fmt.Errorf("failed add back owned items: failed to convert merged object at version %s: %w",
				version, err)
		}
		if pruned, err = w.inVersion(pruned, at, version); err != nil {
			return nil, fmt.Errorf("failed add back owned items: failed to convert pruned object at version %s: %w",
				version, err)
		}
		kept := union(withFields(fieldsOf(pruned, t), t), withFields(owned[version], t))
		pruned = object(remove(all, difference(withFields(fieldsOf(all, t), t), kept), t))
		at = version
	}
	// and the fields that the manager never owned.
	if pruned, err = w.inVersion(pruned, at, last.apiVersion); err != nil {
		return nil,
			fmt.Errorf("failed add back dangling items: failed to convert pruned object to last applied version: %w",
				err)
	}
	gone := difference(withFields(fieldsOf(before, t), t), withFields(fieldsOf(pruned, t), t))
	pruned = object(remove(before, intersection(gone, withFields(last.fields, t)), t))
	return w.inVersion(pruned, last.apiVersion, w.APIVersion)
}

// versions maps a version to the fields owned in it.
func (m ownerMap) versions() map[string]set {
	owned := map[string]set{}
	for _, id := range m.ids() {
		e := m[id]
		owned[e.apiVersion] = union(owned[e.apiVersion], e.fields)
	}
	return owned
}

// versionsFrom returns the versions sorted by name, except that the given version comes first.
func versionsFrom(owned map[string]set, first string) []string {
	versions := slices.Sorted(maps.Keys(owned))
	if i := slices.Index(versions, first); i > 0 {
		return append([]string{first}, slices.Delete(versions, i, i+1)...)
	}
	return versions
}

// sendsManagedFields reports whether a configuration has a list of entries.
// Source: apimachinery v0.36 pkg/apis/meta/v1/unstructured/unstructured.go GetManagedFields.
func sendsManagedFields(config wire.Map, t *wire.Type) bool {
	list, is := wire.Get(config, "metadata", "managedFields").([]any)
	if !is {
		return false
	}
	of := typeUnder(typeUnder(t, fieldElement("metadata")), fieldElement("managedFields"))
	for _, item := range list {
		m, is := item.(wire.Map)
		if !is || of == nil {
			return false
		}
		if _, _, err := wire.Convert(m, of.Elem, false); err != nil {
			return false
		}
	}
	return true
}
