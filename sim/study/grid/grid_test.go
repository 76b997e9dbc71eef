package grid

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// The last set changes fastest, a range has both ends, and a comma inside brackets separates no values.
func TestCombinations(t *testing.T) {
	s, known := shipped.ByName("crash")
	require.True(t, known)
	all, err := Combinations(s, []string{"elector.renewDeadline=8s,10s", "elector.retryPeriod=1s..2s/500ms"})
	require.NoError(t, err)
	var texts []string
	for i := range all {
		texts = append(texts, all[i].String())
	}
	assert.Equal(t, []string{
		"elector.renewDeadline=8s elector.retryPeriod=1s", "elector.renewDeadline=8s elector.retryPeriod=1.5s", "elector.renewDeadline=8s elector.retryPeriod=2s",
		"elector.renewDeadline=10s elector.retryPeriod=1s", "elector.renewDeadline=10s elector.retryPeriod=1.5s", "elector.renewDeadline=10s elector.retryPeriod=2s",
	}, texts)
	values, err := Values("[1,2],{3,4},5")
	require.NoError(t, err)
	assert.Equal(t, []string{"[1,2]", "{3,4}", "5"}, values)
	for _, sets := range [][]string{{"elector.retryPeriod"}, {"=1s"}, {"a=1", "a=2"}, {"elector.retryPeriod=2s..1s/1s"}, {"elector.retryPeriod=60s"}, {"elector.retryPeriod="}} {
		_, err := Combinations(s, sets)
		assert.Error(t, err, sets)
	}
}

// A row counts its runs, and does not depend on more than them.
func TestRow(t *testing.T) {
	s, known := shipped.ByName("paused-leader")
	require.True(t, known)
	all, err := Combinations(s, []string{"elector.leaseDuration=15s"})
	require.NoError(t, err)
	var runs []Seeded
	plan := NewPlan(all, 1, 3)
	for number := range plan.Runs() {
		_, seed := plan.Of(number)
		runs = append(runs, Seeded{seed, plan.Run(number)})
	}
	row := RowOf(&all[0], 1, runs)
	assert.Equal(t, 3, row.Runs)
	assert.Equal(t, map[string]string{"elector.leaseDuration": "15s"}, row.Set)
	assert.Equal(t, Share{Runs: 3, Share: 1, Low: row.TwoWorked.Low, High: 1}, row.TwoWorked)
	assert.Less(t, row.TwoWorked.Low, 1.0)
	assert.Equal(t, uint64(1), row.Broken[0].FirstSeed)
}

// Runs that end while nobody leads show less than the whole gap: each figure is that of longer runs, or a lower bound of it that is
// named as one.
func TestRowOfRunsThatEndFirst(t *testing.T) {
	s, known := shipped.ByName("crash")
	require.True(t, known)
	all, err := Combinations(s, []string{"duration=75s..80s/500ms,10m"})
	require.NoError(t, err)
	const seeds = 40
	plan := NewPlan(all, 1, seeds)
	rows := make([]Row, len(all))
	for i := range rows {
		var runs []Seeded
		for k := range seeds {
			runs = append(runs, Seeded{uint64(1 + k), plan.Run(i*seeds + k)})
		}
		rows[i] = RowOf(&all[i], 1, runs)
	}
	whole := &rows[len(rows)-1].LeaderlessSeconds
	assert.Zero(t, whole.Unended)
	assert.Empty(t, whole.AtLeast)
	bounds, exact, less := 0, 0, 0
	for i := range rows {
		cut := &rows[i].LeaderlessSeconds
		assert.Equal(t, cut.Unended == 0, len(cut.AtLeast) == 0, "%v", all[i])
		for _, figure := range []string{Median, P95, P99, Longest} {
			is, atLeast := cut.Figure(figure)
			wants, _ := whole.Figure(figure)
			switch {
			case !atLeast:
				exact++
				assert.Equal(t, wants, is, "%s of %v", figure, all[i])
			default:
				bounds++
				assert.LessOrEqual(t, is, wants, "%s of %v", figure, all[i])
				if is < wants {
					less++
				}
			}
		}
	}
	t.Logf("%d figures, %d lower bounds, %d of them less than the whole", exact, bounds, less)
	assert.Positive(t, exact)
	assert.Equal(t, bounds, less, "no lower bound here is all of it")
}

// A run that ends in a gap which is not its longest so far shows a lower bound, too: the gap may become the longest.
func TestRowOfTwoGaps(t *testing.T) {
	s, known := shipped.ByName("crash")
	require.True(t, known)
	again := s.Actions[0]
	again.At += scenario.Duration(30e9)
	s.Actions = append(s.Actions, again)
	all, err := Combinations(s, []string{"duration=91s,101s,5m"})
	require.NoError(t, err)
	const seeds = 20
	plan := NewPlan(all, 1, seeds)
	row := func(i int) *Spread {
		var runs []Seeded
		for k := range seeds {
			runs = append(runs, Seeded{uint64(1 + k), plan.Run(i*seeds + k)})
		}
		row := RowOf(&all[i], 1, runs)
		return &row.LeaderlessSeconds
	}
	assert.Zero(t, row(2).Unended)
	for i := range 2 {
		assert.Equal(t, seeds, row(i).Unended)
		assert.Equal(t, []string{Median, P95, P99, Longest}, row(i).AtLeast)
		assert.Less(t, row(i).P99, row(2).P99)
	}
}

// A row has the runs of its combination that are there, and no other's.
func TestRowsOfSomeRuns(t *testing.T) {
	s, known := shipped.ByName("crash")
	require.True(t, known)
	all, err := Combinations(s, []string{"elector.renewDeadline=8s,9s,16s,10s,11s"})
	require.NoError(t, err)
	plan := NewPlan(all, 1, 4)
	assert.Equal(t, 16, plan.Runs())
	there := [][]int{{0, 1, 2, 3}, {5}, {}, {12, 15}} // by accepted combination
	var rows []int
	outcome := NewRows(plan, s.Name, func(i int, row *Row, refused *RefusedRow) {
		if refused != nil {
			assert.Equal(t, 2, i)
			assert.Contains(t, refused.Refused, "must be shorter than leaseDuration")
			return
		}
		rows = append(rows, i, row.Runs)
		assert.Equal(t, all[i].Changes[0].Value, row.Set["elector.renewDeadline"])
	})
	for _, numbers := range there {
		for _, number := range numbers {
			outcome.Add(number, plan.Run(number))
		}
	}
	outcome.End()
	assert.Equal(t, []int{0, 4, 1, 1, 4, 2}, rows, "the combination without runs has no row")
}
