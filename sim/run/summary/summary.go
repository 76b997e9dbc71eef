// Package summary describes the outcome of a run in one JSON object: the line that `leaselab run -o json` prints. Of
// makes a Summary. Verdict compares the Summary with what the scenario expects and returns the exit code.
//
// Guarantee: every figure follows from the trace, and seconds are exact to the nanosecond. Non-guarantee: a summary
// contains no verdict.
package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Seconds is a length in nanoseconds, written in seconds with up to nine decimals. With floats, three times 0.1 s
// would print as 0.30000000000000004 s.
type Seconds int64

// MarshalJSON writes the shortest exact decimal.
func (s Seconds) MarshalJSON() ([]byte, error) {
	sign, ns := "", int64(s)
	if ns < 0 {
		sign, ns = "-", -ns
	}
	text := sign + strconv.FormatInt(ns/1e9, 10)
	if rest := ns % 1e9; rest != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", rest), "0")
	}
	return []byte(text), nil
}

// Change is a change of the active leader. The first has an empty From.
type Change struct {
	At                Seconds `json:"at"`
	From              string  `json:"from"`
	To                string  `json:"to"`
	LeaderlessSeconds Seconds `json:"leaderlessSeconds"`
}

// Violation is a broken rule. Seconds is how long it lasted, or 0 if it has no length.
type Violation struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"` // safety, liveness or observation
	At       Seconds  `json:"at"`
	Seconds  Seconds  `json:"seconds"`
	Nodes    []string `json:"nodes"`
}

// Finding is a mistake of a real program: see package conduct.
type Finding struct {
	At       Seconds `json:"at"`
	Cause    string  `json:"cause"` // such as releasesEarly
	Node     string  `json:"node"`
	Text     string  `json:"text"`     // what happened, in one sentence
	Cure     string  `json:"cure"`     // what to change, in one sentence
	Incident string  `json:"incident"` // an exhibit of the museum, such as B04
}

// String returns the line of a report: when, the cause, what happened, the cure and the incident.
func (f *Finding) String() string {
	return fmt.Sprintf("%s  %s: %s %s (%s)", words.Instant(int64(f.At)), f.Cause, f.Text, f.Cure, f.Incident)
}

// Summary is the outcome of one run.
type Summary struct {
	Findings            []Finding   `json:"findings,omitempty"` // the mistakes of real programs, the gravest first
	Scenario            string      `json:"scenario"`
	Engine              int         `json:"engine"`
	Seed                uint64      `json:"seed"`
	Hash                string      `json:"hash"`
	VirtualSeconds      Seconds     `json:"virtualSeconds"`
	Events              int64       `json:"events"` // number of trace records
	Requests            int64       `json:"requests"`
	LeaderChanges       []Change    `json:"leaderChanges"`
	LeaderlessSeconds   Seconds     `json:"leaderlessSeconds"`
	DoubleLeaderSeconds Seconds     `json:"doubleLeaderSeconds"`
	Violations          []Violation `json:"violations"`
	Unmet               []string    `json:"unmet,omitempty"`     // failed assertions, in words
	Checks              []Check     `json:"checks"`              // one for each rule
	NoVerdict           string      `json:"noVerdict,omitempty"` // why a run of real programs proves nothing
	// the command that repeats the run; set if it is one of many seeds and the seed draws the instants of acts
	Replay string `json:"replay,omitempty"`
}

// Of summarizes a run that has reached untilNs and settled there. It includes the outcomes of the run's clauses
// if the run watched them.
func Of(s scenario.Scenario, r *run.Run, untilNs int64) Summary {
	w, c := r.World, &r.Checks
	leaderless, double := c.Totals(untilNs)
	out := Summary{
		Scenario: s.Name, Engine: world.Engine, Seed: s.Seed, Hash: w.Hash().String(), VirtualSeconds: Seconds(untilNs),
		Events: w.Counts().Records, Requests: w.Counts().Requests, LeaderlessSeconds: Seconds(leaderless),
		DoubleLeaderSeconds: Seconds(double),
		LeaderChanges:       []Change{}, Violations: []Violation{},
	}
	for _, change := range c.Changes {
		from := ""
		if change.From >= 0 {
			from = w.Node(change.From).Name()
		}
		out.LeaderChanges = append(out.LeaderChanges,
			Change{At: Seconds(change.AtNs), From: from, To: w.Node(change.To).Name(),
				LeaderlessSeconds: Seconds(change.LeaderlessNs)})
	}
	for _, v := range c.Violations {
		one := Violation{Rule: v.Rule, Severity: v.Severity.String(), At: Seconds(v.FromNs), Nodes: []string{}}
		until := v.UntilNs
		if until < 0 {
			until = untilNs
		}
		one.Seconds = Seconds(until - v.FromNs)
		for _, i := range append([]int32{v.First, v.Second}, v.Others...) {
			if i >= 0 {
				one.Nodes = append(one.Nodes, w.Node(i).Name())
			}
		}
		out.Violations = append(out.Violations, one)
	}
	out.Unmet = expect.Unmet(r.Outcomes(untilNs))
	out.Checks = checksOf(w, c, untilNs)
	return out
}

// Exit codes of a run.
const (
	Fine       = 0
	Unexpected = 2 // exit code if an assertion failed
)

// Verdict returns the exit code of a run: 0, 2 (expect), 3 (safety) or 4 (liveness). Violations that the scenario
// expects do not count. A broken rule outweighs a failed assertion: a run with both exits with 3 or 4.
func Verdict(s scenario.Scenario, r *run.Run, out *Summary) int {
	worst := Worst(s, r)
	if worst == Fine && len(out.Unmet) > 0 {
		return Unexpected
	}
	return worst
}

// Worst returns the verdict without the assertions: 0, 3 (safety) or 4 (liveness).
func Worst(s scenario.Scenario, r *run.Run) int {
	return r.Checks.Worst(func(rule string) bool {
		return slices.ContainsFunc(s.Expect, func(e scenario.Expect) bool { return e.Expects(rule) })
	})
}
