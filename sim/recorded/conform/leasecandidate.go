package conform

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/sim/world"
)

// CandidateTrace is a run of client-go's LeaseCandidate client in the recorded format "leasecandidate-oracle/1". Times are
// nanoseconds since the start, and microseconds since the start inside an object.
type CandidateTrace struct {
	Format     string           `json:"format"`
	ClientGo   string           `json:"clientGo,omitempty"`
	Name       string           `json:"name"`
	Note       string           `json:"note"`
	DurationNs int64            `json:"durationNs"`
	Events     []CandidateEvent `json:"events"`
}

// CandidateEvent is one line: a request of the client, or something the script does to the stored object.
type CandidateEvent struct {
	T      int64
	By     string // client or script
	Verb   string // list, create, update or delete
	Result string // ok or what was injected
	Object *CandidateObject
}

// CandidateObject is what a create or an update carried.
type CandidateObject struct {
	RenewUs  *int64 `json:"renewUs"`
	PingUs   *int64 `json:"pingUs"`
	Lease    string `json:"lease"`
	BV       string `json:"bv"`
	EV       string `json:"ev"`
	Strategy string `json:"strategy"`
}

type candidateEventHead struct {
	T      int64  `json:"t"`
	By     string `json:"by"`
	Verb   string `json:"verb"`
	Result string `json:"result"`
}

// MarshalJSON writes the event with its object's fields beside its own.
func (e CandidateEvent) MarshalJSON() ([]byte, error) {
	head := candidateEventHead{e.T, e.By, e.Verb, e.Result}
	if e.Object == nil {
		return json.Marshal(head)
	}
	return json.Marshal(struct {
		candidateEventHead
		CandidateObject
	}{head, *e.Object})
}

// UnmarshalJSON reads what MarshalJSON writes; an event with a lease carries an object.
func (e *CandidateEvent) UnmarshalJSON(data []byte) error {
	var flat struct {
		candidateEventHead
		CandidateObject
	}
	if err := json.Unmarshal(data, &flat); err != nil {
		return err
	}
	*e = CandidateEvent{T: flat.T, By: flat.By, Verb: flat.Verb, Result: flat.Result}
	if e.Verb == "create" || e.Verb == "update" {
		e.Object = &flat.CandidateObject
	}
	return nil
}

// ParseCandidateTraces reads one recorded trace or an array of them; array says which.
func ParseCandidateTraces(data []byte) (traces []CandidateTrace, array bool, err error) {
	traces, array, err = oneOrMany[CandidateTrace](data)
	if err != nil {
		return nil, false, fmt.Errorf("neither a trace of a LeaseCandidate client nor an array of them: %w", err)
	}
	for i := range traces {
		if d := traces[i].DurationNs; d <= 0 || d > maxTraceNs {
			return nil, false, fmt.Errorf("trace %q: durationNs %d is not above 0 and at most %d", traces[i].Name, d, maxTraceNs)
		}
		last := int64(0)
		for k, e := range traces[i].Events {
			if e.By != "script" {
				continue
			}
			if e.T < last || e.T > traces[i].DurationNs {
				return nil, false, fmt.Errorf("trace %q: event %d at %d is before the one before it or after the end", traces[i].Name, k, e.T)
			}
			if e.Verb != "create" && e.Verb != "update" && e.Verb != "delete" {
				return nil, false, fmt.Errorf("trace %q: event %d has the verb %q; a script creates, updates and deletes", traces[i].Name, k, e.Verb)
			}
			last = e.T
		}
	}
	return traces, array, nil
}

// maxTraceNs is 90 days.
const maxTraceNs = 90 * 86_400 * int64(1_000_000_000)

// oneOrMany decodes an array or a single value.
func oneOrMany[T any](data []byte) (all []T, array bool, err error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		err = json.Unmarshal(data, &all)
		return all, true, err
	}
	var one T
	if err = json.Unmarshal(data, &one); err != nil {
		return nil, false, err
	}
	return []T{one}, false, nil
}

