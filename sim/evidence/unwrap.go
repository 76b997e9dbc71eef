package evidence

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A line of a log seldom arrives as its program wrote it. Container runtimes, kubectl, journald and log stores put
// something around it, often several of them in turn:
//
//	[pod/node-a/manager] 2026-11-20T19:16:38.46Z I1120 19:16:38.465675   17779 leaderelection.go:258] "Attempting…
//	{"log":"{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",…}\n","stream":"stdout","time":"2026-11-20T…"}
//
// unwrap.go takes off one layer at a time, until a line of a program or an API object remains. On the way it keeps
// what the layers say: when a collector saw the line, and the pod that wrote it.

// origin is what the layers around a line say about it.
type origin struct {
	line    int
	top     bool // the line is a whole line of its file
	listed  bool // it is an element of a list
	depth   int
	ns      int64 // the innermost time; 0 if unsaid
	names   []string
	pod     bool   // the first of the names is a pod's
	process string // klog's process number
	fields  logMessage
}

// wrapDepth is how many layers unwrap takes off. A line of an audit log from Event Hubs through Elastic has five.
const wrapDepth = 12

// unwrap reads a line, or a part of a document. It returns false if it does not understand it.
func (r *Reader) unwrap(f *file, b []byte, o origin) bool {
	if o.depth++; o.depth > wrapDepth {
		return false
	}
	if len(b) > 0 && b[0] != '{' {
		b = withoutColors(b)
	}
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
		return true
	case b[0] == '"':
		s := &scan{data: b}
		if inner := s.readQuoted(); s.err == nil && s.at == len(b) {
			return r.unwrap(f, inner, o)
		}
	case b[0] == '{' && (isJSON(b) || !bytes.Contains(b[:min(len(b), 100)], []byte(`="`))):
		return r.object(f, b, o)
	case isJSON(b) && o.top:
		return r.begin(f, b, o.line)
	case isJSON(b):
		return r.list(f, b, o)
	case isKlog(b):
		r.klogLine(f, b, o)
		return true
	}
	if o.top && !beginsLine(b) {
		if name, n := grepped(b); n > 0 {
			if o.top = false; name != "" {
				o.names = namesOfPath(name)
			}
			return r.unwrap(f, b[n:], o)
		}
	}
	return r.textLine(f, b, o)
}

// list reads the elements of a list inside a record.
func (r *Reader) list(f *file, b []byte, o origin) (understood bool) {
	d, pairs := document{}, map[string]string{}
	o.listed = true
	_, err := d.add(b, 0, func(part []byte, _ int) {
		var pair struct{ Field, Value string }
		if bytes.Contains(part[:min(len(part), 40)], []byte(`"field"`)) && json.Unmarshal(part, &pair) == nil {
			pairs[pair.Field] = pair.Value // Insights answers with a list of fields for each line
			return
		}
		understood = r.unwrap(f, part, o) || understood
	})
	if err != nil {
		return false
	}
	if len(pairs) > 0 {
		whole, _ := json.Marshal(pairs)
		return r.unwrap(f, whole, o)
	}
	return understood
}

// withoutColors takes the escape sequences of a terminal out of a line.
func withoutColors(b []byte) []byte {
	if bytes.IndexByte(b, 0x1b) < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b || i+1 == len(b) || b[i+1] != '[' {
			out = append(out, b[i])
			continue
		}
		for i += 2; i < len(b) && (b[i] < '@' || b[i] > '~'); i++ {
		}
	}
	return out
}

var (
	auditGroup = []byte("audit.k8s.io/")
	leases     = []byte(`"leases"`)
	eventList  = []byte(`"EventList"`)
)

