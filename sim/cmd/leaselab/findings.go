package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// writeConduct writes a line for each mistake of real programs.
func writeConduct(out io.Writer, all []summary.Finding) {
	for i := range all {
		fmt.Fprintln(out, &all[i])
	}
}

// factsOf returns what the processes of a leader change printed, and how they ended: from the leader change before it
// until an instant.
func factsOf(did *conduct.Fold, all []explain.Explanation, k int, untilNs int64) []conduct.Fact {
	fromNs := int64(0)
	if k > 0 {
		fromNs = all[k-1].ToNs
	}
	return did.Around(fromNs, untilNs, all[k].From, all[k].To)
}

// withFacts adds facts to a story, in order of time.
func withFacts(story []explainedLine, w *world.World, facts []conduct.Fact) []explainedLine {
	for i := range facts {
		k := &facts[i]
		at := len(story)
		for at > 0 && int64(story[at-1].Event.T) > k.AtNs {
			at--
		}
		story = slices.Insert(story, at, explainedLine{Text: k.Text(w.Node(k.Node).Name(), words.Instant(k.AtNs)),
			Event: explainedPlace{T: summary.Seconds(k.AtNs), N: -1}})
	}
	return story
}
