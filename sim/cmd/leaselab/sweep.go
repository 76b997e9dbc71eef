package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/judge/summary"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Limits of one sweep.
const (
	maxCombinations = 10_000
	maxSweepRuns    = 1_000_000
)

type sweepFlags struct {
	sets   []string
	seeds  string
	output string
}

func sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep SCENARIO --set PATH=VALUES …",
		Short: "Run every combination of values of some fields with many seeds: what depends on what?",
		Long: "sweep runs the scenario with every combination of the values, each with every seed, and prints one row per combination:\n" +
			"in how many runs two worked at once (with Wilson's 95 % interval), the longest time without a leader after the first election\n" +
			"(median and maximum over the runs), leader changes after the first, requests, the least margin, and the broken rules.\n\n" +
			"Paths are those of `leaselab schema`, as elector.retryPeriod or actions[0].at. VALUES are separated by commas; FROM..TO/STEP\n" +
			"stands for a range of lengths or numbers, both ends in it. The expectations of the scenario are left out.",
		Example: "  # B02: how late may the answer of the last renewal be?\n" +
			"  leaselab sweep b02-three-second-margin --set 'actions[0].response=1ms,2s,3500ms,4900ms' --seeds 1..150\n" +
			"  # B05: in which phase must the network come back (that many seconds after the cut)?\n" +
			"  leaselab sweep b05-wiped-lease --set 'actions[0].for=9s..22s/500ms' --seeds 1..40",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			return f.run(out, args[0])
		},
	}
	c.Flags().StringArrayVar(&f.sets, "set", nil, "PATH=VALUE,VALUE,… or PATH=FROM..TO/STEP; given again, every combination is run")
	c.Flags().StringVar(&f.seeds, "seeds", "", "run each combination with every seed A..B (default: the scenario's seed)")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text, or json (one combination a line)")
	return c
}

// combination is a scenario with a value for each of the paths.
type combination struct {
	changes  []scenario.Change
	scenario scenario.Scenario
}

// swept is the JSON of a combination.
type swept struct {
	Scenario            string            `json:"scenario"`
	Engine              int               `json:"engine"`
	Set                 map[string]string `json:"set"` // value by path
	FirstSeed           uint64            `json:"firstSeed"`
	Runs                int               `json:"runs"`
	TwoWorked           sweptShare        `json:"twoWorked"`
	LeaderlessSeconds   sweptLeaderless   `json:"leaderlessSeconds"`
	LeaderChangesPerRun float64           `json:"leaderChangesPerRun"` // after the first
	RequestsPerSecond   float64           `json:"requestsPerSecond"`
	LeastMarginSeconds  *summary.Seconds  `json:"leastMarginSeconds"` // a successor's start minus the old leader's stop; null: no run had one
	Broken              []sweptRule       `json:"broken"`
}

type sweptShare struct {
	Runs  int     `json:"runs"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // Wilson's 95 % interval
	High  float64 `json:"high"`
}

// sweptLeaderless is over the runs, of the longest time without a leader in each.
type sweptLeaderless struct {
	Median  summary.Seconds `json:"median"`
	Longest summary.Seconds `json:"longest"`
}

type sweptRule struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"`
	Runs      int    `json:"runs"`
	FirstSeed uint64 `json:"firstSeed"`
}

func (f *sweepFlags) run(out *bufio.Writer, arg string) error {
	if err := checkOutput(f.output, "text", "json"); err != nil {
		return err
	}
	s, err := load(arg)
	if err != nil {
		return err
	}
	first, seeds := s.Seed, 1
	if f.seeds != "" {
		if first, seeds, err = seedRange(f.seeds); err != nil {
			return err
		}
	}
	all, err := combinations(s, f.sets)
	if err != nil {
		return err
	}
	count := len(all) * seeds
	if count > maxSweepRuns {
		return fmt.Errorf("--set and --seeds make %d combinations with %d seeds each, %d runs; the limit is %d", len(all), seeds, count, maxSweepRuns)
	}
	p := newProgress()
	var rows []swept
	var row []sweptRun
	inOrder(count, func(i int) sweptRun {
		one := all[i/seeds].scenario
		one.Seed = first + uint64(i%seeds)
		return sweepOne(one)
	}, func(i int, one sweptRun) {
		p.tell(i+1, count, "runs")
		if row = append(row, one); len(row) < seeds {
			return
		}
		whole := sweptOf(&all[i/seeds], first, row)
		row = row[:0]
		if f.output == "json" {
			writeLine(out, whole)
			return
		}
		rows = append(rows, whole)
	})
	p.over()
	if f.output == "text" {
		writeSwept(out, &s, all, rows, first, seeds)
	}
	return nil
}

