// Package gotest converts a scenario to a Go test of client-go's elector. The test uses package electiontest. The
// test has the same latencies, the same faults, and the leader changes that the simulator finds. Export returns a
// Test, or a Refusal for a scenario that no test can express.
//
// Guarantee: the text has gofmt's format, compiles with client-go and needs no other file. A leader change is exact
// if a thousand runs with random jitter agree on it. Otherwise the test accepts the interval of these runs, extended
// at both ends by the longest wait between two attempts. Non-guarantee: a thousand runs are not a proof, so an
// extremely rare draw could make a correct test fail.
package gotest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// The limits for an exported test are low, because real electors cost a thousand times as much as simulated ones.
const (
	mostCandidates = 100
	longest        = time.Hour
)

// Test is an exported test.
type Test struct {
	Name    string // name of its function: TestCrash
	Text    string // content of its file
	Changes *Changes
}

// File returns the name of the test's file: crash_test.go.
func (t *Test) File() string { return snake(t.Name[len("Test"):]) + "_test.go" }

// Export converts a scenario to a test. The function encode formats the scenario inside the test, as YAML or JSON.
// For a scenario that no test can express, the error is a Refusal.
func Export(s scenario.Scenario, encode func(scenario.Scenario) []byte) (*Test, error) {
	if why := Expressible(s); why != nil {
		return nil, why
	}
	s = prepare(s)
	t := &Test{Name: functionName(s.Name), Changes: changesOf(s)}
	t.Text = source(t, s, string(encode(s)))
	return t, nil
}

// `prepare` returns the scenario that the test runs. It drops everything that concerns only the simulated run, replaces
// instants that depend on the seed with the drawn values, and moves renewDeadline off the ticks of retryPeriod.
func prepare(s scenario.Scenario) scenario.Scenario {
	s = compile.Pin(s)
	s.Title, s.Summary, s.Museum, s.Expect, s.Resource, s.Streams = "", "", nil, nil, nil, ""
	s.Bounds = scenario.Bounds{}
	retry, deadline := scenario.Duration(scenario.DefaultRetryPeriod), scenario.Duration(scenario.DefaultRenewDeadline)
	if all := scenario.Resolve(s).Candidates; s.Preset != "" && len(all) > 0 { // the preset's renewDeadline
		retry, deadline = *all[0].Elector.RetryPeriod, *all[0].Elector.RenewDeadline
	}
	missTick(&s.Elector, retry, deadline)
	for i := range s.Candidates {
		c := &s.Candidates[i]
		c.JitterDraws = nil
		if c.Elector != nil || c.Preset != "" {
			one := scenario.ResolveCandidate(s, *c)[0]
			if c.Elector == nil {
				c.Elector = &scenario.Elector{}
			}
			missTick(c.Elector, *one.Elector.RetryPeriod, *one.Elector.RenewDeadline)
		}
	}
	return s
}

// missTick shortens a renewDeadline by a nanosecond if it is a multiple of retryPeriod. When both are due at one
// instant, client-go and the simulator let the deadline win, but testing/synctest may pick either.
func missTick(e *scenario.Elector, retry, deadline scenario.Duration) {
	if e.RetryPeriod != nil {
		retry = *e.RetryPeriod
	}
	if e.RenewDeadline != nil {
		deadline = *e.RenewDeadline
	}
	if retry > 0 && deadline%retry == 0 {
		e.RenewDeadline = new(deadline - 1)
	}
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
func source(t *Test, s scenario.Scenario, encoded string) string {
	p, found := programOf(s), t.Changes
	var b strings.Builder
	fmt.Fprintf(&b, fileHead, t.Name, s.Name, world.Engine)
	if p.releasesAfterWork {
		b.WriteString("\t\"sync\"\n")
	}
	b.WriteString(fileImports)
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n\tscenario := electiontest.YAML(t, `\n%s`)\n", t.Name,
		strings.ReplaceAll(encoded, "`", "` + \"`\" + `"))
	b.WriteString(p.text())
	fmt.Fprintf(&b,
		"\tresult := electiontest.Run(t, scenario, func(c *electiontest.Cluster) { c.Start(program) }%s)\n\n",
		p.options(found))
	b.WriteString(expectations(found))
	return b.String()
}

const fileHead = `// %s runs client-go's elector through the scenario %s of leaselab, engine %d, in virtual time: ` +
	`the same
// latencies and faults, hours in seconds. Edit it as you like, and put your own program in place of the one below.
//
//	go get github.com/leaselab/leaselab k8s.io/client-go
package election

import (
	"context"
	"slices"
`

const fileImports = `	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/electiontest"
)

`

// `expectations` returns the part of the test that compares leader changes.
func expectations(found *Changes) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t// The leader changes in %d runs of leaselab's engine, each with random jitter. Where "+
		"both instants\n\t// are equal, jitter does not matter. The names are the candidates that may lead.\n",
		found.Runs)
	if hasInterval(found) {
		fmt.Fprintf(&b, "\t// A rare draw may fall outside an interval. tolerance is the longest wait between two "+
			"attempts: an\n\t// estimate, not a proof.\n\tconst tolerance time.Duration = %s // %s\n",
			digits(found.ToleranceNs), time.Duration(found.ToleranceNs))
	}
	b.WriteString("\twant := []struct {\n\t\tfrom, to         []string\n\t\tearliest, latest time.Duration\n\t}{\n")
	for _, c := range found.All {
		fmt.Fprintf(&b, "\t\t// %s\n\t\t{%s, %s, %s, %s},\n", span(&c), names(c.From), names(c.To),
			digits(c.EarliestNs), digits(c.LatestNs))
	}
	fmt.Fprintf(&b, "\t}\n\tif n := len(result.Changes); n < %d || n > len(want) {\n", found.Least)
	fmt.Fprintf(&b, "\t\tt.Fatalf(\"%%d leader changes, want %s: %%v\", n, result.Changes)\n\t}\n", count(found))
	b.WriteString(`	for k, got := range result.Changes {
		w := want[k]
		if !slices.Contains(w.from, got.From) || !slices.Contains(w.to, got.To) {
			t.Errorf("leader change %d is from %q to %q, want from one of %q to one of %q",
				k+1, got.From, got.To, w.from, w.to)
		}
`)
	if hasInterval(found) {
		b.WriteString(`		if w.earliest < w.latest {
			w.earliest, w.latest = w.earliest-tolerance, w.latest+tolerance
		}
`)
	}
	b.WriteString(`		if got.At < w.earliest || got.At > w.latest {
			t.Errorf("leader change %d is at %s, want %s to %s", k+1, got.At, w.earliest, w.latest)
		}
	}
}
`)
	return b.String()
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

func names(all []string) string {
	quoted := make([]string, len(all))
	for i, name := range all {
		quoted[i] = strconv.Quote(name)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
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

// rulesOf lists the rules that the runs of a search broke, as options of the test.
func rulesOf(found *Changes) string {
	quoted := make([]string, 0, len(found.Broken))
	for _, rule := range slices.Sorted(slices.Values(found.Broken)) {
		quoted = append(quoted, strconv.Quote(rule))
	}
	return strings.Join(quoted, ", ")
}
