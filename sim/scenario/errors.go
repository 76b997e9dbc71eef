package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// FieldError explains why leaselab refuses a scenario. Message is a sentence with the path, the value, the rule and how
// to fix it. The page shows Message next to the field at Path. The command prints it with the file and the line.
type FieldError struct {
	Path    string // "candidates[1].elector.leaseDuration"; "" means the document itself
	Value   string // the value as written, without quotes; "" if the error is not about a value
	Rule    string // what the value must be
	Message string
	Short   string // Message without the words of a library; "" if Message has no such words
	Line    int    // line of the document, from 1; 0 without a document (Set, Validate)
}

// Error returns the message, with the line if known. Example: line 7: elector.leaseDuration "5" must have a unit; write
// "5s" if you mean seconds.
func (e *FieldError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return e.Message
}

// refuse returns an error with the sentence `path "value" rule`.
func refuse(path, value, rule string) *FieldError {
	return &FieldError{Path: path, Value: value, Rule: rule, Message: path + " " + quote(value) + " " + rule}
}

// refuseNumber is like refuse, for values without quotes.
func refuseNumber(path, value, rule string) *FieldError {
	return &FieldError{Path: path, Value: value, Rule: rule, Message: path + " " + shorten(value) + " " + rule}
}

// refuseField returns an error with the sentence `path: rule`, for a missing or unknown field, or too many entries.
func refuseField(path, rule string) *FieldError {
	return &FieldError{Path: path, Rule: rule, Message: path + ": " + rule}
}

// refuseDocument returns an error about the whole file.
func refuseDocument(line int, rule string) *FieldError {
	return &FieldError{Rule: rule, Message: "the document " + rule, Line: line}
}

func refuseDuration(path string, d Duration, rule string) *FieldError {
	return refuse(path, d.String(), rule)
}

func quote(text string) string { return strconv.Quote(shorten(text)) }

// `shorten` cuts a long value so that the error stays readable.
func shorten(text string) string {
	const limit = 80
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// `thousands` writes 10001 as "10,001".
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	first := 1
	if n < 0 {
		first = 2
	}
	for i := len(text) - 3; i >= first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// listWords writes "a", "a and b" or "a, b and c". A list of 5,000 node names would not help, so it ends after 24 with
// "…".
func listWords(words []string, and string) string {
	const limit = 24
	switch {
	case len(words) == 0:
		return "none"
	case len(words) == 1:
		return words[0]
	case len(words) > limit:
		return strings.Join(words[:limit], ", ") + ", …"
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

// `nearest` returns the word most similar to text, or "" if none is similar. A third of the letters may differ, and in
// words of four letters or more always two. In shorter words only one letter may differ; otherwise "cut" would be
// similar to "set".
func nearest(text string, words []string) string {
	tolerated := max(len(text)/3, 2)
	if len(text) < 4 {
		tolerated = 1
	}
	best, bestDistance := "", tolerated+1
	for _, w := range words {
		if strings.EqualFold(w, text) {
			return w
		}
		if d := editDistance(text, w, bestDistance); d < bestDistance {
			best, bestDistance = w, d
		}
	}
	return best
}

// Nearest returns the word most similar to text, or "" if none is similar.
func Nearest(text string, words []string) string { return nearest(text, words) }

// editDistance counts inserted, deleted and changed bytes. It stops at limit, so that a long text costs little. It is
// the Levenshtein distance, with one row of the table in memory.
func editDistance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// advice returns `; did you mean "x"?`, or the list of words if none is similar.
func advice(text, possible string, words []string) string {
	if w := nearest(text, words); w != "" {
		return "; did you mean " + quote(w) + "?"
	}
	return "; " + possible + " " + listWords(words, "and")
}
