package hunt

import (
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// `vary` adds two to four faults to a schedule at times when they may matter, and then makes one or two other changes.
// One of the faults may come from the argument other. `vary` skips changes that would make the schedule invalid, so
// there may be fewer changes.
func (g *ground) vary(d *drawing, from, other *keptRun, weigh func(kind int) bool) schedule {
	v := schedule{from.schedule.Seed, slices.Clone(from.schedule.Faults)}
	for range 2 + d.IntN(3) {
		v = g.addNear(d, v, from, weigh)
	}
	for range 1 + d.IntN(2) {
		switch d.IntN(7) {
		case 0:
			v = g.dropFault(d, v)
		case 1:
			v = g.move(d, v)
		case 2:
			v = g.stretch(d, v)
		case 3:
			v = g.redraw(d, v)
		case 4:
			v = g.retarget(d, v)
		case 5:
			v = g.cross(d, v, &other.schedule)
		case 6:
			v.Seed = d.Uint64N(1 << 32)
		}
	}
	return v
}

func (g *ground) dropFault(d *drawing, s schedule) schedule {
	if len(s.Faults) < 2 {
		return s
	}
	i := d.IntN(len(s.Faults))
	return g.validOr(s, schedule{s.Seed, slices.Delete(slices.Clone(s.Faults), i, i+1)})
}

// validOr returns a changed schedule if that schedule is valid, and otherwise the original.
func (g *ground) validOr(before, after schedule) schedule {
	if !g.fits(&after) {
		return before
	}
	return after
}

// addNear adds a fault at a time when the leader was in trouble or a candidate led, usually near another fault,
// because two faults can cause a failure together only if they are close together.
func (g *ground) addNear(d *drawing, s schedule, from *keptRun, weigh func(kind int) bool) schedule {
	k := g.kinds[d.IntN(len(g.kinds))]
	if !weigh(k) {
		return s
	}
	at := g.pickInstant(d, from.led)
	const tries, aroundNs = 4, int64(20 * time.Second)
	for range tries {
		if len(s.Faults) == 0 || slices.ContainsFunc(s.Faults,
			func(f fault) bool { return max(at-f.atNs(), f.atNs()-at) < aroundNs }) {
			break
		}
		at = g.pickInstant(d, from.led)
	}
	if len(from.silent) > 0 && d.one(2) {
		at = g.pickInstant(d, from.silent)
	}
	if len(s.Faults) == mostFaults {
		s = g.dropFault(d, s)
	}
	return g.with(s, g.fault(d, k, at))
}

// pickInstant draws an instant within the spans. Without spans, it draws any instant.
func (g *ground) pickInstant(d *drawing, spans []span) int64 {
	total := int64(0)
	for _, s := range spans {
		total += s.ToNs - s.FromNs
	}
	if total <= 0 {
		return d.instant(g.fromNs, g.untilNs)
	}
	at := d.instant(0, total)
	for _, s := range spans {
		if length := s.ToNs - s.FromNs; at > length {
			at -= length
			continue
		}
		const tenth = 100_000_000
		return min(max((s.FromNs+at)/tenth*tenth, g.fromNs), g.untilNs)
	}
	return g.untilNs
}

// replaceActs changes the acts of one fault.
func (g *ground) replaceActs(s schedule, i int, change func(acts []scenario.Action)) schedule {
	after := schedule{s.Seed, slices.Clone(s.Faults)}
	after.Faults[i].Acts = slices.Clone(s.Faults[i].Acts)
	change(after.Faults[i].Acts)
	for k := range after.Faults[i].Acts {
		if a := &after.Faults[i].Acts[k]; int64(a.At) < g.fromNs || int64(a.At+a.For) > g.untilNs {
			return s
		}
	}
	return g.validOr(s, after)
}

// `move` moves a fault by up to a few seconds.
func (g *ground) move(d *drawing, s schedule) schedule {
	if len(s.Faults) == 0 {
		return s
	}
	by := scenario.Duration(d.instant(0, int64(pick(d, 2*time.Second, 5*time.Second, 20*time.Second))))
	if d.one(2) {
		by = -by
	}
	return g.replaceActs(s, d.IntN(len(s.Faults)), func(acts []scenario.Action) {
		for k := range acts {
			acts[k].At += by
		}
	})
}

// `stretch` makes a fault longer or shorter.
func (g *ground) stretch(d *drawing, s schedule) schedule {
	if len(s.Faults) == 0 {
		return s
	}
	i := d.IntN(len(s.Faults))
	length := d.length(s.Faults[i].atNs(), g.untilNs)
	return g.replaceActs(s, i, func(acts []scenario.Action) {
		switch last := &acts[len(acts)-1]; {
		case acts[0].For > 0:
			acts[0].For = length
		case len(acts) > 1 && last.For == 0:
			last.At = acts[0].At + length
		}
	})
}

// `redraw` draws a fault of the same kind at the same instant.
func (g *ground) redraw(d *drawing, s schedule) schedule {
	if len(s.Faults) == 0 {
		return s
	}
	i := d.IntN(len(s.Faults))
	after := schedule{s.Seed, slices.Clone(s.Faults)}
	after.Faults[i] = g.fault(d, s.Faults[i].Kind, s.Faults[i].atNs())
	return g.validOr(s, after)
}

func (g *ground) retarget(d *drawing, s schedule) schedule {
	if len(s.Faults) == 0 {
		return s
	}
	who := g.names[d.IntN(len(g.names))]
	return g.replaceActs(s, d.IntN(len(s.Faults)), func(acts []scenario.Action) {
		for k := range acts {
			if acts[k].Target != "" {
				acts[k].Target = who
			}
		}
	})
}

// `cross` copies a fault from another schedule.
func (g *ground) cross(d *drawing, s schedule, other *schedule) schedule {
	if len(other.Faults) == 0 {
		return s
	}
	return g.with(s, other.Faults[d.IntN(len(other.Faults))])
}
