package heat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// Detail lists the runs of a cell, worst first.
type Detail struct {
	Runs    []Listed `json:"runs"`
	Figures []string `json:"figures"` // sentences about all runs
}

// Listed is one run.
type Listed struct {
	Seed  uint64  `json:"seed"`
	Value float64 `json:"value"`
	Text  string  `json:"text"` // what happened
	Broke bool    `json:"broke"`
}

// Detail makes the runs of a cell and orders them by a measure.
func (m *Map) Detail(cell, seeds int, measure string) Detail {
	by, runs := m.measure(measure), m.runs(cell, seeds)
	row := grid.RowOf(&m.cells[cell], m.Spec.First, slices.Clone(runs))
	d := Detail{Figures: figures(&row)}
	slices.SortStableFunc(runs, func(a, b grid.Seeded) int {
		worse := cmp.Compare(by.run(&b.Run), by.run(&a.Run))
		if by.Least {
			worse = -worse
		}
		return cmp.Or(worse, cmp.Compare(b.Code, a.Code), cmp.Compare(b.DoubleNs, a.DoubleNs),
			cmp.Compare(b.LeaderlessNs, a.LeaderlessNs), cmp.Compare(a.Seed, b.Seed))
	})
	for i := range runs {
		one := &runs[i]
		d.Runs = append(d.Runs, Listed{one.Seed, by.run(&one.Run), outcomeWords(&one.Run), one.DoubleNs > 0 ||
			one.Code != summary.Fine})
	}
	return d
}

// outcomeWords returns the outcome of a run in words.
func outcomeWords(r *grid.Run) string {
	parts := []string{"no gap without a leader"}
	if r.LeaderlessNs > 0 {
		parts[0] = words.Seconds(r.LeaderlessNs) + " without a leader"
		if r.LeaderlessUnended {
			parts[0] += ", none when the run ends"
		}
	}
	if r.DoubleNs > 0 {
		parts = append([]string{"two leaders for " + words.Seconds(r.DoubleNs)}, parts...)
	}
	for _, broken := range r.Broken {
		if broken.Rule != rules.MoreThanOneActive {
			parts = append(parts, broken.Rule)
		}
	}
	if r.FailedClause > 0 {
		parts = append(parts, fmt.Sprintf("assertion %d failed", r.FailedClause))
	}
	return strings.Join(parts, ", ")
}

// `figures` returns sentences about all runs of a cell.
func figures(r *grid.Row) []string {
	l, d := &r.LeaderlessSeconds, &r.DoubleLeaderSeconds
	s := func(of *grid.Spread, figure string) string {
		length, atLeast := of.Figure(figure)
		if atLeast {
			return "at least " + words.Seconds(int64(length))
		}
		return words.Seconds(int64(length))
	}
	most := s(d, grid.Longest)
	if d.Unended == 0 {
		most += " at most"
	}
	two := fmt.Sprintf("No run of %d has two leaders", r.Runs)
	if r.TwoWorked.Runs > 0 {
		two = fmt.Sprintf("Two leaders in %d of %s, for %s", r.TwoWorked.Runs, words.Count(r.Runs, "run", "runs"), most)
	}
	all := []string{
		fmt.Sprintf("Longest time without a leader: median %s, p95 %s, p99 %s, maximum %s.", s(l, grid.Median),
			s(l, grid.P95), s(l, grid.P99), s(l, grid.Longest)),
		fmt.Sprintf("%s (95 %% interval of their share: %.1f to %.1f %%).", two, 100*r.TwoWorked.Low,
			100*r.TwoWorked.High),
		fmt.Sprintf("%.1f writes and %.1f requests per minute.", r.WritesPerMinute, r.RequestsPerMinute),
	}
	if l.Unended > 0 {
		all = append(all, fmt.Sprintf("%s without a leader: a longer duration shows how long the gap is.",
			words.Count(l.Unended, "run ends", "runs end")))
	}
	if r.Passed != nil {
		all = append(all, fmt.Sprintf("%d of %s meet the assertions.", r.Passed.Runs,
			words.Count(r.Runs, "run", "runs")))
	}
	return all
}

// Worst returns the most interesting instant of a run for a measure: the start of an overlap, the end of the longest
// time without a leader, or the end of the run.
func (m *Map) Worst(cell int, seed uint64, measure string) int64 {
	r := run.WithClauses(m.Scenario(cell, seed))
	end := r.EndNs()
	for r.Step(end, nil) {
	}
	r.Settle(end)
	c := &r.Checks
	if m.measure(measure).Alarm || len(c.Changes) < 2 {
		for i := range c.Violations {
			if c.Violations[i].Rule == rules.MoreThanOneActive {
				return c.Violations[i].FromNs
			}
		}
	}
	at, longest := end, int64(-1)
	for _, change := range c.Changes[min(1, len(c.Changes)):] {
		if change.LeaderlessNs > longest {
			at, longest = change.AtNs, change.LeaderlessNs
		}
	}
	if len(c.Active()) == 0 && end-c.SinceNs() > longest {
		return end
	}
	return at
}
