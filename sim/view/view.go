// Package view computes what the page draws: each number and sentence for an instant or a span of a run. JavaScript
// only draws them. The page itself does not contain any rule of leader election.
//
// # The problem
//
// The page shows a run that a simulator computes ahead of the viewer, and that the viewer can rewind. Two rules
// follow. What the page draws must not depend on how far the simulator has come, because then the same instant would
// look different later. And the page must not give away the ending: a viewer who waits to see who takes over must not
// find the answer in a table next to the drawing.
//
//	0 s ─────────── cursor ─────────── live ─────────── frontier ─ ─ ─ end
//	                ▲ Of describes     ▲ nothing later    ▲ the simulator
//	                  this instant       may appear         has come this far
//
// So each function takes a timeline.Look: a run, the cursor, and the live cursor, which is the latest instant that the
// session has shown. A function may read the frontier and the index of the whole run, because both are cheap. It then
// cuts what it found at the live cursor.
//
// # The functions to know
//
// Of returns everything about one instant. Timeline returns everything between two instants. Both return shapes of
// package sim/protocol, which the page mirrors. The others answer one question each: Events (the event list), Object
// (one version of a Lease as YAML), Exchange (one request as HTTP), Cause and ExplainChange (why), Decision (one pass
// of the coordinated election controller), Checks (the checkers) and Compare (two runs).
//
// # Guarantee and non-guarantee
//
// Guarantee: a view contains nothing that happens after the live cursor, and equal arguments give equal views.
// Non-guarantee: a view does not know the session. The caller passes in session data, such as branches and
// breakpoints. Times are nanoseconds of the run's true clock, unless a field says that a node's own clock shows them.
// In a cursor, N = -1 means the end of the instant, after all of its events. Errors name what the user asked for and
// what exists so far.
package view

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	// The page draws a ring of nodes, and a card for each node. With a thousand nodes, neither is readable.
	// NodesTotal still counts all of them.
	viewNodes = 100 // maximum number of described nodes
	actNodes  = 30  // maximum number of nodes with a list of possible acts
)

// Of returns everything that the page needs to draw the instant of the cursor. The argument session has the data that
// does not come from the run. Everything describes the instant of the cursor, with two exceptions: NextT stops at the
// live cursor, and Lease.Versions counts up to the live cursor. During playback each cursor is slightly later than
// the previous one, so Look.Here keeps its state and only advances it.
func Of(look timeline.Look, session protocol.SessionView) *protocol.View {
	s, r := look.Here(), look.Run
	w := s.World
	v := &protocol.View{
		Run: r.ID(), Scenario: r.Scenario().Name, Title: session.Title, Seed: r.Scenario().Seed,
		Hash:   w.Hash().String(),
		Cursor: look.Cursor, Live: look.Live, End: r.EndNs(), Playing: session.Playing, Speed: session.Speed,
		StorySpeed: session.Speed,
		Nodes:      []protocol.NodeView{}, NodesTotal: w.Nodes(), Flights: flights(look, s), Branches: session.Branches,
		Branch: session.Branch, Undo: session.Undo, Redo: session.Redo,
		Knobs: knobs(r, w), MarginNs: marginNs(w), Toast: session.Toast, Acts: []protocol.ActState{},
		Breakpoints: session.Breakpoints,
	}
	// A run from outside follows a record of real programs, which may still grow.
	if o := r.Outside(); o != nil {
		v.Record = "whole"
		if o.GoesOn() {
			v.Record = "live"
		}
	}
	// The state may be at an instant before the cursor, because between two events nothing happens. Only a state at
	// the same instant shows how many events of this instant the viewer has passed.
	if at := s.Cursor(); at.T == look.Cursor.T {
		v.InInstant = int(at.N)
	}
	v.NextT = min(s.NextAt(), look.Live.T)
	if session.Speed == 0 {
		ppm, _ := r.Story(look.Cursor.T)
		v.StorySpeed = float64(ppm) / 1e6
	}
	decision, by := lastDecision(w)
	for i := range int32(min(w.Nodes(), viewNodes)) {
		n := nodeView(look, s, i)
		n.Candidate, n.Server = candidateView(w, i, decision, by), serverView(w, i)
		v.Nodes = append(v.Nodes, n)
		if i < actNodes {
			v.Acts = append(v.Acts, actStates(r, w, i)...)
		}
	}
	v.Lease = leaseView(look, w)
	v.Headline, v.Change = headline(look, s)
	v.Totals = totalsAt(s, look.Cursor.T)
	return v
}

