package grid

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/judge/summary"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/world"
)

// Row is the JSON of a combination.
type Row struct {
	Scenario            string            `json:"scenario"`
	Engine              int               `json:"engine"`
	Set                 map[string]string `json:"set"` // value by path
	FirstSeed           uint64            `json:"firstSeed"`
	Runs                int               `json:"runs"`
	TwoWorked           Share             `json:"twoWorked"`
	LeaderlessSeconds   Leaderless        `json:"leaderlessSeconds"`
	LeaderChangesPerRun float64           `json:"leaderChangesPerRun"` // after the first
	RequestsPerSecond   float64           `json:"requestsPerSecond"`
	LeastMarginSeconds  *summary.Seconds  `json:"leastMarginSeconds"` // a successor's start minus the old leader's stop; null: no run had one
	Broken              []BrokenRule      `json:"broken"`
	Replay              string            `json:"replay,omitempty"` // where acts have drawn instants: the command that runs the first seed of the first broken rule, or the first seed, again
}

// Share is a share of the runs.
type Share struct {
	Runs  int     `json:"runs"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // Wilson's 95 % interval
	High  float64 `json:"high"`
}

// Leaderless is, over the runs, of the longest time without a leader in each.
type Leaderless struct {
	Median  summary.Seconds `json:"median"`
	P99     summary.Seconds `json:"p99"`
	Longest summary.Seconds `json:"longest"`
}

// BrokenRule tells in how many runs a rule was broken with a severity.
type BrokenRule struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"`
	Runs      int    `json:"runs"`
	FirstSeed uint64 `json:"firstSeed"`
}

// Run is what a row needs of a run.
type Run struct {
	seed       uint64
	untilNs    int64
	leaderless int64 // the longest time after the first election; the whole run where nobody ever leads
	changes    int   // after the first
	requests   int64
	nearest    int64
	followed   bool
	broken     []check.Violation // the first of each rule and severity
}

// One runs a scenario.
func One(s scenario.Scenario) Run {
	r := run.Plain(s)
	c, untilNs := &r.Checks, r.EndNs()
	r.To(untilNs, nil)
	one := Run{seed: s.Seed, untilNs: untilNs, requests: r.World.Counts().Requests}
	one.nearest, one.followed = c.NearestNs()
	for _, change := range c.Changes[min(1, len(c.Changes)):] {
		one.changes++
		one.leaderless = max(one.leaderless, change.LeaderlessNs)
	}
	if len(c.Active()) == 0 {
		one.leaderless = max(one.leaderless, untilNs-c.SinceNs())
	}
	for _, v := range c.Violations {
		if !slices.ContainsFunc(one.broken, func(have check.Violation) bool { return have.Rule == v.Rule && have.Severity == v.Severity }) {
			one.broken = append(one.broken, v)
		}
	}
	return one
}

// RowOf counts the runs of a combination, whose seeds ascend from first.
func RowOf(c *Combination, first uint64, runs []Run) Row {
	row := Row{Scenario: c.Scenario.Name, Engine: world.Engine, Set: map[string]string{}, FirstSeed: first, Runs: len(runs), Broken: []BrokenRule{}}
	for _, change := range c.Changes {
		row.Set[change.Path] = change.Value
	}
	var gaps []int64
	changes, requests, virtualNs := 0, int64(0), int64(0)
	for i := range runs {
		one := &runs[i]
		gaps = append(gaps, one.leaderless)
		changes, requests, virtualNs = changes+one.changes, requests+one.requests, virtualNs+one.untilNs
		if nearest := summary.Seconds(one.nearest); one.followed && (row.LeastMarginSeconds == nil || nearest < *row.LeastMarginSeconds) {
			row.LeastMarginSeconds = &nearest
		}
	}
	slices.Sort(gaps)
	row.LeaderlessSeconds = Leaderless{Median: summary.Seconds(Quantile(gaps, 0.5)), P99: summary.Seconds(Quantile(gaps, 0.99)), Longest: summary.Seconds(gaps[len(gaps)-1])}
	row.LeaderChangesPerRun = float64(changes) / float64(len(runs))
	if virtualNs > 0 {
		row.RequestsPerSecond = float64(requests) / (float64(virtualNs) / 1e9)
	}
	row.Broken = append(row.Broken, brokenRules(runs)...)
	for _, b := range row.Broken {
		if b.Rule == rules.MoreThanOneActive {
			row.TwoWorked.Runs = b.Runs
		}
	}
	row.TwoWorked.Share = float64(row.TwoWorked.Runs) / float64(len(runs))
	row.TwoWorked.Low, row.TwoWorked.High = reroll.Wilson(row.TwoWorked.Runs, len(runs))
	return row
}

// brokenRules counts the runs that broke a rule: safety first, then liveness and observations, each in the order of the rules.
func brokenRules(runs []Run) []BrokenRule {
	var all []BrokenRule
	for _, severity := range rules.Severities() {
		for _, rule := range rules.All() {
			one := BrokenRule{Rule: rule.Name, Severity: severity.String()}
			for i := range runs {
				if !slices.ContainsFunc(runs[i].broken, func(v check.Violation) bool { return v.Rule == rule.Name && v.Severity == severity }) {
					continue
				}
				if one.Runs++; one.Runs == 1 {
					one.FirstSeed = runs[i].seed
				}
			}
			if one.Runs > 0 {
				all = append(all, one)
			}
		}
	}
	return all
}

// Quantile returns the nearest of sorted lengths: 0 is the least, 1 the greatest.
func Quantile(sorted []int64, share float64) int64 {
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}
