package export

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// This file draws parts that only some runs need: writes to a resource, the monitors' verdicts, pings and handovers,
// and the arrows of requests at a large scale. The page draws the same parts as overlays of its timeline.

const (
	writesApart = 10 * px // writes closer together than this distance share a mark
	mostArrows  = 300     // a picture with more requests has no arrows
)

// fates are the outcomes of writes, the worst first.
var fates = map[string]int{"staleAccepted": 0, "refused": 1, "kept": 2, "lost": 3, "givenUp": 4, "accepted": 5}

func fateOf(w *timeline.Write) string {
	if w.Outcome == "accepted" && w.Stale {
		return "staleAccepted"
	}
	return w.Outcome
}

// `resource` draws the leaders' writes to the scenario's resource, each at the instant when it arrived. If several
// writes share a mark, it draws the worst outcome.
func (p *picture) resource() {
	if p.t.Resource == nil {
		return
	}
	middle, bottom := p.y+12*px, p.y+20*px
	p.name("Resource", middle)
	p.path("sline", "MH", p.scale.x, bottom, p.scale.at(p.liveNs))
	token, lastX := int64(-1), int64(-writesApart)
	marks := []*timeline.Write{}
	for i := range p.t.Resource.Writes {
		w := &p.t.Resource.Writes[i]
		if w.T < p.scale.fromNs || w.T > min(p.liveNs, p.scale.toNs) {
			continue
		}
		if x := p.scale.at(w.T); x-lastX >= writesApart {
			marks, lastX = append(marks, w), x
		} else if last := len(marks) - 1; fates[fateOf(w)] < fates[fateOf(marks[last])] {
			marks[last] = w
		}
	}
	for i, w := range marks {
		x, fate := p.scale.at(w.T), fateOf(w)
		p.fate(fate, identity(int(w.Index)), x, middle)
		room := p.scale.x + p.scale.w - x - 12*px
		if i+1 < len(marks) {
			room = p.scale.at(marks[i+1].T) - x - 16*px
		}
		said := "token " + words.Number(w.Token)
		grave := fate == "staleAccepted" || fate == "refused"
		if word := fitting(room, []string{said, words.Number(w.Token)}); (grave || w.Token != token) &&
			fates[fate] != fates["kept"] && fates[fate] != fates["givenUp"] && word != "" {
			p.text("ink", x+9*px, middle, word)
			token = w.Token // only once for a series, if there is room
		}
	}
	p.y += 30 * px
}

// `fate` draws the shape of an outcome: a bar for accepted, a triangle for stale, a crossed box for refused, a fork for
// lost, a ring for the end.
func (p *picture) fate(fate, class string, x, y int64) {
	switch fate {
	case "staleAccepted":
		p.path(class, "MLLZ", x, y-8*px, x+65, y+8*px, x-65, y+8*px)
	case "refused":
		p.rect("panel s"+class+" edge", box{x - 55, y - 55, 11 * px, 11 * px})
		p.cross("s"+class+" edge", x, y, 3*px)
	case "lost":
		p.path("s"+class+" edge", "MLLML", x, y+8*px, x, y, x-4*px, y-8*px, x, y, x+4*px, y-8*px)
	case "givenUp":
		p.ring("s"+class+" edge", x, y, 4*px)
	case "kept":
		p.ring(class, x, y, 4*px)
	default:
		p.rect(class, box{x - 12, y - 8*px, 25, 16 * px})
	}
}

// ring draws a circle, as two halves.
func (d *drawing) ring(class string, x, y, r int64) {
	d.path(class, "MaMa", x-r, y, r, r, 0, px, 0, 2*r, 0, x+r, y, r, r, 0, px, 0, -2*r, 0)
}

func (d *drawing) cross(class string, x, y, r int64) {
	d.path(class, "MLML", x-r, y-r, x+r, y+r, x+r, y-r, x-r, y+r)
}

// `readiness` draws what the monitors consider a node to be: a line for ready, a hatched box for not ready, and a box
// of half the height if the monitors disagree.
func (p *picture) readiness(l *protocol.Lane, y int64, r *laneRows, h int64) {
	for i := range l.Ready {
		span := &l.Ready[i]
		if span.From > p.liveNs || span.From > p.scale.toNs || span.To < p.scale.fromNs {
			continue
		}
		x := p.scale.at(span.From)
		w := max(p.scale.at(min(span.To, p.liveNs))-x, 2*px)
		said, class := "ready", "soft"
		switch span.Role {
		case "ready":
			p.rect("soft", box{x, y + r.tall - 2*px, w, 2 * px})
		case "disputed":
			said, class = "the monitors disagree", "bad"
			p.rect("two sbad", box{x, y + r.tall/2, w, r.tall / 2})
		default:
			said, class = "considered dead", "bad"
			p.rect("two sbad", box{x, y, w, r.tall})
		}
		if h >= 40*px && widthOf(said)+8*px <= w {
			p.text(class+" small", x+4*px, y-8*px, said)
		}
	}
}

