package export

import (
	"cmp"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// laneRows contains the vertical positions of the parts of a lane, relative to its top: the countdown, and the requests
// below its base.
type laneRows struct{ ramp, rampH, tick, tall, short int64 }

func rowsOf(h int64) laneRows {
	if h >= 40*px {
		return laneRows{4 * px, h - 17*px, h - 12*px, 9 * px, 5 * px}
	}
	return laneRows{2 * px, h - 10*px, h - 7*px, 6 * px, 4 * px}
}

// perSecond returns the pixels per second of the picture, in hundredths.
func (s *scale) perSecond() int64 { return share(1e9, s.toNs-s.fromNs, s.w) * 100 / px }

// Levels of detail, in hundredths of a pixel per second.
const (
	ticksFrom = 4 * 100   // each request has a mark; below this, columns show the number of requests
	spansFrom = 400 * 100 // a request's mark is as long as the request took
)

// lane draws the requests and the remaining time of one node, and what went wrong with it.
func (p *picture) lane(l *protocol.Lane, h int64) {
	r, class := rowsOf(h), identity(l.Index)
	base := p.y + r.ramp + r.rampH
	p.text(class+" b", margin, p.y+h/2-8*px, shorten(l.Node, p.scale.x-margin-34*px))
	if n := len(l.Spans); n > 0 && h >= 40*px {
		p.text("soft small", margin, p.y+h/2+7*px, l.Spans[n-1].Role)
	}
	if p.topNs > 0 && h >= 40*px && len(l.Ramp) > 0 {
		p.text("soft small e", p.scale.x-6*px, p.y+r.ramp+2*px, words.Number(p.topNs/1e9))
		p.text("soft small e", p.scale.x-6*px, base, "0 s")
	}
	p.grounds(l, class, &r, base)
	p.path("snone", "MH", p.scale.x, base, p.scale.at(p.liveNs))
	p.ramp(l, class, base, r.rampH)
	if p.t.Detail && p.scale.perSecond() >= ticksFrom {
		p.ticks(l, class, p.y+r.tick, &r)
	} else {
		p.columns(l, class, p.y+r.tick+r.tall, r.tall)
	}
	p.readiness(l, p.y+r.tick, &r, h)
	p.notes(l, class, p.y+r.tick+r.tall/2)
	p.arrows(l, class, p.y+r.tick)
	if h >= 40*px {
		p.zeroes(l, class, p.y+r.ramp, base)
		p.pins(l, base)
	}
}

// grounds draws what is unusual about a lane. Its ground turns red while the node works without the Lease, and amber
// while a pause or a fault of its messages lasts. The controller has an outline, and a node that does not run
// has no base.
func (p *picture) grounds(l *protocol.Lane, class string, r *laneRows, base int64) {
	ground := func(class string, fromNs, toNs int64, place box) {
		toNs = min(toNs, p.liveNs)
		if fromNs < toNs && fromNs < p.scale.toNs && toNs > p.scale.fromNs {
			place.x = p.scale.at(fromNs)
			place.w = max(p.scale.at(toNs)-place.x, 15)
			p.rect(class, place)
		}
	}
	ramp := box{y: p.y + r.ramp, h: r.rampH}
	for i := range p.t.Faults {
		if f := &p.t.Faults[i]; f.Node == l.Node && f.Kind != "down" && f.Kind != "lost" {
			ground("fault tint", f.From, f.To, ramp)
		}
	}
	for i := range l.Spans {
		switch span := &l.Spans[i]; span.Role {
		case "lost":
			ground("bad tint", span.From, span.To, ramp)
		case "controller": // the API server runs the controller but does not lead
			ground("s"+class, span.From, span.To, box{y: base - 6*px, h: 6 * px})
		case "down", "stopped":
			ground("panel", span.From, span.To, box{y: base - px, h: 2 * px})
		}
	}
}

// `ramp` draws the countdown of a lane. A countdown falls by one second per second until it restarts.
func (p *picture) ramp(l *protocol.Lane, class string, base, h int64) {
	line, area := drawing{}, drawing{}
	lastX, lastY := int64(-1), int64(0)
	point := func(atNs, leftNs int64, begins bool) {
		x, y := p.scale.at(atNs), base-share(leftNs, p.topNs, h)
		switch {
		case begins && lastX >= 0:
			area.points("L", lastX, base)
			fallthrough
		case begins:
			line.points("M", x, y)
			area.points("M", x, base)
		default:
			line.points("L", x, y)
		}
		area.points("L", x, y)
		lastX, lastY = x, y
	}
	for i := range l.Ramp {
		r := &l.Ramp[i]
		until := p.liveNs
		if i+1 < len(l.Ramp) {
			until = min(until, l.Ramp[i+1].T)
		}
		from := max(r.T, p.scale.fromNs)
		if r.ZeroAt <= r.T || from >= until {
			continue
		}
		if lastX >= 0 && p.scale.at(until)-lastX < px && base-share(r.ZeroAt-until, p.topNs, h) <= lastY {
			continue // within a pixel, draw only the least remaining time
		}
		point(from, r.ZeroAt-from, true)
		if r.ZeroAt > from && r.ZeroAt < until {
			point(r.ZeroAt, 0, false)
		}
		point(until, r.ZeroAt-until, false)
	}
	for i := 0; !p.t.Detail && l.Buckets != nil && i < len(l.Buckets.Requests); i++ {
		if at := l.Buckets.From + int64(i)*l.Buckets.WidthNs; l.Buckets.WorstNs[i] >= 0 && at < p.liveNs {
			point(max(at, p.scale.fromNs), l.Buckets.WorstNs[i], lastX < 0)
		}
	}
	if lastX >= 0 {
		area.points("L", lastX, base)
		p.paths(class+" tint", &area)
		p.paths("s"+class+" edge", &line)
	}
}

// `ticks` draws each request: a short line for a read, a tall line for an accepted write, and other shapes for
// failures.
func (p *picture) ticks(l *protocol.Lane, class string, y int64, r *laneRows) {
	head, foot := y, y+r.short
	reads, writes, failed := drawing{}, drawing{}, drawing{}
	last := int64(-10 * px)
	for i := range l.Ticks {
		k := &l.Ticks[i]
		x := p.scale.at(k.T)
		plain := k.Outcome == "ok" || k.Outcome == "notFound"
		if k.T < p.scale.fromNs || k.T > p.liveNs || plain && !k.Write && x-last < 2*px {
			continue
		}
		last = x
		if w := p.scale.at(min(k.End, p.liveNs)) - x; p.scale.perSecond() >= spansFrom && w > 0 {
			p.rect(class+" span", box{x, head, w, r.short})
		}
		switch {
		case k.Outcome == "conflict":
			p.rect("panel s"+class+" edge", box{x - 25, head, 5 * px, r.short})
		case k.Outcome == "error":
			p.text(class+" b m", x, (head+foot)/2, "!")
		case k.Outcome == "lost": // open at the far end, because nothing came back
			fork := foot - r.short*9/20
			failed.points("MLLML", x, foot, x, fork, x-35, head, x, fork, x+35, head)
		case k.Outcome == "open":
			failed.points("MVH", x, head, foot, x+30)
		case k.Write:
			writes.points("MV", x, y, y+r.tall)
		default:
			reads.points("MV", x, head, foot)
		}
	}
	p.paths("s"+class+" edge", &reads, &failed)
	p.paths("s"+class+" thick", &writes)
}

// `columns` draws the number of requests in every three pixels. The fullest column takes the whole height, and a single
// request at least two pixels.
func (p *picture) columns(l *protocol.Lane, class string, foot, h int64) {
	counts := make([]int64, p.scale.w/(3*px)+1)
	most := int64(0)
	add := func(atNs, n int64) {
		if atNs < p.scale.fromNs || atNs > p.liveNs {
			return
		}
		c := &counts[(p.scale.at(atNs)-p.scale.x)/(3*px)]
		*c += n
		most = max(most, *c)
	}
	for i := range l.Ticks {
		add(l.Ticks[i].T, 1)
	}
	for i := 0; l.Buckets != nil && i < len(l.Buckets.Requests); i++ {
		add(l.Buckets.From+int64(i)*l.Buckets.WidthNs, int64(l.Buckets.Requests[i]))
	}
	columns := drawing{}
	for c, n := range counts {
		if n > 0 {
			columns.points("MV", p.scale.x+int64(c)*3*px+px, foot, foot-max(2*px, share(n, most, h)))
		}
	}
	p.paths("s"+class+" thick", &columns)
}

// `zeroes` marks where a countdown reaches zero. From that instant on, the node may acquire the Lease, or must have
// stopped leading.
func (p *picture) zeroes(l *protocol.Lane, class string, y, base int64) {
	if p.scale.perSecond() < ticksFrom {
		return
	}
	free := p.scale.x
	for i := range l.Ramp {
		r := &l.Ramp[i]
		until := p.liveNs
		if i+1 < len(l.Ramp) {
			until = min(until, l.Ramp[i+1].T)
		}
		if r.ZeroAt <= r.T || r.ZeroAt > until || r.ZeroAt < p.scale.fromNs {
			continue
		}
		x := p.scale.at(r.ZeroAt)
		p.path("s"+class, "MV", x, y, base)
		p.ring(class, x, base, 4*px)
		text := "may acquire " + words.Instant(r.ZeroAt)
		if r.Leading {
			text = "must stop " + words.Instant(r.ZeroAt)
		}
		if w := widthOf(text) + 10*px; x-w >= free {
			p.text(class+" b e", x-5*px, y+5*px, text)
			free = x
		} else if x+w <= p.scale.x+p.scale.w {
			p.text(class+" b", x+5*px, y+5*px, text)
			free = x + w
		}
	}
}

// pins marks where each fault of the node begins, and names the fault if there is room. A fault of all nodes has no
// pin, because it does not belong to a lane. It appears only in the row of faults.
func (p *picture) pins(l *protocol.Lane, y int64) {
	p.pinned[l.Node] = true
	free := int64(0)
	for i := range p.t.Faults {
		f := &p.t.Faults[i]
		if f.Node != l.Node || f.From < p.scale.fromNs || f.From > p.liveNs {
			continue
		}
		x := p.scale.at(f.From)
		p.path("sfault edge dashes", "MV", x, p.topY, y)
		p.ring("panel", x, y, 8*px)
		p.ring("sfault edge", x, y, 8*px)
		p.text("fault b m bare", x, y, cmp.Or(map[string]string{"paused": "II"}[f.Kind], "×"))
		text := began(p.t.Landmarks, f)
		if w := widthOf(text) + 14*px; x >= free && x+w <= p.scale.x+p.scale.w {
			p.text("fault b", x+13*px, y-9*px, text)
			free = x + w
		}
	}
}

// `began` describes the beginning of a fault: "a crashes", not "a is down".
func began(landmarks []timeline.Landmark, f *protocol.FaultSpan) string {
	for i := range landmarks {
		if m := &landmarks[i]; m.T == f.From && m.Kind != "leader" {
			return m.Text
		}
	}
	return f.Text
}
