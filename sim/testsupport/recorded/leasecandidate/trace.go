package leasecandidate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Trace is a run of client-go's LeaseCandidate client in the recorded format "leasecandidate-oracle/1". Times are
// nanoseconds since the start; inside an object they are microseconds since the start.
type Trace struct {
	Format     string  `json:"format"`
	ClientGo   string  `json:"clientGo,omitempty"`
	Name       string  `json:"name"`
	Note       string  `json:"note"`
	DurationNs int64   `json:"durationNs"`
	Events     []Event `json:"events"`
}

// Event is one line: a request of the client, or an act of the script on the stored object.
type Event struct {
	T      int64
	By     string // client or script
	Verb   string // list, create, update or delete
	Result string // ok, or the injected error
	Object *Object
}

// Object is the object of a create or an update.
type Object struct {
	RenewUs  *int64 `json:"renewUs"`
	PingUs   *int64 `json:"pingUs"`
	Lease    string `json:"lease"`
	BV       string `json:"bv"`
	EV       string `json:"ev"`
	Strategy string `json:"strategy"`
}

type eventHead struct {
	T      int64  `json:"t"`
	By     string `json:"by"`
	Verb   string `json:"verb"`
	Result string `json:"result"`
}

// MarshalJSON writes the event with its object's fields beside its own.
func (e Event) MarshalJSON() ([]byte, error) {
	head := eventHead{e.T, e.By, e.Verb, e.Result}
	if e.Object == nil {
		return json.Marshal(head)
	}
	return json.Marshal(struct {
		eventHead
		Object
	}{head, *e.Object})
}

// UnmarshalJSON reads what MarshalJSON writes; an event with a lease has an object.
func (e *Event) UnmarshalJSON(data []byte) error {
	var flat struct {
		eventHead
		Object
	}
	if err := json.Unmarshal(data, &flat); err != nil {
		return err
	}
	*e = Event{T: flat.T, By: flat.By, Verb: flat.Verb, Result: flat.Result}
	if e.Verb == "create" || e.Verb == "update" {
		e.Object = &flat.Object
	}
	return nil
}

// Parse parses one recorded trace or an array of traces; array reports whether it was an array.
func Parse(data []byte) (traces []Trace, array bool, err error) {
	traces, array, err = recorded.OneOrMany[Trace](data)
	if err != nil {
		return nil, false, fmt.Errorf("neither a trace of a LeaseCandidate client nor an array of them: %w", err)
	}
	for i := range traces {
		if d := traces[i].DurationNs; d <= 0 || d > maxDurationNs {
			return nil, false, fmt.Errorf("trace %q: durationNs %d is not above 0 and at most %d", traces[i].Name, d,
				maxDurationNs)
		}
		last := int64(0)
		for k, e := range traces[i].Events {
			if e.By != "script" {
				continue
			}
			if e.T < last || e.T > traces[i].DurationNs {
				return nil, false, fmt.Errorf("trace %q: event %d at %d is before the one before it or after the end",
					traces[i].Name, k, e.T)
			}
			if e.Verb != "create" && e.Verb != "update" && e.Verb != "delete" {
				return nil, false,
					fmt.Errorf("trace %q: event %d has the verb %q; a script creates, updates and deletes",
						traces[i].Name, k, e.Verb)
			}
			last = e.T
		}
	}
	return traces, array, nil
}

// maxDurationNs is 90 days.
const maxDurationNs = 90 * 86_400 * int64(1_000_000_000)

// Run returns our run of a recorded trace. From the recording it takes the script's acts, the results of the client's
// requests, and the client's configuration. The cache follows the store at once.
func (t *Trace) Run() Trace {
	r := run{recorded: t, symbols: coordination.NewSymbols(), out: Trace{
		Format: t.Format, ClientGo: t.ClientGo, Name: t.Name, Note: t.Note, DurationNs: t.DurationNs,
	}}
	r.m = leasecandidate.New(r.config())
	for _, e := range t.Events {
		if e.By == "client" {
			r.results = append(r.results, e.Result)
		}
	}
	started := false
	for _, e := range t.Events {
		if e.By != "script" {
			continue
		}
		if e.T > 0 && !started {
			started = true
			r.start()
		}
		r.wakeUntil(e.T)
		r.script(e)
	}
	if !started {
		r.start()
	}
	r.wakeUntil(t.DurationNs)
	return r.out
}

type run struct {
	recorded *Trace
	symbols  *coordination.Symbols
	m        leasecandidate.Machine
	results  []string // of the client's requests, in order
	asked    int
	revision int64
	out      Trace
}

// config returns the client's configuration, derived from its writes, preferably from its create.
func (r *run) config() leasecandidate.Config {
	var own *Object
	for _, e := range r.recorded.Events {
		if e.By == "client" && e.Object != nil && (own == nil || e.Verb == "create") {
			if own = e.Object; e.Verb == "create" {
				break
			}
		}
	}
	if own == nil {
		return leasecandidate.Config{}
	}
	return leasecandidate.Config{
		LeaseName: r.symbols.Intern(own.Lease), BinaryVersion: r.symbols.Intern(own.BV),
		EmulationVersion: r.symbols.Intern(own.EV), Strategy: r.symbols.Intern(own.Strategy),
	}
}