// object reads a JSON object. Most of an audit log consists of events that do not mention leases. A few byte searches
// skip those events without parsing their JSON.
func (r *Reader) object(f *file, b []byte, o origin) bool {
	head := b[:min(len(b), 300)]
	if at := bytes.Index(head, auditGroup); at > 1 && head[at-1] == '"' && head[at-2] != '\\' &&
		!bytes.Contains(b, leases) && !bytes.Contains(head, eventList) && b[len(b)-1] == '}' {
		f.records[Audit]++
		return true
	}
	one, err := decode(b, r.words)
	switch {
	case errors.Is(err, errCut) && o.top:
		return r.begin(f, b, o.line)
	case errors.Is(err, errCut):
		r.problem(f, o.line, "the JSON object in this line is not complete: what collected it has cut it")
		return true
	case err != nil:
		r.problem(f, o.line, err.Error())
		return true
	}
	return r.classify(f, &one, o)
}

// classify identifies an object by its members, not by the file's name or first line. One file may mix kinds:
// people paste a watch below a log.
func (r *Reader) classify(f *file, one *record, o origin) bool {
	p := Place{file: f.number, line: int32(o.line)}
	switch {
	case one.google && one.resource == "leases":
		one.stageNs, one.receivedNs = one.logNs, one.logNs
		f.records[Audit]++
		r.audit(one, p)
	case one.google:
		f.records[Audit]++
	case one.azure, strings.HasPrefix(one.apiVersion, "audit.k8s.io/") && !one.hasItems:
		f.records[Audit]++
		r.audit(one, p)
	case one.hasObject && one.kindOfEvent != "" && one.watched.isLease:
		f.records[Watch]++
		r.addLease(&one.watched, showing{one.watchedNs, one.kindOfEvent, Watch, o.listed}, p)
	case one.hasObject && one.kindOfEvent != "" && len(one.inner) == 0:
		if one.kindOfEvent != "BOOKMARK" && one.kindOfEvent != "ERROR" {
			r.other(f, o.line, "a watch of "+one.watched.kind+"; watch the Lease, or give its audit log")
		}
	case strings.HasPrefix(one.recorded, "leaselab.dev/record/"):
		f.recorded = true
		f.readHeader(one)
	case f.recorded && one.call != "": // the trace beside the call shows the result
	case one.kind == "Trace" && strings.HasPrefix(one.apiVersion, "leaselab.dev/"):
		f.records[Trace]++
		f.readHeader(one)
	case one.object.isLease:
		f.records[Lease]++
		r.addLease(&one.object, showing{kind: Lease, listed: o.listed}, p)
	case one.hasEvents:
		f.records[Trace]++
		r.addTrace(one, p)
	case one.kind == "Event":
		r.addEvent(f, one, p)
	case one.metric != nil:
		r.addSeries(f, one, p)
	default:
		return r.envelope(f, one, o)
	}
	return true
}

// envelope reads what a collector wrapped into an object.
func (r *Reader) envelope(f *file, one *record, o origin) bool {
	o.ns = cmp.Or(one.logNs, one.seenNs, o.ns)
	switch {
	case o.pod && !one.pod: // the inner layer names a host or a file only
		o.names = append(slices.Clone(o.names), one.names...)
	case len(one.names) > 0:
		o.names, o.pod = append(slices.Clone(one.names), o.names...), one.pod
	}
	o.fields = logMessage{cmp.Or(one.lock, o.fields.lock), cmp.Or(one.holder, o.fields.holder),
		cmp.Or(one.failure, o.fields.failure)}
	o.top, o.listed = false, o.listed || one.hasItems
	understood := one.hasItems
	if one.hasMessage {
		understood = r.message(f, one.message, o) || understood
	}
	for _, inner := range one.inner {
		if one.stream != "" {
			whole, complete := f.join(one.stream, one.tag == "P", inner)
			if !complete {
				understood = true
				continue
			}
			inner = whole
		}
		understood = r.unwrap(f, inner, o) || understood
	}
	if one.table[0] != nil && one.table[1] != nil {
		understood = r.table(f, one.table, o) || understood
	}
	if one.values != nil {
		understood = r.values(f, one.values, o) || understood
	}
	if understood || o.depth > 1 {
		return understood
	}
	switch one.kind {
	case "":
		r.other(f, o.line, otherJSON)
	case "Status":
		r.other(f, o.line, "an answer of the API server: "+printable(one.message))
	default:
		r.other(f, o.line, "of kind "+one.kind+": give the Lease, its watch, the audit log or the electors' logs")
	}
	return true
}

