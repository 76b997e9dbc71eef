package hunt

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/scenario"
)

// fault is one drawn act, or a few acts that belong together.
type fault struct {
	Kind int // index in kinds
	Acts []scenario.Action
}

func (f *fault) atNs() int64 { return int64(f.Acts[0].At) }

// schedule is a run's faults and its seed. It never changes.
type schedule struct {
	Seed   uint64
	Faults []fault
}

// ground contains what all runs of a hunt have in common.
type ground struct {
	base    scenario.Scenario // the scenario with its own acts, and long enough for a recovery
	names   []string
	fromNs  int64 // faults begin here
	untilNs int64 // all faults have ended here
	kinds   []int // kinds to draw
}

// mostFaults limits the faults of a schedule.
const mostFaults = 12

// newGround prepares a scenario for a hunt. It keeps the scenario's acts, and the hunt adds faults up to the
// scenario's end. Then every process that has ended starts again, and the run continues long enough for the next
// leader to start.
func newGround(s scenario.Scenario, allowed []int) ground {
	s = s.Clone()
	s.Expect = nil
	g := ground{names: candidates(&s), fromNs: int64(time.Second), untilNs: int64(s.Duration), kinds: allowed}
	g.fromNs = min(g.fromNs, g.untilNs/2)
	s.Duration = min(s.Duration+recovery(&s), scenario.MaxDuration)
	s.Actions = append(s.Actions, restarts(g.untilNs)...)
	g.base = s
	return g
}

// `candidates` returns the names of the candidates that compete from the start, with replicas expanded. If there are
// very many candidates, it returns only some of them.
func candidates(s *scenario.Scenario) []string {
	const most = 16
	var names []string
	for _, c := range scenario.Resolve(*s).Candidates {
		if names = append(names, c.Name); len(names) == most {
			break
		}
	}
	return names
}

// recovery returns how long a run continues after its faults: twice the longest failover according to the formula,
// plus the time that the rule needs.
func recovery(s *scenario.Scenario) scenario.Duration {
	longest := scenario.Duration(0)
	for _, c := range scenario.Resolve(*s).Candidates {
		longest = max(longest, *c.Elector.LeaseDuration+5**c.Elector.RetryPeriod)
	}
	const second = scenario.Duration(time.Second)
	return (2*longest+10*second)/second*second + second
}

// drawing returns the random stream of one run of a hunt. Each run has its own stream, so run 500 draws the same
// faults even if this process has not drawn the first 499.
func (g *ground) drawing(seed uint64, number int) *drawing {
	s := random.NamedStream(seed, "hunt", strconv.Itoa(number))
	return &drawing{rand.New(&s), g.names}
}

// scenario returns the whole scenario of a schedule.
func (g *ground) scenario(s *schedule) scenario.Scenario {
	one := g.base
	one.Seed = s.Seed
	one.Actions = slices.Clone(g.base.Actions)
	for i := range s.Faults {
		one.Actions = append(one.Actions, s.Faults[i].Acts...)
	}
	slices.SortStableFunc(one.Actions, func(a, b scenario.Action) int { return cmp.Compare(a.At, b.At) })
	return one
}

// fits reports whether a schedule is valid. A schedule may be invalid, because faults can contradict each other.
func (g *ground) fits(s *schedule) bool { return scenario.Validate(g.scenario(s)) == nil }

// `with` adds a fault to the schedule. If the result would be invalid, `with` returns the schedule unchanged.
func (g *ground) with(s schedule, f fault) schedule {
	more := schedule{s.Seed, append(slices.Clip(s.Faults), f)}
	if len(more.Faults) > mostFaults || !g.fits(&more) {
		return s
	}
	return more
}

// `fault` draws a fault of a kind at an instant.
func (g *ground) fault(d *drawing, kind int, atNs int64) fault {
	return fault{kind, kinds[kind].draw(d, g.untilNs, atNs)}
}

// `fresh` draws an independent schedule: first its kinds of faults, then their number, then each fault. Runs with few
// kinds of faults (swarm testing) reach deeper states than runs with a mix of everything: five pauses in a row can do
// what one pause among four cuts cannot.
func (g *ground) fresh(d *drawing) schedule {
	s := schedule{Seed: d.Uint64N(1 << 32)}
	swarm := elements.If(g.kinds, func(k int) bool { return d.one(3) })
	if len(swarm) == 0 {
		swarm = append(swarm, g.kinds[d.IntN(len(g.kinds))])
	}
	for range 1 + d.IntN(5) {
		s = g.with(s, g.fault(d, swarm[d.IntN(len(swarm))], d.instant(g.fromNs, g.untilNs)))
	}
	return s
}

// mostSlots limits the faults of a spread schedule.
const mostSlots = 6

// `spread` draws a schedule of several faults far apart. Most faults meet candidates that have recovered from the
// previous one, because ended processes start again in between. The function deal chooses the kind of each fault.
func (g *ground) spread(d *drawing, deal func(slot int) int) schedule {
	s := schedule{Seed: d.Uint64N(1 << 32)}
	slots := int64(mostSlots - d.IntN(3))
	slotNs := (g.untilNs - g.fromNs) / slots
	for i := range slots {
		from := g.fromNs + i*slotNs
		kind := deal(int(i))
		s = g.with(s, g.fault(d, kind, d.instant(from, from+slotNs/3)))
		if i+1 < slots && kind != crashKind && !d.one(3) { // a crashed process comes back on its own
			s = g.with(s, fault{restartKind, restarts(from + slotNs*9/10)})
		}
	}
	return s
}

var restartKind, crashKind = kindNamed("restart"), kindNamed("crash")

func kindNamed(name string) int {
	return slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
}
