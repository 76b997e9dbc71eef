// Package faults finds everything that is wrong with a scenario at once. Package yaml uses it for files, the page for
// what it opens.
//
// Guarantee: a document that scenario.Decode accepts has no errors; any other has at least one, and the error of Decode
// is among them. Non-guarantee: an error that only shows when another one is corrected may be missing.
package faults

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
)

// most is how many errors of one file are listed. A large file is decoded fewer times than that: read is how many bytes
// in all.
const (
	most = 50
	read = 32 << 20
)

// Errors are the errors of one file, in the order of its lines. The last may say that there may be more.
type Errors []*scenario.FieldError

// unfinished is the last of the errors when the search has stopped before it found all.
var unfinished = &scenario.FieldError{Message: "there may be more"}

// Error returns the error, or a heading and a line for each.
func (all Errors) Error() string {
	if len(all) == 1 {
		return all[0].Error()
	}
	var text strings.Builder
	if all.Whole() {
		fmt.Fprintf(&text, "%d errors", len(all))
	} else {
		fmt.Fprintf(&text, "errors: at least %d", len(all.Found()))
	}
	for _, e := range all {
		text.WriteString("\n  " + e.Error())
	}
	return text.String()
}

// Of lists the errors of a document in JSON; nil if it has none. disputed are scalars that its file has, and that the
// versions of YAML read differently.
func Of(document []byte, disputed []*scenario.FieldError) Errors {
	_, err := scenario.Decode(document)
	var first *scenario.FieldError
	if !errors.As(err, &first) && len(disputed) == 0 {
		return nil
	}
	if len(document) > scenario.MaxBytes {
		return Errors{first}
	}
	root, err := wire.Parse(document)
	if err != nil || root.Kind != wire.ObjectKind {
		return Errors{first}
	}
	s := search{root: root, replaced: map[string]bool{}, dropped: map[string]bool{}, names: map[string]bool{}}
	s.run(min(4*most, max(4, read/len(document))))
	for _, e := range disputed {
		s.addDisputed(e)
	}
	if len(s.found) == 0 {
		return Errors{first}
	}
	sort.SliceStable(s.found, func(i, j int) bool { return s.found[i].Line < s.found[j].Line })
	if !s.finished {
		s.found = append(s.found, unfinished)
	}
	return s.found
}

// Whole reports whether the search found all errors.
func (all Errors) Whole() bool { return len(all) == 0 || all[len(all)-1] != unfinished }

// Found returns the errors without the last one that may say that there may be more.
func (all Errors) Found() []*scenario.FieldError {
	if all.Whole() {
		return all
	}
	return all[:len(all)-1]
}

// search finds an error, corrects or removes it in the document, and looks again.
type search struct {
	root     *wire.Node
	found    Errors
	replaced map[string]bool // places with a value of the search's own
	dropped  map[string]bool // fields that it removed, and the entries they belong to
	names    map[string]bool // names of nodes that it replaced
	finished bool            // it has found all errors, or one behind which it cannot look
}

func (s *search) run(rounds int) {
	for range rounds {
		_, err := scenario.Decode(encode(s.root))
		var e *scenario.FieldError
		if !errors.As(err, &e) {
			s.finished = true
			return
		}
		if e.Path == "" {
			s.add(e)
			s.finished = true
			return
		}
		if !s.follows(e) {
			s.add(e)
		}
		if len(s.found) == most {
			return
		}
		if !s.repair(e) {
			s.finished = true
			return
		}
	}
}

// placeholder begins the names of nodes that the search has made up.
const placeholder = "placeholder-"

// inNames are the characters of a node's name.
const inNames = "abcdefghijklmnopqrstuvwxyz0123456789-"

// withoutPlaceholders takes the made-up names out of lists of names.
func withoutPlaceholders(message string) string {
	for from := 0; ; {
		at := strings.Index(message[from:], placeholder)
		if at < 0 {
			return message
		}
		at += from
		before, after := message[:at], strings.TrimLeft(message[at:], inNames)
		switch {
		case strings.HasSuffix(before, ", "):
			before = before[:at-len(", ")]
		case strings.HasSuffix(before, " and "):
			before = before[:at-len(" and ")]
		case strings.HasPrefix(after, ", "):
			after = after[len(", "):]
		case strings.HasPrefix(after, " and "):
			after = after[len(" and "):]
		default: // it stands alone
			from = len(message) - len(after)
			continue
		}
		message, from = before+after, len(before)
	}
}

func (s *search) add(e *scenario.FieldError) {
	told := *e
	told.Message = withoutPlaceholders(s.advise(e))
	if !slices.ContainsFunc(s.found, func(have *scenario.FieldError) bool {
		return have.Message == told.Message && have.Line == told.Line
	}) {
		s.found = append(s.found, &told)
	}
}

// addDisputed adds a scalar that the versions of YAML read differently, unless its field takes no text: then the
// field's own error says what to write.
func (s *search) addDisputed(e *scenario.FieldError) {
	if slices.ContainsFunc(s.found, func(have *scenario.FieldError) bool { return have.Path == e.Path }) {
		return
	}
	told := *e
	if e.Path != "" {
		told.Message = e.Path + ": " + e.Message
	}
	s.found = append(s.found, &told)
}

// dependent begins the rules about how fields fit together. A field that the search has removed may break such a rule.
var dependent = []string{"missing", "needs ", "contradicts ", "empty", "belongs to ", "act ", "a patch ", "bounds "}

// follows reports whether an error is only there because of an earlier repair.
func (s *search) follows(e *scenario.FieldError) bool {
	if s.replaced[e.Path] && s.dropped[e.Path] {
		return true
	}
	if s.names[e.Value] && strings.HasPrefix(e.Rule, "names no node") {
		return true
	}
	if !s.dropped[entry(e.Path)] {
		return false
	}
	return slices.ContainsFunc(dependent, func(beginning string) bool { return strings.HasPrefix(e.Rule, beginning) })
}

// entry returns the part of a path within which fields depend on each other: "actions[3]" of "actions[3].for",
// "elector" of "elector.retryPeriod".
func entry(path string) string {
	for i, c := range path {
		if c == '.' {
			return path[:i]
		}
	}
	return path
}
