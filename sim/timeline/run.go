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
	segmentRequests = 1000   // requests between two checkpoints, before thinning
	loadedRequests  = 24_000 // requests whose events are kept in memory
	leastLoaded     = 6      // and segments, however long they are
)

// Run is one branch of a session, computed a little further than it has been shown.
type Run struct {
	id       int
	setup    *world.Setup
	scenario scenario.Scenario // the base, without the live acts
	live     []world.Control   // the live acts, compiled, by time
	frontier *State
	index    Index
	segments []*segment
	clock    int64 // counts uses of segments
	spacing  int64 // requests between checkpoints now
	limit    int64 // bytes of all checkpoints; beyond it every second one is dropped
	root     int   // the run whose history it begins with, with so many bytes of it
	shared   int64
	shorts   int               // how many segments are short
	here     *State            // the state that Here returned last
	settings map[string]string // what the scenario sets for all, by path, as far as it has been asked for
	matches  matches
}

// segment is the run between two checkpoints. Its events are made again when they are needed.
type segment struct {
	start    *State // as it was when the segment began
	fromNs   int64  // the first instant that may have events here
	rowsFrom int    // rows of the usual list before it
	logAt    mark   // where the index stood
	short    bool   // between two checkpoints; its logAt is not known
	loaded   bool
	used     int64
	rows     []EventRow
	ticks    []LaneTick
	ramps    []LaneRamp
	rampOf   []int32 // by lane: its newest entry in ramps, -1
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

// New returns the run of a scenario, computed up to its first instant. It calls alive now and then while it computes; nil: not.
func New(id int, s scenario.Scenario, alive func()) *Run {
	setup := compile.Scenario(s)
	r := &Run{id: id, root: id, setup: setup, scenario: s, frontier: newState(setup, alive), spacing: max(segmentRequests, int64(NodesOf(setup))), limit: checkpointBytes, settings: map[string]string{}}
	r.index = newIndex(NodesOf(setup))
	r.checkpoint(true)
	return r
}

// ID numbers the run: two runs of a session that differ have different numbers.
func (r *Run) ID() int { return r.id }

// Setup is what the run's world was built from.
func (r *Run) Setup() *world.Setup { return r.setup }

// Scenario is what the run is computed from, without the live acts.
func (r *Run) Scenario() *scenario.Scenario { return &r.scenario }

// Frontier is the state as far as the run is computed. It must not be changed.
func (r *Run) Frontier() *State { return r.frontier }

// Index is what is kept of the whole run. It must not be changed.
func (r *Run) Index() *Index { return &r.index }

// Computed is the instant up to which the run is computed.
func (r *Run) Computed() int64 { return r.frontier.World.Now() }

// StartNs is the instant at which the run begins.
func (r *Run) StartNs() int64 { return r.segments[0].fromNs }

// EndNs is the instant at which the run ends.
func (r *Run) EndNs() int64 { return r.setup.DurationNs }

// Fork returns the run with more live acts, and without those of some sources; all of these lie after atNs. The two runs share
// the checkpoints before atNs whose worlds do not know the acts left out.
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
	f.root, f.shared = r.root, from.start.World.Store().History().Packed()
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
	f.index = r.index.cut(from.logAt, from.fromNs)
	again := &segment{start: from.start, fromNs: from.fromNs, rowsFrom: from.rowsFrom, logAt: from.logAt}
	again.open(f.frontier)
	f.segments = append(f.segments, again)
	return f
}

// from returns the state at a segment's start, with the live acts that its world does not know yet.
func (r *Run) from(s *segment) *State {
	st := s.start.Clone()
	var news []world.Control // an act that lasts for a time is two of them
	for _, c := range r.live {
		if c.AtNs > st.World.Now() && !st.World.Knows(c.Source) {
			news = append(news, c)
		}
	}
	st.World.Insert(news...)
	return st
}

func (r *Run) checkpoint(keepEvents bool) {
	s := &segment{start: r.frontier.Clone(), fromNs: r.frontier.World.Now(), rowsFrom: r.index.rows, logAt: r.index.mark()}
	if keepEvents {
		s.open(r.frontier)
	}
	r.segments = append(r.segments, s)
	if r.crowded() {
		r.thin()
	}
}

// thin drops every second checkpoint, never the first or the last.
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

// bare is the segment without its events: another run that shares the segment may end it elsewhere.
func (s *segment) bare() *segment {
	return &segment{start: s.start, fromNs: s.fromNs, rowsFrom: s.rowsFrom, logAt: s.logAt, short: s.short}
}

func (s *segment) unload() {
	s.loaded, s.rows, s.ticks, s.ramps, s.rampOf = false, nil, nil, nil, nil
}

// open starts a segment's events: with the countdown of every lane as it stands.
func (s *segment) open(st *State) {
	s.loaded = true
	s.rows, s.ticks, s.ramps, s.rampOf = []EventRow{}, nil, nil, nil
	c := recorder{state: st, segment: s}
	for i := range min(st.World.Nodes(), MaxLanes) {
		c.touched = append(c.touched, int32(i))
	}
	c.after()
}

// aheadNs is how far a run is computed in one go with its events. After a longer jump the events on the way are made again
// where they are shown.
const aheadNs = 120_000_000_000

// Compute computes the run up to and with an instant.
func (r *Run) Compute(toNs int64) { r.ComputeShare(toNs, math.MaxInt64/4) }