// combinations is the scenario with each combination of the values, the last --set changing fastest. All of them are checked.
func combinations(s scenario.Scenario, sets []string) ([]combination, error) {
	if len(sets) == 0 {
		return nil, fmt.Errorf("--set is needed, such as --set elector.retryPeriod=1s,2s,4s")
	}
	s.Expect = nil // of the run as it is
	var paths []string
	var values [][]string // by path
	count := 1
	for _, set := range sets {
		path, text, found := strings.Cut(set, "=")
		if !found || path == "" {
			return nil, fmt.Errorf("--set %q must be PATH=VALUES, such as elector.retryPeriod=1s,2s,4s", set)
		}
		switch {
		case path == "seed":
			return nil, fmt.Errorf("--set seed: seeds are given as --seeds A..B")
		case slices.Contains(paths, path):
			return nil, fmt.Errorf("--set %s: the path is given twice; all of its values go into one", path)
		}
		paths = append(paths, path)
		those, err := valuesOf(path, text)
		if err != nil {
			return nil, err
		}
		if count*len(those) > maxCombinations {
			return nil, fmt.Errorf("--set %s: %d values make %d combinations; the limit is %d", path, len(those), count*len(those), maxCombinations)
		}
		count, values = count*len(those), append(values, those)
	}
	all := make([]combination, count)
	for i := range all {
		one := combination{changes: make([]scenario.Change, len(paths))}
		for k, rest := len(paths)-1, i; k >= 0; k-- {
			one.changes[k] = scenario.Change{Path: paths[k], Value: values[k][rest%len(values[k])]}
			rest /= len(values[k])
		}
		var err error
		if one.scenario, err = scenario.SetAll(s, one.changes); err != nil {
			return nil, fmt.Errorf("--set %s: %w", one.String(), err)
		}
		all[i] = one
	}
	return all, nil
}

func (c *combination) String() string {
	words := make([]string, len(c.changes))
	for i, change := range c.changes {
		words[i] = change.Path + "=" + change.Value
	}
	return strings.Join(words, " ")
}

// sweptRun is what a sweep keeps of a run.
type sweptRun struct {
	seed       uint64
	untilNs    int64
	leaderless int64 // the longest time after the first election; the whole run where nobody ever leads
	changes    int   // after the first
	requests   int64
	nearest    int64
	followed   bool
	broken     []check.Violation // the first of each rule and severity
}

