//go:build !page

package world

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// With apiserver.Config.Core the API serves the ConfigMap that older clients use as their lock. The page's API has no
// ConfigMaps.

// configMapKey returns the storage key of the ConfigMap, or "" where the API has none.
func (p API) configMapKey() string {
	return apiserver.ConfigMapKey(p.setup.Namespace, p.setup.objectName(p.setup.ConfigMap()))
}

// configMapPlace is a key inside the metadata that the store keeps. Under that key the store keeps the other members
// of the ConfigMap. Real metadata never has this key.
const configMapPlace = "leaselab.dev/beside"

// addMembers adds to a ConfigMap the members that clients wrote next to its metadata.
func addMembers(tree, meta wire.Map) wire.Map {
	maps.Copy(tree, wire.Object(meta, configMapPlace))
	delete(meta, configMapPlace)
	for _, entry := range wire.List(meta, "managedFields") {
		setOwned(entry.(wire.Map), ownedBy(entry.(wire.Map)))
	}
	return tree
}

// fromTree splits the tree of a Lease or of the ConfigMap into the value that the store keeps and the remaining
// metadata.
func (p API) fromTree(lease int32, tree wire.Map) (o storage.Object, metadata string) {
	if lease != p.setup.ConfigMap() {
		return untree(tree, p.setup.Symbols)
	}
	meta := wire.CopyMap(wire.Object(tree, "metadata"))
	for _, own := range []string{"name", "namespace", "uid", "creationTimestamp", "resourceVersion"} {
		delete(meta, own)
	}
	if record, readable := recordIn(wire.Text(meta, "annotations", recordAnnotation), p.setup.Symbols); readable {
		o.Spec = record
		annotations := wire.CopyMap(wire.Object(meta, "annotations"))
		delete(annotations, recordAnnotation)
		if meta["annotations"] = annotations; len(annotations) == 0 {
			delete(meta, "annotations")
		}
	}
	rest := wire.CopyMap(tree)
	delete(rest, "metadata")
	if len(rest) > 0 {
		meta[configMapPlace] = rest
	}
	if len(meta) == 0 {
		return o, ""
	}
	return o, string(wire.Encode(nil, meta, nil))
}

// farthestSeconds limits how far from 1970 an instant may lie, so that its nanoseconds fit in 64 bits.
const farthestSeconds = 8_000_000_000

// recordIn decodes the election record in an annotation.
//
// Deviation: if an annotation does not hold a record, the electors act as if it were missing, and one of them takes
// the lock. client-go's electors report an error and wait. TestConfigMapOfClients pins this.
func recordIn(text string, symbols *coordination.Symbols) (r coordination.Record, readable bool) {
	var e electionRecord
	if text == "" || json.Unmarshal([]byte(text), &e) != nil {
		return r, false
	}
	r.Present = coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds | coordination.HasLeaseTransitions
	r.HolderIdentity, r.LeaseDurationSeconds, r.LeaseTransitions = symbols.Intern(e.HolderIdentity),
		e.LeaseDurationSeconds, e.LeaderTransitions
	instant := func(has coordination.Fields, text *string, into *coordination.MicroTime) bool {
		if text == nil {
			return true
		}
		at, err := time.Parse(time.RFC3339, *text)
		if err != nil || max(at.Unix(), -at.Unix()) > farthestSeconds {
			return false
		}
		*into = coordination.MicroTime(at.Unix() * 1e6)
		r.Present |= has
		return true
	}
	readable = instant(coordination.HasAcquireTime, e.AcquireTime, &r.AcquireTime) &&
		instant(coordination.HasRenewTime, e.RenewTime, &r.RenewTime)
	if !readable {
		r = coordination.Record{}
	}
	return r, readable
}

// placeConfigMap places the ConfigMap, if the API serves it and it exists.
func (p API) placeConfigMap(s *apiserver.Server, config *apiserver.Config) {
	number := p.setup.ConfigMap()
	if o, outcome := p.store.Get(number); config.Core && outcome == storage.OK {
		s.Place(apiserver.Change{Key: p.configMapKey(), Revision: o.ResourceVersion, Object: p.Tree(number, &o)})
	}
}
