package incoming

import (
	"hash/maphash"
	"strings"
	"sync"
)

// known remembers values of fields: clients send the same names, uids, instants and field sets again and again, and
// every value in a tree is an allocation. It keeps a value that it has seen twice in a row at its place, until another
// one is.
type known [knownCount]knownValue

type knownValue struct {
	shape  shape
	data   string
	value  any    // of data; nil: none yet
	missed uint64 // hash of the last other value
}

const (
	knownCount = 128
	// longestKnown is the longest value that is remembered, in bytes: a field set of a Lease has some 200.
	longestKnown = 1 << 10
)

// knownValues has one for each reader at a time.
var knownValues = sync.Pool{New: func() any { return new(known) }}

var knownSeed = maphash.MakeSeed()

// value converts the bytes of a field to a JSON value, as converted does.
func (k *known) value(s shape, data string) (any, error) {
	if len(data) > longestKnown {
		return converted(s, data)
	}
	hash := maphash.String(knownSeed, data) + uint64(s)
	at := &k[hash%knownCount]
	if at.value != nil && at.shape == s && at.data == data {
		return at.value, nil
	}
	if at.missed != hash {
		at.missed = hash
		return converted(s, data)
	}
	data = strings.Clone(data) // not the whole request
	value, err := converted(s, data)
	if err == nil {
		*at = knownValue{shape: s, data: data, value: value}
	}
	return value, err
}
