//go:build page

package apiserver

// encodings keeps nothing: the page answers few requests, and the engine is smaller without.
type encodings struct{}

type encoding struct{}

func (*encodings) of(stored, *version) string               { return "" }
func (*encodings) all([]stored, *version) []string          { return nil }
func (*encodings) keep(stored, *resource, *version, []byte) {}
func (*encodings) retire(*kept)                             {}

func (k *kept) read() object {
	if k == nil {
		return nil
	}
	return k.tree
}