// `notes` draws the pings and acks of a lane, and the deletion of its candidate.
func (p *picture) notes(l *protocol.Lane, class string, y int64) {
	for i := range p.t.Notes {
		note := &p.t.Notes[i]
		if note.Index != l.Index || note.Kind == "handOver" || note.T < p.scale.fromNs ||
			note.T > min(p.liveNs, p.scale.toNs) {
			continue
		}
		x := p.scale.at(note.T)
		side := int64(1)
		switch note.Kind {
		case "ping":
			side = -1
		case "ack":
		default:
			p.cross("s"+class+" edge", x, y, 4*px)
			continue
		}
		fill := "panel s" + class
		if note.Kind == "ack" {
			fill = class
		}
		p.path(fill+" edge", "MLLZ", x+9*px*side, y+4*px*side, x+px*side, y+4*px*side, x+5*px*side, y-4*px*side)
	}
}

// handOvers draws the name of the preferred holder above the Lease's holder, starting when the Lease names a
// preferred holder.
func (p *picture) handOvers(y int64) {
	free := int64(0)
	for i := range p.t.Notes {
		note := &p.t.Notes[i]
		x := p.scale.at(note.T)
		if note.Kind != "handOver" || note.T < p.scale.fromNs || note.T > min(p.liveNs, p.scale.toNs) || x < free {
			continue
		}
		said := "→ " + p.t.Lanes[note.Other].Node
		p.text("ink b", x+3*px, y, said)
		free = x + widthOf(said) + 8*px
	}
}

// `server` draws the row of the API server, if the scale is large enough for arrows.
func (p *picture) server() {
	requests := 0
	for i := range p.t.Lanes[:min(len(p.t.Lanes), p.lanes)] {
		requests += len(p.t.Lanes[i].Ticks)
	}
	if !p.t.Detail || p.scale.perSecond() < spansFrom || requests > mostArrows {
		return
	}
	p.serverY = p.y + 24*px
	p.name("API server", p.y+14*px)
	p.path("sline", "MH", p.scale.x, p.serverY, p.scale.at(p.liveNs))
	p.y += 34 * px
}

// `arrows` draws the requests of a lane on their way to the API server and back. The line of a message that does not
// arrive ends halfway, without a head.
func (p *picture) arrows(l *protocol.Lane, class string, foot int64) {
	if p.serverY == 0 {
		return
	}
	legs, marks, half := drawing{}, drawing{}, (foot+p.serverY)/2
	for i := range l.Ticks {
		k := &l.Ticks[i]
		if k.T < p.scale.fromNs || k.End > min(p.liveNs, p.scale.toNs) || k.Outcome == "open" {
			continue
		}
		sent, ended := p.scale.at(k.T), p.scale.at(k.End)
		if k.Served == 0 {
			legs.lostAt(sent, foot, sent+min(12*px, (ended-sent)/2), half)
			continue
		}
		x := p.scale.at(k.Served)
		legs.arrow(sent, foot, x, p.serverY)
		switch {
		case k.Outcome == "lost":
			legs.lostAt(x, p.serverY, x+min(12*px, (ended-x)/2), half)
		default:
			legs.arrow(x, p.serverY, ended, foot)
		}
		tall := int64(5 * px)
		if k.Write {
			tall = 11 * px
		}
		marks.points("MV", x, p.serverY+3*px, p.serverY-tall)
		said := ""
		if k.Outcome == "conflict" {
			said = "409"
		} else if k.Version > 0 {
			said = "v" + words.Number(int64(k.Version))
		}
		if said != "" {
			p.text("ink small", x+5*px, p.serverY-9*px, said)
		}
	}
	p.paths("s"+class, &legs)
	p.paths("s"+class+" thick", &marks)
}

// arrow draws a line with an open head at its end.
func (d *drawing) arrow(x0, y0, x1, y1 int64) {
	back := int64(5 * px)
	if y1 < y0 {
		back = -back
	}
	d.points("MLMLL", x0, y0, x1, y1, x1-3*px, y1-back, x1, y1, x1+px, y1-back)
}

// lostAt draws the line of a lost message, whose end is open.
func (d *drawing) lostAt(x0, y0, x1, y1 int64) {
	fork := int64(6 * px)
	if y1 > y0 {
		fork = -fork
	}
	d.points("MLMLL", x0, y0, x1, y1, x1-4*px, y1-fork, x1, y1, x1+4*px, y1-fork)
}

// `observations` marks broken rules that are only observations, at the bottom of the row of violations.
func (p *picture) observations(y int64) {
	last := int64(-6 * px)
	for i := range p.t.Observations {
		at := p.t.Observations[i].From
		x := p.scale.at(at)
		if at < p.scale.fromNs || at > min(p.liveNs, p.scale.toNs) || x-last < 6*px {
			continue
		}
		last = x
		p.path("ssoft edge", "MLLLZ", x, y-4*px, x+4*px, y, x, y+4*px, x-4*px, y)
	}
}
