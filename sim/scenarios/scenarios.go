// Package scenarios holds the scenarios shipped with leaselab, one YAML file each, written to be read. It is native: the
// page gets JSON, made from these files when the site is built.
package scenarios

import (
	"bytes"
	"embed"
	"fmt"
	"sync"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/yamlfile"
)

//go:embed *.yaml
var files embed.FS

// order is that of every list people see: the opening story, then from calm to strange.
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
	all := make([]scenario.Scenario, len(order))
	for i, name := range order {
		s, err := yamlfile.Decode(Source(name))
		if err != nil {
			panic(fmt.Sprintf("the shipped scenario %s.yaml is wrong: %v", name, err))
		}
		all[i] = s
	}
	return all
})

// List returns all of them. They are the caller's to change.
func List() []scenario.Scenario {
	all := make([]scenario.Scenario, len(order))
	for i, s := range load() {
		all[i] = s.Clone()
	}
	return all
}

// ByName returns one of them.
func ByName(name string) (scenario.Scenario, bool) {
	for _, s := range load() {
		if s.Name == name {
			return s.Clone(), true
		}
	}
	return scenario.Scenario{}, false
}

// Source is the file as it was written, comments included; nil when there is no such scenario.
func Source(name string) []byte {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil
	}
	return text
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
