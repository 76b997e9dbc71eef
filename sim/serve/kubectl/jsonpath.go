package kubectl

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// jsonPath prints an object by a template: text, and in braces a path, a text in double quotes, or range … end. Paths have
// members (.name, ['name'], .*), elements ([0], [-1], [*], [0:2]), conditions ([?(@.a=="b")] and !=) and descent (..name). A
// missing member prints nothing, as with kubectl.
//
// Source: client-go v0.36 util/jsonpath.
func jsonPath(template string, root any) (string, error) {
	p := &pathPrinter{root: root}
	if rest, err := p.print(template, []any{root}, false); err != nil {
		return "", errors.New("error parsing jsonpath " + template + ", " + err.Error())
	} else if rest != "" {
		return "", errors.New("error parsing jsonpath " + template + ", not in range, nothing to end")
	}
	return p.out.String(), nil
}

type pathPrinter struct {
	root any
	out  strings.Builder
}

// print prints a template, and returns what follows {end} if it is inside a range.
func (p *pathPrinter) print(template string, here []any, inRange bool) (string, error) {
	for {
		text, rest, found := strings.Cut(template, "{")
		p.out.WriteString(text)
		if !found {
			if inRange {
				return "", errors.New("unterminated range")
			}
			return "", nil
		}
		action, rest, err := closed(rest, '}')
		if err != nil {
			return "", err
		}
		action = strings.TrimSpace(action)
		template = rest
		path, ranges := strings.CutPrefix(action, "range ")
		switch {
		case action == "end" && inRange:
			return rest, nil
		case action == "end":
			return "{end}", nil
		case strings.HasPrefix(action, `"`):
			said, err := strconv.Unquote(action)
			if err != nil {
				return "", errors.New("invalid literal " + action)
			}
			p.out.WriteString(said)
			continue
		}
		found2, err := p.walk(strings.TrimSpace(path), here)
		if err != nil {
			return "", err
		}
		if !ranges {
			for i, value := range found2 {
				if i > 0 {
					p.out.WriteByte(' ')
				}
				p.out.WriteString(plain(value))
			}
			continue
		}
		template = ""
		for i, value := range found2 {
			if template, err = p.print(rest, []any{value}, true); err != nil {
				return "", err
			}
			_ = i
		}
		if len(found2) == 0 { // what is in the range is read, and not printed
			silent := &pathPrinter{root: p.root}
			if template, err = silent.print(rest, nil, true); err != nil {
				return "", err
			}
		}
	}
}

// closed splits a text after a closing bracket, outside of quotes and other brackets.
func closed(text string, end byte) (inside, rest string, err error) {
	depth, mark := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case mark != 0:
			if c == mark && text[i-1] != '\\' {
				mark = 0
			}
		case c == '"', c == '\'':
			mark = c
		case c == end && depth == 0:
			return text[:i], text[i+1:], nil
		case c == '[', c == '(':
			depth++
		case c == ']', c == ')':
			depth--
		}
	}
	if end == ']' {
		return "", "", errors.New("unterminated array")
	}
	return "", "", errors.New("unclosed action")
}

// walk follows a path from some values.
func (p *pathPrinter) walk(path string, here []any) ([]any, error) {
	switch {
	case strings.HasPrefix(path, "$"):
		path, here = path[1:], []any{p.root}
	case strings.HasPrefix(path, "@"):
		path = path[1:]
	case path == "" || path[0] != '.' && path[0] != '[':
		return nil, errors.New("unrecognized identifier " + path)
	}
	for path != "" {
		var name string
		switch {
		case strings.HasPrefix(path, "["):
			inside, rest, err := closed(path[1:], ']')
			if err != nil {
				return nil, err
			}
			if here, err = p.elements(here, inside); err != nil {
				return nil, err
			}
			path = rest
			continue
		case strings.HasPrefix(path, ".."):
			name, path = member(path[2:])
			here = descend(nil, here, name)
		case strings.HasPrefix(path, ".["), path == ".":
			path = path[1:]
			continue
		case path[0] == '.':
			name, path = member(path[1:])
			here = members1(here, name)
		default:
			return nil, errors.New("unrecognized character in action: " + path)
		}
		if name == "" {
			return nil, errors.New("a member without a name")
		}
	}
	return here, nil
}

// member cuts a name off a path. A backslash keeps the next character: .metadata.labels.a\.b
func member(path string) (name, rest string) {
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			out.WriteByte(path[i])
		case c == '.', c == '[', c == ' ', c == '=', c == '!':
			return out.String(), path[i:]
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), ""
}

// members1 returns the members of a name, or all of them by "*".
func members1(here []any, name string) (out []any) {
	for _, value := range here {
		switch v := value.(type) {
		case wire.Map:
			if name == "*" {
				for _, key := range wire.Keys(v) {
					out = append(out, v[key])
				}
			} else if one, there := v[name]; there {
				out = append(out, one)
			}
		case []any:
			if name == "*" {
				out = append(out, v...)
			}
		}
	}
	return out
}

// descend returns the members of a name at any depth.
func descend(out, here []any, name string) []any {
	for _, value := range here {
		out = append(out, members1([]any{value}, name)...)
		out = descend(out, members1([]any{value}, "*"), name)
	}
	return out
}

// elements follows what stands in brackets.
func (p *pathPrinter) elements(here []any, inside string) ([]any, error) {
	inside = strings.TrimSpace(inside)
	if inside == "*" {
		return members1(here, "*"), nil
	}
	if name, quoted := strings.CutPrefix(inside, "'"); quoted {
		return members1(here, strings.TrimSuffix(name, "'")), nil
	}
	if condition, is := strings.CutPrefix(inside, "?("); is {
		return p.filter(here, strings.TrimSuffix(condition, ")"))
	}
	from, to, slice := strings.Cut(inside, ":")
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil && (from != "" || !slice) || err2 != nil && to != "" {
		return nil, errors.New("invalid array index " + inside)
	}
	var out []any
	for _, value := range here {
		list, is := value.([]any)
		if !is {
			return nil, errors.New(plain(value) + " is not array or slice")
		}
		begin, end := first, last
		if begin < 0 {
			begin += len(list)
		}
		if !slice {
			if begin < 0 || begin >= len(list) {
				return nil, errors.New("array index out of bounds: index " + from + ", length " + number(len(list)))
			}
			end = begin + 1
		} else if to == "" {
			end = len(list)
		} else if end < 0 {
			end += len(list)
		}
		begin, end = min(max(begin, 0), len(list)), min(max(end, 0), len(list))
		if begin < end {
			out = append(out, list[begin:end]...)
		}
	}
	return out, nil
}

// filter returns the elements for which a condition holds.
func (p *pathPrinter) filter(here []any, condition string) ([]any, error) {
	path, wanted, equal := strings.Cut(condition, "==")
	compares := equal
	if !equal {
		path, wanted, compares = strings.Cut(condition, "!=")
	}
	wanted = strings.TrimSpace(wanted)
	if len(wanted) > 1 && (wanted[0] == '"' || wanted[0] == '\'') {
		wanted = wanted[1 : len(wanted)-1]
	}
	var out []any
	for _, element := range members1(here, "*") {
		found, err := p.walk(strings.TrimSpace(path), []any{element})
		if err != nil {
			return nil, err
		}
		holds := len(found) > 0
		if holds && compares {
			holds = slices.ContainsFunc(found, func(value any) bool { return plain(value) == wanted }) == equal
		}
		if holds {
			out = append(out, element)
		}
	}
	return out, nil
}
