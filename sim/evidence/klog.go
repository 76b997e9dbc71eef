package evidence

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
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

// mayMatter reports whether a line may say something about an election. Most lines of a controller's log do not, so the
// Reader parses only lines that contain certain bytes.
func mayMatter(b []byte) bool {
	return bytes.Contains(b, []byte("ease")) || bytes.Contains(b, []byte("lock is held")) ||
		bytes.Contains(b, []byte("leader")) || bytes.Contains(b, []byte("request.go"))
}

// klogLine parses a line such as
//
//	I1120 19:18:30.574493   18288 leaderelection.go:272] "Successfully acquired lease" lock="ns-a/demo"
//
// klog writes no year. If a collector wrote the time in front of the line, that time has it.
func (r *Reader) klogLine(f *file, b []byte, o origin) {
	if !mayMatter(b) {
		f.records[Klog]++
		return
	}
	text, year := string(b), unsaidYear
	if r.options.AroundNs != 0 {
		year = time.Unix(0, r.options.AroundNs).UTC().Year()
	}
	if seen := time.Unix(0, o.ns).UTC(); o.ns != 0 && seen.Year() != unsaidYear {
		year = seen.Year()
	}
	at, err := time.Parse("20060102 15:04:05.999999", strconv.Itoa(year)+text[1:5]+" "+text[6:21])
	if err != nil {
		f.records[Klog]++
		r.problem(f, o.line, "the klog line has an impossible time, "+text[1:21])
		return
	}
	if halfYear := 183 * 24 * time.Hour; o.ns != 0 && at.Sub(time.Unix(0, o.ns)) > halfYear {
		at = at.AddDate(-1, 0, 0) // written in December, collected in January
	}
	head, message, _ := strings.Cut(text, "] ")
	o.ns = at.UnixNano()
	if columns := strings.Fields(head); len(columns) > 2 {
		o.process = columns[2]
	}
	r.said(f, message, o)
}

// said reads the message of a log line. The values after it are key="quoted" or key=word, as klog writes them, or a
// JSON object, as zap writes it. Older versions wrote a plain sentence instead, from which `meaning` extracts the
// names.
func (r *Reader) said(f *file, text string, o origin) {
	f.records[Klog]++
	fields := &o.fields
	if at := strings.IndexByte(text, '{'); at >= 0 && isJSON([]byte(text[at:])) {
		if one, err := decode([]byte(text[at:]), r.words); err == nil {
			fields.lock, fields.holder, fields.failure = cmp.Or(one.lock, fields.lock), cmp.Or(one.holder,
				fields.holder), cmp.Or(one.failure, fields.failure)
			text = text[:at]
		}
	}
	text = strings.TrimRight(text, "\t ")
	text = text[strings.LastIndexByte(text, '\t')+1:]
	message, rest := unquote(text)
	if message != text {
		pairs := pairsOf(rest)
		fields.lock, fields.holder, fields.failure = cmp.Or(pairs["lock"], fields.lock), cmp.Or(pairs["holder"],
			fields.holder), cmp.Or(pairs["err"], fields.failure)
	}
	r.addLog(f, message, o)
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
	for _, m := range meanings {
		if !slices.ContainsFunc(m.phrases, func(phrase string) bool { return strings.Contains(lower, phrase) }) ||
			m.says == saidHeld && !strings.Contains(lower, "not yet expired") {
			continue
		}
		if m.says == saidHeld {
			_, rest, _ := strings.Cut(message, "held by")
			holder, _, _ = strings.Cut(rest, " and has")
		}
		if m.before != "" {
			rest := message[min(len(message), strings.Index(lower, m.before)+len(m.before)):]
			lock, _, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
			if lock = strings.TrimRight(lock, ".:,"); strings.Count(lock, "/") != 1 {
				lock = ""
			}
		}
		return m.says, lock, strings.TrimPrefix(holder, " ")
	}
	return saidOther, "", ""
}

// meanings lists phrases of messages, in lower case. A lock's name may follow the words before it.
var meanings = []struct {
	says    logMeaning
	before  string
	phrases []string
}{
	{saidAttempt, "leader lease", []string{"attempting to acquire leader lease"}},
	{saidAcquired, "acquired lease", []string{"successfully acquired lease"}},
	{saidFollows, "acquire lease", []string{"failed to acquire lease"}},
	{saidLost, "renew lease", []string{"failed to renew lease"}},
	{saidLost, "", []string{"leader election lost", "stopped leading", "lost leader election"}},
	{saidHeld, "", []string{"is held by"}},
	{saidFailed, "", []string{"failed to update lease", "failed to update lock"}},
	{saidFailed, "resource lock", []string{"error retrieving", "error initially creating"}},
	{saidFailed, "", []string{"failed to release lock", "failed to release lease"}},
	{saidReleased, "", []string{"released lease", "successfully released"}},
}
