package faults

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
)

// between returns what stands between the last place of before and the end, which is after; "" if a text is not so, or
// if quotes are in it.
func between(text, before, after string) string {
	text, ends := strings.CutSuffix(text, after)
	at := strings.LastIndex(text, before)
	if !ends || at < 0 || strings.Contains(text[at+len(before):], `"`) {
		return ""
	}
	return text[at+len(before):]
}

// meant returns the word that an error proposes.
func meant(message string) string { return between(message, `did you mean "`, `"?`) }

// demanded returns the value that a rule asks for.
func demanded(rule string) string {
	if seconds := between(rule, `write "`, `" if you mean seconds`); seconds != "" {
		return seconds
	}
	rest, begins := strings.CutPrefix(rule, `must be "`)
	value, ends := strings.CutSuffix(rest, `"`)
	if !begins || !ends || strings.Contains(value, `"`) {
		return ""
	}
	return value
}

// repair changes the document so that the error is gone. It reports false if it cannot.
func (s *search) repair(e *scenario.FieldError) bool {
	at := s.find(e.Path)
	if at.node != nil && s.propose(e, at) {
		return true
	}
	if at.node == nil || s.dropped[e.Path] {
		return s.neutralize(e.Path)
	}
	if strings.HasSuffix(e.Path, ".name") && at.node.Kind == wire.String {
		s.names[at.node.Text] = true
		at.node.Text = fmt.Sprintf(placeholder+"%d", len(s.names))
		if !s.replaced[e.Path] {
			s.replaced[e.Path] = true
			return true
		}
	}
	return s.drop(e.Path, at)
}

// propose does what the error proposes, once for each place.
func (s *search) propose(e *scenario.FieldError, at spot) bool {
	if s.replaced[e.Path] {
		return false
	}
	replace := func(text string) bool {
		s.replaced[e.Path] = true
		*at.node = wire.Node{Kind: wire.String, Text: text, Line: at.node.Line}
		return true
	}
	if word := meant(e.Message); word != "" {
		if !strings.HasPrefix(e.Rule, "unknown field") {
			return replace(word)
		}
		for _, name := range at.parent.Names {
			if name == word {
				return false
			}
		}
		at.parent.Names[at.index] = word
		return true
	}
	if value := demanded(e.Rule); value != "" {
		return replace(value)
	}
	return false
}

// drop removes a field. An entry of a list keeps its place, so that the places of the others stay true: it becomes
// neutral, or the whole list goes.
func (s *search) drop(path string, at spot) bool {
	s.dropped[path] = true
	s.dropped[entry(path)] = true
	if at.parent.Kind == wire.Array {
		return s.neutralize(path)
	}
	at.parent.Names = append(at.parent.Names[:at.index:at.index], at.parent.Names[at.index+1:]...)
	at.parent.Items = append(at.parent.Items[:at.index:at.index], at.parent.Items[at.index+1:]...)
	return true
}

// whole are the fields that a scenario must have, with values that break no rule.
var whole = map[string]string{
	"apiVersion": `"` + scenario.APIVersion + `"`, "kind": `"` + scenario.Kind + `"`, "seed": "1",
	"duration": `"2160h"`, "candidates": `[{"name":"placeholder-0"}]`,
}

// neutralize replaces the entry of a list, or the group, around a path with one that breaks no rule.
func (s *search) neutralize(path string) bool {
	outer := entry(path)
	list, number, isEntry := cutIndex(outer)
	if strings.HasPrefix(path, "heartbeats.monitors[") {
		outer, isEntry = "heartbeats", false
	}
	if s.replaced[outer] && s.dropped[outer] {
		return false
	}
	s.replaced[outer], s.dropped[outer] = true, true
	at := s.find(outer)
	if isEntry && at.node != nil {
		if text := neutral(list, number, at.node); text != "" {
			*at.node = parsed(text, at.node.Line)
			return true
		}
	}
	if text, must := whole[outer]; must {
		value := parsed(text, s.root.Line)
		if at.node != nil {
			*at.node = value
			return true
		}
		s.root.Names, s.root.Items = append(s.root.Names, outer), append(s.root.Items, &value)
		return true
	}
	if isEntry {
		outer = list
		at = s.find(outer)
	}
	return at.node != nil && s.drop(outer, at)
}

// neutral is an entry of a list that breaks no rule. A node keeps its name, since other fields refer to it.
func neutral(list string, number int, was *wire.Node) string {
	switch list {
	case "actions":
		return `{"at":"0s","act":"recover","target":"*"}`
	case "expect":
		return `{"measure":"requests","atLeast":0}`
	case "candidates", "apiServers":
		name := fmt.Sprintf(placeholder+"%s-%d", strings.ToLower(list), number)
		if given := member(was, "name"); given != nil && given.Kind == wire.String {
			name = given.Text
		}
		return `{"name":` + strconv.Quote(name) + `}`
	}
	return ""
}

// cutIndex cuts "actions[3]" into actions and 3.
func cutIndex(path string) (list string, number int, ok bool) {
	list, rest, found := strings.Cut(path, "[")
	number, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	return list, number, found && err == nil
}

func parsed(text string, line int32) wire.Node {
	n, err := wire.Parse([]byte(text))
	if err != nil {
		panic(err) // the texts are constants with quoted names
	}
	setLine(n, line)
	return *n
}

func setLine(n *wire.Node, line int32) {
	n.Line = line
	for _, item := range n.Items {
		setLine(item, line)
	}
}
