//go:build !page

package fieldmanager

import "github.com/leaselab/leaselab/core/wire"

// Memo keeps decoded field sets: few sets are in use at a time, and decoding one costs more than the rest of an update.
// The zero value is empty.
//
// The page answers few requests and builds without it (memo_page.go).
type Memo struct{ sets map[wire.Encoded]set }

const (
	mostSets   = 256
	longestSet = 1 << 10 // bytes; a Lease's has some 200
)

// decode decodes the fields of an entry.
func (m *Memo) decode(fields any) (set, error) {
	encoded, is := fields.(wire.Encoded)
	keeps := is && m != nil && len(encoded) <= longestSet
	if keeps {
		if s, known := m.sets[encoded]; known {
			return s, nil
		}
	}
	s, _, err := decodeSet(fields)
	if keeps && err == nil {
		if len(m.sets) == 0 || len(m.sets) == mostSets {
			m.sets = map[wire.Encoded]set{}
		}
		m.sets[encoded] = s
	}
	return s, err
}
