package transcript

import (
	"fmt"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// `folds` holds back repeated events. It has one fold for each node and each kind of event that the node repeats.
// Before any other event it prints the folds. So a minute without trouble becomes one line for each node, and the
// order of events around a fault stays visible.
type folds []fold

type fold struct {
	said            explain.Sentence // the first of the repeated events
	what            string
	firstNs, lastNs int64
	times           int
}

// repetition returns a text for what a node does again and again while nothing changes, or "" for any other event.
func repetition(w *world.World, r *trace.Record, note explain.Note, said explain.Sentence) string {
	if r.Kind != trace.RequestEnded || r.Result != step.Success || r.Object != elector.Lease ||
		r.Spec.HolderIdentity == 0 {
		return ""
	}
	sameHolder := note.Before.HolderIdentity == r.Spec.HolderIdentity
	switch {
	case r.Verb == elector.Update && note.HadBefore && sameHolder:
		return "renews the Lease"
	case r.Verb == elector.Get && !note.Free && !note.Unseen && (!note.Changed || sameHolder) &&
		r.Spec.HolderIdentity != w.Node(r.Candidate).Identity():
		return "reads the Lease, which " + w.DisplayName(r.Spec.HolderIdentity) + " holds"
	}
	return ""
}

func (all *folds) add(ns int64, said explain.Sentence, what string) {
	for i := range *all {
		if f := &(*all)[i]; f.said.Subject == said.Subject && f.what == what {
			f.lastNs = ns
			f.times++
			return
		}
	}
	*all = append(*all, fold{said: said, what: what, firstNs: ns, lastNs: ns, times: 1})
}

// String returns the first event's line, or a summary: "b renews the Lease, 21 times until 60.105s".
func (f *fold) String() string {
	if f.times == 1 {
		return f.said.String()
	}
	return fmt.Sprintf("%s %s, %d times until %s", f.said.Subject, f.what, f.times, at(f.lastNs))
}
