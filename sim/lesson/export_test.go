package lesson

// ReadThoughts reads rules as the page has them: a JSON list whose lengths are in nanoseconds.
func ReadThoughts(data []byte) ([]Thought, error) {
	var all []Thought
	r := decode("thoughts", data, &all)
	if len(r.found) > 0 {
		return nil, r.found
	}
	return all, nil
}
