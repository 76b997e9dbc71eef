package timeline

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Look is a run seen from a cursor. It shows nothing after Live.
type Look struct {
	Run    *Run
	Cursor Cursor
	Live   Cursor // the latest instant that the page has shown
}

// Here returns the state at the cursor. It is valid until the next call of Here on the same run, which may advance
// it.
func (l Look) Here() *State { return l.Run.Here(l.Cursor) }

// AtLive returns a new state at the live cursor, settled there.
func (l Look) AtLive() *State {
	l.Run.Compute(l.Live.T)
	s := l.Run.At(l.Live)
	s.settle(l.Live.T)
	return s
}

// The kinds of subjects that a question can have.
const (
	SubjectChange    = "change"
	SubjectViolation = "violation"
)

// CheckSubject returns an error if the run has no leader change, or no violation, with this number so far.
func (s *State) CheckSubject(kind string, number int) error {
	n := 0
	switch kind {
	case SubjectChange:
		n = len(s.Tracker.Explanations)
	case SubjectViolation:
		n = len(s.Checks.Violations)
	default:
		return &scenario.FieldError{Path: "kind", Value: kind, Rule: "change or violation",
			Message: fmt.Sprintf("kind %q must be change or violation", kind)}
	}
	if number < 0 || number >= n {
		return fmt.Errorf("the run has no %s number %d so far", kind, number)
	}
	return nil
}
