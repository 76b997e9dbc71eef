package sliced

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/words"
)

// If the rule of a shrink is "worst", the shrink picks the rule.
const worst = "the worst"

func shrinkForm(f *Form, _ scenario.Scenario) {
	rule := f.field("rule")
	for _, name := range rules.Names() {
		rule.Options = append(rule.Options, Option{name, kindWords(name)})
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
			", so nothing needs to be simpler. Find failures first.")
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
		h.item = &Item{Kind: kindWords(o.Rule), Note: shrink.SizeOf(&o.Scenario),
			Run: opens(o.Scenario, shrunkAt(&o))}
		h.item.Title, h.item.Lines = actsSay(&o.Scenario)
		for i := range o.Windows {
			h.item.Lines[o.Windows[i].Act] += ". " + windowSays(&o.Windows[i])
		}
	}
	if h.over {
		r.Items = append(r.Items, *h.item)
		r.Title, r.Tone = words.Count(len(o.Scenario.Actions), "act is", "acts are")+" enough", "bad"
		r.Sentences = []string{fmt.Sprintf("It still shows %s: %s, cut down from %s.", kindWords(o.Rule),
			shrink.SizeOf(&o.Scenario), shrink.SizeOf(&h.from))}
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

// windowSays describes when an act may happen.
func windowSays(w *shrink.Window) string {
	from, to := words.WholeSeconds(w.FromNs), words.WholeSeconds(w.ToNs)
	switch {
	case w.AtStart && w.AtEnd:
		return "Any other instant does the same."
	case w.AtStart:
		return "Any instant up to " + to + " does the same."
	case w.AtEnd:
		return "Any instant from " + from + " on does the same."
	case w.FromNs == w.ToNs:
		return "0.1 s earlier or later it does not happen."
	}
	return "Any instant from " + from + " to " + to + " does the same."
}

func shrunkAt(o *shrink.Outcome) int64 {
	if o.Rule == shrink.Assertion {
		return int64(o.Scenario.Duration)
	}
	return brokenAt(o.Scenario, o.Rule)
}
