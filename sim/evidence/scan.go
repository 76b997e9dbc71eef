package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

var (
	errCut    = errors.New("the JSON ends too early")
	errSyntax = errors.New("this is not JSON")
	errDeep   = errors.New("the JSON nests deeper than 200 levels")
)

// depthMax is the deepest nesting that a scan accepts. Kubernetes objects need about ten levels.
const depthMax = 200

// `scan` walks JSON without building values. The caller takes the fields that it knows and skips the others. The first
// error ends the walk; after that every method returns zero values. The error errCut means that the object may
// continue on the next line.
//
// For each audit event encoding/json would build a whole tree, but the reader needs only a dozen fields.
type scan struct {
	data  []byte
	at    int
	depth int
	err   error
	words words // nil to keep no words
}

// `words` keeps one copy of a string that occurs in many records, such as a candidate's name.
type words map[string]string

// wordsMost limits how many strings `words` keeps; each has at most wordBytes. Evidence with more distinct strings than
// that is not about candidates.
const (
	wordsMost = 1 << 16
	wordBytes = 512
)

// `of` returns the one copy of a string. A slice of a line would keep the whole line in memory, and there may be a
// million lines.
func (w words) of(b []byte) string {
	if one, there := w[string(b)]; there {
		return one
	}
	one := printable(string(b))
	if w != nil && len(w) < wordsMost && len(b) <= wordBytes {
		w[one] = one
	}
	return one
}

// printable replaces everything in a text that could control a terminal, or forge a line in it, by its escape
// sequence. The text may come from a log, or from the name of an archive's member.
func printable(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) < 0 {
		return text
	}
	var out strings.Builder
	for _, c := range text {
		if strconv.IsPrint(c) {
			out.WriteRune(c)
		} else {
			quoted := strconv.QuoteRuneToASCII(c)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String()
}

func (s *scan) space() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	s.fail(errCut)
	return 0
}

func (s *scan) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *scan) take(c byte) bool {
	if s.err != nil {
		return false
	}
	if s.space() != c {
		s.fail(errSyntax)
		return false
	}
	s.at++
	return true
}

// object calls the function member with each key. That function parses the value, or leaves it to the method, which
// then skips it. If the JSON value is not an object, the method skips it.
func (s *scan) object(member func(key []byte)) {
	s.list('{', '}', func() {
		key := s.readQuoted()
		if s.take(':') && s.space() != 0 {
			from := s.at
			if member(key); s.at == from {
				s.skip()
			}
		}
	})
}

// wordOf is a member of an object whose value is a word.
type wordOf struct {
	key string
	to  *string
}

// member parses the value of a key, and reports whether the key is one of the members.
func (s *scan) member(key []byte, members ...wordOf) bool {
	for _, m := range members {
		if string(key) == m.key {
			*m.to = s.word()
			return true
		}
	}
	return false
}

// under calls the function value for the value of one key; that function parses the value or leaves it.
func (s *scan) under(key string, value func()) {
	s.object(func(k []byte) {
		if string(k) == key {
			value()
		}
	})
}

// array calls the function element before each element; that function parses or skips the element.
func (s *scan) array(element func()) { s.list('[', ']', element) }

func (s *scan) list(open, shut byte, each func()) {
	if s.err != nil {
		return
	}
	if s.space() != open {
		s.skip()
		return
	}
	if s.depth++; s.depth > depthMax {
		s.fail(errDeep)
		return
	}
	s.at++
	for first := true; s.err == nil; first = false {
		c := s.space()
		if c == shut {
			s.at++
			break
		}
		if !first && !s.take(',') {
			return
		}
		each()
	}
	s.depth--
}

// readQuoted reads a string and returns it unescaped and without its quotes. If the string has no escapes, the result
// is a slice of the line and valid only as long as the line is. To keep the result, copy it with words.of or string.
func (s *scan) readQuoted() []byte {
	if !s.take('"') {
		return nil
	}
	from, escaped := s.at, false
	for {
		end := bytes.IndexByte(s.data[s.at:], '"')
		if end < 0 {
			s.fail(errCut)
			return nil
		}
		back := 0
		for k := s.at + end - 1; k >= s.at && s.data[k] == '\\'; k-- {
			back++
		}
		escaped = escaped || bytes.IndexByte(s.data[s.at:s.at+end], '\\') >= 0
		s.at += end + 1
		if back%2 == 0 {
			break
		}
	}
	if !escaped {
		return s.data[from : s.at-1]
	}
	var text string
	if json.Unmarshal(s.data[from-1:s.at], &text) != nil {
		s.fail(errSyntax)
	}
	return []byte(text)
}

// `text` parses a string. It skips a value of another type and returns "".
func (s *scan) text() string {
	if s.err != nil || s.space() != '"' {
		s.skip()
		return ""
	}
	return string(s.readQuoted())
}

// word does the same as text, but for strings that occur in many records.
func (s *scan) word() string {
	if s.err != nil || s.space() != '"' {
		s.skip()
		return ""
	}
	return s.words.of(s.readQuoted())
}

// `number` parses a number, or a string that contains one. It skips other values and returns 0.
func (s *scan) number() float64 {
	if s.err != nil {
		return 0
	}
	var raw []byte
	if s.space() == '"' {
		raw = s.readQuoted()
	} else {
		raw = s.raw()
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n != n {
		return 0
	}
	return n
}

// raw skips one value and returns its bytes. They are valid only as long as the line is.
func (s *scan) raw() []byte {
	from := s.at
	if s.skip(); s.err != nil {
		return nil
	}
	return s.data[from:s.at]
}

// skip skips one value.
func (s *scan) skip() {
	if s.err != nil {
		return
	}
	switch c := s.space(); {
	case s.err != nil:
	case c == '"':
		s.skipQuoted()
	case c == '{' || c == '[':
		s.skipNested()
	case c == '-' || c == 't' || c == 'f' || c == 'n' || c >= '0' && c <= '9':
		for s.at < len(s.data) {
			switch s.data[s.at] {
			case ',', '}', ']', ' ', '\n', '\r', '\t', '"', '{', '[', ':':
				return
			}
			s.at++
		}
	default:
		s.fail(errSyntax)
	}
}

func (s *scan) skipQuoted() {
	for s.at++; ; {
		end := bytes.IndexByte(s.data[s.at:], '"')
		if end < 0 {
			s.fail(errCut)
			return
		}
		back := 0
		for k := s.at + end - 1; k >= s.at && s.data[k] == '\\'; k-- {
			back++
		}
		s.at += end + 1
		if back%2 == 0 {
			return
		}
	}
}

// skipNested skips an object or an array without parsing its members. It only counts brackets, so it does not notice
// invalid JSON inside.
func (s *scan) skipNested() {
	for depth := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '"':
			if s.skipQuoted(); s.err != nil {
				return
			}
			continue
		case '{', '[':
			if depth++; depth+s.depth > depthMax {
				s.fail(errDeep)
				return
			}
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
	s.fail(errCut)
}