// ComputeShare is Compute with a budget: it stops after the work of about so many requests, and reports whether it got there.
// It stops between two instants, or within an instant that has cost a second budget.
func (r *Run) ComputeShare(toNs int64, budget int64) bool {
	toNs = min(toNs, r.EndNs())
	w := r.frontier.World
	limit := w.Work() + budget
	keep := toNs-w.Now() < aheadNs
	for {
		last := r.last()
		if w.NextAt() > w.Now() { // only between two instants
			if w.Work()-last.start.World.Work() >= r.spacing {
				r.checkpoint(keep)
				r.forget()
				last = r.last()
			}
		}
		if w.Work() >= limit && w.NextAt() <= toNs && (w.NextAt() > w.Now() || w.Work() >= limit+budget) {
			return false
		}
		var see func(*trace.Record, explain.Note)
		recorder := recorder{state: r.frontier, segment: last}
		if last.loaded {
			see = recorder.see
		}
		if !r.frontier.Step(toNs, see) {
			return true
		}
		if last.loaded {
			recorder.after()
		}
		r.index.step(r.frontier)
	}
}

func (r *Run) last() *segment { return r.segments[len(r.segments)-1] }

// load returns a segment with its events, and makes them again if need be.
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
		recorder.after()
	}
	r.forget()
	return s
}

// forget unloads the segments used longest ago; the last one is still growing and stays.
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

// segmentAt is the segment that holds an instant.
func (r *Run) segmentAt(ns int64) int {
	k := sort.Search(len(r.segments), func(i int) bool { return r.segments[i].fromNs >= ns })
	return max(k-1, 0)
}

// At returns a state of its own at a cursor that has been computed.
func (r *Run) At(c Cursor) *State { return r.AtNear(c, nil) }

// After returns a state of its own when everything at an instant has happened, made from the state that Here returned last if
// that is shortly before.
func (r *Run) After(ns int64) *State {
	r.Compute(ns)
	c := Cursor{T: ns, N: -1}
	if near := r.here; near != nil && before(near, c) {
		return r.AtNear(c, near.Clone())
	}
	return r.At(c)
}

// AtNear is At from a state of the run that lies shortly before the cursor. It may move that state and return it.
func (r *Run) AtNear(c Cursor, near *State) *State {
	from := r.segments[r.segmentAt(c.T)]
	if near != nil && near.World.Now() >= from.start.World.Now() && before(near, c) {
		near.runTo(c)
		return near
	}
	r.shed()
	s := r.approach(r.segmentAt(c.T), c.T)
	s.runTo(c)
	return s
}

// before reports whether a state can go on to a cursor.
func before(s *State, c Cursor) bool {
	now := s.World.Now()
	return s.settled <= c.T && (now < c.T || now == c.T && (c.N < 0 || s.inStep <= c.N))
}

// recorder turns the records of a step into rows, ticks and ramps.
type recorder struct {
	state   *State
	segment *segment
	touched []int32

	counted, versions int // of the Lease, among so many versions stored
}

func (c *recorder) see(r *trace.Record, note explain.Note) {
	if r.Candidate >= 0 {
		c.touched = append(c.touched, r.Candidate)
	}
	if r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent {
		from := r.Exchange().SentNs
		if r.Kind == trace.RequestNotSent {
			from = r.At
		}
		c.segment.ticks = append(c.segment.ticks, LaneTick{Lane: r.Candidate, Tick: Tick{
			T: from, End: r.At, Verb: r.Verb.String(), Outcome: explain.OutcomeWord(r.Result), Write: isWrite(r), N: note.Place.Ordinal,
		}})
	}
	if explain.Minor(r.Kind) {
		return
	}
	s := explain.Say(c.state.World, r, note)
	row := EventRow{
		T: r.At, N: note.Place.Ordinal, Node: s.Subject, Index: int(r.Candidate), Text: s.Text, Detail: s.Detail, Kind: s.Kind, Outcome: s.Outcome,
	}
	if r.Object == elector.ConfigMap {
		c.segment.rows = append(c.segment.rows, row)
		return
	}
	if isWrite(r) || (r.Kind == trace.Written || r.Kind == trace.Coordinated) && r.Outcome.Accepted() {
		if history := c.state.World.Store().History(); r.Candidate < 0 || !c.state.World.Node(r.Candidate).IsServer() {
			row.Version = c.version(history, history.OrdinalOf(r.ResourceVersion)+1)
		}
	}
	c.segment.rows = append(c.segment.rows, row)
}

// version is how many of the first n versions stored are the Lease's; n grows.
func (c *recorder) version(history *storage.Log, n int) int {
	if !SeveralObjects(c.state.World) {
		return n
	}
	if c.counted == 0 || n < c.counted {
		c.counted, c.versions = history.First(), 0
	}
	for ; c.counted < n; c.counted++ {
		if history.At(c.counted).Lease == 0 {
			c.versions++
		}
	}
	return c.versions
}

// after notes the countdowns that the step changed.
func (c *recorder) after() {
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
		c.segment.ramps = append(c.segment.ramps, LaneRamp{Lane: i, Point: RampPoint{T: now, ZeroAt: zero, Leading: leading}})
	}
	c.touched = c.touched[:0]
}

// Here returns the state at a cursor and remembers it: the next call goes on from it if its cursor lies later.
func (r *Run) Here(c Cursor) *State {
	near := r.here
	if near != nil && !before(near, c) {
		near = nil
	}
	r.Compute(c.T)
	r.here = r.AtNear(c, near)
	return r.here
}

// Setting is what the scenario sets a field to for all, as scenario.Get writes it.
func (r *Run) Setting(path string) string {
	value, known := r.settings[path]
	if !known {
		value = scenario.Get(r.scenario, path)
		r.settings[path] = value
	}
	return value
}

// SeveralObjects reports whether the store holds more than one Lease: with API servers also the Leases of the controllers,
// with some locks a ConfigMap.
func SeveralObjects(w *world.World) bool {
	_, mapped := w.ConfigMap()
	return mapped || len(w.Setup().Servers) > 0
}
