package evidence

import (
	"bytes"
	"fmt"
	"strconv"
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

	Events  Kind = "Events" // of Kubernetes; coarse
	Metrics Kind = "metrics"
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
	number    int32
	archive   *file // the archive or folder that has the file, or nil
	partial   []byte
	long      bool // skip the rest of a line over the limit
	streams   bool // the unfinished line is JSON, and over the limit: it goes to doc in parts
	line      int
	doc       *document // of several lines; nil between documents
	yaml      []byte    // lines so far of a YAML document
	yamlLine  int
	columns   []string          // header of a CSV file
	csvFrom   int               // where the unfinished record of a CSV file begins
	held      map[string][]byte // parts of lines that a container runtime has split, by stream
	records   map[Kind]int
	others    int // number of records that do not concern a Lease
	otherLine int
	otherKind string
	otherText string // the start of that line, if it is text
	unread    bool   // a problem names a line of the file
	ended     bool
	broken    string // why the rest of the file is unreadable
	says      string // why leaselab reads nothing of the file

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
	unpackers  map[string]*Unpacker // of the files that have not ended
	speakers   []*speaker
	speaking   map[speakerKey]int32
	problems   []Problem
	unreadable int
	found      map[string]*material // material by Lease
	observed   int
	words      words
	senders    map[sentBy]*sender
	sayings    map[saying]*saying
	full       bool // the Reader refused a record: Options.Most
	crowded    bool // the Reader refused a Lease: MaxLeases
}

// NewReader returns an empty Reader.
func NewReader(o Options) *Reader {
	return &Reader{options: o, named: map[string]*file{}, found: map[string]*material{}, words: words{},
		unpackers: map[string]*Unpacker{}, speaking: map[speakerKey]int32{}, senders: map[sentBy]*sender{},
		sayings: map[saying]*saying{}}
}

// Feed takes the next bytes of the file called name, packed or not. A chunk may end anywhere, even inside a character.
// A caller may alternate between files: Feed keeps the unfinished line of each.
func (r *Reader) Feed(name string, chunk []byte) {
	if len(chunk) > 0 {
		r.unpack(name, chunk)
	}
}

// unpack passes a chunk through the file's Unpacker. An empty chunk ends the file.
func (r *Reader) unpack(name string, chunk []byte) {
	u := r.unpackers[name]
	if u == nil {
		if r.file(name).ended {
			return
		}
		u = NewUnpacker(name, name)
		r.unpackers[name] = u
	}
	u.rest, u.over = chunk, len(chunk) == 0
	for {
		step, more := u.next()
		if !more || step.name == "" {
			return
		}
		f := r.file(step.name)
		if top := r.file(name); step.name != name {
			if f.archive = top; top.archive != nil {
				f.archive = top.archive
			}
		}
		switch {
		case step.other && f.archive != nil && !step.log: // archives contain anything
			f.says = step.broken
			r.end(f)
		case step.broken != "":
			r.breakOff(f, step.broken)
		case step.ended:
			r.end(f)
		default:
			r.feed(f, step.data)
		}
	}
}

// `feed` divides bytes into lines. A line of JSON over the limit is a long list, and a document takes it in parts.
func (r *Reader) feed(f *file, chunk []byte) {
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			r.keep(f, chunk)
			return
		}
		line := chunk[:end]
		if chunk = chunk[end+1:]; len(f.partial) > 0 || f.long || f.streams {
			r.keep(f, line)
			line = f.partial
		}
		if f.long || f.streams {
			f.long, f.streams = false, false
			f.line++
		} else {
			r.line(f, line)
		}
		f.partial = f.partial[:0]
	}
}

// Within says that a file is one of a folder. The report lists such files only if they say something.
func (r *Reader) Within(folder, name string) { r.file(name).archive = r.file(folder) }

func (r *Reader) file(name string) *file {
	f := r.named[name]
	if f == nil {
		f = &file{name: printable(name), number: int32(len(r.files)), records: map[Kind]int{}}
		r.named[name] = f
		r.files = append(r.files, f)
	}
	return f
}

// `keep` adds to the unfinished line of a file. A line beyond the limit becomes a Problem, and `feed` skips the rest of
// it.
func (r *Reader) keep(f *file, part []byte) {
	switch {
	case f.long:
		return
	case f.streams:
		r.extend(f, part, f.line+1)
		return
	case len(f.partial)+len(part) <= MaxLineBytes:
		f.partial = append(f.partial, part...)
		return
	case f.doc == nil && f.rerun == nil && isJSON(append(f.partial, part[:min(1, len(part))]...)):
		whole := append(f.partial, part...)
		f.doc, f.streams, f.partial = &document{}, true, nil
		r.extend(f, whole, f.line+1)
		return
	}
	r.problem(f, f.line+1, fmt.Sprintf("the line is longer than %d MiB", MaxLineBytes>>20))
	if f.rerun != nil {
		r.differs(f, fmt.Errorf("line %d is longer than %d MiB", f.line+1, MaxLineBytes>>20))
	}
	f.long, f.partial = true, f.partial[:0]
}

// End says that the file is complete.
func (r *Reader) End(name string) {
	f := r.file(name)
	if f.ended && r.unpackers[name] == nil {
		return
	}
	r.unpack(name, nil)
	if u := r.unpackers[name]; u != nil {
		u.Close()
		delete(r.unpackers, name)
	}
	r.end(f)
}