// message reads the message of a log line in JSON. It may be a line of another log, which has more to say.
func (r *Reader) message(f *file, text string, o origin) bool {
	switch {
	case o.fields.lock == "" && r.unwrap(f, []byte(text), o):
	case o.ns == 0:
		return false
	default:
		r.said(f, text, o)
	}
	return true
}

// values reads the lines of a stream of Loki: pairs of a time and a line.
func (r *Reader) values(f *file, b []byte, o origin) (understood bool) {
	s := &scan{data: b}
	lines := o.line
	counted := 0
	s.array(func() {
		if s.err != nil || s.space() != '[' {
			s.skip()
			return
		}
		at, column := o, 0
		lines += bytes.Count(b[counted:s.at], []byte{'\n'})
		counted, at.line = s.at, lines
		s.array(func() {
			switch column++; column {
			case 1:
				at.ns = s.instant()
			case 2:
				if s.err == nil && s.space() == '"' {
					understood = r.unwrap(f, s.readQuoted(), at) || understood
					return
				}
				fallthrough
			default:
				s.skip()
			}
		})
	})
	return understood
}

// table reads the rows of an answer of Log Analytics: {"columns": [{"name": "log_s"}, …], "rows": [["…"], …]}
func (r *Reader) table(f *file, table [2][]byte, o origin) (understood bool) {
	var columns []struct{ Name string }
	var rows [][]any
	if json.Unmarshal(table[1], &columns) != nil || json.Unmarshal(table[0], &rows) != nil {
		return false
	}
	for _, row := range rows {
		fields := map[string]any{}
		for i := range min(len(row), len(columns)) {
			fields[columns[i].Name] = row[i]
		}
		whole, _ := json.Marshal(fields)
		understood = r.unwrap(f, whole, o) || understood
	}
	return understood
}

// join puts the parts of a line together. Container runtimes split lines of more than 16 KiB, and mark all parts but
// the last one.
func (f *file) join(stream string, partial bool, b []byte) (whole []byte, complete bool) {
	held := f.held[stream]
	if !partial && held == nil {
		return b, true
	}
	if f.held == nil {
		f.held = map[string][]byte{}
	}
	if len(held)+len(b) > MaxLineBytes {
		held = nil
	}
	whole = append(held, bytes.TrimRight(b, "\n")...)
	if f.held[stream] = whole; !partial {
		delete(f.held, stream)
	}
	return whole, !partial
}

