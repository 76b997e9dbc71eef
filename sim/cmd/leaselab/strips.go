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
	add := func(lane int, from, to, lost int64) {
		if from < to {
			out.Led = append(out.Led, [4]int64{int64(lane), from / ms, to / ms, lost})
		}
	}
	for i := range t.Lanes {
		for _, span := range t.Lanes[i].Spans {
			if span.Role == world.RoleLeading.String() {
				add(i, span.From, span.To, 0)
			} else if span.Active || span.Role == world.RoleLost.String() { // the Lease may name another
				for _, h := range t.Holder {
					lost := int64(1)
					if h.Index == i {
						lost = 0
					}
					add(i, max(h.From, span.From), min(h.To, span.To), lost)
				}
			}
		}
	}
	led := map[string]int64{"nobody": 0, "two": 2}
	for i := range t.Bands {
		if n, shown := led[t.Bands[i].Kind]; shown {
			out.Bands = append(out.Bands, [3]int64{t.Bands[i].From / ms, t.Bands[i].To / ms, n})
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
