package lab

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	viewNodes = 100 // nodes described one by one
	actNodes  = 30  // nodes whose possible acts are listed
)

// View is everything the page needs to draw the cursor's instant.
func (l *Lab) View() *View {
	s := l.stateHere()
	w := s.world
	r := l.run()
	sp := l.spec()
	v := &View{
		Run: r.id, Scenario: sp.begun.Name, Title: l.branches[0].view.Name, Seed: sp.begun.Seed, Hash: w.Hash().String(),
		Cursor: l.cursor, Edge: l.edge, End: l.endNs(), Playing: l.playing, Speed: l.speed, StorySpeed: l.speed,
		Nodes: []NodeView{}, NodesTotal: w.Nodes(), Flights: l.flights(s), Branches: []BranchView{}, Branch: l.current,
		Knobs: l.knobs(s), MarginNs: l.marginNs(w), Toast: l.toast, Acts: []ActState{}, Breakpoints: l.breaks,
	}
	l.toast = ""
	if w.Now() == l.cursor.T {
		v.InInstant = int(s.inStep)
	}
	v.NextT = min(w.NextAt(), l.edge.T)
	if l.speed == 0 {
		ppm, _ := l.factor(l.cursor.T)
		v.StorySpeed = float64(ppm) / 1e6
	}
	decision, by := lastDecision(w)
	for i := range int32(min(w.Nodes(), viewNodes)) {
		n := l.node(s, i)
		n.Candidate, n.Server = candidateView(w, i, decision, by), serverView(w, i)
		v.Nodes = append(v.Nodes, n)
		if i < actNodes {
			v.Acts = append(v.Acts, l.actStates(w, i)...)
		}
	}
	v.Lease = l.lease(s)
	v.Headline, v.Change = l.headline(s)
	v.Totals.LeaderlessNs, v.Totals.DoubleNs = s.checks.Totals(l.cursor.T)
	v.Totals.Leaders = len(s.checks.Changes)
	for _, x := range s.checks.Violations {
		if x.Severity != rules.Observation {
			v.Totals.Violations++
		} else {
			v.Totals.Observations++
		}
	}
	v.Totals.Requests = int(w.Counts().Requests)
	for k, b := range l.branches {
		view := b.view
		view.Edge = b.edge.T
		if k == l.current {
			view.Edge = l.edge.T
		}
		v.Branches = append(v.Branches, view)
	}
	if n := len(l.undo); n > 0 {
		v.Undo = l.undo[n-1].label
	}
	if n := len(l.redo); n > 0 {
		v.Redo = l.redo[n-1].label
	}
	return v
}

func (l *Lab) actStates(w *world.World, i int32) []ActState {
	var all []ActState
	for _, a := range Acts {
		if a.Act != scenario.ActAdd {
			all = append(all, ActState{Node: w.Name(i), Act: a.Act, Refusal: l.refusal(w, a.Act, w.Name(i))})
		}
	}
	return all
}

func (l *Lab) node(s *state, i int32) NodeView {
	w := s.world
	role := laneRole(w, i)
	n := NodeView{
		Name: w.Name(i), Index: int(i), Identity: w.Setup().Symbols.Text(w.Identity(i)), Role: roleWord(w, i, role), RoleWord: roleWord(w, i, role),
		Since: l.roleSince(i), Paused: w.Paused(i), Cut: cutWord(w, i),
	}
	if n.RoleWord == roleServing {
		n.RoleWord = "API server"
		if !w.HasElector(i) {
			n.RoleWord = roleOfBeating(w, i)
		}
	}
	if w.Removed(i) {
		n.RoleWord = "left"
	}
	var wall int64
	n.ClockOffsetNs, n.ClockRatePpm, wall = w.Clock(i)
	if behind := l.cursor.T - w.Now(); behind > 0 { // the cursor may lie between two events
		wall += behind * n.ClockRatePpm / 1_000_000
	}
	if n.ClockOffsetNs != 0 || n.ClockRatePpm != 1_000_000 {
		n.Wall = wallText(wall) // shown only when it is not the world's
	}
	if zero, leading, ok := w.Countdown(i); ok {
		kind := "mayTake"
		if leading {
			kind = "mustStop"
		}
		n.Countdown = &Countdown{Kind: kind, ZeroAt: zero, FromNs: w.FullCountdownNs(i, leading)}
	}
	n.Believes, n.BelievesHolder = believes(w, i)
	if !w.HasElector(i) {
		n.Believes = l.health(w, i)
	}
	return n
}

