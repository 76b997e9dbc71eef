package evidence

import (
	"bytes"
	"strings"
)

// People search logs, and quote them. pasted.go takes off what these steps leave in a line:
//
//	grep -n, cat -n     node-a.log:12:I1120 19:16:38.465675   17779 leaderelection.go:258] "Attempting…
//	a mail, an issue    > I1120 19:16:38.465675   17779 leaderelection.go:258] "Attempting…
//	a web page          I1120 19:16:38.465675   17779 leaderelection.go:258] &#34;Attempting…

// htmlSigns turns HTML's escape sequences back into the signs that logs contain.
var htmlSigns = strings.NewReplacer("&quot;", `"`, "&#34;", `"`, "&#x22;", `"`, "&#39;", "'", "&#x27;", "'",
	"&apos;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+", "&nbsp;", " ", "&amp;", "&")

// unquoted takes the marks of a quotation off a line, and HTML's escape sequences. HTML escapes each `"`, so it keeps a
// line that has one. Most lines of a log do, so this check comes first.
func unquoted(b []byte) []byte {
	if bytes.IndexByte(b, '"') < 0 {
		if at := bytes.IndexByte(b, '&'); at >= 0 && bytes.IndexByte(b[at:], ';') > 0 {
			b = []byte(htmlSigns.Replace(string(b)))
		}
	}
	for len(b) > 0 && b[0] == '>' {
		b = bytes.TrimPrefix(b[1:], []byte{' '})
	}
	return b
}

// isFence reports whether a line begins or ends a block of code in Markdown, or divides the matches of grep.
func isFence(b []byte) bool {
	return bytes.HasPrefix(b, []byte("```")) || bytes.HasPrefix(b, []byte("~~~")) || string(b) == "--"
}

// grepped reads what grep, findstr and cat -n write in front of a line: the file's name, the line's number, or both.
// It returns the name, and how many bytes to take off.
func grepped(b []byte) (file string, n int) {
	const most = 300
	head := b[:min(len(b), most)]
	if end := bytes.IndexAny(head, " \t\"=<>{}[]()"); end >= 0 {
		head = head[:end+1]
	}
	digits := 0
	for digits < len(head) && head[digits] >= '0' && head[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < len(head) && (head[digits] == ':' || head[digits] == '\t') {
		return "", digits + 1
	}
	for i, c := range head {
		if c != ':' && c != '-' {
			continue
		}
		name := strings.TrimRight(string(head[:i]), "0123456789")
		numbered, begins := len(name) < i && (name == "" || name[len(name)-1] == c), beginsLine(b[i+1:])
		switch {
		case numbered && (begins || c == ':'):
			return strings.TrimRight(name, ":-"), i + 1
		case begins && c == ':':
			return string(head[:i]), i + 1
		}
	}
	return "", 0
}

// beginsLine reports whether a line of a log begins here.
func beginsLine(b []byte) bool {
	_, n := timeAt(b)
	return n > 0 || isKlog(b) || isJSON(b) && b[0] == '{' || isPairs(b) || bytes.HasPrefix(b, []byte("[pod/"))
}
