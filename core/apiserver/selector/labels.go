// Package selector parses label and field selectors and determines which objects they select: see ParseLabels and
// ParseFields.
//
// Guarantee: it accepts and refuses the same selectors as upstream's parsers, with the same error messages.
// Non-guarantee: the caller decides which fields of a resource a selector may name. Source: apimachinery v0.36
// pkg/labels selector.go, pkg/fields selector.go.
package selector

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// Labels is a label selector: an object matches if it meets all requirements.
type Labels []requirement

// requirement is a condition on one label.
// Source: apimachinery v0.36 pkg/labels selector.go.
type requirement struct {
	key      string
	operator string // one of in, notin, =, ==, !=, gt, lt, exists, !
	values   []string
	bound    int64 // the number of gt and lt
}

// binaryOperators are the operators with a value, as an error lists them.
const binaryOperators = "in, notin, =, ==, !=, gt, lt"

// Matches reports whether the selector selects an object with these labels.
func (s Labels) Matches(labels wire.Map) bool {
	for i := range s {
		if !s[i].matches(labels) {
			return false
		}
	}
	return true
}

// Steps is the approximate number of comparisons for one object.
func (s Labels) Steps() int {
	steps := 0
	for i := range s {
		steps += 1 + len(s[i].values)/64 // approximates a binary search
	}
	return steps
}

func (r *requirement) matches(labels wire.Map) bool {
	value, has := labels[r.key].(string)
	switch r.operator {
	case "exists":
		return has
	case "!":
		return !has
	case "in", "=", "==":
		return has && r.lists(value)
	case "notin", "!=":
		return !has || !r.lists(value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if !has || err != nil {
		return false
	}
	return (r.operator == "gt" && n > r.bound) || (r.operator == "lt" && n < r.bound)
}

func (r *requirement) lists(value string) bool {
	_, found := slices.BinarySearch(r.values, value) // the values are sorted
	return found
}

// token is a piece of a label selector. The kind of a symbol or a keyword is its own text. The kind of any other piece
// is "word", and the kind of the end is "".
type token struct{ kind, text string }

// scan splits a label selector. A NUL ends a piece. If a piece would begin with a NUL, the NUL ends the selector.
func scan(text string) []token {
	var tokens []token
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" || text[0] == 0 {
			return append(tokens, token{})
		}
		length := strings.IndexAny(text, "=!(),>< \t\r\n\x00")
		switch {
		case length < 0:
			length = len(text)
		case length == 0 && (strings.HasPrefix(text, "==") || strings.HasPrefix(text, "!=")):
			length = 2
		case length == 0:
			length = 1
		}
		t := token{"word", text[:length]}
		switch t.text {
		case ")", ",", "!", "==", "=", ">", "in", "<", "!=", "notin", "(":
			t.kind = t.text
		}
		tokens, text = append(tokens, t), strings.TrimPrefix(text[length:], "\x00")
	}
}

// selectorParser parses a label selector by recursive descent.
type selectorParser struct {
	tokens []token
	at     int
}

// peek returns the next token. It returns the keywords "in" and "notin" as plain words.
func (p *selectorParser) peek() token {
	t := p.tokens[p.at]
	if t.kind == "in" || t.kind == "notin" {
		t.kind = "word"
	}
	return t
}

// take returns the next token and moves past it, except past the end.
func (p *selectorParser) take() token {
	t := p.peek()
	if t.kind != "" {
		p.at++
	}
	return t
}

// ParseLabels parses a label selector. Its errors are upstream's sentences. Source: apimachinery v0.36 pkg/labels
// selector.go Parser.parse.
func ParseLabels(text string) (Labels, error) {
	p := &selectorParser{tokens: scan(text)}
	var s Labels
	for {
		switch t := p.peek(); t.kind {
		case "":
			return s, nil
		case "word", "!":
		default:
			return nil, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", t.text)
		}
		r, err := p.requirement()
		if err != nil {
			return nil, fmt.Errorf("unable to parse requirement: %v", err)
		}
		s = append(s, r)
		switch t := p.take(); t.kind {
		case "":
			return s, nil
		case ",":
			if next := p.peek(); next.kind != "word" && next.kind != "!" {
				return nil, fmt.Errorf("found '%s', expected: identifier after ','", next.text)
			}
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", t.text)
		}
	}
}

