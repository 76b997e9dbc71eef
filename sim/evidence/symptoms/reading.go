package symptoms

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// reading is a text as a sequence of stems.
type reading struct {
	sequence []string
	stems    map[string]bool
}

func read(text string) *reading {
	r := &reading{sequence: stemsOf(text), stems: map[string]bool{}}
	if waitsLong(text) {
		r.sequence = append(r.sequence, "~waits")
	}
	for _, w := range r.sequence {
		r.stems[w] = true
	}
	return r
}

// has reports whether a phrase occurs in the text.
func (r *reading) has(phrase []string) bool {
	for at, w := range r.sequence {
		if w == phrase[0] && follows(r.sequence[at+1:], phrase[1:]) {
			return true
		}
	}
	return false
}

// follows reports whether a text begins with a phrase.
func follows(text, phrase []string) bool {
	if len(phrase) == 0 {
		return true
	}
	gap := map[string]int{"*": 6, "**": len(text)}[phrase[0]]
	if phrase[0][0] == '*' {
		phrase = phrase[1:]
	}
	for skip := 0; skip <= gap && skip < len(text); skip++ {
		if text[skip] == phrase[0] && follows(text[skip+1:], phrase[1:]) {
			return true
		}
	}
	return false
}

// pattern returns the stems of a phrase, with its wildcards.
func pattern(text string) []string {
	var all []string
	for _, field := range strings.Fields(text) {
		if field[0] == '*' || field[0] == '~' {
			all = append(all, field)
		} else {
			all = append(all, stemsOf(field)...)
		}
	}
	return all
}

// stemsOf returns the words of a text without case, endings, and names made by machines, such as UIDs.
func stemsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	words = slices.DeleteFunc(words, func(w string) bool {
		digits := 0
		for _, c := range w {
			if unicode.IsDigit(c) {
				digits++
			}
		}
		return digits > 3
	})
	same := aliases()
	for i, w := range words {
		words[i] = stem(w)
		if as, is := same[words[i]]; is {
			words[i] = as
		}
	}
	return words
}

// aliases maps stems to the stem that they count as.
var aliases = sync.OnceValue(func() map[string]string {
	same := map[string]string{}
	for line := range strings.Lines(source) {
		if words, is := strings.CutPrefix(line, "~ "); is {
			all := strings.Fields(words)
			for _, w := range all[1:] {
				same[stem(w)] = stem(all[0])
			}
		}
	}
	return same
})

// endings are the endings of words that stem removes, with what takes their place.
var endings = []struct {
	long, short string
	least       int // length of the words that have it
}{{"ies", "y", 5}, {"ied", "y", 5}, {"sses", "ss", 5}, {"ing", "", 6}, {"ed", "", 5}}

// stem removes the ending of an English word. It only needs to do the same to a phrase and to a text.
func stem(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "ies") {
		w = w[:len(w)-1]
	}
	for _, e := range endings {
		if len(w) >= e.least && strings.HasSuffix(w, e.long) {
			w = w[:len(w)-len(e.long)] + e.short
			if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
				w = w[:n-1] // stopping, stopp, stop
			}
			break
		}
	}
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// waitsLong reports whether a log shows that a candidate tries to acquire the Lease for ten seconds or longer before
// it succeeds.
func waitsLong(text string) bool {
	since := -1
	for line := range strings.Lines(text) {
		at, ok := secondOf(line)
		switch lower := strings.ToLower(line); {
		case !ok:
		case strings.Contains(lower, "attempting to acquire"):
			since = at
		case strings.Contains(lower, "successfully acquired") && since >= 0 && (at-since+86400)%86400 >= 10:
			return true
		}
	}
	return false
}

// secondOf returns the second of the day of the first hh:mm:ss in a line.
func secondOf(line string) (second int, ok bool) {
	digit := func(i int) int { return int(line[i]) - '0' }
	for i := 0; i+8 <= len(line); i++ {
		if line[i+2] != ':' || line[i+5] != ':' {
			continue
		}
		if !slices.ContainsFunc([]int{0, 1, 3, 4, 6, 7}, func(k int) bool { return digit(i+k) < 0 || digit(i+k) > 9 }) {
			return (digit(i)*10+digit(i+1))*3600 + (digit(i+3)*10+digit(i+4))*60 + digit(i+6)*10 + digit(i+7), true
		}
	}
	return 0, false
}
