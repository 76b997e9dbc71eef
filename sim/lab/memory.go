package lab

import "slices"

// What a session keeps of its runs so that one can look anywhere in them at once. All of it can be computed again.
//
// The bound for the page is 160 MiB of WebAssembly memory, which never shrinks: keptBytes of it are what is counted here, the
// rest is the program, the events that are on screen, and what the garbage collector needs to work.
const (
	keptBytes       = 80 << 20 // of all runs together; beyond it the one made longest ago is forgotten
	keptRuns        = 6        // and so many
	checkpointBytes = 48 << 20 // of the checkpoints of a run; beyond it every second one is dropped
	leastCheckpoint = 6 << 20  // to which a run's are reduced when nothing else can be forgotten
	quickBytes      = 12 << 20 // and so many while what lies between two of them is made again in an instant
	quickRequests   = 16_000
)

// Memory is what the current branch keeps so that one can look anywhere in it.
type Memory struct {
	Checkpoints     int
	CheckpointBytes int64 // about
	HistoryBytes    int64 // of the versions the checkpoints know, about
	Every           int64 // requests between two of them
	RunsBytes       int64 // of all runs of the session, about
	Runs            int
}

// Memory tells what the current branch keeps.
func (l *Lab) Memory() Memory {
	r := l.run()
	total, runs := l.weigh()
	m := Memory{Checkpoints: len(r.segments), HistoryBytes: r.historyBytes(), Every: r.spacing, RunsBytes: total, Runs: len(runs)}
	for _, s := range r.segments {
		m.CheckpointBytes += s.start.bytes()
	}
	return m
}

// crowded reports whether a run's checkpoints take more than they should.
func (r *run) crowded() bool {
	n := len(r.segments) - r.shorts
	bytes := int64(n) * r.frontier.bytes()
	return n > 2 && (bytes > r.limit || r.spacing < quickRequests && bytes > quickBytes)
}

// historyBytes are those of the versions that the checkpoints know, without what another run has.
func (r *run) historyBytes() int64 {
	history := r.frontier.world.Store().History()
	return min(history.Packed()-r.shared, int64(len(r.segments))*history.Bytes())
}

func (r *run) bytes() int64 {
	bytes := int64(len(r.segments))*r.frontier.bytes() + r.historyBytes()
	for _, lane := range r.index.buckets.lanes {
		bytes += int64(len(lane)) * bucketBytes
	}
	return bytes
}

// rest forgets what is needed only while somebody looks at the run: the events, and the short segments.
func (r *run) rest() {
	r.undivide()
	for _, s := range r.segments[:len(r.segments)-1] {
		s.unload()
	}
}

// specs are those of the session's branches, past and future ones too, that have a run.
func (l *Lab) specs() []*spec {
	var all []*spec
	add := func(s *spec) {
		if s.run != nil && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, b := range l.branches {
		add(b.spec)
	}
	for _, pasts := range [][]past{l.undo, l.redo} {
		for i := range pasts {
			add(pasts[i].spec)
		}
	}
	return all
}

// weigh is about how much all runs take together. What runs have in common counts once: by the one they began as, or by
// those that are left of its family.
func (l *Lab) weigh() (total int64, runs []*run) {
	for _, s := range l.specs() {
		runs = append(runs, s.run)
	}
	for _, r := range l.besides {
		if !slices.Contains(runs, r) {
			runs = append(runs, r)
		}
	}
	inherited := map[int]int64{}
	for _, r := range runs {
		total += r.bytes()
		if r.shared > 0 {
			inherited[r.root] = max(inherited[r.root], r.shared)
		}
	}
	for _, r := range runs {
		delete(inherited, r.id)
	}
	for _, bytes := range inherited {
		total += bytes
	}
	return total, runs
}

// dropRuns forgets the computed runs made longest ago until all fit; they can be computed again. The current one stays, and
// so does what is being computed.
func (l *Lab) dropRuns() {
	var current *spec
	if len(l.branches) > 0 { // a lab may compare two runs before it opens one
		current = l.spec()
	}
	for {
		total, runs := l.weigh()
		var oldest *spec
		for _, s := range l.specs() {
			if s == current || slices.Contains(l.besides, s.run) || l.search != nil && l.search.run == s.run {
				continue
			}
			s.run.rest()
			if oldest == nil || s.run.id < oldest.run.id {
				oldest = s
			}
		}
		if total <= keptBytes && len(runs) <= keptRuns {
			return
		}
		if oldest == nil {
			squeeze(total, runs)
			return
		}
		oldest.run = nil
	}
}

// squeeze thins out runs of which none can be forgotten.
func squeeze(total int64, runs []*run) {
	for _, r := range runs {
		for total > keptBytes && r.limit > leastCheckpoint {
			before := r.bytes()
			r.limit /= 2
			for r.crowded() {
				r.thin()
			}
			total -= before - r.bytes()
		}
	}
}

// weighed forgets runs when the one that is being computed has grown.
func (l *Lab) weighed(r *run) {
	n := len(r.segments)
	for _, one := range l.besides {
		n += len(one.segments)
	}
	if n != l.counted {
		l.counted = n
		l.dropRuns()
	}
}
