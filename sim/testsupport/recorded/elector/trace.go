package elector

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// record is a LeaseSpec as the recordings write it; a nil field is absent.
type record struct {
	Holder      *string `json:"holder,omitempty"`
	DurS        *int32  `json:"durS,omitempty"`
	AcquireUs   *int64  `json:"acquireUs,omitempty"`
	RenewUs     *int64  `json:"renewUs,omitempty"`
	Transitions *int32  `json:"transitions,omitempty"`
	Strategy    *string `json:"strategy,omitempty"`
	Preferred   *string `json:"preferred,omitempty"`
}

// value returns the record that a recording describes.
func (r *record) value(symbols *coordination.Symbols) coordination.Record {
	instant := func(us *int64) *coordination.MicroTime {
		if us == nil {
			return nil
		}
		t := coordination.MicroTime(*us + recorded.EpochMicros)
		return &t
	}
	spec := recorded.LeaseSpec{
		HolderIdentity: r.Holder, LeaseDurationSeconds: r.DurS, AcquireTime: instant(r.AcquireUs),
		RenewTime:        instant(r.RenewUs),
		LeaseTransitions: r.Transitions, Strategy: r.Strategy, PreferredHolder: r.Preferred,
	}
	return spec.Record(symbols)
}

// recordOf returns a record as the recordings write it.
func recordOf(v *coordination.Record, symbols *coordination.Symbols) *record {
	micros := func(t *coordination.MicroTime) *int64 {
		if t == nil {
			return nil
		}
		us := int64(*t) - recorded.EpochMicros
		return &us
	}
	s := recorded.SpecOf(v, symbols)
	return &record{
		Holder: s.HolderIdentity, DurS: s.LeaseDurationSeconds, AcquireUs: micros(s.AcquireTime),
		RenewUs:     micros(s.RenewTime),
		Transitions: s.LeaseTransitions, Strategy: s.Strategy, Preferred: s.PreferredHolder,
	}
}

// Event is one line of a trace.
type Event struct {
	T       int64    `json:"t"`
	Cand    string   `json:"cand,omitempty"`
	Kind    string   `json:"kind"`
	Seq     int32    `json:"seq,omitempty"`
	Verb    string   `json:"verb,omitempty"`
	Served  *int64   `json:"served,omitempty"`
	End     *int64   `json:"end,omitempty"`
	Result  string   `json:"result,omitempty"`
	Server  string   `json:"server,omitempty"`
	SentRV  int64    `json:"sentRV,omitempty"`
	RV      int64    `json:"rv,omitempty"`
	Sent    *record  `json:"sent,omitempty"`
	Rec     *record  `json:"rec,omitempty"`
	Leader  *string  `json:"leader,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	Draw    *float64 `json:"draw,omitempty"`
	DelayNs *int64   `json:"delayNs,omitempty"`
	Run     int      `json:"run,omitempty"`

	index int // index of the candidate, for sorting; -1 for the world
}

// Stored is one version of a Lease; Rec is nil for a deletion.
type Stored struct {
	T     int64   `json:"t"`
	RV    int64   `json:"rv"`
	By    string  `json:"by"`
	Lease string  `json:"lease"`
	Rec   *record `json:"rec"`
}

// Interval is a span of time during which a candidate was active.
type Interval struct {
	Cand    string `json:"cand"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	EndedBy string `json:"endedBy"`
}

// Trace is a run in the recorded format "elector-oracle/1".
type Trace struct {
	Schedule         json.RawMessage
	Events           []Event
	LeaseHistory     []Stored
	LeadingIntervals []Interval
	DualLeadershipNs int64
	NoLeaderNs       int64
	Requests         int64
}

// Run runs a schedule, or the schedule of a trace.
func Run(data []byte) (*Trace, error) {
	s, raw, err := Parse(data)
	if err != nil {
		return nil, err
	}
	setup, err := s.Setup()
	if err != nil {
		return nil, err
	}
	t := &Trace{Schedule: raw}
	c := collector{trace: t, setup: setup, schedule: &s, open: map[int64]int{}, active: map[int32]int{}}
	w := world.New(setup)
	// The run ends before its last instant: events at exactly that instant do not happen.
	w.Run(s.DurationNs-1, c.observe)
	c.finish(w)
	return t, nil
}

type collector struct {
	trace    *Trace
	setup    *world.Setup
	schedule *Schedule
	open     map[int64]int // from candidate and request number to the event
	active   map[int32]int // from a candidate to its unfinished leading interval
}

func (c *collector) observe(records []trace.Record) {
	for i := range records {
		c.record(&records[i])
	}
}

