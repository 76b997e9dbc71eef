package kubectl

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is a line that was read.
type line struct {
	verb  *verb
	args  []string          // what is no flag
	flags map[string]string // by long name; a switch is "true" or "false"
}

func (l *line) on(flag string) bool { return l.flags[flag] == "true" }

// flag is a flag of a verb.
type flag struct {
	name  string
	short string
	takes takes
	only  string // the values it can have, apart by spaces
	as    string // an example
}

// takes says whether a flag has a value.
type takes int

const (
	aSwitch takes = iota
	aValue
	maybeValue // one in the same word, or none
)

var flags = []flag{
	{name: "namespace", short: "n", takes: aValue, as: "default"},
	{name: "all-namespaces", short: "A"},
	{name: "watch", short: "w"},
	{name: "output", short: "o", takes: aValue, as: "yaml"},
	{name: "selector", short: "l", takes: aValue, as: "app=web"},
	{name: "field-selector", takes: aValue, as: "metadata.name=demo"},
	{name: "show-managed-fields"},
	{name: "no-headers"},
	{name: "raw", takes: aValue, as: "/version"},
	{name: "filename", short: "f", takes: maybeValue},
	{name: "field-manager", takes: aValue, as: "me"},
	{name: "server-side"},
	{name: "force-conflicts"},
	{name: "dry-run", takes: aValue, only: "server none", as: "server"},
	{name: "validate", takes: aValue, only: "strict warn ignore", as: "strict"},
	{name: "type", takes: aValue, only: "strategic merge json", as: "merge"},
	{name: "patch", short: "p", takes: aValue, as: `'{"spec":{"holderIdentity":"me"}}'`},
	{name: "all"},
	{name: "overwrite"},
}

// verb is a command of kubectl that there is here.
type verb struct {
	name, flags, outputs, usage, help string
}

var verbs = []verb{
	{"get", "namespace all-namespaces watch output selector field-selector show-managed-fields no-headers raw", "json yaml name wide jsonpath",
		"get leases [NAME…] [-n ns | -A] [-w] [-o yaml|json|wide|name|jsonpath=…] [-l selector]", "lists or reads objects; -w follows their changes"},
	{"describe", "namespace all-namespaces selector", "", "describe lease NAME", "prints every field of an object"},
	{"create", "filename namespace field-manager dry-run validate", "",
		"create -f [lease [NAME]] · create namespace NAME", "opens the editor with a new object, or creates a namespace"},
	{"apply", "filename namespace server-side field-manager force-conflicts dry-run validate", "",
		"apply -f [--server-side] [--field-manager x] [--force-conflicts]", "opens the editor with the fields that you want to manage"},
	{"replace", "filename namespace field-manager dry-run validate", "",
		"replace -f lease NAME", "opens the editor with an object that replaces the stored one"},
	{"edit", "namespace field-manager validate", "", "edit lease NAME", "opens the editor with an object; your changes are sent as a patch"},
	{"patch", "namespace type patch field-manager dry-run output", "json yaml name jsonpath", "patch lease NAME --type merge|json|strategic -p '…'", "changes parts of an object"},
	{"delete", "namespace all selector field-selector dry-run output", "name", "delete lease NAME…", "deletes objects by name, by selector, or --all"},
	{"annotate", "namespace overwrite field-manager dry-run output", "json yaml name jsonpath", "annotate lease NAME key=value key-", "sets and removes annotations"},
	{"label", "namespace overwrite field-manager dry-run output", "json yaml name jsonpath", "label lease NAME key=value key-", "sets and removes labels"},
	{"api-resources", "output no-headers", "wide name", "api-resources [-o wide|name]", "lists the kinds that this server serves"},
	{"api-versions", "", "", "api-versions", "lists the API versions that it serves"},
	{"explain", "", "", "explain lease.spec", "explains a field"},
	{"version", "", "", "version", "prints the version of the API server"},
	{"help", "", "", "help [VERB]", "this list"},
}

func findVerb(name string) (*verb, error) {
	var names []string
	for i := range verbs {
		if verbs[i].name == name {
			return &verbs[i], nil
		}
		names = append(names, verbs[i].name)
	}
	return nil, errors.New("There is no “" + name + "” here. There are " + listed(names, "and") + ".")
}

// flagsOf returns the flags of a verb in its order.
func (v *verb) flagsOf() []*flag {
	var all []*flag
	for _, name := range strings.Fields(v.flags) {
		all = append(all, &flags[slices.IndexFunc(flags, func(f flag) bool { return f.name == name })])
	}
	return all
}

// find returns the flag of a verb with a short or a long name.
func (v *verb) find(word, name string, short bool) (*flag, error) {
	all := v.flagsOf()
	var names []string
	for _, f := range all {
		if short && f.short == name || !short && f.name == name {
			return f, nil
		}
		names = append(names, f.printed())
	}
	if len(all) == 0 {
		return nil, errors.New(v.name + " takes no flags; “" + word + "” is one.")
	}
	return nil, errors.New(v.name + " has no flag " + word + ". It takes " + listed(names, "and") + ".")
}

func (f *flag) printed() string {
	if f.short != "" {
		return "-" + f.short
	}
	return "--" + f.name
}

