package explain

import (
	"slices"

	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// leaders is who is active, and how the last leader stopped.
type leaders struct {
	who      []int32 // the active ones, in order of start
	active   int     // how many the world counts after the last record about them
	last     int32   // who led last, -1: nobody yet
	lastName string  // its name when it started leading
	ender    int32   // the last one to stop being active
	end      end
}

// end is how the last active candidate stopped, and since when none is active.
type end struct {
	at   Place
	how  trace.Kind
	way  []Part // how it spent its time since it last renewed
	cuts cuts   // in force then
}

func (l *leaders) clone() leaders {
	c := *l
	c.who = slices.Clone(l.who)
	return c
}

func (l *leaders) start(candidate int32, name string) {
	l.last, l.lastName = candidate, name
	if !slices.Contains(l.who, candidate) {
		l.who = append(l.who, candidate)
	}
	l.active++
}

// stop removes a candidate and returns the one that stopped.
func (l *leaders) stop(candidate int32) int32 {
	if k := slices.Index(l.who, candidate); k >= 0 {
		l.who = slices.Delete(l.who, k, k+1)
		l.ender = candidate
	} else if len(l.who) > 0 {
		return l.who[0] // all end in this step, and the record is another one's
	}
	return candidate
}

// nameOf is what a leader that may be gone was called.
func (l *leaders) nameOf(w *world.World, i int32) string {
	if i == l.last {
		return l.lastName
	}
	return w.Node(i).Name()
}
