package timeline

import (
	"math"
	"slices"
	"sort"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	segmentRequests = 1000   // number of requests between two checkpoints, before thinning
	loadedRequests  = 24_000 // number of requests whose events stay in memory
	leastLoaded     = 6      // minimum number of loaded segments, however long they are
)

// Run is one branch of a session, computed at least as far as the page has shown it.
type Run struct {
	id       int
	setup    *world.Setup
	scenario scenario.Scenario // without the live acts
	live     []world.Control   // compiled live acts, sorted by time
	outside  Outside           // nil for a simulation
	frontier *State
	index    Index
	segments []*segment
	clock    int64 // counter of uses of segments
	spacing  int64 // current number of requests between checkpoints
	limit    int64 // limit on the bytes of all checkpoints; above it the run drops every second one
	root     int   // id of the run with which this one shares its history
	shared   int64
	shorts   int               // number of short segments
	here     *State            // the state that Here returned last
	settings map[string]string // cached results of Setting, by path
	matches  matches
}

// segment is the stretch of a run between two checkpoints. The run recomputes its events when it needs them.
type segment struct {
	start    *State // the state at the start of the segment
	fromNs   int64  // first instant that may have events here
	rowsFrom int    // index of the segment's first row in the full list
	logAt    mark   // the index at the segment's start
	short    bool   // the segment is part of a divided segment; its logAt is unknown
	loaded   bool
	used     int64
	rows     []EventRow
	ticks    []LaneTick
	ramps    []LaneRamp
	writes   []Write
	rampOf   []int32 // for each lane: index of its newest entry in ramps, or -1
}

// LaneTick is a request of a lane.
type LaneTick struct {
	Lane int32
	Tick Tick
}

// LaneRamp is a countdown of a lane.
type LaneRamp struct {
	Lane  int32
	Point RampPoint
}

// New returns the run of a scenario, computed up to its first instant. During long computations it calls the function
// alive from time to time; that function may be nil.
func New(id int, s scenario.Scenario, alive func()) *Run {
	return (&Run{id: id, scenario: s, setup: compile.Scenario(s)}).begin(alive)
}

// FromRecord is New for a recorded run. s holds its acts as a scenario.
func FromRecord(id int, s scenario.Scenario, outside Outside, alive func()) *Run {
	return (&Run{id: id, scenario: s, setup: outside.Setup(), outside: outside}).begin(alive)
}

// `begin` computes the first instant.
func (r *Run) begin(alive func()) *Run {
	r.root, r.frontier = r.id, newState(r.setup, r.outside, alive)
	r.spacing, r.limit = max(segmentRequests, int64(NodesOf(r.setup))), checkpointBytes
	r.settings = map[string]string{}
	r.index = newIndex(NodesOf(r.setup))
	r.checkpoint(true)
	return r
}

// ID returns the number of the run, unique among the runs of a session.
func (r *Run) ID() int { return r.id }

// Setup returns the setup of the run's world.
func (r *Run) Setup() *world.Setup { return r.setup }

// Scenario returns the run's scenario without the live acts.
func (r *Run) Scenario() *scenario.Scenario { return &r.scenario }

// Frontier returns the state that the run has computed last. The caller must not change it.
func (r *Run) Frontier() *State { return r.frontier }

// Index returns what the run keeps about its whole length. The caller must not change it.
func (r *Run) Index() *Index { return &r.index }

// ComputedNs returns the instant up to which the run has computed.
func (r *Run) ComputedNs() int64 { return r.frontier.World.Now() }

// StartNs returns the instant at which the run begins.
func (r *Run) StartNs() int64 { return r.segments[0].fromNs }

// Outside returns the source of the calls of real programs, or nil for a simulation.
func (r *Run) Outside() Outside {
	if !Records {
		return nil
	}
	return r.outside
}

// EndNs returns the instant at which the run ends.
func (r *Run) EndNs() int64 {
	if outside := r.Outside(); outside != nil {
		return outside.EndNs()
	}
	return r.setup.DurationNs
}

