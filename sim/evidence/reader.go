package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/world"
)

// Kind is a kind of evidence. Each record has a Kind, since one file may contain several kinds.
type Kind string

const (
	Detect Kind = ""
	Audit  Kind = "audit"
	Watch  Kind = "watch"
	Klog   Kind = "klog"
	Lease  Kind = "lease"
	Trace  Kind = "trace"
)

// Limits of a Reader. A line or document over its limit becomes a Problem, and the Reader goes on.
const (
	MaxLineBytes     = 16 << 20
	MaxDocumentBytes = 4 << 20
	MaxObservations  = 4_000_000 // records of Leases, unless Options.Most is less
	MaxLeases        = 10_000
	maxProblems      = 20 // problems with their text; the Reader only counts the others
)

// Options selects what a Reader reads.
type Options struct {
	Lease    string            // namespace/name; empty for every Lease
	AroundNs int64             // nanoseconds since 1970; 0 for everything
	WithinNs int64             // on each side of AroundNs
	Year     int               // year of klog's lines if no other file has one; 0 for 2000
	Nodes    map[string]string // candidate by file name; the default is the file's name without its extension
	Most     int               // most Lease records to keep; 0 for MaxObservations
	Rerun    int               // most trace records to compare with the run; 0 for any number
	_        struct{}
}

// Place is a line of a file. Millions of records have a Place, so it refers to its file by number. Reader.lines
// writes it as file:line.
type Place struct {
	file int32
	line int32
}

// Problem is an unreadable line.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Says string `json:"says"`
}

// file is the state of a file that the Reader is reading: the unfinished line or document, and what the records so
// far have said.
type file struct {
	name      string
	partial   []byte
	long      bool // skip the rest of a line over the limit
	line      int
	doc       []byte // lines so far of a document of several lines
	docLine   int
	docYAML   bool
	records   map[Kind]int
	others    int // number of records that do not concern a Lease
	otherLine int
	otherKind string
	ended     bool
	broken    string // why the rest of the file is unreadable
	lastLock  string // lock that a log line named; later lines may name none

	recorded     bool  // the file is a record of real programs
	traceEpochNs int64 // set for a trace of evidence, or for a record
	traceLease   string
	traceSeconds int64               // the leaseDuration of the trace; 0 if the file does not say
	rerun        *history.Comparison // comparison of a run's trace, until the file ends or differs from the run
	run          *EqualRun
	unequal      error // why a run's trace does not match its run
}

// Reader takes files in chunks. It reads each byte once and never seeks, so a browser can stream a file of gigabytes
// through it. It is not safe for concurrent use.
type Reader struct {
	options    Options
	files      []*file
	named      map[string]*file
	problems   []Problem
	unreadable int
	found      map[string]*material // material by Lease
	observed   int
	words      words
	client     []byte // buffer for one sender's name
	senders    map[string]*sender
	full       bool // the Reader refused a record: Options.Most
	crowded    bool // the Reader refused a Lease: MaxLeases
}

// NewReader returns an empty Reader.
func NewReader(o Options) *Reader {
	return &Reader{options: o, named: map[string]*file{}, found: map[string]*material{}, words: words{}}
}

// Feed takes the next bytes of the file called name. A chunk may end anywhere, even inside a character. A caller may
// alternate between files: Feed keeps the unfinished line of each.
func (r *Reader) Feed(name string, chunk []byte) {
	f := r.file(name)
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			r.keep(f, chunk)
			return
		}
		line := chunk[:end]
		if chunk = chunk[end+1:]; len(f.partial) > 0 || f.long {
			r.keep(f, line)
			line = f.partial
		}
		if f.long {
			f.long = false
			f.line++
		} else {
			r.line(f, line)
		}
		f.partial = f.partial[:0]
	}
}

func (r *Reader) file(name string) *file {
	f := r.named[name]
	if f == nil {
		f = &file{name: name, records: map[Kind]int{}}
		r.named[name] = f
		r.files = append(r.files, f)
	}
	return f
}

// `keep` adds to the unfinished line of a file. A line beyond the limit becomes a Problem, and Feed skips the rest of
// it.
func (r *Reader) keep(f *file, part []byte) {
	if f.long {
		return
	}
	if len(f.partial)+len(part) > MaxLineBytes {
		r.problem(f, f.line+1, fmt.Sprintf("the line is longer than %d MiB", MaxLineBytes>>20))
		if f.rerun != nil {
			r.differs(f, fmt.Errorf("line %d is longer than %d MiB", f.line+1, MaxLineBytes>>20))
		}
		f.long, f.partial = true, f.partial[:0]
		return
	}
	f.partial = append(f.partial, part...)
}

