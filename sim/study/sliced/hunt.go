package sliced

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/hunt"
	"github.com/leaselab/leaselab/sim/words"
)

// sliceRequests is the number of simulated requests in a slice.
const sliceRequests = 4_000

func huntForm(f *Form, s scenario.Scenario) {
	names, _ := hunt.Kinds()
	f.field("seed").Value = strconv.FormatUint(s.Seed, 10)
	f.field("faults").Help += strings.Join(names, ", ")
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
		p.Faults = given.list("faults", ",")
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
		item := huntedItem(&o.Failures[i])
		if slices.ContainsFunc(h.items, func(o Item) bool { return o.Title == item.Title }) {
			item.Note += ", with another chain of causes"
		}
		h.items = append(h.items, item)
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
		r.Title, r.Tone = words.Count(len(o.Failures), "way", "ways")+" to break it, in "+
			words.Count(done, "run", "runs"), "bad"
		r.Sentences = []string{huntedSays(o.Failures)}
	case h.over:
		r.Title, r.Tone = "No failure in "+words.Thousands(int64(o.Runs))+" runs.", "good"
		r.Sentences = []string{"That proves nothing about other faults: another seed draws others."}
	}
	return r
}

// huntedSays counts what the failures end with, and how many need one act only.
func huntedSays(all []hunt.Failure) string {
	var kinds []string
	single, of := 0, map[string]int{}
	for i := range all {
		kind := kindWords(all[i].Rule)
		if of[kind]++; of[kind] == 1 {
			kinds = append(kinds, kind)
		}
		if len(all[i].Scenario.Actions) == 1 {
			single++
		}
	}
	says := ""
	for _, kind := range kinds {
		says += fmt.Sprintf("%s: %d. ", strings.ToUpper(kind[:1])+kind[1:], of[kind])
	}
	return says + fmt.Sprintf("One fault is enough for %d of them.", single)
}

func huntedItem(f *hunt.Failure) Item {
	one := Item{Kind: kindWords(f.Rule), Note: fmt.Sprintf("found by run %s, %s cut to %d",
		words.Thousands(int64(f.Run)), words.Count(f.Found, "act", "acts"), len(f.Scenario.Actions))}
	one.Title, one.Lines = actsSay(&f.Scenario)
	if f.Crash != "" {
		one.Title = "The simulator failed: " + f.Crash
	}
	if len(f.Causes) > 0 { // the causes distinguish failures of the same rule
		one.Lines = append(one.Lines, "Its causes: "+strings.Join(f.Causes, "; "))
	}
	at := int64(f.Scenario.Duration)
	if _, known := rules.ByName(f.Rule); known && f.Crash == "" {
		at = brokenAt(f.Scenario, f.Rule)
	}
	one.Run = opens(f.Scenario, at)
	return one
}