func (p *selectorParser) requirement() (requirement, error) {
	t := p.take()
	negated := t.kind == "!"
	if negated {
		t = p.take()
	}
	if t.kind != "word" {
		return requirement{}, fmt.Errorf("found '%s', expected: identifier", t.text)
	}
	r := requirement{key: t.text}
	if faults := validate.LabelKey(r.key); len(faults) > 0 {
		return r, fmt.Errorf("<nil>: Invalid value: %q: %s", r.key, strings.Join(faults, "; "))
	}
	next := p.peek().kind
	switch {
	case negated: // refuse an operator after "!key", because a comma must follow
		r.operator = "!"
		return r, nil
	case next == "" || next == ",":
		r.operator = "exists"
		return r, nil
	}
	operator := p.tokens[p.at]
	p.take()
	var err error
	switch operator.kind {
	case "in", "notin":
		r.operator = operator.kind
		r.values, err = p.values()
	case "=", "==", "!=":
		r.operator = operator.kind
		r.values, err = p.exactValue()
	case ">", "<":
		r.operator = "gt"
		if operator.kind == "<" {
			r.operator = "lt"
		}
		r.values, err = p.exactValue()
	default:
		err = fmt.Errorf("found '%s', expected: %s", operator.text, binaryOperators)
	}
	if err != nil {
		return r, err
	}
	return r, r.check()
}

// values parses "(a,b)"; values may be empty.
func (p *selectorParser) values() ([]string, error) {
	if t := p.take(); t.kind != "(" {
		return nil, fmt.Errorf("found '%s' expected: '('", t.text)
	}
	first := p.peek()
	switch first.kind {
	case ")":
		p.take()
		return []string{""}, nil
	case "word", ",":
	default:
		return nil, fmt.Errorf("found '%s', expected: ',', ')' or identifier", first.text)
	}
	seen := map[string]bool{}
	for {
		t := p.take()
		switch t.kind {
		case "word":
			seen[t.text] = true
			if next := p.peek(); next.kind != "," && next.kind != ")" {
				return nil, fmt.Errorf("found '%s', expected: ',' or ')'", next.text)
			}
		case ",":
			if next := p.peek().kind; len(seen) == 0 || next == ")" || next == "," {
				seen[""] = true
			}
		default:
			return nil, fmt.Errorf("found '%s', expected: ',', or identifier", t.text)
		}
		if p.peek().kind == ")" {
			p.take()
			break
		}
	}
	values := make([]string, 0, len(seen))
	for value := range seen {
		values = append(values, value)
	}
	sort.Strings(values)
	return values, nil
}

func (p *selectorParser) exactValue() ([]string, error) {
	if next := p.peek().kind; next == "" || next == "," {
		return []string{""}, nil
	}
	t := p.take()
	if t.kind != "word" {
		return nil, fmt.Errorf("found '%s', expected: identifier", t.text)
	}
	return []string{t.text}, nil
}

// check returns the errors of upstream's NewRequirement. Several errors come as a list.
func (r *requirement) check() error {
	var said []string
	if r.operator == "gt" || r.operator == "lt" {
		var err error
		if r.bound, err = strconv.ParseInt(r.values[0], 10, 64); err != nil {
			said = append(said,
				fmt.Sprintf("values[0]: Invalid value: %q: for 'Gt', 'Lt' operators, the value must be an integer",
					r.values[0]))
		}
	}
	for i, value := range r.values {
		if faults := validate.LabelValue(value); len(faults) > 0 {
			said = append(said, fmt.Sprintf("values[%d][%s]: Invalid value: %q: %s", i, r.key, value,
				strings.Join(faults, "; ")))
		}
	}
	switch len(said) {
	case 0:
		return nil
	case 1:
		return errors.New(said[0])
	}
	return errors.New("[" + strings.Join(said, ", ") + "]")
}
