// Package fieldmanager maintains an object's managedFields: which manager set which field, by plain writes and
// server-side apply. A Write describes one request; Write.Update and Write.Apply carry it out.
//
// Guarantee: for the same live object, request and instant, the entries equal kube-apiserver's, in the same order and
// byte for byte. An apply merges, conflicts and removes as upstream does. Functions do not change their arguments
// unless their doc says so. Non-guarantee: the package assumes that all versions of a kind have the same fields, so
// ownership written in one version holds in every other. Where upstream iterates over a map and could report any of
// several errors, this package goes in order of names. Source: apimachinery v0.36 pkg/util/managedfields/internal,
// structured-merge-diff v6.
package fieldmanager

import (
	"maps"
	"slices"

	"github.com/leaselab/leaselab/core/wire"
)

// Write is one request that writes objects of a kind.
type Write struct {
	Type       *wire.Type // type of the kind
	Kind       string
	APIVersion string   // apiVersion of the request
	Served     []string // every served apiVersion of the kind; a write drops entries of other versions
	Manager    string
	// Subresource is the part of the object that the request writes, such as status; "" is the object itself.
	Subresource string
	// Resets names a member of objects that the request neither changes nor comes to own; "" if there is none.
	Resets  string
	Instant string // the time as metav1.Time prints it
	Memo    *Memo  // memo of the caller's writes so far, or nil
	Apart   bool   // the updated object shares no part with the live one

	_ struct{}
}

// Update sets the managedFields of the updated object as a plain write does. It changes this object and returns it. The
// live object is nil for a create.
//
// Tracking begins with a creation that sets a tracked field, or with the first apply, and ends when a client clears the
// list. Source: apimachinery v0.36 pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors, skipnonapplied.go.
func (w Write) Update(live, updated wire.Map) wire.Map {
	if list := w.renewalFields(live, updated); list != nil {
		if sent := wire.List(updated, "metadata", "managedFields"); len(sent) == 0 || &sent[0] != &list[0] {
			wire.Set(updated, list, "metadata", "managedFields")
		}
		return updated
	}
	owners := w.startingPoint(live, updated)
	wire.Set(updated, nil, "metadata", "managedFields")
	if len(owners) > 0 || wire.Text(live, "metadata", "uid") == "" {
		if live == nil {
			live = w.empty()
		}
		if w.cannotConvert(live, updated, owners) {
			return updated
		}
		owners = w.update(live, updated, owners, w.Manager)
	}
	if list := owners.encode(); list != nil {
		wire.Set(updated, list, "metadata", "managedFields")
	}
	return updated
}

// Settle normalizes the managedFields of an object that did not come from a request. It removes a list that it cannot
// decode.
func Settle(o wire.Map) {
	owners, err := decodeManaged(wire.List(o, "metadata", "managedFields"), nil)
	if err != nil {
		owners = nil
	}
	wire.Set(o, nil, "metadata", "managedFields")
	if list := owners.encode(); list != nil {
		wire.Set(o, list, "metadata", "managedFields")
	}
}

// KeepTimes gives the entries of the updated object the times that the live object has, if nothing else differs, so
// that a write without a change stores nothing. It changes the updated object. Source: apiserver v0.36
// pkg/endpoints/handlers/fieldmanager equality.go IgnoreManagedFieldsTimestampsTransformer.
func KeepTimes(updated, live wire.Map) {
	now, was := wire.List(updated, "metadata", "managedFields"), wire.List(live, "metadata", "managedFields")
	if len(now) != len(was) || len(now) == 0 || !equalBut("metadata", updated, live) ||
		!equalBut("managedFields", wire.Object(updated, "metadata"), wire.Object(live, "metadata")) {
		return
	}
	for i := range now {
		a, _ := now[i].(wire.Map)
		b, _ := was[i].(wire.Map)
		if !equalBut("time", a, b) {
			return
		}
	}
	wire.Set(updated, wire.Copy(was), "metadata", "managedFields")
}

// equalBut reports whether two objects are equal in all members but one.
func equalBut(but string, a, b wire.Map) bool {
	others := 0 // the members of a
	for name, x := range a {
		if name == but {
			continue
		}
		others++
		if y, has := b[name]; !has || !wire.Equal(x, y) {
			return false
		}
	}
	if _, has := b[but]; has {
		others++
	}
	return len(b) == others
}

