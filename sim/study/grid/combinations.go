package grid

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
)

// MaxCombinations limits the combinations of a grid.
const MaxCombinations = 10_000

// Combination is a scenario with one value for each of the paths. Its field Scenario already contains the values, but
// not the seed.
type Combination struct {
	Changes  []scenario.Change
	Scenario scenario.Scenario
	Refused  string // the rule of the format that these values break; "" if the combination has runs
	short    string // Refused without client-go's or the API server's own words
}

// Default is the value that stands for a field's default.
const Default = "(default)"

// Combinations returns the scenario with each combination of the values of sets. A set has the form PATH=VALUES; see
// Values. The last set changes fastest. If a combination breaks a rule of the format, it has Refused and no runs. If
// the scenario's expect does not fit the values, the combination drops the assertions, because they were about the
// original run. Errors begin with the wrong path or set.
func Combinations(s scenario.Scenario, sets []string) ([]Combination, error) {
	paths, values, count, err := axes(sets)
	if err != nil {
		return nil, err
	}
	all := make([]Combination, count)
	refused := 0
	for i := range all {
		one := &all[i]
		one.Changes = make([]scenario.Change, len(paths))
		for k, rest := len(paths)-1, i; k >= 0; k-- {
			one.Changes[k] = scenario.Change{Path: paths[k], Value: values[k][rest%len(values[k])]}
			rest /= len(values[k])
		}
		if err := one.apply(s); err != nil {
			return nil, fmt.Errorf("%s: %w", one.String(), err)
		}
		if one.Refused != "" {
			refused++
		}
	}
	if refused == len(all) {
		return nil, fmt.Errorf("%s: %s%s", all[0].String(), all[0].Refused, others(len(all)-1))
	}
	return all, nil
}

// `others` describes how many further combinations also break a rule.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "; the other combination breaks it too"
	}
	return fmt.Sprintf("; the other %d combinations break rules too", n)
}

// `axes` parses the sets.
func axes(sets []string) (paths []string, values [][]string, count int, err error) {
	count = 1
	for _, set := range sets {
		path, text, found := strings.Cut(set, "=")
		if !found || path == "" {
			return nil, nil, 0, fmt.Errorf("%q must be PATH=VALUES, such as elector.retryPeriod=1s,2s,4s", set)
		}
		if slices.Contains(paths, path) {
			return nil, nil, 0, fmt.Errorf("%s: the path appears twice; put all its values into one", path)
		}
		those, err := Values(text)
		if err != nil {
			return nil, nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		seen := map[string]bool{}
		for _, value := range those {
			if seen[value] {
				return nil, nil, 0, fmt.Errorf("%s: the value %s appears twice", path, value)
			}
			seen[value] = true
		}
		if count*len(those) > MaxCombinations {
			return nil, nil, 0,
				fmt.Errorf("%s: %d values make %d combinations; the limit is %d; leave some out, or use a longer STEP",
					path, len(those), count*len(those), MaxCombinations)
		}
		paths, values, count = append(paths, path), append(values, those), count*len(those)
	}
	return paths, values, count, nil
}

// With applies a change to each of some paths and returns the combination, or an error if the format refuses it.
func With(s scenario.Scenario, changes []scenario.Change) (Combination, error) {
	c := Combination{Changes: changes}
	err := c.apply(s)
	if err == nil && c.Refused != "" {
		err = errors.New(c.Refused)
	}
	return c, err
}

// `apply` builds the scenario of a combination. If the format refuses that scenario, `apply` returns the reason.
func (c *Combination) apply(s scenario.Scenario) error {
	changes := slices.Clone(c.Changes)
	for k := range changes {
		if changes[k].Value == Default {
			changes[k].Value = ""
		}
	}
	changed, err := scenario.ApplyAll(s, changes)
	if err != nil {
		return err
	}
	if err := scenario.Validate(changed); err != nil {
		changed.Expect = nil
		if err := scenario.Validate(changed); err != nil {
			c.refuse(err)
			return nil
		}
	}
	c.Scenario = changed
	return nil
}

func (c *Combination) refuse(err error) {
	c.Refused = err.Error()
	var field *scenario.FieldError
	if errors.As(err, &field) {
		c.short = field.Short
	}
}

// RefusedShort returns Refused without client-go's or the API server's own words, for a table with little room.
func (c *Combination) RefusedShort() string { return cmp.Or(c.short, c.Refused) }

// String returns the changes as PATH=VALUE.
func (c *Combination) String() string {
	texts := elements.Of(c.Changes, func(change scenario.Change) string { return change.Path + "=" + change.Value })
	return strings.Join(texts, " ")
}