// textLine takes the prefixes off a line of text: times, names, and the marks of container runtimes. Names count only
// in front of something that it recognizes. If it recognizes nothing but a time, the text after the time may still be
// a sentence of client-go.
func (r *Reader) textLine(f *file, b []byte, o origin) bool {
	const most, wordsMost = 12, 4
	rest, said := b, []byte(nil)
	var names []string
	named := o.names
	for range most {
		rest = bytes.TrimLeft(rest, " \t")
		if len(rest) == 0 {
			break
		}
		if isKlog(rest) || isJSON(rest) && rest[0] == '{' {
			o.names, o.top = append(placed(names), o.names...), o.top && rest[0] == '{' && len(rest) == len(b)
			return r.unwrap(f, rest, o)
		}
		if isPairs(rest) {
			o.names = append(placed(names), o.names...)
			return r.pairs(f, string(rest), o)
		}
		if ns, n := timeAt(rest); n > 0 {
			o.ns, rest = ns, rest[n:]
			said, named = rest, append(placed(names), o.names...)
			continue
		}
		word, after, _ := bytes.Cut(rest, []byte{' '})
		if tab := bytes.IndexByte(word, '\t'); tab >= 0 {
			word, after = rest[:tab], rest[tab+1:]
		}
		switch text := string(word); {
		case said != nil && len(names) == 0 && levels[strings.ToLower(text)]:
			r.said(f, string(after), o)
			return true
		case (text == "stdout" || text == "stderr") && len(after) > 1 && (after[0] == 'F' || after[0] == 'P'):
			tag := after[0]
			if _, after, _ = bytes.Cut(after, []byte{' '}); tag == 'P' || f.held[text] != nil {
				var complete bool
				if after, complete = f.join(text, tag == 'P', after); !complete {
					return true
				}
			}
			said, rest = after, after
		case strings.Contains(" Mon Tue Wed Thu Fri Sat Sun UTC GMT | ", " "+text+" "),
			strings.Trim(text, "-0123456789") == "" && o.ns != 0: // a process number, or none
			rest = after
		case rest[0] == '<' && bytes.IndexByte(rest[:min(len(rest), 6)], '>') > 0: // syslog's priority
			rest = bytes.TrimPrefix(rest[bytes.IndexByte(rest, '>')+1:], []byte("1 "))
		case rest[0] == '[' || rest[0] == '{':
			in, n := bracketed(rest)
			if n == 0 {
				return r.saidAt(f, said, named, o)
			}
			o.names, rest = append(in, o.names...), rest[n:]
			said, named = rest, o.names
		case len(names) < wordsMost && isName(text):
			names, rest = append(names, text), after
			if strings.HasSuffix(text, ":") && o.ns != 0 {
				said, named = rest, append(placed(names), o.names...)
			}
		default:
			return r.saidAt(f, said, named, o)
		}
	}
	return r.saidAt(f, said, named, o)
}

// saidAt reads the text after a time as a sentence of client-go, if it is one.
func (r *Reader) saidAt(f *file, said []byte, names []string, o origin) bool {
	if o.ns == 0 || !mayMatter(said) {
		return false
	}
	if says, _, _ := meaning(string(said)); says == saidOther {
		return false
	}
	o.names = names
	r.said(f, string(said), o)
	return true
}

// levels are the levels of log lines.
var levels = map[string]bool{"info": true, "error": true, "debug": true, "warn": true, "warning": true, "dpanic": true,
	"fatal": true, "trace": true}

// placed orders the names in front of a line, the most telling one first. A name that ends in a colon is a program,
// or a pod and its container; the host stands before the program. stern writes the pod and the container, with the
// namespace in front if it shows several.
func placed(words []string) (all []string) {
	for i, word := range words {
		clean := strings.TrimRight(word, ":|")
		if at := strings.IndexByte(clean, '['); at > 0 {
			clean = clean[:at]
		}
		if at := strings.IndexByte(clean, '/'); at > 0 { // namespace/pod[container]
			clean = clean[at+1:]
		}
		if i == 1 && len(words) == 3 && !strings.HasSuffix(words[2], ":") {
			all = append([]string{clean}, all...)
		} else {
			all = append(all, clean)
		}
	}
	return all
}

// isName reports whether a word looks like the name of a pod, a container, a host, a program or a stream.
func isName(word string) bool {
	letters := false
	for _, c := range word {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			letters = true
		case c >= '0' && c <= '9', strings.ContainsRune("-._/:@[]()#|", c):
		default:
			return false
		}
	}
	return letters && len(word) <= 253
}

// bracketed reads the names in front of a line: [pod/node-a/manager] of kubectl, [node-a manager] of kubetail, and
// the labels {namespace="ns-a", pod="node-a"} of logcli. It returns how many bytes they take.
func bracketed(b []byte) (names []string, n int) {
	const most = 1000
	shut := map[byte]byte{'[': ']', '{': '}'}[b[0]]
	end := bytes.IndexByte(b[:min(len(b), most)], shut)
	if end < 0 || end+1 < len(b) && b[end+1] != ' ' && b[end+1] != ':' {
		return nil, 0
	}
	text := string(b[1:end])
	if b[0] == '{' {
		fields := pairsOf(strings.ReplaceAll(text, ",", " "))
		for _, key := range []string{"pod", "pod_name", "instance", "hostname", "host", "filename"} {
			if fields[key] != "" {
				names = append(names, namesOfPath(fields[key])...)
			}
		}
		return names, end + 1
	}
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return c == '/' || c == ' ' }) {
		if !isName(name) {
			return nil, 0
		}
		if name != "pod" {
			names = append(names, name)
		}
	}
	return names, min(len(b), end+2)
}

