package grid

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// Finding describes where in a grid the runs broke a rule: "moreThanOneActive in 37 runs of 400, with retryPeriod 4s
// to 8s".
type Finding struct {
	Rule, Severity string
	Runs, Of       int // runs that broke the rule, and all runs of the grid
	Combinations   int // number of combinations with such a run
	FirstSeed      uint64
	Where          []Where // empty if the values make no difference
}

// Where is a list: the values of one path with which runs broke a rule. The lists of all paths together enclose the
// combinations that broke the rule.
type Where struct {
	Path   string
	Values string // such as "14s to 16.5s" for values next to each other in the grid, or "1s, 4s"
}

// Findings lists the broken rules of a grid, the worst severity first. rows[i] is the row of combination i, or nil.
func Findings(all []Combination, rows []*Row) []Finding {
	runs := 0
	for _, row := range rows {
		if row != nil {
			runs += row.Runs
		}
	}
	var findings []Finding
	for _, severity := range rules.Severities() {
		for _, rule := range rules.All() {
			f := Finding{Rule: rule.Name, Severity: severity.String(), Of: runs}
			var broken []int // combinations
			for i, row := range rows {
				if row == nil {
					continue
				}
				for _, b := range row.Broken {
					if b.Rule != f.Rule || b.Severity != f.Severity {
						continue
					}
					if broken = append(broken, i); f.Runs == 0 {
						f.FirstSeed = b.FirstSeed
					}
					f.Runs += b.Runs
				}
			}
			if f.Combinations = len(broken); f.Combinations > 0 {
				f.Where = whereOf(all, broken)
				findings = append(findings, f)
			}
		}
	}
	return findings
}

// whereOf lists the values of some combinations by path. It leaves out paths for which the combinations include all
// values. The lists may also cover combinations without a violation: if a rule breaks with (1s, 10s) and (2s, 20s),
// the lists are "1s, 2s" and "10s, 20s".
func whereOf(all []Combination, some []int) []Where {
	var list []Where
	for k, change := range all[0].Changes {
		var values, has []string
		for i := range all {
			if value := all[i].Changes[k].Value; !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		for _, i := range some {
			has = append(has, all[i].Changes[k].Value)
		}
		if text, part := stretches(values, has); part {
			list = append(list, Where{change.Path, text})
		}
	}
	return list
}

// `stretches` formats those values that the list `has` contains, too. Neighboring values become "FIRST to LAST".
// It also reports whether that list lacks some of the values.
func stretches(values, has []string) (text string, part bool) {
	var parts []string
	first := -1
	for i := 0; i <= len(values); i++ {
		if i < len(values) && slices.Contains(has, values[i]) {
			if first < 0 {
				first = i
			}
			continue
		}
		part = part || i < len(values)
		switch {
		case first < 0:
			continue
		case first == i-1:
			parts = append(parts, values[first])
		default:
			parts = append(parts, values[first]+" to "+values[i-1])
		}
		first = -1
	}
	return strings.Join(parts, ", "), part
}
