package electiontest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/words"
)

// Result is the outcome of a Run.
type Result struct {
	Seed       uint64
	Changes    []Change
	Violations []Violation
	Findings   []Finding // the mistakes of the programs, the gravest first
	Requests   int64     // requests that the programs have sent
	Hash       string    // hash of the trace
	// Scenario makes leaselab's candidates do what the programs did, as far as the format allows. For programs with
	// client-go it includes their waits, so it gives the same leader changes.
	Scenario scenario.Scenario
	File     string // file with the scenario of a failed test; "" if there is none

	unmet  []string
	story  []string
	report string
}

// Change is a leader change, according to the programs' work.
type Change struct {
	At         time.Duration
	From, To   string        // for the first change, From is ""
	Leaderless time.Duration // how long no program was working just before
}

// Finding is a mistake of a program, with its cure. Package conduct lists the causes.
type Finding = summary.Finding

// Violation is one breach of a rule by the programs.
type Violation struct {
	Rule     string
	Severity string   // safety, liveness or observation
	Who      []string // the candidates involved, sorted
	From     time.Duration
	Until    time.Duration // 0 if the violation lasts to the end
	Text     string        // description in one sentence
	Story    []string      // how the violation happened
	fails    bool
}

// read collects the outcome of a settled run.
func (r *Result) read(c *Cluster, ran *run.Run, ns int64, allowed []string) {
	w := ran.World
	name := func(i int32) string {
		if i < 0 {
			return "an administrator"
		}
		return w.Node(i).Name()
	}
	r.Requests, r.Hash = w.Counts().Requests, w.Hash().String()
	for i := range ran.Checks.Changes {
		change := &ran.Checks.Changes[i]
		one := Change{At: time.Duration(change.AtNs), To: name(change.To),
			Leaderless: time.Duration(change.LeaderlessNs)}
		if change.From >= 0 {
			one.From = name(change.From)
		}
		r.Changes = append(r.Changes, one)
	}
	r.Findings = c.of.Conduct().Tell(w, ns)
	for k := range ran.Checks.Violations {
		v := &ran.Checks.Violations[k]
		until := v.UntilNs
		one := Violation{Rule: v.Rule, Severity: v.Severity.String(), From: time.Duration(v.FromNs)}
		if until >= 0 {
			one.Until = time.Duration(until)
		} else {
			until = ns
		}
		one.Text, one.Who = v.Describe(name, until-v.FromNs), v.Who(name)
		for _, line := range ran.Tracker.SoFar(w, k, v, ns).Lines {
			one.Story = append(one.Story, words.Instant(line.Event.AtNs)+"  "+line.Text)
		}
		one.fails = v.Severity != rules.Observation && !slices.Contains(allowed, v.Rule) &&
			!slices.ContainsFunc(c.scenario.Expect, func(e scenario.Expect) bool { return e.Expects(v.Rule) })
		r.Violations = append(r.Violations, one)
	}
	r.unmet = expect.Unmet(ran.Outcomes(ns))
	r.Scenario = c.of.ObservedScenario()
	for k := range ran.Tracker.Explanations {
		e := &ran.Tracker.Explanations[k]
		line := words.Instant(e.ToNs) + "  " + e.ToName + " starts leading"
		if e.FromName != "" {
			line += " after " + e.FromName
		}
		if e.ToNs > e.FromNs {
			line += "; nobody led for " + words.Seconds(e.ToNs-e.FromNs)
		}
		r.story = append(r.story, line)
	}
	if _, o, exists := w.Holder(); exists && o.Spec.HolderIdentity != 0 && len(r.Changes) == 0 {
		r.story = append(r.story,
			"The Lease has a holder, but no program has reported that it works: call Node.Work in OnStartedLeading.")
	}
}

// conclude writes the report of a test that fails.
func (c *Cluster) conclude(r *Result) {
	if c.abandoned.Load() {
		return
	}
	fails := slices.ContainsFunc(r.Violations, func(v Violation) bool { return v.fails })
	if !fails && len(r.unmet) == 0 && len(c.failures) == 0 && !c.report.Failed() {
		return
	}
	var text strings.Builder
	for i := range r.Findings {
		fmt.Fprintln(&text, &r.Findings[i])
	}
	for _, v := range r.Violations {
		if !v.fails {
			continue
		}
		fmt.Fprintf(&text, "%s [%s, %s]\n", v.Text, v.Rule, v.Severity)
		for _, line := range v.Story {
			fmt.Fprintf(&text, "    %s\n", line)
		}
	}
	for _, one := range r.unmet {
		fmt.Fprintf(&text, "expect: %s\n", one)
	}
	for _, one := range c.failures {
		fmt.Fprintf(&text, "%s\n", one)
	}
	for _, line := range r.story {
		fmt.Fprintf(&text, "  %s\n", line)
	}
	again := "go test -run '" + pattern(c.report.Name()) + "' " + packagePath()
	fmt.Fprintf(&text, "Seed %d. Run it again: %s=%d %s\n", r.Seed, seedVariable, r.Seed, again)
	if name, err := write(c.report.Name(), r); err != nil {
		fmt.Fprintf(&text, "Could not write the scenario: %v\n", err)
	} else {
		r.File = name
		fmt.Fprintf(&text, "The scenario: %s; open it in the page, or: leaselab explain %s; leaselab shrink %s\n", name,
			name, name)
	}
	heading := "electiontest: "
	if !fails && len(r.unmet) == 0 && len(c.failures) == 0 {
		c.report.Logf("%sthe test itself has failed\n%s", heading, text.String())
		return
	}
	r.report = heading + text.String()
}

// pattern returns the pattern of -run for one test.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

// packagePath returns the package of the running test, or "." if unknown.
func packagePath() string {
	info, ok := debug.ReadBuildInfo()
	if path, is := strings.CutSuffix(info.Path, ".test"); ok && is {
		return path
	}
	return "."
}

// directoryVariable is the environment variable with the folder for the scenarios of failed tests.
const directoryVariable = "LEASELAB_DIR"

// write writes the scenario of a failed test and returns the name of the file.
func write(test string, r *Result) (string, error) {
	directory := cmp.Or(os.Getenv(directoryVariable), filepath.Join(os.TempDir(), "leaselab"))
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return "", err
	}
	s := r.Scenario.Clone()
	s.Title, s.Summary = "", "leaselab's candidates do what the programs of "+test+
		" did, as far as the trace shows it."
	name := filepath.Join(directory, fmt.Sprintf("%s-seed-%d.yaml", unsafe.ReplaceAllString(test, "-"), r.Seed))
	return name, os.WriteFile(name, yaml.Encode(s), 0o644)
}

// unsafe matches the characters that do not belong in a file name.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