// totalsAt counts what has happened up to an instant. The lengths count up to exactly atNs, even for a gap or an
// overlap that is still open. Observations do not count as violations.
func totalsAt(s *timeline.State, atNs int64) protocol.Totals {
	t := protocol.Totals{Leaders: len(s.Checks.Changes), Requests: int(s.World.Counts().Requests)}
	t.LeaderlessNs, t.DoubleNs = s.Checks.Totals(atNs)
	for _, x := range s.Checks.Violations {
		if x.Severity != rules.Observation {
			t.Violations++
		} else {
			t.Observations++
		}
	}
	return t
}

// actStates returns for each act of the toolbar whether it is possible on the node now, or the reason why it is not.
// ActAdd needs no node.
func actStates(r *timeline.Run, w *world.World, i int32) []protocol.ActState {
	var all []protocol.ActState
	for _, a := range protocol.Acts {
		if a.Act != scenario.ActAdd {
			all = append(all, protocol.ActState{Node: w.Node(i).Name(), Act: a.Act,
				Refusal: refusal(r, w, a.Act, w.Node(i).Name())})
		}
	}
	return all
}

// refusal returns why an act is impossible, or "". If the user sent the act anyway, the error would have the same
// words. A recorded program has already run, so no act can reach it.
func refusal(r *timeline.Run, w *world.World, act, node string) string {
	if r.Outside() != nil {
		return node + " is a real program. You cannot act on it here."
	}
	return compile.Refusal(w, act, node)
}

// nodeView describes one node at the cursor. The field Role determines how the page draws the node, and RoleWord is
// the text. The two differ for a paused leader: the drawing shows a pause, and the text adds that the node is still
// active.
func nodeView(look timeline.Look, s *timeline.State, i int32) protocol.NodeView {
	w := s.World
	role := timeline.RoleOf(w, i)
	n := protocol.NodeView{
		Name: w.Node(i).Name(), Index: int(i),
		Role: roleWord(w, i, role), RoleWord: roleWord(w, i, role),
		Since: roleSince(look, i), Paused: w.Node(i).Paused(), Cut: cutWord(w, i),
	}
	if n.RoleWord == roleServing {
		n.RoleWord = "API server"
		if !w.Node(i).HasElector() {
			n.RoleWord = roleOfBeating(w, i)
		}
	}
	if role == world.RolePaused && w.Node(i).Active() {
		n.RoleWord = "paused leader"
	}
	if w.Node(i).Removed() {
		n.RoleWord = "left"
	}
	var wall int64
	n.ClockOffsetNs, n.ClockRatePpm, wall = w.Node(i).Clock()
	// The state is the one after the last event, so add the time since that event. A clock at 900,000 ppm shows 0.9 s
	// more after a second without any event.
	if behind := look.Cursor.T - w.Now(); behind > 0 { // the cursor may lie between two events
		wall += behind * n.ClockRatePpm / 1_000_000
	}
	if n.ClockOffsetNs != 0 || n.ClockRatePpm != 1_000_000 {
		n.Wall = wallText(wall) // shown only if the node's clock differs from the world's
	}
	if zero, leading, ok := w.Node(i).Countdown(); ok {
		kind := "mayTake"
		if leading {
			kind = "mustStop"
		}
		n.Countdown = &protocol.Countdown{Kind: kind, ZeroAt: zero, FromNs: w.Node(i).FullCountdownNs(leading)}
	}
	n.Believes = believes(w, i)
	if look.Run.Outside() != nil && w.Node(i).Alive() {
		n.Believes = "only its program knows"
	}
	if !w.Node(i).HasElector() {
		n.Believes = health(look, w, i)
	}
	return n
}

