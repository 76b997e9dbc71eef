package export

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/words"
)

// mark stands for a rare event in a row: a gap, a fault, a violation. Rare things must never disappear. A narrow mark
// is three pixels wide, and narrow marks that touch become one mark, which shows how many there are.
type mark struct {
	x, w  int64
	class string // class of the mark's shape and of the line around it
	text  string
	whole string   // the full text, which appears only inside the mark
	words []string // shorter texts, the longest first
	count int
	grave bool // joined marks get the class and color of the grave one
	over  bool // the mark lies over bars, so its text stays inside it
}

const narrow = 3 * px

// add adds a mark for a span of time, unless the span is outside the picture. A narrow mark joins its neighbor only
// if the neighbor is at most four narrow marks wide. So a long gap does not hide a short one next to it.
func (p *picture) add(all []mark, fromNs, toNs int64, m mark) []mark {
	if fromNs > p.liveNs || fromNs > p.scale.toNs || toNs < p.scale.fromNs {
		return all
	}
	m.x, m.count = p.scale.at(fromNs), 1
	m.w = p.scale.at(min(toNs, p.liveNs)) - m.x
	if m.w >= narrow {
		return append(all, m)
	}
	m.x, m.w = m.x+m.w/2-narrow/2, narrow
	if n := len(all); n > 0 && all[n-1].w <= narrow*4 && all[n-1].x+all[n-1].w > m.x {
		last := &all[n-1]
		last.w, last.count = m.x+m.w-last.x, last.count+1
		if m.grave {
			last.class, last.text, last.grave = m.class, m.text, true
		}
		last.whole, last.words = "", []string{"×" + words.Number(int64(last.count))}
		return all
	}
	return append(all, m)
}

// `marks` draws a row of marks, each with the longest text that fits inside it or next to it.
func (p *picture) marks(all []mark, y, h int64) {
	for i := range all {
		m := &all[i]
		p.rect(m.class, box{m.x, y, m.w, h})
		free := p.scale.x + p.scale.w
		if i+1 < len(all) {
			free = all[i+1].x
		}
		if word := fitting(m.w-14*px, append([]string{m.whole}, m.words...)); word != "" {
			if m.text == "on" {
				p.text("on bare m", m.x+m.w/2, y+h/2, word)
				continue
			}
			w := widthOf(word)
			p.rect("panel", box{m.x + m.w/2 - w/2 - 4*px, y + h/2 - 8*px, w + 8*px, 16 * px})
			p.text(m.text+" m", m.x+m.w/2, y+h/2, word)
		} else if word := fitting(free-m.x-m.w-10*px, m.words); word != "" && !m.over {
			class := m.text
			if class == "on" {
				class = "bad"
			}
			p.text(class, m.x+m.w+6*px, y+h/2, word)
		}
	}
}

// bands draws the times without an active leader and the times with more than one, over the leaders. The parts of each
// gap are below the gap.
func (p *picture) bands() {
	var all []mark
	explained := false
	for i := range p.t.Bands {
		b := &p.t.Bands[i]
		length := words.Seconds(min(b.To, p.liveNs) - b.From)
		m := mark{class: "nobody snone", text: "ink b", words: []string{"nobody, " + length, length}}
		switch b.Kind {
		case "two":
			m = mark{class: "sbad thick", text: "bad b", grave: true,
				words: []string{"two lead, " + length, length, "2"}}
		case "idle":
			m = mark{class: "idle ssoft", text: "ink b", words: []string{"leader paused, no work, " + length, "paused"}}
		}
		m.over = true
		all = p.add(all, b.From, b.To, m)
		explained = p.parts(b, p.y+ribbonH+3*px) || explained
	}
	p.marks(all, p.y, ribbonH)
	p.y += ribbonH + 6*px
	if explained {
		p.y += 22 * px
	}
}

// `parts` draws the parts of a gap as brackets below the gap. It reports whether it drew any.
func (p *picture) parts(b *protocol.Band, y int64) bool {
	if len(b.Addends) == 0 || b.From > p.liveNs || b.To < p.scale.fromNs || b.From > p.scale.toNs ||
		p.scale.at(b.To)-p.scale.at(b.From) < 24*px {
		return false
	}
	free := int64(0)
	for i := range b.Addends {
		a := &b.Addends[i]
		x0, x1 := p.scale.at(a.From), p.scale.at(a.To)
		x1 = max(x1, x0+2*px)
		p.path("sink", "MVHV", x0, y, y+5*px, x1, y)
		all := []string{a.Shown + " s " + a.Text, a.Shown + " s"}
		if word := fitting(x1-x0-4*px, all); word != "" && x0 >= free {
			p.text("ink m", (x0+x1)/2, y+14*px, word)
			free = (x0+x1)/2 + widthOf(word)/2 + 8*px
		} else if word := fitting(p.scale.x+p.scale.w-max(x1, free)-8*px, all); i == len(b.Addends)-1 && word != "" {
			p.text("ink", max(x1+8*px, free), y+14*px, word)
		}
	}
	return true
}

// `faults` draws the faults that no lane shows. Faults that overlap in time stack. Each of the first two has a level,
// and the third level has all others.
func (p *picture) faults() {
	const most = 3
	var levels [most][]mark
	var ends [most]int64
	used := 0
	for i := range p.t.Faults {
		f := &p.t.Faults[i]
		if p.pinned[f.Node] {
			continue
		}
		level := 0
		for level < most-1 && f.From < ends[level] {
			level++
		}
		ends[level] = max(ends[level], f.To)
		before := len(levels[level])
		levels[level] = p.add(levels[level], f.From, f.To,
			mark{class: "fault tint", text: "ink", words: []string{f.Text}})
		if len(levels[level]) > before {
			used = max(used, level+1)
		}
	}
	if used > 0 {
		p.name("Faults", p.y+11*px)
	}
	for _, level := range levels[:used] {
		for i := range level {
			p.rect("sfault edge", box{level[i].x, p.y, level[i].w, 20 * px})
		}
		p.marks(level, p.y, 20*px)
		p.y += 24 * px
	}
}

// violations draws the violations. A violation without a length is a narrow mark.
func (p *picture) violations() {
	var all []mark
	if len(p.t.Violations)+len(p.t.Observations) == 0 {
		return
	}
	for i := range p.t.Violations {
		v := &p.t.Violations[i]
		all = p.add(all, v.From, v.To, mark{class: "bad", text: "on", words: []string{v.Rule, "violation"}})
	}
	p.name("Violations", p.y+9*px)
	p.marks(all, p.y, 18*px)
	p.observations(p.y + 19*px)
	p.y += 24 * px
}
