// Package gotest converts a scenario to a Go test of client-go's elector, with the same latencies and the same faults.
// The test uses package electiontest or, if it is standalone, a small API server. Export returns a Test, or a
// Refusal for a scenario that no test can express.
//
// If the scenario breaks a rule, the test looks for the breach: it runs the real elector with one seed after another. A
// seed of the engine shows nothing, because client-go draws other waits. Otherwise the test asserts the leader changes
// that the simulator finds.
//
// Guarantee: the text has gofmt's format, compiles with client-go and needs no other file. A leader change is exact
// if a thousand runs with random jitter agree on it. Otherwise the test accepts the interval of these runs, extended
// at both ends by the longest wait between two attempts. Non-guarantee: a thousand runs are not a proof, so an
// extremely rare draw could make a correct test fail.
package gotest

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// The limits for an exported test are low, because real electors cost a thousand times as much as simulated ones.
const (
	mostCandidates = 100
	longest        = time.Hour
)

// Options say what a test asserts, and what it needs.
type Options struct {
	// Violation makes the test assert the scenario's breach. Without it, the test asserts what the scenario promises:
	// no program breaks a rule of safety or liveness, and without a fault in them the leader changes when it should.
	Violation  bool
	Standalone bool // the test needs only client-go and the standard library
	Encode     func(scenario.Scenario) []byte
}

// Test is an exported test.
type Test struct {
	Name    string // name of its function: TestCrash
	Text    string // content of its file
	Changes *Changes
	Breach  *Breach // nil if the scenario's own run breaks no rule

	program   *programText
	shortened bool // a renewDeadline is one nanosecond shorter
}

// File returns the name of the test's file: crash_test.go.
func (t *Test) File() string { return snake(t.Name[len("Test"):]) + "_test.go" }

// Export converts a scenario to a test. For a scenario that no test can express, the error is a Refusal.
func Export(s scenario.Scenario, o Options) (*Test, error) {
	if why := Expressible(s); why != nil {
		return nil, why
	}
	t := &Test{Name: functionName(s.Name)}
	expected := s.Expect
	s, t.shortened = prepare(s)
	t.program, t.Breach = programOf(s), breachOf(s, expected)
	t.Changes = changesOf(s, t.Breach)
	switch b := t.Breach; {
	case o.Violation && b == nil:
		return nil, &Refusal{"seed", "with it the scenario breaks no rule of safety or liveness that a test could " +
			"expect; leaselab sweep finds a seed that does, leaselab hunt a fault"}
	case (o.Violation || b != nil) && b.seeds(t.Changes.Runs) > mostSeeds:
		return nil, &Refusal{"seed", fmt.Sprintf("only %d of %d seeds break %s, so a test would have to try too many; "+
			"move an act closer to its window, which leaselab shrink finds", b.Runs, t.Changes.Runs, b.Rule)}
	}
	if o.Standalone {
		if why := standable(s, t.Breach); why != nil {
			return nil, why
		}
	}
	t.Text = t.source(s, o)
	return t, nil
}

// `prepare` returns the scenario that the test runs. It drops everything that concerns only the simulated run, replaces
// instants that depend on the seed with the drawn values, and moves renewDeadline off the ticks of retryPeriod.
func prepare(s scenario.Scenario) (_ scenario.Scenario, shortened bool) {
	s = compile.Pin(s)
	s.Title, s.Summary, s.Museum, s.Expect, s.Resource, s.Streams = "", "", nil, nil, nil, ""
	s.Bounds = scenario.Bounds{}
	retry, deadline := scenario.Duration(scenario.DefaultRetryPeriod), scenario.Duration(scenario.DefaultRenewDeadline)
	if all := scenario.Resolve(s).Candidates; s.Preset != "" && len(all) > 0 { // the preset's renewDeadline
		retry, deadline = *all[0].Elector.RetryPeriod, *all[0].Elector.RenewDeadline
	}
	shortened = missTick(&s.Elector, retry, deadline)
	for i := range s.Candidates {
		c := &s.Candidates[i]
		c.JitterDraws = nil
		if c.Elector != nil || c.Preset != "" {
			one := scenario.ResolveCandidate(s, *c)[0]
			if c.Elector == nil {
				c.Elector = &scenario.Elector{}
			}
			shortened = missTick(c.Elector, *one.Elector.RetryPeriod, *one.Elector.RenewDeadline) || shortened
		}
	}
	return s, shortened
}