// Fork returns the run with additional live acts, and without the live acts of some sources. All these acts must come
// after atNs. The fork shares the run's checkpoints before atNs, except checkpoints whose worlds already know a
// removed act.
func (r *Run) Fork(id int, atNs int64, more []world.Control, without ...int32) *Run {
	k := sort.Search(len(r.segments), func(i int) bool { return r.segments[i].fromNs > atNs })
	if k > 0 {
		k--
	}
	for k > 0 && (r.segments[k].short || slices.ContainsFunc(without, r.segments[k].start.World.Knows)) {
		k--
	}
	f := &Run{id: id, setup: r.setup, scenario: r.scenario, spacing: r.spacing, limit: r.limit, settings: r.settings}
	for _, c := range r.live {
		if !slices.Contains(without, c.Source) {
			f.live = append(f.live, c)
		}
	}
	f.live = append(f.live, more...)
	from := r.segments[k]
	f.root, f.shared = r.root, from.start.World.Store().History().PackedBytes()
	for i, s := range r.segments[:k] {
		switch {
		case s.short:
		case r.segments[i+1].short:
			f.segments = append(f.segments, s.bare())
		default:
			f.segments = append(f.segments, s)
		}
	}
	f.frontier = f.from(from)
	f.index = r.index.upTo(from.logAt, from.fromNs)
	again := &segment{start: from.start, fromNs: from.fromNs, rowsFrom: from.rowsFrom, logAt: from.logAt}
	again.open(f.frontier)
	f.segments = append(f.segments, again)
	return f
}

// `from` returns the state at a segment's start. It adds the live acts that the state's world does not know yet.
func (r *Run) from(s *segment) *State {
	st := s.start.Clone()
	var news []world.Control // an act with a duration is two controls
	for _, c := range r.live {
		if c.AtNs > st.World.Now() && !st.World.Knows(c.Source) {
			news = append(news, c)
		}
	}
	st.World.Insert(news...)
	return st
}

func (r *Run) checkpoint(keepEvents bool) {
	s := &segment{start: r.frontier.Clone(), fromNs: r.frontier.World.Now(), rowsFrom: r.index.rows,
		logAt: r.index.mark()}
	if keepEvents {
		s.open(r.frontier)
	}
	r.segments = append(r.segments, s)
	if r.isCrowded() {
		r.thin()
	}
}

// `thin` drops every second checkpoint, but never the first or the last.
func (r *Run) thin() {
	r.undivide()
	kept := make([]*segment, 0, len(r.segments)/2+1)
	for i, s := range r.segments {
		if i == len(r.segments)-1 {
			kept = append(kept, s)
		} else if i%2 == 0 {
			kept = append(kept, s.bare())
		}
	}
	r.segments = kept
	r.spacing *= 2
}

// `bare` returns the segment without its events. Another run that shares the segment may end it elsewhere.
func (s *segment) bare() *segment {
	return &segment{start: s.start, fromNs: s.fromNs, rowsFrom: s.rowsFrom, logAt: s.logAt, short: s.short}
}

func (s *segment) unload() {
	s.loaded, s.rows, s.ticks, s.ramps, s.writes, s.rampOf = false, nil, nil, nil, nil, nil
}

// `open` starts to record a segment's events. The current countdown of every lane comes first.
func (s *segment) open(st *State) {
	s.loaded = true
	s.rows, s.ticks, s.ramps, s.writes, s.rampOf = []EventRow{}, nil, nil, nil, nil
	c := recorder{state: st, segment: s}
	for i := range min(st.World.Nodes(), MaxLanes) {
		c.touched = append(c.touched, int32(i))
	}
	c.takeCountdowns()
}

// aheadNs limits how far ahead the run records events while it computes. After a longer jump it recomputes the events
// that the page shows.
const aheadNs = 120_000_000_000

// Compute computes the run up to and including an instant.
func (r *Run) Compute(toNs int64) { r.ComputeShare(toNs, math.MaxInt64/4) }

// ComputeShare is Compute with a budget: it stops when its work costs about as much as that many requests, and reports
// whether it reached toNs. It stops between two instants, and inside an instant only if that instant has used up a
// second budget.
func (r *Run) ComputeShare(toNs int64, budget int64) bool {
	toNs = min(toNs, r.EndNs())
	w := r.frontier.World
	limit := w.Work() + budget
	keep := toNs-w.Now() < aheadNs
	recorder := recorder{state: r.frontier} // one for all steps, because it counts the stored versions only once
	for {
		last := r.last()
		if r.frontier.NextAt() > w.Now() { // stop only between two instants
			if w.Work()-last.start.World.Work() >= r.spacing {
				r.checkpoint(keep)
				r.forget()
				last = r.last()
			}
		}
		if next := r.frontier.NextAt(); w.Work() >= limit && next <= toNs &&
			(next > w.Now() || w.Work() >= limit+budget) {
			return false
		}
		var see func(*trace.Record, explain.Note)
		recorder.segment = last
		if last.loaded {
			see = recorder.see
		}
		if !r.frontier.Step(toNs, see) {
			return true
		}
		if last.loaded {
			recorder.takeCountdowns()
		}
		r.index.step(r.frontier)
	}
}

