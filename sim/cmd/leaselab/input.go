package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// load reads a scenario: a shipped one by name, a file, or standard input for "-".
func load(arg string) (scenario.Scenario, error) {
	if arg == "-" {
		return read(os.Stdin, "standard input")
	}
	if s, shipped := shipped.ByName(arg); shipped {
		return s, nil
	}
	f, err := os.Open(arg)
	if os.IsNotExist(err) && !strings.ContainsAny(arg, "./\\") {
		return scenario.Scenario{}, fmt.Errorf("no scenario or file is named %q; `leaselab scenarios` lists the shipped scenarios", arg)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	defer f.Close()
	return read(f, arg)
}

// loadWith is load with the scenario's seed replaced, unless seed is "".
func loadWith(arg, seed string) (scenario.Scenario, error) {
	s, err := load(arg)
	if err != nil || seed == "" {
		return s, err
	}
	return scenario.Set(s, "seed", seed)
}

// checkOutput returns an error unless output is one of the formats.
func checkOutput(output string, formats ...string) error {
	if slices.Contains(formats, output) {
		return nil
	}
	last := len(formats) - 1
	return fmt.Errorf("--output %q must be %s or %s", output, strings.Join(formats[:last], ", "), formats[last])
}

func read(f *os.File, name string) (scenario.Scenario, error) {
	data, err := scenario.ReadLimited(f)
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("%s: %w", name, err)
	}
	if lab.IsSession(data) { // a saved session: its current branch, with the acts of its user
		session, err := lab.ReadSession(data)
		if err == nil {
			var s scenario.Scenario
			if s, err = session.Scenario(); err == nil {
				return s, nil
			}
		}
		return scenario.Scenario{}, fmt.Errorf("%s: %w", name, err)
	}
	s, err := yaml.Decode(data)
	if err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}