// cutWord names the directions in which a node's messages get lost now: "up" toward the API server, "down" for
// answers, "both", or "". A cut of a single direction is the harder case: with "down" the server stores a renewal,
// but the sender never gets the answer.
func cutWord(w *world.World, i int32) string {
	up, down := w.Node(i).CutOff()
	switch {
	case up && down:
		return "both"
	case up:
		return "up"
	case down:
		return "down"
	}
	return ""
}

// wallText formats the time on a node's own clock, and adds the day after the run's first day. The time is UTC, from
// the epoch that all runs share. If a clock is behind the epoch, the text also has the day.
func wallText(ns int64) string {
	t := time.Unix(0, world.EpochUnixNs+ns).UTC()
	if ns < 0 || ns >= 24*3600*1e9 {
		return t.Format("2006-01-02 15:04:05.000")
	}
	return t.Format("15:04:05.000")
}

// `believes` describes in the first person what a node thinks about the Lease. The node may be wrong, which is what the
// page is about. "the Lease is mine" without "I lead" appears for the short time between the winning answer and
// OnStartedLeading. It may also appear after a term, until the node reads another record. An API server competes for
// the controllers' Lease, so it speaks about the controller instead.
func believes(w *world.World, i int32) string {
	record, _, seen := w.Node(i).ObservedRecord()
	if w.Node(i).IsServer() && w.Node(i).Alive() {
		switch {
		case roleWord(w, i, timeline.RoleOf(w, i)) == roleController:
			return "I run the controller"
		case seen && record.HolderIdentity != 0:
			return w.DisplayName(record.HolderIdentity) + " runs the controller"
		}
		return "nobody runs the controller"
	}
	switch {
	case !w.Node(i).Alive():
		return "nothing: no process"
	case !seen:
		return "knows nothing yet"
	case record.HolderIdentity == 0:
		return "nobody leads"
	case record.HolderIdentity == w.Node(i).Identity() && w.Node(i).Active():
		return "I lead"
	case record.HolderIdentity == w.Node(i).Identity():
		return "the Lease is mine"
	}
	return w.DisplayName(record.HolderIdentity) + " leads"
}

// roleSince returns the instant of the last role change of a node at or before the cursor, or 0. It reads the index,
// which covers the whole run, because the state keeps only the current role.
func roleSince(look timeline.Look, i int32) int64 {
	roles := look.Run.Index().Roles
	k := sort.Search(len(roles), func(k int) bool { return roles[k].AtNs > look.Cursor.T })
	for k--; k >= 0; k-- {
		if roles[k].Lane == i {
			return roles[k].AtNs
		}
	}
	return 0
}

// leaseView describes the Lease of the election at the cursor. Version counts the versions up to the cursor, and
// Versions counts those up to the live cursor: the page draws "version 3 of 12" after a jump back. HolderIndex is -1
// without a holder, and also for a holder that is not a node of this run.
func leaseView(look timeline.Look, w *world.World) protocol.LeaseView {
	holder, o, exists := w.Holder()
	setup := w.Setup()
	v := protocol.LeaseView{Name: setup.LeaseNames[0], Namespace: setup.Namespace, Exists: exists,
		HolderIndex: int(holder)}
	v.Version = versionsOf(w, 0, w.Store().History().Len())
	if exists {
		v.Holder = w.DisplayName(o.Spec.HolderIdentity)
		v.ResourceVersion = fmt.Sprint(o.ResourceVersion)
	}
	v.Versions = versions(look)
	if number, mapped := w.ConfigMap(); mapped {
		v.Others = versionsOf(w, number, w.Store().History().Len()) > 0
	}
	return v
}

// `versions` returns the number of versions of the Lease up to the live cursor.
func versions(look timeline.Look) int {
	w := look.Run.Frontier().World
	return versionsOf(w, 0, w.Store().History().IndexAt(look.Live.T)+1)
}