// start starts the client at 0. The client's informer lists at once.
func (r *run) start() {
	r.step(0, leasecandidate.Input{Kind: leasecandidate.Start})
	r.say(Event{By: "client", Verb: "list", Result: r.result()})
	r.step(0, leasecandidate.Input{Kind: leasecandidate.Listed})
}

func (r *run) say(e Event) { r.out.Events = append(r.out.Events, e) }

// result returns the result of the next request; after the last recorded one every request succeeds.
func (r *run) result() string {
	r.asked++
	if r.asked > len(r.results) {
		return "ok"
	}
	return r.results[r.asked-1]
}

// wakeUntil wakes the client for everything due before an instant, because an act of the script at that instant comes
// first.
func (r *run) wakeUntil(endNs int64) {
	for {
		due := r.m.NextWakeNs()
		if due >= endNs {
			return
		}
		r.step(due, leasecandidate.Input{Kind: leasecandidate.Wake})
	}
}

// script performs a recorded act on the object.
func (r *run) script(e Event) {
	r.say(e)
	if e.Result != "ok" {
		return
	}
	r.revision++
	if e.Verb == "delete" {
		r.step(e.T, leasecandidate.Input{Kind: leasecandidate.Gone})
		return
	}
	o := e.Object
	spec := recorded.LeaseCandidateSpec{
		LeaseName: o.Lease, BinaryVersion: o.BV, EmulationVersion: o.EV, Strategy: o.Strategy,
		RenewTime: absolute(o.RenewUs), PingTime: absolute(o.PingUs),
	}
	r.step(e.T, leasecandidate.Input{Kind: leasecandidate.Seen,
		Object: leasecandidate.Object{ResourceVersion: r.revision, Spec: spec.Candidate(r.symbols)}})
}

// absolute converts a recorded time to the form in an object.
func absolute(us *int64) *coordination.MicroTime {
	if us == nil {
		return nil
	}
	t := coordination.MicroTime(*us + recorded.EpochMicros)
	return &t
}

// step passes an input to the client and answers its requests at once, as the recorder's server did.
func (r *run) step(now int64, in leasecandidate.Input) {
	for _, o := range r.m.Step(recorded.Reading(now), in, nil) {
		if o.Kind != leasecandidate.Send {
			continue
		}
		_, object := r.m.Outgoing()
		result := r.result()
		r.say(Event{T: now, By: "client", Verb: o.Verb.String(), Result: result, Object: r.objectOf(&object.Spec)})
		r.step(now, leasecandidate.Input{Kind: leasecandidate.Answer, Result: resultOf(result)})
		// A write that changes nothing does not count as a write. Otherwise the client would answer a ping with a
		// future time again and again.
		cached, has := r.m.CachedObject()
		if result == "ok" && !(has && cached.Spec == object.Spec) {
			r.revision++
			object.ResourceVersion = r.revision
			r.step(now, leasecandidate.Input{Kind: leasecandidate.Seen, Object: object})
		}
	}
}

// resultOf returns a result as the client sees it: success or failure.
func resultOf(recorded string) step.Result {
	switch recorded {
	case "ok":
		return step.Success
	case "409":
		return step.Conflict
	}
	return step.InternalError
}

func (r *run) objectOf(s *coordination.Candidate) *Object {
	relative := func(has coordination.CandidateFields, t coordination.MicroTime) *int64 {
		if !s.Has(has) {
			return nil
		}
		us := int64(t) - recorded.EpochMicros
		return &us
	}
	return &Object{
		RenewUs: relative(coordination.HasRenew, s.RenewTime), PingUs: relative(coordination.HasPing, s.PingTime),
		Lease: r.symbols.Text(s.LeaseName), BV: r.symbols.Text(s.BinaryVersion), EV: r.symbols.Text(s.EmulationVersion),
		Strategy: r.symbols.Text(s.Strategy),
	}
}

// JSON encodes the trace as a recording does, one event per line.
func (t *Trace) JSON() []byte {
	head := *t
	head.Events = nil
	b, _, _ := bytes.Cut(recorded.Line(head), []byte(`,"events":`))
	out := append(append([]byte(nil), b...), `,"events":[`...)
	for i := range t.Events {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, "\n "...), recorded.Line(t.Events[i])...)
	}
	return append(out, "\n]}\n"...)
}

// JSON encodes traces in their original form: an array or a single trace.
func JSON(traces []Trace, array bool) []byte {
	if !array {
		return traces[0].JSON()
	}
	out := []byte("[")
	for i := range traces {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		out = append(out, bytes.TrimRight(traces[i].JSON(), "\n")...)
	}
	return append(out, "]\n"...)
}
