package heat

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study/grid"
)

func specOf(t *testing.T, name string) Spec {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known)
	return Spec{
		Scenario: s, First: 1, Seeds: 8,
		X: Axis{"elector.leaseDuration", "10s..20s/5s"}, Y: Axis{"elector.renewDeadline", "5s,10s,15s"},
	}
}

// A map has the cells of the sweep with the same sets, in the same order; what a cell answers is the sweep's row.
func TestMapIsASweep(t *testing.T) {
	spec := specOf(t, "crash")
	m, err := New(spec)
	require.NoError(t, err)
	assert.Equal(t, []string{"10s", "15s", "20s"}, m.X)
	all, err := grid.Combinations(spec.Scenario, m.Sets())
	require.NoError(t, err)
	require.Len(t, all, m.Cells())
	assert.Contains(t, m.Refusal(3), "must be greater than renewDeadline", "leaseDuration 10s, renewDeadline 10s: the library's own text")
	const cell = 4
	assert.Equal(t, "elector.renewDeadline=10s elector.leaseDuration=15s", all[cell].String())
	plan := grid.NewPlan(all[cell:cell+1], spec.First, spec.Seeds)
	var want grid.Row
	rows := grid.NewRows(plan, "crash", func(_ int, row *grid.Row, _ *grid.RefusedRow) { want = *row })
	for number := range plan.Runs() {
		rows.Add(number, plan.Run(number))
	}
	got := m.Row(cell, spec.Seeds)
	assert.Equal(t, want, got)
	assert.Len(t, m.Values(&got), len(m.Measures()))
	fewer := m.Row(cell, 2)
	assert.Equal(t, 2, fewer.Runs)
}

// With its own duration a map is the sweep of runs of that length. If runs end before a leader returns, the values
// and the sentences say that they are lower bounds.
func TestDuration(t *testing.T) {
	spec := specOf(t, "crash")
	const cell = 8 // leaseDuration 20 s: the takeover needs at least as long
	told := map[string]string{}
	for _, duration := range []string{"", "70s", "5m"} {
		spec.Duration = duration
		m, err := New(spec)
		require.NoError(t, err)
		row := m.Row(cell, spec.Seeds)
		cut := duration == "70s"
		for i, measure := range m.Measures() {
			lengths := strings.HasPrefix(measure.ID, "leaderless")
			assert.Equal(t, cut && lengths, m.AtLeast(&row)[i], "%s of runs of %q", measure.ID, duration)
		}
		d := m.Detail(cell, spec.Seeds, "leaderlessMax")
		told[duration] = strings.Join(d.Figures, " ")
		assert.Equal(t, cut, strings.Contains(d.Runs[0].Text, "when the run ends"))
	}
	assert.Equal(t, told[""], told["5m"][:strings.Index(told["5m"], "No run")]+told[""][strings.Index(told[""], "No run"):], "longer runs have the same gaps")
	assert.Contains(t, told["70s"], "maximum at least 10.000 s")
	assert.Contains(t, told["70s"], "8 runs end without a leader")
	for _, wrong := range []string{"soon", "5m,6m", "-1s", "1s", "10000h"} {
		spec.Duration = wrong
		_, err := New(spec)
		var field *scenario.FieldError
		require.ErrorAs(t, err, &field, wrong)
		assert.Equal(t, "duration", field.Path)
	}
	spec.Duration, spec.X = "5m", Axis{"duration", "2m,3m"}
	_, err := New(spec)
	assert.ErrorContains(t, err, "must be empty")
}

// The worst run comes first, and the instant of the worst run is the end of its longest gap.
func TestDetail(t *testing.T) {
	m, err := New(specOf(t, "crash"))
	require.NoError(t, err)
	d := m.Detail(4, 8, "leaderlessP99")
	require.Len(t, d.Runs, 8)
	for i, one := range d.Runs[1:] {
		assert.GreaterOrEqual(t, d.Runs[i].Value, one.Value)
	}
	assert.Contains(t, d.Runs[0].Text, "without a leader")
	at := m.Worst(4, d.Runs[0].Seed, "leaderlessP99")
	assert.Greater(t, at, int64(20e9))
	assert.Less(t, at, int64(m.Spec.Scenario.Duration))
	assert.Equal(t, d.Runs[0].Seed, m.Scenario(4, d.Runs[0].Seed).Seed)
}

