package picture

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// View says how a page is written.
type View struct {
	Scenario scenario.Scenario
	NowNs    int64
	Live     bool // the run goes on, and the page loads itself again
	Held     bool // Live, but the page stays as it is until its link is followed
}

// Style is the page's style sheet.
const Style = `:root{color-scheme:light dark;--paper:#fbfaf7;--ink:#1c2024;--soft:#596169;--line:#dedbd3;--work:#0072b2;--on:#fff;--bad:#ab2442;--wait:#a8700a}
@media(prefers-color-scheme:dark){:root{--paper:#16191c;--ink:#e8e6e1;--soft:#a5acb3;--line:#3a4046;--work:#56b4e9;--on:#0b0d0f;--bad:#ff8a9b;--wait:#e6b450}}
body{background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif;margin:1.2rem auto;max-width:70rem;padding:0 1rem}
h1{font-size:1.3rem;margin:0 0 .2rem}h2{font-size:1.05rem;margin:1.2rem 0 .3rem}p{margin:.2rem 0;color:var(--soft)}a{color:inherit}
.picture{overflow-x:auto}svg{display:block;min-width:40rem;width:100%;height:auto}
svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg .soft{fill:var(--soft)}svg .on{fill:var(--on)}
.alive{fill:none;stroke:var(--soft)}.work{fill:var(--work)}.paused{fill:none;stroke:var(--wait);stroke-width:2;stroke-dasharray:5 3}.holder{fill:none;stroke:var(--ink)}
.line{stroke:var(--line)}.ok{stroke:var(--soft)}.failed{stroke:var(--bad);stroke-width:2}.broken{fill:var(--bad)}.observed{fill:none;stroke:var(--bad)}
li{margin:.15rem 0}ol{list-style:none;padding:0;font-variant-numeric:tabular-nums}.bad{color:var(--bad);font-weight:600}`

