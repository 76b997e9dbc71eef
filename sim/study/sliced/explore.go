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

// pageStates is the form's initial bound on states. It is low, because a page has limited memory.
const (
	pageStates = 200_000
	mostStates = 1_000_000
)

func exploreForm(s scenario.Scenario) Form {
	window := "0s..60s"
	if short := time.Duration(s.Duration); short < time.Minute {
		window = "0s.." + short.String()
	}
	return Form{
		Says: "Can it happen at all? This runs every schedule within these bounds: each wait, each order at one " +
			"instant, each delay and each value. The answer says that no schedule breaks a rule, or shows the one " +
			"that breaks a rule first.",
		Start: "Explore",
		Fields: []FormField{
			{Name: "set", Label: "Values of fields",
				Help: "PATH=VALUES, several with semicolons, such as actions[0].for=10s..21s/1s"},
			{Name: "jitter", Label: "Draws of each wait",
				Help: "how much jitter a wait between two attempts has: low, middle, high, numbers from 0 to below " +
					"1, or none", Value: "low,middle,high"},
			{Name: "delay", Label: "Delays of messages", Help: "lengths in addition to 0s, such as 1s,5s, or none",
				Value: "none"},
			{Name: "order", Label: "Order at one instant",
				Help: "acts, requests and answers at one instant in every order (acts keep the scenario's order), or " +
					"all in the usual one", Value: "every", Options: []string{"every", "usual"}},
			{Name: "window", Label: "Window", Help: "FROM..TO; outside this window, each choice is the usual one",
				Value: window},
			{Name: "rule", Label: "Rules",
				Help: "that no schedule may break: writeByNonHolder, moreThanOneActive, moreThanOneActive>2s, " +
					"leaderless>30s; several with commas", Value: "writeByNonHolder,moreThanOneActive"},
			{Name: "depth", Label: "Depth", Help: "vary only this many choices of each schedule; empty: all"},
			{Name: "states", Label: "States",
				Help:  "stop at this many, at most a million here; a hundred thousand take about 6 MB",
				Value: strconv.Itoa(pageStates)},
		},
	}
}

// exploring is a search in progress.
type exploring struct {
	explorer *explore.Explorer
	over     bool
	item     *Item
	command  string
}

func newExplore(s scenario.Scenario, file string, given answers) (Study, error) {
	p := explore.Plan{Scenario: s, Sets: given.lines("set"), Order: given["order"] != "usual"}
	h := &exploring{command: "leaselab explore " + file}
	for _, set := range p.Sets {
		h.command += " --set " + words.ShellQuoted(set)
	}
	err := p.Read(given["jitter"], given["delay"], given["window"], given.list("rule"))
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
		Title: fmt.Sprintf("%s (%s) at %s: %s", c.Rule, c.Rule.Severity(), words.Instant(c.AtNs), c.Sentence),
		Run:   opens("Open it", c.Scenario, c.AtNs),
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
	r.Title, r.Tone = h.explorer.Claim(), "good"
	if h.item != nil {
		r.Items, r.Tone = []Item{*h.item}, "bad"
	}
	return r
}
