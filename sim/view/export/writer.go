package export

// writer builds a text.
type writer struct{ out []byte }

func (w *writer) put(parts ...string) {
	for _, part := range parts {
		w.out = append(w.out, part...)
	}
}

// line adds a line to the text.
func (w *writer) line(parts ...string) {
	w.put(parts...)
	w.out = append(w.out, '\n')
}
