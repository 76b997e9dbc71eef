package words

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Badge returns a badge for a README, as SVG: a label, and a value on green or red. A letter takes about 6.5 px. The
// text says everything, so a reader needs no color.
func Badge(label, value string, good bool) string {
	color := "#b42318"
	if good {
		color = "#1a7f37"
	}
	left, right := utf8.RuneCountInString(label)*65/10+12, utf8.RuneCountInString(value)*65/10+12
	label, value = escape(label), escape(value)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">
<title>%[2]s: %[3]s</title>
<rect width="%[1]d" height="20" rx="3" fill="#444c56"/>
<path d="M%[4]d 0h%[5]da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%[5]dz" fill="%[6]s"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="%[7]d" y="14">%[2]s</text><text x="%[8]d" y="14">%[3]s</text>
</g>
</svg>
`, left+right, label, value, left, right-3, color, left/2, left+right/2)
}

// escape writes a text as it stands in XML. Package html would add 17 KiB to the page's engine.
func escape(text string) string {
	for _, one := range [...][2]string{{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {`"`, "&#34;"}} {
		text = strings.ReplaceAll(text, one[0], one[1])
	}
	return text
}
