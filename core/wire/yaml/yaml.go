// Package yaml prints objects as YAML: see Print and Lines.
//
// Guarantee: the text is what `kubectl get -o yaml` prints for the same JSON. Keys are sorted, strings have quotes
// only where a reader would not read them as strings, and long lines fold. The tests compare it byte for byte with
// sigs.k8s.io/yaml. Non-guarantee: the package does not read YAML.
//
// Deviation: the package escapes strings with characters that YAML cannot hold raw (most control characters, U+0085,
// U+FFFE, U+FFFF), where kubectl would fail or lose them. TestYAMLOfWhatKubectlCannotPrint pins it.
package yaml

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Print returns the YAML of a JSON document. It panics if the document is not JSON.
func Print(document []byte) []byte { return write(document).out }

// Line is one line of YAML without its end, and the path of its field: metadata.name, or metadata.finalizers[0] for an
// item of a list. A field may take several lines.
type Line struct{ Path, Text string }

// Lines returns the YAML of a JSON document line by line.
func Lines(document []byte) []Line {
	w := write(document)
	var lines []Line
	path, next := "", 0
	for from := 0; from < len(w.out); {
		end := len(w.out) // a string that ends in U+2028 already ends its line
		if length := bytes.IndexByte(w.out[from:], '\n'); length >= 0 {
			end = from + length
		}
		for first := true; next < len(w.marks) && w.marks[next].at <= end; next++ {
			if first { // a line that contains both an item and the item's first member counts as the item's line
				path, first = w.marks[next].path, false
			}
		}
		lines = append(lines, Line{path, string(w.out[from:end])})
		from = end + 1
	}
	return lines
}

func write(document []byte) *writer {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err) // the engine prints only JSON that it encoded
	}
	w := &writer{}
	w.value(value, "", 0, false)
	w.startLine(0)
	return w
}

// writer prints YAML and tracks the column, which decides where a long line folds.
type writer struct {
	out    []byte
	column int
	marks  []mark
}

// mark is the byte offset at which a field begins.
type mark struct {
	at   int
	path string
}

func (w *writer) mark(path string) { w.marks = append(w.marks, mark{len(w.out), path}) }

func (w *writer) put(r rune) {
	w.out = utf8.AppendRune(w.out, r)
	w.column++
}

func (w *writer) text(s string) {
	for _, r := range s {
		w.put(r)
	}
}

// newline ends the line and indents the next one.
func (w *writer) newline(indent int) {
	w.out = append(w.out, '\n')
	w.column = 0
	w.pad(indent)
}

func (w *writer) pad(indent int) {
	for w.column < indent {
		w.put(' ')
	}
}

// startLine ends the line unless it is empty, and indents.
func (w *writer) startLine(indent int) {
	if w.column > 0 {
		w.newline(indent)
		return
	}
	w.pad(indent)
}

// value writes a map or a list at an indentation. If onLine is true, the value begins on the same line as a dash or a
// colon.
func (w *writer) value(value any, path string, indent int, onLine bool) {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Slice(keys, func(i, j int) bool { return keyLess(keys[i], keys[j]) })
		for i, key := range keys {
			if i > 0 || !onLine {
				w.startLine(indent)
			}
			member := key
			if path != "" {
				member = path + "." + key
			}
			w.mark(member)
			simple := w.key(key, indent)
			w.entry(v[key], member, indent, simple)
		}
	case []any:
		for i, item := range v {
			if i > 0 || !onLine {
				w.startLine(indent)
			}
			place := path + "[" + strconv.Itoa(i) + "]"
			w.mark(place)
			w.text("- ")
			if m, isMap := item.(map[string]any); isMap && len(m) > 0 {
				w.value(item, place, indent+2, true)
				continue
			}
			w.leaf(item, indent)
		}
	}
}

// simpleKey is the maximum length in bytes of a one-line key in the form "key:"; a longer one becomes "? key".
const simpleKey = 128

// key writes a key and its colon.
func (w *writer) key(key string, indent int) (simple bool) {
	if len(key) <= simpleKey && !strings.ContainsFunc(key, isBreak) {
		w.scalar(key, indent+2, true)
		w.put(':')
		return true
	}
	w.text("? ")
	w.scalar(key, indent+2, false)
	w.startLine(indent)
	w.put(':')
	return false
}

// entry writes the value after a key's colon. After a simple key, maps and lists begin on a new line, and lists keep
// the indentation of their key.
func (w *writer) entry(value any, path string, indent int, simple bool) {
	m, _ := value.(map[string]any)
	list, _ := value.([]any)
	switch {
	case len(m) == 0 && len(list) == 0:
		w.put(' ')
		w.leaf(value, indent)
	case !simple:
		w.put(' ')
		w.value(value, path, indent+2, true)
	case len(m) > 0:
		w.value(value, path, indent+2, false)
	default:
		w.value(value, path, indent, false)
	}
}

func (w *writer) leaf(value any, indent int) {
	switch v := value.(type) {
	case string:
		w.scalar(v, indent+2, false)
	case json.Number:
		w.text(v.String())
	case bool:
		w.text(strconv.FormatBool(v))
	case map[string]any:
		w.text("{}")
	case []any:
		w.text("[]")
	default:
		w.text("null")
	}
}

// keyLess orders keys: letters after everything else, and digits by their numeric value.
func keyLess(left, right string) bool {
	a, b := []rune(left), []rune(right)
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		aLetter, bLetter := unicode.IsLetter(a[i]), unicode.IsLetter(b[i])
		if aLetter && bLetter {
			return a[i] < b[i]
		}
		if aLetter || bLetter {
			return bLetter
		}
		lead := int64(0)
		if a[i] == '0' || b[i] == '0' { // a zero inside a number is a digit of it; a leading zero is not
			for k := i - 1; k >= 0 && unicode.IsDigit(a[k]); k-- {
				if a[k] != '0' {
					lead = 1
					break
				}
			}
		}
		aNumber, aDigits := number(a[i:], lead)
		bNumber, bDigits := number(b[i:], lead)
		switch {
		case aNumber != bNumber:
			return aNumber < bNumber
		case aDigits != bDigits:
			return aDigits < bDigits
		}
		return a[i] < b[i]
	}
	return len(a) < len(b)
}

// number parses the digits at the start of a text, and appends them to the digits of n.
func number(text []rune, n int64) (value int64, digits int) {
	for digits < len(text) && unicode.IsDigit(text[digits]) {
		n = n*10 + int64(text[digits]-'0')
		digits++
	}
	return n, digits
}
