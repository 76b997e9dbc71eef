package main

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// marginReference is the least safety margin that the checks measure in a run with some settings.
type marginReference struct {
	Settings string `json:"settings"`
	Margin   string `json:"margin"`
}

// marginsMeasured are settings that the page about the guarantees of the lock compares: what it says of them, and what
// a scenario says.
var marginsMeasured = []struct{ says, settings string }{
	{"client-go's defaults (15 s, 10 s, 2 s)", `"elector":{}`},
	{"the same, and the answer to a renewal takes 3 s",
		`"elector":{},"actions":[{"at":"20s","act":"latency","target":"a","response":"3s"}]`},
	{"the same, and it takes 4.9 s",
		`"elector":{},"actions":[{"at":"20s","act":"latency","target":"a","response":"4.9s"}]`},
	{"leaseDuration 20 s", `"elector":{"leaseDuration":"20s"}`},
	{"renewDeadline 5 s", `"elector":{"renewDeadline":"5s"}`},
}

// margins measures them.
func margins() ([]marginReference, error) {
	var all []marginReference
	for _, m := range marginsMeasured {
		s, err := scenario.Decode(
			[]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"40s",` +
				`"candidates":[{"name":"a"},{"name":"b","startAt":"100ms"}],` + m.settings + `}`))
		if err != nil {
			return nil, fmt.Errorf("the margin of %s: %w", m.says, err)
		}
		r := run.Plain(s)
		r.To(int64(40*time.Second), nil)
		_, least, ok := r.Checks.Margin()
		if !ok {
			return nil, fmt.Errorf("the margin of %s: nobody led", m.says)
		}
		all = append(all, marginReference{m.says, words.Seconds(least)})
	}
	return all, nil
}
