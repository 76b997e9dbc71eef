package wire

// CountValues returns a lower bound on the number of values in a JSON document: one plus its commas and opening
// brackets outside strings.
func CountValues(data []byte) int {
	values, quoted := 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			values++
		}
	}
	return values
}
