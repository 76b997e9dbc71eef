// Package breakpoint stops a run at a moment that the user describes. Parse reads the description into a Condition, and
// a Watch follows the run until the condition becomes true.
//
// A condition is one clause, or several joined by "and":
//
//	active = 2                 two candidates are active at once; also != < <= > >=
//	holder = b                 the Lease names b, by node name or holderIdentity (nobody: it names none); also !=
//	role of a = lost           what a node is doing: waiting, following, leading, lost, paused, down, stopped; also !=
//	leaderless >= 10s          no candidate has been active for this long
//	leader change              a candidate becomes active, and it is not the last leader
//	violation                  the run breaks any rule of safety or liveness
//	violation = moreThanOneActive   the run breaks this rule, even if the rule is an observation
//
// Put a name in double quotes if it has characters other than letters, digits, "-", "_" and ".".
//
// Guarantee: a condition fires exactly where it becomes true: at that nanosecond and, within the instant, at that
// event. A condition that is already true must first become false before it fires again. A leader change and a
// violation are events: they are true only where they happen. Non-guarantee: a condition that never fires with one
// seed may fire with another.
package breakpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/world"
)

type kind uint8

const (
	active kind = iota
	holder
	role
	leaderless
	leaderChange
	violation
)

// clause is one comparison, or an event.
type clause struct {
	kind kind
	op   string
	name string // name of a node, a holder or a rule
	role string
	n    int64 // for active, the number; for leaderless, nanoseconds
}

// Condition says when to stop: when all its clauses hold.
type Condition struct {
	clauses []clause
}

// Nobody stands for the holder of a Lease that names none.
const Nobody = "nobody"

// Roles lists the words that may follow "role of NODE =".
var Roles = []string{"waiting", "following", "leading", "lost", "paused", "down", "stopped"}

// ParseError says where a condition fails to parse (in characters, from 1) and what the parser expected at that
// point.
type ParseError struct {
	Text    string
	At      int
	Allowed string
	Found   string // "" at the end of the text
}

// Error names the character where parsing fails, and what the parser expected and found.
func (e *ParseError) Error() string {
	found := "the end"
	if e.Found != "" {
		found = strconv.Quote(e.Found)
	}
	return fmt.Sprintf("breakpoint %q, character %d: expected %s, found %s", e.Text, e.At, e.Allowed, found)
}

// MaxText is the longest condition in bytes. It limits both the user's text and what String writes, so that Parse can
// always read a saved condition.
const MaxText = 200

// token is a word, a number or an operator, with its position.
type token struct {
	text   string
	at     int // position in characters, from 1
	quoted bool
}

type parser struct {
	text   string
	tokens []token
	next   int
}

// Parse parses a condition. Its errors are *ParseError.
func Parse(text string) (Condition, error) {
	if len(text) > MaxText {
		return Condition{}, &ParseError{Text: text[:20] + "…", At: MaxText + 1,
			Allowed: fmt.Sprintf("at most %d bytes", MaxText), Found: "more"}
	}
	if !utf8.ValidString(text) {
		return Condition{}, &ParseError{Text: strings.ToValidUTF8(text, "\ufffd"), At: 1, Allowed: "UTF-8 text",
			Found: "something else"}
	}
	p := parser{text: text}
	if err := p.split(); err != nil {
		return Condition{}, err
	}
	var c Condition
	for {
		one, err := p.clause()
		if err != nil {
			return Condition{}, err
		}
		c.clauses = append(c.clauses, one)
		if p.next == len(p.tokens) {
			if len(c.String()) > MaxText {
				return Condition{}, &ParseError{Text: text[:20] + "…", At: MaxText + 1,
					Allowed: fmt.Sprintf("at most %d bytes, with a space on each side of every comparison", MaxText),
					Found:   "more"}
			}
			return c, nil
		}
		if err := p.word("and"); err != nil {
			err.(*ParseError).Allowed = `"and" or the end`
			return Condition{}, err
		}
	}
}

// `split` cuts the text into tokens. It counts characters rather than bytes, so that an error points to the place that
// an editor shows.
func (p *parser) split() error {
	runes := []rune(p.text)
	for i := 0; i < len(runes); {
		c := runes[i]
		begin := i
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '"':
			for i++; i < len(runes) && runes[i] != '"'; i++ {
			}
			if i == len(runes) {
				return p.refuse(i+1, `a closing "`, "")
			}
			i++
			p.tokens = append(p.tokens, token{text: string(runes[begin+1 : i-1]), at: begin + 1, quoted: true})
			continue
		case strings.ContainsRune("=!<>", c):
			i++
			if i < len(runes) && runes[i] == '=' {
				i++
			}
		case wordly(c):
			for i < len(runes) && wordly(runes[i]) {
				i++
			}
		default:
			return p.refuse(begin+1, "a word, a number or a comparison", string(c))
		}
		p.tokens = append(p.tokens, token{text: string(runes[begin:i]), at: begin + 1})
	}
	return nil
}

func wordly(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.µ*", c)
}

func (p *parser) refuse(at int, allowed, found string) error {
	return &ParseError{Text: p.text, At: at, Allowed: allowed, Found: found}
}

// refuseHere returns an error about the next token.
func (p *parser) refuseHere(allowed string) error {
	if p.next == len(p.tokens) {
		return p.refuse(len([]rune(p.text))+1, allowed, "")
	}
	t := p.tokens[p.next]
	return p.refuse(t.at, allowed, t.text)
}

