package lab

import (
	"slices"
	"sort"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	detailRequests = 12_000 // a window over more requests is drawn from counts,
	leastDetail    = 3      // if it is over more segments than these
	maxMarks       = 60_000 // ticks and ramp points in one reply
)

// Timeline is everything drawn between two instants, clipped to the edge, for a picture so many pixels wide. For one of
// no width it is what is rare and who led, without the requests and the countdowns.
func (l *Lab) Timeline(fromNs, toNs int64, widthPx int) *Timeline {
	r := l.run()
	edge := l.edge.T
	r.compute(edge, stepBudget)
	pixelNs := int64(0)
	if widthPx > 0 && toNs > fromNs {
		pixelNs = (toNs/2 - fromNs/2) / int64(widthPx) * 2
	}
	toNs = min(toNs, l.endNs())
	fromNs = max(min(fromNs, toNs), 0)
	t := &Timeline{
		Run: r.id, From: fromNs, To: toNs, Lanes: []Lane{}, Holder: l.holderSpans(r), Bands: l.bands(r), Faults: l.faultSpans(r),
		Changes: []ChangeRef{}, Landmarks: []Landmark{},
	}
	t.Violations, t.Observations = l.violations(r)
	for _, m := range r.index.landmarks {
		if !earlier(l.edge, at(&m)) {
			t.Landmarks = append(t.Landmarks, m)
		}
	}
	for k, c := range r.frontier.checks.Changes {
		if !earlier(l.edge, Cursor{T: c.AtNs, N: c.Ordinal}) {
			t.Changes = append(t.Changes, l.change(r.frontier, k))
		}
	}
	t.Notes = l.laneNotes(r, t.From, t.To)
	l.lanes(r, t)
	l.readySpans(r, t)
	if widthPx > 0 {
		l.marks(r, t, pixelNs)
	}
	return t
}

// lanes fills in what each node did.
func (l *Lab) lanes(r *run, t *Timeline) {
	w := r.frontier.world
	edge := l.edge.T
	for i := range int32(r.nodesAt(edge)) {
		t.Lanes = append(t.Lanes, Lane{Node: w.Name(i), Index: int(i), Server: w.IsServer(i) || !w.HasElector(i), Spans: []RoleSpan{}, Ticks: []Tick{}, Ramp: []RampPoint{}})
	}
	for _, c := range r.index.roles {
		if c.atNs > edge {
			break
		}
		lane := &t.Lanes[c.lane]
		if n := len(lane.Spans); n > 0 {
			lane.Spans[n-1].To = c.atNs
		}
		lane.Spans = append(lane.Spans, RoleSpan{From: c.atNs, To: edge, Role: roleWord(w, c.lane, c.role)})
	}
	for i := range t.Lanes { // spans of no length and those outside the window are not drawn
		t.Lanes[i].Spans = within(t.Lanes[i].Spans, t.From, t.To)
	}
}

// marks fills in requests and countdowns: one by one, or counted when there would be too many.
func (l *Lab) marks(r *run, t *Timeline, pixelNs int64) {
	edge := l.edge.T
	t.Detail = len(t.Lanes) <= maxLanes && r.few(t.From, min(t.To, edge))
	if t.Detail {
		r.near(t.From)
		last := r.near(min(t.To, edge))
		t.Detail = l.detail(r, t, r.at(t.From), last)
	}
	if !t.Detail && len(t.Lanes) <= maxLanes {
		for i := range t.Lanes {
			t.Lanes[i].Ticks, t.Lanes[i].Ramp = []Tick{}, []RampPoint{}
			if i < len(r.index.buckets.lanes) {
				t.Lanes[i].Buckets = r.index.buckets.window(i, t.From, min(t.To, edge), pixelNs)
			}
		}
	}
}

// few reports whether the requests of a window are few enough to be drawn one by one.
func (r *run) few(fromNs, toNs int64) bool {
	first, last := r.segments[r.at(fromNs)], r.segments[r.at(toNs)]
	requests := last.start.world.Counts().Requests - first.start.world.Counts().Requests
	return requests < max(detailRequests, (leastDetail-1)*r.spacing+1)
}

