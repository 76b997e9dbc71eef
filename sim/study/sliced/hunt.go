package sliced

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/hunt"
	"github.com/leaselab/leaselab/sim/words"
)

// sliceRequests is how many simulated requests a slice has.
const sliceRequests = 4_000

func huntForm(s scenario.Scenario) Form {
	names, _ := hunt.Kinds()
	return Form{
		Says:  "Random faults on this scenario: each run has others, guided by what earlier runs came to. Under them it is watched for safety, then everything heals and a leader is demanded. Each distinct failure is shrunk and listed once.",
		Start: "Hunt",
		Fields: []FormField{
			{Name: "runs", Label: "Runs", Help: "the hunt ends after so many", Value: "20000"},
			{Name: "seed", Label: "Seed", Help: "another seed draws other faults", Value: strconv.FormatUint(s.Seed, 10)},
			{Name: "faults", Label: "Faults", Help: "all, or some of " + strings.Join(names, ", "), Value: "all"},
		},
	}
}

// hunting is a hunt under way.
type hunting struct {
	hunt    *hunt.Hunt
	plan    hunt.Plan
	trials  []*hunt.Trial
	next    int // the trial of the round that is under way
	over    bool
	items   []Item
	command string
}

func newHunt(s scenario.Scenario, file string, given answers) (Study, error) {
	p := hunt.Plan{Scenario: s}
	runs, err := strconv.Atoi(strings.ReplaceAll(given["runs"], ",", ""))
	if err != nil || runs < 1 || runs > hunt.MaxRuns {
		return nil, refuse("runs", given["runs"], fmt.Sprintf("runs %q must be 1 to %s; further hunts with another seed go on elsewhere", given["runs"], words.Thousands(hunt.MaxRuns)))
	}
	p.Runs = runs
	if p.Seed, err = strconv.ParseUint(given["seed"], 10, 64); err != nil || p.Seed > scenario.MaxSeed {
		return nil, refuse("seed", given["seed"], fmt.Sprintf("seed %q must be a whole number from 0 to %d", given["seed"], uint64(scenario.MaxSeed)))
	}
	h := &hunting{command: fmt.Sprintf("leaselab hunt %s --runs %d --seed %d", file, p.Runs, p.Seed)}
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
		if len(h.trials) > 0 {
			h.hunt.Take(h.trials)
		}
		h.trials, h.next = h.hunt.Round(), 0
		h.over = len(h.trials) == 0
	}
	if h.over {
		return true, nil
	}
	if h.trials[h.next].Go(sliceRequests) {
		h.next++
	}
	return false, nil
}

// Report implements Study.
func (h *hunting) Report() Report {
	o := h.hunt.Outcome()
	for i := len(h.items); i < len(o.Failures); i++ {
		h.items = append(h.items, huntedItem(&o.Failures[i]))
	}
	r := Report{
		Done: int64(o.Runs), Of: int64(h.plan.Runs), Unit: "runs", Items: h.items, Command: h.command,
		Progress: fmt.Sprintf("%s kinds of events and states, %s", words.Thousands(int64(o.Features)), words.Count(len(o.Failures), "failure", "failures")),
	}
	switch {
	case len(o.Failures) > 0:
		r.Title, r.Tone = words.Count(len(o.Failures), "distinct failure", "distinct failures"), "bad"
	case h.over:
		r.Title, r.Tone = "No failure in "+words.Thousands(int64(o.Runs))+" runs.", "good"
		r.Sentences = []string{"That proves nothing about other faults: another seed draws others."}
	}
	return r
}

func huntedItem(f *hunt.Failure) Item {
	one := Item{Title: fmt.Sprintf("%s (%s), found by run %s with %s", f.Rule, f.Severity, words.Thousands(int64(f.Run)), words.Count(f.Found, "act", "acts"))}
	if f.Crash != "" {
		one.Title = "The simulator failed: " + f.Crash
	}
	for i := range f.Scenario.Actions {
		one.Lines = append(one.Lines, failure.ActWords(&f.Scenario.Actions[i]))
	}
	at := int64(f.Scenario.Duration)
	if _, known := rules.Named(f.Rule); known && f.Crash == "" {
		at = brokenAt(f.Scenario, f.Rule)
	}
	one.Run = opens("Open it", f.Scenario, at)
	return one
}