// `flights` returns every request on the wire. It also returns requests that ended less than timeline.LingerNs ago, so
// that their links can fade. With more than timeline.FlightNodes nodes it returns none, because a viewer could not
// tell the links apart. A flight has only instants. The page computes a dot's position from Sent, Reaches and
// Returns, so a slow frame draws the dot late but never in the wrong position.
func flights(look timeline.Look, s *timeline.State) []protocol.Flight {
	all := []protocol.Flight{}
	if s.World.Nodes() > timeline.FlightNodes {
		return all
	}
	for _, f := range s.World.Flights() {
		v := protocol.Flight{Node: int(f.Candidate), Seq: int(f.Seq), Verb: f.Verb.String(),
			Message: messageWords[f.Sender], Sent: f.SentNs, Reaches: f.ReachesNs}
		if f.ServedNs >= 0 {
			served := f.ServedNs
			v.Served = &served
		}
		switch {
		case f.LostUp:
			v.Lost = "up"
		case f.LostDown:
			v.Lost = "down"
		case f.ReturnsNs >= 0:
			returns := f.ReturnsNs
			v.Returns = &returns
		}
		v.Hangs, v.Held, v.CanBeStopped = f.Hangs, f.Held, f.CanBeStopped && !f.Held
		if f.StoppedNs >= 0 {
			stopped := f.StoppedNs
			v.Stopped = &stopped
		}
		// The client has crashed or timed out. Its message is still under way, and the server may still store it.
		if !f.Waited {
			gone := look.Cursor.T
			v.GaveUp = &gone
		}
		// The server knows the outcome before the client does. If the answer gets lost, the client never learns it.
		if f.ServedNs >= 0 && !f.LostDown {
			v.Outcome = explain.OutcomeWord(f.Result)
		}
		all = append(all, v)
	}
	for _, a := range s.Recent() {
		if a.EndedNs > look.Cursor.T-timeline.LingerNs {
			all = append(all, flightOver(a))
		}
	}
	return all
}

// messageWords contains the names of a node's clients for the phrase of an act. The elector has no name there.
var messageWords = [...]string{
	network.Elector: "", network.LeaseCandidate: scenario.MessageLeaseCandidate,
	network.Controller: scenario.MessageController,
	network.Kubelet:    scenario.MessageHeartbeat, network.ResourceWriter: scenario.MessageResource,
}

// flightOver returns a finished request, drawn until its link has faded. The state has less information about a
// finished request than about a request on the wire. If the client gave up, flightOver infers which message got lost:
// the request if the server never received one, otherwise the answer. A refused connection never reaches the server,
// but the refusal comes back at once.
func flightOver(a timeline.Answered) protocol.Flight {
	f := protocol.Flight{
		Node: int(a.Node), Seq: int(a.Seq), Verb: a.Verb.String(), Sent: a.SentNs, Reaches: a.EndedNs,
		Ended: &a.EndedNs, Outcome: explain.OutcomeWord(a.Result),
	}
	served := a.ServedNs >= 0
	if served {
		f.Served, f.Returns, f.Reaches = &a.ServedNs, &a.EndedNs, a.ServedNs
	}
	switch a.Result {
	case step.ClientTimeout, step.ContextDeadline, step.ContextCanceled:
		f.GaveUp, f.Returns, f.Lost = &a.EndedNs, nil, "up"
		if served {
			f.Lost = "down"
		}
	case step.ConnRefused:
		f.Returns = &a.EndedNs
	}
	return f
}

// headline says which node leads at the cursor, or that none does, and why. The order of the cases matters. An
// overlap comes first, because leader election must prevent it. A paused leader is active, so without its own case
// the headline would be "a leads" while no work gets done. "{elapsed}" stays in the title: the page fills it in from
// SinceT, so the figure moves between two replies. The ChangeRef is nil while no node leads.
func headline(look timeline.Look, s *timeline.State) (protocol.Headline, *protocol.ChangeRef) {
	since := s.Checks.SinceNs()
	switch active := s.Checks.Active(); {
	case len(active) > 1:
		ref := changeRef(s, len(s.Tracker.Explanations)-1)
		return protocol.Headline{Kind: "two", Title: severalTitle(s.World, active), Question: "How could that be?",
			SinceT: &since, Addends: addends(overlapParts(s, since, look.Cursor.T), 1)}, &ref
	case len(active) == 0:
		return protocol.Headline{Kind: "nobody", Title: "Nobody leads: {elapsed} so far.", SinceT: &since,
			Addends: []protocol.Addend{}}, nil
	case s.World.Node(active[0]).Paused():
		ref := changeRef(s, len(s.Tracker.Explanations)-1)
		since = roleSince(look, active[0])
		title := s.World.Node(active[0]).Name() + " leads, but is paused and does no work: {elapsed} so far."
		return protocol.Headline{Kind: "leads", Title: title, SinceT: &since, Addends: []protocol.Addend{}}, &ref
	default:
		ref := changeRef(s, len(s.Tracker.Explanations)-1)
		return leaderHeadline(look, s, s.World.Node(active[0]).Name()), &ref
	}
}

