//go:build page

package fieldmanager

// Memo keeps nothing: the page answers few requests, and the engine is smaller without.
type Memo struct{}

// decode decodes the fields of an entry.
func (*Memo) decode(fields any) (set, error) {
	s, _, err := decodeSet(fields)
	return s, err
}
