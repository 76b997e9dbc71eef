package evidence

import (
	"bytes"
	"strings"
	"time"
)

// unsaidYear is the year that klog's lines get until other files show the real one, because klog writes only month
// and day. It is a leap year, so that February 29 parses. Later, settleYears moves the lines to the real year.
const unsaidYear = 2000

// isKlog reports whether a line begins the way klog writes it: I1120 19:16:38.465675 17779 file.go:195] … It runs for
// every line of every file, so it looks at fixed positions before it searches.
func isKlog(b []byte) bool {
	if len(b) < 30 || !bytes.ContainsRune([]byte("IWEF"), rune(b[0])) || b[5] != ' ' || b[8] != ':' || b[11] != ':' ||
		b[14] != '.' {
		return false
	}
	for _, k := range []int{1, 2, 3, 4, 6, 7, 9, 10, 12, 13} {
		if b[k] < '0' || b[k] > '9' {
			return false
		}
	}
	return bytes.Contains(b, []byte("] "))
}

// textLine parses a line in klog's format or in zap's console format. For other text it returns false. Most lines of
// a controller's log have nothing to do with leader election, so textLine parses only lines that contain certain
// bytes.
func (r *Reader) textLine(f *file, b []byte) bool {
	if isKlog(b) {
		f.records[Klog]++
		if !bytes.Contains(b, []byte("ease")) && !bytes.Contains(b, []byte("lock is held")) &&
			!bytes.Contains(b, []byte("leader")) && !bytes.Contains(b, []byte("request.go")) {
			return true
		}
		r.klogLine(f, string(b))
		return true
	}
	columns := strings.SplitN(string(b), "\t", 5)
	if len(columns) < 3 {
		return false
	}
	ns := parseInstant(columns[0])
	level := strings.ToLower(columns[1])
	if ns == 0 || level != "info" && level != "error" && level != "debug" && level != "warn" && level != "dpanic" {
		return false
	}
	f.records[Klog]++
	rest := strings.Join(columns[2:], "\t")
	var fields record
	if at := strings.IndexByte(rest, '{'); at >= 0 {
		fields, _ = decode([]byte(rest[at:]), r.words, func([]byte) {})
		rest = rest[:at]
	}
	rest = strings.TrimRight(rest, "\t ")
	message := rest[strings.LastIndexByte(rest, '\t')+1:]
	r.addLog(f, logMessage{ns, message, fields.lock, fields.holder, fields.failure},
		Place{file: r.number(f), line: int32(f.line)})
	return true
}

// klogLine parses a line such as
//
//	I1120 19:18:30.574493   18288 leaderelection.go:272] "Successfully acquired lease" lock="ns-a/demo"
//
// The values after the message are key="quoted" or key=word. Older versions wrote a plain sentence instead, from which
// `meaning` extracts the names.
func (r *Reader) klogLine(f *file, text string) {
	year := unsaidYear
	if r.options.AroundNs != 0 {
		year = time.Unix(0, r.options.AroundNs).UTC().Year()
	}
	at, err := time.Parse("20060102 15:04:05.999999", time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")+
		text[1:5]+" "+text[6:21])
	if err != nil {
		r.problem(f, f.line, "the klog line has an impossible time, "+text[1:21])
		return
	}
	_, message, _ := strings.Cut(text, "] ")
	quoted, rest := unquote(message)
	fields := map[string]string{}
	for rest != "" && quoted != message {
		key, value, ok := strings.Cut(strings.TrimLeft(rest, " "), "=")
		if !ok {
			break
		}
		fields[key], rest = unquote(value)
		if fields[key] == value {
			fields[key], rest, _ = strings.Cut(value, " ")
		}
	}
	p := Place{file: r.number(f), line: int32(f.line)}
	r.addLog(f, logMessage{at.UnixNano(), quoted, fields["lock"], fields["holder"], fields["err"]}, p)
}

// unquote splits a quoted string from the front of the text. Without a quoted string it returns the whole text, which
// tells klogLine that the message is an old one.
func unquote(text string) (first, rest string) {
	if !strings.HasPrefix(text, `"`) {
		return text, ""
	}
	s := &scan{data: []byte(text)}
	got := s.readQuoted()
	if s.err != nil {
		return text, ""
	}
	return string(got), text[s.at:]
}

// meaning interprets the messages of client-go v0.17 to v0.37. They changed from sentences with values to keys and
// values:
//
//	v0.17   successfully acquired lease ns-a/demo
//	v0.37   "Successfully acquired lease" lock="ns-a/demo"
//
// The comparison uses lower case. From a sentence, `meaning` takes a lock's name only if the name looks like
// namespace/name.
func meaning(message string) (says logMeaning, lock, holder string) {
	lower := strings.ToLower(message)
	textAfter := func(phrase string) string {
		rest := strings.TrimLeft(message[min(len(message), strings.Index(lower, phrase)+len(phrase)):], " ")
		word, _, _ := strings.Cut(rest, " ")
		word = strings.TrimRight(word, ".:,")
		if strings.Count(word, "/") != 1 {
			return ""
		}
		return word
	}
	switch {
	case strings.Contains(lower, "attempting to acquire leader lease"):
		return saidAttempt, textAfter("leader lease"), ""
	case strings.Contains(lower, "successfully acquired lease"):
		return saidAcquired, textAfter("acquired lease"), ""
	case strings.Contains(lower, "failed to renew lease"):
		return saidLost, textAfter("renew lease"), ""
	case strings.Contains(lower, "leader election lost"), strings.Contains(lower, "stopped leading"),
		strings.Contains(lower, "lost leader election"):
		return saidLost, "", ""
	case strings.Contains(lower, "is held by") && strings.Contains(lower, "not yet expired"):
		_, rest, _ := strings.Cut(message, "held by ")
		holder, _, _ = strings.Cut(rest, " and has")
		if strings.HasPrefix(rest, "and has") {
			holder = ""
		}
		return saidHeld, "", holder
	case strings.Contains(lower, "failed to update lease"), strings.Contains(lower, "failed to update lock"):
		return saidFailed, "", ""
	case strings.Contains(lower, "error retrieving"), strings.Contains(lower, "error initially creating"):
		return saidFailed, textAfter("resource lock"), ""
	case strings.Contains(lower, "failed to release lock"), strings.Contains(lower, "failed to release lease"):
		return saidFailed, "", ""
	case strings.Contains(lower, "released lease"), strings.Contains(lower, "successfully released"):
		return saidReleased, "", ""
	}
	return saidOther, "", ""
}
