// Package failure describes what went wrong in a run, in a form that makes two runs comparable: the broken rule, and
// the causes in the violation's story. Compare failures by Failure.Key.
//
// Guarantee: a failure depends only on the run, and its key has no names, instants or numbers. If the same thing
// happens to another candidate at another time, the key is the same, whatever words package explain uses.
// Non-guarantee: failures with different keys may have the same root cause.
package failure

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
)

// Failure is a broken rule with its causes.
type Failure struct {
	Rule     string
	Severity rules.Severity
	AtNs     int64
	Causes   []string // what the story blames, without names, instants and numbers; sorted, no duplicates
}

// Key tells failures apart. It consists of the rule and the causes. So if a hunt finds the same story at 12 s with
// one candidate and at 40 s with another, the two count as one failure.
func (f *Failure) Key() string { return f.Rule + ": " + strings.Join(f.Causes, " ") }

// Of lists those safety and liveness failures of an explained run that count, in order of time.
func Of(r *run.Run, counts func(v *check.Violation) bool) []Failure {
	var all []Failure
	for k := range r.Checks.Violations {
		if v := &r.Checks.Violations[k]; v.Severity != rules.Observation && counts(v) {
			all = append(all, At(r, k))
		}
	}
	return all
}

// RunCauses runs a scenario to its end, with explanations. It returns the run and the causes from all acts and faults
// of that run. A story tells only the latest causes. So if a shrink removes an act, an older cause may enter the
// story. A shrink that allowed only the causes of the old story would then refuse the smaller scenario.
func RunCauses(s scenario.Scenario) (r *run.Run, causes []string) {
	r = run.New(compile.Scenario(s), run.Watchers{Explanation: true})
	seen := map[explain.Cause]bool{}
	r.To(r.EndNs(), func(record *trace.Record, _ explain.Note) { seen[explain.CauseOf(record)] = true })
	return r, inWords(seen)
}

// At returns the failure for a violation, given by its index in an explained run.
func At(r *run.Run, k int) Failure {
	v := &r.Checks.Violations[k]
	return Failure{Rule: v.Rule, Severity: v.Severity, AtNs: v.FromNs,
		Causes: causes(v, &r.Tracker.Stories[k])}
}

// Worst returns the index of the first violation of the worst severity that counts, or -1.
func Worst(c *check.Checks, counts func(v *check.Violation) bool) int {
	for _, severity := range []rules.Severity{rules.Safety, rules.Liveness} {
		k := slices.IndexFunc(c.Violations,
			func(v check.Violation) bool { return v.Severity == severity && counts(&v) })
		if k >= 0 {
			return k
		}
	}
	return -1
}

// Reason returns what a violation's story blames last: something about a candidate or the Lease, not an act of the
// scenario. Two violations of a rule with different reasons are two bugs.
func Reason(r *run.Run, k int) (reason explain.Cause) {
	for _, line := range r.Tracker.Stories[k].Lines {
		if line.Event.AtNs <= r.Checks.Violations[k].FromNs && line.Why != explain.NoCause && !line.Why.IsAct() {
			reason = line.Why
		}
	}
	return reason
}

// Expected returns the index of the first violation that the scenario's assertions expect, or -1. The assertions come
// in the order of their importance, so an earlier one wins.
func Expected(all []scenario.Expect, c *check.Checks) int {
	for i := range all {
		e := &all[i]
		k := slices.IndexFunc(c.Violations, func(v check.Violation) bool {
			return e.Expects(v.Rule) && (e.From == nil || v.FromNs >= int64(*e.From)) &&
				(e.Until == nil || v.FromNs <= int64(*e.Until))
		})
		if k >= 0 {
			return k
		}
	}
	return -1
}

// `causes` returns the causes that a story names up to the violation.
func causes(v *check.Violation, s *explain.Story) []string {
	all := map[explain.Cause]bool{}
	for _, line := range s.Lines {
		if line.Event.AtNs <= v.FromNs {
			all[line.Why] = true
		}
	}
	return inWords(all)
}

// inWords converts causes to words and sorts these words.
func inWords(all map[explain.Cause]bool) []string {
	var said []string
	for cause := range all {
		if cause != explain.NoCause {
			said = append(said, cause.String())
		}
	}
	slices.Sort(said)
	return said
}
