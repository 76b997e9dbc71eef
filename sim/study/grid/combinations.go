// Package grid runs a scenario with every combination of the values of some fields, each with many seeds, and counts what
// became of the runs.
//
// Guarantee: a row is a function of its scenario and its runs; the order in which they were run does not matter.
// Non-guarantee: a share of so many runs is an estimate; it carries its 95 % interval.
package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// MaxCombinations is how many a grid has at most.
const MaxCombinations = 10_000

// Combination is a scenario with one value for each of the paths.
type Combination struct {
	Changes  []scenario.Change
	Scenario scenario.Scenario
}

// Combinations returns the scenario with each combination of the values of sets, which read PATH=VALUE,VALUE,… or
// PATH=FROM..TO/STEP. The last set changes fastest. What the scenario expects is left out. An error begins with the path or the
// set that is wrong; every combination is validated.
func Combinations(s scenario.Scenario, sets []string) ([]Combination, error) {
	s.Expect = nil // it is expected of the run as it is
	var paths []string
	var values [][]string // by path
	count := 1
	for _, set := range sets {
		path, text, found := strings.Cut(set, "=")
		if !found || path == "" {
			return nil, fmt.Errorf("%q must be PATH=VALUES, such as elector.retryPeriod=1s,2s,4s", set)
		}
		if slices.Contains(paths, path) {
			return nil, fmt.Errorf("%s: the path is given twice; all of its values go into one", path)
		}
		paths = append(paths, path)
		those, err := Values(path, text)
		if err != nil {
			return nil, err
		}
		if count*len(those) > MaxCombinations {
			return nil, fmt.Errorf("%s: %d values make %d combinations; the limit is %d", path, len(those), count*len(those), MaxCombinations)
		}
		count, values = count*len(those), append(values, those)
	}
	all := make([]Combination, count)
	for i := range all {
		one := Combination{Changes: make([]scenario.Change, len(paths))}
		for k, rest := len(paths)-1, i; k >= 0; k-- {
			one.Changes[k] = scenario.Change{Path: paths[k], Value: values[k][rest%len(values[k])]}
			rest /= len(values[k])
		}
		var err error
		if one.Scenario, err = scenario.SetAll(s, one.Changes); err != nil {
			return nil, fmt.Errorf("%s: %w", one.String(), err)
		}
		all[i] = one
	}
	return all, nil
}

// String is the changes, as PATH=VALUE.
func (c *Combination) String() string {
	texts := make([]string, len(c.Changes))
	for i, change := range c.Changes {
		texts[i] = change.Path + "=" + change.Value
	}
	return strings.Join(texts, " ")
}
