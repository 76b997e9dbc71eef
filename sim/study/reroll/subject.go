package reroll

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
)

// beforeNs is how long before a violation, or before the end of a gap, the first future begins.
const beforeNs = 120_000_000_000

// Subject is the event that a re-roll counts for a leader change or a violation. Subject also contains, in
// nanoseconds, the part of the run in which the futures begin.
type Subject struct {
	Event
	FromNs, ToNs int64
}

// OfViolation returns a Subject that counts the futures that break the same rule after the previous violation. The
// event cannot be "this violation", because each future breaks the rule at a different instant.
func OfViolation(all []check.Violation, number int) Subject {
	v := &all[number]
	s := Subject{Event: Event{Rule: v.Rule}, FromNs: max(0, v.FromNs-beforeNs), ToNs: v.FromNs}
	for k := range all[:number] {
		if before := &all[k]; before.Rule == v.Rule {
			s.AfterNs, s.FromNs = before.FromNs+1, max(s.FromNs, before.FromNs+1)
		}
	}
	return s
}

// OfChange returns a Subject that counts the futures whose gap is longer than this gap rounded down to seconds. For a
// gap of 17.3 s it counts gaps above 17 s. It returns false for the first leader and for a gap of less than a second.
func OfChange(all []explain.Explanation, number int) (Subject, bool) {
	e := &all[number]
	bound := (e.ToNs - e.FromNs) / 1e9 * 1e9
	if e.From < 0 || bound == 0 {
		return Subject{}, false
	}
	before := all[number-1].ToNs
	return Subject{Event: Event{LeaderlessNs: bound, AfterNs: before}, FromNs: max(before, e.FromNs-beforeNs),
		ToNs: e.ToNs}, true
}
