package view

import (
	"slices"
	"sort"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// This file describes a span of time. Rare data, such as roles, holders, faults and leader changes, come from the
// index of the whole run, which costs little. Frequent data, such as requests and countdowns, needs the records,
// which the run keeps in segments and recomputes on demand. If a span has too many of these, the code only counts
// them: an hour of 100 nodes has millions of requests, but a canvas has a thousand pixels.

const (
	maxMarks      = 60_000     // ticks and ramp points in one reply
	servedPixelNs = 10_000_000 // with more time per pixel, the page does not draw when the server handled a request
)

// Timeline returns everything drawn between two instants, up to the live cursor, on a canvas of widthPx pixels. With
// a width of 0 the result has no requests or countdowns.
//
// The arguments may be any instants: Timeline limits the span to the run. Holder, Bands, Faults, Changes, Landmarks
// and violations always cover the run from its start, because there are few of them. Lanes, notes and the resource
// cover only the span. A shape that extends beyond the live cursor ends there. If the shape has a field Open, Open is
// true.
func Timeline(look timeline.Look, fromNs, toNs int64, widthPx int) *protocol.Timeline {
	r := look.Run
	live := look.Live.T
	r.Compute(live)
	pixelNs := int64(0)
	if widthPx > 0 && toNs > fromNs {
		// Halve the bounds first: the difference of two arbitrary instants may overflow.
		pixelNs = (toNs/2 - fromNs/2) / int64(widthPx) * 2
	}
	toNs = min(toNs, look.Run.EndNs())
	fromNs = max(min(fromNs, toNs), 0)
	t := &protocol.Timeline{
		Run: r.ID(), From: fromNs, To: toNs, Live: live, Lanes: []protocol.Lane{}, Holder: holderSpans(look, r),
		Bands: bands(look, r), Faults: faultSpans(look, r),
		Changes: []protocol.ChangeRef{}, Landmarks: []timeline.Landmark{},
	}
	t.Violations, t.Observations = violations(look, r)
	for _, m := range r.Index().Landmarks {
		if !look.Live.Before(m.Cursor()) {
			t.Landmarks = append(t.Landmarks, m)
		}
	}
	for k, c := range r.Frontier().Checks.Changes {
		if !look.Live.Before(timeline.Cursor{T: c.AtNs, N: c.Ordinal}) {
			t.Changes = append(t.Changes, changeRef(r.Frontier(), k))
		}
	}
	t.Notes = laneNotes(look, r, t.From, t.To)
	lanes(look, r, t)
	readySpans(look, r, t)
	if widthPx > 0 {
		marks(look, t, pixelNs)
	}
	t.Resource = resourceLane(look, t, pixelNs)
	return t
}

// `lanes` fills in what each node did. The index has the instants at which roles change, so a span ends where the next
// span of the same lane begins.
func lanes(look timeline.Look, r *timeline.Run, t *protocol.Timeline) {
	w := r.Frontier().World
	live := look.Live.T
	for i := range int32(r.NodesAt(live)) {
		t.Lanes = append(t.Lanes, protocol.Lane{Node: w.Node(i).Name(), Index: int(i), Server: w.Node(i).IsServer() ||
			!w.Node(i).HasElector(), Spans: []protocol.RoleSpan{}, Ticks: []timeline.Tick{},
			Ramp: []timeline.RampPoint{}})
	}
	for _, c := range r.Index().Roles {
		if c.AtNs > live {
			break
		}
		lane := &t.Lanes[c.Lane]
		span := protocol.RoleSpan{From: c.AtNs, To: live, Role: roleWord(w, c.Lane, c.Role)}
		if n := len(lane.Spans); n > 0 {
			before := &lane.Spans[n-1]
			before.To = c.AtNs
			// A pause does not end anyone's leadership: to the other nodes, a paused leader looks like a slow one.
			span.Active = c.Role == world.RolePaused &&
				(before.Role == world.RoleLeading.String() || before.Role == world.RoleLost.String())
		}
		lane.Spans = append(lane.Spans, span)
	}
	for i := range t.Lanes { // drop empty spans and those outside the window
		t.Lanes[i].Spans = spansWithin(t.Lanes[i].Spans, t.From, t.To)
	}
}

// `marks` fills in requests and countdowns one by one, or only their counts if there are too many. The field Detail
// tells the page which of the two the reply has. First, Few decides from the counts, without recomputing anything.
// Later the function `detail` may still give up, and then `marks` drops its partial result.
func marks(look timeline.Look, t *protocol.Timeline, pixelNs int64) {
	r, toNs := look.Run, min(t.To, look.Live.T)
	t.Detail = len(t.Lanes) <= timeline.MaxLanes && r.Few(t.From, toNs) && detail(look, t, pixelNs)
	if !t.Detail && len(t.Lanes) <= timeline.MaxLanes {
		for i := range t.Lanes {
			t.Lanes[i].Ticks, t.Lanes[i].Ramp = []timeline.Tick{}, []timeline.RampPoint{}
			t.Lanes[i].Buckets = r.Counts(i, t.From, toNs, pixelNs)
		}
	}
}

// `detail` fills in requests and countdowns one by one, or returns false if there are too many. A request belongs to
// the span if any part of the request does. `detail` adds only requests that have ended before the live cursor;
// openTicks adds the others. At a small scale, the instant at which the server handled the request would be on the same
// pixel as the sending, so `detail` omits it.
func detail(look timeline.Look, t *protocol.Timeline, pixelNs int64) bool {
	marks, live := 0, look.Live
	whole := look.Run.Marks(t.From, min(t.To, live.T), func(ticks []timeline.LaneTick, ramps []timeline.LaneRamp) bool {
		for i := range ticks {
			m := &ticks[i]
			if m.Tick.End < t.From || m.Tick.T > t.To || live.Before(timeline.Cursor{T: m.Tick.End, N: m.Tick.N}) {
				continue
			}
			tick := m.Tick
			if pixelNs > servedPixelNs {
				tick.Served, tick.Version = 0, 0
			}
			t.Lanes[m.Lane].Ticks = append(t.Lanes[m.Lane].Ticks, tick)
			marks++
		}
		for i := range ramps {
			m := &ramps[i]
			if m.Point.T > t.To || m.Point.T > live.T || t.Lanes[m.Lane].Server {
				// a server competes in a different election
				continue
			}
			if ramp(&t.Lanes[m.Lane], &m.Point, t.From) {
				marks++
			}
		}
		return marks <= maxMarks
	})
	if whole {
		openTicks(look, t)
	}
	return whole
}

// ramp adds a countdown to a lane. It returns false if the lane already has that countdown. A countdown has one point
// for each restart, with the start T and the end ZeroAt. It falls by one second per second, so the page needs nothing
// between two points. The last point before the span matters, because its countdown may reach into the span.
func ramp(lane *protocol.Lane, p *timeline.RampPoint, fromNs int64) bool {
	if n := len(lane.Ramp); n > 0 {
		last := &lane.Ramp[n-1]
		if p.Same(last) {
			return false // a segment repeats a countdown at the start of the segment
		}
		if p.T <= fromNs {
			*last = *p // only the newest point before the window matters
			return false
		}
	}
	lane.Ramp = append(lane.Ramp, *p)
	return true
}

// openTicks adds the requests in flight at the live cursor. The outcome "open" means that a request has not ended.
// Only requests of electors count, and only while their client waits.
func openTicks(look timeline.Look, t *protocol.Timeline) {
	if len(t.Lanes) > timeline.FlightNodes {
		return
	}
	s := look.Run.At(look.Live)
	for _, f := range s.World.Flights() {
		if f.Waited && f.Sender == network.Elector && f.SentNs >= t.From && f.SentNs <= t.To {
			lane := &t.Lanes[f.Candidate]
			tick := timeline.Tick{T: f.SentNs, End: f.SentNs, Verb: f.Verb.String(), Outcome: "open", N: -1,
				Served: max(0, f.ServedNs)}
			tick.HeldFrom, tick.HeldTo = s.Hold(f.Candidate, f.Seq)
			lane.Ticks = append(lane.Ticks, tick)
		}
	}
}

// holderSpans returns the terms of the stored Lease. A term begins when a version names the holder, and ends when a
// version names another holder or none. So a term shows what the Lease says. The field RenewedUntil shows how long
// the holder really renewed.
func holderSpans(look timeline.Look, r *timeline.Run) []protocol.HolderSpan {
	all := []protocol.HolderSpan{}
	live := look.Live.T
	for _, h := range r.Index().Holders {
		if h.AtNs > live {
			break
		}
		if n := len(all); n > 0 {
			all[n-1].To = h.AtNs
		}
		all = append(all, protocol.HolderSpan{From: h.AtNs, To: live, Holder: h.Name, Index: int(h.Index)})
	}
	for i := 0; i < len(all); i++ {
		rest := all[i]
		all[i].RenewedUntil = renewedUntil(look, r, &all[i])
		if rest.From = all[i].To; rest.From < rest.To {
			all = slices.Insert(all, i+1, rest)
		}
	}
	return all
}

// renewedUntil returns when the renewals of a term stopped, and ends the term where its holder leads again. They
// stopped when the holder stopped leading or, if the holder still leads, when the next renewal was missing. A crashed
// leader stays in the Lease until another takes it, and the page draws that part as an outline. The role log does not
// show that a leader cannot reach the server, so the second half looks at the stored renewals. Example: the last
// renewal is at 20 s, with retryPeriod 2 s. Until about 24 s the next one may be under way. At 26 s it is missing, and
// the term counts as renewed until 22 s, when it was due.
func renewedUntil(look timeline.Look, r *timeline.Run, h *protocol.HolderSpan) int64 {
	if h.Index < 0 {
		return h.To
	}
	until, end := h.To, h.To
	for _, c := range r.Index().Roles {
		if own := c.Lane == int32(h.Index) && c.AtNs > h.From && c.AtNs <= h.To; own && c.Role != world.RoleLeading {
			until = min(until, c.AtNs)
		} else if own && until < h.To {
			h.To, end = c.AtNs, until
		}
	}
	history := r.Frontier().World.Store().History()
	// The version at the end already names the next holder, unless the term continues.
	k := history.IndexAt(end)
	for k >= history.First() && k >= 0 &&
		(history.At(k).AtNs >= end && end < look.Live.T || history.At(k).Deleted || history.At(k).Lease != 0) {
		k--
	}
	if k < history.First() || k < 0 {
		return until
	}
	last := history.At(k).AtNs
	running, _ := r.Frontier().World.Node(int32(h.Index)).Settings()
	retry := int64(running.RetryPeriod)
	if last+2*retry+running.RequestNs+running.ResponseNs < end {
		until = min(until, last+retry)
	}
	return max(until, last)
}

// `bands` returns the times without an active leader, and the times with more than one. The three kinds are "nobody",
// "two", and "idle" for a single paused leader. They may touch but do not overlap. The gaps and their parts come from
// the explanations. An open gap has no parts yet, because they depend on how it ends.
func bands(look timeline.Look, r *timeline.Run) []protocol.Band {
	all := []protocol.Band{}
	live := look.Live.T
	s := r.Frontier()
	for k := range s.Tracker.Explanations {
		e := &s.Tracker.Explanations[k]
		if e.FromNs == e.ToNs || e.FromNs >= live {
			continue
		}
		if look.Live.Before(timeline.CursorOf(e.LeadsAt)) {
			all = append(all, protocol.Band{From: e.FromNs, To: live, Kind: "nobody", Open: true, Change: -1,
				Addends: []protocol.Addend{}})
			break
		}
		all = append(all, protocol.Band{From: e.FromNs, To: e.ToNs, Kind: "nobody", Change: k,
			Addends: addends(e.Parts, 3)})
	}
	if since := s.Checks.SinceNs(); len(s.Checks.Active()) == 0 && since < live {
		all = append(all, protocol.Band{From: since, To: live, Kind: "nobody", Open: true, Change: -1,
			Addends: []protocol.Addend{}})
	}
	for _, v := range s.Checks.Violations {
		if v.Rule != rules.MoreThanOneActive || v.FromNs >= live {
			continue
		}
		b := protocol.Band{From: v.FromNs, To: v.UntilNs, Kind: "two", Change: -1, Addends: []protocol.Addend{}}
		if v.UntilNs < 0 || v.UntilNs > live {
			b.To, b.Open = live, true
		}
		all = append(all, b)
	}
	all = idleBands(look, r, all)
	sort.SliceStable(all, func(i, j int) bool { return all[i].From < all[j].From })
	return all
}

// idleBands adds the times in which a pause kept the only active leader from work. For each overlap it also records
// how long a pause of one of its leaders lasted. A paused leader stays active, so the bands of an overlap cut its
// pause.
func idleBands(look timeline.Look, r *timeline.Run, all []protocol.Band) []protocol.Band {
	live := look.Live.T
	overlaps := len(all)
	// It walks over the overlaps in order of time and cuts them out of the pause, so "idle" is what remains before,
	// between and after them.
	pause := func(fromNs, toNs int64) {
		for k := range all[:overlaps] {
			b := &all[k]
			if b.Kind != "two" || b.To <= fromNs || b.From >= toNs {
				continue
			}
			b.PausedNs += min(toNs, b.To) - max(fromNs, b.From)
			if b.From > fromNs {
				all = append(all, protocol.Band{From: fromNs, To: b.From, Kind: "idle", Change: -1,
					Addends: []protocol.Addend{}})
			}
			fromNs = min(toNs, b.To)
		}
		if fromNs < toNs {
			all = append(all, protocol.Band{From: fromNs, To: toNs, Kind: "idle", Open: toNs == live, Change: -1,
				Addends: []protocol.Addend{}})
		}
	}
	type lane struct {
		role    world.Role
		sinceNs int64 // since when the node has been a paused leader; -1 for any other node
	}
	lanes := map[int32]lane{}
	var paused []int32 // the paused leaders, in the order of their pauses
	for _, c := range r.Index().Roles {
		if c.AtNs > live {
			break
		}
		was, known := lanes[c.Lane]
		now := lane{c.Role, -1}
		if known && was.sinceNs >= 0 {
			pause(was.sinceNs, c.AtNs)
			paused = slices.DeleteFunc(paused, func(i int32) bool { return i == c.Lane })
		}
		if c.Role == world.RolePaused && (was.role == world.RoleLeading || was.role == world.RoleLost) {
			now.sinceNs = c.AtNs
			paused = append(paused, c.Lane)
		}
		lanes[c.Lane] = now
	}
	for _, i := range paused {
		pause(lanes[i].sinceNs, live)
	}
	return all
}

// faultSpans pairs the beginnings of faults with their ends. A fault that continues has Open set and ends at the live
// cursor. The hard part is to find the fault to which an end belongs. Suppose two acts cut node a, at 10 s for 30 s
// and at 20 s for 5 s. The end at 25 s belongs to the second act, and the field Source shows that. But "heal" at 28 s
// names no act: it ends every cut of the node.
func faultSpans(look timeline.Look, r *timeline.Run) []protocol.FaultSpan {
	all := []protocol.FaultSpan{}
	live := look.Live.T
	open := []int{} // indices into "all", and the act that began each fault
	opened := []timeline.FaultChange{}
	for _, f := range r.Index().Faults {
		if f.AtNs > live {
			break
		}
		if f.Begins {
			node := ""
			if f.Node >= 0 {
				node = r.Frontier().World.Node(f.Node).Name()
			}
			open, opened = append(open, len(all)), append(opened, f)
			all = append(all, protocol.FaultSpan{From: f.AtNs, To: live, Open: true, Node: node,
				Kind: f.Kind.String(), Text: f.Text})
			continue
		}
		own := slices.ContainsFunc(opened,
			func(begin timeline.FaultChange) bool { return begin.Source == f.Source && ends(&begin, &f) })
		for k := len(open) - 1; k >= 0; k-- {
			if ends(&opened[k], &f) && (opened[k].Source == f.Source || !own) {
				all[open[k]].To, all[open[k]].Open = f.AtNs, false
				open, opened = append(open[:k], open[k+1:]...), append(opened[:k], opened[k+1:]...)
			}
		}
	}
	return all
}

// `ends` reports whether an end without an act ends a fault that began earlier. It does if the fault has the same kind
// and concerns the same node or all nodes.
func ends(begin, end *timeline.FaultChange) bool {
	return begin.Node == end.Node && begin.Kind == end.Kind
}

// `violations` returns the violations so far, and the observations. Three things make this complicated. First, time
// alone may break a rule, without an event, so the checks must settle at the live cursor. Second, the frontier may be
// ahead and already know how a violation ends. So a violation that is open at the live cursor must come from the
// state at the live cursor. Third, a violation that begins later must not appear at all.
func violations(look timeline.Look, r *timeline.Run) (all, observations []protocol.ViolationMark) {
	all = []protocol.ViolationMark{}
	w := r.Frontier().World
	checks := &r.Frontier().Checks
	if checks.Due(look.Live.T) { // copy the frontier: a later call may ask about an earlier instant
		settled := checks.Clone()
		settled.Settle(look.Live.T)
		checks = &settled
	}
	var atLive *timeline.State // has the counts of an open violation so far; the frontier may have counted more
	for k, v := range checks.Violations {
		if look.Live.Before(timeline.Cursor{T: v.FromNs, N: v.Ordinal}) {
			continue
		}
		if v.UntilNs > look.Live.T || v.UntilNs < 0 && r.Frontier().World.Now() > look.Live.T {
			if atLive == nil {
				atLive = look.Run.At(look.Live)
			}
			if k < len(atLive.Checks.Violations) && atLive.Checks.Violations[k].Rule == v.Rule {
				v = atLive.Checks.Violations[k]
			}
		}
		m := protocol.ViolationMark{From: v.FromNs, To: v.UntilNs, Kind: v.Severity.String(),
			Cursor: timeline.Cursor{T: v.FromNs, N: v.Ordinal}}
		if v.UntilNs < 0 || v.UntilNs > look.Live.T {
			m.To = look.Live.T
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

// `describe` returns the name of a violation's rule and a sentence about it. Node -1 stands for an administrator.
func describe(w *world.World, v *check.Violation, lengthNs int64) (rule, text string) {
	name := func(i int32) string {
		if i < 0 {
			return "an administrator"
		}
		return w.Node(i).Name()
	}
	return v.Title(), v.Describe(name, lengthNs)
}