// timeAt reads a time at the start of a line, and returns how many bytes it takes. A time of syslog has no year; like
// klog's, it gets the year from other files.
func timeAt(b []byte) (ns int64, n int) {
	const most = 48
	head := string(b[:min(len(b), most)])
	if len(head) < len("Nov 20 19:16:38") {
		return 0, 0
	}
	open := strings.HasPrefix(head, "[")
	text := strings.TrimPrefix(head, "[")
	if c := text[0]; c >= 'A' && c <= 'Z' {
		word := text
		for range 2 {
			_, word, _ = strings.Cut(strings.TrimLeft(word, " "), " ")
		}
		clock, _, _ := strings.Cut(strings.TrimLeft(word, " "), " ")
		end := len(text) - len(word) + strings.Index(word, clock) + len(clock)
		t, err := time.Parse("2006 Jan _2 15:04:05.999999999", strconv.Itoa(unsaidYear)+" "+
			strings.TrimRight(text[:end], ":]"))
		if err != nil {
			return 0, 0
		}
		return t.UnixNano(), len(head) - len(text) + end
	} else if c < '0' || c > '9' {
		return 0, 0
	}
	ends := make([]int, 0, 3) // after one, two and three words
	for i := 0; i < len(text) && len(ends) < 3; i++ {
		if text[i] == ' ' || text[i] == '\t' {
			ends = append(ends, i)
		}
	}
	for _, end := range ends {
		word := text[:end]
		if open && !strings.HasSuffix(word, "]") {
			continue
		}
		if ns := parseInstant(strings.TrimRight(word, ":,]")); ns != 0 {
			n := end
			for _, longer := range ends { // an offset may follow
				if more := parseInstant(text[:longer]); longer > end && more != 0 {
					ns, n = more, longer
				}
			}
			return ns, len(head) - len(text) + n
		}
	}
	return 0, 0
}

// pairKeys are the keys with which a line of slog or logrus begins.
var pairKeys = []string{"time=", "ts=", "t=", "level=", "lvl=", "msg=", "timestamp=", "caller=", "logger="}

func isPairs(b []byte) bool {
	return slices.ContainsFunc(pairKeys, func(key string) bool { return bytes.HasPrefix(b, []byte(key)) })
}

// pairs reads a line of slog or logrus: time=… level=INFO msg="Successfully acquired lease" lock=ns-a/demo
func (r *Reader) pairs(f *file, text string, o origin) bool {
	fields := pairsOf(text)
	for _, key := range []string{"time", "ts", "t", "timestamp"} {
		if ns := parseInstant(fields[key]); ns != 0 {
			o.ns = ns
			break
		}
	}
	o.fields = logMessage{fields["lock"], fields["holder"], cmp.Or(fields["err"], fields["error"])}
	if pod := cmp.Or(fields["pod"], fields["hostname"]); pod != "" {
		o.names = append([]string{pod}, o.names...)
	}
	return r.message(f, cmp.Or(fields["msg"], fields["message"]), o)
}

// pairsOf parses key="quoted" and key=word.
func pairsOf(text string) map[string]string {
	fields := map[string]string{}
	for text != "" {
		key, value, ok := strings.Cut(strings.TrimLeft(text, " "), "=")
		if !ok {
			break
		}
		key = key[strings.LastIndexByte(key, ' ')+1:]
		if fields[key], text = unquote(value); fields[key] == value {
			fields[key], text, _ = strings.Cut(value, " ")
		}
	}
	return fields
}

