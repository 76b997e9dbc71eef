package lab

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// MaxBranchName is the maximum length of a branch's name in characters.
const MaxBranchName = 80

// Switch goes to another branch, at the cursor where the session left that branch.
func (l *Lab) Switch(id int) error {
	b, err := l.history.branch(id)
	if err != nil || id == l.history.current {
		return err
	}
	l.playback.on = false
	l.arrive(b.spec, b.live, func() {
		l.history.recall("switch to " + b.view.Name)
		l.history.enter(id)
	})
	return nil
}

// Rename changes a branch's name.
func (l *Lab) Rename(id int, name string) error {
	b, err := l.history.branch(id)
	if err != nil {
		return err
	}
	if name, err = branchName(name); err != nil || name == b.view.Name {
		return err
	}
	l.history.recall("rename " + b.view.Name)
	b.view.Name = name
	return nil
}

func branchName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxBranchName {
		return "", &scenario.FieldError{
			Path: "name", Value: name, Rule: fmt.Sprintf("1 to %d characters", MaxBranchName),
			Message: fmt.Sprintf("the name of a branch must have 1 to %d characters; this one has %d", MaxBranchName,
				n),
		}
	}
	return name, nil
}

// Delete removes a branch; the branches that fork from it remain. If the user deletes the current branch, the session
// goes to the branch's nearest remaining ancestor, else to the first remaining branch.
func (l *Lab) Delete(id int) error {
	b, err := l.history.branch(id)
	if err != nil {
		return err
	}
	if id != l.history.current {
		l.history.recall("delete " + b.view.Name)
		b.view.Hidden = true
		return nil
	}
	next := l.history.heir(id)
	if next < 0 {
		return fmt.Errorf("%s is the only branch; a session keeps at least one", b.view.Name)
	}
	to := l.history.branches[next]
	l.playback.on = false
	l.arrive(to.spec, to.live, func() {
		l.history.recall("delete " + b.view.Name)
		l.history.enter(next)
		b.view.Hidden = true
	})
	return nil
}

// Fork creates a branch at the cursor. The new branch has the same future as the current one until its first act.
func (l *Lab) Fork(name string) error {
	if strings.TrimSpace(name) == "" {
		name = "fork at " + words.Instant(l.history.cursor.T)
	}
	name, err := branchName(name)
	if err != nil {
		return err
	}
	l.playback.on = false
	l.history.remember("fork")
	l.history.newBranch(name, l.history.spec(), l.history.cursor.T)
	l.history.live = l.history.cursor
	return nil
}
