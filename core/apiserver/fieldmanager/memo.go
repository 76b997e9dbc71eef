//go:build !page

package fieldmanager

import (
	"slices"

	"github.com/leaselab/leaselab/core/wire"
)

// Memo caches decoded field sets. Few sets are in use at a time, and decoding one costs more than the rest of an
// update. The zero value is empty.
//
// The page answers few requests and leaves out the Memo (memo_page.go).
type Memo struct{ sets map[wire.Encoded]cachedSet }

// cachedSet is a decoded set.
type cachedSet struct {
	set
	// the schema that the set fits, if the set owns nothing untracked and encodes into the same bytes again; nil if
	// unknown
	stays *wire.Type
}

const (
	mostSets   = 256
	longestSet = 1 << 10 // in bytes; the set of a Lease has about 200
)

// decode decodes the fields of an entry.
func (m *Memo) decode(fields any) (set, error) {
	encoded, is := fields.(wire.Encoded)
	keeps := is && m != nil && len(encoded) <= longestSet
	if keeps {
		if s, known := m.sets[encoded]; known {
			return s.set, nil
		}
	}
	s, _, err := decodeSet(fields)
	if keeps && err == nil {
		if len(m.sets) == 0 || len(m.sets) == mostSets {
			m.sets = map[wire.Encoded]cachedSet{}
		}
		m.sets[encoded] = cachedSet{set: s}
	}
	return s, err
}

// The method stays decodes a set if it fits a schema, owns nothing untracked, and encodes into the same bytes again.
// Otherwise ok is false.
func (m *Memo) stays(fields any, t *wire.Type) (s set, ok bool) {
	encoded, is := fields.(wire.Encoded)
	if !is || m == nil {
		return nil, false
	}
	known := m.sets[encoded]
	if known.stays != t {
		if _, err := m.decode(fields); err != nil {
			return nil, false
		}
		if known, is = m.sets[encoded]; !is {
			return nil, false
		}
		fits := reconcile(known.set, t)
		if len(fits) == 0 || &fits[0] != &known.set[0] || len(intersection(fits, untracked)) > 0 ||
			known.set.encode() != encoded {
			return nil, false
		}
		known.stays = t
		m.sets[encoded] = known
	}
	return known.set, true
}

// renewalFields returns the managedFields of a renewal: the same list with a new time. A renewal is an update by the
// last writer that only changes values of fields that it alone owns. For any other update, renewalFields returns nil.
func (w Write) renewalFields(live, updated wire.Map) []any {
	list := wire.List(live, "metadata", "managedFields")
	sent := wire.Get(updated, "metadata", "managedFields")
	if w.Type.Open || w.Subresource != "" || w.Resets != "" {
		return nil
	}
	if len(list) == 0 || len(list) > maxUpdaters || sent != nil && !wire.Equal(sent, list) {
		return nil
	}
	last := len(list) - 1
	was, _ := list[last].(wire.Map)
	at := wire.Text(was, "time")
	if _, has := was["subresource"]; has || was["manager"] != any(w.Manager) || was["operation"] != any(updates) ||
		was["apiVersion"] != any(w.APIVersion) ||
		w.Manager == "" || at == "" || w.Instant < at {
		return nil
	}
	fields, fine := w.stableFields(was)
	if !fine {
		return nil
	}
	var room [8][]element
	changed, fine := w.appendRevalued(room[:0], live, updated)
	if !fine {
		change := compareBut(untracked, live, updated, w.Type)
		if len(change.added) > 0 || len(change.removed) > 0 {
			return nil
		}
		change.modified.each(nil, func(path []element) { changed = append(changed, slices.Clone(path)) })
	}
	if len(changed) == 0 {
		return nil
	}
	for _, path := range changed {
		if !fields.hasPath(path) {
			return nil
		}
	}
	for i, item := range list[:last] {
		other, _ := item.(wire.Map)
		next, _ := list[i+1].(wire.Map)
		owned, fine := w.stableFields(other)
		if !fine || !precedes(other, next) || slices.ContainsFunc(changed, owned.hasPath) {
			return nil
		}
	}
	if own, is := sent.([]any); is && w.Apart { // equal to list
		own[last].(wire.Map)["time"] = w.Instant
		return own
	}
	renewed := append([]any(nil), list...)
	renewed[last] = wire.Map{
		"manager": was["manager"], "operation": was["operation"], "apiVersion": was["apiVersion"], "time": w.Instant,
		"fieldsType": was["fieldsType"], "fieldsV1": was["fieldsV1"],
	}
	return renewed
}

// appendRevalued appends the paths of the tracked fields whose values a write changes. It handles only writes that
// change leaves of structs that both objects have, such as spec. For any other write, the result named fine is false.
func (w Write) appendRevalued(paths [][]element, live, updated wire.Map) (changed [][]element, fine bool) {
	for i := range w.Type.Fields {
		part := &w.Type.Fields[i]
		was, now := member(live, part.Name), member(updated, part.Name)
		if was.is != now.is {
			return nil, false
		}
		if part.Name == "metadata" {
			if !equalMetadata(was.object(), now.object()) {
				return nil, false
			}
			continue
		}
		if !was.is || wire.Equal(was.value, now.value) {
			continue
		}
		if part.Type.Shape != wire.AStruct || part.Type.Whole || len(was.object()) != len(now.object()) {
			return nil, false
		}
		for name, value := range now.object() {
			old, has := was.object()[name]
			if has && wire.Equal(old, value) {
				continue
			}
			if leaf := part.Type.Field(name); !has || leaf == nil || !isScalar(leaf.Type) || same(old, value) {
				return nil, false
			}
			paths = append(paths, []element{fieldElement(part.Name), fieldElement(name)})
		}
	}
	return paths, true
}

// equalMetadata reports whether two objects have the same metadata, ignoring what nobody owns.
func equalMetadata(a, b wire.Map) bool {
	below := untracked.below(fieldElement("metadata"))
	for _, from := range [2][2]wire.Map{{a, b}, {b, a}} {
		for name, value := range from[0] {
			if other, has := from[1][name]; (!has || !wire.Equal(value, other)) && !below.has(fieldElement(name)) {
				return false
			}
		}
	}
	return true
}

func isScalar(t *wire.Type) bool {
	switch t.Shape {
	case wire.AStruct, wire.AMap, wire.AList, wire.Raw, wire.Any:
		return false
	}
	return true
}

// stableFields decodes the fields of an entry. An update keeps these fields unless it changes one of them.
func (w Write) stableFields(entry wire.Map) (fields set, fine bool) {
	operation := wire.Text(entry, "operation")
	if operation != updates && operation != applies || entry["fieldsType"] != any("FieldsV1") ||
		!w.serves(wire.Text(entry, "apiVersion")) {
		return nil, false
	}
	return w.Memo.stays(entry["fieldsV1"], w.Type)
}

// precedes reports whether two entries are certainly in stored order, judged only by their operations and times.
func precedes(a, b wire.Map) bool {
	before, after := wire.Text(a, "operation"), wire.Text(b, "operation")
	return before < after || before == after && wire.Text(a, "time") != "" &&
		wire.Text(a, "time") < wire.Text(b, "time")
}
