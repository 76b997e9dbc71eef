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

// load finds a scenario by the name of a shipped one, by file, or on standard input ("-").
func load(arg string) (scenario.Scenario, error) {
	if arg == "-" {
		return read(os.Stdin, "standard input")
	}
	if s, shipped := shipped.ByName(arg); shipped {
		return s, nil
	}
	f, err := os.Open(arg)
	if os.IsNotExist(err) && !strings.ContainsAny(arg, "./\\") {
		return scenario.Scenario{}, fmt.Errorf("there is no scenario and no file named %q; `leaselab scenarios` lists the shipped ones", arg)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	defer f.Close()
	return read(f, arg)
}

// loadWith is load, with another seed if one is given.
func loadWith(arg, seed string) (scenario.Scenario, error) {
	s, err := load(arg)
	if err != nil || seed == "" {
		return s, err
	}
	return scenario.Set(s, "seed", seed)
}

// checkOutput refuses an --output that is none of the formats.
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
	if lab.IsSession(data) { // its current branch, with the live acts
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