// overlapParts returns the parts of the current time with more than one leader, starting at sinceNs, when the current
// set of active leaders began. The violation may have begun earlier, with another set. For example, if a third leader
// joins at 40 s in an overlap that began at 30 s, overlapParts drops the parts before 40 s.
func overlapParts(s *timeline.State, sinceNs, nowNs int64) []explain.Part {
	k := lastOverlap(&s.Checks)
	if k < 0 {
		return nil
	}
	parts := slices.Clone(s.Tracker.SoFar(s.World, k, &s.Checks.Violations[k], nowNs).Parts)
	for i := range parts {
		parts[i].FromNs = max(parts[i].FromNs, min(sinceNs, parts[i].ToNs))
	}
	return slices.DeleteFunc(parts, func(p explain.Part) bool { return p.FromNs == p.ToNs })
}

// severalTitle returns the headline while more than one leader is active. With two leaders the usual cause is a
// pause, so a pause gets its own sentence. It does not say "both work", because a paused leader does no work until it
// resumes.
func severalTitle(w *world.World, active []int32) string {
	if len(active) == 2 {
		for k, i := range active {
			if w.Node(i).Paused() {
				return fmt.Sprintf("%s leads while %s is paused: {elapsed} so far.", w.Node(active[1-k]).Name(),
					w.Node(i).Name())
			}
		}
	}
	names := w.Node(active[0]).Name()
	for k, i := range active[1:] {
		if k == len(active)-2 {
			names += " and " + w.Node(i).Name()
		} else {
			names += ", " + w.Node(i).Name()
		}
	}
	if len(active) == 2 {
		return names + " both lead: {elapsed} so far."
	}
	return names + " all lead at once: {elapsed} so far."
}

// leaderHeadline returns the headline while one leader is active. After a gap, it is about the gap, with parts that
// add up to it. Without a gap, the last change began in an overlap, and the headline says how long two led at once. In
// a run about node health, a wrong verdict about nodes matters more than an overlap. Only a gap between two leaders
// comes first.
func leaderHeadline(look timeline.Look, s *timeline.State, leader string) protocol.Headline {
	e := &s.Tracker.Explanations[len(s.Tracker.Explanations)-1]
	h := protocol.Headline{Kind: "leads", Title: leader + " leads.", Addends: []protocol.Addend{}}
	if title := healthTitle(look, s.World); title != "" && (e.From < 0 || e.FromNs == e.ToNs) {
		h.Title = title
		return h
	}
	if e.FromNs == e.ToNs {
		if k := lastOverlap(&s.Checks); k >= 0 && s.Checks.Violations[k].UntilNs > e.ToNs {
			x := &s.Checks.Violations[k]
			h.Kind, h.Question = "overlap", "How could that be?"
			h.Title = fmt.Sprintf("Two led at once for %s.", words.Seconds(x.UntilNs-x.FromNs))
			h.Addends = addends(s.Tracker.Stories[k].Parts, 3)
		}
		return h
	}
	h.GapFrom, h.GapTo, h.Addends = &e.FromNs, &e.ToNs, addends(e.Parts, 3)
	if e.From < 0 {
		h.Question = "How did it begin?"
		return h
	}
	h.Kind, h.Title, h.Question = "gap", fmt.Sprintf("Nobody led for %s.", words.Seconds(e.ToNs-e.FromNs)),
		"Why so long?"
	if e.ToNs-e.FromNs < 1_000_000_000 {
		h.Question = "Why?"
	}
	return h
}

