// Package suite holds scenarios that suit real programs. `leaselab test --suite operator -- PROGRAM` plays all of them.
//
// The shipped scenarios teach. Many assert what only the simulator knows, or expect the failure that they show. The
// scenarios of a suite assert only what holds for every correct program, with any elector.
//
// To add a scenario, write NAME.yaml in the folder of the suite; its name is SUITE-NAME.
//
// Guarantee: processes can play each scenario, and the simulated client-go with the default durations passes it.
// Non-guarantee: a program with other durations may need other instants; give the durations with --set.
package suite

import (
	"embed"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

//go:embed */*.yaml
var files embed.FS

// Names lists the suites.
func Names() []string {
	var names []string
	folders, err := files.ReadDir(".")
	if err != nil {
		panic(err) // cannot happen: the binary contains it
	}
	for _, f := range folders {
		names = append(names, f.Name())
	}
	return names
}

// Scenarios lists the names of a suite's scenarios, or returns nil for an unknown suite.
func Scenarios(suite string) []string {
	entries, err := files.ReadDir(suite)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, suite+"-"+strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Source returns the file of a scenario, such as operator-crash, or nil.
func Source(name string) []byte {
	suite, file, _ := strings.Cut(name, "-")
	text, err := files.ReadFile(suite + "/" + file + ".yaml")
	if err != nil {
		return nil
	}
	return text
}

// ByName returns a scenario, such as operator-crash.
func ByName(name string) (scenario.Scenario, bool) {
	text := Source(name)
	if text == nil {
		return scenario.Scenario{}, false
	}
	s, err := yaml.Decode(text)
	if err != nil {
		panic("the scenario " + name + " is wrong: " + err.Error())
	}
	return s, true
}
