package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// findingsOf puts the mistakes of real programs into words.
func findingsOf(did *conduct.Fold, r *run.Run, ns int64) (all []summary.Finding) {
	for _, k := range did.Findings(r.World, ns) {
		told := k.Tell(r.World)
		all = append(all, summary.Finding{At: summary.Seconds(told.AtNs), Cause: told.Cause, Node: told.Node,
			Text: told.Text, Cure: told.Cure, Incident: told.Incident})
	}
	return all
}

// writeConduct writes a line for each mistake: when, the cause, what happened, the cure and the incident.
func writeConduct(out io.Writer, all []summary.Finding) {
	for i := range all {
		k := &all[i]
		fmt.Fprintf(out, "%s  %s: %s %s (%s)\n", words.Instant(int64(k.At)), k.Cause, k.Text, k.Cure, k.Incident)
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
