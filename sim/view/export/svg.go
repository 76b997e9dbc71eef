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
	// serverY is the line of the API server; 0 if the scale is too small for arrows.
	serverY int64
	y       int64 // vertical position of the next row's top
}

// SVG draws the timeline of a span: the axis, the holder of the Lease, the lanes, the active leaders, the faults, the
// violations and the small print. It returns an error if an instant is outside the run.
func SVG(look timeline.Look, o Options) (string, error) {
	if err := o.check(look); err != nil {
		return "", err
	}
	width := cmp.Or(o.WidthPx, widthPx)
	p := picture{t: view.Timeline(look, o.FromNs, o.ToNs, width), wide: int64(width) * px,
		lanes: cmp.Or(o.Lanes, mostLanes), liveNs: min(look.Live.T, o.ToNs)}
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
	p.holder()
	p.server()
	p.drawLanes(o.Small)
	p.resource()
	p.bands()
	p.faults()
	p.violations()
	bottom := p.y
	p.print(smallPrint(look, o), o.Link)

	whole := drawing{}
	whole.put(`<svg xmlns="http://www.w3.org/2000/svg" width="`)
	whole.number(p.wide)
	whole.put(`" height="`)
	whole.number(p.y)
	whole.put(`" viewBox="0 0 `)
	whole.number(p.wide)
	whole.put(" ")
	whole.number(p.y)
	drawn := string(p.out)
	whole.put(`" role="img">`, "\n<title>", forXML(title(look)+": "+smallPrint(look, o)), "</title>\n<style>",
		sheet(o.Theme, drawn), "</style>\n<defs>")
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
	return [...]string{"n0", "n1", "n2", "n3"}[min(index, 3)]
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
		d.path("sline", func(d *drawing) { d.points('M', x, y+18*px); d.points('V', bottom) })
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

// holderH is the height of the row of the Lease's holder.
const holderH = 22 * px

func (p *picture) holder() {
	p.name("Lease holder", p.y+holderH/2)
	for i := range p.t.Holder {
		span := &p.t.Holder[i]
		if span.Holder == "" || span.From >= p.liveNs || span.To <= p.t.From {
			continue
		}
		fresh := max(span.From, min(span.To, span.RenewedUntil))
		class := identity(span.Index)
		p.bar(stretch{span.From, fresh, class, "on b bare m"}, span.Holder)
		p.bar(stretch{fresh, span.To, "panel s" + class + " edge", "ink bare m"},
			"still "+span.Holder+", no longer renewed", "still "+span.Holder, span.Holder)
	}
	p.handOvers(p.y + holderH/2)
	p.y += 32 * px
}

// stretch is a span of time in which a node holds the Lease.
type stretch struct {
	fromNs, toNs     int64
	class, textClass string
}

// `bar` draws a stretch of the row, with the longest word that fits.
func (p *picture) bar(s stretch, all ...string) {
	if s.toNs <= s.fromNs || s.fromNs >= min(p.scale.toNs, p.liveNs) || s.toNs <= p.scale.fromNs {
		return
	}
	x := p.scale.at(s.fromNs)
	w := max(p.scale.at(min(s.toNs, p.liveNs))-x-2*px, px)
	p.rect(s.class, box{x, p.y, w, holderH})
	if word := fitting(w-8*px, all); word != "" {
		p.text(s.textClass, x+w/2, p.y+holderH/2, word)
	}
}

// drawLanes draws a lane for each node.
func (p *picture) drawLanes(small bool) {
	h := 56 * int64(px)
	if n := min(len(p.t.Lanes), p.lanes); n > 12 {
		h = 24 * px
	} else if n > 5 || small {
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
