package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Encode appends an object's JSON, members in the order of its type. A nil type writes members sorted by name.
func Encode(out []byte, value any, t *Type) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case int:
		return strconv.AppendInt(out, int64(v), 10)
	case float64:
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // a document contains only finite numbers
		}
		return append(out, b...)
	case string:
		return Quote(out, v)
	case []any:
		var elem *Type
		if t != nil {
			elem = t.Elem
		}
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = Encode(out, item, elem)
		}
		return append(out, ']')
	case Map:
		return encodeMap(out, v, t)
	case Encoded:
		return append(out, v...)
	}
	panic("a tree holds a value of an unknown kind")
}

// Encoded is a part of a tree that is already JSON and that Encode writes unchanged, such as a field set.
type Encoded string

func encodeMap(out []byte, m Map, t *Type) []byte {
	out = append(out, '{')
	if t == nil || t.Shape != AStruct {
		var elem *Type
		if t != nil {
			elem = t.Elem
		}
		for i, name := range Keys(m) {
			if i > 0 {
				out = append(out, ',')
			}
			out = Encode(append(Quote(out, name), ':'), m[name], elem)
		}
		return append(out, '}')
	}
	for i, written := 0, 0; i < len(t.Fields) && written < len(m); i++ {
		field := &t.Fields[i]
		value, has := m[field.Name]
		if !has {
			continue
		}
		if written++; written > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), field.Name...), `":`...) // a field's name needs no escapes
		out = Encode(out, value, field.Type)
	}
	if HasOpenTypes {
		out = t.AppendOthers(out, m)
	}
	return append(out, '}')
}

// AppendOthers appends the members of an object that its open type does not name.
func (t *Type) AppendOthers(out []byte, m Map) []byte {
	for _, name := range t.Others(m) {
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = Encode(append(Quote(out, name), ':'), m[name], nil)
	}
	return out
}

// Indent indents JSON by two spaces, as kube-apiserver does for curl, without a trailing newline.
func Indent(data []byte) []byte { return IndentInside(data, "") }

// IndentInside is Indent for a part of a document. Each of its lines but the first begins with the argument "space".
func IndentInside(data []byte, space string) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, data, space, "  "); err != nil {
		panic(err) // the engine indents only JSON that it has encoded itself
	}
	return b.Bytes()
}

const hex = "0123456789abcdef"

// plain marks the bytes that a JSON string holds without an escape.
var plain = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return plain
}()

// Quote appends a JSON string as encoding/json writes it, with <, > and & escaped.
func Quote(out []byte, s string) []byte {
	out = append(out, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			out = append(out, s[start:i]...)
			switch c {
			case '"', '\\':
				out = append(out, '\\', c)
			case '\b':
				out = append(out, '\\', 'b')
			case '\f':
				out = append(out, '\\', 'f')
			case '\n':
				out = append(out, '\\', 'n')
			case '\r':
				out = append(out, '\\', 'r')
			case '\t':
				out = append(out, '\\', 't')
			default:
				out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(append(out, s[start:i]...), `\ufffd`...)
			i += size
			start = i
			continue
		}
		if r == '\u2028' || r == '\u2029' {
			out = append(append(out, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			i += size
			start = i
			continue
		}
		i += size
	}
	return append(append(out, s[start:]...), '"')
}