// missTick shortens a renewDeadline by a nanosecond if it is a multiple of retryPeriod, and reports whether it did.
// When both are due at one instant, client-go and the simulator let the deadline win, but testing/synctest may pick
// either.
func missTick(e *scenario.Elector, retry, deadline scenario.Duration) bool {
	if e.RetryPeriod != nil {
		retry = *e.RetryPeriod
	}
	if e.RenewDeadline != nil {
		deadline = *e.RenewDeadline
	}
	if retry <= 0 || deadline%retry != 0 {
		return false
	}
	e.RenewDeadline = new(deadline - 1)
	return true
}

func is(b *bool) bool { return b != nil && *b }

func length(d *scenario.Duration) time.Duration {
	if d == nil {
		return 0
	}
	return time.Duration(*d)
}

// functionName returns the name of a scenario's test: a-leader-dies gives TestALeaderDies.
func functionName(name string) string {
	var b strings.Builder
	upper := true
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z' && upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
			upper = r >= '0' && r <= '9'
		default:
			upper = true
		}
	}
	if b.Len() == 0 {
		return "TestElection"
	}
	return "Test" + b.String()
}

// snake returns a name in lower case with underscores: ALeaderDies gives a_leader_dies.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// source returns the text of the file in gofmt's format.
func (t *Test) source(s scenario.Scenario, o Options) string {
	var b strings.Builder
	if o.Standalone {
		b.WriteString("//go:debug randseednop=0\n\n")
	}
	b.WriteString(t.head(s, o) + "package election\n\nimport (\n" + t.imports(o) + ")\n\n")
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n", t.Name)
	node := "node"
	if !o.Standalone {
		node = "electiontest.Node"
		fmt.Fprintf(&b, "\tscenario := electiontest.YAML(t, `\n%s`)\n",
			strings.ReplaceAll(string(o.Encode(s)), "`", "` + \"`\" + `"))
	}
	b.WriteString(t.program.text(node))
	if o.Violation || t.Breach != nil || o.Standalone {
		b.WriteString(t.breach(o))
	} else {
		fmt.Fprintf(&b, "\tresult := electiontest.Run(t, scenario, "+
			"func(c *electiontest.Cluster) { c.Start(program) }%s)\n\n", t.program.options(t.Changes.Broken, ""))
		b.WriteString(expectations(t.Changes))
	}
	if o.Standalone {
		b.WriteString(standalone(s, t.program.longest()))
	}
	return b.String()
}

// head returns the comment above the package: what the test asserts, which function of client-go is to blame, and why a
// setting looks odd.
func (t *Test) head(s scenario.Scenario, o Options) string {
	is, needs := "asserts that no program breaks a rule", "github.com/leaselab/leaselab k8s.io/client-go"
	switch b := t.Breach; {
	case o.Violation:
		is = fmt.Sprintf("passes as long as %s breaks %s, and fails when that is gone", strings.Join(b.Who, ", or "),
			b.Rule)
	case b != nil:
		is = fmt.Sprintf("fails as long as %s breaks %s", strings.Join(b.Who, ", or "), b.Rule)
	}
	if o.Standalone {
		needs = "k8s.io/client-go"
	}
	text := comment("", fmt.Sprintf("%s runs client-go's elector through the scenario %s of leaselab, engine %d, in "+
		"virtual time, and %s. Put your own program in place of the one below.", t.Name, s.Name, world.Engine, is))
	if b := t.Breach; b != nil && b.Function != "" {
		text += "//\n" + comment("", fmt.Sprintf("The cause: %s in tools/leaderelection/leaderelection.go of "+
			"client-go %s %s.", b.Function, explain.ClientGo, b.Cause))
	}
	if t.shortened {
		text += "//\n" + comment("", "Each renewDeadline that is a multiple of retryPeriod is one nanosecond shorter: "+
			"9.999999999s, not 10s. Otherwise the timers of the deadline and of the next try fire at one instant, and "+
			"testing/synctest picks one of them by chance.")
	}
	return text + "//\n//\tgo get " + needs + "\n"
}