func (r *Run) last() *segment { return r.segments[len(r.segments)-1] }

// load returns a segment with its events, recomputing them if necessary.
func (r *Run) load(k int) *segment {
	s := r.segments[k]
	r.clock++
	s.used = r.clock
	if s.loaded {
		return s
	}
	st := r.from(s)
	untilNs := r.frontier.World.Now()
	if k+1 < len(r.segments) {
		untilNs = r.segments[k+1].fromNs
	}
	s.open(st)
	recorder := recorder{state: st, segment: s}
	for st.Step(untilNs, recorder.see) {
		recorder.takeCountdowns()
	}
	r.forget()
	return s
}

// forget unloads the least recently used segments. The last one stays because it is still growing.
func (r *Run) forget() {
	loaded, requests := 0, int64(0)
	oldest := -1
	for i, s := range r.segments[:len(r.segments)-1] {
		if !s.loaded {
			continue
		}
		loaded++
		requests += r.segments[i+1].start.World.Counts().Requests - s.start.World.Counts().Requests
		if oldest < 0 || s.used < r.segments[oldest].used {
			oldest = i
		}
	}
	if loaded > leastLoaded && requests > loadedRequests {
		r.segments[oldest].unload()
	}
}

// segmentAt returns the index of the segment that contains an instant.
func (r *Run) segmentAt(ns int64) int {
	k := sort.Search(len(r.segments), func(i int) bool { return r.segments[i].fromNs >= ns })
	return max(k-1, 0)
}

// At returns a new state at a computed cursor.
func (r *Run) At(c Cursor) *State { return r.AtNear(c, nil) }

// After returns a new state at the end of an instant. If the last state of Here is shortly before that instant, After
// starts from it.
func (r *Run) After(ns int64) *State {
	r.Compute(ns)
	c := Cursor{T: ns, N: -1}
	if near := r.here; near != nil && canReach(near, c) {
		return r.AtNear(c, near.Clone())
	}
	return r.At(c)
}

// AtNear is like At, but starts from a state of the run shortly before the cursor. It may advance that state and
// return it.
func (r *Run) AtNear(c Cursor, near *State) *State {
	from := r.segments[r.segmentAt(c.T)]
	if near != nil && near.World.Now() >= from.start.World.Now() && canReach(near, c) {
		near.runTo(c)
		return near
	}
	r.shed()
	s := r.approach(r.segmentAt(c.T), c.T)
	s.runTo(c)
	return s
}

// canReach reports whether a state can advance to a cursor.
func canReach(s *State, c Cursor) bool {
	now := s.World.Now()
	return s.settled <= c.T && (now < c.T || now == c.T && (c.N < 0 || s.inStep <= c.N))
}

// recorder turns the records of a step into rows, ticks and ramps.
type recorder struct {
	state   *State
	segment *segment
	touched []int32

	first, counted, versions int // number of the Lease's versions among the stored versions from first up to counted
}

