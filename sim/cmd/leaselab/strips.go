package main

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/world"
)

// strip is a run as a small picture, for the page's lists of lessons and incidents. Instants are in milliseconds.
type strip struct {
	End    int64              `json:"end"`
	Led    [][4]int64         `json:"led"`              // index of a node, from, to, and 1 if the Lease named another
	Bands  [][3]int64         `json:"bands"`            // from, to, and how many led: 0 or 2
	Counts map[string]float64 `json:"counts,omitempty"` // of an incident: what its clauses measure, and broken rules
	Bars   []int              `json:"bars,omitempty"`   // each second: requests, or nodes with a wrong verdict
}

// stripOf returns the strip of a run up to the live cursor.
func stripOf(look timeline.Look, s *scenario.Scenario) strip {
	const ms = 1_000_000
	t := view.Timeline(look, 0, look.Live.T, 0)
	out := strip{End: t.Live / ms, Led: [][4]int64{}, Bands: [][3]int64{}}
	for i := range t.Lanes {
		for _, span := range t.Lanes[i].Spans {
			if span.Role == world.RoleLeading.String() {
				out.Led = append(out.Led, [4]int64{int64(i), span.From / ms, span.To / ms, 0})
			} else if span.Active || span.Role == world.RoleLost.String() { // the Lease may name another
				for _, h := range t.Holder {
					if from, to := max(h.From, span.From), min(h.To, span.To); from < to && h.Index == i {
						out.Led = append(out.Led, [4]int64{int64(i), from / ms, to / ms, 0})
					} else if from < to {
						out.Led = append(out.Led, [4]int64{int64(i), from / ms, to / ms, 1})
					}
				}
			}
		}
	}
	for i := range t.Bands {
		switch b := &t.Bands[i]; b.Kind {
		case "nobody":
			out.Bands = append(out.Bands, [3]int64{b.From / ms, b.To / ms, 0})
		case "two":
			out.Bands = append(out.Bands, [3]int64{b.From / ms, b.To / ms, 2})
		}
	}
	if s.Museum != nil {
		out.count(s, look.Live.T)
	}
	return out
}

// count runs an incident up to an instant, and fills in what is not about leaders.
func (s *strip) count(of *scenario.Scenario, untilNs int64) {
	s.Counts = map[string]float64{}
	requests := make([]int, s.End/1000+1)
	r := run.WithAll(*of)
	r.To(untilNs, func(record *trace.Record, _ explain.Note) {
		if record.Kind == trace.RequestServed {
			requests[record.At/1e9]++
		}
	})
	for i := range r.Checks.Violations {
		v := &r.Checks.Violations[i]
		s.Counts[v.Rule]++
		for second := v.FromNs / 1e9; v.Rule == rules.NodeReadyMismatch && second*1e9 < v.UntilNs; second++ {
			if s.Bars == nil {
				s.Bars = make([]int, len(requests))
			}
			s.Bars[second]++
		}
	}
	for _, o := range r.Outcomes(untilNs) {
		if _, broken := s.Counts[o.Name]; !broken {
			s.Counts[o.Name] = o.Value
		}
		if o.Name == "requestServed" {
			s.Bars = requests
		}
	}
}
