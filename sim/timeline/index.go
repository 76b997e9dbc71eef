package timeline

import (
	"sort"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const (
	MaxLanes    = 200       // most lanes for which the run keeps ticks and ramps
	bucketCells = 1_000_000 // most buckets of all lanes together
	maxBuckets  = 4096
)

// Index holds what a run keeps about its whole length: logs of rare changes, and counts for each stretch of time. The
// logs only grow, so forks share them.
type Index struct {
	Roles     []RoleChange
	Holders   []HolderChange
	Faults    []FaultChange
	Landmarks []Landmark
	changes   []leaderChange // leader changes, for story speed
	joins     []int64        // instants at which nodes joined after the start
	Decisions []Decision
	Notes     []Note
	Ready     []Readiness
	writes    writes
	preferred coordination.Symbol // the last preferredHolder that a controller wrote
	rows      int
	role      []world.Role // current role of each lane
	lease     coordination.Symbol
	buckets   buckets
	ordinal   int32
	atNs      int64
}

// RoleChange is the instant at which a lane takes a role.
type RoleChange struct {
	AtNs int64
	Lane int32
	Role world.Role
}

// HolderChange is a stored version that names another holder, or the last renewal of the previous holder.
type HolderChange struct {
	AtNs   int64
	holder coordination.Symbol
	Index  int32
	Name   string
	exists bool
}

// FaultChange is the start or end of a fault: of one node, or of all nodes if node is -1. `source` is the number of the
// act that caused it, or 0.
type FaultChange struct {
	AtNs   int64
	Node   int32
	Source int32
	Begins bool
	Kind   FaultKind
	Text   string
}

// FaultKind says what a fault does. An end that names no act ends the faults of its kind on its node.
type FaultKind uint8

// The kinds of faults.
const (
	FaultDown     FaultKind = iota // a crash
	FaultPaused                    // the process does not run
	FaultCut                       // the API server is out of reach
	FaultResource                  // the resource is out of reach
	FaultErrors                    // the API server answers with errors
	FaultSlow                      // a fault delays requests or answers
	FaultHeld                      // an act holds a message
	FaultLost                      // an act drops a message
)

// String is the name of a kind in the protocol of the page.
func (k FaultKind) String() string {
	return [...]string{"down", "paused", "cut", "resource", "errors", "slow", "held", "lost"}[k]
}

// leaderChange is the stretch of time that a leader change takes, from its first request to its last.
type leaderChange struct{ fromNs, toNs int64 }

// mark is a position in the logs.
type mark struct {
	roles, holders, faults, landmarks, changes, joins, rows, decisions, notes, ready int
	preferred                                                                        coordination.Symbol
}

func newIndex(lanes int) Index {
	x := Index{buckets: newBuckets(lanes)}
	x.role = make([]world.Role, lanes)
	return x
}

func (x *Index) mark() mark {
	return mark{len(x.Roles), len(x.Holders), len(x.Faults), len(x.Landmarks), len(x.changes), len(x.joins), x.rows,
		len(x.Decisions), len(x.Notes), len(x.Ready), x.preferred}
}

// upTo returns the part of the index before a mark.
func (x *Index) upTo(m mark, fromNs int64) Index {
	c := Index{
		Roles: x.Roles[:m.roles:m.roles], Holders: x.Holders[:m.holders:m.holders],
		Faults:    x.Faults[:m.faults:m.faults],
		Landmarks: x.Landmarks[:m.landmarks:m.landmarks], changes: x.changes[:m.changes:m.changes],
		joins: x.joins[:m.joins:m.joins], rows: m.rows,
		Decisions: x.Decisions[:m.decisions:m.decisions], Notes: x.Notes[:m.notes:m.notes],
		Ready: x.Ready[:m.ready:m.ready], preferred: m.preferred,
		role: make([]world.Role, len(x.role)), buckets: x.buckets.upTo(fromNs), writes: x.writes.upTo(fromNs),
	}
	for _, r := range c.Roles {
		c.role[r.Lane] = r.Role
	}
	if n := len(c.Holders); n > 0 {
		c.lease = c.Holders[n-1].holder
	}
	return c
}

// step adds the records of the state's last step.
func (x *Index) step(s *State) {
	records := s.World.Records()
	for i := range records {
		r := &records[i]
		if r.At != x.atNs {
			x.atNs, x.ordinal = r.At, 0
		}
		x.ordinal++
		if hasRow(r.Kind) {
			x.rows++
		}
		x.record(s, r)
	}
}

func (x *Index) record(s *State, r *trace.Record) {
	switch r.Kind {
	case trace.RequestSent, trace.JitterDrawn:
		return
	case trace.RequestServed:
		// If a fault stops a write at the server, the write has no store outcome.
		if (r.Outcome == storage.Created || r.Outcome == storage.Updated) && !s.World.Node(r.Candidate).IsServer() {
			x.logWrite(s, r)
		}
		return
	case trace.RequestEnded, trace.RequestNotSent:
		x.buckets.countEnd(r, s.World)
		return
	case trace.Written, trace.Coordinated:
		x.logWrite(s, r)
	case trace.Joined:
		x.joins = append(x.joins, r.At)
		x.role = append(x.role, world.RoleWaiting)
		x.buckets.join()
	case trace.StartedLeading:
		e := s.Tracker.Explanations[len(s.Tracker.Explanations)-1]
		x.changes = append(x.changes, leaderChange{e.AskedNs, r.At})
		x.landmark(r, "leader", s.World.Node(r.Candidate).Name()+" leads")
	case trace.LeadingDone:
		x.landmark(r, "lost", s.World.Node(r.Candidate).Name()+" stops leading")
	}
	if one, ok := writeOf(s, r, x.ordinal); ok {
		x.writes.add(one)
		return
	}
	x.fault(s.World, r)
	x.logCoordination(s, r)
	x.readiness(r)
	if r.Candidate >= 0 {
		x.roleOf(s.World, r.Candidate)
	}
}

func (x *Index) landmark(r *trace.Record, kind, text string) {
	x.Landmarks = append(x.Landmarks, Landmark{T: r.At, N: x.ordinal, Kind: kind, Text: text})
}

func (x *Index) roleOf(w *world.World, i int32) {
	role := RoleOf(w, i)
	if x.role[i] == role {
		return
	}
	x.role[i] = role
	x.Roles = append(x.Roles, RoleChange{AtNs: w.Now(), Lane: i, Role: role})
}

// logWrite updates the holder of the Lease, and with it the roles of all active nodes.
func (x *Index) logWrite(s *State, r *trace.Record) {
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
	n := len(x.Holders)
	if n > 0 && x.Holders[n-1].holder == holder && x.Holders[n-1].exists == exists {
		return
	}
	candidate := s.World.ByIdentity(holder)
	if r.Candidate >= 0 && r.Name == holder {
		candidate = r.Candidate
	}
	x.Holders = append(x.Holders, HolderChange{AtNs: r.At, holder: holder, Index: candidate,
		Name: s.World.DisplayName(holder), exists: exists})
	x.rolesOf(s)
}

func (x *Index) rolesOf(s *State) {
	for _, i := range s.Checks.Active() {
		x.roleOf(s.World, i)
	}
}

// told has the kinds of records that are landmarks: the landmark's kind, and what a node does.
var told = [trace.NoKind]struct{ kind, text string }{
	trace.Crashed:          {"fault", "crashes"},
	trace.Removed:          {"fault", "leaves"},
	trace.Restarted:        {"act", "starts again"},
	trace.Paused:           {"fault", "is paused"},
	trace.Resumed:          {"fault", "resumes"},
	trace.ResourceCutBegan: {"fault", "does not reach the resource"},
	trace.FailBegan:        {"fault", "gets errors"},
	trace.LatencyChanged:   {"fault", "gets a new latency"},
	trace.StopAsked:        {"act", "is asked to stop"},
	trace.NodeNotReady:     {"fault", "is not ready"},
	trace.NodeReady:        {"act", "is ready"},
	trace.ClockChanged:     {"act", "gets a new clock"},
	trace.Joined:           {"act", "joins"},
}

// `fault` logs the start or end of a fault.
func (x *Index) fault(w *world.World, r *trace.Record) {
	name := "everybody"
	if r.Candidate >= 0 {
		name = w.Node(r.Candidate).Name()
	}
	if one := told[r.Kind]; one.text != "" {
		x.landmark(r, one.kind, name+" "+one.text)
	}
	add := func(begins bool, kind FaultKind, text string) {
		x.Faults = append(x.Faults, FaultChange{AtNs: r.At, Node: r.Candidate, Source: r.Control, Begins: begins,
			Kind: kind, Text: name + " " + text})
	}
	switch r.Kind {
	case trace.Crashed, trace.Restarted:
		add(false, FaultPaused, "") // the pause ends with the process that it stopped
		add(r.Kind == trace.Crashed, FaultDown, "is down")
	case trace.Removed:
		add(false, FaultPaused, "")
	case trace.Paused, trace.Resumed:
		add(r.Kind == trace.Paused, FaultPaused, "is paused")
	case trace.CutBegan, trace.CutEnded:
		x.cutFault(r, name)
	case trace.ResourceCutBegan, trace.ResourceCutEnded:
		add(r.Kind == trace.ResourceCutBegan, FaultResource, "does not reach the resource")
	case trace.FailBegan, trace.FailEnded:
		add(r.Kind == trace.FailBegan, FaultErrors, "gets errors")
		if r.Kind == trace.FailEnded && !r.Over().AnotherLasts {
			x.landmark(r, "fault", name+" no longer gets errors")
		}
	case trace.Intercepted, trace.Delivered:
		x.logInterception(r, name)
	case trace.LatencyChanged, trace.LatencyRestored:
		add(r.Kind == trace.LatencyChanged, FaultSlow, "is slow")
	case trace.RolledBack:
		x.landmark(r, "fault", "an administrator restores the store")
	case trace.Written, trace.Asked:
		x.landmark(r, "act", "an administrator writes")
	}
}

// cutFault logs the start or end of a cut: of one node, or of the API server from all nodes.
func (x *Index) cutFault(r *trace.Record, name string) {
	state, over := name+" cut off", name+" is connected again"
	if r.Candidate < 0 {
		state, over = "API server out of reach", "the API server is back"
	}
	change := FaultChange{AtNs: r.At, Node: r.Candidate, Source: r.Control, Kind: FaultCut, Text: state}
	switch {
	case r.Kind == trace.CutBegan:
		change.Begins = true
		change.Text += " (" + [...]string{"both ways", "requests lost", "answers lost"}[r.Cut().Direction] + ")"
		began := name + " is cut off"
		if r.Candidate < 0 {
			began = "the API server is out of reach"
		}
		x.landmark(r, "fault", began)
	case !r.Over().AnotherLasts:
		x.landmark(r, "fault", over)
	}
	x.Faults = append(x.Faults, change)
}

// logInterception logs what an act did to a message of a node. A lost message is a fault without length.
func (x *Index) logInterception(r *trace.Record, name string) {
	change := FaultChange{AtNs: r.At, Node: r.Candidate, Source: r.Control, Begins: true, Kind: FaultHeld,
		Text: name + " has a message held"}
	switch effect := r.Interception().Effect; {
	case r.Kind == trace.Delivered:
		change.Begins = false
		x.landmark(r, "act", name+"'s held message continues")
	case effect == network.HoldMessage || effect == network.HoldMessageForAll:
		x.landmark(r, "fault", name+"'s message is held")
	default:
		text := name + " loses a message"
		if effect == network.LoseAnswer {
			text = name + " loses an answer"
		}
		x.landmark(r, "fault", text)
		change.Kind, change.Text = FaultLost, text
		x.Faults = append(x.Faults, change)
		change.Begins = false
	}
	x.Faults = append(x.Faults, change)
}

// bucket counts what a lane did in one stretch of time.
type bucket struct {
	atNs     int64
	requests int
	worstNs  int64 // smallest remaining countdown, or -1 if no countdown ran
}

// bucketBytes and writeBytes are the approximate memory of one bucket, and of one write to the resource.
const (
	bucketBytes = 24
	writeBytes  = 80
)

// `buckets` has counts for each lane and each stretch of time. The length of a stretch doubles before the number of
// buckets grows too large.
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

func (b *buckets) upTo(fromNs int64) buckets {
	c := *b
	c.lanes = make([][]bucket, len(b.lanes))
	for i, lane := range b.lanes {
		n := sort.Search(len(lane), func(k int) bool { return lane[k].atNs >= fromNs })
		c.lanes[i] = append([]bucket(nil), lane[:n]...)
	}
	return c
}

// countEnd counts a request at the instant at which it ended.
func (b *buckets) countEnd(r *trace.Record, w *world.World) {
	if len(b.lanes) > MaxLanes || r.Candidate < 0 {
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
	if zero, _, ok := w.Node(r.Candidate).Countdown(); ok {
		k.worstNs = worse(k.worstNs, max(zero-r.At, 0))
	}
}

// `worse` returns the smaller of two remaining countdowns; -1 means that none runs.
func worse(a, b int64) int64 {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func isWrite(r *trace.Record) bool {
	return r.Verb != elector.Get && r.Kind == trace.RequestEnded && r.Result == step.Success
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

// window returns the counts of a lane between two instants, in stretches of about a pixel, or of one bucket if
// buckets are wider. The stretches start at the same instants in every window, so the picture does not flicker while
// it moves.
func (b *buckets) window(lane int, fromNs, toNs, pixelNs int64) *Buckets {
	width := b.widthNs * max(1, pixelNs/b.widthNs)
	from := fromNs / width * width
	// Leave out the bucket with the live cursor until it is complete, because it may count requests that the page
	// has not shown.
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
