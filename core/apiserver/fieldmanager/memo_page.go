//go:build page

package fieldmanager

import "github.com/leaselab/leaselab/core/wire"

// Memo caches nothing: the page answers few requests, and the engine is smaller without a cache.
type Memo struct{}

func (Write) renewalFields(_, _ wire.Map) []any { return nil }

// decode decodes the fields of an entry.
func (*Memo) decode(fields any) (set, error) {
	s, _, err := decodeSet(fields)
	return s, err
}
