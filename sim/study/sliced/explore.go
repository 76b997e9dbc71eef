package sliced

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/explore"
	"github.com/leaselab/leaselab/sim/words"
)

// mostStates is the highest bound on states. It is low, because a page has limited memory.
const mostStates = 1_000_000

func exploreForm(f *Form, s scenario.Scenario) {
	end := "60s"
	if short := time.Duration(s.Duration); short < time.Minute {
		end = short.String()
	}
	window := f.field("window")
	window.Value, window.Options = "0s.."+end, []Option{{"0s.." + end, "0 s and " + end}}
}

// exploring is a search in progress.
type exploring struct {
	explorer *explore.Explorer
	over     bool
	item     *Item
	command  string
}

func newExplore(s scenario.Scenario, file string, given answers) (Study, error) {
	p := explore.Plan{Scenario: s, Sets: given.list("set", ";"), Order: given["order"] != "usual"}
	h := &exploring{command: "leaselab explore " + file}
	for _, set := range p.Sets {
		h.command += " --set " + words.ShellQuoted(set)
	}
	err := p.Read(given["jitter"], given["delay"], given["window"], given.list("rule", ","))
	if err != nil {
		return nil, refusedBound(given, err)
	}
	for _, rule := range p.Rules {
		h.command += " --rule '" + rule.String() + "'"
	}
	if p.Depth, err = whole(given, "depth", 0, 1_000_000); err != nil {
		return nil, err
	}
	if p.States, err = whole(given, "states", 1, mostStates); err != nil {
		return nil, err
	}
	h.command += fmt.Sprintf(" --jitter %s --delay %s --order=%t --window %s --depth %d --states %d",
		cmp.Or(given["jitter"], "none"), cmp.Or(given["delay"], "none"), p.Order,
		cmp.Or(given["window"], "0s.."+time.Duration(s.Duration).String()), p.Depth, p.States)
	if h.explorer, err = explore.New(p); err != nil {
		return nil, refusedBound(given, err)
	}
	if h.explorer.Single() {
		return nil, refuse("window", given["window"],
			"These bounds allow only 1 schedule: widen the window, or allow more draws, delays or values.")
	}
	return h, nil
}

// refusedBound turns the error about a bound into an error about the field with the same name.
func refusedBound(given answers, err error) error {
	var wrong *explore.BoundError
	if errors.As(err, &wrong) {
		return refuse(wrong.Bound, given[wrong.Bound], err.Error())
	}
	return refuse("", "", err.Error())
}

func whole(given answers, name string, from, to int) (int, error) {
	text := strings.ReplaceAll(given[name], ",", "")
	if text == "" && from == 0 {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < from || n > to {
		return 0, refuse(name, given[name],
			fmt.Sprintf("%s %q must be %d to %s; `leaselab explore` has room for more", name, given[name], from,
				words.Thousands(int64(to))))
	}
	return n, nil
}

// transitions is the number of transitions in a slice.
const transitions = 500

// Go implements Study.
func (h *exploring) Go() (over bool, err error) {
	if !h.explorer.Go(transitions) {
		return false, nil
	}
	return h.takeAnswer()
}

// takeAnswer records the answer.
func (h *exploring) takeAnswer() (over bool, err error) {
	h.over = true
	c, err := h.explorer.Counterexample()
	if err != nil {
		return true, err
	}
	if c == nil {
		return true, nil
	}
	h.item = &Item{
		Title: strings.TrimSuffix(c.Sentence, "."), Kind: kindWords(c.Rule.Name),
		Note: "at " + words.Instant(c.AtNs), Run: opens(c.Scenario, c.AtNs),
	}
	if len(c.Choices) == 0 {
		h.item.Lines = []string{"This schedule takes the default at every choice."}
	}
	for _, one := range c.Choices {
		h.item.Lines = append(h.item.Lines, fmt.Sprintf("%s %s: %s", words.Instant(one.AtNs), one.Kind, one.What))
	}
	return true, nil
}

// Report implements Study.
func (h *exploring) Report() Report {
	c := h.explorer.Counts()
	r := Report{
		Done: c.States, Unit: "states", Command: h.command,
		Progress: fmt.Sprintf("%s transitions, %s options open, %s deep, at %s", words.Thousands(c.Transitions),
			words.Thousands(int64(c.Frontier)), words.Count(c.Depth, "choice", "choices"), words.Instant(c.NowNs)),
	}
	if !h.over {
		r.Sentences = []string{"Within these bounds: " + strings.Join(h.explorer.Bounds(), "; ") + "."}
		return r
	}
	states := words.Thousands(c.States) + " states"
	short := "The search tried " + states + "."
	switch {
	case h.item != nil:
		r.Title, r.Items, r.Tone = "It can happen: "+h.item.Title, []Item{*h.item}, "bad"
	case h.explorer.Complete():
		r.Title, r.Tone = "It cannot happen within these bounds", "good"
		short = "No schedule breaks a rule. " + short
	default:
		r.Title, short = "It did not happen in "+states, "The search is not complete: it stopped at a bound."
	}
	r.Sentences = []string{short, h.explorer.Claim()}
	return r
}
