// Package scenarios holds the scenarios shipped with leaselab, one YAML file each, written to be read. It is native: the
// page gets JSON, made from these files when the site is built.
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

// museum is the folder of the exhibits that are shown in the museum only. Files are named as their scenarios:
// b02-three-second-margin.yaml, and b02-three-second-margin-fixed.yaml beside it.
const museum = "museum"

// names are all shipped scenarios: those of the menu in its order, then the exhibits by number, the failing before the
// fixed.
var names = sync.OnceValue(func() []string {
	all := slices.Clone(order)
	entries, err := files.ReadDir(museum)
	if err != nil {
		panic(err) // it is embedded
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

// order is that of the menu: the opening story, then from calm to strange.
var order = []string{
	"a-leader-dies",
	"a-leader-at-work",
	"first-election",
	"crash",
	"cut-off",
	"graceful-stop",
	"graceful-stop-release",
	"partition-leader",
	"api-outage-8s",
	"api-outage-30s",
	"paused-leader",
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

// List returns all of them. They are the caller's to change.
func List() []scenario.Scenario {
	all := make([]scenario.Scenario, len(names()))
	for i, s := range load() {
		all[i] = s.Clone()
	}
	return all
}

// ByName returns one of them, by its name now or an earlier one.
func ByName(name string) (scenario.Scenario, bool) {
	name = scenario.Current(scenario.ShippedName, name)
	for _, s := range load() {
		if s.Name == name {
			return s.Clone(), true
		}
	}
	return scenario.Scenario{}, false
}

// Source is the file as it was written, comments included; nil when there is no such scenario.
func Source(name string) []byte {
	name = scenario.Current(scenario.ShippedName, name)
	for _, file := range []string{name + ".yaml", museum + "/" + name + ".yaml"} {
		if text, err := files.ReadFile(file); err == nil {
			return text
		}
	}
	return nil
}

// JSON is the canonical form of all of them in one array, for the page.
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
