package lab

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// MaxBranchName is how long the name of a branch may be, in characters.
const MaxBranchName = 80

// Switch goes to another branch, where one left it.
func (l *Lab) Switch(id int) error {
	b, err := l.branch(id)
	if err != nil || id == l.current {
		return err
	}
	l.playback.on = false
	l.arrive(b.spec, b.live, func() {
		l.recall("switch to " + b.view.Name)
		l.leave()
		l.current, l.cursor, l.live = id, b.cursor, b.live
	})
	return nil
}

// Rename gives a branch another name.
func (l *Lab) Rename(id int, name string) error {
	b, err := l.branch(id)
	if err != nil {
		return err
	}
	if name, err = branchName(name); err != nil || name == b.view.Name {
		return err
	}
	l.recall("rename " + b.view.Name)
	b.view.Name = name
	return nil
}

func branchName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxBranchName {
		return "", &scenario.FieldError{
			Path: "name", Value: name, Rule: fmt.Sprintf("1 to %d characters", MaxBranchName),
			Message: fmt.Sprintf("the name of a branch must have 1 to %d characters; this one has %d", MaxBranchName, n),
		}
	}
	return name, nil
}

// Delete takes a branch away; those that fork from it stay. From the current one the lab goes to its nearest ancestor that
// is left, else to the first that is.
func (l *Lab) Delete(id int) error {
	b, err := l.branch(id)
	if err != nil {
		return err
	}
	if id != l.current {
		l.recall("delete " + b.view.Name)
		b.view.Hidden = true
		return nil
	}
	next := l.branches[id].view.Parent
	for next >= 0 && l.branches[next].view.Hidden {
		next = l.branches[next].view.Parent
	}
	for k := 0; next < 0 && k < len(l.branches); k++ {
		if k != id && !l.branches[k].view.Hidden {
			next = k
		}
	}
	if next < 0 {
		return fmt.Errorf("%s is the only branch; it stays", b.view.Name)
	}
	to := l.branches[next]
	l.playback.on = false
	l.arrive(to.spec, to.live, func() {
		l.recall("delete " + b.view.Name)
		l.leave()
		b.view.Hidden = true
		l.current, l.cursor, l.live = next, to.cursor, to.live
	})
	return nil
}

// Fork makes a branch at the cursor with the same future, until something is done in it.
func (l *Lab) Fork(name string) error {
	if strings.TrimSpace(name) == "" {
		name = "fork at " + words.Instant(l.cursor.T)
	}
	name, err := branchName(name)
	if err != nil {
		return err
	}
	l.playback.on = false
	l.remember("fork")
	l.newBranch(name, l.spec(), l.cursor.T)
	l.live = l.cursor
	return nil
}
