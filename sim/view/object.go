package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// This file shows one version of an object as the API server would return it. For speed, the store keeps the Lease
// and the ConfigMap in one history with ordinals, and all other objects as JSON documents in another. Version numbers
// count the versions of one object from 1. A version number equals the ordinal plus 1 only if the history has a
// single object.

// Object returns one version of an object by its number from 1; 0 is the newest at the cursor. Its lines mark the
// changes since the previous version. kind and name are "" for the Lease; ObjectView.Objects lists the other objects.
// Version in the reply is 0 if the object did not exist at the cursor. The caller may also ask for a version between
// the cursor and the live cursor, since the user has already seen it. Deletions count as versions. An error names the
// numbers that exist so far, or says that the store has compacted the version, as etcd does.
func Object(look timeline.Look, kind, name string, version int) (*protocol.ObjectView, error) {
	r := look.Run
	r.Compute(look.Live.T)
	if kind == coordination.KindLeaseCandidate {
		return candidateObject(look, r, name, version)
	}
	kind = cmp.Or(kind, coordination.KindLease)
	w := r.Frontier().World
	number := numberOf(w, kind, name)
	if number < 0 {
		return nil, fmt.Errorf("this run has no %s %s", kind, name)
	}
	history := w.Store().History()
	versions := versionsOf(w, number, history.IndexAt(look.Live.T)+1)
	if version == 0 {
		here := look.Here().World
		version = versionsOf(here, number, here.Store().History().Len())
	}
	o := &protocol.ObjectView{Run: r.ID(), Kind: kind, Name: orFirst(name, r.Setup()), Version: version,
		Versions: versions, YAML: []protocol.YamlLine{}, Objects: objects(look, r)}
	if version == 0 {
		return o, nil // the object does not exist yet
	}
	if version < 1 || version > versions {
		return nil, fmt.Errorf("the %s has versions 1 to %d so far, but no version %d", kind, versions, version)
	}
	at := placeOf(w, number, version)
	if at < history.First() {
		return nil, fmt.Errorf("version %d of the %s has been compacted; versions %d to %d are kept", version, kind,
			history.First()+1, versions)
	}
	before := history.First() - 1
	if version > 1 {
		before = placeOf(w, number, version-1)
	}
	return o, showVersion(o, w, at, before)
}

// numberOf returns the number of a Lease or of the ConfigMap in the history, or -1 if the name is unknown. The Leases
// of the API servers' controllers follow the election's Lease in LeaseNames.
func numberOf(w *world.World, kind, name string) int32 {
	setup := w.Setup()
	switch kind {
	case coordination.KindLease:
		if name == "" {
			return 0
		}
		return int32(slices.Index(setup.LeaseNames, name))
	case world.KindConfigMap:
		if number, mapped := w.ConfigMap(); mapped && name == setup.LeaseNames[0] {
			return number
		}
	}
	return -1
}

// showVersion fills in the version at an ordinal of the history. The argument before is the ordinal of the previous
// version. If no previous version exists, it is less than the first ordinal. The field By names the writer: a node, the
// controller or, for an act of the scenario, an administrator. A version after a deletion has no previous version, so
// showVersion marks no lines.
func showVersion(o *protocol.ObjectView, w *world.World, at, before int) error {
	history := w.Store().History()
	v := history.At(at)
	o.T, o.By = v.AtNs, "an administrator"
	switch {
	case v.By == trace.Controller:
		o.By = "the controller"
	case v.By >= 0:
		o.By = w.Node(v.By).Name()
	}
	if v.Deleted {
		showDeleted(o)
		return nil
	}
	var old []byte
	if before >= history.First() && !history.At(before).Deleted {
		old = leaseJSON(w, history.At(before))
	}
	return show(o, leaseJSON(w, v), old)
}

// versionsOf returns how many of the first n stored versions belong to a Lease or the ConfigMap. In a run with a
// single object the answer is n itself. Otherwise versionsOf must count, because the versions of several objects
// alternate.
func versionsOf(w *world.World, lease int32, n int) int {
	if !timeline.SeveralObjects(w) {
		return n
	}
	history := w.Store().History()
	count := 0
	for i := history.First(); i < n; i++ {
		if history.At(i).Lease == lease {
			count++
		}
	}
	return count
}

// placeOf returns the ordinal of a Lease's version in the history, or -1 after compaction.
func placeOf(w *world.World, lease int32, version int) int {
	if !timeline.SeveralObjects(w) {
		return version - 1
	}
	history := w.Store().History()
	for i := history.First(); i < history.Len(); i++ {
		if history.At(i).Lease != lease {
			continue
		}
		if version--; version == 0 {
			return i
		}
	}
	return -1
}

// orFirst returns the name of an object, or of the election's Lease for "".
func orFirst(name string, s *world.Setup) string {
	if name == "" {
		return s.LeaseNames[0]
	}
	return name
}