func sweepOne(s scenario.Scenario) sweptRun {
	r := run.Plain(s)
	c, untilNs := &r.Checks, r.EndNs()
	r.To(untilNs, nil)
	one := sweptRun{seed: s.Seed, untilNs: untilNs, requests: r.World.Counts().Requests}
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

func sweptOf(c *combination, first uint64, runs []sweptRun) swept {
	row := swept{Scenario: c.scenario.Name, Engine: world.Engine, Set: map[string]string{}, FirstSeed: first, Runs: len(runs), Broken: []sweptRule{}}
	for _, change := range c.changes {
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
	row.LeaderlessSeconds = sweptLeaderless{Median: summary.Seconds(quantile(gaps, 0.5)), Longest: summary.Seconds(gaps[len(gaps)-1])}
	row.LeaderChangesPerRun = float64(changes) / float64(len(runs))
	if virtualNs > 0 {
		row.RequestsPerSecond = float64(requests) / (float64(virtualNs) / 1e9)
	}
	row.Broken = append(row.Broken, sweptRules(runs)...)
	for _, b := range row.Broken {
		if b.Rule == rules.MoreThanOneActive {
			row.TwoWorked.Runs = b.Runs
		}
	}
	row.TwoWorked.Share = float64(row.TwoWorked.Runs) / float64(len(runs))
	row.TwoWorked.Low, row.TwoWorked.High = reroll.Wilson(row.TwoWorked.Runs, len(runs))
	return row
}

// sweptRules counts the runs that broke a rule: safety first, then liveness and observations, each in the order of the rules.
func sweptRules(runs []sweptRun) []sweptRule {
	var all []sweptRule
	for _, severity := range []rules.Severity{rules.Safety, rules.Liveness, rules.Observation} {
		for _, rule := range rules.All() {
			one := sweptRule{Rule: rule.Name, Severity: severity.String()}
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

func writeSwept(out io.Writer, s *scenario.Scenario, all []combination, rows []swept, first uint64, seeds int) {
	which := fmt.Sprintf("seed %d", first)
	if seeds > 1 {
		which = fmt.Sprintf("seeds %d to %d", first, first+uint64(seeds)-1)
	}
	fmt.Fprintf(out, "%s, %s: %d × %d = %s\n\n", nameOr(s.Name), which, len(all), seeds, runs(len(all)*seeds))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, change := range all[0].changes {
		fmt.Fprintf(t, "%s\t", change.Path)
	}
	fmt.Fprintln(t, "two worked\tleaderless p50\tlongest\tchanges\trequests/s\tleast margin\tbroken, in so many runs")
	for i := range rows {
		r := &rows[i]
		for _, change := range all[i].changes {
			value := change.Value
			if value == "" {
				value = "(default)"
			}
			fmt.Fprintf(t, "%s\t", value)
		}
		margin := "-"
		if r.LeastMarginSeconds != nil {
			margin = words.Seconds(int64(*r.LeastMarginSeconds))
		}
		fmt.Fprintf(t, "%5.1f %% (%.1f to %.1f %%)\t%s\t%s\t%.2f\t%.2f\t%s\t%s\n", 100*r.TwoWorked.Share, 100*r.TwoWorked.Low, 100*r.TwoWorked.High,
			words.Seconds(int64(r.LeaderlessSeconds.Median)), words.Seconds(int64(r.LeaderlessSeconds.Longest)), r.LeaderChangesPerRun, r.RequestsPerSecond,
			margin, brokenWords(r.Broken))
	}
	t.Flush()
}

func brokenWords(all []sweptRule) string {
	if len(all) == 0 {
		return "none"
	}
	words := make([]string, len(all))
	for i, b := range all {
		words[i] = fmt.Sprintf("%s %d", b.Rule, b.Runs)
	}
	return strings.Join(words, ", ")
}

// valuesOf reads the values of a path: separated by commas outside of brackets, ranges written out.
func valuesOf(path, text string) ([]string, error) {
	var all []string
	depth, begin := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch text[i] {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			if text[i] != ',' || depth > 0 {
				continue
			}
		}
		one := text[begin:i]
		begin = i + 1
		values := []string{one}
		if strings.Contains(one, "..") {
			var rule string
			if values, rule = span(one); rule != "" {
				return nil, fmt.Errorf("--set %s: %q %s", path, one, rule)
			}
		}
		if all = append(all, values...); len(all) > maxCombinations {
			return nil, fmt.Errorf("--set %s: more than %d values; that is the limit", path, maxCombinations)
		}
	}
	return all, nil
}

// span writes out FROM..TO/STEP. rule is what a bad one must be.
func span(text string) (values []string, rule string) {
	from, rest, _ := strings.Cut(text, "..")
	to, step, _ := strings.Cut(rest, "/")
	for _, unit := range []struct {
		read  func(string) (int64, bool)
		write func(int64) string
	}{{readLength, func(ns int64) string { return time.Duration(ns).String() }}, {readDecimal, writeDecimal}} {
		a, isA := unit.read(from)
		b, isB := unit.read(to)
		d, isD := unit.read(step)
		if !isA || !isB || !isD {
			continue
		}
		if d <= 0 || b < a {
			return nil, "must be FROM..TO/STEP with FROM not above TO and a STEP above 0"
		}
		steps := (uint64(b) - uint64(a)) / uint64(d)
		if steps >= maxCombinations {
			return nil, fmt.Sprintf("has %d values; the limit is %d", steps+1, maxCombinations)
		}
		for k := range steps + 1 {
			values = append(values, unit.write(a+int64(k)*d))
		}
		return values, ""
	}
	return nil, "must be a range FROM..TO/STEP of lengths or of numbers, such as 10s..20s/1s or 0..1/0.25"
}

func readLength(text string) (int64, bool) {
	d, err := time.ParseDuration(text)
	return int64(d), err == nil
}

// readDecimal reads a number with up to nine digits before and after the point, in billionths.
func readDecimal(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, rest, _ := strings.Cut(digits, ".")
	if whole == "" || len(whole) > 9 || len(rest) > 9 || strings.Trim(whole+rest, "0123456789") != "" {
		return 0, false
	}
	n := int64(0)
	for _, digit := range whole + rest + strings.Repeat("0", 9-len(rest)) {
		n = 10*n + int64(digit-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

func writeDecimal(billionths int64) string {
	text, _ := summary.Seconds(billionths).MarshalJSON()
	return string(text)
}