// empty returns a new object of the kind.
func (w Write) empty() wire.Map {
	o, _, _ := wire.Decode(&wire.Node{Kind: wire.ObjectKind}, w.Type)
	return o
}

// startingPoint returns the client's list of entries if the client sent one, and otherwise the live object's list. So a
// client that does not know about managedFields does not delete them. An empty list, or a single empty entry, clears
// the list. Source: apimachinery v0.36 pkg/util/managedfields/internal/fieldmanager.go decodeLiveOrNew.
func (w Write) startingPoint(live, updated wire.Map) ownerMap {
	if list, sent := wire.Get(updated, "metadata", "managedFields").([]any); sent {
		if len(list) == 0 {
			return ownerMap{}
		}
		if entry, is := list[0].(wire.Map); len(list) == 1 && is && len(entry) == 0 {
			return ownerMap{}
		}
		if owners, err := decodeManaged(list, w.Memo); err == nil {
			return owners
		}
	}
	if owners, err := decodeManaged(wire.List(live, "metadata", "managedFields"), w.Memo); err == nil {
		return owners
	}
	return ownerMap{}
}

// update makes a manager the owner of the fields that differ between two objects.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/managedfieldsupdater.go, structured-merge-diff v6
// merge/update.go Update.
func (w Write) update(live, updated wire.Map, owners ownerMap, manager string) ownerMap {
	owners = w.fit(owners)
	change := compare(live, w.reset(live, updated), w.Type)
	// Both are complete objects, so they look the same in every version.
	owners.release(func(string) *comparison { return change }, "")
	e := w.entry(updates, manager)
	if e.fields = difference(change.changedFields(), untracked); len(e.fields) > 0 {
		id := e.identity()
		e.fields = union(e.fields, owners[id].fields)
		owners[id] = e
	}
	owners.fold()
	return owners
}

// reset returns an updated object with the live value of the member that the request does not change.
func (w Write) reset(live, updated wire.Map) wire.Map {
	if w.Resets == "" {
		return updated
	}
	o := maps.Clone(updated)
	delete(o, w.Resets)
	if value, has := live[w.Resets]; has {
		o[w.Resets] = value
	}
	return o
}

// cannotConvert reports whether upstream fails to convert an object to the version of an entry, and then removes all
// entries: it refuses lists with repeated keys. Source: structured-merge-diff v6 merge/update.go update.
func (w Write) cannotConvert(live, updated wire.Map, owners ownerMap) bool {
	for _, e := range owners {
		if e.apiVersion != w.APIVersion && w.serves(e.apiVersion) {
			return len(check("", live, w.Type))+len(check("", updated, w.Type)) > 0
		}
	}
	return false
}

// entry returns the new entry of this request.
func (w Write) entry(operation, manager string) entry {
	if manager == "" {
		manager = "unknown"
	}
	return entry{manager: manager, operation: operation, apiVersion: w.APIVersion, subresource: w.Subresource,
		time: w.Instant}
}

// fit returns the entries of the served versions, adapted to the schema.
func (w Write) fit(owners ownerMap) ownerMap {
	out := make(ownerMap, len(owners))
	for id, e := range owners {
		if w.serves(e.apiVersion) {
			e.fields = reconcile(e.fields, w.Type)
			out[id] = e
		}
	}
	return out
}

func (w Write) serves(apiVersion string) bool {
	return slices.Contains(w.Served, apiVersion)
}

// release removes the changed fields from every manager except the one that wrote them.
func (m ownerMap) release(changeIn func(version string) *comparison, but string) {
	for _, id := range m.ids() {
		fields := m[id].fields
		if id != but {
			change := changeIn(m[id].apiVersion)
			fields = difference(difference(fields, intersection(fields, change.changedFields())), change.removed)
		}
		m.own(id, fields)
	}
}

// untracked lists the fields that have no owner.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/stripmeta.go.
var untracked = func() set {
	var s set
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		s.insert(fieldElement(name))
	}
	for _, name := range []string{
		"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields",
		"resourceVersion",
	} {
		s.insert(fieldElement("metadata"), fieldElement(name))
	}
	return s
}()
