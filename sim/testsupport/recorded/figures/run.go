package figures

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

const sec = int64(time.Second)

// three is the JSON of three electors, each of which starts at a random instant within the first 0.1 s.
const three = `"candidates":[{"name":"a","startJitterMax":"100ms"},{"name":"b","startJitterMax":"100ms"},{"name":"c","startJitterMax":"100ms"}]`

// decode parses a scenario from its duration and the rest of its JSON.
func decode(duration, rest string) (scenario.Scenario, error) {
	return scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":%q,%s}`,
		scenario.APIVersion, duration, rest)))
}

// happened has the records of a run, in which a test looks up what happened to the leaders.
type happened struct {
	*run.Run
	records []trace.Record
}

func runSeed(s scenario.Scenario, seed uint64) happened {
	s.Seed = seed
	h := happened{Run: run.Plain(s)}
	for h.Step(h.EndNs(), nil) {
		for _, r := range h.World.Records() {
			switch r.Kind {
			case trace.RequestSent, trace.RequestServed, trace.JitterDrawn:
			default:
				h.records = append(h.records, r)
			}
		}
	}
	h.Settle(h.EndNs())
	return h
}

// first returns the first record from an instant on for which is returns true, or nil.
func (h *happened) first(fromNs int64, is func(*trace.Record) bool) *trace.Record {
	for i := range h.records {
		if h.records[i].At >= fromNs && is(&h.records[i]) {
			return &h.records[i]
		}
	}
	return nil
}

func (h *happened) kind(fromNs int64, kind trace.Kind) *trace.Record {
	return h.first(fromNs, func(r *trace.Record) bool { return r.Kind == kind })
}

// firstRenewal returns the end of a leader's first renewal whose answer came at or after an instant.
func (h *happened) firstRenewal(fromNs int64, leader int32) *trace.Record {
	return h.first(fromNs, func(r *trace.Record) bool {
		return r.Kind == trace.RequestEnded && r.Candidate == leader && r.Verb == elector.Update &&
			r.Result == step.Success
	})
}
