package export

import (
	"cmp"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
)

const (
	widthPx   = 1200
	mostLanes = 60
	margin    = 16 * px
	lineRunes = 160
	linkLines = 6
)

// picture is the timeline of a span, drawn row by row.
type picture struct {
	drawing
	t      *protocol.Timeline
	scale  scale
	wide   int64
	lanes  int // number of lanes to draw
	liveNs int64
	topNs  int64 // the length of a countdown at full height
	topY   int64 // of the ribbon, where the lines of the pins begin
	// pinned are the nodes whose lanes show their faults as pins.
	pinned map[string]bool
	// serverY is the line of the API server; 0 if the scale is too small for arrows.
	serverY int64
	y       int64 // vertical position of the next row's top
}

// SVG draws the timeline of a span as the page does: the axis, who works, whom the Lease names, the lanes, and the
// small print. Faults that no lane shows and violations have separate rows. SVG returns an error if an instant is
// outside the run.
func SVG(look timeline.Look, o Options) (string, error) {
	if err := o.check(look); err != nil {
		return "", err
	}
	width := cmp.Or(o.WidthPx, widthPx)
	p := picture{t: view.Timeline(look, o.FromNs, o.ToNs, width), wide: int64(width) * px,
		lanes: cmp.Or(o.Lanes, mostLanes), liveNs: min(look.Live.T, o.ToNs), pinned: map[string]bool{}}
	gutter := 112 * int64(px)
	for i := range p.t.Lanes {
		gutter = max(gutter, min(widthOf(p.t.Lanes[i].Node)+90*px, 240*px))
	}
	p.scale = scale{o.FromNs, o.ToNs, gutter, p.wide - gutter - 20*px}
	if !o.Small {
		p.text("ink big", margin, 20*px, shorten(title(look), p.wide-2*margin-40*px))
		p.y = 36 * px
	}
	ruler := p.y
	p.y += 24 * px
	p.ribbon()
	p.leaseNames()
	p.server()
	p.drawLanes(o.Small)
	p.resource()
	p.faults()
	p.violations()
	bottom := p.y
	p.print(smallPrint(look, o), o.Link)

	whole := drawing{}
	drawn := string(p.out)
	whole.element(`<svg xmlns="http://www.w3.org/2000/svg" width="`, p.wide, `" height="`, p.y, `" viewBox="0 0 `,
		p.wide, " ", p.y, `" role="img">`, "\n<title>", forXML(title(look)+": "+smallPrint(look, o)), "</title>\n",
		"<style>", sheet(o.Theme, drawn), "</style>\n<defs>")
	for _, h := range hatches() {
		if h.isIn(drawn) {
			whole.hatch(h)
		}
	}
	whole.put("</defs>\n")
	whole.rect("panel", box{0, 0, p.wide, p.y})
	whole.axis(&p.scale, ruler, bottom)
	return string(whole.out) + drawn + "</svg>\n", nil
}

// identity returns the class of a node's color.
func identity(index int) string {
	if index < 0 {
		return "soft"
	}
	return [...]string{"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"}[min(index, 7)]
}

// `axis` draws the times at the top, and at each time a line through all rows.
func (d *drawing) axis(s *scale, y, bottom int64) {
	step := niceStep((s.toNs - s.fromNs) / max(1, s.w/(90*px)))
	digits := 0
	for unit := int64(1e9); unit > step && digits < 9; unit /= 10 {
		digits++
	}
	if digits > 3 { // more digits need more room
		step = niceStep((s.toNs - s.fromNs) / max(1, s.w/(140*px)))
	}
	for t := (s.fromNs + step - 1) / step * step; t <= s.toNs; t += step {
		x := s.at(t)
		d.path("sline", "MV", x, y+18*px, bottom)
		d.text("soft m", x, y+8*px, instant(t, digits))
	}
}

// niceStep returns the smallest round step of time that is at least this long.
func niceStep(atLeast int64) int64 {
	for _, s := range [...]int64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
		86400} {
		if atLeast > 5e8 && s*1e9 >= atLeast {
			return s * 1e9
		}
	}
	unit := int64(1)
	for unit*10 <= atLeast {
		unit *= 10
	}
	for _, f := range [...]int64{1, 2, 5} {
		if f*unit >= atLeast {
			return f * unit
		}
	}
	return 10 * unit
}

// `instant` formats an instant with the given number of decimals.
func instant(ns int64, digits int) string {
	if digits <= 3 {
		return strings.TrimSuffix(words.Instant(ns)[:len(words.Instant(ns))-3+digits], ".")
	}
	rest := words.Number(1e9 + ns%1e9)[1:]
	text := words.Instant(ns - ns%1e9)
	return text[:len(text)-3] + rest[:digits]
}

// `name` draws the name of a row.
func (p *picture) name(text string, y int64) { p.text("ink", margin, y, text) }

// ribbonH is the height of the row of the active leaders.
const ribbonH = 26 * px

