package lab

import (
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// What a session keeps of its runs so that every instant can be shown at once. All of it can be computed again.
//
// The bound for the page is 160 MiB of WebAssembly memory, which never shrinks: keptBytes of it are what is counted here, the
// rest is the program, the events that are on screen, and what the garbage collector needs to work.
const (
	keptBytes = 80 << 20 // of all runs together; beyond it the one made longest ago is forgotten
	keptRuns  = 6        // and so many
)

// firstSource is the number of the first live act: lower ones are the script's.
const firstSource = 1 << 20

// runs makes the runs of a session, and says which are needed besides those of its branches.
type runs struct {
	made    int             // the number of the last one
	sources int32           // the number of the last live act
	besides []*timeline.Run // that a comparison needs
	counted int             // checkpoints of the run that is computed, when all were last measured
	alive   func()          // called now and then while a call computes; nil: not called
}

// number is that of the next run.
func (r *runs) number() int {
	r.made++
	return r.made
}

// source is the number of the next live act.
func (r *runs) source() int32 {
	r.sources++
	return r.sources
}

// of is the run of a spec, computed if need be.
func (r *runs) of(sp *spec) *timeline.Run {
	if sp.run == nil {
		sp.run = timeline.New(r.number(), sp.begun, r.alive)
		if len(sp.actions) > 0 {
			sp.run = sp.run.Fork(r.number(), sp.run.StartNs(), sp.controls(sp.run, 0))
		}
	}
	return sp.run
}

// controls compiles the live acts from number first on.
func (s *spec) controls(r *timeline.Run, first int) []world.Control {
	var all []world.Control
	for k := first; k < len(s.actions); k++ {
		a := scenario.ResolveAction(s.actions[k])
		all = append(all, compile.Action(r.Setup(), s.begun, &a, s.sources[k])...)
	}
	return all
}

// bytes is about how much memory the runs of some specs and those besides take together, and all these runs. What runs share
// counts once.
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
		if root, bytes := one.Inherited(); bytes > 0 {
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

// Memory is what the current branch keeps, and how much all runs of the session take.
type Memory struct {
	timeline.Weight
	RunsBytes int64 // of all runs of the session, about
	Runs      int
}

// Memory returns what the session keeps.
func (l *Lab) Memory() Memory {
	total, runs := l.runs.bytes(l.history.specs())
	return Memory{Weight: l.run().Weight(), RunsBytes: total, Runs: len(runs)}
}

// dropRuns forgets the computed runs made longest ago until all fit; they can be computed again. The current one stays, and
// so does what is being computed.
func (l *Lab) dropRuns() {
	var current *spec
	if len(l.history.branches) > 0 { // a lab may compare two runs before it opens any
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

// squeeze thins out runs of which none can be forgotten.
func squeeze(total int64, runs []*timeline.Run) {
	for _, r := range runs {
		total -= r.Squeeze(total - keptBytes)
	}
}

// grown forgets runs when the run that is being computed has new checkpoints.
func (l *Lab) grown(r *timeline.Run) {
	n := r.Checkpoints()
	for _, one := range l.runs.besides {
		n += one.Checkpoints()
	}
	if n != l.runs.counted {
		l.runs.counted = n
		l.dropRuns()
	}
}
