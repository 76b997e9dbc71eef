package heat

import (
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// Measure is one figure of a cell. Some measures are shares of runs, which have no value in a single run. For these
// measures, a run contributes what the share counts: the seconds with two leaders, or 1 for a run that meets the
// assertions.
type Measure struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Unit  string `json:"unit"`  // "s", "%" or "per min"
	Alarm bool   `json:"alarm"` // a value above 0 means a broken rule of safety
	Least bool   `json:"least"` // the smallest value is the worst

	cell func(*grid.Row) float64
	run  func(*grid.Run) float64 // contribution of a single run
	// reports whether the value is a lower bound because runs end too early; nil if never
	atLeast func(*grid.Row) bool
}

const percent, seconds, perMinute = "%", "s", "per min"

// `measures` lists the measures that a map may show.
var measures = []Measure{
	leaderless("leaderlessMax", "Longest time without a leader", grid.Longest),
	double("doubleMax", "Longest time with two leaders", grid.Longest),
	leaderless("leaderlessP50", "No leader: half of the runs", grid.Median),
	leaderless("leaderlessP95", "No leader: 95 % of the runs", grid.P95),
	leaderless("leaderlessP99", "No leader: 99 % of the runs", grid.P99),
	double("doubleP99", "Two leaders: 99 % of the runs", grid.P99),
	{
		ID: "two", Label: "Runs with two leaders", Unit: percent, Alarm: true,
		cell: func(r *grid.Row) float64 { return 100 * r.TwoWorked.Share }, run: doubleSeconds,
	},
	{
		ID: "passed", Label: "Runs that pass", Unit: percent, Least: true,
		cell: func(r *grid.Row) float64 {
			if r.Passed == nil {
				return 0
			}
			return 100 * r.Passed.Share
		},
		run: func(r *grid.Run) float64 {
			if r.Code == summary.Fine {
				return 1
			}
			return 0
		},
	},
	{ID: "writes", Label: "Writes per minute", Unit: perMinute,
		cell: func(r *grid.Row) float64 {
			return r.WritesPerMinute
		}, run: rate(func(r *grid.Run) int64 { return r.Writes })},
	{ID: "requests", Label: "Requests per minute", Unit: perMinute,
		cell: func(r *grid.Row) float64 {
			return r.RequestsPerMinute
		}, run: rate(func(r *grid.Run) int64 { return r.Requests })},
	{ID: "changes", Label: "Leader changes per run", cell: func(r *grid.Row) float64 { return r.LeaderChangesPerRun },
		run: func(r *grid.Run) float64 { return float64(r.Changes) }},
}

func leaderless(id, label, figure string) Measure {
	m := length(id, label, figure, func(r *grid.Row) *grid.Spread { return &r.LeaderlessSeconds })
	m.run = func(r *grid.Run) float64 { return float64(r.LeaderlessNs) / 1e9 }
	return m
}

func double(id, label, figure string) Measure {
	m := length(id, label, figure, func(r *grid.Row) *grid.Spread { return &r.DoubleLeaderSeconds })
	m.Alarm, m.run = true, doubleSeconds
	return m
}

func length(id, label, figure string, of func(*grid.Row) *grid.Spread) Measure {
	return Measure{
		ID: id, Label: label, Unit: seconds,
		cell: func(r *grid.Row) float64 {
			ns, _ := of(r).Figure(figure)
			return float64(ns) / 1e9
		},
		atLeast: func(r *grid.Row) bool {
			_, atLeast := of(r).Figure(figure)
			return atLeast
		},
	}
}

func doubleSeconds(r *grid.Run) float64 { return float64(r.DoubleNs) / 1e9 }

func rate(of func(*grid.Run) int64) func(*grid.Run) float64 {
	return func(r *grid.Run) float64 { return 60e9 * float64(of(r)) / float64(max(r.VirtualNs, 1)) }
}

// Measures returns the measures that the map may show. It includes the share of passed runs only if the scenario
// asserts something.
func (m *Map) Measures() []Measure {
	asserts := false
	for i := range m.cells {
		asserts = asserts || len(m.cells[i].Scenario.Expect) > 0
	}
	return elements.If(measures, func(one Measure) bool { return one.ID != "passed" || asserts })
}

// measure returns the measure with an ID, or the map's first measure if no measure has that ID.
func (m *Map) measure(id string) *Measure {
	all := m.Measures()
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return &all[0]
}

// Values returns the values of a row, in the order of Measures.
func (m *Map) Values(row *grid.Row) []float64 {
	all := m.Measures()
	return elements.Of(all, func(one Measure) float64 { return one.cell(row) })
}

// AtLeast reports which values of a row are lower bounds, in the order of Measures.
func (m *Map) AtLeast(row *grid.Row) []bool {
	all := m.Measures()
	return elements.Of(all, func(one Measure) bool { return one.atLeast != nil && one.atLeast(row) })
}