// nodesAt is how many nodes have joined up to an instant.
func (r *run) nodesAt(ns int64) int {
	return nodesOf(r.setup) + sort.Search(len(r.index.joins), func(k int) bool { return r.index.joins[k] > ns })
}

func (l *Lab) detail(r *run, t *Timeline, first, last int) bool {
	marks := 0
	edge := l.edge
	for k := first; k <= last; k++ {
		s := r.load(k)
		for i := range s.ticks {
			m := &s.ticks[i]
			if m.tick.End < t.From || m.tick.T > t.To || earlier(edge, Cursor{T: m.tick.End, N: m.tick.N}) {
				continue
			}
			t.Lanes[m.lane].Ticks = append(t.Lanes[m.lane].Ticks, m.tick)
			marks++
		}
		for i := range s.ramps {
			m := &s.ramps[i]
			if m.point.T > t.To || m.point.T > edge.T || t.Lanes[m.lane].Server { // its own election is another one
				continue
			}
			lane := &t.Lanes[m.lane]
			if n := len(lane.Ramp); n > 0 {
				last := &lane.Ramp[n-1]
				if m.point.goesOn(last) {
					continue // said once more where a segment begins
				}
				if m.point.T <= t.From {
					*last = m.point // only the newest point before the window matters
					continue
				}
			}
			lane.Ramp = append(lane.Ramp, m.point)
			marks++
		}
		if marks > maxMarks {
			return false
		}
	}
	l.openTicks(t)
	return true
}

// goesOn reports whether a countdown is the same as before.
func (p *RampPoint) goesOn(before *RampPoint) bool {
	none, noneBefore := p.ZeroAt == p.T, before.ZeroAt == before.T
	return none && noneBefore || !none && p.ZeroAt == before.ZeroAt && p.Leading == before.Leading
}

// openTicks adds the requests that are still under way at the edge.
func (l *Lab) openTicks(t *Timeline) {
	if len(t.Lanes) > flightNodes {
		return
	}
	s := l.run().stateAt(l.edge, nil)
	for _, f := range s.world.Flights() {
		if f.Waited && f.SentNs >= t.From && f.SentNs <= t.To {
			lane := &t.Lanes[f.Candidate]
			lane.Ticks = append(lane.Ticks, Tick{T: f.SentNs, End: f.SentNs, Verb: f.Verb.String(), Outcome: "open", N: -1})
		}
	}
}

// holderSpans are the terms of the stored Lease.
func (l *Lab) holderSpans(r *run) []HolderSpan {
	all := []HolderSpan{}
	edge := l.edge.T
	for _, h := range r.index.holders {
		if h.atNs > edge {
			break
		}
		if n := len(all); n > 0 {
			all[n-1].To = h.atNs
		}
		all = append(all, HolderSpan{From: h.atNs, To: edge, Holder: h.name, Index: int(h.index)})
	}
	for i := range all {
		all[i].RenewedUntil = l.renewedUntil(r, &all[i])
	}
	return all
}

// renewedUntil is when a term stopped being renewed: when its holder stopped leading, or, while it still works, when
// the next renewal did not come.
func (l *Lab) renewedUntil(r *run, h *HolderSpan) int64 {
	if h.Index < 0 {
		return h.To
	}
	until := h.To
	for _, c := range r.index.roles {
		if c.lane == int32(h.Index) && c.atNs > h.From && c.atNs <= h.To && c.role != world.RoleLeading {
			until = c.atNs
			break
		}
	}
	history := r.frontier.world.Store().History()
	k := history.IndexAt(h.To)
	for k >= history.First() && k >= 0 && (history.At(k).AtNs >= h.To && h.To < l.edge.T || history.At(k).Deleted || history.At(k).Lease != 0) {
		k--
	}
	if k < history.First() || k < 0 {
		return until
	}
	last := history.At(k).AtNs
	running, _ := r.frontier.world.Settings(int32(h.Index))
	retry := int64(running.RetryPeriod)
	if last+2*retry+running.RequestNs+running.ResponseNs < h.To {
		until = min(until, last+retry)
	}
	return max(until, last)
}

