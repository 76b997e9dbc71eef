package main

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/leaselab/leaselab/sim/programs/suite"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// suiteResult is the result of one scenario in a suite.
type suiteResult struct {
	Scenario string           `json:"scenario"`
	Title    string           `json:"title"`
	Passed   bool             `json:"passed"`
	Code     int              `json:"exitCode"` // the exit code of `leaselab test` with this scenario
	Reasons  []string         `json:"reasons,omitempty"`
	Seconds  summary.Seconds  `json:"seconds"`
	Summary  *summary.Summary `json:"summary,omitempty"`
	words    string           // what the copies printed last
	open     bool             // neither passed nor failed
}

// suiteReport is the result of a suite.
type suiteReport struct {
	APIVersion string                        `json:"apiVersion"`
	Kind       string                        `json:"kind"`
	Suite      string                        `json:"suite"`
	Program    []string                      `json:"program"`
	Passed     int                           `json:"passed"`
	Failed     int                           `json:"failed"`
	Seconds    summary.Seconds               `json:"seconds"`
	Results    []suiteResult                 `json:"results"`
	noun       string                        // what the results are
	again      func(one *suiteResult) string // the command that plays one of them alone
}

// suiteMember is one scenario of a suite: what to pass to `leaselab test` to play it alone, and the scenario.
type suiteMember struct {
	arg      string
	scenario scenario.Scenario
}

// suiteMembers reads a suite, which is a shipped one or a folder of scenarios. It reads all of them before the first
// copy starts, because a mistake in the last one should not cost a user five minutes.
func (f *testFlags) suiteMembers() ([]suiteMember, error) {
	args := suite.Scenarios(f.suite)
	if args == nil {
		if info, err := os.Stat(f.suite); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--suite %s must be %s, or a folder with scenarios", f.suite,
				strings.Join(suite.Names(), " or "))
		}
		for _, pattern := range []string{"*.yaml", "*.yml", "*.json"} {
			found, err := filepath.Glob(filepath.Join(f.suite, pattern))
			if err != nil {
				return nil, fmt.Errorf("--suite %s: %w", f.suite, err)
			}
			args = append(args, found...)
		}
		if slices.Sort(args); len(args) == 0 {
			return nil, fmt.Errorf("--suite %s: the folder has no scenario, NAME.yaml or NAME.json", f.suite)
		}
	}
	var members []suiteMember
	for _, arg := range args {
		s, err := f.scenario(arg)
		if err != nil {
			return nil, fmt.Errorf("--suite %s: %w", f.suite, err)
		}
		members = append(members, suiteMember{arg, s})
	}
	return members, nil
}

// runSuite plays every scenario of a suite, several at once, and writes the report. It exits with the worst code.
func (f *testFlags) runSuite(ctx context.Context, out, warnings io.Writer, command []string) error {
	program, err := f.check(command)
	if err != nil {
		return err
	}
	members, err := f.suiteMembers()
	if err != nil {
		return err
	}
	report := suiteReport{APIVersion: apiVersion, Kind: "SuiteReport", Suite: f.suite, Program: command,
		Results: make([]suiteResult, len(members)), noun: "scenarios", again: func(one *suiteResult) string {
			return "leaselab test " + one.Scenario + " -- " + strings.Join(command, " ")
		}}
	begun := time.Now()
	ended := 0
	err = several(ctx, len(members), f.parallel, func(k int) (tell func(), err error) {
		m := &members[k]
		t := trial{scenario: m.scenario, program: program, addr: "127.0.0.1:0"}
		result, err := t.play(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.arg, err)
		}
		return func() {
			ended++
			r := &report.Results[k]
			if *r = resultOf(m, &result); !f.quiet {
				fmt.Fprintf(warnings, "%2d of %d  %s  %s, %s\n", ended, len(members), verdictWord(r.Passed), r.Scenario,
					words.Seconds(int64(r.Seconds)))
			}
		}, nil
	})
	if err != nil {
		return err
	}
	report.Seconds = summary.Seconds(time.Since(begun).Round(time.Millisecond))
	code := report.count()
	if err := report.write(out, f.output); err != nil {
		return err
	}
	if code != summary.Fine {
		return exitError{code: code}
	}
	return nil
}

