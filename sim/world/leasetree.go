package world

import (
	"fmt"
	"sort"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// The API shows a Lease as a tree with managedFields. The store keeps it as a value.

// `writers` names the managers behind storage.Object.Managers. All candidates share one, because they run the same
// program.
var writers = [2]string{"leaselab", "kubectl-edit"}

// Tree returns a stored Lease, or the ConfigMap, as the API shows it, without kind, apiVersion and resourceVersion.
func (p API) Tree(lease int32, o *storage.Object) wire.Map {
	s := p.setup
	meta := wire.Map{}
	if text := p.store.Metadata(o.Metadata); text != "" {
		n, err := wire.Parse([]byte(text))
		if err != nil {
			panic(err) // written by the engine itself
		}
		meta = wire.Tree(n).(wire.Map)
	}
	meta["name"], meta["namespace"] = s.objectName(lease), s.namespaceOf(lease)
	meta["uid"], meta["creationTimestamp"] = s.LeaseUID(lease, o.UID), stamp(o.CreatedNs)
	if o.Touches > 0 {
		wire.Set(meta, fmt.Sprint(o.Touches), "annotations", "leaselab.dev/touched")
	}
	if lease == s.ConfigMap() {
		return s.ConfigMapTree(meta, &o.Spec)
	}
	if fields := managedFields(wire.List(meta, "managedFields"), o); len(fields) > 0 {
		meta["managedFields"] = fields
	} else {
		delete(meta, "managedFields")
	}
	return wire.Map{"metadata": meta, "spec": SpecTree(&o.Spec, s.Symbols)}
}

// specFieldNames are the names of a spec's fields and their bits.
var specFieldNames = []struct {
	bit  coordination.Fields
	name string
}{
	{coordination.HasHolderIdentity, "holderIdentity"}, {coordination.HasLeaseDurationSeconds, "leaseDurationSeconds"},
	{coordination.HasAcquireTime, "acquireTime"}, {coordination.HasRenewTime, "renewTime"},
	{coordination.HasLeaseTransitions, "leaseTransitions"}, {coordination.HasStrategy, "strategy"},
	{coordination.HasPreferredHolder, "preferredHolder"},
}

// SpecTree returns a spec as the API shows it.
func SpecTree(r *coordination.Record, symbols *coordination.Symbols) wire.Map {
	values := []any{
		symbols.Text(r.HolderIdentity), int64(r.LeaseDurationSeconds), r.AcquireTime.String(), r.RenewTime.String(),
		int64(r.LeaseTransitions),
		symbols.Text(r.Strategy), symbols.Text(r.PreferredHolder),
	}
	spec := wire.Map{}
	for i, f := range specFieldNames {
		if r.Has(f.bit) {
			spec[f.name] = values[i]
		}
	}
	return spec
}

// managedFields merges the entries that administrators' requests left with the entries of the typed writers. The
// administrators' entries lose the fields that typed writes have since taken over.
func managedFields(kept []any, o *storage.Object) []any {
	var entries []wire.Map
	for _, item := range kept {
		entry := item.(wire.Map)
		owned := ownedBy(entry)
		for _, f := range specFieldNames {
			if spec := wire.Object(owned, "f:spec"); o.Taken&f.bit != 0 && spec != nil {
				delete(spec, "f:"+f.name)
				if len(spec) == 0 {
					delete(owned, "f:spec")
				}
			}
		}
		if len(owned) == 0 {
			continue
		}
		setOwned(entry, owned)
		entries = append(entries, entry)
	}
	for i, m := range o.Managers {
		if m.Owned == 0 {
			continue
		}
		owned := wire.Map{}
		for _, f := range specFieldNames {
			if m.Owned&f.bit != 0 {
				owned["f:"+f.name] = wire.Map{}
			}
		}
		entry := wire.Map{
			"manager": writers[i], "operation": "Update", "apiVersion": coordination.APIVersion,
			"time": stamp(int64(m.Seconds) * 1e9), "fieldsType": "FieldsV1",
		}
		setOwned(entry, wire.Map{"f:spec": owned})
		entries = withEntry(entries, entry)
	}
	sort.SliceStable(entries, func(i, j int) bool { return entryLess(entries[i], entries[j]) })
	list := make([]any, len(entries))
	for i, e := range entries {
		list[i] = e
	}
	return list
}

// ownedBy returns a copy of an entry's field set.
func ownedBy(entry wire.Map) wire.Map {
	text, encoded := entry["fieldsV1"].(wire.Encoded)
	if !encoded {
		return wire.CopyMap(wire.Object(entry, "fieldsV1"))
	}
	n, err := wire.Parse([]byte(text))
	if err != nil {
		panic(err) // written by the field manager
	}
	owned, _ := wire.Tree(n).(wire.Map)
	return owned
}

// setOwned stores the field set of an entry in the form that the field manager compares.
func setOwned(entry, owned wire.Map) {
	entry["fieldsV1"] = wire.Encoded(wire.Encode(nil, owned, nil))
}

// withEntry adds an entry, or merges it into an entry that the same writer already has from a request.
func withEntry(entries []wire.Map, e wire.Map) []wire.Map {
	for _, have := range entries {
		if have["manager"] != e["manager"] || have["operation"] != e["operation"] ||
			have["apiVersion"] != e["apiVersion"] {
			continue
		}
		owned := ownedBy(have)
		for name := range wire.Object(ownedBy(e), "f:spec") {
			wire.Set(owned, wire.Map{}, "f:spec", name)
		}
		setOwned(have, owned)
		have["time"] = max(wire.Text(have, "time"), wire.Text(e, "time"))
		return entries
	}
	return append(entries, e)
}

// entryLess orders entries the way the API server writes them. Source: apimachinery v0.36
// pkg/util/managedfields/internal sortEncodedManagedFields.
func entryLess(a, b wire.Map) bool {
	for _, member := range []string{"operation", "time", "manager", "apiVersion"} {
		if x, y := wire.Text(a, member), wire.Text(b, member); x != y {
			return x < y
		}
	}
	return false
}

// untree splits the tree of a Lease into the value that the store keeps and the metadata that the value cannot hold.
func untree(tree wire.Map, symbols *coordination.Symbols) (o storage.Object, metadata string) {
	o.Spec = RecordOf(wire.Object(tree, "spec"), symbols)
	meta := wire.CopyMap(wire.Object(tree, "metadata"))
	for _, own := range []string{"name", "namespace", "uid", "creationTimestamp", "resourceVersion"} {
		delete(meta, own)
	}
	var kept []any
	for _, item := range wire.List(meta, "managedFields") {
		if i, m := typedEntry(item.(wire.Map)); i >= 0 && o.Managers[i].Owned == 0 {
			o.Managers[i] = m
			continue
		}
		kept = append(kept, item)
	}
	if len(kept) > 0 {
		meta["managedFields"] = kept
	} else {
		delete(meta, "managedFields")
	}
	if len(meta) == 0 {
		return o, ""
	}
	return o, string(wire.Encode(nil, meta, coordination.ObjectMetaType))
}

// typedEntry returns the index of an entry's writer, or -1 if the entry holds more than the store's value can.
func typedEntry(entry wire.Map) (int, storage.Manager) {
	owned := ownedBy(entry)
	spec := wire.Object(owned, "f:spec")
	at, err := time.Parse(wire.TimeLayout, wire.Text(entry, "time"))
	if err != nil || len(owned) != 1 || spec == nil || entry["operation"] != "Update" ||
		entry["apiVersion"] != coordination.APIVersion {
		return -1, storage.Manager{}
	}
	for i, name := range writers {
		if entry["manager"] != name {
			continue
		}
		m := storage.Manager{Seconds: int32(at.Unix() - EpochUnixNs/1e9)}
		known := 0
		for _, f := range specFieldNames {
			if _, has := spec["f:"+f.name]; has {
				m.Owned |= f.bit
				known++
			}
		}
		if known == len(spec) {
			return i, m
		}
	}
	return -1, storage.Manager{}
}

// RecordOf reads the spec of a Lease from its tree.
func RecordOf(spec wire.Map, symbols *coordination.Symbols) coordination.Record {
	var r coordination.Record
	for _, f := range specFieldNames {
		value, has := spec[f.name]
		if !has {
			continue
		}
		r.Present |= f.bit
		switch f.bit {
		case coordination.HasHolderIdentity:
			r.HolderIdentity = symbols.Intern(value.(string))
		case coordination.HasStrategy:
			r.Strategy = symbols.Intern(value.(string))
		case coordination.HasPreferredHolder:
			r.PreferredHolder = symbols.Intern(value.(string))
		case coordination.HasLeaseDurationSeconds:
			r.LeaseDurationSeconds = int32(value.(int64))
		case coordination.HasLeaseTransitions:
			r.LeaseTransitions = int32(value.(int64))
		case coordination.HasAcquireTime:
			r.AcquireTime = instant(spec, f.name)
		case coordination.HasRenewTime:
			r.RenewTime = instant(spec, f.name)
		}
	}
	return r
}

// `instant` reads a time of a spec.
func instant(spec wire.Map, name string) coordination.MicroTime {
	at, err := time.Parse(wire.MicroTimeLayout, wire.Text(spec, name))
	if err != nil {
		panic(err) // the API server has already validated it
	}
	return coordination.MicroTime(at.UnixMicro())
}