// listed joins words: "a, b and c".
func listed(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

// split splits a line as a shell does: spaces part words, quotes and backslashes keep them together.
func split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		at := i
		i += size
		switch {
		case unicode.IsSpace(c):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
			continue
		case c == '"', c == '\'':
			end := quoted(&word, text, i)
			if end < 0 {
				return nil, errors.New("The quote before “" + firstRunes(text[i:], 12) + "” is not closed. End it with another " + string(c) + ".")
			}
			i = end
		case c == '\\' && i < len(text):
			_, size = utf8.DecodeRuneInString(text[i:])
			word.WriteString(text[i : i+size])
			i += size
		default:
			word.WriteString(text[at:i])
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted adds what stands in quotes to a word. It returns where the text goes on after them, -1 if they are not closed.
func quoted(word *strings.Builder, text string, begin int) int {
	mark := text[begin-1]
	for i := begin; i < len(text); i++ {
		if text[i] == mark {
			return i + 1
		}
		if mark == '"' && text[i] == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0 {
			i++
		}
		word.WriteByte(text[i])
	}
	return -1
}

func firstRunes(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}

// parse reads a line, with or without "kubectl" before it.
func parse(text string) (*line, error) {
	all, err := split(strings.TrimPrefix(strings.TrimSpace(text), "$"))
	if err != nil {
		return nil, err
	}
	if len(all) > 0 && (all[0] == "kubectl" || all[0] == "k") {
		all = all[1:]
	}
	if len(all) == 0 {
		return nil, errors.New("Type a command, such as “get leases”. “help” lists them all.")
	}
	at := max(0, slices.IndexFunc(all, func(word string) bool { return !strings.HasPrefix(word, "-") }))
	name := all[at]
	if isHelp(name) {
		name = "help"
	}
	v, err := findVerb(name)
	if err != nil {
		return nil, err
	}
	return v.parse(append(slices.Clone(all[:at]), all[at+1:]...))
}

func isHelp(word string) bool { return word == "-h" || word == "--help" }

func (v *verb) parse(words []string) (*line, error) {
	l := &line{verb: v, flags: map[string]string{}}
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			l.args = append(l.args, words[i+1:]...)
			return l, nil
		case word == "-", !strings.HasPrefix(word, "-"):
			l.args = append(l.args, word)
			continue
		case isHelp(word):
			return &line{verb: &verbs[len(verbs)-1], args: []string{v.name}, flags: map[string]string{}}, nil
		}
		took, err := l.flag(word, words[i+1:])
		if err != nil {
			return nil, err
		}
		i += took
	}
	return l, nil
}

// flag reads a flag by its whole name, --output yaml or --output=yaml, or several by their letters, -Awo yaml. It returns how many
// words more it took.
func (l *line) flag(word string, rest []string) (int, error) {
	if long, is := strings.CutPrefix(word, "--"); is {
		name, given, inWord := strings.Cut(long, "=")
		f, err := l.verb.find("--"+name, name, false)
		if err != nil {
			return 0, err
		}
		return l.set(f, given, inWord, rest)
	}
	for after := word[1:]; after != ""; {
		_, size := utf8.DecodeRuneInString(after)
		letter := after[:size]
		after = after[size:]
		f, err := l.verb.find("-"+letter, letter, true)
		if err != nil {
			return 0, err
		}
		if f.takes == aSwitch && !strings.HasPrefix(after, "=") {
			l.flags[f.name] = "true"
			continue
		}
		return l.set(f, strings.TrimPrefix(after, "="), after != "", rest)
	}
	return 0, nil
}

// set sets a flag to what is given in the same word, or to the next word.
func (l *line) set(f *flag, given string, inWord bool, rest []string) (int, error) {
	switch {
	case f.takes == aSwitch:
		if inWord && given != "true" && given != "false" {
			return 0, errors.New("--" + f.name + " is on or off: write --" + f.name + " or --" + f.name + "=false, not “" + given + "”.")
		}
		if !inWord {
			given = "true"
		}
		l.flags[f.name] = given
		return 0, nil
	case f.takes == maybeValue: // a file is a place for the editor: what stands after -f may as well be a kind
		if !inWord {
			given = "true"
		}
		l.flags[f.name] = given
		if !inWord && len(rest) > 0 && rest[0] == "-" {
			return 1, nil
		}
		return 0, nil
	}
	took := 0
	if !inWord && len(rest) > 0 && (rest[0] == "-" || !strings.HasPrefix(rest[0], "-")) {
		given, took = rest[0], 1
	}
	if !inWord && took == 0 {
		return 0, errors.New(f.printed() + " needs a value, as in " + f.printed() + " " + l.verb.example(f) + ".")
	}
	allowed := strings.Fields(f.only)
	if f.name == "output" {
		allowed = strings.Fields(l.verb.outputs)
	}
	if form, _, _ := strings.Cut(given, "="); len(allowed) > 0 && (!slices.Contains(allowed, form) || form != given && form != "jsonpath") {
		return 0, errors.New(f.printed() + " is " + listed(allowed, "or") + " here, not “" + given + "”.")
	}
	l.flags[f.name] = given
	return took, nil
}

func (v *verb) example(f *flag) string {
	if first := strings.Fields(v.outputs); f.name == "output" && len(first) > 0 {
		return first[0]
	}
	return f.as
}
