// Package shipped holds the scenarios that come with leaselab, each in a commented YAML file. Only native programs
// use this package: for the page, the site's build turns the files into JSON. ByName finds a scenario, Source returns
// its file with the comments, and Catalogue lists all scenarios.
//
// There are two groups in the folder. The menu has introductory stories, from a crash to coordinated election, in a
// fixed order. The museum has incidents of real projects in pairs: one variant fails as the report describes, the
// other has the fix and passes. An exhibit's file names its source and its partner.
//
// To add a scenario to the menu, write NAME.yaml and put NAME into order.txt. To add an exhibit, write only its
// two files in museum. The tests run every scenario and check its assertions.
//
// Guarantee: each scenario is valid, and its run meets its assertions. An earlier name still finds its scenario.
// Non-guarantee: a scenario, and with it the hash of its run, may change between versions.
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

// `names` lists all shipped scenarios: first the menu in its order, then the exhibits by number, with the failing
// variant before the fixed one. Alphabetic order would put "b02-x-fixed" first and spoil the story.
var names = sync.OnceValue(func() []string {
	all := strings.Fields(order)
	entries, err := files.ReadDir(museum)
	if err != nil {
		panic(err) // cannot happen: it is embedded
	}
	for _, e := range entries { // ReadDir sorts "b02-x-fixed.yaml" before "b02-x.yaml"
		name := strings.TrimSuffix(e.Name(), ".yaml")
		at := len(all)
		if last := all[at-1]; strings.HasPrefix(last, name+"-") {
			at--
		}
		all = slices.Insert(all, at, name)
	}
	return all
})

// order.txt is the order of the menu: the opening story, then from simple to complex.
//
//go:embed order.txt
var order string

// load decodes all files once, on first use, because commands such as `leaselab --help` need none of them. If a file
// does not decode, that is a bug of leaselab and not the user's mistake, so `load` panics. Callers must not change the
// result; List and ByName return copies.
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

// JSON returns the canonical form of all scenarios as one array, for the page, with one scenario per line.
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
