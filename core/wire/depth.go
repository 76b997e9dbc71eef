package wire

// Depth returns how many levels of objects and lists a JSON text has. If it has more than limit, Depth stops, and its
// second result is the offset of the byte that exceeds the limit. Otherwise that result is -1. Unlike a parser, Depth
// does not recurse: WebAssembly's stack is small, and a program that overflows it cannot recover.
func Depth(data []byte, limit int) (deepest, at int) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			deepest = max(deepest, depth)
			if depth > limit {
				return deepest, i
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return deepest, -1
}
