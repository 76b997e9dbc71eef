package explore

import (
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
)

// Rule is a rule that a schedule may break. A rule about time breaks if more than one worker, or none, is active for
// longer than LongerNs.
type Rule struct {
	Name     string // from package rules: MoreThanOneActive, WriteByNonHolder or LeaderlessTooLong
	LongerNs int64
}

// leaderless is how users write a rule about the time without a leader: "leaderless>30s".
const leaderless = "leaderless"

// DefaultRules returns the safety rules that explore knows.
func DefaultRules() []Rule {
	return []Rule{{Name: rules.MoreThanOneActive}, {Name: rules.WriteByNonHolder}}
}

// ParseRule parses "writeByNonHolder", "moreThanOneActive", "moreThanOneActive>2s" or "leaderless>30s".
func ParseRule(text string) (Rule, error) {
	name, length, long := strings.Cut(strings.ReplaceAll(text, " ", ""), ">")
	r := Rule{Name: name}
	if name == leaderless {
		r.Name = rules.LeaderlessTooLong
	}
	switch r.Name {
	case rules.MoreThanOneActive:
	case rules.WriteByNonHolder:
		if long {
			return r, fmt.Errorf("%q: a write has no length; leave the length out", text)
		}
	case rules.LeaderlessTooLong:
		if !long {
			return r, fmt.Errorf("%q needs a length, such as %s>30s", text, leaderless)
		}
	default:
		return r, fmt.Errorf("unknown rule %q; explore knows %s, %s (also >LENGTH) and %s>LENGTH", text,
			rules.WriteByNonHolder, rules.MoreThanOneActive, leaderless)
	}
	if long {
		d, err := time.ParseDuration(length)
		if err != nil || d < 0 || d == 0 && r.Name == rules.LeaderlessTooLong {
			return r, fmt.Errorf("%q: after > comes a length, such as 2s", text)
		}
		r.LongerNs = int64(d)
	}
	return r, nil
}

// String formats the rule the way ParseRule expects it.
func (r Rule) String() string {
	name := r.Name
	if name == rules.LeaderlessTooLong {
		name = leaderless
	}
	if r.LongerNs == 0 {
		return name
	}
	return name + ">" + time.Duration(r.LongerNs).String()
}

// Severity returns the severity of the rule.
func (r Rule) Severity() rules.Severity {
	rule, _ := rules.ByName(r.Name)
	return rule.Severity
}

// watch contains what the rules need to know about a schedule, in addition to the schedule's world. A watch is a
// plain value and gives the same verdicts as package check. Before the search reports a counterexample, it confirms
// the violation with that package.
//
// A watch is much smaller than check.Checks, which contains the whole history of a run. Every state of the search
// would need a copy of that history. Five fields are enough for the three rules, and these fields fit into the name
// of a state.
type watch struct {
	spec      coordination.Record // spec of the stored Lease
	exists    bool
	active    uint32 // bit set of candidates by number
	sinceNs   int64  // since when no candidate, or more than one, is active
	changedNs int64  // when the stored spec last changed
}

// `none` says that no rule is broken.
const none = -1

// `see` processes the records of a step. It returns the number of the rule that the step breaks, or none. A worker is
// active from StartedLeading until its work really ends. That may be later than the end of leading: LeftNs is how
// long the work continues.
func (w *watch) see(all []Rule, records []trace.Record) int {
	broken := none
	note := func(name string) {
		for k := range all {
			if all[k].Name == name && all[k].LongerNs == 0 && broken == none {
				broken = k
			}
		}
	}
	for i := range records {
		r := &records[i]
		switch r.Kind {
		case trace.StartedLeading:
			if w.setActive(r.At, w.active|1<<r.Candidate) && w.several() {
				note(rules.MoreThanOneActive)
			}
		case trace.LeadingDone:
			if r.Work().LeftNs == 0 {
				w.setActive(r.At, w.active&^(1<<r.Candidate))
			}
		case trace.WorkDone, trace.Crashed, trace.Removed:
			w.setActive(r.At, w.active&^(1<<r.Candidate))
		case trace.RequestServed:
			if (r.Outcome == storage.Created || r.Outcome == storage.Updated) && w.takeWrite(r, true) {
				note(rules.WriteByNonHolder)
			}
		case trace.Written:
			w.takeWrite(r, false)
		}
	}
	return broken
}

// `several` reports whether more than one candidate is active.
func (w *watch) several() bool { return w.active&(w.active-1) != 0 }

// setActive changes who is active, and reports whether a candidate has become active.
func (w *watch) setActive(nowNs int64, active uint32) bool {
	before := *w
	w.active = active
	if before.several() != w.several() || (before.active == 0) != (active == 0) {
		w.sinceNs = nowNs
	}
	return active&^before.active != 0
}

// takeWrite follows the Lease, and reports whether a candidate has overwritten a Lease that it does not hold. A
// candidate may take over the Lease when leaseDuration has passed since the stored spec last changed. Before that, it
// must not overwrite another candidate's Lease.
func (w *watch) takeWrite(r *trace.Record, candidate bool) (broken bool) {
	if r.Outcome == storage.Deleted {
		w.exists = false
		return false
	}
	if !r.Outcome.Accepted() {
		return false
	}
	before := &w.spec
	if candidate && w.exists && before.HolderIdentity != 0 && before.HolderIdentity != r.Name {
		takes := r.Spec.HolderIdentity == r.Name
		broken = !takes || r.At-w.changedNs < int64(before.LeaseDurationSeconds)*1e9
	}
	if !w.exists || w.spec != r.Spec {
		w.changedNs = r.At
	}
	w.spec, w.exists = r.Spec, true
	return broken
}

// `due` returns the instant at which a rule breaks without another event, and the number of that rule. The number is
// none if no rule breaks that way.
func (w *watch) due(all []Rule) (atNs int64, rule int) {
	atNs, rule = never, none
	for k := range all {
		one := &all[k]
		goesOn := one.Name == rules.MoreThanOneActive && one.LongerNs > 0 && w.several() ||
			one.Name == rules.LeaderlessTooLong && w.active == 0
		if at := w.sinceNs + one.LongerNs; goesOn && at < atNs {
			atNs, rule = at, k
		}
	}
	return atNs, rule
}

// digest adds everything that affects which rules break from now on. It adds the time since an event instead of the
// event's instant, so that the same situation gives the same digest at any instant. `digest` limits the age of the
// Lease to leaseDuration, because a Lease that expired 1 s ago and a Lease that expired 30 s ago allow the same writes.
func (w *watch) digest(d *digest.Digest, nowNs int64, timed bool) {
	d.Add(uint64(w.active))
	d.AddInt(min(nowNs-w.changedNs, int64(w.spec.LeaseDurationSeconds)*1e9)) // the Lease is free from then on
	if timed && (w.active == 0 || w.several()) {
		d.AddInt(nowNs - w.sinceNs)
	}
}

const never = 1<<63 - 1