// several plays some trials, a few at once. The function play returns a function that several calls for one trial at a
// time. After an error or a signal, it starts no further trial.
func several(ctx context.Context, count, atOnce int, play func(k int) (tell func(), err error)) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	turns := make(chan struct{}, atOnce)
	hasFailed := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return failed != nil
	}
	for k := range count {
		turns <- struct{}{}
		if ctx.Err() != nil || hasFailed() {
			break
		}
		group.Go(func() {
			defer func() { <-turns }()
			tell, err := play(k)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil:
			case err != nil:
				failed = cmp.Or(failed, err)
			default:
				tell()
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return exitError{exitCancelled, "interrupted before the end; killed the copies"}
	}
	return failed
}

// resultOf says how a scenario ended. The first reason is the most serious.
func resultOf(m *suiteMember, t *tried) suiteResult {
	r := suiteResult{Scenario: m.arg, Title: m.scenario.Title, Passed: t.passed(), Code: t.code,
		Seconds: summary.Seconds(t.took.Round(time.Millisecond)), Summary: &t.sum}
	if t.nothing != "" {
		var last strings.Builder
		t.copies.writeLastWords(&last)
		r.Code, r.Reasons, r.words = exitUsage, []string{"no verdict: " + t.nothing}, last.String()
		return r
	}
	for k := range t.sum.Findings {
		r.Reasons = append(r.Reasons, t.sum.Findings[k].Text+" "+t.sum.Findings[k].Cure)
	}
	for k := range t.sum.Checks {
		c := &t.sum.Checks[k]
		if c.State == "violated" && isUnexpected(&m.scenario, c.Rule, c.Severity) {
			r.Reasons = append(r.Reasons, c.Text+" In all: "+c.Figure+".")
		}
	}
	r.Reasons = append(r.Reasons, t.sum.Unmet...)
	return r
}

// count counts the verdicts and returns the exit code: the worst code of the scenarios. A safety violation is worse
// than a liveness violation, which is worse than a failed assertion or no verdict.
func (r *suiteReport) count() int {
	worst := summary.Fine
	for k := range r.Results {
		one := &r.Results[k]
		if one.Passed {
			r.Passed++
			continue
		}
		r.Failed++
		if isWorse(one.Code, worst) {
			worst = one.Code
		}
	}
	return worst
}

func verdictWord(passed bool) string {
	if passed {
		return "passed"
	}
	return "FAILED"
}

func (r *suiteResult) verdict() string {
	if r.open {
		return "open  "
	}
	return verdictWord(r.Passed)
}

func (r *suiteReport) write(out io.Writer, format string) error {
	switch format {
	case "json":
		_, err := out.Write(indent(r))
		return err
	case "junit":
		return r.writeJUnit(out)
	case "markdown":
		return r.writeMarkdown(out)
	}
	return r.writeText(out)
}

// heading is the first line of a report.
func (r *suiteReport) heading() string {
	return fmt.Sprintf("%s: %d of %d %s passed in %s", r.Suite, r.Passed, len(r.Results), r.noun,
		words.Seconds(int64(r.Seconds)))
}

func (r *suiteReport) writeText(out io.Writer) error {
	var b strings.Builder
	told := &wrapper{out: &b, wide: columnsOf(out)}
	fmt.Fprintf(told, "%s\n\n", r.heading())
	for k := range r.Results {
		one := &r.Results[k]
		fmt.Fprintf(told, "%s  %-28s %s\n", one.verdict(), one.Scenario, one.Title)
		for _, reason := range one.Reasons {
			fmt.Fprintf(told, "          %s\n", reason)
		}
		b.WriteString(one.words)
		if !one.Passed && r.noun == "scenarios" {
			fmt.Fprintf(&b, "          %s\n", r.again(one))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *suiteReport) writeMarkdown(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Leader election: %s\n\n| scenario | verdict | why |\n|---|---|---|\n", r.heading())
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	for k := range r.Results {
		one := &r.Results[k]
		fmt.Fprintf(&b, "| %s: %s | %s | %s |\n", one.Scenario, cell.Replace(one.Title), one.verdict(),
			cell.Replace(strings.Join(one.Reasons, " ")))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// The elements of a JUnit report, as CI systems read it.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Time     json.Number `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    json.Number   `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
		Skipped *junitSkipped `xml:"skipped"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r *suiteReport) writeJUnit(out io.Writer) error {
	seconds := func(s summary.Seconds) json.Number { return json.Number(indentless(s)) }
	all := junitSuite{Name: "leaselab " + r.Suite, Tests: len(r.Results), Failures: r.Failed, Time: seconds(r.Seconds)}
	for k := range r.Results {
		one := &r.Results[k]
		c := junitCase{Class: "leaselab." + r.Suite, Name: one.Scenario, Time: seconds(one.Seconds)}
		switch {
		case one.open:
			c.Skipped = &junitSkipped{Message: strings.Join(one.Reasons, " ")}
		case !one.Passed:
			c.Failure = &junitFailure{Message: strings.Join(one.Reasons, " "),
				Text: strings.Join(one.Reasons, "\n") + "\n" + one.words + r.again(one) + "\n"}
		}
		all.Cases = append(all.Cases, c)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// indentless returns seconds as in JSON.
func indentless(s summary.Seconds) string {
	text, err := s.MarshalJSON()
	if err != nil {
		panic(err) // cannot happen: it always encodes
	}
	return string(text)
}
