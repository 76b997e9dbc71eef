package breakpoint

import (
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/world"
	"slices"
)

// Watch follows a run for one condition.
type Watch struct {
	condition Condition
	was       bool // the condition was true after the last step
	changes   int
	broken    int // number of violations seen so far
}

// Begin returns a watch that starts with the run: a condition that is true at instant 0 fires there.
func (c Condition) Begin() Watch { return Watch{condition: c} }

// From returns a watch that starts in the middle of a run: a condition that is true there must first become false.
func (c Condition) From(w *world.World, checks *check.Checks, nowNs int64) Watch {
	t := Watch{condition: c, changes: len(checks.Changes), broken: len(checks.Violations)}
	t.was = t.holds(w, checks, nowNs)
	return t
}

// Step reports whether the last step of the run has made the condition true.
func (t *Watch) Step(w *world.World, checks *check.Checks) bool {
	holds := t.holds(w, checks, w.Now())
	t.changes, t.broken = len(checks.Changes), len(checks.Violations)
	fires := holds && !t.was
	t.was = holds && !t.momentary()
	return fires
}

// `momentary` reports whether the condition waits for an event. An event is true only at the moment when it happens.
func (t *Watch) momentary() bool {
	for i := range t.condition.clauses {
		if k := t.condition.clauses[i].kind; k == leaderChange || k == violation {
			return true
		}
	}
	return false
}

// DueBefore returns the instant before nextNs at which time alone makes the condition true, or -1. Call it before the
// step at nextNs.
func (t *Watch) DueBefore(w *world.World, checks *check.Checks, nextNs int64) int64 {
	if t.was || len(checks.Active()) > 0 {
		return -1
	}
	longest := int64(0)
	for i := range t.condition.clauses {
		if c := &t.condition.clauses[i]; c.kind == leaderless {
			longest = max(longest, c.n)
		}
	}
	due := checks.SinceNs() + longest
	if longest == 0 || due <= w.Now() || due >= nextNs || !t.holds(w, checks, due) {
		return -1
	}
	t.was = true
	return due
}

func (t *Watch) holds(w *world.World, checks *check.Checks, nowNs int64) bool {
	for i := range t.condition.clauses {
		if !t.clause(&t.condition.clauses[i], w, checks, nowNs) {
			return false
		}
	}
	return true
}

// clause reports whether one clause holds. An event counts only if the last step added it.
func (t *Watch) clause(c *clause, w *world.World, checks *check.Checks, nowNs int64) bool {
	switch c.kind {
	case active:
		return compare(int64(len(checks.Active())), c.op, c.n)
	case holder:
		return holds(w, c.name) == (c.op == "=")
	case role:
		return inRole(w, c.name, c.role) == (c.op == "=")
	case leaderless:
		return len(checks.Active()) == 0 && nowNs-checks.SinceNs() >= c.n
	case leaderChange:
		return slices.ContainsFunc(checks.Changes[t.changes:], func(change check.Change) bool {
			return change.From != change.To
		})
	}
	for i := range checks.Violations[t.broken:] {
		v := &checks.Violations[t.broken+i]
		if c.name == v.Rule || c.name == "" && v.Severity != rules.Observation {
			return true
		}
	}
	return false
}

// `holds` reports whether the stored Lease names a holder.
func holds(w *world.World, name string) bool {
	_, o, exists := w.Holder()
	if !exists || o.Spec.HolderIdentity == 0 {
		return name == Nobody || name == ""
	}
	return w.DisplayName(o.Spec.HolderIdentity) == name || w.Setup().Symbols.Text(o.Spec.HolderIdentity) == name
}

func inRole(w *world.World, name, role string) bool {
	for i := int32(w.Nodes()) - 1; i >= 0; i-- {
		if w.Node(i).Name() == name {
			return w.Node(i).Role().String() == role
		}
	}
	return false
}

func compare(a int64, op string, b int64) bool {
	switch op {
	case "=":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}
