package lab

import (
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// The limits on how much a session keeps of its runs so that it can show every instant quickly. The session can
// recompute all of it.
//
// The page may use 160 MiB of WebAssembly memory, which never shrinks. Runs may use keptBytes of it; the rest is for
// the program, the events on screen, and the garbage collector.
const (
	keptBytes = 80 << 20 // limit for all runs together; beyond it the session forgets the oldest run
	keptRuns  = 6        // maximum number of runs
)

// firstSource is the number of the first live act; lower numbers belong to the script.
const firstSource = 1 << 20

// `runs` creates the runs of a session. It also knows which runs the session needs besides the runs of its branches.
// Within a session, the numbers of runs and acts only grow. So a cache may use them as keys: the same number always
// means the same run.
type runs struct {
	made    int             // the number of the last run
	sources int32           // the number of the last live act
	besides []*timeline.Run // the two runs of a comparison
	counted int             // number of checkpoints of the computed run when all runs were last measured
	alive   func()          // see Alive; nil for no calls
}

// number returns the number of the next run.
func (r *runs) number() int {
	r.made++
	return r.made
}

// source returns the number of the next live act.
func (r *runs) source() int32 {
	r.sources++
	return r.sources
}

// `of` returns the run of a spec, and computes it if necessary.
func (r *runs) of(sp *spec) *timeline.Run {
	if timeline.Records && sp.run == nil && sp.outside != nil {
		sp.run = timeline.FromRecord(r.number(), sp.begun, sp.outside, r.alive)
	}
	if sp.run == nil {
		sp.run = timeline.New(r.number(), sp.begun, r.alive)
		if len(sp.actions) > 0 {
			sp.run = sp.run.Fork(r.number(), sp.run.StartNs(), sp.controls(sp.run, 0))
		}
	}
	return sp.run
}

// `controls` compiles the live acts, from the one at index `first` on. An act's source never changes, so Fork can use
// it to find the acts to remove.
func (s *spec) controls(r *timeline.Run, first int) []world.Control {
	var all []world.Control
	whole := s.whole()
	for k := first; k < len(s.actions); k++ {
		a := scenario.ResolveAction(s.actions[k])
		all = append(all, compile.Action(r.Setup(), whole, &a, s.sources[k])...)
	}
	return all
}

// `bytes` returns the runs of some specs and the runs in the field `besides`, and the approximate memory that all these
// runs take together. It counts shared parts once. A fork shares its past with the run that it came from. So fifty
// forks at the end of a long run take hardly more memory than the run itself. If the ancestor is gone, `bytes` still
// counts its shared past, once per ancestor.
func (r *runs) bytes(specs []*spec) (total int64, all []*timeline.Run) {
	for _, s := range specs {
		all = append(all, s.run)
	}
	for _, one := range r.besides {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	inherited := map[int]int64{}
	for _, one := range all {
		total += one.Bytes()
		if root, bytes := one.Ancestor(); bytes > 0 {
			inherited[root] = max(inherited[root], bytes)
		}
	}
	for _, one := range all {
		delete(inherited, one.ID())
	}
	for _, bytes := range inherited {
		total += bytes
	}
	return total, all
}

// dropRuns forgets the oldest runs until the rest fits; the session can recompute them. It keeps the current run and
// a run under computation. If these alone are too large, it drops some of their checkpoints, so steps back take
// longer but still work.
func (l *Lab) dropRuns() {
	var current *spec
	if len(l.history.branches) > 0 { // a lab may compare two runs before it opens one
		current = l.history.spec()
	}
	for {
		total, runs := l.runs.bytes(l.history.specs())
		var oldest *spec
		for _, s := range l.history.specs() {
			if s == current || slices.Contains(l.runs.besides, s.run) || l.search != nil && l.search.run == s.run {
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

// `squeeze` drops checkpoints of runs that the session must keep.
func squeeze(total int64, runs []*timeline.Run) {
	for _, r := range runs {
		total -= r.Squeeze(total - keptBytes)
	}
}

// noteGrowth calls dropRuns when the run under computation has new checkpoints.
func (l *Lab) noteGrowth(r *timeline.Run) {
	n := r.Checkpoints()
	for _, one := range l.runs.besides {
		n += one.Checkpoints()
	}
	if n != l.runs.counted {
		l.runs.counted = n
		l.dropRuns()
	}
}
