package history

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// traceEvent is an event of the Trace Event Format:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. Instants are in microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Ph    string         `json:"ph"`
	Ts    micros         `json:"ts"`
	Dur   *micros        `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bp    string         `json:"bp,omitempty"` // "e": a flow binds to the slice around it
	Scope string         `json:"s,omitempty"`  // scope of an instant event
	Args  map[string]any `json:"args,omitempty"`
}

// micros is an instant or a duration in nanoseconds. JSON shows it in microseconds with three decimals.
type micros int64

// MarshalJSON writes the number without rounding.
func (m micros) MarshalJSON() ([]byte, error) {
	out := strconv.AppendInt(nil, int64(m)/1000, 10)
	if rest := int64(m) % 1000; rest != 0 {
		out = append(out, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	return out, nil
}

// servedNs is the length of a request's slice at the API server. A request takes no time there, but a flow needs a
// slice that takes time.
const servedNs = 1000

// The processes of the trace: the Lease, the API server, then the nodes. The threads of a process are its tracks.
const (
	leasePid = 1 + iota
	serverPid
	firstNodePid
)

// `tracks` collects the events of a trace.
type tracks struct {
	h      *History
	events []traceEvent
	named  map[int]bool // tracks of each process
}

// Perfetto writes the history as JSON for ui.perfetto.dev, chrome://tracing and Perfetto's trace_processor. The Lease,
// the API server and each node become a process with tracks. Holders, roles, faults and requests become slices; a
// request's ways to the API server and back become flows; everything else becomes an instant.
//
// As the format demands, two slices on a track either nest or do not touch, so overlapping ones go to another track.
// A flow must lie inside the slices that it connects. So a request has a slice of one microsecond at the API server
// even if it takes no time there, and the answer's flow ends a nanosecond before the request does.
func (h *History) Perfetto(out io.Writer) error {
	t := tracks{h: h, named: map[int]bool{}}
	t.process(leasePid, "Lease "+h.Lease)
	t.process(serverPid, "API server")
	for i, name := range h.Nodes {
		t.process(firstNodePid+i, name)
	}
	t.spans("holderIdentity", "holder", h.Holders, func(int) int { return leasePid })
	ofNode := func(node int) int {
		if node == APIServer {
			return serverPid
		}
		return firstNodePid + node
	}
	t.spans("role", "role", h.Roles, ofNode)
	t.spans("faults", "fault", h.Faults, ofNode)
	t.leaders()
	t.requests()
	t.instants(ofNode)
	about := map[string]string{"title": h.Title, "by": "leaselab"}
	for _, f := range h.About {
		about[f.Name] = f.Value
	}
	slices.SortStableFunc(t.events, func(a, b traceEvent) int {
		return cmp.Or(cmp.Compare(order(&a), order(&b)), cmp.Compare(a.Ts, b.Ts), cmp.Compare(length(&b), length(&a)))
	})
	return t.write(out, about)
}

// `write` puts each event on its own line, so that people can read the file.
func (t *tracks) write(out io.Writer, about map[string]string) error {
	b := bufio.NewWriter(out)
	var one bytes.Buffer
	e := json.NewEncoder(&one)
	e.SetEscapeHTML(false)
	put := func(value any, after string) error {
		one.Reset()
		err := e.Encode(value)
		b.Write(bytes.TrimSuffix(one.Bytes(), []byte("\n")))
		b.WriteString(after)
		return err
	}
	b.WriteString("{\"traceEvents\":[\n")
	for i := range t.events {
		after := ",\n"
		if i == len(t.events)-1 {
			after = "\n],\"displayTimeUnit\":\"ms\",\"otherData\":"
		}
		if err := put(&t.events[i], after); err != nil {
			return err
		}
	}
	if err := put(about, "}\n"); err != nil {
		return err
	}
	return b.Flush()
}

// order is a key for sorting: names come before everything else.
func order(e *traceEvent) int {
	if e.Ph == "M" {
		return 0
	}
	return 1
}

// length is a key for sorting: a slice comes before the slices inside it and before the flows at its instant.
func length(e *traceEvent) micros {
	if e.Dur == nil {
		return -1
	}
	return *e.Dur
}

func (t *tracks) add(e traceEvent) { t.events = append(t.events, e) }

func (t *tracks) process(pid int, name string) {
	name = cmp.Or(name, "(no name)")
	t.add(traceEvent{Name: "process_name", Ph: "M", Pid: pid, Args: map[string]any{"name": name}})
	t.add(traceEvent{Name: "process_sort_index", Ph: "M", Pid: pid, Args: map[string]any{"sort_index": pid}})
}

// thread returns the number of a process's track of a kind, and names the track at its first use.
func (t *tracks) thread(pid int, kind string, level int) int {
	base := slices.Index([]string{"holderIdentity", "role", "faults", "served", "requests", "events"}, kind)*1000 +
		pid*10000 + 1
	tid := base + level
	if t.named[tid] {
		return tid
	}
	t.named[tid] = true
	name := kind
	if level > 0 {
		name += " " + strconv.Itoa(level+1)
	}
	t.add(traceEvent{Name: "thread_name", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}})
	t.add(traceEvent{Name: "thread_sort_index", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"sort_index": tid}})
	return tid
}

// `levels` gives each span of a track the first level on which it touches no other span. Spans come in order of their
// start.
type levels struct{ ends map[int][]int64 } // ends of spans by level, for each process

func (l *levels) take(pid int, fromNs, toNs int64) int {
	if l.ends == nil {
		l.ends = map[int][]int64{}
	}
	for level, end := range l.ends[pid] {
		if end <= fromNs {
			l.ends[pid][level] = toNs
			return level
		}
	}
	l.ends[pid] = append(l.ends[pid], toNs)
	return len(l.ends[pid]) - 1
}

// slice adds an event with a length.
func (t *tracks) slice(e traceEvent, fromNs, toNs int64) {
	dur := micros(max(toNs-fromNs, 1))
	e.Ph, e.Ts, e.Dur = "X", micros(fromNs), &dur
	t.add(e)
}

func (t *tracks) spans(track, cat string, spans []Span, pidOf func(node int) int) {
	var l levels
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b Span) int { return cmp.Compare(a.FromNs, b.FromNs) })
	for i := range sorted {
		s := &sorted[i]
		pid, to := pidOf(s.Node), t.h.end(s.ToNs)
		tid := t.thread(pid, track, l.take(pid, s.FromNs, max(to, s.FromNs+1)))
		t.slice(traceEvent{Name: s.Says, Cat: cat, Pid: pid, Tid: tid}, s.FromNs, to)
	}
}

// `leaders` writes a counter of the nodes that lead.
func (t *tracks) leaders() {
	type change struct {
		atNs int64
		by   int
	}
	var all []change
	for i := range t.h.Roles {
		if s := &t.h.Roles[i]; s.Says == Leads || s.Says == drains {
			all = append(all, change{s.FromNs, 1})
			if s.ToNs != Open {
				all = append(all, change{s.ToNs, -1})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.atNs, b.atNs), cmp.Compare(a.by, b.by))
	})
	n := 0
	t.add(traceEvent{Name: "active leaders", Ph: "C", Ts: micros(t.h.FromNs), Pid: leasePid,
		Args: map[string]any{"leaders": 0}})
	for i, c := range all {
		if n += c.by; i+1 == len(all) || all[i+1].atNs != c.atNs {
			t.add(traceEvent{Name: "active leaders", Ph: "C", Ts: micros(c.atNs), Pid: leasePid,
				Args: map[string]any{"leaders": n}})
		}
	}
}

// `requests` draws each request at its client and at the API server, and its way there and back as flows. Requests of
// one node that overlap need several threads, since the slices of a Perfetto thread must nest.
func (t *tracks) requests() {
	var atClient, atServer levels
	sorted := slices.Clone(t.h.Requests)
	slices.SortStableFunc(sorted, func(a, b Request) int { return cmp.Compare(a.SentNs, b.SentNs) })
	type place struct{ pid, tid int }
	from := make([]place, len(sorted))
	for i := range sorted {
		q := &sorted[i]
		if q.Node == APIServer {
			continue
		}
		pid, end := firstNodePid+q.Node, max(t.h.end(q.EndedNs), q.SentNs+1)
		from[i] = place{pid, t.thread(pid, "requests", atClient.take(pid, q.SentNs, end))}
		t.slice(traceEvent{Name: q.Verb + " " + q.Result, Cat: "request", Pid: pid, Tid: from[i].tid,
			Args: map[string]any{"number": q.Number, "resourceVersion": q.Version}}, q.SentNs, end)
	}
	served := make([]int, len(sorted))
	for i := range served {
		served[i] = i
	}
	slices.SortStableFunc(served, func(a, b int) int { return cmp.Compare(sorted[a].ServedNs, sorted[b].ServedNs) })
	for _, i := range served {
		q := &sorted[i]
		if q.ServedNs == Open {
			continue
		}
		tid := t.thread(serverPid, "served", atServer.take(serverPid, q.ServedNs, q.ServedNs+servedNs))
		t.slice(traceEvent{Name: q.Verb, Cat: "served", Pid: serverPid, Tid: tid,
			Args: map[string]any{"number": q.Number, "resourceVersion": q.Version}}, q.ServedNs, q.ServedNs+servedNs)
		if q.Node == APIServer {
			continue
		}
		flow := func(ph string, way int, at place, atNs int64) {
			e := traceEvent{Name: [...]string{"request", "answer"}[way], Cat: "message", Ph: ph, Ts: micros(atNs),
				Pid: at.pid, Tid: at.tid, ID: 2*i + way + 1}
			if ph == "f" {
				e.Bp = "e"
			}
			t.add(e)
		}
		if q.EndedNs == Open || q.ServedNs < q.EndedNs || q.SentNs < q.ServedNs {
			flow("s", 0, from[i], q.SentNs)
			flow("f", 0, place{serverPid, tid}, q.ServedNs)
		}
		if q.EndedNs > q.ServedNs {
			flow("s", 1, place{serverPid, tid}, q.ServedNs)
			flow("f", 1, from[i], q.EndedNs-1)
		}
	}
}

// `instants` draws the events that are neither requests nor slices.
func (t *tracks) instants(pidOf func(node int) int) {
	for i := range t.h.Events {
		e := &t.h.Events[i]
		if e.isRequest() {
			continue
		}
		pid := pidOf(slices.Index(t.h.Nodes, e.Node))
		t.add(traceEvent{
			Name: e.Text, Cat: e.Kind, Ph: "i", Scope: "t", Ts: micros(e.T), Pid: pid, Tid: t.thread(pid, "events", 0),
			Args: map[string]any{"events": e.Events, "holder": e.Holder, "transitions": e.Transitions},
		})
	}
}
