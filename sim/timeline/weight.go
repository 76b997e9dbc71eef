package timeline

// The limits on how much a run keeps so that it can show every instant quickly. The run can recompute all of it.
const (
	checkpointBytes = 48 << 20 // limit on the bytes of the checkpoints; beyond it the run drops every second one
	leastCheckpoint = 6 << 20  // the target of Squeeze
	quickBytes      = 12 << 20 // up to this limit checkpoints stay dense, so that any segment recomputes quickly
	quickRequests   = 16_000
)

// Checkpoints returns the number of checkpoints.
func (r *Run) Checkpoints() int { return len(r.segments) }

// Ancestor returns the id of the run from which this one descends, and the approximate bytes of the history that the
// two share.
func (r *Run) Ancestor() (root int, bytes int64) { return r.root, r.shared }

// Squeeze drops checkpoints until it has freed this many bytes, or only the minimum is left. It returns approximately
// how many bytes it has freed.
func (r *Run) Squeeze(bytes int64) (freed int64) {
	for freed < bytes && r.limit > leastCheckpoint {
		before := r.Bytes()
		r.limit /= 2
		for r.isCrowded() {
			r.thin()
		}
		freed += before - r.Bytes()
	}
	return freed
}

// isCrowded reports whether a run's checkpoints exceed their limit.
func (r *Run) isCrowded() bool {
	n := len(r.segments) - r.shorts
	bytes := int64(n) * r.frontier.bytes()
	return n > 2 && (bytes > r.limit || r.spacing < quickRequests && bytes > quickBytes)
}

// historyBytes returns the bytes of the versions in the checkpoints, without the versions that another run shares.
func (r *Run) historyBytes() int64 {
	history := r.frontier.World.Store().History()
	return min(history.PackedBytes()-r.shared, int64(len(r.segments))*history.Bytes())
}

// Bytes returns the approximate memory of the run, without the part that it shares with its ancestor.
func (r *Run) Bytes() int64 {
	bytes := int64(len(r.segments))*r.frontier.bytes() + r.historyBytes()
	bytes += int64(cap(r.index.writes.all)) * writeBytes
	for _, lane := range r.index.buckets.lanes {
		bytes += int64(len(lane)) * bucketBytes
	}
	return bytes
}

// Unload forgets what only a visible run needs: the events and the short segments.
func (r *Run) Unload() {
	r.undivide()
	r.here, r.matches = nil, matches{}
	for _, s := range r.segments[:len(r.segments)-1] {
		s.unload()
	}
}