func (p *parser) is(text string) bool {
	return p.next < len(p.tokens) && !p.tokens[p.next].quoted && p.tokens[p.next].text == text
}

func (p *parser) word(text string) error {
	if !p.is(text) {
		return p.refuseHere(strconv.Quote(text))
	}
	p.next++
	return nil
}

// `name` takes a word, or anything in quotes.
func (p *parser) name(what string) (string, error) {
	if p.next == len(p.tokens) || !p.tokens[p.next].quoted && strings.ContainsAny(p.tokens[p.next].text, "=!<>") {
		return "", p.refuseHere(what)
	}
	p.next++
	return p.tokens[p.next-1].text, nil
}

func (p *parser) op(allowed ...string) (string, error) {
	for _, one := range allowed {
		if p.is(one) {
			p.next++
			return one, nil
		}
	}
	return "", p.refuseHere("one of " + strings.Join(allowed, " "))
}

// clause parses one clause; the first word determines the form. The error for "leader = b" says what the user
// probably meant.
func (p *parser) clause() (clause, error) {
	switch {
	case p.is("active"):
		p.next++
		return p.active()
	case p.is("holder"):
		p.next++
		c := clause{kind: holder}
		var err error
		if c.op, err = p.op("=", "!="); err == nil {
			c.name, err = p.name("a name, or " + Nobody)
		}
		return c, err
	case p.is("role"):
		p.next++
		return p.role()
	case p.is("leaderless"):
		p.next++
		return p.leaderless()
	case p.is("leader"):
		p.next++
		if p.is("=") || p.is("!=") {
			return clause{},
				p.refuseHere(
					`"change" (to match a node, write holder = NODE or role of NODE = leading)`)
		}
		return clause{kind: leaderChange}, p.word("change")
	case p.is("violation"):
		p.next++
		c := clause{kind: violation}
		var err error
		if p.is("=") {
			p.next++
			if p.next < len(p.tokens) && !slices.Contains(rules.Names(), p.tokens[p.next].text) {
				return c, p.refuseHere("one of " + strings.Join(rules.Names(), ", "))
			}
			c.name, err = p.name("the name of a rule")
		}
		return c, err
	}
	return clause{}, p.refuseHere("active, holder, role of, leaderless, leader change or violation")
}

func (p *parser) active() (clause, error) {
	c := clause{kind: active}
	var err error
	if c.op, err = p.op("=", "!=", "<", "<=", ">", ">="); err != nil {
		return c, err
	}
	if p.next < len(p.tokens) {
		if n, err := strconv.ParseUint(p.tokens[p.next].text, 10, 31); err == nil {
			p.next++
			c.n = int64(n)
			return c, nil
		}
	}
	return c, p.refuseHere("a whole number")
}

func (p *parser) role() (clause, error) {
	c := clause{kind: role}
	err := p.word("of")
	if err == nil {
		c.name, err = p.name("the name of a node")
	}
	if err == nil {
		c.op, err = p.op("=", "!=")
	}
	if err != nil {
		return c, err
	}
	if p.next == len(p.tokens) || !slices.Contains(Roles, p.tokens[p.next].text) {
		return c, p.refuseHere("one of " + strings.Join(Roles, ", "))
	}
	c.role = p.tokens[p.next].text
	p.next++
	return c, nil
}

func (p *parser) leaderless() (clause, error) {
	c := clause{kind: leaderless, op: ">="}
	if err := p.word(">="); err != nil {
		return c, err
	}
	if p.next < len(p.tokens) {
		if d, err := time.ParseDuration(p.tokens[p.next].text); err == nil && d > 0 {
			p.next++
			c.n = int64(d)
			return c, nil
		}
	}
	return c, p.refuseHere(`a length of time above zero, such as 10s or 1m30s`)
}

// String is the condition in its canonical form.
func (c Condition) String() string {
	return strings.Join(elements.Of(c.clauses, func(one clause) string { return one.String() }), " and ")
}

func (c *clause) String() string {
	switch c.kind {
	case active:
		return "active " + c.op + " " + strconv.FormatInt(c.n, 10)
	case holder:
		return "holder " + c.op + " " + quoteName(c.name)
	case role:
		return "role of " + quoteName(c.name) + " " + c.op + " " + c.role
	case leaderless:
		return "leaderless >= " + shortDuration(time.Duration(c.n))
	case leaderChange:
		return "leader change"
	}
	if c.name != "" {
		return "violation = " + quoteName(c.name)
	}
	return "violation"
}

func quoteName(name string) string {
	if name != "" && strings.IndexFunc(name, func(c rune) bool { return !wordly(c) }) < 0 {
		return name
	}
	return `"` + name + `"`
}

// shortDuration leaves out the zeros that time.Duration writes: "1h", not "1h0m0s".
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Strangers returns the names in a condition that match no node of a run. Such a condition may never become true.
func (c Condition) Strangers(w *world.World) []string {
	var all []string
	for i := range c.clauses {
		one := &c.clauses[i]
		if (one.kind == role || one.kind == holder && one.name != Nobody) && one.name != "" && !isKnown(w, one.name) &&
			!slices.Contains(all, one.name) {
			all = append(all, one.name)
		}
	}
	return all
}

func isKnown(w *world.World, name string) bool {
	for i := range int32(w.Nodes()) {
		if identity := w.Node(i).Identity(); name == w.Node(i).Name() || name == w.DisplayName(identity) ||
			name == w.Setup().Symbols.Text(identity) {
			return true
		}
	}
	return holds(w, name)
}