// End says that the file is complete.
func (r *Reader) End(name string) {
	f := r.file(name)
	if f.ended {
		return
	}
	f.ended = true
	if len(f.partial) > 0 {
		r.line(f, f.partial)
		f.partial = nil
	}
	r.endDocument(f)
	r.endRun(f)
}

// MarkBroken says that the rest of the file is unreadable, and why. What came before still counts.
func (r *Reader) MarkBroken(name, why string) {
	f := r.file(name)
	line := f.line + 1
	r.End(name)
	f.broken = fmt.Sprintf("from line %d on: %s", line, why)
	r.unreadable++
	r.problems = append(r.problems, Problem{File: name, Line: line, Says: why + "; the report covers what came before"})
}

// `compare` compares a line of a run's trace with the run that the trace's first line describes.
func (r *Reader) compare(f *file, b []byte) {
	if f.line == 1 {
		f.rerun = &history.Comparison{Most: r.options.Rerun}
	}
	if err := f.rerun.Line(b); err != nil {
		r.differs(f, err)
	}
}

func (r *Reader) endRun(f *file) {
	if f.rerun == nil {
		return
	}
	one, err := f.rerun.End()
	if err != nil {
		r.differs(f, err)
		return
	}
	f.rerun = nil
	f.run = &EqualRun{Scenario: one.Scenario.Name, Seed: one.Scenario.Seed, Engine: world.Engine,
		Hash: one.Hash.String(), Records: one.Records, Traced: one}
}

// `differs` records why a trace differs from its run. The trace's records still count as evidence.
func (r *Reader) differs(f *file, err error) {
	f.rerun, f.unequal = nil, err
	line := 1
	if _, scanned := fmt.Sscanf(err.Error(), "line %d", &line); scanned != nil {
		line = 1
	}
	r.problem(f, line, "running the trace again gives a different run: "+err.Error())
}

// `problem` counts an unreadable line, and keeps the first few with their reasons. If it kept all of them, a file of an
// unknown kind would give a problem for every line.
func (r *Reader) problem(f *file, line int, says string) {
	r.unreadable++
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{File: f.name, Line: line, Says: says})
	}
}

var (
	auditGroup = []byte("audit.k8s.io/")
	leases     = []byte(`"leases"`)
	eventList  = []byte(`"EventList"`)
)

// line determines what a line contains. A line that begins with { is JSON. Most of an audit log consists of events
// that do not mention leases. A few byte searches skip those events without parsing their JSON. YAML and indented
// JSON span several lines: the Reader collects them until the next record begins.
func (r *Reader) line(f *file, b []byte) {
	f.line++
	b = bytes.TrimSuffix(b, []byte{'\r'})
	if f.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	}
	if f.rerun != nil || f.line == 1 && history.IsTrace(b) && history.IsOfRun(b) {
		r.compare(f, b)
	}
	if f.doc != nil && r.extends(f, b) {
		return
	}
	switch {
	case len(bytes.TrimSpace(b)) == 0, string(b) == "---":
	case b[0] == '{':
		head := b[:min(len(b), 300)]
		if bytes.Contains(head, auditGroup) && !bytes.Contains(b, leases) && !bytes.Contains(head, eventList) &&
			b[len(b)-1] == '}' {
			f.records[Audit]++
			return
		}
		r.jsonRecord(f, b, f.line, true)
	case isYAML(b):
		f.doc, f.docLine, f.docYAML = append([]byte{}, append(b, '\n')...), f.line, true
	case r.textLine(f, b):
	default:
		r.other(f, "text")
	}
}

func (r *Reader) other(f *file, kind string) {
	if f.others++; f.others == 1 {
		f.otherLine, f.otherKind = f.line, kind
	}
}

// isYAML reports whether a line begins a YAML document of an API object or a watch event. The line must begin with a
// known key, without indentation, so that a log line does not look like YAML.
func isYAML(b []byte) bool {
	for _, start := range []string{"apiVersion:", "kind:", "type:", "object:", "items:", "metadata:", "spec:"} {
		if bytes.HasPrefix(b, []byte(start)) {
			return true
		}
	}
	return false
}

