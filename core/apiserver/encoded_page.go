//go:build page

package apiserver

// encodings keeps nothing: the page answers few requests, and the engine is smaller without.
type encodings struct{}

func (*encodings) of(stored, *version) []byte      { return nil }
func (*encodings) all([]stored, *version) [][]byte { return nil }
func (*encodings) keep(stored, *version, []byte)   {}
func (*encodings) forget(string)                   {}