// Policy is the Content-Security-Policy of the page.
var Policy = func() string {
	sum := sha256.Sum256([]byte(Style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

const (
	gutter = 96
	wide   = 1000
	rowY   = 46
)

// page is a page that is being written.
type page struct {
	strings.Builder
	*Picture
	View
	r *run.Run
}

// Page writes the page of a run up to now.
func (p *Picture) Page(r *run.Run, v View) string {
	w := &page{Picture: p, View: v, r: r}
	title := v.Scenario.Title
	if title == "" {
		title = v.Scenario.Name
	}
	if title == "" {
		title = "A group of programs"
	}
	w.put(
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" " +
			"content=\"width=device-width\">")
	if v.Live && !v.Held {
		w.put("<meta http-equiv=\"refresh\" content=\"2\">")
	}
	w.put("<title>", html.EscapeString(title), " – leaselab</title><style>", Style, "</style></head><body>\n<h1>",
		html.EscapeString(title), "</h1>\n")
	w.put("<p>Real programs, ", words.Instant(v.NowNs), " of ", words.Instant(int64(v.Scenario.Duration)), ". ")
	switch {
	case v.Live && v.Held:
		w.put("<a href=\"?\">Follow the run</a>")
	case v.Live:
		w.put(
			"The page follows the run. <a href=\"?hold\">Hold it</a>. This leaselab was built without its page, " +
				"which would draw the run and let you go back in it: `make site build` builds both.")
	default:
		w.put("This is a record.")
	}
	w.put("</p>\n")
	w.violations()
	w.drawing()
	w.put(
		"<p>A filled bar: it works. A dashed box: it is paused. A frame: its process runs. A short stroke: a request " +
			"about the Lease; a long one: it has failed.</p>\n")
	w.put("<h2>What happened</h2>\n<ol>\n")
	for i := len(p.events) - 1; i >= 0; i-- { // the newest first
		w.put("<li>", words.Instant(p.events[i].atNs), "  ", html.EscapeString(p.events[i].text), "</li>\n")
	}
	w.put("</ol>\n</body></html>\n")
	return w.String()
}

func (w *page) put(parts ...string) {
	for _, part := range parts {
		w.WriteString(part)
	}
}

// violations lists what has broken.
func (w *page) violations() {
	all := w.r.Checks.Violations
	if len(all) == 0 {
		w.put("<p>No rule is broken.</p>\n")
		return
	}
	w.put("<h2>Broken rules</h2>\n<ol>\n")
	for i := range all {
		v := &all[i]
		until := v.UntilNs
		if until < 0 {
			until = w.NowNs
		}
		w.put("<li>", words.Instant(v.FromNs), "  <span class=\"bad\">", v.Severity.String(), "</span> ",
			html.EscapeString(v.Describe(w.name, until-v.FromNs)), " (", v.Rule, ")</li>\n")
	}
	w.put("</ol>\n")
}

func (w *page) name(i int32) string {
	if i < 0 {
		return "an administrator"
	}
	return w.r.World.Node(i).Name()
}

// x is the place of an instant.
func (w *page) x(ns int64) int64 {
	total := max(w.NowNs, min(int64(w.Scenario.Duration), w.NowNs*4), 1e9)
	return gutter + ns/1000*(wide-gutter-8)/(total/1000)
}

func (w *page) span(class string, s span, y, height int64) {
	until := s.untilNs
	if until < 0 {
		until = w.NowNs
	}
	from := w.x(s.fromNs)
	fmt.Fprintf(w, "<rect class=%q x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", class, from, y,
		max(1, w.x(until)-from), height)
}

func (w *page) text(class string, x, y int64, text string) {
	fmt.Fprintf(w, "<text class=%q x=\"%d\" y=\"%d\">%s</text>", class, x, y, html.EscapeString(text))
}

// drawing is the timeline.
func (w *page) drawing() {
	height := int64(30 + rowY*(len(w.lanes)+2))
	fmt.Fprintf(w,
		"<div class=\"picture\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">\n<svg viewBox=\"0 0 %d %d\" "+
			"role=\"img\" aria-label=\"Timeline; the list below says it in words\">", wide, height)
	w.axis(height)
	y := int64(30)
	w.text("", 4, y+20, "Lease")
	for _, s := range w.holder {
		if s.name == "" {
			continue
		}
		w.span("holder", s, y+4, 24)
		w.text("", w.x(s.fromNs)+4, y+20, s.name)
	}
	for i := range w.lanes {
		y += rowY
		l := &w.lanes[i]
		w.text("", 4, y+20, l.name)
		for _, s := range l.alive {
			w.span("alive", s, y+2, rowY-12)
		}
		for _, s := range l.work {
			w.span("work", s, y+6, rowY-20)
			w.text("on", w.x(s.fromNs)+4, y+21, "works")
		}
		for _, s := range l.paused {
			w.span("paused", s, y, rowY-8)
			w.text("", w.x(s.fromNs)+4, y-3, "paused")
		}
		for _, t := range l.ticks {
			class, length := "ok", int64(5)
			if !t.ok {
				class, length = "failed", 12
			}
			fmt.Fprintf(w, "<line class=%q x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", class, w.x(t.atNs), w.x(t.atNs),
				y+rowY-6-length, y+rowY-6)
		}
	}
	y += rowY
	w.text("", 4, y+20, "Broken")
	for i := range w.r.Checks.Violations {
		v := &w.r.Checks.Violations[i]
		class := "broken"
		if v.Severity == rules.Observation {
			class = "observed"
		}
		w.span(class, span{fromNs: v.FromNs, untilNs: max(v.UntilNs, -1)}, y+6, 18)
	}
	w.put("</svg></div>\n")
}

// axis draws the seconds.
func (w *page) axis(height int64) {
	step := int64(1e9)
	for _, more := range []int64{5, 2, 3, 2, 5, 2, 6, 5} {
		if w.x(step)-w.x(0) >= 60 {
			break
		}
		step *= more
	}
	for ns := int64(0); w.x(ns) <= wide-40; ns += step {
		fmt.Fprintf(w, "<line class=\"line\" x1=\"%d\" x2=\"%d\" y1=\"18\" y2=\"%d\"/>", w.x(ns), w.x(ns), height)
		w.text("soft", w.x(ns)+3, 14, words.Instant(ns)[:5])
	}
}
