package bounded

import (
	"strconv"
	"strings"
)

// The marks that Repeat replaces in a text.
const (
	List  = "\x01" // begins a part that repeats, separated by commas
	Chain = "\x02" // begins a part that repeats without a separator
	End   = "\x03" // ends a part
	Index = "\x04" // is replaced by the number of the repetition
)

// longestPart is the maximum length in bytes of a part to repeat, since a fuzzing engine makes parts of any length.
const longestPart = 200

// Repeats reports whether a text has parts for Repeat, none of them too long.
func Repeats(text string) bool {
	within := 0
	for rest := text; ; {
		at := strings.IndexAny(rest, List+Chain)
		if at < 0 {
			return within > 0 && within <= longestPart
		}
		part, after, _ := strings.Cut(rest[at+1:], End)
		within, rest = within+len(part)+1, after
	}
}

// Repeat writes the marked parts of a text n times. A short seed, which a fuzzing engine can change, becomes a wide
// list or a deep tree:
//
//	[{List}"f/{Index}"{End}]           ["f/0","f/1",…]
//	{Chain}{"a":{End}1{Chain}}{End}    {"a":{"a":…1}}
func Repeat(text string, n int) string {
	var out strings.Builder
	for {
		at := strings.IndexAny(text, List+Chain)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at])
		separator := ""
		if text[at] == List[0] {
			separator = ","
		}
		var part string
		part, text, _ = strings.Cut(text[at+1:], End)
		for i := range n {
			if i > 0 {
				out.WriteString(separator)
			}
			out.WriteString(strings.ReplaceAll(part, Index, strconv.Itoa(i)))
		}
	}
}
