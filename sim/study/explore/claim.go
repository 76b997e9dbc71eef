package explore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// Complete reports whether the search has seen every schedule within its bounds and the depth bound has cut none of
// them short.
func (x *Explorer) Complete() bool { return x.Over() && x.counts.Cut == 0 }

// Over reports whether the search has seen every schedule within its bounds.
func (x *Explorer) Over() bool { return len(x.frontier) == 0 }

// Full reports whether the search ended because it reached its limit of states.
func (x *Explorer) Full() bool { return !x.Over() && x.visited.count >= x.plan.States }

// Plan returns the plan with its defaults.
func (x *Explorer) Plan() Plan { return x.plan }

// Candidates returns the number of candidates in the scenario.
func (x *Explorer) Candidates() int { return len(x.roots[0].setup.Candidates) }

// Bounds describes the search's choices, with one clause for each kind of choice.
func (x *Explorer) Bounds() []string {
	p := &x.plan
	var all []string
	for _, set := range p.Sets {
		path, text, _ := strings.Cut(set, "=")
		values, _ := grid.Values(text) // New has already parsed the text
		all = append(all, fmt.Sprintf("%s is one of %s", path, words.Count(len(values), "value", "values: "+text)))
	}
	if len(p.Draws) > 0 {
		names := make([]string, len(p.Draws))
		for i, draw := range slices.Sorted(slices.Values(p.Draws)) {
			names[i] = drawName(draw)
		}
		all = append(all, "each wait before an attempt to acquire is "+joinOr(names))
	} else {
		all = append(all, fmt.Sprintf("each wait before an attempt to acquire is the one that seed %d draws",
			p.Scenario.Seed))
	}
	if len(p.DelaysNs) > 0 {
		lengths := []string{"0s"}
		for _, ns := range p.DelaysNs {
			lengths = append(lengths, time.Duration(ns).String())
		}
		all = append(all, "each request and each answer takes "+joinOr(lengths)+" longer")
	}
	if p.Order {
		all = append(all,
			"acts, requests and answers at one instant come in every order, but acts keep the scenario's order")
	}
	return all
}

// `outside` describes how the search draws waits before and after the window.
func (x *Explorer) outside() string {
	p := &x.plan
	var all []string
	if len(p.Draws) > 0 && p.FromNs > 0 {
		all = append(all, fmt.Sprintf("each wait before them is the one that seed %d draws", p.Scenario.Seed))
	}
	if len(p.Draws) > 0 && p.ToNs < p.UntilNs {
		all = append(all, "each wait after them is "+drawName(p.Draws[0]))
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

func drawName(draw float64) string {
	switch draw {
	case Low:
		return "the shortest"
	case Middle:
		return "the middle one"
	case High:
		return "the longest"
	}
	return fmt.Sprintf("that of draw %g", draw)
}

// joinOr returns "a, b or c".
func joinOr(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// Claim states in a few sentences what the search has shown, and within which bounds.
func (x *Explorer) Claim() string {
	p := &x.plan
	names := elements.Of(p.Rules, func(rule Rule) string { return rule.String() })
	within := fmt.Sprintf("within %s", words.Seconds(p.UntilNs))
	if p.FromNs > 0 || p.ToNs < p.UntilNs {
		within += fmt.Sprintf(", with choices from %s to %s", words.Seconds(p.FromNs), words.Seconds(p.ToNs)) +
			x.outside()
	}
	within += ", where " + strings.Join(x.Bounds(), ", and ")
	figures := fmt.Sprintf("%s states, %s transitions.", words.Thousands(x.counts.States),
		words.Thousands(x.counts.Transitions))
	var text string
	switch {
	case x.found != nil:
		text = fmt.Sprintf("%s breaks %s at %s, %s.", "A schedule with "+candidates(x), p.Rules[x.found.rule],
			words.Instant(x.found.atNs), within)
		if x.Complete() {
			text += " None of these schedules breaks a rule earlier."
		}
	case x.Complete():
		text = fmt.Sprintf("No schedule with %s breaks %s %s.", candidates(x), joinOr(names), within)
	default:
		text = fmt.Sprintf("No explored schedule breaks %s %s.", joinOr(names), within)
	}
	switch {
	case x.Full():
		text += fmt.Sprintf(" The search stopped at its bound of %s states, with %s options open.",
			words.Thousands(int64(p.States)), words.Thousands(int64(x.Counts().Frontier)))
	case !x.Over():
		text += fmt.Sprintf(" The search stopped early, with %s options open.",
			words.Thousands(int64(x.Counts().Frontier)))
	case x.counts.Cut > 0:
		text += fmt.Sprintf(" Only the first %s of each schedule vary; %s more took the default.",
			words.Count(p.Depth, "choice", "choices"), words.Thousands(x.counts.Cut))
	}
	return text + " " + figures
}

func candidates(x *Explorer) string { return words.Count(x.Candidates(), "candidate", "candidates") }

// Single reports whether the bounds allow only one schedule.
func (x *Explorer) Single() bool {
	whole := x.bounds
	whole.plan.Depth = 0
	again := &Follower{bounds: &whole, before: never}
	variants := 0
	for i := range x.roots {
		variants += len(x.roots[i].variants)
	}
	for s := again.begin(0); variants < 2; {
		c, due, broken := again.run(s, 0)
		if c.count == 0 || broken != none {
			return true
		}
		f := frame{choice: c, due: append(again.due[:0:0], due...)}
		if c.kind != chooseVariant || again.apply(s, &f, 0) != none {
			return c.kind == chooseVariant
		}
	}
	return false
}
