package grid

import (
	"slices"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/world"
)

// Row is the JSON for a combination with runs.
type Row struct {
	Scenario          string            `json:"scenario"`
	Engine            int               `json:"engine"`
	Set               map[string]string `json:"set"` // value by path
	FirstSeed         uint64            `json:"firstSeed"`
	Runs              int               `json:"runs"`
	TwoWorked         Share             `json:"twoWorked"`
	LeaderlessSeconds Spread            `json:"leaderlessSeconds"` // longest time without a leader in each run
	// total time with two active leaders in each run
	DoubleLeaderSeconds Spread  `json:"doubleLeaderSeconds"`
	LeaderChangesPerRun float64 `json:"leaderChangesPerRun"` // leader changes after the first leader
	RequestsPerSecond   float64 `json:"requestsPerSecond"`
	RequestsPerMinute   float64 `json:"requestsPerMinute"`
	WritesPerMinute     float64 `json:"writesPerMinute"` // writes by candidates
	// the shortest time from a leader's stop to its successor's start; null if no run had a change
	LeastMarginSeconds *summary.Seconds `json:"leastMarginSeconds"`
	// runs with exit code 0, which meet the scenario's assertions and break no other rule; null without assertions
	Passed *Share       `json:"passed"`
	Broken []BrokenRule `json:"broken"`
	// if acts have random instants: the command that runs the first seed of the first broken rule again, or the first
	// seed
	Replay string `json:"replay,omitempty"`
}

// RefusedRow is the JSON for a combination that breaks a rule of the format.
type RefusedRow struct {
	Scenario string            `json:"scenario"`
	Engine   int               `json:"engine"`
	Set      map[string]string `json:"set"`
	Runs     int               `json:"runs"` // always 0
	Refused  string            `json:"refused"`
}

// Share is a share of the runs.
type Share struct {
	Runs  int     `json:"runs"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // Wilson's 95 % interval
	High  float64 `json:"high"`
}

func shareOf(hits, runs int) Share {
	s := Share{Runs: hits, Share: float64(hits) / float64(max(runs, 1))}
	s.Low, s.High = study.Wilson(hits, runs)
	return s
}

// Spread describes how a length varies over all runs.
type Spread struct {
	Median  summary.Seconds `json:"median"`
	P95     summary.Seconds `json:"p95"`
	P99     summary.Seconds `json:"p99"`
	Longest summary.Seconds `json:"longest"`
	// runs that end while nobody leads, or while two lead: their lengths might grow in a longer run
	Unended int      `json:"unended"`
	AtLeast []string `json:"atLeast,omitempty"` // for that reason, these fields above are lower bounds
}

// The names of a spread's figures in AtLeast.
const (
	Median  = "median"
	P95     = "p95"
	P99     = "p99"
	Longest = "longest"
)

// Figure returns a figure, and whether that figure is a lower bound.
func (s *Spread) Figure(name string) (length summary.Seconds, atLeast bool) {
	length = map[string]summary.Seconds{Median: s.Median, P95: s.P95, P99: s.P99, Longest: s.Longest}[name]
	return length, slices.Contains(s.AtLeast, name)
}

// spreadOf returns the spread of the lengths of runs. The function unended reports whether a run ended during the
// measured time. Such runs count with their lower bounds. Without these runs, the longest lengths would be missing.
func spreadOf(lengths []int64, unended func(run int) bool) Spread {
	var ended []int64
	for i, length := range lengths {
		if !unended(i) {
			ended = append(ended, length)
		}
	}
	slices.Sort(ended)
	all := study.SpreadOf(lengths)
	s := Spread{
		Median: summary.Seconds(all.P50), P95: summary.Seconds(all.P95), P99: summary.Seconds(all.P99),
		Longest: summary.Seconds(all.Max),
		Unended: len(lengths) - len(ended),
	}
	for _, one := range []struct {
		figure string
		share  float64
		ns     int64
	}{{Median, 0.5, all.P50}, {P95, 0.95, all.P95}, {P99, 0.99, all.P99}, {Longest, 1, all.Max}} {
		if !study.ReachedBy(ended, len(lengths), one.share, one.ns) {
			s.AtLeast = append(s.AtLeast, one.figure)
		}
	}
	return s
}

// BrokenRule counts the runs that broke a rule with a severity.
type BrokenRule struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"`
	Runs      int    `json:"runs"`
	FirstSeed uint64 `json:"firstSeed"`
}

