package programs

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
	"github.com/leaselab/leaselab/sim/programs/suite"
)

// verdicts has a verdict for each scenario that fails. It lists the causes of the mistakes in alphabetical order; "worksOn?"
// may or may not be there. If a scenario fails without a mistake that leaselab names, the verdict is safety, liveness or
// assertion.
type verdicts map[string]string

// everywhere is a verdict in all scenarios of the suite, with other verdicts for some; "" means that the program passes.
func everywhere(causes string, others verdicts) verdicts {
	all := verdicts{}
	for _, name := range suite.Scenarios("operator") {
		short := strings.TrimPrefix(name, "operator-")
		if other, found := others[short]; !found {
			all[short] = causes
		} else if other != "" {
			all[short] = other
		}
	}
	return all
}

// lost is the verdict in the scenarios in which the leader loses the Lease and lives.
func lost(causes string) verdicts {
	return verdicts{"api-outage": causes, "cut-off": causes, "one-way-cut": causes, "paused-leader": causes}
}

// subject is a program for the suite, and its verdicts.
type subject struct {
	program  string // OPERATOR stands for the built operator with the usual durations
	parallel string // how many scenarios at once; "" for the default
	fails    verdicts
}

// subjects are two correct programs, and programs with one mistake each.
var subjects = map[string]subject{
	"correct":                    {program: "OPERATOR --release=false"},
	"work outlives the election": {"OPERATOR --release=false --fault outlives", "12", lost("worksOn")},
	"no exit":                    {"OPERATOR --release=false --fault noExit", "12", lost("neverExits")},
	"drains for 20 s": {"OPERATOR --release=false --fault slowDrain", "12", verdicts{
		"graceful-stop": "stopIgnored worksOn?", "rolling-update": "stopIgnored worksOn?", "slow-drain": "worksOn"}},
	"releases before the drain": {"OPERATOR --fault slowDrain", "12", verdicts{
		"graceful-stop": "releasesEarly stopIgnored", "rolling-update": "releasesEarly stopIgnored",
		"slow-drain": "releasesEarly",
		// client-go's release comes before the end of the context (kubernetes/client-go#728)
		"api-outage": "beyondLease", "cut-off": "beyondLease", "one-way-cut": "beyondLease"}},
	"ignores SIGTERM": {"OPERATOR --release=false --fault ignoresStop", "12", verdicts{
		"graceful-stop": "stopIgnored", "rolling-update": "stopIgnored", "slow-drain": "stopIgnored"}},
	"one identity for all": {"OPERATOR --release=false --fault sameIdentity", "12", everywhere("sameIdentity", nil)},
	"hangs in a request": {"OPERATOR --release=false --fault stuckRenewal", "12", everywhere("silent worksOn", verdicts{
		"calm": "worksOn", "crash": "silent", "graceful-stop": "silent stopIgnored", "slow-drain": "silent stopIgnored worksOn?",
		"rolling-update": "silent stopIgnored worksOn?"})},
	// In a cut, its other requests get no answer either.
	"never competes again": {"OPERATOR --release=false --fault neverAgain", "12", verdicts{"api-outage": "neverCompetes",
		"cut-off": "neverExits", "one-way-cut": "neverExits", "paused-leader": "neverCompetes"}},
	"a silent copy": {"OPERATOR --release=false --fault silent", "12", everywhere("silent", verdicts{
		"calm": "", "rolling-update": ""})}, // both are too short for b
	"works before its election": {"OPERATOR --release=false --fault worksBeforeLease", "12", everywhere("safety",
		verdicts{"paused-leader": "assertion"})},
	"JavaScript, correct": {"node FOLDER/elector.mjs", "4", nil},
	"JavaScript, gives up at once": {"node FOLDER/elector.mjs --give-up-at-once", "4", verdicts{
		"api-server-restart": "assertion", "throttled": "assertion", "two-short-outages": "assertion"}},
	"Python, no renewDeadline": {"python3 FOLDER/elector.py", "4", verdicts{
		"api-outage": "beyondLease", "cut-off": "beyondLease", "one-way-cut": "beyondLease"}},
}

// Correct programs pass every scenario of the suite. A program with one mistake fails exactly where the mistake shows, and
// the verdict names the cause.
func TestSuiteOfRightAndWrongPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays fourteen suites in real time")
	}
	leaselab, built := served.BuildCommand(t), buildOperator(t)
	turns := make(chan struct{}, 2)
	for name, s := range subjects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turns <- struct{}{}
			defer func() { <-turns }()
			s.play(t, leaselab, built)
		})
	}
}

// The verdicts are the same three times in a row while a loop keeps every core busy.
func TestSuiteBesideOtherLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays twelve suites in real time")
	}
	leaselab, built := served.BuildCommand(t), buildOperator(t)
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	for range runtime.NumCPU() {
		go func() {
			for !over.Load() {
			}
		}()
	}
	for _, name := range []string{"correct", "work outlives the election", "no exit", "drains for 20 s"} {
		for range 3 {
			t.Run(name, func(t *testing.T) {
				s := subjects[name]
				s.parallel = "12"
				s.play(t, leaselab, built)
			})
		}
	}
}

func buildOperator(t *testing.T) string {
	operator := filepath.Join(t.TempDir(), "operator")
	said, err := exec.Command("go", "build", "-o", operator, "./operator").CombinedOutput()
	require.NoError(t, err, "%s", said)
	return operator
}

// play plays the suite on a program, and compares the verdicts.
func (s *subject) play(t *testing.T, leaselab, built string) {
	folder, err := filepath.Abs("testdata/electors")
	require.NoError(t, err)
	program := strings.Fields(strings.NewReplacer("FOLDER", folder,
		"OPERATOR", built+" --lease 15s --renew 10s --retry 2s").Replace(s.program))
	if _, err := exec.LookPath(program[0]); err != nil {
		served.NotRun(t, program[0]+" is missing")
	}
	arguments := []string{"test", "-q", "--suite", "operator", "-o", "json"}
	if s.parallel != "" {
		arguments = append(arguments, "--parallel", s.parallel)
	}
	r := runs(t, leaselab, append(append(arguments, "--"), program...)...)
	var report struct {
		Seconds float64
		Results []played
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &report), "%s", r.said)
	require.Len(t, report.Results, len(suite.Scenarios("operator")))
	assert.Less(t, report.Seconds, 360.0, "six minutes are the most")
	for _, one := range report.Results {
		name := strings.TrimPrefix(one.Scenario, "operator-")
		want, sometimes := s.fails[name], ""
		if i := strings.LastIndexByte(want, ' '); strings.HasSuffix(want, "?") {
			want, sometimes = want[:i], strings.TrimSuffix(want[i+1:], "?")
		}
		assert.Equal(t, want == "", one.Passed, "%s: %q", name, one.Reasons)
		assert.Equal(t, want, one.verdict(sometimes), "%s: %q", name, one.Reasons)
	}
}

// played is a scenario in the report of a suite.
type played struct {
	Scenario string
	Passed   bool
	ExitCode int
	Reasons  []string
	Summary  struct{ Findings []struct{ Cause string } }
}

// verdict returns the verdict without a cause that may or may not be there.
func (p *played) verdict(without string) string {
	var causes []string
	for _, k := range p.Summary.Findings {
		if k.Cause != without {
			causes = append(causes, k.Cause)
		}
	}
	if len(causes) == 0 {
		return map[int]string{1: "no verdict", 2: "assertion", 3: "safety", 4: "liveness"}[p.ExitCode]
	}
	slices.Sort(causes)
	return strings.Join(slices.Compact(causes), " ")
}
