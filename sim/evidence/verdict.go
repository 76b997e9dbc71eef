package evidence

import (
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// Violation is a broken rule of sim/judge, as far as the evidence shows it.
type Violation struct {
	Lease    string   `json:"lease"`
	Rule     string   `json:"rule"`
	Severity string   `json:"severity" jsonschema:"safety, liveness or observation"`
	At       string   `json:"at"`
	Says     string   `json:"says"`
	Lines    []string `json:"lines,omitempty"`
}

// Unjudged is a rule that Judge could not check with this evidence, with the reason. A verdict lists these rules so
// that they do not look like rules that passed.
type Unjudged struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// Verdict is the result of checking the rules against the evidence. Each rule is in Judged or in Unjudged; a rule in
// Judged may have several violations.
type Verdict struct {
	Violations []Violation `json:"violations"`
	Judged     []string    `json:"judged" jsonschema:"the rules whose violation this evidence could show"`
	Unjudged   []Unjudged  `json:"unjudged"`
}

// `judged` lists the rules whose violations Lease records can show. Checking the others needs the simulator's view of
// each candidate.
var judged = []string{rules.MoreThanOneActive, rules.LeaderlessTooLong, rules.NeedlessChange, rules.TransitionsMiscount,
	rules.WriteByNonHolder}

// needWrites lists the rules of `judged` that every write of the Lease decides.
var needWrites = []string{rules.MoreThanOneActive, rules.NeedlessChange, rules.WriteByNonHolder}

// hidesTakeover reports whether the files lack the write right before a takeover.
func (l *LeaseReport) hidesTakeover() bool {
	return slices.ContainsFunc(l.changes, func(g change) bool { return g.from != "" && l.terms[g.term].lacks })
}

// Judge applies the rules. The argument leaderlessNs is the longest allowed time without a renewal or a leader; 0 turns
// that check off. An overlap counts as two leaders even if the evidence shows only its upper bound: a client took the
// Lease away from a leader that did not know.
func Judge(r *Report, leaderlessNs int64) Verdict {
	v := Verdict{Violations: []Violation{}, Judged: []string{}, Unjudged: []Unjudged{}}
	coarse := !slices.ContainsFunc(r.Leases, func(l LeaseReport) bool { return !l.isCoarse() })
	hidden := slices.ContainsFunc(r.Leases, func(l LeaseReport) bool { return l.hidesTakeover() })
	for _, rule := range rules.All() {
		switch {
		case hidden && slices.Contains(needWrites, rule.Name):
			v.Unjudged = append(v.Unjudged, Unjudged{rule.Name, "writes are missing right before a takeover"})
		case coarse:
			v.Unjudged = append(v.Unjudged, Unjudged{rule.Name, "Events and metrics do not show it"})
		case rule.Name == rules.LeaderlessTooLong && leaderlessNs == 0:
			v.Unjudged = append(v.Unjudged, Unjudged{rule.Name, "it needs a bound: set one with --leaderless 30s"})
		case slices.Contains(judged, rule.Name):
			v.Judged = append(v.Judged, rule.Name)
		default:
			v.Unjudged = append(v.Unjudged, Unjudged{rule.Name, "Lease records do not show it"})
		}
	}
	for i := range r.Leases {
		v.lease(&r.Leases[i], leaderlessNs)
	}
	return v
}

func (v *Verdict) lease(l *LeaseReport, leaderlessNs int64) {
	add := func(name string, one Violation) {
		rule, _ := rules.ByName(name)
		one.Lease, one.Rule, one.Severity = l.Name, name, rule.Severity.String()
		v.Violations = append(v.Violations, one)
	}
	for _, o := range l.Overlaps {
		says := fmt.Sprintf("%s and %s both believed that they led, %s", o.Who[0], o.Who[1], o.Length())
		add(rules.MoreThanOneActive, Violation{At: o.From, Says: says, Lines: o.Lines})
	}
	for i, g := range slices.Concat(l.Gaps, l.Leaderless) {
		if leaderlessNs > 0 && g.Seconds > time.Duration(leaderlessNs).Seconds() {
			did := map[bool]string{true: "renewed", false: "led"}[i < len(l.Gaps)]
			says := fmt.Sprintf("nobody %s for %.3f s; the limit is %s", did, g.Seconds, time.Duration(leaderlessNs))
			add(rules.LeaderlessTooLong, Violation{At: g.From, Says: says, Lines: g.Lines})
		}
	}
	for _, c := range l.LeaderChanges {
		if c.Cause == causeEdited {
			add(rules.WriteByNonHolder, Violation{At: c.editAt, Lines: c.editLines,
				Says: "another client than an elector changed the holder of the Lease, and " + c.From + " held it"})
		}
		if c.Cause == causeEarly {
			add(rules.WriteByNonHolder, Violation{At: c.At, Lines: c.Lines,
				Says: c.To + " took the Lease from " + c.From + " before it expired"})
			add(rules.NeedlessChange, Violation{At: c.At, Lines: c.Lines,
				Says: c.From + " lost the Lease while it was still renewing"})
		}
	}
	for _, m := range l.miscounts {
		add(rules.TransitionsMiscount, m)
	}
}

// `miscounts` finds takeovers after which leaseTransitions has not grown. A takeover after a release does not count
// here, because the release has already emptied holderIdentity.
func (r *Reader) miscounts(writes []write) (all []Violation) {
	for i := 1; i < len(writes); i++ {
		a, b := &writes[i-1], &writes[i]
		if a.holder == "" || b.holder == "" || a.holder == b.holder || a.by.kind == Trace || b.lacks ||
			b.transitions > a.transitions {
			continue
		}
		all = append(all, Violation{At: instantText(b.ns), Lines: r.lines(b.places...), Says: fmt.Sprintf(
			"%s took over from %s, but leaseTransitions stayed %d", b.holder, a.holder, b.transitions)})
	}
	return all
}
