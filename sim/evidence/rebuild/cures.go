package rebuild

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/whatif"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Cures lists the changes that CuresOf tried against a rebuilt scenario, the helpful ones first. It judges each over
// the whole incident: a setting that shortens one takeover may lengthen the next.
type Cures struct {
	Subject whatif.Subject // the worst moment, from which the page opens a run
	AtNs    int64          // where the subject ends
	Base    Totals
	Tried   []Cure
}

// Cure is a change and what the whole incident looks like with it.
type Cure struct {
	whatif.Line
	Totals Totals
	Better bool // by more than the fit of the scenario is off
}

// Totals sums up a run.
type Totals struct {
	TwoNs        int64 // time in which several candidates led
	LeaderlessNs int64 // time in which nobody led, from the first leader on
	LedNs        int64 // time in which a candidate led
	Writes       int64
	FailoverNs   int64 // longest takeover after a crash
	SurvivesNs   int64 // longest outage of the API that every leader survives: the renewDeadline
	MarginNs     int64 // how long before its Lease expires a leader stops, at least, if its requests fail
}

// marginOf returns how long before its Lease expires a candidate stops if its requests fail. With releaseOnCancel, it
// works on while its release hangs.
func marginOf(c *world.Candidate) int64 {
	margin := int64(c.LeaseDuration) - int64(c.RenewDeadline)
	if c.ReleaseOnCancel {
		hangs := int64(c.RenewDeadline)
		if c.RequestTimeoutNs > 0 {
			hangs = min(hangs, c.RequestTimeoutNs)
		}
		margin -= hangs
	}
	return margin
}

// totalsOf runs a scenario to its end.
func totalsOf(s scenario.Scenario) (t Totals) {
	setup := compile.Scenario(s)
	for i := range setup.Candidates {
		t.FailoverNs = max(t.FailoverNs, check.WorstNs(&setup.Candidates[i]))
		if deadline := int64(setup.Candidates[i].RenewDeadline); i == 0 || deadline < t.SurvivesNs {
			t.SurvivesNs = deadline
		}
		if margin := marginOf(&setup.Candidates[i]); i == 0 || margin < t.MarginNs {
			t.MarginNs = margin
		}
	}
	leads, since, begun := map[int32]bool{}, int64(0), false
	until := func(ns int64) {
		switch {
		case len(leads) == 0 && begun:
			t.LeaderlessNs += ns - since
		case begun:
			t.LedNs += ns - since
		}
		if len(leads) > 1 {
			t.TwoNs += ns - since
		}
		since = ns
	}
	w := world.New(setup)
	for w.Step(int64(s.Duration)) {
		for i := range w.Records() {
			record := &w.Records()[i]
			switch record.Kind {
			case trace.StartedLeading:
				until(record.At)
				leads[record.Candidate], begun = true, true
			case trace.StoppedLeading, trace.Crashed, trace.Removed:
				until(record.At)
				delete(leads, record.Candidate)
			case trace.RequestServed:
				if record.Outcome == storage.Created || record.Outcome == storage.Updated {
					t.Writes++
				}
			}
		}
	}
	until(int64(s.Duration))
	return t
}

// writesPerSecond is how often a leader writes.
func (t *Totals) writesPerSecond() float64 {
	return float64(max(1, t.Writes)) / max(1, time.Duration(t.LedNs).Seconds())
}

// helps reports whether a run is better than the base by more than an error. Two leaders are worse than none: a change
// that brings them, or more of them, does not help.
func (t *Totals) helps(base *Totals, errorNs int64) bool {
	if base.TwoNs > 0 {
		return base.TwoNs-t.TwoNs > errorNs
	}
	return t.TwoNs == 0 && base.LeaderlessNs-t.LeaderlessNs > errorNs
}

// cureRequests is the number of requests in one slice of the counterfactual runs.
const cureRequests = 50_000

// otherDraws is how many other sets of random waits a change must help with, with the faults a bit later each time. A
// change that helps with the waits and the phase of the evidence alone was lucky: another retryPeriod moves the
// attempts, and one of them may fall right after a fault.
const (
	otherDraws = 8
	phase      = scenario.Duration(250 * time.Millisecond)
)

func redrawn(s scenario.Scenario, n int) scenario.Scenario {
	s = s.Clone()
	for i := range s.Candidates {
		s.Candidates[i].JitterDraws = nil
	}
	for i := range s.Actions {
		s.Actions[i].At += scenario.Duration(n+1) * phase
	}
	s.Seed += uint64(n) + 1
	return s
}

