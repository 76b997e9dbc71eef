package programs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/history"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// RecordVersion is in the first line of a record.
const RecordVersion = "leaselab.dev/record/v1"

// heading is the first line of a record, as JSON.
type heading struct {
	Record       string          `json:"record"`
	Engine       int             `json:"engine"`
	Administered bool            `json:"administered,omitempty"`
	Serves       *Serves         `json:"serves,omitempty"`
	Epoch        string          `json:"epoch,omitempty"` // when it began, RFC 3339
	Lease        string          `json:"lease,omitempty"` // namespace/name
	Scenario     json.RawMessage `json:"scenario"`
}

// line is one Call, as JSON.
type line struct {
	AtNs     int64             `json:"at"`              // nanoseconds since the scenario began
	Steps    int64             `json:"steps,omitempty"` // of the world since the line before
	Do       CallKind          `json:"do"`
	Node     string            `json:"node,omitempty"`
	Number   uint64            `json:"number,omitempty"`
	Method   string            `json:"method,omitempty"`
	Path     string            `json:"path,omitempty"`
	Query    [][2]string       `json:"query,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Body     string            `json:"body,omitempty"`
	Bytes    []byte            `json:"bytes,omitempty"`   // a body that is not UTF-8
	Refused  int               `json:"refused,omitempty"` // the status with which users and roles have refused the request
	Deadline bool              `json:"deadline,omitempty"`
	GoesOn   bool              `json:"goesOn,omitempty"`
	Leads    bool              `json:"leads,omitempty"`
	Hash     string            `json:"hash,omitempty"` // the last line: of the trace
	// Events marks a line of the trace, as export ndjson writes it. A replay makes its own trace; readers of evidence have only these.
	Events []string `json:"events,omitempty"`
}

// Recorder writes the calls of a cluster as NDJSON: a heading with the scenario, then a line for each call, and between them the trace
// that they make, for those who read a record without a cluster. It keeps no credentials.
type Recorder struct {
	out   *bufio.Writer
	name  func(int32) string
	ended bool
	err   error
}

// NewRecorder writes the heading of a record of a cluster with these options.
func NewRecorder(out io.Writer, s scenario.Scenario, o *Options) (*Recorder, error) {
	r := &Recorder{out: bufio.NewWriter(out)}
	full := scenario.Resolve(s)
	r.write(heading{
		Record: RecordVersion, Engine: world.Engine, Administered: o.Administered, Serves: o.Serves, Epoch: time.Now().UTC().Format(time.RFC3339Nano),
		Lease: full.Namespace + "/" + full.LeaseName, Scenario: scenario.Encode(s),
	})
	return r, r.err
}

func (r *Recorder) write(v any) {
	e := json.NewEncoder(r.out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	if err == nil {
		err = r.out.Flush() // a record is whole up to the instant at which leaselab is killed
	}
	r.err = errors.Join(r.err, err)
}

// Err is why the record is not whole, nil if it is.
func (r *Recorder) Err() error { return r.err }

// Take is for Options.Record.
func (r *Recorder) Take(k *Call) {
	if r.err != nil || r.ended {
		return
	}
	l := line{AtNs: k.AtNs, Steps: k.Steps, Do: k.Do, Number: k.Number, Refused: k.Refused, Deadline: k.Deadline, GoesOn: k.GoesOn, Leads: k.Leads, Hash: k.Hash}
	if k.Node >= 0 && k.Do != CallEnd {
		l.Node = r.name(k.Node)
	}
	if q := k.Request; q != nil {
		l.Method, l.Path, l.Headers = q.Method, q.Path, maps.Clone(q.Header)
		for _, secret := range []string{"authorization", "cookie", "accept-encoding", "content-length"} {
			delete(l.Headers, secret)
		}
		for _, p := range q.Query {
			l.Query = append(l.Query, [2]string{p.Name, p.Value})
		}
		if utf8.Valid(q.Body) {
			l.Body = string(q.Body)
		} else {
			l.Bytes = q.Body
		}
	}
	r.write(l)
	r.ended = k.Do == CallEnd
}

// tell writes a record of the trace.
func (r *Recorder) tell(ran *run.Run, record *trace.Record, note explain.Note) {
	if r.err == nil && !r.ended {
		r.write(history.EventOf(ran.World, record, note))
	}
}

// End ends the record of the cluster at an instant with the hash of its trace. The caller is in Judge.
func (c *Cluster) End(ns int64) {
	if c.options.Record != nil {
		c.options.Record(&Call{AtNs: ns, Steps: c.steps, Do: CallEnd, Node: -1, Hash: c.run.World.Hash().String()})
	}
}

// RecordTo lets the cluster of these options be recorded, beside what See has been set to. It returns the function that gives the
// recorder the cluster's names.
func (o *Options) RecordTo(r *Recorder) (begin func(*Cluster)) {
	o.Record = r.Take
	see := o.See
	o.See = func(ran *run.Run, record *trace.Record, note explain.Note) {
		if see != nil {
			see(ran, record, note)
		}
		r.tell(ran, record, note)
	}
	return func(c *Cluster) { r.name = func(i int32) string { return c.run.World.Node(i).Name() } }
}

// IsRecord reports whether a file is a record, by its first bytes.
func IsRecord(data []byte) bool {
	first, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	return bytes.HasPrefix(bytes.TrimSpace(first), []byte(`{"record":"leaselab.dev/record/`))
}

// Replayed is a record that has been read.
type Replayed struct {
	Scenario scenario.Scenario // what its acts were
	Run      *run.Run          // settled at EndNs
	EndNs    int64
	Whole    bool   // it has its last line
	EpochNs  int64  // nanoseconds since 1970 of its beginning; 0: an older record does not say
	Lease    string // namespace/name, of the same records
	cluster  *Cluster
}

// Seen is Cluster.Seen.
func (r *Replayed) Seen() scenario.Scenario { return r.cluster.Seen() }

// MaxLineBytes is the longest line of a record: that of a request with the longest body.
const MaxLineBytes = 16 << 20

// Replay carries the calls of a record out again, and shows see every record of the trace, if it is not nil. An error names the line.
func Replay(in io.Reader, configureAPI func(*apiserver.Config), see func(*run.Run, *trace.Record, explain.Note)) (*Replayed, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), MaxLineBytes)
	if !lines.Scan() {
		return nil, errors.Join(errors.New("the record is empty"), lines.Err())
	}
	var h heading
	if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
		return nil, fmt.Errorf("line 1: a record begins with its scenario: %w", err)
	}
	switch {
	case h.Record != RecordVersion:
		return nil, fmt.Errorf("line 1: record is %q; this leaselab reads %q", h.Record, RecordVersion)
	case h.Engine != world.Engine:
		return nil, fmt.Errorf("line 1: the record was made by engine %d, and this leaselab has engine %d: read it with the leaselab that made it", h.Engine, world.Engine)
	}
	s, err := scenario.Decode(h.Scenario)
	if err != nil {
		return nil, fmt.Errorf("line 1: scenario: %w", err)
	}
	p := &replay{Cluster: New(s, Options{Administered: h.Administered, Serves: h.Serves, ConfigureAPI: configureAPI, See: see}), waiting: map[uint64]*exchange{}}
	r := &Replayed{Scenario: s, Run: p.run, Lease: h.Lease, cluster: p.Cluster}
	if began, err := time.Parse(time.RFC3339Nano, h.Epoch); err == nil {
		r.EpochNs = began.UnixNano()
	}
	for number := 2; lines.Scan(); number++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			if number > 2 && !lines.Scan() {
				break // its writer was killed in the middle of the line
			}
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if r.Whole {
			return nil, fmt.Errorf("line %d: the record goes on after its end", number)
		}
		if l.Events != nil {
			continue
		}
		if err := p.take(&l); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		r.EndNs, r.Whole = l.AtNs, l.Do == CallEnd
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w; a line of a record has at most %d MiB", err, MaxLineBytes>>20)
	}
	p.run.Settle(r.EndNs)
	return r, nil
}

