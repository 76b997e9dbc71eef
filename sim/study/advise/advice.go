package advise

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Advice is the JSON of an adviser's outcome.
type Advice struct {
	Scenario   string   `json:"scenario"`
	Engine     int      `json:"engine"`
	Goals      []string `json:"goals"`
	Tried      int      `json:"tried"`      // number of tried settings
	RunsOfEach int      `json:"runsOfEach"` // runs of each tried setting, for each kind of run
	Latency    string   `json:"latency"`    // latency in all runs, in words; "" for the scenario's own
	Region     *Region  `json:"region"`     // null if no setting meets all goals
	// the settings come from the part of the region without two leaders at once, unless a goal allows two
	NeverTwo bool      `json:"neverTwo"`
	Settings []Advised `json:"settings"` // at most three
	// if no setting meets all goals in a thousand runs: a setting that meets them in the lattice's runs; otherwise
	// null
	Almost        *Advised       `json:"almost"`
	Contradiction *Contradiction `json:"contradiction"` // null if the goals do not contradict
}

// Region is the bounding box of the settings that meet all goals. Not every setting in the box meets them.
type Region struct {
	Settings      int   `json:"settings"`
	LeaseDuration Range `json:"leaseDuration"`
	RenewDeadline Range `json:"renewDeadline"`
	RetryPeriod   Range `json:"retryPeriod"`
}

// Range is two durations in Go's format.
type Range struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Values is a setting, with durations in Go's format.
type Values struct {
	LeaseDuration  string `json:"leaseDuration"`
	RenewDeadline  string `json:"renewDeadline"`
	RetryPeriod    string `json:"retryPeriod"`
	RequestTimeout string `json:"requestTimeout"`
}

// String returns the setting in words.
func (v *Values) String() string {
	return fmt.Sprintf("leaseDuration %s, renewDeadline %s, retryPeriod %s, requestTimeout %s", v.LeaseDuration,
		v.RenewDeadline, v.RetryPeriod, v.RequestTimeout)
}

// Advised is a setting that meets all goals, with the measurements from its thousand runs. Measured contains the
// figures that the user asked for and all other figures, so that each of the three choices shows its price.
type Advised struct {
	Role     string    `json:"role"` // quickest, quietest or steadiest of the settings that meet the goals
	Values   Values    `json:"values"`
	Measured []Measure `json:"measured"`
}

// Measure is the measurement for one goal from the runs of a setting.
type Measure struct {
	Goal   string `json:"goal"` // name of the goal
	Wished bool   `json:"wished"`
	// in seconds; for writes and requests, per minute; for survive and latency, the number of runs that lost their
	// leader
	Value  float64 `json:"value"`
	Says   string  `json:"says"`
	Runs   int     `json:"runs"`
	Of     string  `json:"of"`     // the kind of these runs, in words
	Replay string  `json:"replay"` // the command that makes these runs
}

// Contradiction is a smallest set of goals that no setting meets together. "Smallest" means that without any one of
// these goals, some setting meets the others. If the set has a latency goal only to make a proof possible, the set
// may not be minimal.
type Contradiction struct {
	Goals   []string  `json:"goals"`
	Minimal bool      `json:"minimal"` // without any one goal, some setting meets the others; false if not measured
	Proved  bool      `json:"proved"`  // the contradiction is true for every setting; otherwise for the tried settings
	Why     []string  `json:"why"`     // sentences
	Nearest []Nearest `json:"nearest"`
	// other smallest sets of goals with a proof that they contradict each other
	Also [][]string `json:"also,omitempty"`
}

// Title states the contradiction in one sentence.
func (c *Contradiction) Title() string {
	switch goals := strings.Join(c.Goals, " and "); {
	case len(c.Goals) == 1 && c.Proved:
		return "No setting meets " + goals + "."
	case len(c.Goals) == 1:
		return "No tried setting meets " + goals + "."
	case c.Proved:
		return "These contradict each other: " + goals + "."
	default:
		return "No tried setting meets all of these: " + goals + "."
	}
}

// Sentences lists which other goals contradict each other, and which are possible together, as far as the adviser
// knows.
func (c *Contradiction) Sentences() (all []string) {
	if len(c.Goals) < 2 {
		return nil
	}
	if len(c.Also) > 0 {
		also := elements.Of(c.Also, func(goals []string) string { return strings.Join(goals, " and ") })
		all = append(all, "So do these: "+strings.Join(also, "; ")+".")
	}
	switch {
	case !c.Minimal:
	case len(c.Goals) == 2:
		all = append(all, c.Goals[0]+" is possible alone, and so is "+c.Goals[1]+".")
	default:
		all = append(all, fmt.Sprintf("Any %d of the %d goals are possible together.", len(c.Goals)-1, len(c.Goals)))
	}
	return all
}

// NearestTo describes the settings among which a Nearest is the best.
func (c *Contradiction) NearestTo(n *Nearest) string {
	others := elements.If(c.Goals, func(goal string) bool { return goal != n.Goal })
	if len(others) == 0 {
		return "the nearest to " + n.Goal
	}
	return "the nearest to " + n.Goal + ", among the settings that meet " + strings.Join(others, " and ")
}

// Nearest is the best result for one of the goals among the settings that meet the others.
type Nearest struct {
	Goal    string  `json:"goal"`
	Values  Values  `json:"values"`
	Measure Measure `json:"measure"`
}

