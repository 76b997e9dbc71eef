package shrink_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/hunt"
	"github.com/leaselab/leaselab/sim/study/shrink"
)

var stress = flag.Int("stress", 0, "runs")
var stressSeed = flag.Uint64("stressSeed", 1, "seed")

func breaksRule(s scenario.Scenario, rule string) bool {
	s.Expect = nil
	if scenario.Validate(s) != nil {
		return false
	}
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	for i := range r.Checks.Violations {
		if v := &r.Checks.Violations[i]; v.Rule == rule && v.Severity != rules.Observation {
			return true
		}
	}
	return false
}

func TestStress(t *testing.T) {
	if *stress == 0 {
		t.Skip()
	}
	s := named(t, "first-election")
	s.Duration = scenario.Duration(100 * time.Second)
	h, err := hunt.New(hunt.Plan{Scenario: s, Seed: *stressSeed, Runs: *stress, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	for {
		trials := h.Round()
		if len(trials) == 0 {
			break
		}
		for _, x := range trials {
			for !x.Go(1 << 40) {
			}
		}
		h.Take(trials)
	}
	n, notIdem, nonmin, winbad := 0, 0, 0, 0
	for _, f := range h.Outcome().Failures {
		src := f.Scenario
		src.Expect = nil
		n++
		begun := time.Now()
		o := shrunk(t, shrink.Plan{Scenario: src, Rule: f.Rule, Windows: true})
		took := time.Since(begun)
		again := shrunk(t, shrink.Plan{Scenario: o.Scenario, Rule: o.Rule})
		if a, b := string(scenario.Encode(o.Scenario)), string(scenario.Encode(again.Scenario)); a != b {
			notIdem++
			fmt.Printf("NOTIDEM tried=%d steps=%d\n  %s\n  %s\n", o.Tried, len(o.Steps), a, b)
		}
		if took > 3*time.Second {
			fmt.Printf("SLOW %s\n", took)
		}
		code, _ := judged(o.Scenario)
		if code != 0 {
			fmt.Printf("CODE %d %s\n", code, scenario.Encode(o.Scenario))
		}
		// by hand
		report := func(what string, c scenario.Scenario) {
			if breaksRule(c, o.Rule) {
				nonmin++
				fmt.Printf("SMALLER %s\n  %s\n  %s\n", what, scenario.Encode(o.Scenario), scenario.Encode(c))
			}
		}
		for i := range o.Scenario.Actions {
			c := o.Scenario.Clone()
			c.Actions = append(c.Actions[:i:i], c.Actions[i+1:]...)
			report("without act", c)
			for k := i + 1; k < len(o.Scenario.Actions); k++ {
				c := o.Scenario.Clone()
				c.Actions = append(append(c.Actions[:i:i], c.Actions[i+1:k]...), c.Actions[k+1:]...)
				report("without two acts", c)
			}
			if f := o.Scenario.Actions[i].For; f > 0 {
				c := o.Scenario.Clone()
				c.Actions[i].For = 0
				if len(c.Actions) > 0 {
					_ = c
				}
				step := scenario.Duration(1e9)
				for _, g := range []scenario.Duration{1e9, 500e6, 100e6} {
					if f%g == 0 {
						step = g
						break
					}
				}
				for d := step; d < f; d += step {
					c := o.Scenario.Clone()
					c.Actions[i].For = d
					if breaksRule(c, o.Rule) {
						report(fmt.Sprintf("for %s in place of %s", d, f), c)
						break
					}
				}
			}
		}
		for i := range o.Scenario.Candidates {
			c := o.Scenario.Clone()
			name := c.Candidates[i].Name
			c.Candidates = append(c.Candidates[:i:i], c.Candidates[i+1:]...)
			var acts []scenario.Action
			for _, a := range c.Actions {
				if a.Target != name {
					acts = append(acts, a)
				}
			}
			c.Actions = acts
			report("without candidate "+name, c)
		}
		for d := scenario.Duration(10e9); d < o.Scenario.Duration; d += 10e9 {
			c := o.Scenario.Clone()
			c.Duration = d
			report("duration "+d.String(), c)
		}
		for _, w := range o.Windows {
			for at := w.FromNs; at <= w.ToNs; at += 1e8 {
				c := o.Scenario.Clone()
				c.Actions[w.Act].At = scenario.Duration(at)
				if !breaksRule(c, o.Rule) {
					winbad++
					fmt.Printf("WINDOW act %d from %d to %d: not at %d  %s\n", w.Act, w.FromNs, w.ToNs, at, scenario.Encode(o.Scenario))
					break
				}
			}
			for _, at := range []int64{w.FromNs - 1e8, w.ToNs + 1e8} {
				if at < w.FromNs && w.AtStart || at > w.ToNs && w.AtEnd {
					continue
				}
				c := o.Scenario.Clone()
				c.Actions[w.Act].At = scenario.Duration(at)
				if breaksRule(c, o.Rule) {
					fmt.Printf("BEYOND act %d %d..%d: at %d too %s\n", w.Act, w.FromNs, w.ToNs, at, scenario.Encode(o.Scenario))
				}
			}
		}
	}
	fmt.Printf("n=%d notIdem=%d nonmin=%d winbad=%d\n", n, notIdem, nonmin, winbad)
}
