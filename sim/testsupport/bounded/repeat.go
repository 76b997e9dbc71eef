package bounded

import (
	"strconv"
	"strings"
)

// The marks in a text that Repeat takes.
const (
	List  = "\x01" // begins a part that is repeated with commas between
	Chain = "\x02" // begins a part that is repeated with nothing between
	End   = "\x03" // ends the part
	Index = "\x04" // in it: its number
)

// longestPart is how many bytes a part to repeat may have: a fuzzing engine makes any.
const longestPart = 200

// Repeats reports whether a text has parts that Repeat repeats, and they are not too long for it.
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

// Repeat writes the marked parts of a text out n times. So a short seed, which a fuzzing engine can change, becomes a wide
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
