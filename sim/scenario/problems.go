package scenario

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// For a document with five mistakes, the first reading should show all five errors. But one mistake must not cause
// ten errors: after a misspelled leaseDuration the default applies, and then renewDeadline may seem too long. So the
// errors have two kinds. The method add takes an error about a value by itself. The method relate takes an error
// about values that do not fit together, and drops the error if one of the values is in doubt.

// `listed` is the maximum number of errors to list for one document.
const listed = 50

// Errors are the errors of one document, in the order of its lines. The last one may say that more may follow.
type Errors []*FieldError

// unfinished is the last entry of a list if the search for errors ended early.
var unfinished = &FieldError{Message: "there may be more"}

// Error returns a single error, or a heading and a line for each error.
func (all Errors) Error() string {
	if len(all) == 1 {
		return all[0].Error()
	}
	var text strings.Builder
	if all.Whole() {
		fmt.Fprintf(&text, "%d errors", len(all))
	} else {
		fmt.Fprintf(&text, "errors: at least %d", len(all.FoundErrors()))
	}
	for _, e := range all {
		text.WriteString("\n  " + e.Error())
	}
	return text.String()
}

// Unwrap lists the errors for errors.As, which takes the first match.
func (all Errors) Unwrap() []error {
	return elements.Of(all, func(e *FieldError) error { return e })
}

// Whole reports whether the list is complete.
func (all Errors) Whole() bool { return len(all) == 0 || all[len(all)-1] != unfinished }

// FoundErrors returns the errors without the note that more may follow.
func (all Errors) FoundErrors() Errors {
	if all.Whole() {
		return all
	}
	return all[:len(all)-1]
}

// `problems` collects at most `most` errors of a document. Decode and Validate need only one error, because they return
// the first; a list of all errors needs more.
type problems struct {
	all  Errors
	most int
	// doubts are the parts of the document ("elector", "actions[3]") with a value that is wrong by itself. Checks of
	// how fields fit together skip these parts.
	doubts map[string]bool
}

func (p *problems) full() bool { return len(p.all) >= p.most }

// add keeps an error, unless the same field already has one. The first error about a field is the most basic one; a
// second one would mostly repeat it.
func (p *problems) add(e *FieldError) {
	if e == nil || p.full() || p.has(e.Path) {
		return
	}
	p.all = append(p.all, e)
}

func (p *problems) has(path string) bool {
	return slices.ContainsFunc(p.all, func(e *FieldError) bool { return e.Path == path })
}

// `relate` adds an error about fields that do not fit together, unless any of their parts is in doubt. The path of the
// error names one part, and the argument others lists the other parts that the check compares. Example: server.queue
// needs server.ratePerSecond. If ratePerSecond is a word instead of a number, the error about that word is enough.
func (p *problems) relate(e *FieldError, others ...string) {
	if e == nil || p.doubts[partOf(e.Path)] || slices.ContainsFunc(others, p.inDoubt) {
		return
	}
	p.add(e)
}

func (p *problems) inDoubt(part string) bool { return p.doubts[part] }

// `doubt` adds the parts of the errors so far to doubts.
func (p *problems) doubt() {
	p.doubts = map[string]bool{}
	for _, e := range p.all {
		p.doubts[partOf(e.Path)] = true
	}
}

// partOf returns the part of a document within which fields depend on each other: "actions[3]" of "actions[3].for",
// "elector" of "elector.retryPeriod".
func partOf(path string) string {
	part, _, _ := strings.Cut(path, ".")
	return part
}

// `first` returns the first error, or nil.
func (p *problems) first() error {
	if len(p.all) == 0 {
		return nil
	}
	return p.all[0]
}

// inOrder sorts the errors by the lines of the document. The line of an error about a missing field is the line of the
// group that should have it.
func (p *problems) inOrder(root *node) Errors {
	for _, e := range p.all {
		if e.Line == 0 && e.Path != "" {
			e.Line = int(root.at(e.Path).Line)
		}
	}
	sort.SliceStable(p.all, func(i, j int) bool { return p.all[i].Line < p.all[j].Line })
	if p.full() && p.most > 1 {
		return append(p.all, unfinished)
	}
	return p.all
}
