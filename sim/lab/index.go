package lab

import (
	"sort"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	maxLanes    = 200       // lanes that get ticks and ramps
	bucketCells = 1_000_000 // over all lanes
	maxBuckets  = 4096
)

// index is what is kept of the whole run at every scale: logs of rare changes, and counts per stretch of time. The logs
// are only ever appended to, so a fork shares them.
type index struct {
	roles     []roleChange
	holders   []holderChange
	faults    []faultChange
	landmarks []Landmark
	moments   []moment // leader changes, for the story's speed
	joins     []int64  // instants at which nodes joined after the beginning
	decisions []decisionNote
	notes     []laneNote
	ready     []readyNote
	preferred coordination.Symbol // the preferredHolder a controller wrote last
	rows      int
	role      []world.Role // by lane
	lease     coordination.Symbol
	buckets   buckets
	ordinal   int32
	atNs      int64
}

type roleChange struct {
	atNs int64
	lane int32
	role world.Role
}

// holderChange is a stored version that names another holder, or the last renewal of the one before.
type holderChange struct {
	atNs   int64
	holder coordination.Symbol
	index  int32
	name   string
	exists bool
}

type faultChange struct {
	atNs   int64
	node   int32
	source int32
	begins bool
	text   string
}

// moment is a leader change with the requests that made it.
type moment struct{ fromNs, toNs int64 }

// mark is a position in the logs.
type mark struct {
	roles, holders, faults, landmarks, moments, joins, rows, decisions, notes, ready int
	preferred                                                                        coordination.Symbol
}

func newIndex(lanes int) index {
	x := index{buckets: newBuckets(lanes)}
	x.role = make([]world.Role, lanes)
	return x
}

func (x *index) mark() mark {
	return mark{len(x.roles), len(x.holders), len(x.faults), len(x.landmarks), len(x.moments), len(x.joins), x.rows, len(x.decisions), len(x.notes), len(x.ready), x.preferred}
}

// cut is the index as it stood at a mark.
func (x *index) cut(m mark, fromNs int64) index {
	c := index{
		roles: x.roles[:m.roles:m.roles], holders: x.holders[:m.holders:m.holders], faults: x.faults[:m.faults:m.faults],
		landmarks: x.landmarks[:m.landmarks:m.landmarks], moments: x.moments[:m.moments:m.moments], joins: x.joins[:m.joins:m.joins], rows: m.rows,
		decisions: x.decisions[:m.decisions:m.decisions], notes: x.notes[:m.notes:m.notes], ready: x.ready[:m.ready:m.ready], preferred: m.preferred,
		role: make([]world.Role, len(x.role)), buckets: x.buckets.cut(fromNs),
	}
	for _, r := range c.roles {
		c.role[r.lane] = r.role
	}
	if n := len(c.holders); n > 0 {
		c.lease = c.holders[n-1].holder
	}
	return c
}

// step takes the records of the state's last step.
func (x *index) step(s *state) {
	records := s.world.Records()
	for i := range records {
		r := &records[i]
		if r.At != x.atNs {
			x.atNs, x.ordinal = r.At, 0
		}
		x.ordinal++
		if !explain.Minor(r.Kind) {
			x.rows++
		}
		x.record(s, r)
	}
}

func (x *index) record(s *state, r *trace.Record) {
	switch r.Kind {
	case trace.RequestSent, trace.JitterDrawn:
		return
	case trace.RequestServed:
		if r.Verb != elector.Get && r.Outcome.Accepted() && !s.world.IsServer(r.Candidate) {
			x.stored(s, r)
		}
		return
	case trace.RequestEnded, trace.RequestNotSent:
		x.buckets.ended(r, s.world)
		return
	case trace.Written, trace.Coordinated:
		x.stored(s, r)
	case trace.Joined:
		x.joins = append(x.joins, r.At)
		x.role = append(x.role, world.RoleWaiting)
		x.buckets.join()
	case trace.StartedLeading:
		e := s.tracker.Explanations[len(s.tracker.Explanations)-1]
		x.moments = append(x.moments, moment{e.AskedNs, r.At})
		x.landmark(r, "leader", s.world.Name(r.Candidate)+" leads")
	case trace.LeadingDone:
		x.landmark(r, "lost", s.world.Name(r.Candidate)+" stops leading")
	}
	x.fault(s.world, r)
	x.coordinated(s, r)
	x.readiness(r)
	if r.Candidate >= 0 {
		x.roleOf(s.world, r.Candidate)
	}
}

