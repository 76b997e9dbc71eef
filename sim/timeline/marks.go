package timeline

import "sort"

const (
	detailRequests = 12_000 // maximum number of requests that the page draws one by one,
	leastDetail    = 3      // or this many segments if they hold more requests
)

// Marks calls the function see with the requests and the countdowns of a stretch of the run, in order, until it returns
// false. Marks passes whole segments, so some requests and countdowns lie outside the stretch. Marks returns false if
// the function did.
func (r *Run) Marks(fromNs, toNs int64, see func(ticks []LaneTick, ramps []LaneRamp) bool) bool {
	r.near(fromNs)
	last := r.near(toNs)
	for k := r.segmentAt(fromNs); k <= last; k++ {
		if s := r.load(k); !see(s.ticks, s.ramps) {
			return false
		}
	}
	return true
}

// Counts returns the requests and the smallest remaining countdowns of a lane in a stretch of the run, in equal parts
// of about a pixel; nil if the lane has none.
func (r *Run) Counts(lane int, fromNs, toNs, pixelNs int64) *Buckets {
	if lane >= len(r.index.buckets.lanes) {
		return nil
	}
	return r.index.buckets.window(lane, fromNs, toNs, pixelNs)
}

// Few reports whether a window has few enough requests to draw them one by one.
func (r *Run) Few(fromNs, toNs int64) bool {
	first, last := r.segments[r.segmentAt(fromNs)], r.segments[r.segmentAt(toNs)]
	requests := last.start.World.Counts().Requests - first.start.World.Counts().Requests
	return requests < max(detailRequests, (leastDetail-1)*r.spacing+1)
}

// NodesAt returns the number of nodes that have joined by an instant.
func (r *Run) NodesAt(ns int64) int {
	return NodesOf(r.setup) + sort.Search(len(r.index.joins), func(k int) bool { return r.index.joins[k] > ns })
}

// Same reports whether a countdown equals an earlier one.
func (p *RampPoint) Same(before *RampPoint) bool {
	none, noneBefore := p.ZeroAt == p.T, before.ZeroAt == before.T
	return none && noneBefore || !none && p.ZeroAt == before.ZeroAt && p.Leading == before.Leading
}

// LastSame returns a state of each run at an instant before the first difference between the runs. From there the
// caller can step both side by side up to limitNs. It compares the trace hashes of the two runs.
func LastSame(a, b *Run, limitNs int64) (ofA, ofB *State) {
	starts := a.segments
	same := sort.Search(len(starts), func(k int) bool {
		at := starts[k].start.World.Now()
		return at > limitNs || starts[k].start.World.Hash() != b.At(Cursor{T: at, N: -1}).World.Hash()
	}) - 1
	from := Cursor{T: -1, N: -1}
	if same > 0 {
		from.T = starts[same].start.World.Now()
	}
	return a.At(from), b.At(from)
}
