package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// TraceKind and TraceVersion are the kind and the version in the first line of a trace file.
const (
	TraceKind    = "Trace"
	TraceVersion = 1
)

// Header is the first line of a trace file. In a trace of a run it has the scenario, seed, engine and hash; in a
// trace of evidence it has none of them. Every further line is an Event.
type Header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind" jsonschema:"Trace"`
	Version    int    `json:"version" jsonschema:"format version; a version may gain fields but never loses any"`
	Title      string `json:"title,omitempty"`
	Lease      string `json:"lease,omitempty"`
	Epoch      string `json:"epoch,omitempty" jsonschema:"for evidence: the instant that t counts from, RFC 3339"`
	// LeaseDurationSeconds tells a reader when the Lease expires if the file has no scenario.
	LeaseDurationSeconds int64 `json:"leaseDurationSeconds,omitempty"`

	From     summary.Seconds `json:"from" jsonschema:"the span of the records, in seconds"`
	To       summary.Seconds `json:"to"`
	Records  int             `json:"records" jsonschema:"how many lines follow"`
	Engine   int             `json:"engine,omitempty"`
	Seed     *uint64         `json:"seed,omitempty"`
	Hash     string          `json:"hash,omitempty" jsonschema:"trace hash from the run's start to the span's end"`
	Scenario json.RawMessage `json:"scenario,omitempty" jsonschema:"for a run: the whole scenario, with every act"`
}

// readHeader and readEvent keep durations as text.
type readHeader struct {
	Header
	From json.Number `json:"from"`
	To   json.Number `json:"to"`
}

type readEvent struct {
	Event
	T json.Number `json:"t"`
}