// csvColumns says what the columns of exports of CloudWatch, Grafana, Azure and Kibana hold.
const csvColumns = " @timestamp=@timestamp timestamp=@timestamp time=@timestamp date=@timestamp _time=@timestamp " +
	"timegenerated=@timestamp @message=log message=log line=log log=log log_s=log logmessage=log content=log _raw=log" +
	" body=log textpayload=log @logstream=logStream host=host hostname=host source=source tags=tags "

// readColumns reports whether a line is the header of a CSV file with log lines.
func (f *file) readColumns(b []byte) bool {
	head := fieldsOf(string(b))
	if len(head) < 2 || b[0] == '{' || b[0] == '[' {
		return false
	}
	hasLine := false
	columns := make([]string, len(head))
	for i, name := range head {
		name, _, _ = strings.Cut(name, " ") // TimeGenerated [UTC]
		if _, rest, known := strings.Cut(csvColumns, " "+strings.ToLower(name)+"="); known {
			columns[i], _, _ = strings.Cut(rest, " ")
		} else if _, pod := shortKey(name); pod || azureColumns[name] != "" {
			columns[i] = name
		}
		hasLine = hasLine || columns[i] == "log" || columns[i] == "ObjectRef"
	}
	if hasLine {
		f.columns = columns
	}
	return hasLine
}

// csvLine turns a record of a CSV file into the same envelope in JSON. A record may have several lines.
func (r *Reader) csvLine(f *file, b []byte) {
	if f.line == 1 {
		return
	}
	if f.held["csv"] == nil {
		f.csvFrom = f.line
	}
	whole, complete := f.join("csv", (bytes.Count(f.held["csv"], []byte{'"'})+bytes.Count(b, []byte{'"'}))%2 == 1,
		append(bytes.Clone(b), '\n'))
	if !complete {
		return
	}
	fields := map[string]string{}
	for i, value := range fieldsOf(strings.TrimRight(string(whole), "\n")) {
		if i < len(f.columns) && f.columns[i] != "" {
			fields[f.columns[i]] = value
		}
	}
	object, _ := json.Marshal(fields)
	if !r.unwrap(f, object, origin{line: f.line}) {
		r.other(f, f.line, otherText)
	}
}

// fieldsOf divides a record of a CSV file. A quoted field may contain commas, lines, and quotes in pairs.
func fieldsOf(text string) []string {
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes = true
	all, _ := r.Read()
	return all
}

// What a line is that leaselab does not know.
const (
	otherText = "text"
	otherJSON = "JSON of another kind"
)

// looks says what lines that leaselab does not read look like, and what to do about them.
var looks = []struct{ start, part, says string }{
	{"", " AUDIT: id=", "an audit log in the legacy text format, which names no holder: set --audit-log-format=json"},
	{"LAST SEEN", "", "a table of kubectl: write the Events with -o json"},
	{"NAME ", "", "a table of kubectl: write the Leases with -o json"},
	{"NAMESPACE ", "", "a table of kubectl: write the objects with -o json"},
	{"Name:", "", "text of kubectl describe: write the object with -o json"},
	{"# HELP", "", "Prometheus's text, which shows one instant: export the history, with /api/v1/query_range"},
	{"# TYPE", "", "Prometheus's text, which shows one instant: export the history, with /api/v1/query_range"},
	{"leader_election_master_status", "", "Prometheus's text, which shows one instant: export the history, with " +
		"/api/v1/query_range"},
	{"kube_lease_", "", "Prometheus's text, which shows one instant: export the history, with /api/v1/query_range"},
	{"<", "", "HTML or XML: export the raw lines"},
	{"Error from server", "", "an error of kubectl: repair the command, and save its output again"},
	{"error: ", "", "an error of kubectl: repair the command, and save its output again"},
}

func looksLike(b []byte) string {
	for _, l := range looks {
		if bytes.HasPrefix(b, []byte(l.start)) && bytes.Contains(b, []byte(l.part)) {
			return l.says
		}
	}
	if bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
		return "binary data: give the log as text"
	}
	return otherText
}