// `extends` adds a line to a document of several lines. It returns false if the document ended before the line. An
// indented JSON document ends with a } in the first column, as kubectl writes it.
func (r *Reader) extends(f *file, b []byte) bool {
	starts := len(b) > 0 && b[0] == '{' || isKlog(b)
	if starts || f.docYAML && string(b) == "---" {
		r.endDocument(f)
		return false
	}
	if len(f.doc)+len(b) > MaxDocumentBytes {
		r.problem(f, f.docLine, fmt.Sprintf("the document that begins here is longer than %d MiB",
			MaxDocumentBytes>>20))
		f.doc = nil
		return false
	}
	f.doc = append(append(f.doc, b...), '\n')
	if !f.docYAML && len(b) > 0 && b[0] == '}' {
		r.endDocument(f)
	}
	return true
}

// endDocument parses the document that has just ended. YAML becomes JSON first, so that one decoder reads both.
func (r *Reader) endDocument(f *file) {
	doc := f.doc
	if f.doc = nil; doc == nil {
		return
	}
	if f.docYAML {
		if bytes.Contains(doc, []byte(": &")) || bytes.Contains(doc, []byte("- &")) {
			r.problem(f, f.docLine, "the YAML document that begins here has anchors; kubectl writes none")
			return
		}
		var err error
		if doc, _, err = yaml.Read(doc); err != nil {
			r.problem(f, f.docLine, "the YAML document that begins here: "+err.Error())
			return
		}
	}
	r.jsonRecord(f, doc, f.docLine, false)
}

// jsonRecord parses one object. If mayExtend is true, later lines may belong to the object.
func (r *Reader) jsonRecord(f *file, data []byte, line int, mayExtend bool) {
	var items [][]byte
	one, err := decode(data, r.words, func(b []byte) { items = append(items, b) })
	switch {
	case errors.Is(err, errCut) && mayExtend:
		f.doc, f.docLine, f.docYAML = append(append([]byte{}, data...), '\n'), line, false
		return
	case errors.Is(err, errCut):
		r.problem(f, line, "the JSON object that begins here is not complete")
		return
	case err != nil:
		r.problem(f, line, err.Error())
		return
	}
	r.classify(f, &one, Place{file: r.number(f), line: int32(line)})
	if one.hasItems {
		for _, b := range items {
			r.jsonRecord(f, b, line, false)
		}
	}
}

func (r *Reader) number(f *file) int32 {
	for i := range r.files {
		if r.files[i] == f {
			return int32(i)
		}
	}
	panic("a file of another reader")
}

// classify identifies an object by its members, not by the file's name or first line. One file may mix kinds:
// people paste a watch below a log.
func (r *Reader) classify(f *file, one *record, p Place) {
	switch {
	case one.hasItems:
	case strings.HasPrefix(one.apiVersion, "audit.k8s.io/"):
		f.records[Audit]++
		r.audit(one, p)
	case one.hasObject && one.kindOfEvent != "":
		if !one.inner.isLease {
			if one.kindOfEvent != "BOOKMARK" && one.kindOfEvent != "ERROR" {
				r.other(f, "a watch of "+one.inner.kind)
			}
			return
		}
		f.records[Watch]++
		r.addLease(&one.inner, showing{one.watchedNs, one.kindOfEvent, Watch}, p)
	case strings.HasPrefix(one.recorded, "leaselab.dev/record/"):
		f.recorded = true
		f.readHeader(one)
	case f.recorded && one.call != "": // the trace beside the call shows the result
	case one.kind == "Trace" && strings.HasPrefix(one.apiVersion, "leaselab.dev/"):
		f.records[Trace]++
		f.readHeader(one)
	case one.object.isLease:
		f.records[Lease]++
		r.addLease(&one.object, showing{kind: Lease}, p)
	case one.hasEvents:
		f.records[Trace]++
		r.addTrace(one, p)
	case one.hasMessage && one.logNs != 0:
		f.records[Klog]++
		r.addLog(f, logMessage{one.logNs, one.message, one.lock, one.holder, one.failure}, p)
	default:
		kind := one.kind
		if kind == "" {
			kind = "JSON of another kind"
		}
		r.other(f, kind)
	}
}

// readHeader parses the first line of a trace. If the run's scenario names no leaseDuration, it assumes client-go's
// default.
func (f *file) readHeader(one *record) {
	const defaultSeconds = 15
	f.traceEpochNs, f.traceLease, f.traceSeconds = one.epochNs, one.traced, one.leaseSeconds
	if one.hasScenario && f.traceSeconds == 0 {
		f.traceSeconds = defaultSeconds
	}
}