// NDJSON writes a header and one line per record. For a run the header holds the scenario, so that Read can recreate
// the run; for evidence, s is nil and hash is zero. The file is evidence, too: package evidence reads it, and
// compares it line by line with the run that its header names.
func (h *History) NDJSON(out io.Writer, s *scenario.Scenario, hash trace.Hash) error {
	head := Header{
		APIVersion: scenario.APIVersion, Kind: TraceKind, Version: TraceVersion, Title: h.Title, Lease: h.Lease,
		From: summary.Seconds(h.FromNs), To: summary.Seconds(h.ToNs),
		Records: len(h.Events), LeaseDurationSeconds: h.LeaseSeconds,
	}
	if h.EpochNs != 0 {
		head.Epoch = time.Unix(0, h.EpochNs).UTC().Format(time.RFC3339Nano)
	}
	if s != nil {
		head.Engine, head.Seed, head.Hash, head.Scenario = world.Engine, &s.Seed, hash.String(), scenario.Encode(*s)
	}
	b := bufio.NewWriter(out)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(head); err != nil {
		return err
	}
	for i := range h.Events {
		if err := e.Encode(&h.Events[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// IsTrace reports whether a file starts like a trace file.
func IsTrace(begin []byte) bool {
	line, _, _ := bytes.Cut(begin, []byte("\n"))
	line = line[:min(len(line), 200)]
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"kind":"`+TraceKind+`"`)) &&
		bytes.Contains(line, []byte(`"leaselab.dev/`))
}

// IsOfRun reports whether the first line of a trace file names an engine. The first line of a trace of evidence names
// none.
func IsOfRun(line []byte) bool {
	var head struct{ Engine *int }
	err := json.Unmarshal(line, &head)
	return head.Engine != nil || err != nil
}

// Traced is a run that a trace file describes, verified record by record.
type Traced struct {
	Scenario     scenario.Scenario
	FromNs, ToNs int64
	Hash         trace.Hash
	Records      int
}

// traceLineMost is the maximum length of a line that Read accepts. The header holds a whole scenario.
const traceLineMost = 16 << 20

// Read reads a trace file of a run, runs its scenario again and compares every record and the hash. Its errors name
// the line where the file and the run differ, or say what this version of leaselab cannot run. Read cannot run a
// trace of evidence.
func Read(file io.Reader) (Traced, error) {
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 0, 64<<10), traceLineMost)
	var c Comparison
	for lines.Scan() {
		if err := c.Line(lines.Bytes()); err != nil {
			return Traced{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return Traced{}, lineError(c.lines+1, "cannot be read: %s", err)
	}
	return c.End()
}

// Comparison compares a trace file with the run that its first line describes. It takes the lines in order and keeps
// none of them. It stops the run at the first record beyond the number of records that the header states.
type Comparison struct {
	Most int // maximum number of records to compare; 0 for no limit

	lines int
	head  Header
	one   Traced
	run   History
	hash  trace.Hash
}

// Line takes the next line. The first line runs the scenario.
func (c *Comparison) Line(line []byte) error {
	if c.lines++; c.lines == 1 {
		return c.begin(line)
	}
	i := c.lines - 2
	if i >= len(c.run.Events) {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return lineError(c.lines, "is one too many: the header's scenario gives %d records in this span",
			len(c.run.Events))
	}
	var e readEvent
	if err := json.Unmarshal(line, &e); err != nil {
		return lineError(c.lines, "is not a record of a trace: %s", scenario.SayJSON(err))
	}
	ns, err := nanoseconds(e.T)
	if err != nil {
		return lineError(c.lines, "t: %s", err)
	}
	want := &c.run.Events[i]
	if e.Event.T = summary.Seconds(ns); !reflect.DeepEqual(&e.Event, want) {
		return lineError(c.lines, "says %q at %s s, but the header's scenario gives %q at %s s: the file was edited",
			nodeText(&e.Event), e.T, nodeText(want), secondsText(int64(want.T)))
	}
	return nil
}

func (c *Comparison) begin(line []byte) (err error) {
	if c.head, c.one, err = readHead(line); err != nil {
		return err
	}
	records := c.head.Records
	if c.Most > 0 && records > c.Most {
		return lineError(1, "counts %d records, but the page compares at most %d; leaselab import trace compares them "+
			"all", records, c.Most)
	}
	var within bool
	if c.run, c.hash, within = OfRunWithin(c.one.Scenario, c.one.FromNs, c.one.ToNs, records); !within {
		return lineError(1, "counts %d records, but its scenario gives more in this span", records)
	}
	return nil
}

// End marks the end of the file and returns the run.
func (c *Comparison) End() (Traced, error) {
	switch records := len(c.run.Events); {
	case c.lines == 0:
		return Traced{}, lineError(1, "the file is empty")
	case c.lines-1 < records:
		return Traced{}, lineError(c.lines+1, "is missing: the file ends after %d of %d records", c.lines-1, records)
	case c.hash.String() != c.head.Hash:
		return Traced{}, lineError(1, "names the trace hash %s, but its scenario gives %s", c.head.Hash, c.hash)
	default:
		c.one.Hash, c.one.Records = c.hash, records
		return c.one, nil
	}
}

func nodeText(e *Event) string { return strings.TrimSpace(e.Node + " " + e.Text) }

func lineError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d %s", line, fmt.Sprintf(format, args...))
}

func readHead(line []byte) (Header, Traced, error) {
	var h readHeader
	if err := json.Unmarshal(line, &h); err != nil {
		return Header{}, Traced{}, lineError(1, "is not the header of a trace: %s", scenario.SayJSON(err))
	}
	refuse := func(format string, args ...any) (Header, Traced, error) {
		return Header{}, Traced{}, lineError(1, format, args...)
	}
	switch {
	case h.Kind != TraceKind:
		return refuse("has kind %q; the first line of a trace has kind %q", h.Kind, TraceKind)
	case h.Version != TraceVersion:
		return refuse("has format version %d; this leaselab reads version %d", h.Version, TraceVersion)
	case h.Scenario == nil:
		return refuse(
			"has no scenario, so it is a trace of evidence or of real programs and cannot run again; leaselab " +
				"import reads it as evidence")
	case h.Engine != world.Engine:
		return refuse("says that engine %d made the trace; this is engine %d, and its run may differ", h.Engine,
			world.Engine)
	}
	s, err := scenario.Decode(h.Scenario)
	if err != nil {
		return refuse("has an invalid scenario: %s", err)
	}
	if h.Seed == nil || *h.Seed != s.Seed {
		return refuse("names a different seed from its scenario's, %d", s.Seed)
	}
	one := Traced{Scenario: s}
	for _, f := range []struct {
		text json.Number
		ns   *int64
	}{{h.From, &one.FromNs}, {h.To, &one.ToNs}} {
		if *f.ns, err = nanoseconds(f.text); err != nil {
			return refuse("has a bad span: %s", err)
		}
	}
	if one.FromNs < 0 || one.FromNs > one.ToNs || one.ToNs > int64(s.Duration) {
		return refuse("has the span %s s to %s s, which exceeds the scenario's duration, %s", h.From, h.To,
			s.Duration)
	}
	return h.Header, one, nil
}

// nanoseconds reads a length in seconds without rounding.
func nanoseconds(text json.Number) (int64, error) {
	whole, part, _ := strings.Cut(string(text), ".")
	if len(part) > 9 {
		return 0, fmt.Errorf("%q has more than nine decimals", text)
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 9-len(part)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of seconds", text)
	}
	return n, nil
}