// `objects` returns the objects that the page can show, or nil if it can show only the Lease. A LeaseCandidate appears
// as soon as the store has it, and stays after its deletion, so that the page can show the deletion.
func objects(look timeline.Look, r *timeline.Run) []protocol.ObjectRef {
	w := r.Frontier().World
	if !timeline.SeveralObjects(w) {
		return nil
	}
	all := elements.Of(r.Setup().LeaseNames, func(name string) protocol.ObjectRef {
		return protocol.ObjectRef{Kind: coordination.KindLease, Name: name}
	})
	if number, mapped := w.ConfigMap(); mapped &&
		versionsOf(w, number, w.Store().History().IndexAt(look.Live.T)+1) > 0 {
		all = append(all, protocol.ObjectRef{Kind: world.KindConfigMap, Name: r.Setup().LeaseNames[0]})
	}
	prefix := apiserver.CandidateKey(r.Setup().Namespace, "")
	seen := map[string]bool{}
	stored := w.Store().Others()
	for i := range stored {
		name, is := strings.CutPrefix(stored[i].Key, prefix)
		if is && !seen[name] && stored[i].AtNs <= look.Live.T {
			seen[name] = true
			all = append(all, protocol.ObjectRef{Kind: coordination.KindLeaseCandidate, Name: name})
		}
	}
	return all
}

// candidateObject returns one version of a LeaseCandidate. The store does not record who wrote a LeaseCandidate, so
// By depends on what changed. Only the candidate's client changes renewTime, and only the controller changes
// pingTime. Any other change comes from an administrator. The first version comes from the client, and a deletion
// comes from the controller, which removes candidates that have not renewed for too long.
func candidateObject(look timeline.Look, r *timeline.Run, name string, version int) (*protocol.ObjectView, error) {
	o := &protocol.ObjectView{Run: r.ID(), Kind: coordination.KindLeaseCandidate, Name: name,
		YAML: []protocol.YamlLine{}, Objects: objects(look, r)}
	key := apiserver.CandidateKey(r.Setup().Namespace, name)
	stored := r.Frontier().World.Store().Others()
	var all []int
	for i := range stored {
		if a := &stored[i]; a.Key == key && a.AtNs <= look.Live.T {
			all = append(all, i)
			if a.AtNs <= look.Cursor.T {
				o.Version = len(all)
			}
		}
	}
	o.Versions = len(all)
	if version != 0 {
		o.Version = version
	}
	switch {
	case o.Versions == 0:
		return nil, fmt.Errorf("LeaseCandidate %s does not exist so far", name)
	case version < 0 || version > o.Versions:
		return nil, fmt.Errorf("LeaseCandidate %s has versions 1 to %d so far, but no version %d", name,
			o.Versions, version)
	case o.Version == 0:
		return o, nil // the version is later than the cursor
	}
	number := all[o.Version-1]
	now := &stored[number]
	o.T, o.By = now.AtNs, "an administrator"
	for i := range int32(timeline.NodesOf(r.Setup())) {
		if w := r.Frontier().World; w.Setup().Symbols.Text(w.Node(i).Identity()) == name {
			o.By = w.Node(i).Name()
		}
	}
	if now.Deleted() {
		o.By = "the controller"
		showDeleted(o)
		return o, nil
	}
	object := candidateJSON(r.Frontier().World, number)
	if o.Version == 1 || stored[all[o.Version-2]].Deleted() {
		return o, show(o, object, nil)
	}
	before := all[o.Version-2]
	switch was, is := candidateTimes(r.Frontier().World, before), candidateTimes(r.Frontier().World, number); {
	case was.RenewTime != is.RenewTime: // only the candidate's client writes renewTime
	case was.PingTime != is.PingTime:
		o.By = "the controller"
	default:
		o.By = "an administrator"
	}
	return o, show(o, object, candidateJSON(r.Frontier().World, before))
}

// candidateJSON returns a stored LeaseCandidate in the form of the API. A scenario may run an older API, v1alpha1.
// That API has a list, preferredStrategies, instead of a single strategy.
func candidateJSON(w *world.World, number int) []byte {
	change := w.API().OtherChange(number)
	tree := change.Object
	tree["kind"], tree["apiVersion"] = coordination.KindLeaseCandidate, coordination.CandidateAPIVersion
	wire.Set(tree, fmt.Sprint(change.Revision), "metadata", "resourceVersion")
	if !w.Setup().Lists {
		return append(wire.Encode(nil, tree, coordination.CandidateV1beta1Type), '\n')
	}
	tree["apiVersion"] = coordination.CandidateV1alpha1APIVersion
	if strategy := wire.Text(tree, "spec", "strategy"); strategy != "" {
		// the store keeps a list with one strategy as a single strategy
		spec := wire.Object(tree, "spec")
		delete(spec, "strategy")
		spec["preferredStrategies"] = []any{strategy}
	}
	return append(wire.Encode(nil, tree, coordination.CandidateV1alpha1Type), '\n')
}

// `times` contains the two times of a LeaseCandidate that the controller's decision depends on. They are in the
// object's notation, or "" if absent.
type times struct{ PingTime, RenewTime string }

func candidateTimes(w *world.World, number int) times {
	tree := w.API().OtherChange(number).Object
	return times{wire.Text(tree, "spec", "pingTime"), wire.Text(tree, "spec", "renewTime")}
}

// leaseJSON returns a stored Lease, or the ConfigMap, in the form of the API. The resourceVersion comes from the
// store, because the history's objects do not contain one.
func leaseJSON(w *world.World, v *storage.Version) []byte {
	tree := w.API().Tree(v.Lease, &v.Object)
	tree["kind"], tree["apiVersion"] = coordination.KindLease, coordination.APIVersion
	if number, _ := w.ConfigMap(); v.Lease == number {
		tree["kind"], tree["apiVersion"] = world.KindConfigMap, "v1"
	}
	wire.Set(tree, fmt.Sprint(v.Object.ResourceVersion), "metadata", "resourceVersion")
	return append(wire.Encode(nil, tree, coordination.LeaseType), '\n')
}
