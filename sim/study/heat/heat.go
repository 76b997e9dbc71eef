package heat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// MaxCells and MaxRuns limit the cells and the runs of a map.
const (
	MaxCells = 2_500
	MaxRuns  = 1_000_000
)

// Axis is a field and its values, in the format of grid.Values.
type Axis struct {
	Path   string `json:"path"`
	Values string `json:"values"`
}

// Spec contains everything that a map depends on.
type Spec struct {
	Scenario  scenario.Scenario
	X, Y      Axis
	First     uint64 // the first seed
	Seeds     int
	VaryPhase bool   // draw the instant of the first act, if any, from the seed
	Duration  string // duration of each run, such as 5m; "" for the scenario's
}

// Map holds the cells of a specification, row by row: cell y*len(X)+x has the values X[x] and Y[y].
type Map struct {
	Spec  Spec
	X, Y  []string
	cells []grid.Combination
}

// New returns the map of a specification. Its errors name the axis, the limit and what to do.
func New(spec Spec) (*Map, error) {
	m := &Map{Spec: spec}
	var err error
	if m.X, err = spec.X.values("x"); err != nil {
		return nil, err
	}
	if m.Y, err = spec.Y.values("y"); err != nil {
		return nil, err
	}
	if spec.X.Path == spec.Y.Path {
		return nil, refuse("y", spec.Y.Path, "must differ from the field of the horizontal axis")
	}
	if err := spec.duration(); err != nil {
		return nil, err
	}
	cells := len(m.X) * len(m.Y)
	switch {
	case cells > MaxCells:
		return nil, refuse("x", spec.X.Values,
			fmt.Sprintf("%d × %d values are %s cells; the limit is %s: use a longer STEP", len(m.X), len(m.Y),
				words.Thousands(int64(cells)), words.Thousands(MaxCells)))
	case spec.Seeds < 1:
		return nil, refuse("seeds", fmt.Sprint(spec.Seeds), "seeds must be 1 or more")
	case spec.Seeds > MaxRuns/cells:
		return nil, refuse("seeds", fmt.Sprint(spec.Seeds),
			fmt.Sprintf(
				"%s with %s seeds each are more than %s runs, the limit: use at most %s seeds, or `leaselab sweep`",
				words.Count(cells, "cell", "cells"), words.Thousands(int64(spec.Seeds)), words.Thousands(MaxRuns),
				words.Thousands(int64(MaxRuns/cells))))
	}
	if m.cells, err = grid.Combinations(spec.Scenario, m.Sets()); err != nil {
		return nil, spec.blame(spec.Scenario, err)
	}
	if spec.VaryPhase {
		grid.VaryPhases(m.cells)
	}
	return m, nil
}

// blame finds the axis whose values are invalid even without the other axis, and names it in the error. If each axis
// alone is valid, `blame` returns the error unchanged: a leaseDuration and a renewDeadline, for example, may break a
// rule only together.
func (s *Spec) blame(of scenario.Scenario, why error) error {
	cause := errors.Unwrap(why)
	if cause == nil {
		return why // the format refuses all combinations
	}
	for _, axis := range []struct {
		name string
		Axis
	}{{"x", s.X}, {"y", s.Y}} {
		_, err := grid.Combinations(of, []string{axis.Path + "=" + axis.Values})
		if errors.Unwrap(err) != nil {
			return refuse(axis.name, axis.Values, cause.Error())
		}
	}
	return why
}

// `duration` checks the duration. An invalid one would make the format refuse every cell.
func (s *Spec) duration() error {
	const path = "duration"
	switch {
	case s.Duration == "":
		return nil
	case s.X.Path == path || s.Y.Path == path:
		return refuse(path, s.Duration, "must be empty, because an axis already lists durations")
	}
	if _, err := time.ParseDuration(s.Duration); err != nil {
		return refuse(path, s.Duration, fmt.Sprintf("duration %q must be a length such as 5m", s.Duration))
	}
	all, err := grid.Combinations(s.Scenario, []string{path + "=" + s.Duration})
	switch {
	case err != nil:
		return refuse(path, s.Duration, err.Error())
	case all[0].Refused != "":
		return refuse(path, s.Duration, all[0].Refused)
	}
	return nil
}

func (a Axis) values(axis string) ([]string, error) {
	if strings.TrimSpace(a.Path) == "" {
		return nil, refuse(axis, "", "needs the path of a field, such as elector.leaseDuration")
	}
	if strings.TrimSpace(a.Values) == "" {
		return nil, refuse(axis, "", a.Path+" needs values, such as 10s..20s/1s")
	}
	values, err := grid.Values(a.Values)
	if err != nil {
		return nil, refuse(axis, a.Values, a.Path+": "+err.Error())
	}
	for i, value := range values {
		if slices.Contains(values[:i], value) {
			return nil, refuse(axis, a.Values, a.Path+": the value "+value+" appears twice")
		}
	}
	return values, nil
}

func refuse(path, value, rule string) error {
	return &scenario.FieldError{Path: path, Value: value, Rule: rule, Message: rule}
}

// Sets returns the values of `leaselab sweep --set` for the same cells. The vertical axis comes first, because the
// last set changes fastest. So the cells of a row are next to each other.
func (m *Map) Sets() []string {
	sets := []string{m.Spec.Y.Path + "=" + m.Spec.Y.Values, m.Spec.X.Path + "=" + m.Spec.X.Values}
	if m.Spec.Duration != "" {
		sets = append(sets, "duration="+m.Spec.Duration)
	}
	return sets
}

// Cells returns the number of cells.
func (m *Map) Cells() int { return len(m.cells) }

// Refusal returns the rule that the values of a cell break, or "".
func (m *Map) Refusal(cell int) string { return m.cells[cell].Refused }

// `runs` makes the runs of a cell with the first seeds, as many as the argument seeds says.
func (m *Map) runs(cell, seeds int) []grid.Seeded {
	plan := grid.NewPlan(m.cells[cell:cell+1], m.Spec.First, min(seeds, m.Spec.Seeds))
	runs := make([]grid.Seeded, plan.Runs())
	for i := range runs {
		_, seed := plan.Of(i)
		runs[i] = grid.Seeded{Seed: seed, Run: plan.Run(i)}
	}
	return runs
}

// Row makes the runs of a cell with the first seeds, and returns the cell's row. The cell must not be a refused one.
func (m *Map) Row(cell, seeds int) grid.Row {
	return grid.RowOf(&m.cells[cell], m.Spec.First, m.runs(cell, seeds))
}

// Scenario returns the scenario of a run.
func (m *Map) Scenario(cell int, seed uint64) scenario.Scenario {
	s := m.cells[cell].Scenario.Clone()
	s.Seed = seed
	return s
}