// A run with two leaders opens where the overlap begins.
func TestWorstOverlap(t *testing.T) {
	spec := specOf(t, "paused-leader")
	m, err := New(spec)
	require.NoError(t, err)
	d := m.Detail(4, 4, "doubleMax")
	assert.True(t, d.Runs[0].Broke)
	assert.Contains(t, d.Runs[0].Text, "two leaders for")
	assert.Less(t, m.Worst(4, d.Runs[0].Seed, "doubleMax"), int64(spec.Scenario.Duration))
	assert.Equal(t, d.Runs[0].Seed, m.Detail(4, 4, "leaderlessP99").Runs[0].Seed, "where no run is without a leader, the longest overlap is the worst")
}

// Suggested fields are fields of the scenario: each makes an axis, and its values have the present one among them.
func TestFields(t *testing.T) {
	spec := specOf(t, "paused-leader")
	fields := Fields(spec.Scenario)
	require.Greater(t, len(fields), 8)
	assert.Equal(t, "1.5s 2s 2.5s 3s 4s 5s 6s 8s 10s 12s 15s 20s 25s 30s 40s 50s 1m0s 1m20s 1m40s 2m0s 2m30s", strings.Join(fields[0].Values, " "))
	for _, f := range fields {
		other := Axis{"elector.leaseDuration", "60s"}
		if f.Path == other.Path {
			other = Axis{"elector.renewDeadline", "5s"}
		}
		m, err := New(Spec{Scenario: spec.Scenario, X: Axis{f.Path, strings.Join(f.Values, ",")}, Y: other, Seeds: 1, VaryPhase: true})
		require.NoError(t, err, f.Path)
		assert.Contains(t, m.X, f.Now, f.Path)
	}
}

// The presets stand at the cells with their settings, and nowhere else.
func TestPresets(t *testing.T) {
	spec := specOf(t, "crash")
	for _, one := range []struct {
		x, y Axis
		want []Preset
	}{
		{spec.X, spec.Y, []Preset{{"client-go and controller-runtime 15/10/2", 4}}},
		{Axis{spec.X.Path, "137s"}, Axis{spec.Y.Path, "107s"}, []Preset{}},
		{Axis{spec.X.Path, "15s,40s"}, Axis{"elector.retryPeriod", "2s,10s"}, []Preset{{"client-go and controller-runtime 15/10/2", 0}}},
		{Axis{"elector.jitterFactor", "1,2"}, spec.Y, []Preset{}},
	} {
		m, err := New(Spec{Scenario: spec.Scenario, X: one.x, Y: one.y, Seeds: 1})
		require.NoError(t, err)
		assert.Equal(t, one.want, m.Presets(), one.x.Values)
	}
}

// An impossible map is an error with the field, the limit and what to do.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"needs the path of a field":            func(s *Spec) { s.X.Path = "" },
		"needs values, such as":                func(s *Spec) { s.Y.Values = " " },
		"must differ from the field":           func(s *Spec) { s.Y.Path = s.X.Path },
		"appears twice":                        func(s *Spec) { s.X.Values = "10s,10s" },
		"the limit is 2,500: use a longer":     func(s *Spec) { s.X.Values, s.Y.Values = "10s..80s/1s", "1s..80s/1s" },
		"more than 1,000,000 runs, the limit":  func(s *Spec) { s.Seeds = math.MaxInt32 },
		"seeds must be 1 or more":              func(s *Spec) { s.Seeds = 0 },
		"elector.leaseDurations":               func(s *Spec) { s.X.Path = "elector.leaseDurations" },
		"the other 8 combinations break rules": func(s *Spec) { s.X.Values = "1s,2s,3s" },
	} {
		spec := specOf(t, "crash")
		change(&spec)
		_, err := New(spec)
		assert.ErrorContains(t, err, want)
	}
	for values, axis := range map[string]string{"10": "x", "ten": "x", "10s,15s": ""} { // the error names an axis that is wrong by itself
		spec := specOf(t, "crash")
		spec.X.Values = values
		if axis == "" {
			spec.Y.Values, axis = "-5s", "y"
		}
		_, err := New(spec)
		var field *scenario.FieldError
		require.ErrorAs(t, err, &field, values)
		assert.Equal(t, axis, field.Path, values)
	}
	m, err := New(specOf(t, "crash"))
	require.NoError(t, err)
	text, err := json.Marshal(m.Measures())
	require.NoError(t, err)
	assert.Contains(t, string(text), `"id":"leaderlessP99"`)
}
