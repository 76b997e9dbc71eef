package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/lab/link"
	"github.com/leaselab/leaselab/sim/programs/suite"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// load reads a scenario: a shipped one by name, a file, a link of the page, or standard input for "-".
//
// A shipped name wins over a file of that name in the working directory, so that the examples in the help mean the same
// everywhere; ./crash still names the file. A file wins over a link, because a file name may contain "#". An argument
// that looks like a word, without a dot or a slash, gets a suggestion if it is close to a shipped name: "crahs" is more
// likely a typo than a missing file.
func load(arg string) (scenario.Scenario, error) {
	if arg == "-" {
		return read(os.Stdin, "standard input")
	}
	if s, shipped := shipped.ByName(arg); shipped {
		return s, nil
	}
	if s, of := suite.ByName(arg); of {
		return s, nil
	}
	if _, err := os.Stat(arg); err != nil && link.Is(arg) {
		l, _, err := labOfLink(arg, stderr)
		if err != nil {
			return scenario.Scenario{}, err
		}
		return l.Scenario(), nil
	}
	f, err := os.Open(arg)
	if os.IsNotExist(err) && !strings.ContainsAny(arg, "./\\") {
		if near := nearestScenario(arg); near != "" {
			return scenario.Scenario{}, fmt.Errorf("no scenario or file is named %q; did you mean %q?", arg, near)
		}
		return scenario.Scenario{},
			fmt.Errorf("no scenario or file is named %q; `leaselab scenarios` lists the shipped scenarios", arg)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return scenario.Scenario{}, fmt.Errorf("%s is a folder; name a file in it", arg)
	}
	if isRecord(arg) {
		return scenario.Scenario{}, notScenario(arg)
	}
	return read(f, arg)
}

// loadWith is like load, but replaces the scenario's seed unless the argument seed is "". The seed is a string, because
// 0 is a valid seed, and the flag needs a value that means "not given".
func loadWith(arg, seed string) (scenario.Scenario, error) {
	s, err := load(arg)
	if err != nil || seed == "" {
		return s, err
	}
	if s, err = scenario.Set(s, "seed", seed); err != nil {
		err = fmt.Errorf("--%w", err)
	}
	return s, err
}

// checkOutput returns an error unless output is one of the formats.
func checkOutput(output string, formats ...string) error {
	return checkWord("output", output, formats...)
}

// nearestScenario returns the shipped scenario whose name is most similar to a word, or "" if none is similar enough to
// be a typo.
func nearestScenario(word string) string {
	names := elements.Of(shipped.Catalogue(), func(e shipped.Entry) string { return e.Name })
	for _, one := range suite.Names() {
		names = append(names, suite.Scenarios(one)...)
	}
	return scenario.Nearest(word, names)
}

// read decodes a file or standard input by its content, never by its name: standard input has no extension. It first
// tries a trace file, whose header contains the run's scenario, then a saved session, then YAML, which includes JSON. A
// trace may be huge, so read looks only at its beginning. All other files must be within the limit of ReadLimited.
func read(f *os.File, name string) (scenario.Scenario, error) {
	in := bufio.NewReader(f)
	if begin, _ := in.Peek(200); history.IsTrace(begin) {
		one, err := history.Read(in)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return one.Scenario, err
	}
	data, err := scenario.ReadLimited(in)
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("%s: %w", name, err)
	}
	if lab.IsSession(data) { // a saved session: its current branch, with its user's acts
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