func (c *recorder) see(r *trace.Record, note explain.Note) {
	if r.Candidate >= 0 {
		c.touched = append(c.touched, r.Candidate)
	}
	if r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent {
		from, served := r.Exchange().SentNs, r.Exchange().ServedNs
		if r.Kind == trace.RequestNotSent {
			from, served = r.At, 0
		}
		c.segment.ticks = append(c.segment.ticks, LaneTick{Lane: r.Candidate, Tick: Tick{
			T: from, End: r.At, Verb: r.Verb.String(), Outcome: explain.OutcomeWord(r.Result), Write: isWrite(r),
			Error: explain.Failure(r.Result), N: note.Place.Ordinal, Call: note.CallNs, Served: max(0, served),
		}})
		tick := &c.segment.ticks[len(c.segment.ticks)-1].Tick
		tick.HeldFrom, tick.HeldTo = c.state.Hold(r.Candidate, r.Seq)
	}
	if h := c.state.heldOf(r.Candidate, r.Seq); r.Kind == trace.RequestServed && h != nil && h.ended {
		// the client of the request had given up
		late := Tick{T: r.Exchange().SentNs, End: r.At, Verb: r.Verb.String(), Outcome: "lost", N: note.Place.Ordinal,
			Served: r.At}
		late.HeldFrom, late.HeldTo = h.fromNs, h.toNs
		c.segment.ticks = append(c.segment.ticks, LaneTick{Lane: r.Candidate, Tick: late})
	}
	if !hasRow(r.Kind) {
		return
	}
	s := explain.Say(c.state.World, r, note)
	row := EventRow{
		T: r.At, N: note.Place.Ordinal, Node: s.Subject, Index: int(r.Candidate), Text: s.Text, Detail: s.Detail,
		Kind: s.Kind, Outcome: s.Outcome,
	}
	if one, ok := writeOf(c.state, r, note.Place.Ordinal); ok {
		if one.Stale {
			row.Text += staleWords(c.state)
		}
		c.segment.writes = append(c.segment.writes, one)
		c.segment.rows = append(c.segment.rows, row)
		return
	}
	if r.Object == elector.ConfigMap {
		c.segment.rows = append(c.segment.rows, row)
		return
	}
	if isWrite(r) || (r.Kind == trace.Written || r.Kind == trace.Coordinated) && r.Outcome.Accepted() {
		if history := c.state.World.Store().History(); r.Candidate < 0 || !c.state.World.Node(r.Candidate).IsServer() {
			row.Version = c.version(history, history.OrdinalOf(r.ResourceVersion)+1)
			if r.Kind == trace.RequestEnded {
				c.segment.ticks[len(c.segment.ticks)-1].Tick.Version = row.Version
			}
		}
	}
	c.segment.rows = append(c.segment.rows, row)
}

// `version` counts the Lease's versions among the first n stored versions that the API server still has.
func (c *recorder) version(history *storage.Log, n int) int {
	if !SeveralObjects(c.state.World) {
		return n
	}
	first := history.First()
	if c.counted == 0 || c.first != first {
		c.first, c.counted, c.versions = first, first, 0
	}
	for ; c.counted < n; c.counted++ {
		c.versions += ofFirst(history.At(c.counted))
	}
	// A request may end after a later request even though its write came first.
	for ; c.counted > max(n, first); c.counted-- {
		c.versions -= ofFirst(history.At(c.counted - 1))
	}
	return c.versions
}

// ofFirst returns 1 for a version of the first Lease, and 0 for a version of another object.
func ofFirst(v *storage.Version) int {
	if v.Lease == 0 {
		return 1
	}
	return 0
}

// takeCountdowns records the countdowns that the step changed.
func (c *recorder) takeCountdowns() {
	now := c.state.World.Now()
	for _, i := range c.touched {
		zero, leading, ok := c.state.World.Node(i).Countdown()
		if !ok {
			zero, leading = now, false
		}
		for int(i) >= len(c.segment.rampOf) {
			c.segment.rampOf = append(c.segment.rampOf, -1)
		}
		if k := c.segment.rampOf[i]; k >= 0 {
			last := &c.segment.ramps[k].Point
			if last.ZeroAt == zero && last.Leading == leading || !ok && last.ZeroAt == last.T {
				continue
			}
		}
		c.segment.rampOf[i] = int32(len(c.segment.ramps))
		c.segment.ramps = append(c.segment.ramps,
			LaneRamp{Lane: i, Point: RampPoint{T: now, ZeroAt: zero, Leading: leading}})
	}
	c.touched = c.touched[:0]
}

// Here returns the state at a cursor and keeps it. The next call advances this state if the new cursor is later.
func (r *Run) Here(c Cursor) *State {
	near := r.here
	if near != nil && !canReach(near, c) {
		near = nil
	}
	r.Compute(c.T)
	r.here = r.AtNear(c, near)
	return r.here
}

// Setting returns the scenario's common value of a field, in the form of scenario.Get.
func (r *Run) Setting(path string) string {
	value, known := r.settings[path]
	if !known {
		value = scenario.Get(r.scenario, path)
		r.settings[path] = value
	}
	return value
}

// SeveralObjects reports whether the store holds more than the Lease: the controllers' Leases if it has API servers,
// or the ConfigMap of some locks.
func SeveralObjects(w *world.World) bool {
	_, mapped := w.ConfigMap()
	return mapped || len(w.Setup().Servers) > 0
}
