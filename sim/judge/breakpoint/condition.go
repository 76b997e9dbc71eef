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

// Parse parses a condition. Its errors are *ParseError.
func Parse(text string) (Condition, error) {
	if len(text) > MaxText {
		return Condition{}, tooLong(text, fmt.Sprintf("at most %d bytes", MaxText))
	}
	if !utf8.ValidString(text) {
		return Condition{}, &ParseError{Text: strings.ToValidUTF8(text, "\ufffd"), At: 1, Allowed: "UTF-8 text",
			Found: "something else"}
	}
	p := parser{text: text, rest: text}
	c := Condition{clauses: []clause{p.clause()}}
	for p.err == nil && p.peek() != "" {
		p.one(`"and" or the end`, "and")
		c.clauses = append(c.clauses, p.clause())
	}
	if p.err != nil {
		return Condition{}, p.err
	}
	if len(c.String()) > MaxText {
		return Condition{}, tooLong(text,
			fmt.Sprintf("at most %d bytes, with a space on each side of every comparison", MaxText))
	}
	return c, nil
}

func tooLong(text, allowed string) error {
	return &ParseError{Text: text[:20] + "…", At: MaxText + 1, Allowed: allowed, Found: "more"}
}

// parser reads a text from its beginning. After the first error it takes nothing more.
type parser struct {
	text, rest string
	err        error
}

// peek returns the next token: a word, a comparison, a text with its quotes, or any other character. At the end it is
// "".
func (p *parser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \t")
	first, width := utf8.DecodeRuneInString(p.rest)
	switch {
	case first == '"':
		inside, _, _ := strings.Cut(p.rest[1:], `"`)
		width = min(len(inside)+2, len(p.rest))
	case wordly(first):
		width = len(p.rest) - len(strings.TrimLeftFunc(p.rest, wordly))
	case strings.HasPrefix(p.rest[width:], "="):
		width++
	}
	return p.rest[:width]
}

func wordly(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.µ*", c)
}

// take takes the next token if it fits. Otherwise it notes an error at the token; the position counts characters
// rather than bytes, because an editor does so, too.
func (p *parser) take(allowed string, fits func(string) bool) string {
	t := p.peek()
	switch before := p.text[:len(p.text)-len(p.rest)]; {
	case p.err != nil:
	case fits(t):
		p.rest = p.rest[len(t):]
	default:
		p.err = &ParseError{Text: p.text, At: utf8.RuneCountInString(before) + 1, Allowed: allowed, Found: t}
	}
	return t
}

// one takes one of the words.
func (p *parser) one(allowed string, words ...string) string {
	return p.take(allowed, func(t string) bool { return slices.Contains(words, t) })
}

func (p *parser) op(allowed string) string {
	return p.one("one of "+allowed, strings.Fields(allowed)...)
}

func (p *parser) listed(words []string) string {
	return p.one("one of "+strings.Join(words, ", "), words...)
}

// `name` takes a word, or anything in quotes.
func (p *parser) name(what string) string {
	return strings.Trim(p.take(what, func(t string) bool {
		return strings.IndexFunc(t, wordly) == 0 || len(t) > 1 && t[0] == '"' && t[len(t)-1] == '"'
	}), `"`)
}

// clause parses one clause; the first word determines the form. The error for "leader = b" says what the user
// probably meant.
func (p *parser) clause() (c clause) {
	switch p.one("active, holder, role of, leaderless, leader change or violation",
		"active", "holder", "role", "leaderless", "leader", "violation") {
	case "active":
		c = clause{kind: active, op: p.op("= != < <= > >=")}
		p.take("a whole number", func(t string) bool {
			n, err := strconv.ParseUint(t, 10, 31)
			c.n = int64(n)
			return err == nil
		})
	case "holder":
		return clause{kind: holder, op: p.op("= !="), name: p.name("a name, or " + Nobody)}
	case "role":
		p.one(`"of"`, "of")
		return clause{kind: role, name: p.name("the name of a node"), op: p.op("= !="), role: p.listed(Roles)}
	case "leaderless":
		c = clause{kind: leaderless, op: p.one(`">="`, ">=")}
		p.take("a length of time above zero, such as 10s or 1m30s", func(t string) bool {
			d, err := time.ParseDuration(t)
			c.n = int64(d)
			return err == nil && d > 0
		})
	case "leader":
		c.kind = leaderChange
		allowed := `"change"`
		if next := p.peek(); next == "=" || next == "!=" {
			allowed += " (to match a node, write holder = NODE or role of NODE = leading)"
		}
		p.one(allowed, "change")
	case "violation":
		c.kind = violation
		if p.peek() == "=" {
			p.op("=")
			c.name = p.listed(rules.Names())
		}
	}
	return c
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
