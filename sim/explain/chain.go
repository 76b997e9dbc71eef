package explain

import (
	"sort"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// leg is one request of an attempt.
type leg struct {
	verb     elector.Verb
	object   elector.Object
	servedNs int64 // -1: not served
	sent     Place
	ended    Place
}

// maxLegs is how many requests an attempt that succeeds has at most: an update that met a conflict, a read, an update; with a
// lock of two objects the read is two requests, the update three.
const maxLegs = 6

// stage is what happened to a leader since it last renewed, beside the renewal itself.
type stage struct {
	at   Place
	kind stageKind
}

type stageKind uint8

const (
	leads stageKind = iota
	renewed
	tries
	stands
	goesOn
	asked
	tails
)

// maxStages bounds what is remembered of a leader that does not renew. Beyond it the last stage just lasts longer.
const maxStages = 64

// version is a stored version of the Lease and where it was stored.
type version struct {
	at     Place
	holder coordination.Symbol
	endsNs int64 // renewTime and leaseDurationSeconds, as an instant of the run
}

// follow notes what chains are made of. It comes before everything else that the record changes.
func (t *Tracker) follow(w *world.World, c *watcher, r *trace.Record, at Place) {
	switch r.Kind {
	case trace.RequestNotSent, trace.Throttled:
		if !c.inAttempt {
			c.legs = 0
		}
		if r.Kind == trace.Throttled {
			c.held = at
		}
	case trace.RequestSent:
		if !c.inAttempt {
			c.legs = 0
		}
		c.sent, c.seq = at, r.Seq
		if c.leads && c.trying.Ordinal == 0 {
			c.trying = at
		}
	case trace.RequestServed:
		if r.Verb != elector.Get && stored(r) {
			t.store(at, r)
		}
		if r.Seq == c.seq {
			c.shown = t.stored.at
			if r.Object == elector.ConfigMap {
				c.shown = t.mapped
			}
		}
	case trace.RequestEnded:
		if c.legs < maxLegs {
			c.leg[c.legs] = leg{verb: r.Verb, object: r.Object, servedNs: r.Exchange().ServedNs, sent: c.sent, ended: at}
			c.legs++
		}
		if c.leads && r.Verb != elector.Get && r.Result == step.Success {
			c.renewed, c.trying, c.stages = at, Place{}, nil
			if served := r.Exchange().ServedNs; served >= 0 {
				c.answerNs = r.At - served
			}
		}
	case trace.StartedLeading:
		c.leads, c.leadsAt, c.renewed, c.trying, c.stages = true, at, Place{}, Place{}, nil
	case trace.Paused:
		c.stage(stands, at)
	case trace.Resumed:
		c.stage(goesOn, at)
	case trace.StopAsked:
		c.stage(asked, at)
	case trace.LeadingDone:
		if r.Work().LeftNs != 0 {
			c.stage(tails, at)
		}
	}
}

// stored reports whether a write was accepted and made a version.
func stored(r *trace.Record) bool { return r.Outcome.Accepted() && r.Outcome != storage.Unchanged }

func (t *Tracker) store(at Place, r *trace.Record) {
	if r.Object == elector.ConfigMap {
		t.mapped = at
		return
	}
	ends := int64(r.Spec.RenewTime)*1000 - world.EpochUnixNs + int64(r.Spec.LeaseDurationSeconds)*1e9
	t.was, t.stored = t.stored, version{at, r.Spec.HolderIdentity, ends}
}

// Renewal is when a node last heard that it had renewed the Lease as a leader, and how long that answer had been on its
// way from the instant at which the server stored the renewal.
func (t *Tracker) Renewal(i int32) (at Place, answerNs int64, known bool) {
	if int(i) >= len(t.watchers) || t.watchers[i].renewed.Ordinal == 0 {
		return Place{}, 0, false
	}
	return t.watchers[i].renewed, t.watchers[i].answerNs, true
}

func (c *watcher) stage(kind stageKind, at Place) {
	if c.leads && len(c.stages) < maxStages {
		c.stages = append(c.stages, stage{at, kind})
	}
}

var stageWords = [...]string{
	leads:   "%s led",
	renewed: "%s had renewed and waited for its next turn",
	tries:   "%s tried to renew",
	stands:  "%s was paused",
	goesOn:  "%s went on, and had yet to notice",
	asked:   "%s had been asked to stop and was letting go",
	tails:   "%s's context had ended, its work went on",
}

// stagesOf divides a stretch of time by what a leader did in it. The parts cover it without a hole.
func (c *watcher) stagesOf(name string, fromNs, toNs int64) []Part {
	all := append(make([]stage, 0, len(c.stages)+3), stage{c.leadsAt, leads})
	if c.renewed.Ordinal != 0 {
		all = append(all, stage{c.renewed, renewed})
	}
	if c.trying.Ordinal != 0 {
		all = append(all, stage{c.trying, tries})
	}
	all = append(all, c.stages...)
	sort.SliceStable(all, func(i, j int) bool { return earlier(all[i].at, all[j].at) })
	var e Explanation
	e.ToNs = toNs
	b := builder{e: &e, cursor: fromNs}
	b.until(c.leadsAt.AtNs, c.leadsAt, "others were active before %s led", name)
	for i := range all {
		until := toNs
		if i+1 < len(all) {
			until = all[i+1].at.AtNs
		}
		b.until(until, all[i].at, stageWords[all[i].kind], name)
	}
	return e.Parts
}

func earlier(a, b Place) bool { return a.AtNs < b.AtNs || a.AtNs == b.AtNs && a.Ordinal < b.Ordinal }

// chain lays the whole way to the new leader's start end to end: from the last renewal that it saw, over its countdown
// and its wait, to every leg of its requests. What of it lies in the gap is divided at the gap's beginning.
func (t *Tracker) chain(w *world.World, c *watcher, r *trace.Record, at Place, e *Explanation) {
	whole := Explanation{FromNs: e.FromNs, ToNs: e.ToNs}
	b := builder{w: w, e: &whole, who: r.Candidate, name: e.ToName, cursor: e.FromNs, splitNs: e.FromNs}
	if e.FromNs == e.ToNs {
		b.cursor = c.attempt
	}
	if e.CountedNs > 0 {
		t.counted(&b, c)
	} else {
		t.uncounted(&b, c, r)
	}
	t.waited(&b, c)
	for k := range c.leg[:c.legs] {
		l := &c.leg[k]
		verb := method(l.verb, l.object)
		if c.held.Ordinal != 0 && c.held.AtNs == b.cursor {
			b.until(l.sent.AtNs, c.held, "while its own rate limiter held the %s back", verb)
		}
		b.until(l.sent.AtNs, l.sent, "until %s sent its %s", b.name, verb)
		if l.servedNs >= 0 {
			b.until(l.servedNs, l.sent, "until the API server served the %s", verb)
			b.until(l.ended.AtNs, l.ended, "for its answer to come back")
			continue
		}
		b.until(l.ended.AtNs, l.ended, "for the %s, in vain", verb)
	}
	b.until(e.ToNs, at, "until %s led", b.name)
	e.Chain = whole.Parts
	e.ChainFromNs = e.ToNs
	if len(e.Chain) > 0 {
		e.ChainFromNs = e.Chain[0].FromNs
	}
}

// counted: the way begins where the renewal that the new leader counted from was stored.
func (t *Tracker) counted(b *builder, c *watcher) {
	before := b.w.DisplayName(c.taken.HolderIdentity)
	begins := c.takeSeen
	if c.takeShown.Ordinal != 0 && c.takeShown.AtNs <= c.takeSeen.AtNs {
		begins = c.takeShown
	}
	if b.e.FromNs < b.e.ToNs && b.e.FromNs < begins.AtNs { // a renewal that was under way, or an administrator's write
		b.until(begins.AtNs, begins, "until the Lease was written last")
	}
	b.cursor = min(begins.AtNs, b.e.ToNs)
	if begins != c.takeSeen {
		b.until(c.takeSeen.AtNs, c.takeShown, "from %s's last renewal until %s saw it", before, b.name)
	}
	fromNs := b.cursor
	if b.splitNs > fromNs && b.splitNs < c.takeExpiresNs {
		b.until(b.splitNs, c.takeSeen, "of %s's countdown had passed when the gap began", b.name)
	}
	b.until(c.takeExpiresNs, c.takeSeen, "left on %s's countdown", b.name)
}

// uncounted: there was no Lease, it named nobody, or it already named the new leader.
func (t *Tracker) uncounted(b *builder, c *watcher, r *trace.Record) {
	switch {
	case c.created:
		b.until(c.started.AtNs, c.started, "until %s started", b.name)
	case c.taken.HolderIdentity == 0:
		emptied := b.w.Node(b.who).EmptiedNs()
		b.until(emptied, Place{AtNs: emptied, Ordinal: -1}, "until the Lease was let go")
	default:
		t.given(b, c, r)
	}
}

// waited: from the moment at which the Lease was free to take to the attempt that took it.
func (t *Tracker) waited(b *builder, c *watcher) {
	for k := range c.failed {
		f := &c.failed[k]
		if f.toNs <= b.cursor || f.toNs > c.attempt {
			continue
		}
		b.until(f.fromNs, f.place, "until %s looked", b.name)
		b.until(f.toNs, f.place, "%s", map[bool]string{true: "lost to a faster write", false: "in a vain try"}[f.wrote && f.result == step.Conflict])
	}
	if c.wait.Ordinal != 0 && c.wait.AtNs+c.waitNs == c.attempt {
		b.until(c.attempt, c.wait, "left of the %s that %s had drawn to wait (%s)", words.Seconds(c.waitNs), b.name, percent(c.draw))
		return
	}
	b.until(c.attempt, c.got, "until %s looked", b.name)
}
