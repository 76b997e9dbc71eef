package electiontest

import (
	"os"
	"testing"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// YAML returns the scenario in a text, which is YAML or JSON. A mistake fails the test.
func YAML(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := yaml.Decode([]byte(text))
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
	s, err := yaml.Decode(data)
	if err != nil {
		t.Fatalf("electiontest: %s: %v", name, err)
	}
	return &s
}

// Shipped returns a scenario of leaselab by its name. `leaselab scenarios` lists the names. It leaves out the
// assertions, which are about leaselab's own candidates.
func Shipped(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	if !ok {
		t.Fatalf("electiontest: no shipped scenario is named %q; leaselab scenarios lists them", name)
	}
	s.Expect = nil
	return &s
}

// Expressible returns an error that names the first thing in a scenario that a test of a real program cannot express,
// and suggests a way out.
func Expressible(s *scenario.Scenario) error { return programs.Expressible(s, programs.InBubble) }
