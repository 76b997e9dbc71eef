package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// varyPhase lets the seed draw the instant of the first act: from the act's instant in the file to one retryPeriod
// later. An act that already has the field "within" keeps it.
//
// Without --vary-phase, a leader that crashes at 60 s crashes at almost the same point between two renewals with every
// seed. Suppose the leader renews every 2 s and crashes 0.2 s after a renewal. Then all gaps are close to the longest,
// and a sweep of ten thousand seeds measures one case ten thousand times. If each seed draws the instant within one
// retryPeriod, every point between two renewals is equally likely.
func varyPhase(s scenario.Scenario) (scenario.Scenario, error) {
	v, err := grid.VaryPhase(s)
	if err != nil {
		return s, fmt.Errorf("--vary-phase: %w", err)
	}
	return v, nil
}

// warnOfOnePhase warns that the acts happen at the same instants with every seed. It is only a warning, because the
// user may want to measure jitter alone. With one seed, or without acts, it does not warn.
func warnOfOnePhase(s *scenario.Scenario, seeds int) {
	if seeds < 2 || len(s.Actions) == 0 || drawsAnInstant(s) {
		return
	}
	fmt.Fprintln(stderr,
		"leaselab: all seeds share one phase: each act hits the leader's renewals at the same point in every run; "+
			"give an act `within`, or use --vary-phase")
}

// overtaken names an act that may overtake the first one when --vary-phase delays the first one. Then some seeds play
// a different story: if a crash at 60 s moves to 60.0..62.0 s, a restart at 61 s sometimes precedes the crash. If no
// act can overtake the first one, it returns "".
func overtaken(before, varied *scenario.Scenario) string {
	if len(before.Actions) != len(varied.Actions) {
		return ""
	}
	for i := range varied.Actions {
		first := &varied.Actions[i]
		if first.Within == before.Actions[i].Within {
			continue
		}
		for k := range varied.Actions {
			if other := &varied.Actions[k]; k != i && other.At >= first.At && other.At < first.At+first.Within {
				return fmt.Sprintf(
					"--vary-phase draws the instant of act %d from %s to %s, but with some seeds act %d at %s comes "+
						"first; move that act, or give act %d a shorter `within`",
					i+1, time.Duration(first.At), time.Duration(first.At+first.Within), k+1, time.Duration(other.At), i+
						1)
			}
		}
	}
	return ""
}

// warnOfOrder warns if the function overtaken finds an act, and reports whether it finds one. The runs continue,
// because the other order may be exactly what the user wants to see.
func warnOfOrder(before, varied *scenario.Scenario) bool {
	text := overtaken(before, varied)
	if text != "" {
		fmt.Fprintln(stderr, "leaselab: "+text)
	}
	return text != ""
}

// drawsAnInstant reports whether the seed decides when an act happens.
func drawsAnInstant(s *scenario.Scenario) bool {
	return slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Within > 0 })
}

// seedAgain returns the command that repeats one seed, with its drawn instants written out. The seed alone is not
// enough: `leaselab run --seed 7` runs the file, where the act has no "within", so the act happens at a different
// instant. In a sweep, the argument "sets" has the values of one combination. They come before the instants in the
// command, because the instants depend on them.
func seedAgain(arg string, s scenario.Scenario, seed uint64, sets ...scenario.Change) string {
	s.Seed = seed
	pinned := compile.Pin(s)
	var b strings.Builder
	fmt.Fprintf(&b, "leaselab run %s --seed %d", words.ShellArgument(arg), seed)
	for _, set := range sets {
		b.WriteString(" --set " + words.ShellQuoted(set.Path+"="+cmp.Or(set.Value, grid.Default)))
	}
	for i := range s.Actions {
		if s.Actions[i].Within > 0 {
			fmt.Fprintf(&b, " --set 'actions[%d].at=%s' --set 'actions[%d].within=0s'", i,
				time.Duration(pinned.Actions[i].At), i)
		}
	}
	return b.String()
}

// setAll applies PATH=VALUE arguments, all at once. One by one, the changes might pass through an invalid scenario. For
// example, leaseDuration=10s alone is invalid with the default renewDeadline of 10 s, but valid together with
// renewDeadline=7s. An empty value is an error, because it probably comes from an unset shell variable; the word
// (default) stands for the default.
func setAll(s scenario.Scenario, sets []string) (scenario.Scenario, error) {
	changes, err := changesOf(sets)
	if err != nil {
		return s, err
	}
	if s, err = scenario.SetAll(s, changes); err != nil {
		err = fmt.Errorf("--set %w", err)
	}
	return s, err
}

// changesOf reads PATH=VALUE arguments.
func changesOf(sets []string) (changes []scenario.Change, err error) {
	for _, set := range sets {
		path, value, found := strings.Cut(set, "=")
		if !found || path == "" {
			return nil, fmt.Errorf("--set %s must be PATH=VALUE, such as actions[0].at=20s", strconv.Quote(set))
		}
		switch value {
		case "":
			return nil, fmt.Errorf("--set %s: the value is empty; write %s for the field's default", path,
				strconv.Quote(path+"="+grid.Default))
		case grid.Default:
			value = ""
		}
		changes = append(changes, scenario.Change{Path: path, Value: value})
	}
	return changes, nil
}
