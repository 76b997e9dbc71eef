package electiontest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
	"github.com/leaselab/leaselab/sim/world/process"
)

// YAML returns the scenario in a text, YAML or JSON. A mistake fails the test.
func YAML(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := yaml.DecodeAll([]byte(text))
	if err != nil {
		t.Fatalf("electiontest: the scenario: %v", err)
	}
	return &s
}

// File returns the scenario in a file. A mistake fails the test.
func File(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("electiontest: %v", err)
	}
	s, err := yaml.DecodeAll(data)
	if err != nil {
		t.Fatalf("electiontest: %s: %v", name, err)
	}
	return &s
}

// Shipped returns a scenario of leaselab by its name, as `leaselab scenarios` lists them, without its assertions: they are about
// leaselab's own candidates.
func Shipped(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	if !ok {
		t.Fatalf("electiontest: no shipped scenario is called %q; leaselab scenarios lists them", name)
	}
	s.Expect = nil
	return &s
}

// instead names what can do what a test in virtual time cannot.
const instead = "run the program as a process of its own against leaselab serve"

// refused are the acts that no test in one process can express, with the reason.
var refused = map[string]string{
	scenario.ActPause:        "pauses a process, and a goroutine cannot be stopped from outside; " + instead + ", and send it SIGSTOP",
	scenario.ActResume:       "resumes a process, and a goroutine cannot be stopped from outside; " + instead + ", and send it SIGSTOP and SIGCONT",
	scenario.ActSuspend:      "suspends a node, and all programs of a test share one clock; " + instead + ", on a machine of its own",
	scenario.ActHang:         "hangs an elector, and a goroutine cannot be stopped from outside; " + instead + ", and stop its elector there",
	scenario.ActClock:        "changes the clock of a node, and all programs of a test share one clock; " + instead + ", under faketime for example",
	scenario.ActUpgrade:      "changes the version of a program, which the test decides; start another program with Start",
	scenario.ActBurst:        "sends requests beside the elector, which the program decides; send them in the program",
	scenario.ActCutResource:  "cuts the resource that the simulated leaders write to; let your own fake of the resource refuse the writes",
	scenario.ActHealResource: "is about the resource that the simulated leaders write to; let your own fake of the resource refuse the writes",
}

// Expressible returns an error that names the first thing in a scenario that a test of a real program cannot express, and what can.
func Expressible(s *scenario.Scenario) error {
	r := scenario.Resolve(*s)
	for k := range r.Actions {
		a := &r.Actions[k]
		if why, is := refused[a.Act]; is {
			return fmt.Errorf("the act %q at %s %s", a.Act, a.At, why)
		}
		if a.Act == scenario.ActSet && a.Elector != nil {
			return fmt.Errorf("the act %q at %s changes the settings of an elector, which the program decides; start the program with the new settings", a.Act, a.At)
		}
	}
	for k := range r.Candidates {
		c := &r.Candidates[k]
		switch {
		case c.ClockOffset != 0 || c.RatePpm != 0 && c.RatePpm != 1_000_000:
			return fmt.Errorf("the candidate %q has a clock of its own, and all programs of a test share one clock; %s, under faketime for example", c.Name, instead)
		case c.Elector.Lock != "" && !strings.EqualFold(c.Elector.Lock, "leases"):
			return fmt.Errorf("the candidate %q competes for a %s lock, which the API of this test does not serve; only Leases are", c.Name, c.Elector.Lock)
		}
	}
	return nil
}

// setupOf compiles a scenario for programs: what it says of the electors and of their work does not apply.
func setupOf(s scenario.Scenario) *world.Setup {
	setup := compile.Scenario(s)
	setup.Resource = fencing.Settings{}
	setup.ConfigureAPI = func(config *apiserver.Config) { config.KeptEvents = keptVersions }
	for k := range setup.Candidates {
		asProgram(&setup.Candidates[k])
	}
	for k := range setup.Controls {
		if c := setup.Controls[k].Candidate; c != nil {
			joins := *c
			asProgram(&joins)
			setup.Controls[k].Candidate = &joins
		}
	}
	return setup
}

// asProgram lets a program run in place of a simulated candidate.
func asProgram(c *world.Candidate) {
	c.Program, c.Client, c.BinaryVersion, c.ReadLagNs = true, world.Client{}, 0, 0
	p := c.Process
	c.Process = process.Settings{
		Restart: p.Restart, RestartAfterNs: p.RestartAfterNs, StartsAfterCrash: p.StartsAfterCrash, RestartAfterCrashNs: p.RestartAfterCrashNs,
		RestartBackoffMaxNs: p.RestartBackoffMaxNs, FreshIdentity: p.FreshIdentity,
	}
}