// `ribbon` draws who works: the active leaders. Over them it draws when nobody led, the leader did no work,
// or two led. Two leaders share the height.
func (p *picture) ribbon() {
	p.topY = p.y
	p.text("ink b", margin, p.y+ribbonH/2, "Who works")
	rows := map[int]int64{} // by band: how many of its leaders have a bar
	for i := range p.t.Lanes {
		l, from, to := &p.t.Lanes[i], int64(0), int64(0)
		for _, span := range append(l.Spans[:len(l.Spans):len(l.Spans)], protocol.RoleSpan{}) {
			works := span.Active || span.Role == "leading" || span.Role == "lost"
			if !works || span.From != to {
				p.term(l, from, to, rows)
				from = span.From
			}
			if to = span.To; !works {
				from = to
			}
		}
	}
	p.bands()
}

// term draws a span in which a node works as a leader, and counts its bar in the rows of each band.
func (p *picture) term(l *protocol.Lane, fromNs, toNs int64, rows map[int]int64) {
	for b := range p.t.Bands {
		band := &p.t.Bands[b]
		if band.Kind == "nobody" || band.To <= fromNs || band.From >= toNs {
			continue
		}
		p.bar(fromNs, band.From, box{0, p.y, 0, ribbonH}, l)
		place := box{0, p.y, 0, ribbonH}
		if band.Kind == "two" {
			place = box{0, p.y + min(rows[b], 1)*ribbonH/2, 0, ribbonH / 2}
			rows[b]++
		}
		p.bar(max(band.From, fromNs), min(band.To, toNs), place, &protocol.Lane{Index: l.Index})
		fromNs = band.To
	}
	p.bar(fromNs, toNs, box{0, p.y, 0, ribbonH}, l)
}

// bar draws a leader for a span of time, with its name if the name fits.
func (p *picture) bar(fromNs, toNs int64, place box, l *protocol.Lane) {
	toNs = min(toNs, p.scale.toNs, p.liveNs)
	if fromNs = max(fromNs, p.scale.fromNs); toNs <= fromNs {
		return
	}
	place.x = p.scale.at(fromNs)
	place.w = max(p.scale.at(toNs)-place.x, px)
	p.rect(identity(l.Index), place)
	if word := fitting(place.w-8*px, []string{l.Node}); word != "" {
		p.text("on bare m", place.x+place.w/2, place.y+place.h/2, word)
	}
}

// leaseNames draws whom the Lease names, as a line that is hollow once the holder no longer renews the Lease.
func (p *picture) leaseNames() {
	p.text("soft small", margin, p.y+4*px, "Lease names")
	for i := range p.t.Holder {
		span := &p.t.Holder[i]
		end := min(span.To, p.liveNs, p.scale.toNs)
		if span.Holder == "" || span.From >= end || end <= p.t.From {
			continue
		}
		x, fresh := p.scale.at(span.From), p.scale.at(max(span.From, min(end, span.RenewedUntil)))
		p.rect(identity(span.Index), box{x, p.y + 2*px, max(fresh-x, px), 4 * px})
		if rest := p.scale.at(end) - fresh - px; rest > 0 {
			p.rect("panel s"+identity(span.Index), box{fresh, p.y + 2*px, rest, 4 * px})
		}
	}
	p.handOvers(p.y + 4*px)
	p.y += 16 * px
}

// drawLanes draws a lane for each node.
func (p *picture) drawLanes(small bool) {
	h := 64 * int64(px)
	if n := min(len(p.t.Lanes), p.lanes); n > 12 {
		h = 24 * px
	} else if n > 5 || small && n > 3 {
		h = 40 * px
	}
	for i := range p.t.Lanes {
		for _, r := range p.t.Lanes[i].Ramp {
			p.topNs = max(p.topNs, r.ZeroAt-r.T)
		}
	}
	for i := range p.t.Lanes[:min(len(p.t.Lanes), p.lanes)] {
		p.lane(&p.t.Lanes[i], h)
		p.y += h
	}
	if more := len(p.t.Lanes) - p.lanes; more > 0 {
		p.text("soft", margin, p.y+10*px, "and "+words.Count(more, "more node", "more nodes"))
		p.y += 20 * px
	}
	p.y += 6 * px
}

// `print` draws the small print, with the link on as many lines as necessary.
func (p *picture) print(print, link string) {
	p.y += 14 * px
	p.text("soft small", margin, p.y, shorten(print, p.wide-2*margin))
	if link = address(link); link != "" {
		p.put(`<a href="`, forXML(link), "\">\n")
		for i := 0; i < linkLines && link != ""; i++ {
			n := min(len(link), lineRunes)
			line := link[:n]
			if link = link[n:]; i == linkLines-1 && link != "" {
				line = line[:n-1] + "…"
			}
			p.y += 15 * px
			p.text("soft small", margin, p.y, line)
		}
		p.put("</a>\n")
	}
	p.y += 14 * px
}
