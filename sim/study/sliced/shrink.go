package sliced

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/words"
)

// If the rule of a shrink is "worst", the shrink picks the rule.
const worst = "the worst"

func shrinkForm(scenario.Scenario) Form {
	return Form{
		Says: "What is the smallest scenario that fails like this? It breaks the same rule as this run, with the " +
			"fewest acts and candidates, default settings, and the shortest and roundest times. The answer also " +
			"gives the window in which you can move each act.",
		Start: "Shrink",
		Fields: []FormField{{Name: "rule", Label: "Rule that stays broken",
			Help: "a rule, the assertion that fails, or the worst that this run breaks", Value: worst,
			Options: append([]string{worst, shrink.Assertion}, rules.Names()...)}},
	}
}

// shrinking is a shrink in progress.
type shrinking struct {
	shrink  *shrink.Shrink
	from    scenario.Scenario
	over    bool
	item    *Item // the result, once the shrink is over
	rule    string
	command string
}

func newShrink(s scenario.Scenario, file string, given answers) (Study, error) {
	p := shrink.Plan{Scenario: s, Windows: true}
	h := &shrinking{from: s, command: "leaselab shrink " + file}
	if given["rule"] != worst && given["rule"] != "" {
		p.Rule = given["rule"]
		h.command += " --rule " + p.Rule
	}
	h.rule = p.Rule
	var err error
	if h.shrink, err = shrink.New(p); err != nil {
		return nil, refuse("rule", p.Rule, err.Error())
	}
	return h, nil
}

// Go implements Study.
func (h *shrinking) Go() (over bool, err error) {
	h.over = h.shrink.Go(sliceRequests)
	o := h.shrink.Outcome()
	if h.over && o.Rule == "" {
		what := "breaks no rule of safety or liveness and fails no assertion"
		if h.rule != "" {
			what = "does not break " + h.rule
		}
		return true, refuse("rule", h.rule, "This run "+what+
			", so a shrink has nothing to do. A hunt looks for faults that break a rule.")
	}
	return h.over, nil
}

// Report implements Study.
func (h *shrinking) Report() Report {
	o := h.shrink.Outcome()
	r := Report{Done: int64(o.Tried), Unit: "runs", Command: h.command,
		Progress: words.Count(len(o.Steps), "step", "steps") + " kept"}
	if o.Trying != "" {
		r.Progress += ", now " + o.Trying
	}
	if o.Rule == "" {
		return r
	}
	if h.over && h.item == nil {
		h.item = &Item{Title: "What remains", Run: opens("Open it", o.Scenario, shrunkAt(&o))}
		for i := range o.Scenario.Actions {
			h.item.Lines = append(h.item.Lines, failure.ActWords(&o.Scenario.Actions[i]))
		}
		for i := range o.Windows {
			h.item.Lines = append(h.item.Lines, o.Windows[i].Says(&o.Scenario))
		}
	}
	if h.over {
		r.Items = append(r.Items, *h.item)
		r.Title, r.Tone = fmt.Sprintf("%s: %s, from %s", o.Rule, shrink.SizeOf(&o.Scenario), shrink.SizeOf(&h.from)),
			"bad"
	}
	steps := Item{Title: "Step by step"}
	for _, step := range o.Steps {
		steps.Lines = append(steps.Lines, fmt.Sprintf("run %d: %s", step.Tried, step.What))
	}
	if len(steps.Lines) > 0 {
		r.Items = append(r.Items, steps)
	}
	return r
}

func shrunkAt(o *shrink.Outcome) int64 {
	if o.Rule == shrink.Assertion {
		return int64(o.Scenario.Duration)
	}
	return brokenAt(o.Scenario, o.Rule)
}
