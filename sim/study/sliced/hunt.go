package sliced

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/hunt"
	"github.com/leaselab/leaselab/sim/words"
)

// sliceRequests is the number of simulated requests in a slice.
const sliceRequests = 4_000

func huntForm(s scenario.Scenario) Form {
	names, _ := hunt.Kinds()
	return Form{
		Says: "What could go wrong that nobody thought of? Each run adds random faults, guided by what earlier runs " +
			"reached. During the faults the hunt checks the safety rules; then all faults end, and some candidate " +
			"must lead. The hunt shrinks each distinct failure and lists it once. Open a failure, and WHY explains it.",
		Start: "Hunt",
		Fields: []FormField{
			{Name: "runs", Label: "Runs", Help: "the hunt ends after this many; empty: by time alone", Value: "20000"},
			{Name: "time", Label: "Time", Help: "the hunt ends after this long, such as 60s; empty: by runs alone"},
			{Name: "seed", Label: "Seed", Help: "another seed draws other faults",
				Value: strconv.FormatUint(s.Seed, 10)},
			{Name: "faults", Label: "Faults", Help: "all, or some of " + strings.Join(names, ", "), Value: "all"},
		},
	}
}

// hunting is a hunt in progress.
type hunting struct {
	hunt    *hunt.Hunt
	plan    hunt.Plan
	trials  []*hunt.Trial
	next    int // the trial of the current round that is in progress
	over    bool
	items   []Item
	command string
	budget  time.Duration // time limit; 0 for no limit
	spent   time.Duration
	late    bool // the time is up
	shared  under[[]*hunt.Trial]
}

func newHunt(s scenario.Scenario, file string, given answers) (Study, error) {
	p := hunt.Plan{Scenario: s}
	h := &hunting{command: "leaselab hunt " + file}
	var err error
	if text := given["time"]; text != "" {
		if h.budget, err = time.ParseDuration(text); err != nil || h.budget <= 0 {
			return nil, refuse("time", text,
				fmt.Sprintf("time %q must be a length above 0 with its unit, such as 60s or 10m", text))
		}
		h.command += " --budget " + h.budget.String()
	}
	p.Runs = hunt.MaxRuns
	if given["runs"] != "" || h.budget == 0 {
		p.Runs, err = strconv.Atoi(strings.ReplaceAll(given["runs"], ",", ""))
		if err != nil || p.Runs < 1 || p.Runs > hunt.MaxRuns {
			return nil, refuse("runs", given["runs"],
				fmt.Sprintf(
					"runs %q must be 1 to %s, or empty if the hunt ends by time; a hunt with another seed tries "+
						"other faults", given["runs"], words.Thousands(hunt.MaxRuns)))
		}
		h.command += fmt.Sprintf(" --runs %d", p.Runs)
	}
	if p.Seed, err = strconv.ParseUint(given["seed"], 10, 64); err != nil || p.Seed > scenario.MaxSeed {
		return nil, refuse("seed", given["seed"],
			fmt.Sprintf("seed %q must be a whole number from 0 to %d", given["seed"], uint64(scenario.MaxSeed)))
	}
	h.command += fmt.Sprintf(" --seed %d", p.Seed)
	if given["faults"] != "all" {
		p.Faults = given.list("faults")
		if len(p.Faults) == 0 {
			return nil, refuse("faults", "", "name some faults, or write all")
		}
		h.command += " --faults " + strings.Join(p.Faults, ",")
	}
	h.plan = p
	if h.hunt, err = hunt.New(p); err != nil {
		return nil, refuse("faults", given["faults"], err.Error())
	}
	return h, nil
}

// Go implements Study.
func (h *hunting) Go() (over bool, err error) {
	if h.next == len(h.trials) {
		h.nextRound()
	}
	if h.over {
		return true, nil
	}
	if h.trials[h.next].Go(sliceRequests) {
		h.next++
	}
	return false, nil
}

// nextRound processes the results of a round, and begins the next one unless the hunt is over.
func (h *hunting) nextRound() {
	if len(h.trials) > 0 {
		h.hunt.Take(h.trials)
	}
	h.next = 0
	if h.late = h.late || h.budget > 0 && h.spent >= h.budget; h.late {
		h.trials = h.hunt.Last()
	} else {
		h.trials = h.hunt.Round()
	}
	h.over = len(h.trials) == 0
}

// Report implements Study.
func (h *hunting) Report() Report {
	o := h.hunt.Outcome()
	for i := len(h.items); i < len(o.Failures); i++ {
		h.items = append(h.items, huntedItem(&o.Failures[i]))
	}
	done, shrinking := o.Runs, 0
	for _, t := range h.trials {
		switch {
		case t.Shrinks() && !t.Over():
			shrinking++
		case t.Over() && !t.Shrinks():
			done++
		}
	}
	r := Report{
		Done: int64(done), Of: int64(h.plan.Runs), Unit: "runs", Items: h.items, Command: h.command,
		Progress: fmt.Sprintf("%s kinds of events and states, %s", words.Thousands(int64(o.Features)),
			words.Count(len(o.Failures), "failure", "failures")),
	}
	if shrinking > 0 {
		r.Progress += fmt.Sprintf(", shrinking %d more", shrinking)
	}
	if h.budget > 0 {
		r.Of = 0 // the time limit may end the hunt earlier
	}
	if h.over {
		r.Progress += ", hash " + o.Hash
	}
	switch {
	case len(o.Failures) > 0:
		r.Title, r.Tone = words.Count(len(o.Failures), "distinct failure", "distinct failures"), "bad"
		r.Sentences = []string{
			"Save the scenario of a failure to run it again with the command: leaselab run scenario.yaml."}
	case h.over:
		r.Title, r.Tone = "No failure in "+words.Thousands(int64(o.Runs))+" runs.", "good"
		r.Sentences = []string{"That proves nothing about other faults: another seed draws others."}
	}
	return r
}

func huntedItem(f *hunt.Failure) Item {
	what := f.Rule
	if rule, known := rules.ByName(f.Rule); known {
		what += ": " + rule.Title
	}
	one := Item{Title: fmt.Sprintf("%s (%s), found by run %s with %s", what, f.Severity, words.Thousands(int64(f.Run)),
		words.Count(f.Found, "act", "acts"))}
	if f.Crash != "" {
		one.Title = "The simulator failed: " + f.Crash
	}
	for i := range f.Scenario.Actions {
		one.Lines = append(one.Lines, failure.ActWords(&f.Scenario.Actions[i]))
	}
	if len(f.Causes) > 0 { // the causes distinguish failures of the same rule
		one.Lines = append(one.Lines, "causes: "+strings.Join(f.Causes, "; "))
	}
	at := int64(f.Scenario.Duration)
	if _, known := rules.ByName(f.Rule); known && f.Crash == "" {
		at = brokenAt(f.Scenario, f.Rule)
	}
	one.Run = opens("Open it", f.Scenario, at)
	return one
}