// Advice returns the findings. The argument is the scenario's name on a command line, for the commands that make the
// runs again. Call Advice when Next has returned nil; before that, the outcome is incomplete.
func (a *Adviser) Advice(argument string) Advice {
	out := Advice{Scenario: a.base.Name, Engine: world.Engine, RunsOfEach: latticeRuns, Latency: latencyText(a.goals),
		Settings: []Advised{}}
	for i := range a.goals {
		out.Goals = append(out.Goals, a.goals[i].String())
	}
	for _, measured := range a.tried {
		if measured != nil {
			out.Tried++
		}
	}
	if a.set != nil {
		out.Contradiction = a.contradiction(argument, out.Tried)
		return out
	}
	out.NeverTwo = a.apart
	region := a.feasible(a.wishes())
	for _, c := range a.chosen { // a proof says more than another setting's failures
		if !slices.Contains(region, c.setting) {
			region = append(region, c.setting)
		}
	}
	out.Region = a.region(region)
	for _, role := range roles {
		at := slices.IndexFunc(a.chosen, func(c choice) bool { return c.role == role.name && c.proved != nil })
		if at < 0 {
			continue
		}
		out.Settings = append(out.Settings, a.adviceFor(argument, &a.chosen[at]))
	}
	if len(out.Settings) == 0 && a.almost != nil {
		almost := a.adviceFor(argument, a.almost)
		out.Almost = &almost
	}
	return out
}

func (a *Adviser) adviceFor(argument string, c *choice) Advised {
	one := Advised{Role: c.role, Values: a.settings[c.setting].values()}
	for p := range noProbe { // list the figures from the same runs together
		for g := range a.all {
			if a.all[g].probe == p {
				one.Measured = append(one.Measured, a.measure(argument, c.setting, g, c.proved[g]))
			}
		}
	}
	return one
}

func (a *Adviser) measure(argument string, setting, goal int, m measurement) Measure {
	g := &a.all[goal]
	value := float64(m.value)
	switch {
	case g.Name == Survive || g.Name == Latency:
	case g.length:
		value /= float64(second)
	default:
		value /= thousand
	}
	return Measure{
		Goal: g.Label(), Wished: goal < len(a.goals), Value: value, Says: g.says(m), Runs: m.runs,
		Of:     g.probe.describe(a.goals),
		Replay: g.replay(argument, g.probe.changes(&a.settings[setting], a.goals), m.runs),
	}
}

// `replay` returns the command that makes the runs of a measure and prints its value. Writes per minute appear only in
// a sweep's row.
func (g *Goal) replay(argument string, changes []scenario.Change, runs int) string {
	verb, output := "run", ""
	if g.probe == calm {
		verb, output = "sweep", " -o json"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "leaselab %s %s --seeds 1..%d", verb, words.ShellArgument(argument), runs)
	for _, c := range changes {
		if strings.ContainsAny(c.Value, `{[(`) {
			b.WriteString(" --set " + words.ShellQuoted(c.Path+"="+c.Value))
		} else {
			fmt.Fprintf(&b, " --set %s=%s", c.Path, c.Value)
		}
	}
	return b.String() + output
}

func (s *Setting) values() Values {
	write := func(ns int64) string { return time.Duration(ns).String() }
	return Values{write(s.Lease), write(s.Renew), write(s.Retry), write(s.Timeout)}
}

func (a *Adviser) region(feasible []int) *Region {
	if len(feasible) == 0 {
		return nil
	}
	r := &Region{Settings: len(feasible)}
	for _, field := range []struct {
		of *Range
		ns func(s *Setting) int64
	}{
		{&r.LeaseDuration, func(s *Setting) int64 { return s.Lease }},
		{&r.RenewDeadline, func(s *Setting) int64 { return s.Renew }},
		{&r.RetryPeriod, func(s *Setting) int64 { return s.Retry }},
	} {
		all := elements.Of(feasible, func(i int) int64 { return field.ns(&a.settings[i]) })
		*field.of = Range{time.Duration(slices.Min(all)).String(), time.Duration(slices.Max(all)).String()}
	}
	return r
}

func (a *Adviser) contradiction(argument string, tried int) *Contradiction {
	c := &Contradiction{Proved: a.proof != nil, Minimal: !a.joined, Why: a.proof, Nearest: []Nearest{}}
	for _, g := range a.set {
		c.Goals = append(c.Goals, a.goals[g].String())
	}
	if !c.Proved {
		wishes := elements.Of(a.set, func(g int) string { return a.goals[g].Says() })
		none := "does both"
		if len(wishes) > 2 {
			none = "does all of that"
		} else if len(wishes) == 1 {
			none = "does it"
		}
		c.Why = []string{fmt.Sprintf("Of %s, none %s: %s.",
			words.Count(tried, "measured setting", "measured settings"), none,
			strings.Join(wishes, ", and "))}
	}
	for _, set := range a.otherProved() {
		goals := elements.Of(set, func(g int) string { return a.goals[g].String() })
		c.Also = append(c.Also, goals)
	}
	for _, g := range a.set {
		near := a.nearest(g, 1)
		if len(near) == 0 {
			continue
		}
		best := near[0]
		c.Nearest = append(c.Nearest, Nearest{a.goals[g].String(), a.settings[best].values(),
			a.measure(argument, best, g, a.tried[best][g])})
	}
	return c
}
