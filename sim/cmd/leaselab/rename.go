package main

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rename"
)

// renamed gives nodes of a scenario other names, each as "old=new".
func renamed(s scenario.Scenario, pairs []string) (scenario.Scenario, error) {
	names := make([]rename.Name, len(pairs))
	for i, pair := range pairs {
		from, to, found := strings.Cut(pair, "=")
		if !found {
			return s, fmt.Errorf("--rename %s must be OLD=NEW, a=Anna for example", pair)
		}
		names[i] = rename.Name{From: from, To: to}
	}
	changes, err := rename.Changes(s, names)
	if err != nil {
		return s, err
	}
	return scenario.SetAll(s, changes)
}
