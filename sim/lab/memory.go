package lab

import (
	"slices"

	"github.com/leaselab/leaselab/sim/timeline"
)

const (
	keptBytes = 80 << 20 // of all runs together; beyond it the one made longest ago is forgotten
	keptRuns  = 6        // and so many
)

// What a session keeps of its runs so that one can look anywhere in them at once. All of it can be computed again.
//
// The bound for the page is 160 MiB of WebAssembly memory, which never shrinks: keptBytes of it are what is counted here, the
// rest is the program, the events that are on screen, and what the garbage collector needs to work.
// Memory is what the current branch keeps so that one can look anywhere in it.
type Memory struct {
	timeline.Weight
	RunsBytes int64 // of all runs of the session, about
	Runs      int
}

// Memory tells what the current branch keeps.
func (l *Lab) Memory() Memory {
	total, runs := l.weigh()
	return Memory{Weight: l.run().Weight(), RunsBytes: total, Runs: len(runs)}
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
func (l *Lab) weigh() (total int64, runs []*timeline.Run) {
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
		total += r.Bytes()
		if root, bytes := r.Inherited(); bytes > 0 {
			inherited[root] = max(inherited[root], bytes)
		}
	}
	for _, r := range runs {
		delete(inherited, r.ID())
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
			s.run.Unload()
			if oldest == nil || s.run.ID() < oldest.run.ID() {
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
func squeeze(total int64, runs []*timeline.Run) {
	for _, r := range runs {
		total -= r.Squeeze(total - keptBytes)
	}
}

// weighed forgets runs when the one that is being computed has grown.
func (l *Lab) weighed(r *timeline.Run) {
	n := r.Checkpoints()
	for _, one := range l.besides {
		n += one.Checkpoints()
	}
	if n != l.counted {
		l.counted = n
		l.dropRuns()
	}
}
