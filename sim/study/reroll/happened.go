package reroll

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
)

// EventsUpTo lists the events up to an instant that draw a random number or are not routine, because one of them may
// have been decisive. If the number of such events exceeds the argument most, it returns nil. EventsUpTo steps the
// run to that instant; the run must have explanations.
func EventsUpTo(r *run.Run, upToNs int64, most int) []explain.Line {
	var all []explain.Line
	r.To(upToNs, func(record *trace.Record, note explain.Note) {
		drawn := record.Kind == trace.JitterDrawn
		if !drawn && explain.Minor(record.Kind) {
			return
		}
		if said := explain.Say(r.World, record, note); drawn || said.Kind != "request" {
			said.Detail = ""
			all = append(all, explain.Line{Text: said.String(), Event: note.Place})
		}
	})
	if len(all) > most {
		return nil
	}
	return all
}
