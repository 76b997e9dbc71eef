package fieldmanager

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
)

// The operations of an entry.
const (
	updates = "Update"
	applies = "Apply"
)

// maxUpdaters is the maximum number of Update entries of an object. The oldest ones merge into one.
const (
	maxUpdaters    = 10
	foldedManager  = "ancient-changes"
	earlierManager = "before-first-apply"
)

// entry holds the fields that one manager owns through one operation.
type entry struct {
	manager, operation, apiVersion, subresource string
	time                                        string // "" means none
	fields                                      set
}

// ownerMap maps identities to the entries of an object.
type ownerMap map[string]entry

// ids returns the identities, sorted.
func (m ownerMap) ids() []string { return slices.Sorted(maps.Keys(m)) }

// identity identifies an entry. It is JSON, so that identities sort as upstream's do. An applier has the same identity
// in every version. Source: apimachinery v0.36 pkg/util/managedfields/internal/managedfields.go BuildManagerIdentifier.
func (e *entry) identity() string {
	out := append(make([]byte, 0, 96), '{')
	add := func(name, text string) {
		if text == "" {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(wire.Quote(out, name), ':')
		out = wire.Quote(out, text)
	}
	add("manager", e.manager)
	add("operation", e.operation)
	if e.operation != applies {
		add("apiVersion", e.apiVersion)
	}
	add("subresource", e.subresource)
	return string(append(out, '}'))
}

// String names the manager in conflicts.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/conflict.go printManager.
func (e *entry) String() string {
	text := fmt.Sprintf("%q", e.manager)
	if e.subresource != "" {
		text += fmt.Sprintf(" with subresource %q", e.subresource)
	}
	if e.operation == updates {
		text += " using " + e.apiVersion
	}
	return text
}

// seconds returns the time by which upstream sorts the entry. An entry without a time has the time 0.
func (e *entry) seconds() int64 {
	at, err := time.Parse(wire.TimeLayout, e.time)
	if err != nil {
		return 0
	}
	return at.Unix()
}

// decodeManaged decodes an object's managedFields.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/managedfields.go DecodeManagedFields.
func decodeManaged(list []any, memo *Memo) (ownerMap, error) {
	m := make(ownerMap, len(list))
	for i, item := range list {
		o, _ := item.(wire.Map)
		e := entry{
			manager: wire.Text(o, "manager"), operation: wire.Text(o, "operation"),
			apiVersion:  wire.Text(o, "apiVersion"),
			subresource: wire.Text(o, "subresource"), time: wire.Text(o, "time"),
		}
		if e.operation != applies && e.operation != updates {
			return nil, errors.New("operation must be `Apply` or `Update`")
		}
		if e.apiVersion == "" {
			return nil, errors.New("apiVersion must not be empty")
		}
		switch fields := wire.Text(o, "fieldsType"); fields {
		case "FieldsV1":
		case "":
			return nil, fmt.Errorf("missing fieldsType in managed fields entry %d", i)
		default:
			return nil, fmt.Errorf("invalid fieldsType %q in managed fields entry %d", fields, i)
		}
		var err error
		if e.fields, err = memo.decode(o["fieldsV1"]); err != nil {
			return nil, fmt.Errorf("error decoding set: %w", err)
		}
		m[e.identity()] = e
	}
	return m, nil
}

// entryTexts are the members of an entry whose values are texts, in the order in which encode lists them.
var entryTexts = [...]string{"manager", "operation", "apiVersion", "subresource", "time"}

// encode returns the entries in stored order: appliers first, then by time, then by name.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/managedfields.go sortEncodedManagedFields.
func (m ownerMap) encode() []any {
	if len(m) == 0 {
		return nil
	}
	entries := make([]entry, 0, len(m))
	for _, id := range m.ids() {
		entries = append(entries, m[id])
	}
	sort.SliceStable(entries, func(i, j int) bool {
		p, q := &entries[i], &entries[j]
		return cmp.Or(cmp.Compare(p.operation, q.operation), cmp.Compare(p.seconds(), q.seconds()),
			cmp.Compare(p.manager, q.manager), cmp.Compare(p.apiVersion, q.apiVersion),
			cmp.Compare(p.subresource, q.subresource)) < 0
	})
	list := make([]any, len(entries))
	for i, e := range entries {
		o := wire.Map{"fieldsType": "FieldsV1", "fieldsV1": e.fields.encode()}
		for k, text := range [...]string{e.manager, e.operation, e.apiVersion, e.subresource, e.time} {
			if text != "" {
				o[entryTexts[k]] = text
			}
		}
		list[i] = o
	}
	return list
}

// fold merges the oldest Update entries of a version into one until their number is within upstream's limit.
// Source: apimachinery v0.36 pkg/util/managedfields/internal/capmanagers.go.
func (m ownerMap) fold() {
	updaters := elements.If(m.ids(), func(id string) bool { return m[id].operation != applies })
	sort.SliceStable(updaters, func(i, j int) bool {
		p, q := m[updaters[i]], m[updaters[j]]
		return p.seconds() < q.seconds()
	})
	left := len(updaters)
	oldest := map[string]string{} // the oldest entry of each version
	for _, id := range updaters {
		if left <= maxUpdaters {
			return
		}
		e := m[id]
		first, known := oldest[e.apiVersion]
		if !known {
			oldest[e.apiVersion] = id
			continue
		}
		bucket := entry{manager: foldedManager, operation: updates, apiVersion: e.apiVersion}
		into := bucket.identity()
		if have, has := m[into]; has {
			bucket.fields = have.fields
		} else {
			bucket.fields = m[first].fields
			delete(m, first)
		}
		bucket.fields, bucket.time = union(e.fields, bucket.fields), e.time
		m[into] = bucket
		delete(m, id) // even if it is the bucket itself; upstream loses that entry, too
		left--
	}
}

// The method own replaces the fields of an entry, or removes the entry if no fields are left.
func (m ownerMap) own(id string, fields set) {
	if len(fields) == 0 {
		delete(m, id)
		return
	}
	e := m[id]
	e.fields = fields
	m[id] = e
}
