package reroll

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Happened are the events up to an instant that draw something or are not routine: what may have decided. Nil when there
// are more than most. The world and its tracker go on to there.
func Happened(w *world.World, t *explain.Tracker, upToNs int64, most int) []explain.Line {
	var all []explain.Line
	for w.Step(upToNs) {
		records := w.Records()
		for i := range records {
			r := &records[i]
			note := t.Observe(w, r)
			if r.Kind != trace.JitterDrawn && explain.Minor(r.Kind) {
				continue
			}
			if said := explain.Say(w, r, note); r.Kind == trace.JitterDrawn || said.Kind != "request" {
				said.Detail = ""
				all = append(all, explain.Line{Text: said.String(), Event: note.Place})
			}
		}
	}
	if len(all) > most {
		return nil
	}
	return all
}