// `addends` returns the parts of a length. Their rounded figures add up to the rounded length. Three parts of 1.34 s
// make 4.02 s. With one decimal they would read 1.3 + 1.3 + 1.3 next to a total of 4.0, so one of them becomes 1.4. A
// reader does not trust numbers that do not add up.
func addends(parts []explain.Part, decimals int) []protocol.Addend {
	perSecond := int64(1)
	for range decimals {
		perSecond *= 10
	}
	lengths := elements.Of(parts, func(p explain.Part) int64 { return p.ToNs - p.FromNs })
	shown := explain.LargestRemainder(lengths, 1e9/perSecond)
	all := make([]protocol.Addend, len(parts))
	for i, p := range parts {
		all[i] = protocol.Addend{
			Ns: lengths[i], Shown: fmt.Sprintf("%d.%0*d", shown[i]/perSecond, decimals, shown[i]%perSecond),
			Text: p.Text, From: p.FromNs, To: p.ToNs, Cursor: timeline.CursorOf(p.Event), Counting: p.Counting,
		}
	}
	return all
}

// changeRef refers to a leader change of a run by its index. From is "" for the first leader.
func changeRef(s *timeline.State, k int) protocol.ChangeRef {
	c := s.Checks.Changes[k]
	ref := protocol.ChangeRef{Index: k, At: c.AtNs, To: s.World.Node(c.To).Name(), LeaderlessNs: c.LeaderlessNs}
	if c.From >= 0 {
		ref.From = s.World.Node(c.From).Name()
	}
	return ref
}

// marginNs returns the safety margin of the node whose settings the panel shows.
func marginNs(w *world.World) int64 {
	i := measuredNode(w)
	if i < 0 {
		return 0
	}
	c, _ := w.Node(i).Settings()
	return check.MarginNs(&c)
}

// `knobs` returns the current settings of the node that the margin is about. Before the first start, it returns the
// scenario's settings. A rolling update or a live act may have changed the settings since the run began. The panel
// must show what is in effect: "leaseDuration 15s" beside a node that runs with 30 s would be misleading.
func knobs(r *timeline.Run, w *world.World) []protocol.KnobValue {
	all := make([]protocol.KnobValue, 0, len(protocol.Knobs))
	var force, own map[string]string
	i := measuredNode(w)
	if i >= 0 && w.Node(i).Alive() {
		running, next := w.Node(i).Settings()
		force = knobTexts(running.ReleaseOnCancel, running.LeaseDuration, running.RenewDeadline, running.RetryPeriod,
			time.Duration(running.RequestTimeoutNs), time.Duration(next.RequestNs), time.Duration(next.ResponseNs))
	}
	if c := candidate(r.Scenario(), w.Node(i).Name()); c != nil {
		e, n := &c.Elector, &c.Network
		own = knobTexts(*e.ReleaseOnCancel, *e.LeaseDuration, *e.RenewDeadline, *e.RetryPeriod, *e.RequestTimeout,
			*n.RequestLatency, *n.ResponseLatency)
	}
	for _, k := range protocol.Knobs {
		value := r.Setting(k.Path)
		// The scenario's knob does not apply to a candidate with its own settings, but it does apply to a changed
		// setting.
		if now, known := force[k.Path]; known && own[k.Path] != now {
			value = now
		}
		all = append(all, protocol.KnobValue{Path: k.Path, Value: value})
	}
	return all
}

// candidate returns the scenario's settings for one candidate, or nil if it has no candidate with that name. Replicas
// have generated names: name "web" with 3 replicas makes web-0, web-1 and web-2. A candidate that the scenario itself
// names "web-0" has Replicas 0, and the whole name must match.
func candidate(s *scenario.Scenario, name string) *scenario.ResolvedCandidate {
	for _, c := range s.Candidates {
		if c.Replicas != 0 {
			suffix, _ := strings.CutPrefix(name, c.Name+"-")
			if k, err := strconv.Atoi(suffix); err != nil || k < 0 || k >= c.Replicas {
				continue
			}
			c.Replicas, c.Name = 0, name // replicas are alike
		}
		if c.Name == name {
			return &scenario.ResolveCandidate(*s, c)[0]
		}
	}
	return nil
}