// Seeded is a run of a combination with its seed.
type Seeded struct {
	Seed uint64
	Run
}

// RefusedRowOf returns the row of a refused combination.
func RefusedRowOf(name string, c *Combination) RefusedRow {
	return RefusedRow{Scenario: name, Engine: world.Engine, Set: c.valueMap(), Refused: c.Refused}
}

func (c *Combination) valueMap() map[string]string {
	values := map[string]string{}
	for _, change := range c.Changes {
		values[change.Path] = change.Value
	}
	return values
}

// RowOf counts the runs of a combination, in the order of their seeds. `runs` must not be empty.
func RowOf(c *Combination, first uint64, runs []Seeded) Row {
	row := Row{Scenario: c.Scenario.Name, Engine: world.Engine, Set: c.valueMap(), FirstSeed: first, Runs: len(runs),
		Broken: []BrokenRule{}}
	leaderless, double := make([]int64, len(runs)), make([]int64, len(runs))
	changes, requests, writes, virtualNs, passed := 0, int64(0), int64(0), int64(0), 0
	for i := range runs {
		one := &runs[i]
		leaderless[i], double[i] = one.LeaderlessNs, one.DoubleNs
		changes, requests, writes, virtualNs = changes+one.Changes, requests+one.Requests, writes+one.Writes, virtualNs+
			one.VirtualNs
		if one.Code == summary.Fine {
			passed++
		}
		if one.MarginNs != nil && (row.LeastMarginSeconds == nil ||
			summary.Seconds(*one.MarginNs) < *row.LeastMarginSeconds) {
			least := summary.Seconds(*one.MarginNs)
			row.LeastMarginSeconds = &least
		}
	}
	row.LeaderlessSeconds = spreadOf(leaderless, func(i int) bool { return runs[i].LeaderlessUnended })
	row.DoubleLeaderSeconds = spreadOf(double, func(i int) bool { return runs[i].DoubleUnended })
	row.LeaderChangesPerRun = float64(changes) / float64(len(runs))
	if virtualNs > 0 {
		row.RequestsPerSecond = float64(requests) / (float64(virtualNs) / 1e9)
		row.RequestsPerMinute, row.WritesPerMinute = 60*row.RequestsPerSecond, float64(writes)/(float64(virtualNs)/60e9)
	}
	if len(c.Scenario.Expect) > 0 {
		share := shareOf(passed, len(runs))
		row.Passed = &share
	}
	row.Broken = append(row.Broken, brokenRules(runs)...)
	two := 0
	for _, b := range row.Broken {
		if b.Rule == rules.MoreThanOneActive {
			two = b.Runs
		}
	}
	row.TwoWorked = shareOf(two, len(runs))
	return row
}

// brokenRules counts the runs that broke each rule: safety first, then liveness and observations, each in the order
// of the rules.
func brokenRules(runs []Seeded) []BrokenRule {
	var all []BrokenRule
	for _, severity := range rules.Severities() {
		for _, rule := range rules.All() {
			one := BrokenRule{Rule: rule.Name, Severity: severity.String()}
			for i := range runs {
				if !slices.Contains(runs[i].Broken, Broken{one.Rule, one.Severity}) {
					continue
				}
				if one.Runs++; one.Runs == 1 {
					one.FirstSeed = runs[i].Seed
				}
			}
			if one.Runs > 0 {
				all = append(all, one)
			}
		}
	}
	return all
}
