package timeline

// What a run keeps so that every instant can be shown at once. All of it can be computed again.
const (
	checkpointBytes = 48 << 20 // of its checkpoints; beyond it every second one is dropped
	leastCheckpoint = 6 << 20  // to which they are reduced when nothing else can be forgotten
	quickBytes      = 12 << 20 // and this much while a segment is computed again without delay
	quickRequests   = 16_000
)

// Weight is what a run keeps.
type Weight struct {
	Checkpoints     int
	CheckpointBytes int64 // about
	HistoryBytes    int64 // of the versions the checkpoints know, about
	Every           int64 // requests between two of them
}

// Weight returns what the run keeps.
func (r *Run) Weight() Weight {
	w := Weight{Checkpoints: len(r.segments), HistoryBytes: r.historyBytes(), Every: r.spacing}
	for _, s := range r.segments {
		w.CheckpointBytes += s.start.bytes()
	}
	return w
}

// Checkpoints is how many there are.
func (r *Run) Checkpoints() int { return len(r.segments) }

// Inherited is the number of the run that this one descends from, and about how many bytes of history the two share.
func (r *Run) Inherited() (root int, bytes int64) { return r.root, r.shared }

// Squeeze drops checkpoints until it has freed so many bytes, or until the fewest are left. It returns about how many bytes it
// has freed.
func (r *Run) Squeeze(bytes int64) (freed int64) {
	for freed < bytes && r.limit > leastCheckpoint {
		before := r.Bytes()
		r.limit /= 2
		for r.crowded() {
			r.thin()
		}
		freed += before - r.Bytes()
	}
	return freed
}

// crowded reports whether a run's checkpoints take more than they should.
func (r *Run) crowded() bool {
	n := len(r.segments) - r.shorts
	bytes := int64(n) * r.frontier.bytes()
	return n > 2 && (bytes > r.limit || r.spacing < quickRequests && bytes > quickBytes)
}

// historyBytes are the bytes of the versions that the checkpoints know, without those shared with another run.
func (r *Run) historyBytes() int64 {
	history := r.frontier.World.Store().History()
	return min(history.Packed()-r.shared, int64(len(r.segments))*history.Bytes())
}

// Bytes is about how much memory the run takes, without what it has in common with the one it was forked from.
func (r *Run) Bytes() int64 {
	bytes := int64(len(r.segments))*r.frontier.bytes() + r.historyBytes()
	for _, lane := range r.index.buckets.lanes {
		bytes += int64(len(lane)) * bucketBytes
	}
	return bytes
}

// Unload forgets what only a run on the screen needs: the events, and the short segments.
func (r *Run) Unload() {
	r.undivide()
	r.here, r.matches = nil, matches{}
	for _, s := range r.segments[:len(r.segments)-1] {
		s.unload()
	}
}
