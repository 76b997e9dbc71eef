package wire

import (
	"unicode/utf8"
)

// Settle turns a tree into the canonical object that Decode makes of the tree's JSON, and reports whether it could.
// Settle handles only ordinary trees: use Decode if the tree may have a member or value that Decode would refuse,
// warn about or convert. Settle changes the tree even if it returns false. An Encoded object stays Encoded.
func Settle(o Map, t *Type) bool {
	for name, value := range o {
		field := t.Field(name)
		if field == nil {
			if HasOpenTypes && t.Open {
				continue
			}
			return false
		}
		value, fine := settleValue(value, field.Type)
		if !fine {
			return false
		}
		if field.canonical(value) == nil { // every other value stays, perhaps changed in place
			delete(o, name)
		}
	}
	t.keep(o)
	return true
}

// settleValue returns the canonical form of a value: the value itself, or nil. A nil result means that the member is
// absent.
func settleValue(value any, t *Type) (any, bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		switch t.Shape {
		case AString:
			return value, utf8.ValidString(v)
		case ATime:
			return value, isCanonical(v, TimeLayout)
		case AMicroTime:
			return value, isCanonical(v, MicroTimeLayout)
		}
	case bool:
		return value, t.Shape == ABool
	case int64:
		return value, t.Shape == AnInt64 || t.Shape == AnInt32 && v == int64(int32(v))
	case Encoded:
		return value, t.Shape == Raw && len(v) > 0 && v[0] == '{'
	case Map:
		switch t.Shape {
		case AStruct:
			return value, Settle(v, t)
		case AMap:
			return value, settledMap(v, t.Elem)
		}
	case []any:
		if t.Shape != AList {
			return nil, false
		}
		for i, item := range v {
			fine := false
			if v[i], fine = settleValue(item, t.Elem); !fine || v[i] == nil {
				return nil, false
			}
		}
		return value, true
	}
	return nil, false
}

func settledMap(m Map, elem *Type) bool {
	for name, value := range m {
		if value, fine := settleValue(value, elem); !fine || value == nil || !utf8.ValidString(name) {
			return false
		}
	}
	return true
}

// isCanonical reports whether an instant has the form that Decode prints.
func isCanonical(text, layout string) bool {
	at, err := instantOf(text, layout)
	return err == nil && at == text
}

// Usual reports whether an instant is in UTC, has only plain digits, a year from 1000, and one of the first 28 days of
// a month.
func Usual(text, layout string) bool {
	const digits = "0000-00-00T00:00:00.000000Z"
	if layout == TimeLayout && len(text) == len("0000-00-00T00:00:00Z") {
		if text[len(text)-1] != 'Z' {
			return false
		}
		text = text[:len(text)-1]
	} else if layout != MicroTimeLayout || len(text) != len(digits) {
		return false
	}
	for i := range len(text) {
		if c := text[i]; digits[i] != '0' && c != digits[i] || digits[i] == '0' && (c < '0' || c > '9') {
			return false
		}
	}
	if text[0] == '0' {
		return false
	}
	two := func(at int) int { return int(text[at]-'0')*10 + int(text[at+1]-'0') }
	month, day := two(5), two(8)
	return month >= 1 && month <= 12 && day >= 1 && day <= 28 && two(11) < 24 && two(14) < 60 && two(17) < 60
}