func (r *Reader) end(f *file) {
	if f.ended {
		return
	}
	f.ended = true
	switch {
	case f.streams:
		f.line++
	case len(f.partial) > 0:
		r.line(f, f.partial)
	}
	f.partial = nil
	r.endDocument(f)
	r.endRun(f)
	if f.held["csv"] != nil {
		r.problem(f, f.csvFrom, "the record that begins here is not complete: the file is cut")
	}
	f.held = nil
}

// breakOff says that the rest of the file is unreadable, and why. What came before still counts.
func (r *Reader) breakOff(f *file, why string) {
	if f.broken != "" {
		return
	}
	line := f.line + 1
	f.partial, f.doc, f.yaml, f.streams = nil, nil, nil, false // the break is the reason that they are not complete
	r.end(f)
	f.broken = fmt.Sprintf("from line %d on: %s", line, why)
	r.unreadable++
	if line > 1 {
		why += "; the report covers what came before"
	}
	r.problems = append(r.problems, Problem{File: f.name, Line: line, Says: why})
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
	f.unread = true
	if n := len(r.problems); n > 0 && r.problems[n-1] == (Problem{File: f.name, Line: line, Says: printable(says)}) {
		return // a line with many broken objects is one problem
	}
	r.unreadable++
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{File: f.name, Line: line, Says: printable(says)})
	}
}

// line determines what a line contains: a part of a document of several lines, a record of a CSV file, or a line that
// `unwrap` understands. YAML and indented JSON span several lines: the Reader collects them until the next record
// begins.
func (r *Reader) line(f *file, b []byte) {
	f.line++
	b = bytes.TrimSuffix(b, []byte{'\r'})
	if f.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	}
	b = unquoted(b)
	if f.rerun != nil || f.line == 1 && history.IsTrace(b) && history.IsOfRun(b) {
		r.compare(f, b)
	}
	if isFence(b) {
		r.endDocument(f)
		return
	}
	if (f.doc != nil || f.yaml != nil) && r.extends(f, b) {
		return
	}
	switch {
	case len(bytes.TrimSpace(b)) == 0, string(b) == "---":
	case f.columns != nil || f.line == 1 && f.readColumns(b):
		r.csvLine(f, b)
	case isYAML(b):
		f.yaml, f.yamlLine = append(append([]byte{}, b...), '\n'), f.line
	case !r.unwrap(f, b, origin{line: f.line, top: true}):
		if r.other(f, f.line, looksLike(b)); f.others == 1 && f.otherKind == otherText {
			const most = 40
			f.otherText = strconv.Quote(strings.ToValidUTF8(string(b[:min(len(b), most)]), ""))
		}
	}
}

// `other` counts a line that says nothing about a Lease, and keeps what the first one looks like.
func (r *Reader) other(f *file, line int, kind string) {
	if f.others++; f.others == 1 {
		f.otherLine, f.otherKind = line, kind
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

// `extends` adds a line to a document of several lines. It returns false if the document ended before the line,
// because the line begins another record.
func (r *Reader) extends(f *file, b []byte) bool {
	if f.doc != nil {
		if f.doc.breaksAt(b) || isKlog(b) {
			r.endDocument(f)
			return false
		}
		r.extend(f, b, f.line)
		r.extend(f, []byte{'\n'}, f.line)
		return true
	}
	if len(b) > 0 && b[0] == '{' || isKlog(b) || string(b) == "---" {
		r.endDocument(f)
		return false
	}
	if len(f.yaml)+len(b) > MaxDocumentBytes {
		r.problem(f, f.yamlLine, fmt.Sprintf("the document that begins here is longer than %d MiB",
			MaxDocumentBytes>>20))
		f.yaml = nil
		return false
	}
	f.yaml = append(append(f.yaml, b...), '\n')
	return true
}

// begin begins a JSON document of several lines with a line.
func (r *Reader) begin(f *file, line []byte, number int) bool {
	f.doc = &document{}
	r.extend(f, line, number)
	r.extend(f, []byte{'\n'}, number)
	return true
}

// extend adds bytes to a JSON document, and reads the parts of it that are complete.
func (r *Reader) extend(f *file, b []byte, line int) {
	for len(b) > 0 {
		if f.doc == nil {
			if b = bytes.TrimLeft(b, " \t\r\n,"); len(b) == 0 {
				return
			}
			if !isJSON(b) {
				r.problem(f, line, errSyntax.Error())
				return
			}
			f.doc = &document{}
		}
		n, err := f.doc.add(b, line, func(part []byte, at int) {
			r.unwrap(f, part, origin{line: at, listed: f.doc.list > 0})
		})
		b = b[n:]
		switch {
		case err == errLong:
			r.problem(f, f.doc.line, fmt.Sprintf("the document that begins here is longer than %d MiB",
				MaxDocumentBytes>>20))
		case err != nil:
			r.problem(f, f.doc.line, err.Error())
			f.doc = nil
			return
		case len(f.doc.open) == 0:
			f.doc = nil
		}
	}
}

// endDocument ends the document of several lines. YAML becomes JSON first, so that one decoder reads both.
func (r *Reader) endDocument(f *file) {
	if f.doc != nil {
		r.problem(f, f.doc.line, "the JSON object that begins here is not complete: the file is cut")
		f.doc = nil
	}
	doc := f.yaml
	if f.yaml = nil; doc == nil {
		return
	}
	if bytes.Contains(doc, []byte(": &")) || bytes.Contains(doc, []byte("- &")) {
		r.problem(f, f.yamlLine, "the YAML document that begins here has anchors; kubectl writes none")
		return
	}
	doc, _, err := yaml.Read(doc)
	if err != nil {
		r.problem(f, f.yamlLine, "the YAML document that begins here: "+err.Error())
		return
	}
	r.unwrap(f, doc, origin{line: f.yamlLine})
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