// lengthKnobs lists the knobs whose value is a length, in the order of knobTexts' arguments.
var lengthKnobs = [...]string{
	"elector.leaseDuration", "elector.renewDeadline", "elector.retryPeriod", "elector.requestTimeout",
	"network.requestLatency", "network.responseLatency",
}

// knobTexts returns one candidate's settings as texts, by the path of the knob.
func knobTexts[D time.Duration | scenario.Duration](release bool, lengths ...D) map[string]string {
	all := map[string]string{"elector.releaseOnCancel": fmt.Sprint(release)}
	for i, path := range lengthKnobs {
		all[path] = scenario.Duration(lengths[i]).String()
	}
	return all
}

// measuredNode returns the index of the node whose settings the panel shows: the Lease's holder, or else the first
// node. It returns -1 in a run without nodes.
func measuredNode(w *world.World) int32 {
	if i, _, exists := w.Holder(); exists && i >= 0 {
		return i
	}
	return int32(min(0, w.Nodes()-1))
}

// ExplainChange returns the full chain of a leader change up to the live cursor. The page draws LookedAt and Counts
// above the sentences. They show when each candidate saw the last renewal, and when its countdown ended. Surprise
// compares the gap with usual gaps, but only if the comparison is fair; see usualCrash. For a change that the session
// has not shown yet, ExplainChange returns the same error as for one that does not exist.
func ExplainChange(look timeline.Look, change int) (*protocol.Why, error) {
	r := look.Run
	explanations := r.Frontier().Tracker.Explanations
	if change < 0 || change >= len(explanations) || look.Live.Before(timeline.CursorOf(explanations[change].LeadsAt)) {
		return nil, fmt.Errorf("the run has no leader change number %d so far", change)
	}
	e := &explanations[change]
	y := &protocol.Why{Change: changeRef(r.Frontier(), change), Addends: addends(e.Parts, 3),
		Story: []protocol.WhyLine{}, Counts: []protocol.Count{}, LookedAt: e.AskedNs}
	for _, c := range e.Counts {
		y.Counts = append(y.Counts, protocol.Count{Node: r.Frontier().World.Node(c.Candidate).Name(),
			Index: int(c.Candidate), Seen: c.SeenNs, Until: c.UntilNs})
	}
	y.Title = fmt.Sprintf("Nobody led for %s.", words.Seconds(e.ToNs-e.FromNs))
	if e.FromNs == e.ToNs {
		y.Title = "Another leader was still active, so the cluster was never without one."
	}
	for _, line := range e.Story {
		y.Story = append(y.Story, protocol.WhyLine{Text: line.Text, Cursor: timeline.CursorOf(line.Event)})
	}
	if usualCrash(r, e) {
		y.Surprise = fmt.Sprintf(
			"The lease is 15 s, yet it took %s here. In 600 runs of the real library, each of which cut the leader "+
				"off from the API server at 60 s, it took 13.8 to 20.4 s.",
			words.Seconds(e.ToNs-e.FromNs))
	}
	return y, nil
}

// usualCrash reports whether a change is comparable to the 600 measured runs: a crash and nothing else, with
// client-go's defaults. The comparison would be misleading for a handover, a slow API server or other durations.
// The last condition excludes a gap that is too short for a crash with these durations.
func usualCrash(r *timeline.Run, e *explain.Explanation) bool {
	if !e.Crashed || e.From < 0 || e.Failed > 0 || e.CountedNs != int64(scenario.DefaultLeaseDuration) {
		return false
	}
	for _, i := range []int32{e.From, e.To} {
		c, _ := r.Frontier().World.Node(i).Settings()
		if c.LeaseDuration != scenario.DefaultLeaseDuration || c.RetryPeriod != scenario.DefaultRetryPeriod {
			return false
		}
	}
	for _, f := range r.Index().Faults {
		if f.AtNs < e.FromNs && f.Node == e.From {
			return false // a pause or cut came earlier
		}
	}
	return e.ToNs-e.FromNs > int64(
		scenario.DefaultLeaseDuration-scenario.DefaultRetryPeriod-scenario.DefaultRetryPeriod)
}