// Run is our run of a recorded trace. Taken from the recording: what the script did, how each request of the client was
// answered, and for whom the client stands. The cache follows the store at once.
func (t *CandidateTrace) Run() CandidateTrace {
	r := candidateRun{recorded: t, symbols: coordination.NewSymbols(), out: CandidateTrace{
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
		r.until(e.T)
		r.script(e)
	}
	if !started {
		r.start()
	}
	r.until(t.DurationNs)
	return r.out
}

type candidateRun struct {
	recorded *CandidateTrace
	symbols  *coordination.Symbols
	m        leasecandidate.Machine
	results  []string // of the client's requests, in order
	asked    int
	revision int64
	out      CandidateTrace
}

// config is for whom the client stands: what it wrote itself, best when it created the object.
func (r *candidateRun) config() leasecandidate.Config {
	var own *CandidateObject
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

// reading is the clocks at an instant: the recorder's node has an exact one.
func reading(now int64) elector.Reading {
	return elector.Reading{Now: now, Mono: now, Wall: world.EpochUnixNs + now}
}

// start runs the client at 0; its informer lists at once.
func (r *candidateRun) start() {
	r.step(0, leasecandidate.Input{Kind: leasecandidate.Start})
	r.say(CandidateEvent{By: "client", Verb: "list", Result: r.result()})
	r.step(0, leasecandidate.Input{Kind: leasecandidate.Listed})
}

func (r *candidateRun) say(e CandidateEvent) { r.out.Events = append(r.out.Events, e) }

// result is how the next request was answered; after the last recorded one all goes well.
func (r *candidateRun) result() string {
	r.asked++
	if r.asked > len(r.results) {
		return "ok"
	}
	return r.results[r.asked-1]
}

// until wakes the client for everything that falls due before an instant: what the script does there comes first.
func (r *candidateRun) until(endNs int64) {
	for {
		due := r.m.NextWakeNs()
		if due >= endNs {
			return
		}
		r.step(due, leasecandidate.Input{Kind: leasecandidate.Wake})
	}
}

// script does to the object what the recording says was done.
func (r *candidateRun) script(e CandidateEvent) {
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
	spec := coordination.LeaseCandidateSpec{
		LeaseName: o.Lease, BinaryVersion: o.BV, EmulationVersion: o.EV, Strategy: o.Strategy, RenewTime: absolute(o.RenewUs), PingTime: absolute(o.PingUs),
	}
	r.step(e.T, leasecandidate.Input{Kind: leasecandidate.Seen, Object: leasecandidate.Object{ResourceVersion: r.revision, Spec: spec.Candidate(r.symbols)}})
}

// absolute is a recorded time as the object holds it.
func absolute(us *int64) *coordination.MicroTime {
	if us == nil {
		return nil
	}
	t := coordination.MicroTime(*us + epochMicros)
	return &t
}

// step hands an input to the client and answers its requests on the spot, as the recorder's server did.
func (r *candidateRun) step(now int64, in leasecandidate.Input) {
	for _, o := range r.m.Step(reading(now), in, nil) {
		if o.Kind != leasecandidate.Send {
			continue
		}
		_, object := r.m.Outgoing()
		result := r.result()
		r.say(CandidateEvent{T: now, By: "client", Verb: o.Verb.String(), Result: result, Object: r.written(&object.Spec)})
		r.step(now, leasecandidate.Input{Kind: leasecandidate.Answer, Result: candidateResult(result)})
		// A write that changes nothing is none: a ping that lies in the future would otherwise be answered for ever at once.
		cached, has := r.m.Cached()
		if result == "ok" && !(has && cached.Spec == object.Spec) {
			r.revision++
			object.ResourceVersion = r.revision
			r.step(now, leasecandidate.Input{Kind: leasecandidate.Seen, Object: object})
		}
	}
}

// candidateResult is an answer as the client tells answers apart: it went well or it did not.
func candidateResult(recorded string) elector.Result {
	switch recorded {
	case "ok":
		return elector.Success
	case "409":
		return elector.Conflict
	}
	return elector.InternalError
}

func (r *candidateRun) written(s *coordination.Candidate) *CandidateObject {
	relative := func(has coordination.CandidateFields, t coordination.MicroTime) *int64 {
		if !s.Has(has) {
			return nil
		}
		us := int64(t) - epochMicros
		return &us
	}
	return &CandidateObject{
		RenewUs: relative(coordination.HasRenew, s.RenewTime), PingUs: relative(coordination.HasPing, s.PingTime),
		Lease: r.symbols.Text(s.LeaseName), BV: r.symbols.Text(s.BinaryVersion), EV: r.symbols.Text(s.EmulationVersion), Strategy: r.symbols.Text(s.Strategy),
	}
}

// JSON is the trace as a recording writes it, one event a line.
func (t *CandidateTrace) JSON() []byte {
	head := *t
	head.Events = nil
	b, _, _ := bytes.Cut(mustEncode(head), []byte(`,"events":`))
	out := append(append([]byte(nil), b...), `,"events":[`...)
	for i := range t.Events {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, "\n "...), mustEncode(t.Events[i])...)
	}
	return append(out, "\n]}\n"...)
}

// CandidateTracesJSON is traces as they were read: an array of them, or one.
func CandidateTracesJSON(traces []CandidateTrace, array bool) []byte {
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

// mustEncode is compact JSON without HTML's escapes and without a newline.
func mustEncode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // plain structs always encode
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