func (x *index) landmark(r *trace.Record, kind, text string) {
	x.landmarks = append(x.landmarks, Landmark{T: r.At, N: x.ordinal, Kind: kind, Text: text})
}

func (x *index) roleOf(w *world.World, i int32) {
	role := laneRole(w, i)
	if x.role[i] == role {
		return
	}
	x.role[i] = role
	x.roles = append(x.roles, roleChange{atNs: w.Now(), lane: i, role: role})
}

// stored follows the holder of the Lease, and with it the roles of everybody who works.
func (x *index) stored(s *state, r *trace.Record) {
	exists := r.Outcome != storage.Deleted
	if !r.Outcome.Accepted() {
		return
	}
	if r.Object == elector.ConfigMap {
		x.rolesOf(s)
		return
	}
	holder := r.Spec.HolderIdentity
	if !exists {
		holder = 0
	}
	n := len(x.holders)
	if n > 0 && x.holders[n-1].holder == holder && x.holders[n-1].exists == exists {
		return
	}
	candidate := s.world.ByIdentity(holder)
	if r.Candidate >= 0 && r.Name == holder {
		candidate = r.Candidate
	}
	name := s.world.DisplayName(holder)
	if candidate >= 0 {
		name = s.world.Name(candidate)
	}
	x.holders = append(x.holders, holderChange{atNs: r.At, holder: holder, index: candidate, name: name, exists: exists})
	x.rolesOf(s)
}

func (x *index) rolesOf(s *state) {
	for _, i := range s.checks.Active() {
		x.roleOf(s.world, i)
	}
}

// fault keeps what is wrong, from when to when.
func (x *index) fault(w *world.World, r *trace.Record) {
	name := "everybody"
	if r.Candidate >= 0 {
		name = w.Name(r.Candidate)
	}
	add := func(begins bool, text string) {
		x.faults = append(x.faults, faultChange{atNs: r.At, node: r.Candidate, source: r.Control, begins: begins, text: name + " " + text})
	}
	switch r.Kind {
	case trace.Crashed:
		add(true, "is down")
		x.landmark(r, "fault", name+" crashes")
	case trace.Removed:
		x.landmark(r, "fault", name+" leaves")
	case trace.Restarted:
		add(false, "is down")
		x.landmark(r, "act", name+" starts again")
	case trace.Paused:
		add(true, "stands still")
		x.landmark(r, "fault", name+" stands still")
	case trace.Resumed:
		add(false, "stands still")
		x.landmark(r, "fault", name+" goes on")
	case trace.CutBegan:
		if r.Candidate < 0 {
			name = "API server"
			add(true, "out of reach ("+[...]string{"both ways", "requests lost", "answers lost"}[r.Cut().Direction]+")")
			x.landmark(r, "fault", "the API server is out of reach")
			return
		}
		add(true, "cut off ("+[...]string{"both ways", "requests lost", "answers lost"}[r.Cut().Direction]+")")
		x.landmark(r, "fault", name+" is cut off")
	case trace.CutEnded:
		if r.Candidate < 0 {
			name = "API server"
			add(false, "out of reach")
			if !r.Over().AnotherLasts {
				x.landmark(r, "fault", "the API server is back")
			}
			return
		}
		add(false, "cut off")
		if !r.Over().AnotherLasts { // no other cut goes on
			x.landmark(r, "fault", name+" is connected again")
		}
	case trace.ResourceCutBegan:
		add(true, "does not reach the resource")
		x.landmark(r, "fault", name+" does not reach the resource")
	case trace.ResourceCutEnded:
		add(false, "does not reach the resource")
	case trace.FailBegan:
		add(true, "gets errors")
		x.landmark(r, "fault", name+" gets errors")
	case trace.FailEnded:
		add(false, "gets errors")
		if !r.Over().AnotherLasts {
			x.landmark(r, "fault", name+" gets answers again")
		}
	case trace.LatencyChanged:
		add(true, "is slow")
		x.landmark(r, "fault", name+" gets another latency")
	case trace.LatencyRestored:
		add(false, "is slow")
	case trace.StopAsked:
		x.landmark(r, "act", name+" is asked to stop")
	case trace.RolledBack:
		x.landmark(r, "fault", "the store is restored")
	case trace.NodeNotReady:
		x.landmark(r, "fault", name+" is not ready")
	case trace.NodeReady:
		x.landmark(r, "act", name+" is ready")
	case trace.Written, trace.Asked:
		x.landmark(r, "act", "an administrator writes")
	case trace.ClockChanged:
		x.landmark(r, "act", name+" gets another clock")
	case trace.Joined:
		x.landmark(r, "act", name+" joins")
	}
}

