package export

import (
	_ "embed"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// px is one pixel. Coordinates are whole tenths of a pixel, so that every platform writes the same digits.
const px = 10

// drawing is SVG text under construction.
type drawing struct{ writer }

func (d *drawing) number(tenths int64) {
	if tenths < 0 {
		d.out = append(d.out, '-')
		tenths = -tenths
	}
	d.out = strconv.AppendInt(d.out, tenths/10, 10)
	if tenths%10 != 0 {
		d.out = append(d.out, '.', byte('0'+tenths%10))
	}
}

// coordinatesOf is how many coordinates a letter of a path takes.
var coordinatesOf = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'a': 7, 'Z': 0}

// `points` adds the steps of a path: letters, and the coordinates that they take. A path is cheaper than many shapes:
// all reads of a lane are one element, and an SVG with thousands of reads stays small enough for an issue.
func (d *drawing) points(letters string, coordinates ...int64) {
	for i := range len(letters) {
		repeats := i > 0 && letters[i-1] == letters[i] // then SVG needs the coordinates alone
		if !repeats {
			d.out = append(d.out, letters[i])
		}
		n := coordinatesOf[letters[i]]
		for k, c := range coordinates[:n] {
			if k > 0 || repeats {
				d.out = append(d.out, ' ')
			}
			d.number(c)
		}
		coordinates = coordinates[n:]
	}
}

// `path` draws a path of these steps.
func (d *drawing) path(class, letters string, coordinates ...int64) {
	steps := drawing{}
	steps.points(letters, coordinates...)
	d.paths(class, &steps)
}

// `paths` draws the collected steps as one path, or nothing if there are none.
func (d *drawing) paths(class string, all ...*drawing) {
	steps := ""
	for _, one := range all {
		steps += string(one.out)
	}
	if steps != "" {
		d.put(`<path class="`, class, `" d="`, steps, "\"/>\n")
	}
}

// box draws a rectangle.
type box struct{ x, y, w, h int64 }

func (d *drawing) rect(class string, b box) {
	d.element(`<rect class="`, class, `" x="`, b.x, `" y="`, b.y, `" width="`, b.w, `" height="`, b.h, "\"/>\n")
}

// element writes the parts of an element: texts, and coordinates as int64.
func (d *drawing) element(parts ...any) {
	for _, part := range parts {
		if tenths, is := part.(int64); is {
			d.number(tenths)
		} else {
			d.put(part.(string))
		}
	}
}

// `text` draws a word. For class "m" the middle of the word is at x, otherwise its left end.
func (d *drawing) text(class string, x, y int64, text string) {
	d.element(`<text class="`, class, `" x="`, x, `" y="`, y, `">`, forXML(text), "</text>\n")
}

// widthOf estimates the width of a word at 12 px. Fonts differ, so it leaves some room.
func widthOf(text string) int64 { return int64(utf8.RuneCountInString(text)) * 66 }

// `fitting` returns the first of some words that fits, or "". The caller lists its words from the longest to the
// shortest: "2 active leaders, 1.2 s", "2 · 1.2 s", "2".
func fitting(room int64, all []string) string {
	for _, text := range all {
		if text != "" && widthOf(text) <= room {
			return text
		}
	}
	return ""
}

// shorten returns a text, shortened to a width.
func shorten(text string, room int64) string {
	most := int(room / 66)
	if utf8.RuneCountInString(text) <= most || most < 1 {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// `scale` maps instants to horizontal positions.
type scale struct{ fromNs, toNs, x, w int64 }

// `at` returns the horizontal position of an instant. For an instant before or after the scale, it returns the left or
// right end.
func (s *scale) at(ns int64) int64 { return s.x + share(ns-s.fromNs, s.toNs-s.fromNs, s.w) }

// share returns size·part/whole, limited to 0 and size. It multiplies in 128 bits. A span of 30 days has 2.6e15 ns and
// a wide picture 12,000 tenths of a pixel; their product overflows 64 bits.
func share(part, whole, size int64) int64 {
	switch {
	case part <= 0 || whole <= 0:
		return 0
	case part >= whole:
		return size
	}
	hi, lo := bits.Mul64(uint64(part), uint64(size))
	quotient, _ := bits.Div64(hi, lo, uint64(whole)) // part < whole, so the quotient is less than size
	return int64(quotient)
}

// colors.txt has the page's colors by class, for the light and the dark theme.
//
//go:embed colors.txt
var colors string

//go:embed picture.css
var styles string

// sheet returns the styles of a theme, and the patterns that a drawing uses. The theme System follows the reader's
// system, which works in a browser but not in every viewer, so the light colors come first.
func sheet(theme Theme, drawn string) string {
	out := colorStyles(theme == Dark)
	if theme == System {
		out += "@media(prefers-color-scheme:dark){" + colorStyles(true) + "}"
	}
	for _, h := range hatches() {
		if h.isIn(drawn) {
			out += "." + h.name + "{fill:url(#" + h.name + ")}"
		}
	}
	return out + strings.ReplaceAll(styles, "\n", "")
}

// colorStyles returns the styles that set a color. Each class sets a fill. The same class with a leading "s" sets a
// stroke, too.
func colorStyles(dark bool) (out string) {
	for line := range strings.Lines(colors) {
		fields := strings.Fields(line)
		class, value := fields[0], fields[1]
		if dark {
			value = fields[2]
		}
		out += "." + class + "{fill:" + value + "}.s" + class + "{fill:none;stroke:" + value + "}"
		if class == "panel" {
			out += "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;" +
				"dominant-baseline:central;paint-order:stroke;stroke:" + value + ";stroke-width:3}"
		}
	}
	return out
}

// hatch is a pattern in a color, with its own class: diagonals, or pairs of upright bars. Without the hatch, only the
// color would carry the meaning. With it, the difference between a gap and an overlap is visible in print and to a
// reader with a color vision deficiency.
type hatch struct {
	name, class string
	gap         int64
	pairs       bool
}

func hatches() []hatch {
	return []hatch{{"nobody", "none", 7 * px, false}, {"two", "bad", 4 * px, false}, {"idle", "on", 14 * px, true}}
}

// isIn reports whether a drawing uses the pattern, as the first class of a shape.
func (h *hatch) isIn(drawn string) bool {
	return strings.Contains(drawn, `class="`+h.name+`"`) || strings.Contains(drawn, `class="`+h.name+" ")
}

// hatch draws a pattern.
func (d *drawing) hatch(h hatch) {
	turn, marks := ` patternTransform="rotate(45)"`, "M0 0V99"
	if h.pairs {
		turn, marks = "", "M3 0V99M7 0V99"
	}
	d.element(`<pattern id="`, h.name, `" width="`, h.gap, `" height="`, h.gap, `" patternUnits="userSpaceOnUse"`, turn,
		`><path class="s`, h.class, ` edge" d="`, marks, `"/></pattern>`)
}
