//go:build page

package apiserver

// encodings keeps nothing: the page answers few requests, and the engine is smaller without.
type encodings struct{}

type encoding struct{}

func (*encodings) of(stored, *version) string               { return "" }
func (*encodings) all([]stored, *version) []string          { return nil }
func (*encodings) keep(stored, *resource, *version, []byte) {}
func (*encodings) answer(c *call, o stored) []byte {
	return append(c.appendNamed(make([]byte, 0, 1<<10), o), '\n')
}
func (*encodings) frame(c *call, event string, o stored) []byte {
	return frame(event, c.frameObject(o))
}
func (*call) listed(*listOptions) (answer Response, has bool)           { return Response{}, false }
func (*call) keepList(*listOptions, *page) (answer Response, kept bool) { return Response{}, false }
func (*encodings) retire(*kept)                                         {}

func (k *kept) read() object {
	if k == nil {
		return nil
	}
	return k.tree
}
