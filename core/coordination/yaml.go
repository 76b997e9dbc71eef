package coordination

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// YAML is an object's JSON as `kubectl get -o yaml` prints it: keys sorted, strings quoted only where a reader would
// take them for something else, long lines folded. It is byte-equal to sigs.k8s.io/yaml for objects of this package; the
// test is in sim/yamlfile, because core imports no YAML library.
//
// Deviation: strings with a character that no YAML may hold as it is (most control characters, U+0085, U+FFFE, U+FFFF)
// are escaped here, where kubectl would fail or lose them. TestYAMLOfWhatKubectlCannotPrint pins it.
func YAML(object []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err) // only the engine's own JSON is written as YAML
	}
	var w yamlWriter
	w.value(value, 0, false)
	w.startLine(0)
	return w.out
}

// yamlWriter knows the column it is at: that decides where a long line is folded.
type yamlWriter struct {
	out    []byte
	column int
}

func (w *yamlWriter) put(r rune) {
	w.out = utf8.AppendRune(w.out, r)
	w.column++
}

func (w *yamlWriter) text(s string) {
	for _, r := range s {
		w.put(r)
	}
}

// newline ends the line and indents the next one.
func (w *yamlWriter) newline(indent int) {
	w.out = append(w.out, '\n')
	w.column = 0
	w.pad(indent)
}

func (w *yamlWriter) pad(indent int) {
	for w.column < indent {
		w.put(' ')
	}
}

// startLine is newline, unless nothing stands on the line yet.
func (w *yamlWriter) startLine(indent int) {
	if w.column > 0 {
		w.newline(indent)
		return
	}
	w.pad(indent)
}

// value writes a map or a list at an indentation; onLine says that it begins on the line of a dash or a colon.
func (w *yamlWriter) value(value any, indent int, onLine bool) {
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
			simple := w.key(key, indent)
			w.entry(v[key], indent, simple)
		}
	case []any:
		for i, item := range v {
			if i > 0 || !onLine {
				w.startLine(indent)
			}
			w.text("- ")
			if m, isMap := item.(map[string]any); isMap && len(m) > 0 {
				w.value(item, indent+2, true)
				continue
			}
			w.leaf(item, indent)
		}
	}
}

// simpleKey is the length in bytes up to which a key of one line is written as "key:"; others are "? key".
const simpleKey = 128

// key writes a key and its colon.
func (w *yamlWriter) key(key string, indent int) (simple bool) {
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

// entry writes what follows a key's colon. After a simple key, maps and lists begin on a line of their own, and lists stay
// at the indentation of their key.
func (w *yamlWriter) entry(value any, indent int, simple bool) {
	m, _ := value.(map[string]any)
	list, _ := value.([]any)
	switch {
	case len(m) == 0 && len(list) == 0:
		w.put(' ')
		w.leaf(value, indent)
	case !simple:
		w.put(' ')
		w.value(value, indent+2, true)
	case len(m) > 0:
		w.value(value, indent+2, false)
	default:
		w.value(value, indent, false)
	}
}

func (w *yamlWriter) leaf(value any, indent int) {
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

// keyLess is the order of keys: letters after everything else, and digits by the number they make.
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
		if a[i] == '0' || b[i] == '0' { // a zero inside a number counts as a digit of it, a leading one does not
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

// number reads the digits at the beginning of a text after a leading one.
func number(text []rune, n int64) (value int64, digits int) {
	for digits < len(text) && unicode.IsDigit(text[digits]) {
		n = n*10 + int64(text[digits]-'0')
		digits++
	}
	return n, digits
}
