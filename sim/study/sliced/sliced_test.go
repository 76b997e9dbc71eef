package sliced

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

func shippedAs(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known)
	return s
}

// fillForm is a form with some other values.
func fillForm(t *testing.T, kind string, s scenario.Scenario, other map[string]string) []Filled {
	t.Helper()
	f, err := FormOf(kind, s)
	require.NoError(t, err)
	assert.NotEmpty(t, f.Says)
	var all []Filled
	for _, field := range f.Fields {
		value := field.Value
		if given, has := other[field.Name]; has {
			value = given
		}
		all = append(all, Filled{field.Name, value})
	}
	return all
}

// runToEnd runs a study to its end.
func runToEnd(t *testing.T, kind, name string, other map[string]string) Report {
	t.Helper()
	s := shippedAs(t, name)
	study, err := New(kind, s, name, fillForm(t, kind, s, other))
	require.NoError(t, err)
	for range 1_000_000 {
		over, err := study.Go()
		require.NoError(t, err)
		if r := study.Report(); over {
			return r
		}
	}
	require.Fail(t, "it does not end")
	return Report{}
}

// canOpen checks that the run of an item is a scenario that runs, and that its instant lies in it.
func canOpen(t *testing.T, one *Opens) {
	t.Helper()
	require.NotNil(t, one)
	s, err := scenario.Decode(one.Scenario)
	require.NoError(t, err)
	assert.Positive(t, one.AtNs)
	assert.LessOrEqual(t, one.AtNs, one.EndNs)
	assert.Equal(t, int64(s.Duration), one.EndNs)
}

func TestHunt(t *testing.T) {
	runs := 160
	if testing.Short() {
		runs = 48
	}
	r := runToEnd(t, Hunt, "crash", map[string]string{"runs": strconv.Itoa(runs)})
	assert.Equal(t, int64(runs), r.Done)
	assert.Equal(t, fmt.Sprintf("leaselab hunt crash --runs %d --seed 1", runs), r.Command)
	require.NotEmpty(t, r.Items)
	assert.Equal(t, "bad", r.Tone)
	for _, item := range r.Items {
		assert.Contains(t, item.Note, "found by run")
		assert.NotEmpty(t, item.Kind)
		assert.NotEmpty(t, item.Lines)
		canOpen(t, item.Run)
	}
}

func TestShrink(t *testing.T) {
	r := runToEnd(t, Shrink, "paused-leader", nil)
	assert.Equal(t, "1 act is enough", r.Title)
	assert.Equal(t, []string{"two leaders", "The holder is paused for 17 s"}, []string{r.Items[0].Kind, r.Items[0].Title})
	require.Len(t, r.Items, 2)
	canOpen(t, r.Items[0].Run)
	assert.Equal(t, []string{"00:02.000  the holder is paused for 17 s. Any instant from 1.100 s to 4 s does the same."}, r.Items[0].Lines)
	assert.Contains(t, r.Items[1].Lines[0], "run ")
	s := shippedAs(t, "fault-free")
	study, err := New(Shrink, s, "fault-free", nil)
	require.NoError(t, err)
	for over := false; !over && err == nil; {
		over, err = study.Go()
	}
	assert.ErrorContains(t, err, "nothing needs to be simpler")
}

func TestAdvise(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes thousands of runs")
	}
	r := runToEnd(t, Advise, "fault-free", map[string]string{"survive": "60s", "takeover": "30s", "writes": "10", "latency": "3s"})
	assert.Contains(t, r.Title, "contradict each other: survive")
	assert.Equal(t, "bad", r.Tone)
	assert.Contains(t, r.Command, "leaselab advise survive=60s takeover=30s")
	require.NotEmpty(t, r.Items)
	canOpen(t, r.Items[0].Run)
}

func TestExplore(t *testing.T) {
	r := runToEnd(t, Explore, "b05-wiped-lease", map[string]string{"set": "actions[0].for=14s..17s/1s", "window": "20s..60s", "rule": "writeByNonHolder"})
	assert.Equal(t, "bad", r.Tone)
	require.Len(t, r.Items, 1)
	canOpen(t, r.Items[0].Run)
	assert.NotEmpty(t, r.Items[0].Lines)
	assert.Contains(t, r.Command, "--set 'actions[0].for=14s..17s/1s'")
}

// An impossible study is an error with the wrong field.
func TestRefused(t *testing.T) {
	s := shippedAs(t, "crash")
	for _, one := range []struct{ kind, field, value, want string }{
		{Hunt, "runs", "1e12", "must be 1 to 10,000,000"},
		{Hunt, "seed", "-1", "must be a whole number"},
		{Hunt, "faults", "cuts", "did you mean"},
		{Hunt, "faults", " ", "name some faults"},
		{Shrink, "rule", "sang", "unknown rule"},
		{Advise, "writes", "many", "writes"},
		{Explore, "jitter", "much", "must be low, middle, high"},
		{Explore, "delay", "-1", "must be"},
		{Explore, "window", "40s..20s", "must be FROM..TO"},
		{Explore, "states", "99999999999", "must be 1 to 1,000,000"},
		{Explore, "rule", "sang", "sang"},
		{Explore, "set", "elector.leaseDurations=1s", "leaseDurations"},
	} {
		_, err := New(one.kind, s, "crash", fillForm(t, one.kind, s, map[string]string{one.field: one.value}))
		var field *scenario.FieldError
		require.ErrorAs(t, err, &field, "%s %s", one.kind, one.field)
		assert.Contains(t, field.Message, one.want)
		assert.Equal(t, one.field, field.Path)
	}
	_, err := New("lunch", s, "crash", nil)
	assert.ErrorContains(t, err, "unknown study")
	_, err = New(Shrink, s, "crash", []Filled{{"color", "red"}})
	assert.ErrorContains(t, err, "no field")
	_, err = New(Advise, s, "crash", nil)
	assert.ErrorContains(t, err, "Set a goal")
}
