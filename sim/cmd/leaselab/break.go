package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// stop is the JSON of `leaselab run --break`: where the run stopped, and the state of the world there. If no breakpoint
// fired, At is the end and the state is the final one.
type stop struct {
	Scenario          string          `json:"scenario"`
	Engine            int             `json:"engine"`
	Seed              uint64          `json:"seed"`
	Hash              string          `json:"hash"`
	Breakpoints       []string        `json:"breakpoints"`
	Fired             bool            `json:"fired"`
	Breakpoint        string          `json:"breakpoint,omitempty"` // the condition that fired
	At                summary.Seconds `json:"at"`
	N                 int32           `json:"n"` // how many records of that instant have happened; -1 for all
	Headline          string          `json:"headline"`
	Holder            string          `json:"holder"`
	Active            []string        `json:"active"`
	LeaderlessSeconds summary.Seconds `json:"leaderlessSeconds"` // so far
	Nodes             []stopNode      `json:"nodes"`
}

// stopNode is one candidate at the stop. Role is what its process does ("following"), Believes is what its elector
// thinks ("c leads"). The two differ at the interesting moments: a paused leader, for example, believes "I lead".
type stopNode struct {
	Name     string `json:"name"`
	Role     string `json:"role"`
	Believes string `json:"believes"`
}

// runToBreak is `leaselab run --break`: it runs until a condition becomes true, and prints the instant and the state.
// It exits 0 if a breakpoint fired and 2 if none did, so a script can use a breakpoint as an assertion.
//
// It opens a session, because sim/lab already knows how to find the exact record at which a condition turns true. A
// condition fires when it turns from false to true. A session opens after the events of instant 0, so a condition that
// became true during these events would not fire. So runToBreak first moves back to before the first record.
//
// A breakpoint that fires after --until does not count. The session then goes back to --until and reports that nothing
// fired.
func (f *runFlags) runToBreak(out *bufio.Writer, s scenario.Scenario) error {
	if f.seeds != "" || f.trace != "" || f.output == "ndjson" {
		return fmt.Errorf(
			"--break cannot be combined with --seeds, --trace or -o ndjson; --seed, --until and -o json work")
	}
	l := lab.New(nil)
	if err := l.Open(lab.Opening{Whole: &s}); err != nil {
		return err
	}
	all := elements.Of(f.breaks, func(text string) protocol.Breakpoint { return protocol.Breakpoint{Text: text} })
	if err := l.SetBreakpoints(all); err != nil {
		return err
	}
	l.Seek(timeline.Cursor{}) // before the first record, so that a condition that is true at instant 0 fires
	fired, err := l.ToBreakpoint()
	if err != nil {
		return err
	}
	why := ""
	if fired == "" {
		why = l.Session().Toast
	}
	if until := f.untilNs(&s); l.Cursor().T > until || fired == "" && until < l.Cursor().T {
		l.Seek(timeline.Cursor{T: until, N: -1})
		fired = ""
	}
	v := view.Of(l.Look(), l.Session())
	report := stopOf(v, fired)
	if f.output == "json" {
		writeDocument(out, "Breakpoint", report)
	} else {
		writeStop(out, &report, v)
	}
	if fired == "" {
		return exitError{code: summary.Unexpected, why: why}
	}
	return nil
}

// stopOf copies the parts of a view that make sense in a terminal. In the page, {elapsed} in a headline counts up while
// time passes; here the length at the stop replaces {elapsed}.
func stopOf(v *protocol.View, fired string) stop {
	r := stop{
		Scenario: v.Scenario, Engine: world.Engine, Seed: v.Seed, Hash: v.Hash, Fired: fired != "", Breakpoint: fired,
		At: summary.Seconds(v.Cursor.T), N: v.Cursor.N,
		Headline: v.Headline.Title, Holder: v.Lease.Holder, Active: []string{},
		LeaderlessSeconds: summary.Seconds(v.Totals.LeaderlessNs),
	}
	if v.Headline.SinceT != nil {
		r.Headline = strings.ReplaceAll(r.Headline, "{elapsed}", words.Seconds(v.Cursor.T-*v.Headline.SinceT))
	}
	for _, b := range v.Breakpoints {
		r.Breakpoints = append(r.Breakpoints, b.Text)
	}
	for _, n := range v.Nodes {
		r.Nodes = append(r.Nodes, stopNode{Name: n.Name, Role: n.RoleWord, Believes: n.Believes})
		if n.Believes == "I lead" {
			r.Active = append(r.Active, n.Name)
		}
	}
	return r
}

// writeStop writes a stop as text. It gives the instant twice: rounded for reading, and exact for use in
// --until or a breakpoint.
func writeStop(out *bufio.Writer, r *stop, v *protocol.View) {
	if r.Fired {
		fmt.Fprintf(out, "stopped at %s (%s): %s\n", words.Instant(v.Cursor.T), exactSeconds(v.Cursor.T), r.Breakpoint)
	} else {
		fmt.Fprintf(out, "%s: never true before %s\n", strings.Join(r.Breakpoints, "; "), words.Instant(v.Cursor.T))
	}
	fmt.Fprintf(out, "%s, seed %d, hash %s\n%s\n", r.Scenario, r.Seed, r.Hash, r.Headline)
	holder := "has no holder"
	switch {
	case !v.Lease.Exists:
		holder = "does not exist"
	case r.Holder != "":
		holder = "is held by " + r.Holder
	}
	fmt.Fprintf(out, "the Lease %s (version %d)\n", holder, v.Lease.Version)
	for _, n := range r.Nodes {
		fmt.Fprintf(out, "  %-12s %-12s %s\n", n.Name, n.Role, n.Believes)
	}
	if len(r.Breakpoints) > 1 {
		fmt.Fprintf(out, "breakpoints: %s\n", strings.Join(r.Breakpoints, "; "))
	}
}

// exactSeconds prints an instant in seconds, exact to the nanosecond and without trailing zeros: 12 s is "12 s".
func exactSeconds(ns int64) string {
	text, _ := summary.Seconds(ns).MarshalJSON()
	return string(text) + " s"
}
