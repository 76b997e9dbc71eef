// Package fieldmanager keeps an object's managedFields: who set which field, by plain writes and by server-side apply.
//
// Guarantee: for the same live object, the same request and the same instant the entries are those of kube-apiserver, in its
// order and with its bytes, and an apply merges, conflicts and removes as there. Objects that are given are never changed,
// unless it is said. Non-guarantee: versions of one kind are taken to have the same fields, so ownership that was written
// in one version counts in every other as it is. Where upstream walks a map and several errors could be told, this package
// goes by name.
// Source: apimachinery v0.36 pkg/util/managedfields/internal, structured-merge-diff v6.
package fieldmanager

import (
	"github.com/leaselab/leaselab/core/wire"
)

// Write is one request that writes objects of a kind.
type Write struct {
	Type       *wire.Type // of the kind
	Kind       string
	APIVersion string   // of the request
	Served     []string // every apiVersion in which the kind is served; entries of other versions are dropped
	Manager    string
	Instant    string // as metav1.Time is printed

	_ struct{}
}

// Update returns updated with the managedFields that a plain write leaves; live is nil for a creation. updated is changed.
//
// Tracking begins with a creation that sets a tracked field, or with the first apply, and ends when a client clears the list.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors, skipnonapplied.go.
func (w Write) Update(live, updated wire.Map) wire.Map {
	owners := startingPoint(live, updated)
	wire.Set(updated, nil, "metadata", "managedFields")
	if len(owners) > 0 || wire.Text(live, "metadata", "uid") == "" {
		if live == nil {
			live = w.empty()
		}
		owners = w.update(live, updated, owners, w.Manager)
	}
	if list := owners.encode(); list != nil {
		wire.Set(updated, list, "metadata", "managedFields")
	}
	return updated
}

// Settle puts the managedFields of an object that was not written by a request into the form in which requests leave them.
// A list that cannot be read goes.
func Settle(o wire.Map) {
	owners, err := decodeManaged(wire.List(o, "metadata", "managedFields"))
	if err != nil {
		owners = nil
	}
	wire.Set(o, nil, "metadata", "managedFields")
	if list := owners.encode(); list != nil {
		wire.Set(o, list, "metadata", "managedFields")
	}
}

// KeepTimes gives an object the instants of the live one's entries if nothing else differs between the two: who writes
// what is there already has not written. updated is changed.
// Source: apiserver v0.36 pkg/endpoints/handlers/fieldmanager equality.go IgnoreManagedFieldsTimestampsTransformer.
func KeepTimes(updated, live wire.Map) {
	now, was := wire.List(updated, "metadata", "managedFields"), wire.List(live, "metadata", "managedFields")
	if len(now) != len(was) || len(now) == 0 {
		return
	}
	for i := range now {
		a, _ := now[i].(wire.Map)
		b, _ := was[i].(wire.Map)
		if !equalBut("time", a, b) {
			return
		}
	}
	if equalBut("metadata", updated, live) && equalBut("managedFields", wire.Object(updated, "metadata"), wire.Object(live, "metadata")) {
		wire.Set(updated, wire.Copy(was), "metadata", "managedFields")
	}
}

// equalBut compares all members of two objects but one.
func equalBut(but string, a, b wire.Map) bool {
	for _, name := range names(a, b) {
		if name == but {
			continue
		}
		x, has := a[name]
		y, hasToo := b[name]
		if has != hasToo || !wire.Equal(x, y) {
			return false
		}
	}
	return true
}

// empty is a new object of the kind.
func (w Write) empty() wire.Map {
	o, _, _ := wire.Decode(&wire.Node{Kind: wire.ObjectKind}, w.Type)
	return o
}

// startingPoint is the list that the client sent if it is a list of entries, else the live object's: who does not know of
// managedFields shall not delete them by accident. An empty list and one empty entry clear it.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/fieldmanager.go decodeLiveOrNew.
func startingPoint(live, updated wire.Map) managed {
	if list, sent := wire.Get(updated, "metadata", "managedFields").([]any); sent {
		if len(list) == 0 {
			return managed{}
		}
		if entry, is := list[0].(wire.Map); len(list) == 1 && is && len(entry) == 0 {
			return managed{}
		}
		if owners, err := decodeManaged(list); err == nil {
			return owners
		}
	}
	if owners, err := decodeManaged(wire.List(live, "metadata", "managedFields")); err == nil {
		return owners
	}
	return managed{}
}

// update gives a manager what changed between two objects.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/managedfieldsupdater.go, structured-merge-diff v6
// merge/update.go Update.
func (w Write) update(live, updated wire.Map, owners managed, manager string) managed {
	owners = w.fitting(owners)
	change := compare(live, updated, w.Type)
	// Both are whole objects, and those are alike in every version.
	owners.release(func(string) *comparison { return change }, "")
	e := w.entry(updates, manager)
	if e.fields = difference(change.changed(), untracked); len(e.fields) > 0 {
		id := e.identity()
		e.fields = union(e.fields, owners[id].fields)
		owners[id] = e
	}
	owners.fold()
	return owners
}

// entry is what this request writes.
func (w Write) entry(operation, manager string) entry {
	if manager == "" {
		manager = "unknown"
	}
	return entry{manager: manager, operation: operation, apiVersion: w.APIVersion, time: w.Instant}
}

// fitting are the entries of the versions that are served, fitted to the schema.
func (w Write) fitting(owners managed) managed {
	out := make(managed, len(owners))
	for _, id := range owners.ids() {
		e := owners[id]
		if !w.serves(e.apiVersion) {
			continue
		}
		e.fields = reconciled(e.fields, w.Type)
		out[id] = e
	}
	return out
}

func (w Write) serves(apiVersion string) bool {
	for _, served := range w.Served {
		if served == apiVersion {
			return true
		}
	}
	return false
}

// release takes from every manager but one what changed, by version: the newest writer owns it.
func (m managed) release(changeIn func(version string) *comparison, but string) {
	for _, id := range m.ids() {
		fields := m[id].fields
		if id != but {
			change := changeIn(m[id].apiVersion)
			fields = difference(difference(fields, intersection(fields, change.changed())), change.removed)
		}
		m.own(id, fields)
	}
}

// untracked are the fields that nobody owns.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/stripmeta.go.
var untracked = func() set {
	var s set
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		s.insert(named(name))
	}
	for _, name := range []string{
		"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion",
	} {
		s.insert(named("metadata"), named(name))
	}
	return s
}()