var plainKinds = map[trace.Kind][2]string{
	trace.Started: {"start"}, trace.Restarted: {"restarted"}, trace.Paused: {"pause"}, trace.Resumed: {"resume"},
	trace.Crashed: {"crash"}, trace.StopAsked: {"stop"}, trace.StartedLeading: {"started_leading"},
	trace.LeadingDone: {"leading_ctx_done"}, trace.WorkDone: {"work_done"}, trace.StoppedLeading: {"stopped_leading"},
	trace.RunReturned: {"run_returned"}, trace.MetricLeaderOn: {"metric", "leader_on"},
	trace.MetricLeaderOff: {"metric", "leader_off"},
	trace.MetricSlowPath:  {"metric", "slowpath"}, trace.EventBecameLeader: {"event", "became leader"},
	trace.EventStoppedLeading: {"event", "stopped leading"},
}

func (c *collector) record(r *trace.Record) {
	e := Event{T: r.At, index: int(r.Candidate)}
	if r.Candidate >= 0 {
		e.Cand = c.setup.Candidates[r.Candidate].Name
		if r.Run > 0 && r.Kind != trace.WorkDone {
			e.Run = int(r.Run) + 1
		}
	}
	symbols := c.setup.Symbols
	switch r.Kind {
	case trace.RequestSent, trace.RequestNotSent:
		c.trace.Requests++
		e.Kind, e.Seq, e.Verb, e.SentRV = "request", r.Seq, r.Verb.String(), r.ResourceVersion
		if r.Verb != elector.Get {
			e.Sent = recordOf(&r.Spec, symbols)
		}
		if r.Kind == trace.RequestNotSent {
			end := r.At
			e.End, e.Result = &end, r.Result.String()
		} else {
			c.open[requestKey(r)] = len(c.trace.Events)
		}
	case trace.RequestServed:
		c.noteServed(&c.trace.Events[c.open[requestKey(r)]], r)
		return
	case trace.RequestEnded:
		sent := &c.trace.Events[c.open[requestKey(r)]]
		end := r.At
		sent.End, sent.Result = &end, r.Result.String()
		return
	case trace.JitterDrawn:
		jitter := r.Jitter()
		e.Kind, e.Draw, e.DelayNs = "jitter", &jitter.Draw, &jitter.DelayNs
	case trace.NewLeader:
		leader := symbols.Text(r.Name)
		e.Kind, e.Leader = "new_leader", &leader
	case trace.ConfigError:
		e.Kind, e.Detail = "config_error", symbols.Text(r.Name)
	case trace.Skipped: // the recorder recorded every act, even one without an effect
		if e.Kind = skippedKinds[world.ControlKind(r.Skip().Control)]; e.Kind == "" {
			return
		}
	case trace.Written:
		c.write(&e, r)
	case trace.Probed:
		c.probe(&e, r)
	default:
		plain, known := plainKinds[r.Kind]
		if !known {
			return
		}
		e.Kind, e.Detail = plain[0], plain[1]
		c.activity(r)
	}
	c.trace.Events = append(c.trace.Events, e)
	if last := len(c.trace.Events) - 1; r.Kind == trace.MetricLeaderOff && last > 0 &&
		c.trace.Events[last-1].Kind == "restarted" {
		// The recorder created the new elector, which reports leader_off, before it recorded the restart.
		c.trace.Events[last-1], c.trace.Events[last] = c.trace.Events[last], c.trace.Events[last-1]
	}
}

var skippedKinds = map[world.ControlKind]string{
	world.DoStop: "stop", world.DoCrash: "crash", world.DoPause: "pause", world.DoResume: "resume",
}

func requestKey(r *trace.Record) int64 { return int64(r.Candidate)<<32 | int64(r.Seq) }

func (c *collector) noteServed(e *Event, r *trace.Record) {
	at := r.At
	e.Served = &at
	switch r.Fault {
	case network.NoFault, network.DropResponse:
		e.Server = r.Outcome.String()
	case network.Http504Applied:
		e.Server = r.Outcome.String()
		if r.Outcome.Accepted() {
			e.Server += "+504"
		}
	default:
		e.Server = faultServer[r.Fault]
		return
	}
	if r.Outcome.Accepted() {
		e.RV = r.ResourceVersion
		e.Rec = recordOf(&r.Spec, c.setup.Symbols)
	}
}

var faultServer = map[network.FaultKind]string{
	network.Http429: "429", network.Http500: "500", network.Http503: "503", network.Http504: "504",
	network.HttpConflict: "409_conflict",
}

func (c *collector) write(e *Event, r *trace.Record) {
	e.Kind, e.RV = "write", r.ResourceVersion
	e.Detail = [...]string{trace.Put: "put", trace.Patch: "patch", trace.Delete: "delete",
		trace.Touch: "patch"}[r.Write().Op]
	switch r.Outcome {
	case storage.NotFound:
		e.Detail += " " + r.Outcome.String()
	case storage.Deleted:
	default:
		e.Rec = recordOf(&r.Spec, c.setup.Symbols)
	}
}