// CuresOf tries changes to a scenario whose run fits the evidence to a known error. It calls the function alive after
// each slice of work.
func CuresOf(s scenario.Scenario, fit Fit, alive func()) Cures {
	judged := run.WithClauses(s)
	judged.To(int64(s.Duration), nil)
	c := Cures{Subject: whatif.Subject{Number: -1}, Base: totalsOf(s)}
	for i, change := range judged.Checks.Changes[min(1, len(judged.Checks.Changes)):] {
		if c.Subject.Number < 0 || change.LeaderlessNs > judged.Checks.Changes[c.Subject.Number].LeaderlessNs {
			c.Subject.Number, c.AtNs = i+1, change.AtNs
		}
	}
	for i, v := range judged.Checks.Violations {
		if v.Rule == rules.MoreThanOneActive {
			c.Subject, c.AtNs = whatif.Subject{Violation: true, Number: i}, max(v.FromNs, v.UntilNs)
			break
		}
	}
	if c.Subject.Number < 0 || !fit.SameLeaders {
		return c
	}
	study := whatif.New(whatif.Plan{Scenario: s, Subject: c.Subject})
	for !study.Go(cureRequests) {
		alive()
	}
	errorNs := max(fit.ChangeNs, fit.StopNs, fit.WriteNs)
	var plain [otherDraws]Totals // without a change
	for n := range plain {
		plain[n] = totalsOf(redrawn(s, n))
	}
	for _, line := range study.Outcome().Lines {
		one := Cure{Line: line, Totals: totalsOf(line.Scenario)}
		one.Better = one.Totals.helps(&c.Base, errorNs)
		for n := 0; n < otherDraws && one.Better; n++ {
			with := totalsOf(redrawn(line.Scenario, n))
			one.Better = plain[n].TwoNs > 0 != (c.Base.TwoNs > 0) || with.helps(&plain[n], 0)
		}
		c.Tried = append(c.Tried, one)
		alive()
	}
	sort.SliceStable(c.Tried, func(i, k int) bool {
		a, b := &c.Tried[i], &c.Tried[k]
		if a.Better != b.Better {
			return a.Better
		}
		return cmp.Or(cmp.Compare(a.Totals.TwoNs, b.Totals.TwoNs),
			cmp.Compare(a.Totals.LeaderlessNs, b.Totals.LeaderlessNs)) < 0
	})
	return c
}

// Helpful returns how many changes at the front of the list help, but no more than the argument most.
func (c *Cures) Helpful(most int) (n int) {
	for n < min(most, len(c.Tried)) && c.Tried[n].Better {
		n++
	}
	return n
}

// Nothing says why the list has no change that helps; "" if it has one.
func (c *Cures) Nothing(fit Fit) string {
	switch {
	case c.Helpful(1) > 0:
		return ""
	case !fit.SameLeaders:
		return "leaselab tried no change: the run differs from the evidence, so a change that helps the run may not " +
			"help that night."
	case len(c.Tried) == 0:
		return "leaselab tried no change: the leader never changed."
	}
	return fmt.Sprintf("None of the %d tried changes would have helped for sure.", len(c.Tried))
}

// Beyond says what helps where no setting does, by the cause of the leader change; "" if nothing more helps.
func (c *Cures) Beyond(cause string) string {
	switch {
	case cause == "edited" || cause == "deleted":
		return "No setting helps against a program that edits or deletes the Lease: let RBAC allow it only to the " +
			"electors, and put a fence at the data."
	case cause == "pause" && c.Base.TwoNs > 0:
		return "No setting helps against every pause: only a fence at the data does."
	case c.Base.TwoNs > 0:
		return "No setting keeps two leaders apart after every fault: only a fence at the data does."
	}
	return ""
}

// Sentence says what a change would have done, and its price.
func (c *Cures) Sentence(k int) string {
	text := c.Tried[k].Label + ": " + c.Effect(k)
	if price := c.Price(k); price != "" {
		text += "; its price: " + price
	}
	return text
}

// Effect says how long two led, and nobody, with a change.
func (c *Cures) Effect(k int) string {
	var all []string
	compare := func(what, never string, now, before int64) {
		switch {
		case now == 0 && before > 0:
			all = append(all, never)
		case now != before:
			all = append(all, what+" for "+words.Seconds(now)+" instead of "+words.Seconds(before))
		}
	}
	compare("two led", "two never led", c.Tried[k].Totals.TwoNs, c.Base.TwoNs)
	compare("nobody led", "a leader throughout", c.Tried[k].Totals.LeaderlessNs, c.Base.LeaderlessNs)
	if len(all) == 0 {
		return "no difference"
	}
	return strings.Join(all, ", ")
}

// Price says what a change makes worse at other times; "" if nothing.
func (c *Cures) Price(k int) string {
	now, before := &c.Tried[k].Totals, &c.Base
	var all []string
	if now.SurvivesNs < before.SurvivesNs {
		all = append(all, "a leader survives an outage of "+words.Seconds(now.SurvivesNs)+" instead of "+
			words.Seconds(before.SurvivesNs))
	}
	if now.MarginNs < before.MarginNs {
		all = append(all, "a leader that is cut off stops "+words.Seconds(now.MarginNs)+" before its Lease expires, "+
			"instead of "+words.Seconds(before.MarginNs))
	}
	if now.FailoverNs > before.FailoverNs {
		all = append(all, "after a crash the takeover takes up to "+words.Seconds(now.FailoverNs)+" instead of "+
			words.Seconds(before.FailoverNs))
	}
	if rate := now.writesPerSecond() / before.writesPerSecond(); rate > 1.3 {
		all = append(all, fmt.Sprintf("%.1f times as many writes", rate))
	}
	return strings.Join(all, ", ")
}

// Sentences says how much the scenario's run differs from the evidence.
func (f Fit) Sentences() []string {
	if !f.SameLeaders {
		return []string{"No tried seed gives the same leaders in the same order as the evidence: the run differs."}
	}
	all := []string{fmt.Sprintf("The run has the same leaders; each starts within %.3f s of its start in the evidence.",
		time.Duration(f.ChangeNs).Seconds())}
	if f.Writes > 0 {
		all = append(all, fmt.Sprintf("The largest difference over %d writes is %.3f s.", f.Writes,
			time.Duration(f.WriteNs).Seconds()))
	}
	if f.Stops > 0 {
		all = append(all, fmt.Sprintf("Each leader stops within %.3f s of what its log says.",
			time.Duration(f.StopNs).Seconds()))
	}
	return append(all, f.Renamed...)
}
