// Package shipped holds the scenarios that come with leaselab, each in a commented YAML file. Only native programs use
// it: for the page, the site's build turns these files into JSON. ByName finds one, and Catalogue lists all.
//
// Guarantee: each scenario is valid, and its run meets its expect. Non-guarantee: a scenario, and with it the hash of
// its run, may change between versions.
package shipped

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

//go:embed *.yaml museum/*.yaml
var files embed.FS

// museum is the folder of the exhibits that only the museum shows. Each file has the name of its scenario, such as
// b02-three-second-margin.yaml and b02-three-second-margin-fixed.yaml.
const museum = "museum"

// names lists all shipped scenarios: first the menu in its order, then the exhibits by number, with the failing variant
// before the fixed one.
var names = sync.OnceValue(func() []string {
	all := slices.Clone(order)
	entries, err := files.ReadDir(museum)
	if err != nil {
		panic(err) // cannot happen: it is embedded
	}
	for _, e := range entries { // ReadDir sorts: "b02-x-fixed.yaml" stands before "b02-x.yaml"
		name := strings.TrimSuffix(e.Name(), ".yaml")
		at := len(all)
		if last := all[at-1]; strings.HasPrefix(last, name+"-") {
			at--
		}
		all = slices.Insert(all, at, name)
	}
	return all
})

// order is the order of the menu: the opening story, then from simple to complex.
var order = []string{
	"a-leader-dies",
	"a-leader-at-work",
	"first-election",
	"crash",
	"crash-any-time",
	"cut-off",
	"graceful-stop",
	"graceful-stop-release",
	"rolling-update",
	"partition-leader",
	"lossy-network",
	"long-tail",
	"lost-answer",
	"stale-reads",
	"api-outage-8s",
	"api-outage-30s",
	"paused-leader",
	"suspended-machine",
	"clock-offset",
	"clock-rate",
	"same-name",
	"oldest-version-leads",
	"better-candidate",
	"hand-over",
	"hand-over-release",
	"upgrade-plain",
	"upgrade-coordinated",
	"strategy-conflict",
	"unanswered-ping",
	"elected-ghost",
	"lease-nobody-rewrites",
	"candidate-clock-behind",
	"leader-clock-behind",
	"lease-kills-api-server",
	"lease-without-holder",
	"many",
	"fault-free",
}

var load = sync.OnceValue(func() []scenario.Scenario {
	all := make([]scenario.Scenario, len(names()))
	for i, name := range names() {
		s, err := yaml.Decode(Source(name))
		if err != nil {
			panic(fmt.Sprintf("the shipped scenario %s.yaml is wrong: %v", name, err))
		}
		all[i] = s
	}
	return all
})

// List returns all scenarios. The caller may change them.
func List() []scenario.Scenario {
	all := make([]scenario.Scenario, len(names()))
	for i, s := range load() {
		all[i] = s.Clone()
	}
	return all
}

// ByName finds a scenario by its current or an earlier name.
func ByName(name string) (scenario.Scenario, bool) {
	name = scenario.Current(scenario.ShippedName, name)
	for _, s := range load() {
		if s.Name == name {
			return s.Clone(), true
		}
	}
	return scenario.Scenario{}, false
}

// Source returns a scenario's file with its comments, or nil for an unknown name.
func Source(name string) []byte {
	name = scenario.Current(scenario.ShippedName, name)
	for _, file := range []string{name + ".yaml", museum + "/" + name + ".yaml"} {
		if text, err := files.ReadFile(file); err == nil {
			return text
		}
	}
	return nil
}

// JSON returns the canonical form of all scenarios as one array, for the page.
func JSON() []byte {
	var out bytes.Buffer
	for i, s := range load() {
		separator := ",\n"
		if i == 0 {
			separator = "[\n"
		}
		out.WriteString(separator)
		out.Write(scenario.Encode(s))
	}
	out.WriteString("\n]\n")
	return out.Bytes()
}
