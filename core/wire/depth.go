package wire

// Depth is how deep objects and lists are nested in a JSON text. Beyond limit it stops: at is then the byte that goes too
// far, else -1. It reads the text without a stack of its own, where a parser calls itself once a level: WebAssembly's stack
// is small, and a program that overflows it is lost.
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
