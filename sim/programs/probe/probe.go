package probe

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Probe is one question about an elector.
type Probe struct {
	Name     string // such as waits-full-lease
	Asks     string // the rule that the elector should keep, as a sentence
	Fix      string // what to change in an elector that breaks the rule
	Upstream string // where client-go breaks the rule, and the issue about it; "" if it keeps the rule

	play  string
	check func(w *Watch, d *Durations) answer
}

// answer is what a probe finds. The zero answer means that the elector keeps the rule.
type answer struct {
	wrong string // what the elector did instead
	open  string // why the play says nothing about the rule
}

var passed answer

func wrong(format string, args ...any) answer { return answer{wrong: fmt.Sprintf(format, args...)} }

func open(why string) answer { return answer{open: why} }

var nobodyLed = open("nobody worked before the disturbance")

// State is the state of a probe.
type State string

const (
	Passed State = "passed"
	Failed State = "failed"
	Open   State = "open" // the play did not get far enough, or does not run here
)

// Result is the answer to a probe.
type Result struct {
	Probe string `json:"probe"`
	Asks  string `json:"asks"`
	State State  `json:"state"`
	Why   string `json:"why,omitempty"` // what the elector did instead, or why the probe is open
	Fix   string `json:"fix,omitempty"`
	Known string `json:"known,omitempty"` // where client-go has the same fault
}

// Play is one of the short runs, with the probes that read it.
type Play struct {
	Name     string
	Scenario scenario.Scenario
	Probes   []Probe
}

// Plays lists the plays for an elector with these durations, in the order of the probes.
func Plays(d Durations) []Play {
	var all []Play
	for _, p := range probes {
		k := slices.IndexFunc(all, func(one Play) bool { return one.Name == p.play })
		if k < 0 {
			of := *plays[p.play]
			of.name = p.play
			k = len(all)
			all = append(all, Play{Name: p.play, Scenario: of.scenario(d)})
		}
		all[k].Probes = append(all[k].Probes, p)
	}
	return all
}

// Answers returns the results of a play's probes.
func (p *Play) Answers(w *Watch, d Durations) []Result {
	var all []Result
	for k := range p.Probes {
		one := &p.Probes[k]
		r := Result{Probe: one.Name, Asks: one.Asks, State: Passed}
		switch found := one.check(w, &d); {
		case found.wrong != "":
			r.State, r.Why, r.Fix, r.Known = Failed, found.wrong, one.Fix, one.Upstream
		case found.open != "":
			r.State, r.Why = Open, found.open
		}
		all = append(all, r)
	}
	return all
}

// Unasked returns the results of a play that does not run, with the reason.
func (p *Play) Unasked(why string) []Result {
	var all []Result
	for k := range p.Probes {
		all = append(all, Result{Probe: p.Probes[k].Name, Asks: p.Probes[k].Asks, State: Open, Why: why})
	}
	return all
}

// InOrder sorts results by the order of the probes.
func InOrder(all []Result) []Result {
	at := func(r Result) int { return slices.IndexFunc(probes, func(p Probe) bool { return p.Name == r.Probe }) }
	slices.SortFunc(all, func(a, b Result) int { return at(a) - at(b) })
	return all
}