func (c *collector) probe(e *Event, r *trace.Record) {
	e.Kind, e.Detail = "probe", "ok"
	if leader := c.setup.Symbols.Text(r.Name); leader != "" {
		e.Leader = &leader
	}
	health := r.Health()
	if !health.Healthy {
		e.Detail = "failed election to renew leadership on lease " + e.Cand
	}
	if health.Leads {
		e.Detail += " isLeader"
	}
}

// activity records the intervals in which candidates were active.
func (c *collector) activity(r *trace.Record) {
	intervals := c.trace.LeadingIntervals
	end := func(by string) {
		if k, leading := c.active[r.Candidate]; leading {
			intervals[k].To, intervals[k].EndedBy = r.At, by
			delete(c.active, r.Candidate)
		}
	}
	switch r.Kind {
	case trace.StartedLeading:
		c.active[r.Candidate] = len(intervals)
		c.trace.LeadingIntervals = append(intervals, Interval{Cand: c.setup.Candidates[r.Candidate].Name, From: r.At})
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			end("leading_ctx_done")
		}
	case trace.WorkDone:
		end("work_done")
	case trace.Crashed:
		end("crash")
	}
}

// late sorts the events of callback goroutines after the elector's own steps at the same instant.
var late = map[string]int{"started_leading": 1, "leading_ctx_done": 2, "work_done": 3, "new_leader": 4}

func (c *collector) finish(w *world.World) {
	t := c.trace
	for i := range t.LeadingIntervals {
		if t.LeadingIntervals[i].EndedBy == "" {
			t.LeadingIntervals[i].To, t.LeadingIntervals[i].EndedBy = c.schedule.DurationNs, "end"
		}
	}
	t.DualLeadershipNs, t.NoLeaderNs = overlap(t.LeadingIntervals, c.schedule.DurationNs)
	sort.SliceStable(t.Events, func(i, j int) bool {
		a, b := &t.Events[i], &t.Events[j]
		if a.T != b.T {
			return a.T < b.T
		}
		if a.index != b.index {
			return a.index < b.index
		}
		return late[a.Kind] < late[b.Kind]
	})
	t.Events = append(t.Events, Event{T: c.schedule.DurationNs, Kind: "end"})
	history := w.Store().History()
	for i := range history.Len() {
		v := history.At(i)
		s := Stored{T: v.AtNs, RV: v.Object.ResourceVersion, By: "ext", Lease: c.setup.LeaseNames[v.Lease]}
		if v.By >= 0 {
			s.By = c.setup.Candidates[v.By].Name
		}
		if !v.Deleted {
			s.Rec = recordOf(&v.Object.Spec, c.setup.Symbols)
		}
		t.LeaseHistory = append(t.LeaseHistory, s)
	}
}

// overlap returns for how long two or more candidates were active, and for how long none was, between 0 and the end.
func overlap(intervals []Interval, endNs int64) (dualNs, noneNs int64) {
	type change struct {
		at    int64
		delta int
	}
	var changes []change
	for _, i := range intervals {
		changes = append(changes, change{i.From, 1}, change{i.To, -1})
	}
	sort.Slice(changes, func(i, j int) bool { return changes[i].at < changes[j].at })
	active, last := 0, int64(0)
	for _, c := range append(changes, change{endNs, 0}) {
		switch {
		case active == 0:
			noneNs += c.at - last
		case active >= 2:
			dualNs += c.at - last
		}
		active, last = active+c.delta, c.at
	}
	return dualNs, noneNs
}

// JSON encodes the trace as the recorder does, one event per line.
func (t *Trace) JSON() []byte {
	var b bytes.Buffer
	b.WriteString("{\"format\":\"elector-oracle/1\",\n\"env\":")
	b.Write(recorded.Line(map[string]string{"epoch": "2000-01-01T00:00:00Z", "engine": "leaselab"}))
	b.WriteString(",\n\"schedule\":")
	b.Write(bytes.TrimSpace(t.Schedule))
	list(&b, "events", len(t.Events), func(i int) []byte { return recorded.Line(&t.Events[i]) })
	list(&b, "leaseHistory", len(t.LeaseHistory), func(i int) []byte { return recorded.Line(&t.LeaseHistory[i]) })
	list(&b, "leadingIntervals", len(t.LeadingIntervals),
		func(i int) []byte { return recorded.Line(&t.LeadingIntervals[i]) })
	for _, total := range []struct {
		name  string
		value int64
	}{{"dualLeadershipNs", t.DualLeadershipNs}, {"noLeaderNs", t.NoLeaderNs}, {"requests", t.Requests}} {
		b.WriteString(",\n\"" + total.name + "\":" + strconv.FormatInt(total.value, 10))
	}
	b.WriteString("}\n")
	return b.Bytes()
}

func list(b *bytes.Buffer, name string, n int, item func(int) []byte) {
	b.WriteString(",\n\"" + name + "\":[")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n ")
		b.Write(item(i))
	}
	b.WriteString("]")
}