// bucket counts what a lane did in one stretch of time.
type bucket struct {
	atNs     int64
	requests int
	worstNs  int64 // smallest remaining countdown, -1: none ran
}

// bucketBytes is about what one takes.
const bucketBytes = 24

// buckets are counts per lane and stretch of time; the stretch doubles when there would be too many.
type buckets struct {
	widthNs int64
	most    int
	lanes   [][]bucket
}

func newBuckets(lanes int) buckets {
	b := buckets{widthNs: 1_000_000_000}
	for range lanes {
		b.join()
	}
	return b
}

func (b *buckets) join() {
	b.lanes = append(b.lanes, nil)
	b.most = min(maxBuckets, max(64, bucketCells/len(b.lanes)))
}

func (b *buckets) cut(fromNs int64) buckets {
	c := *b
	c.lanes = make([][]bucket, len(b.lanes))
	for i, lane := range b.lanes {
		n := sort.Search(len(lane), func(k int) bool { return lane[k].atNs >= fromNs })
		c.lanes[i] = append([]bucket(nil), lane[:n]...)
	}
	return c
}

// ended counts a request where it ended.
func (b *buckets) ended(r *trace.Record, w *world.World) {
	if len(b.lanes) > maxLanes || r.Candidate < 0 {
		return
	}
	for int(r.At/b.widthNs) >= b.most {
		b.double()
	}
	lane := &b.lanes[r.Candidate]
	start := r.At / b.widthNs * b.widthNs
	if n := len(*lane); n == 0 || (*lane)[n-1].atNs != start {
		*lane = append(*lane, bucket{atNs: start, worstNs: -1})
	}
	k := &(*lane)[len(*lane)-1]
	k.requests++
	if zero, _, ok := w.Countdown(r.Candidate); ok {
		k.worstNs = worse(k.worstNs, max(zero-r.At, 0))
	}
}

// worse is the smaller of two remaining countdowns; -1 is none.
func worse(a, b int64) int64 {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func isWrite(r *trace.Record) bool {
	return r.Verb != elector.Get && r.Kind == trace.RequestEnded && r.Result == elector.Success
}

func (b *buckets) double() {
	b.widthNs *= 2
	for i, lane := range b.lanes {
		merged := lane[:0]
		for _, k := range lane {
			k.atNs = k.atNs / b.widthNs * b.widthNs
			n := len(merged)
			if n == 0 || merged[n-1].atNs != k.atNs {
				merged = append(merged, k)
				continue
			}
			m := &merged[n-1]
			m.requests += k.requests
			m.worstNs = worse(m.worstNs, k.worstNs)
		}
		b.lanes[i] = merged
	}
}

// window is what a lane did between two instants, in stretches no finer than a pixel and no coarser than two. They begin
// at the same instants wherever the window begins, so that the picture does not shimmer when it is moved.
func (b *buckets) window(lane int, fromNs, toNs, pixelNs int64) *Buckets {
	width := b.widthNs * max(1, pixelNs/b.widthNs)
	from := fromNs / width * width
	// The bucket the edge lies in is left out until it is over: it may count what nobody has seen yet.
	end := toNs / b.widthNs * b.widthNs
	n := max(0, (end-from+width-1)/width)
	w := &Buckets{From: from, WidthNs: width, Requests: make([]int, n), WorstNs: make([]int64, n)}
	for i := range w.WorstNs {
		w.WorstNs[i] = -1
	}
	all := b.lanes[lane]
	first := sort.Search(len(all), func(k int) bool { return all[k].atNs >= from })
	for _, k := range all[first:] {
		if k.atNs >= end {
			break
		}
		i := (k.atNs - from) / width
		w.Requests[i] += k.requests
		w.WorstNs[i] = worse(w.WorstNs[i], k.worstNs)
	}
	return w
}