// bands are the times when nobody, or more than one, worked.
func (l *Lab) bands(r *run) []Band {
	all := []Band{}
	edge := l.edge.T
	s := r.frontier
	for k := range s.tracker.Explanations {
		e := &s.tracker.Explanations[k]
		if e.FromNs == e.ToNs || e.FromNs >= edge {
			continue
		}
		if earlier(l.edge, cursorOf(e.LeadsAt)) {
			all = append(all, Band{From: e.FromNs, To: edge, Kind: "nobody", Open: true, Change: -1, Addends: []Addend{}})
			break
		}
		all = append(all, Band{From: e.FromNs, To: e.ToNs, Kind: "nobody", Change: k, Addends: addends(e)})
	}
	if since := s.checks.SinceNs(); len(s.checks.Active()) == 0 && since < edge {
		all = append(all, Band{From: since, To: edge, Kind: "nobody", Open: true, Change: -1, Addends: []Addend{}})
	}
	for _, v := range s.checks.Violations {
		if v.Rule != rules.MoreThanOneActive || v.FromNs >= edge {
			continue
		}
		b := Band{From: v.FromNs, To: v.UntilNs, Kind: "two", Change: -1, Addends: []Addend{}}
		if v.UntilNs < 0 || v.UntilNs > edge {
			b.To, b.Open = edge, true
		}
		all = append(all, b)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].From < all[j].From })
	return all
}

func (l *Lab) faultSpans(r *run) []FaultSpan {
	all := []FaultSpan{}
	edge := l.edge.T
	open := []int{} // indices into all, with what opened them beside
	opened := []faultChange{}
	for _, f := range r.index.faults {
		if f.atNs > edge {
			break
		}
		if f.begins {
			node := ""
			if f.node >= 0 {
				node = r.frontier.world.Name(f.node)
			}
			open, opened = append(open, len(all)), append(opened, f)
			all = append(all, FaultSpan{From: f.atNs, To: edge, Open: true, Node: node, Text: f.text})
			continue
		}
		// An act that is over ends what it began; one that heals or mends ends all of its kind.
		own := slices.ContainsFunc(opened, func(begin faultChange) bool { return begin.source == f.source && ends(&begin, &f) })
		for k := len(open) - 1; k >= 0; k-- {
			if opened[k].source == f.source && (f.source != 0 || own) || !own && ends(&opened[k], &f) {
				all[open[k]].To, all[open[k]].Open = f.atNs, false
				open, opened = append(open[:k], open[k+1:]...), append(opened[:k], opened[k+1:]...)
			}
		}
	}
	return all
}

// ends reports whether a fault's end, which names no act of its own, is that of an earlier beginning: the same node (or
// everybody) and the same kind of text.
func ends(begin, end *faultChange) bool {
	same := begin.node == end.node || end.node < 0
	return same && len(begin.text) >= len(end.text) && begin.text[:len(end.text)] == end.text
}

// violations are the breaches of safety and liveness so far, and those that are only worth knowing.
func (l *Lab) violations(r *run) (all, observations []ViolationMark) {
	all = []ViolationMark{}
	w := r.frontier.world
	checks := &r.frontier.checks
	if checks.Due(l.edge.T) { // the frontier itself may yet be asked about an earlier instant
		settled := checks.Clone()
		settled.Settle(l.edge.T)
		checks = &settled
	}
	for _, v := range checks.Violations {
		if earlier(l.edge, Cursor{T: v.FromNs, N: v.Ordinal}) {
			continue
		}
		m := ViolationMark{From: v.FromNs, To: v.UntilNs, Kind: v.Severity.String(), Cursor: Cursor{T: v.FromNs, N: v.Ordinal}}
		if v.UntilNs < 0 || v.UntilNs > l.edge.T {
			m.To = l.edge.T
		}
		m.Rule, m.Text = describe(w, &v, m.To-m.From)
		if v.Severity == rules.Observation {
			observations = append(observations, m)
		} else {
			all = append(all, m)
		}
	}
	return all, observations
}

func describe(w *world.World, v *check.Violation, lengthNs int64) (rule, text string) {
	name := func(i int32) string {
		if i < 0 {
			return "an administrator"
		}
		return w.Name(i)
	}
	return v.Title(), v.Describe(name, lengthNs)
}