// `comment` returns a text as a comment.
func comment(indent, text string) string {
	const wide = 110
	return indent + "// " + strings.Join(words.Wrap(text, wide), "\n"+indent+"// ") + "\n"
}

// imports returns the packages that the file imports.
func (t *Test) imports(o Options) string {
	standard := []string{"context", "testing"}
	others := []string{`metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`,
		`coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"`, `"k8s.io/client-go/rest"`,
		`"k8s.io/client-go/tools/leaderelection"`, `"k8s.io/client-go/tools/leaderelection/resourcelock"`}
	if t.program.releasesAfterWork {
		standard = append(standard, "sync")
	}
	if len(t.program.drains) > 0 {
		standard = append(standard, "time")
	}
	if o.Violation {
		standard = append(standard, "slices", "strings", "time")
	} else if t.Breach == nil {
		standard = append(standard, "slices", "time")
	}
	end := "\n\t\"github.com/leaselab/leaselab/sim/electiontest\"\n"
	if o.Standalone {
		end = ""
		standard = append(standard, "bytes", "cmp", "encoding/json", "errors", "io", "math/rand", "net/http", "slices",
			"strconv", "sync", "testing/synctest", "time")
		others = append([]string{`coordinationv1 "k8s.io/api/coordination/v1"`,
			`apierrors "k8s.io/apimachinery/pkg/api/errors"`}, others...)
		others = slices.Insert(others, 3, `"k8s.io/client-go/kubernetes/scheme"`)
	}
	slices.Sort(standard)
	return "\t\"" + strings.Join(slices.Compact(standard), "\"\n\t\"") + "\"\n\n\t" +
		strings.Join(others, "\n\t") + "\n" + end
}

//go:embed compare.txt
var compareCode string

// `expectations` returns the part of the test that compares leader changes.
func expectations(found *Changes) string {
	rows := ""
	for _, c := range found.All {
		rows += fmt.Sprintf("\t\t// %s\n\t\t{%s, %s, %s, %s},\n", span(&c), names(c.From), names(c.To),
			digits(c.EarliestNs), digits(c.LatestNs))
	}
	text := keepIf(keepIf(compareCode, "tolerance", hasInterval(found)), "interval", hasInterval(found))
	return strings.NewReplacer("RUNS", strconv.Itoa(found.Runs), "ROWS\n", rows, "LEAST", strconv.Itoa(found.Least),
		"COUNT", count(found), "TOLERANCE", digits(found.ToleranceNs)+" // "+time.Duration(found.ToleranceNs).String(),
	).Replace(text)
}

// hasInterval reports whether jitter decides an instant.
func hasInterval(found *Changes) bool {
	return slices.ContainsFunc(found.All, func(c Change) bool { return c.EarliestNs < c.LatestNs })
}

// `count` describes how many leader changes the test accepts.
func count(found *Changes) string {
	if found.Least == len(found.All) {
		return strconv.Itoa(found.Least)
	}
	return fmt.Sprintf("%d to %d", found.Least, len(found.All))
}

func names(all []string) string { return "[]string{" + quoted(all) + "}" }

// quoted returns strings as the code of a list's elements.
func quoted(all []string) string {
	return strings.Join(elements.Of(all, strconv.Quote), ", ")
}

// `digits` formats a number with an underscore between groups of three digits.
func digits(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "_" + text[at:]
	}
	return text
}

// span returns the interval of a leader change in words.
func span(c *Change) string {
	if c.EarliestNs == c.LatestNs {
		return time.Duration(c.EarliestNs).String()
	}
	return time.Duration(c.EarliestNs).String() + " to " + time.Duration(c.LatestNs).String()
}