// replay is a cluster whose programs are in a record.
type replay struct {
	*Cluster
	waiting map[uint64]*exchange
}

// errUnfit is the error of a line that cannot have been recorded.
var errUnfit = errors.New("the line does not fit the record before it: the file was changed, or another leaselab made it")

func (p *replay) take(l *line) error {
	for range l.Steps {
		if at := p.run.World.NextAt(); at > l.AtNs || !p.run.Step(math.MaxInt64, p.seen()) {
			return errUnfit
		}
		p.observed.observe(p.run.World.Records())
	}
	if l.AtNs < p.run.World.Now() {
		return errUnfit
	}
	if l.Do == CallEnd {
		if hash := p.run.World.Hash().String(); hash != l.Hash {
			return fmt.Errorf("the trace has the hash %s, and the record says %s: the file was changed, or another leaselab made it", hash, l.Hash)
		}
		return nil
	}
	k, err := p.callOf(l)
	if err != nil {
		return err
	}
	p.atNs = l.AtNs
	p.carry(*k)
	if k.Do == CallRequest && k.exchange.number != 0 {
		p.waiting[k.Number] = k.exchange
	}
	return nil
}

// callOf is the call in a line.
func (p *replay) callOf(l *line) (*Call, error) {
	k := &Call{Do: l.Do, Node: -1, Number: l.Number, Deadline: l.Deadline, GoesOn: l.GoesOn, Leads: l.Leads}
	if l.Do == CallAdministers {
		k.Request = l.request()
		return k, nil
	}
	for i, n := range p.nodes {
		if n != nil && n.name == l.Node {
			k.Node = int32(i)
		}
	}
	if k.Node < 0 {
		return nil, fmt.Errorf("no process of a candidate %q has started", l.Node)
	}
	switch l.Do {
	case CallRequest:
		if p.waiting[l.Number] != nil || l.Number == 0 {
			return nil, errUnfit
		}
		k.Request = l.request()
		k.Refused = l.Refused
		k.exchange = &exchange{node: p.nodes[k.Node], request: k.Request, refused: l.Refused != 0, answer: apiserver.Response{Status: l.Refused}, outcome: make(chan outcome, 1)}
	case CallAbandon:
		if k.exchange = p.waiting[l.Number]; k.exchange == nil {
			return nil, errUnfit
		}
	case CallEvent, CallAttemptEnds, CallLeads, CallStopsLeading, CallStopsWork, CallReturns, CallCrashes:
	default:
		return nil, fmt.Errorf("do is %q; a record has request, abandon, event, attemptEnds, leads, stopsLeading, stopsWork, returns, crashes, administers and end", l.Do)
	}
	return k, nil
}

func (l *line) request() *apiserver.Request {
	q := &apiserver.Request{Method: l.Method, Path: l.Path, Header: map[string]string{}, Body: l.Bytes}
	for name, value := range l.Headers {
		q.Header[strings.ToLower(name)] = value
	}
	if l.Body != "" {
		q.Body = []byte(l.Body)
	}
	for _, p := range l.Query {
		q.Query = append(q.Query, apiserver.Param{Name: p[0], Value: p[1]})
	}
	return q
}