func cutWord(w *world.World, i int32) string {
	up, down := w.CutOff(i)
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

// wallText is a node's own clock, with the day when it is another one.
func wallText(ns int64) string {
	t := time.Unix(0, world.EpochUnixNs+ns).UTC()
	if ns < 0 || ns >= 24*3600*1e9 {
		return t.Format("2006-01-02 15:04:05.000")
	}
	return t.Format("15:04:05.000")
}

func believes(w *world.World, i int32) (text, holder string) {
	record, _, seen := w.Observed(i)
	if w.IsServer(i) && w.Alive(i) {
		switch {
		case roleWord(w, i, laneRole(w, i)) == roleController:
			return "I run the controller", ""
		case seen && record.HolderIdentity != 0:
			return w.DisplayName(record.HolderIdentity) + " runs the controller", ""
		}
		return "nobody runs the controller", ""
	}
	switch {
	case !w.Alive(i):
		return "nothing: no process", ""
	case !seen:
		return "knows nothing yet", ""
	case record.HolderIdentity == 0:
		return "nobody leads", ""
	case record.HolderIdentity == w.Identity(i) && w.Active(i):
		return "I lead", w.Name(i)
	case record.HolderIdentity == w.Identity(i):
		return "the Lease is mine", w.Name(i)
	}
	holder = w.DisplayName(record.HolderIdentity)
	return holder + " leads", holder
}

func (l *Lab) roleSince(i int32) int64 {
	roles := l.run().index.roles
	k := sort.Search(len(roles), func(k int) bool { return roles[k].atNs > l.cursor.T })
	for k--; k >= 0; k-- {
		if roles[k].lane == i {
			return roles[k].atNs
		}
	}
	return 0
}

func (l *Lab) lease(s *state) LeaseView {
	holder, o, exists := s.world.Holder()
	setup := s.world.Setup()
	v := LeaseView{Name: setup.LeaseNames[0], Namespace: setup.Namespace, Exists: exists, HolderIndex: int(holder)}
	v.Version = versionsOf(s.world, 0, s.world.Store().History().Len())
	if exists {
		v.Holder = s.world.DisplayName(o.Spec.HolderIdentity)
		v.ResourceVersion = fmt.Sprint(o.ResourceVersion)
	}
	v.Versions = l.versions()
	if number, mapped := s.world.ConfigMap(); mapped {
		v.Others = versionsOf(s.world, number, s.world.Store().History().Len()) > 0
	}
	return v
}

// versions is how many versions of the Lease there are up to the edge.
func (l *Lab) versions() int {
	w := l.run().frontier.world
	return versionsOf(w, 0, w.Store().History().IndexAt(l.edge.T)+1)
}

func (l *Lab) flights(s *state) []FlightView {
	all := []FlightView{}
	if s.world.Nodes() > flightNodes {
		return all
	}
	for _, f := range s.world.Flights() {
		v := FlightView{Node: int(f.Candidate), Seq: int(f.Seq), Verb: f.Verb.String(), Sent: f.SentNs, Reaches: f.ReachesNs}
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
		v.Hangs = f.Hangs
		if !f.Waited {
			gone := l.cursor.T
			v.GaveUp = &gone
		}
		if f.ServedNs >= 0 && !f.LostDown {
			v.Outcome = explain.OutcomeWord(f.Result)
		}
		all = append(all, v)
	}
	for _, f := range s.recent {
		if *f.Ended > l.cursor.T-lingerNs {
			all = append(all, f)
		}
	}
	return all
}

// headline is WHY: always true of the cursor.
func (l *Lab) headline(s *state) (Headline, *ChangeRef) {
	w := s.world
	h := Headline{Addends: []Addend{}}
	active := s.checks.Active()
	names := func() string {
		text := ""
		for k, i := range active {
			if k > 0 {
				text += map[bool]string{true: " and ", false: ", "}[k == len(active)-1]
			}
			text += w.Name(i)
		}
		return text
	}
	since := s.checks.SinceNs()
	n := len(s.tracker.Explanations)
	switch {
	case len(active) > 1:
		h.Kind, h.SinceT = "two", &since
		h.Title = fmt.Sprintf("%s all work at once: {elapsed} so far.", names())
		if len(active) == 2 {
			h.Title = fmt.Sprintf("%s both work: {elapsed} so far.", names())
		}
		for k, i := range active {
			if len(active) == 2 && w.Paused(i) {
				h.Title = fmt.Sprintf("%s leads while %s stands still: {elapsed} so far.", w.Name(active[1-k]), w.Name(i))
			}
		}
		h.Question = "How could that be?"
		ref := l.change(s, n-1)
		return h, &ref
	case len(active) == 0:
		h.Kind, h.SinceT = "nobody", &since
		h.Title = "Nobody leads: {elapsed} so far."
		return h, nil
	}
	e := &s.tracker.Explanations[n-1]
	ref := l.change(s, n-1)
	if title := l.healthTitle(w); title != "" && (e.From < 0 || e.FromNs == e.ToNs) {
		h.Kind, h.Title = "leads", title
		return h, &ref
	}
	if e.FromNs == e.ToNs {
		h.Kind, h.Title = "leads", w.Name(active[0])+" leads."
		if x := overlapUntil(&s.checks); x != nil && x.UntilNs > e.ToNs {
			h.Question = "How could that be?"
			h.Title = fmt.Sprintf("%s leads. Two led at once for %s.", w.Name(active[0]), explain.Seconds(x.UntilNs-x.FromNs))
		}
		return h, &ref
	}
	h.GapFrom, h.GapTo = &e.FromNs, &e.ToNs
	h.Addends = addends(e)
	h.Kind, h.Title = "gap", fmt.Sprintf("Nobody led for %s.", explain.Seconds(e.ToNs-e.FromNs))
	h.Question = "Why so long?"
	if e.ToNs-e.FromNs < 1_000_000_000 {
		h.Question = "Why?"
	}
	if e.From < 0 {
		h.Kind, h.Title, h.Question = "leads", w.Name(active[0])+" leads.", "How did it begin?"
	}
	return h, &ref
}

// addends are an explanation's parts, shown so that they add up.
func addends(e *explain.Explanation) []Addend {
	lengths := make([]int64, len(e.Parts))
	for i, p := range e.Parts {
		lengths[i] = p.ToNs - p.FromNs
	}
	shown := explain.LargestRemainder(lengths)
	all := make([]Addend, len(e.Parts))
	for i, p := range e.Parts {
		all[i] = Addend{
			Ns: lengths[i], Shown: fmt.Sprintf("%d.%03d", shown[i]/1000, shown[i]%1000), Text: p.Text, From: p.FromNs, To: p.ToNs, Cursor: cursorOf(p.Event),
		}
	}
	return all
}

func (l *Lab) change(s *state, k int) ChangeRef {
	c := s.checks.Changes[k]
	ref := ChangeRef{Index: k, At: c.AtNs, To: s.world.Name(c.To), LeaderlessNs: c.LeaderlessNs}
	if c.From >= 0 {
		ref.From = s.world.Name(c.From)
	}
	return ref
}

// marginNs is leaseDuration − renewDeadline − retryPeriod − the way back of an answer: what keeps a cut-off leader and
// its successor apart.
func (l *Lab) marginNs(w *world.World) int64 {
	i := l.measured(w)
	if i < 0 {
		return 0
	}
	c, _ := w.Settings(i)
	whole := int64(c.LeaseDuration / time.Second * time.Second)
	return whole - int64(c.RenewDeadline) - int64(c.RetryPeriod) - c.ResponseNs
}

// knobs are the settings in force at the node that the margin is about, and the scenario's before anybody has started.
func (l *Lab) knobs(s *state) []KnobValue {
	all := make([]KnobValue, 0, len(Knobs))
	var force map[string]string
	if i := l.measured(s.world); i >= 0 && s.world.Alive(i) {
		running, next := s.world.Settings(i)
		force = knobTexts(running.LeaseDuration, running.RenewDeadline, running.RetryPeriod, time.Duration(running.RequestTimeoutNs), time.Duration(next.RequestNs), time.Duration(next.ResponseNs), running.ReleaseOnCancel)
	}
	whole := l.spec().knobSettings()
	var own map[string]string
	if c := l.spec().candidate(s.world.Name(l.measured(s.world))); c != nil {
		d := func(d *scenario.Duration) time.Duration { return time.Duration(*d) }
		e, n := &c.Elector, &c.Network
		own = knobTexts(d(e.LeaseDuration), d(e.RenewDeadline), d(e.RetryPeriod), d(e.RequestTimeout), d(n.RequestLatency), d(n.ResponseLatency), *e.ReleaseOnCancel)
	}
	for i, k := range Knobs {
		value := whole[i]
		// A candidate with settings of its own is not what the scenario's knob is about, a changed one is.
		if now, known := force[k.Path]; known && own[k.Path] != now {
			value = now
		}
		all = append(all, KnobValue{Path: k.Path, Value: value})
	}
	return all
}

// knobSettings are what the scenario sets each of Knobs to. To ask it copies it, so that it is asked once.
func (s *spec) knobSettings() []string {
	if s.knobs == nil {
		for i := range Knobs {
			s.knobs = append(s.knobs, scenario.Get(s.begun, Knobs[i].Path))
		}
	}
	return s.knobs
}

// candidate is what the scenario sets for one candidate, nil if it does not know it.
func (s *spec) candidate(name string) *scenario.ResolvedCandidate {
	for _, c := range s.begun.Candidates {
		if c.Replicas != 0 {
			suffix, _ := strings.CutPrefix(name, c.Name+"-")
			if k, err := strconv.Atoi(suffix); err != nil || k < 0 || k >= c.Replicas {
				continue
			}
			c.Replicas, c.Name = 0, name // they are alike
		}
		if c.Name == name {
			return &scenario.ResolveCandidate(s.begun, c)[0]
		}
	}
	return nil
}

// knobTexts are the settings of one candidate as Knobs show them, by path.
func knobTexts(leaseDuration, renewDeadline, retryPeriod, requestTimeout, request, response time.Duration, release bool) map[string]string {
	text := func(d time.Duration) string { return scenario.Duration(d).String() }
	return map[string]string{
		"elector.leaseDuration": text(leaseDuration), "elector.renewDeadline": text(renewDeadline), "elector.retryPeriod": text(retryPeriod),
		"elector.requestTimeout": text(requestTimeout), "elector.releaseOnCancel": fmt.Sprint(release),
		"network.requestLatency": text(request), "network.responseLatency": text(response),
	}
}

// measured is the node whose settings the panel shows: the holder of the Lease, else the first one.
func (l *Lab) measured(w *world.World) int32 {
	if i, _, exists := w.Holder(); exists && i >= 0 {
		return i
	}
	return int32(min(0, w.Nodes()-1))
}

// Why is the full chain of a leader change up to the edge.
func (l *Lab) Why(change int) (*Why, error) {
	r := l.run()
	explanations := r.frontier.tracker.Explanations
	if change < 0 || change >= len(explanations) || earlier(l.edge, cursorOf(explanations[change].LeadsAt)) {
		return nil, fmt.Errorf("there is no leader change number %d so far", change)
	}
	e := &explanations[change]
	y := &Why{Change: l.change(r.frontier, change), Addends: addends(e), Story: []WhyLine{}, Counts: []Count{}, LookedAt: e.AskedNs}
	before := e.From
	if before < 0 {
		before = e.To
	}
	ran, _ := r.frontier.world.Settings(before)
	y.Rules = WhyRules{LeaseNs: int64(ran.LeaseDuration), RenewDeadlineNs: int64(ran.RenewDeadline), RetryPeriodNs: int64(ran.RetryPeriod)}
	for _, c := range e.Counts {
		y.Counts = append(y.Counts, Count{Node: r.frontier.world.Name(c.Candidate), Index: int(c.Candidate), Seen: c.SeenNs, Until: c.UntilNs})
	}
	y.Title = fmt.Sprintf("Nobody led for %s.", explain.Seconds(e.ToNs-e.FromNs))
	if e.FromNs == e.ToNs {
		y.Title = "Somebody else was still working: there was no gap."
	}
	for _, line := range e.Story {
		y.Story = append(y.Story, WhyLine{Text: line.Text, Cursor: cursorOf(line.Event)})
	}
	if l.usualCrash(r, e) {
		y.Surprise = fmt.Sprintf("The lease is 15 s, yet it took %s here, and 13.8 to 20.4 s over 600 runs of the real library (leader cut off at 60 s).",
			explain.Seconds(e.ToNs-e.FromNs))
	}
	return y, nil
}

// usualCrash reports whether a change is of the kind the 600 runs were: a crash and nothing else, with client-go's
// defaults in force.
func (l *Lab) usualCrash(r *run, e *explain.Explanation) bool {
	if !e.Crashed || e.From < 0 || e.Vain > 0 || e.CountedNs != int64(scenario.DefaultLeaseDuration) {
		return false
	}
	for _, i := range []int32{e.From, e.To} {
		c, _ := r.frontier.world.Settings(i)
		if c.LeaseDuration != scenario.DefaultLeaseDuration || c.RetryPeriod != scenario.DefaultRetryPeriod {
			return false
		}
	}
	for _, f := range r.index.faults {
		if f.atNs < e.FromNs && f.node == e.From {
			return false // it was paused or cut off before
		}
	}
	return e.ToNs-e.FromNs > int64(scenario.DefaultLeaseDuration-scenario.DefaultRetryPeriod-scenario.DefaultRetryPeriod)
}
