package coordinated

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sort"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
	"github.com/leaselab/leaselab/sim/world"
)

// Constants have what a timeline does not contain: the speed of the recorded API server and its controller. All
// timelines use the same constants.
type Constants struct {
	// Latency is the time that a request, an answer or a watch event needs between the controller and the store.
	Latency time.Duration
	// Overhead is the delay of a requeued key beyond the requested time.
	Overhead time.Duration
}

// Measured fits the recordings. In the recordings, an election without changes, which takes four latencies, delays the
// next reconciliation by 5 to 7 ms. A reconciliation with nothing to do delays the next one by 1 to 2 ms. Every
// timeline that matches with these constants also matches with any latency of 0.8 to 2.5 ms and any overhead of 1 to 6
// ms.
var Measured = Constants{Latency: 1200 * time.Microsecond, Overhead: 2 * time.Millisecond}

// campaign is how long a restarted API server waits for its predecessor's Lease. The Lease expires 15 s after the
// first read. With a mean wait of 1.6 times the retryPeriod of 2 s, the sixth read finds it expired.
const campaign = 16 * time.Second

// tail is how long the recorder listened after durationSeconds.
const tail = 100 * time.Millisecond

const namespace = "default"

// Run runs a timeline with our controller and returns the result.
func (t *Timeline) Run(c Constants) (Run, error) { return t.runSaying(c, nil) }

// WriteTranscript runs a timeline and writes every decision and every stored write as text.
func WriteTranscript(w io.Writer, t *Timeline, c Constants) error {
	fmt.Fprintf(w, "# %s: coordinated leader election as our controller runs it; everything else is the recording's.\n",
		t.Name)
	var failed error
	_, err := t.runSaying(c, func(line string) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			failed = err
		}
	})
	if err != nil {
		return err
	}
	return failed
}

func (t *Timeline) runSaying(c Constants, say func(string)) (Run, error) {
	r := run{
		constants: c, script: newScript(t), symbols: coordination.NewSymbols(), say: say,
		out:   Run{Name: t.Name},
		pings: map[string]int{}, ended: map[string]bool{},
		server: apiserver.New(apiserver.Config{Coordinated: true, Versions: []string{"v1beta1"}, Seed: 1}),
	}
	if status, body := r.request(0, "POST", "/api/v1/namespaces", `{"metadata":{"name":"`+namespace+
		`"}}`); status != 201 {
		return r.out, fmt.Errorf("timeline %q: %d %s", t.Name, status, body)
	}
	for i := range r.script.acts {
		r.at(r.script.acts[i].atNs, event{kind: acts, act: i})
	}
	r.boot(0)
	r.lead(0)
	end := nanoseconds(t.DurationSeconds) + int64(tail)
	for r.err == nil {
		e, ok := r.next()
		if !ok || e.atNs > end {
			break
		}
		r.happen(&e)
	}
	if r.err != nil {
		return r.out, fmt.Errorf("timeline %q: %w", t.Name, r.err)
	}
	return r.out, nil
}

type eventKind uint8

const (
	acts     eventKind = iota // an act of the recording
	replies                   // a candidate answers a ping
	arrives                   // a request of the controller reaches the store
	answered                  // its answer reaches the controller
	shown                     // the informer passes on a stored object
	starts                    // the controller starts to lead
)

// event is a future event. Requests and answers belong to one process of the API server.
type event struct {
	atNs    int64
	order   int
	kind    eventKind
	act     int
	life    int
	name    string // the candidate that replies
	stamp   Instant
	request coordinator.Request
	input   coordinator.Input
}

type run struct {
	constants Constants
	script    script
	symbols   *coordination.Symbols
	server    *apiserver.Server
	m         coordinator.Machine
	alive     bool
	life      int
	queue     []event // sorted by instant and order
	order     int
	pings     map[string]int
	ended     map[string]bool
	say       func(string)
	out       Run
	err       error
}

// at adds an event to the queue.
func (r *run) at(atNs int64, e event) {
	e.atNs, e.order, e.life = atNs, r.order, r.life
	r.order++
	i := sort.Search(len(r.queue), func(i int) bool { return r.queue[i].atNs > atNs })
	r.queue = append(r.queue, event{})
	copy(r.queue[i+1:], r.queue[i:])
	r.queue[i] = e
}

// next removes the first event, or returns the controller's own wake-up if that is earlier.
func (r *run) next() (event, bool) {
	if r.alive {
		if due := r.m.NextWakeNs(); due != step.Never {
			due += int64(r.constants.Overhead)
			if len(r.queue) == 0 || due < r.queue[0].atNs {
				return event{atNs: due, kind: answered, life: r.life, input: coordinator.Input{Kind: coordinator.Wake}},
					true
			}
		}
	}
	if len(r.queue) == 0 {
		return event{}, false
	}
	e := r.queue[0]
	r.queue = r.queue[1:]
	return e, true
}

func (r *run) happen(e *event) {
	switch e.kind {
	case acts:
		r.act(e.atNs, &r.script.acts[e.act])
	case replies:
		r.reply(e)
	case arrives:
		r.arrive(e)
	case answered, shown:
		if e.life == r.life {
			r.step(e.atNs, e.input)
		}
	case starts:
		if e.life == r.life {
			r.lead(e.atNs)
		}
	}
}

// boot starts the API server's process.
func (r *run) boot(atNs int64) {
	r.life++
	r.alive = true
	r.m = coordinator.New(coordinator.Config{Symbols: r.symbols})
	r.m.Look(r.say != nil)
	r.listAll(atNs)
	r.step(atNs, coordinator.Input{Kind: coordinator.Boot})
}

// listAll passes everything stored to the informers.
func (r *run) listAll(atNs int64) {
	for _, kind := range []string{coordination.KindLease, coordination.KindLeaseCandidate} {
		status, body := r.request(atNs, "GET", path(kind, ""), "")
		var list struct{ Items []json.RawMessage }
		if err := json.Unmarshal(body, &list); status != 200 || err != nil {
			r.fail("list of %ss: %d %s", kind, status, body)
			return
		}
		for _, item := range list.Items {
			r.step(atNs, r.informerInput(kind, item, false))
		}
	}
}

func (r *run) lead(atNs int64) { r.step(atNs, coordinator.Input{Kind: coordinator.Lead}) }

// step passes an input to the controller and sends its requests.
func (r *run) step(atNs int64, in coordinator.Input) {
	if !r.alive {
		return
	}
	for _, o := range r.m.Step(recorded.Reading(atNs), in, nil) {
		switch o.Kind {
		case coordinator.Send:
			r.at(atNs+int64(r.constants.Latency), event{kind: arrives, request: o.Request})
		case coordinator.Crashed:
			r.out.CrashedAt = append(r.out.CrashedAt, seconds(atNs))
			r.tell(atNs, "kube-apiserver", "its process ends: nil pointer dereference")
			r.alive = false
			r.life++
		case coordinator.Reconciled:
			if o.Decision == nil {
				continue
			}
			for _, line := range decisionLines(o.Decision, r.symbols, func(t coordination.MicroTime) string {
				return fmt.Sprintf("at %.3f", float64(int64(t)-recorded.EpochMicros)/1e6)
			}) {
				r.tell(atNs, "controller", line)
			}
		}
	}
}

func (r *run) tell(atNs int64, who, what string) {
	if r.say != nil {
		r.say(fmt.Sprintf("%8.3f %s %s", float64(atNs)/1e9, who, what))
	}
}

func (r *run) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// act does what the recording says.
func (r *run) act(atNs int64, a *act) {
	switch a.kind {
	case clientWrites:
		r.clientWrites(atNs, a)
	case staleRenewal:
		r.staleRenewal(atNs, a)
	case stopsHolder:
		r.ended[a.holder] = true
		r.tell(atNs, a.holder, "sees preferredHolder and renews no more")
	case processExits:
		r.alive = false
		r.life++
		r.tell(atNs, "kube-apiserver", "exits, as recorded")
	case processReady:
		r.boot(atNs)
		r.at(atNs+int64(campaign), event{kind: starts})
	}
}

func (r *run) clientWrites(atNs int64, a *act) {
	stored, body := r.lookUp(atNs, a.object, a.name)
	holder := stored.Spec.HolderIdentity
	if a.holder != "" && r.ended[a.holder] &&
		(holder == nil || *holder != a.holder || stored.Spec.PreferredHolder != nil) {
		return
	}
	switch {
	case a.verb == "ADDED":
		r.write(atNs, sender{"client", "POST", a.object},
			&object{Metadata: ObjectMeta{Name: a.name, Namespace: namespace}, Spec: a.to})
	case body == nil:
		r.tell(atNs, "client", "finds no "+a.object+" "+a.name)
	case a.verb == "DELETED":
		if status, answer := r.request(atNs, "DELETE", path(a.object, a.name), ""); status != 200 {
			r.fail("delete of %s %s: %d %s", a.object, a.name, status, answer)
			return
		}
		r.tell(atNs, "client", "deletes "+a.object+" "+a.name)
		r.at(atNs+int64(r.constants.Latency), event{kind: shown, input: r.informerInput(a.object, body, true)})
	default:
		stored.Spec = patch(&stored.Spec, &a.from, &a.to)
		r.write(atNs, sender{"client", "PUT", a.object}, &stored)
	}
}

// staleRenewal sends a renewal of an old version of the Lease.
func (r *run) staleRenewal(atNs int64, a *act) {
	var list struct{ Items []object }
	if _, body := r.request(atNs, "GET", path(coordination.KindLease, ""), ""); json.Unmarshal(body, &list) != nil {
		return
	}
	for i := range list.Items {
		o := &list.Items[i]
		if o.Spec.HolderIdentity == nil || *o.Spec.HolderIdentity != a.holder {
			continue
		}
		o.Metadata.ResourceVersion = "1" // the namespace's first version, long replaced
		if status := r.write(atNs, sender{"client", "PUT", coordination.KindLease}, o); status != 409 {
			r.fail("a renewal with a stale resourceVersion was answered %d", status)
		}
	}
}

// reply renews the LeaseCandidate of a candidate after a ping.
func (r *run) reply(e *event) {
	stored, body := r.lookUp(e.atNs, coordination.KindLeaseCandidate, e.name)
	if body == nil {
		return
	}
	stored.Spec.RenewTime = &e.stamp
	r.write(e.atNs, sender{"client", "PUT", coordination.KindLeaseCandidate}, &stored)
}

// arrive executes a request of the controller.
func (r *run) arrive(e *event) {
	q := &e.request
	name := r.symbols.Text(q.Key.Name)
	in := coordinator.Input{Kind: coordinator.Answer, Serial: q.Serial}
	var status int
	switch q.Verb {
	case coordinator.Ping:
		o := object{Metadata: r.meta(q), Spec: r.candidateSpec(&q.Candidate)}
		if status = r.write(e.atNs, sender{"controller", "PUT", coordination.KindLeaseCandidate}, &o); status == 200 {
			r.answerPing(e.atNs, name)
		}
	case coordinator.CreateLease:
		status = r.write(e.atNs, sender{"controller", "POST", coordination.KindLease},
			&object{Metadata: ObjectMeta{Name: name, Namespace: namespace}, Spec: r.leaseSpec(&q.Lease)})
	case coordinator.UpdateLease:
		status = r.write(e.atNs, sender{"controller", "PUT", coordination.KindLease},
			&object{Metadata: r.meta(q), Spec: r.leaseSpec(&q.Lease)})
	case coordinator.GetLease:
		var body []byte
		if status, body = r.request(e.atNs, "GET", path(coordination.KindLease, name), ""); status == 200 {
			in.Lease = r.informerInput(coordination.KindLease, body, false).Lease
		}
	case coordinator.GetCandidate:
		var body []byte
		if status, body = r.request(e.atNs, "GET", path(coordination.KindLeaseCandidate, name), ""); status == 200 {
			in.Candidate = r.informerInput(coordination.KindLeaseCandidate, body, false).Candidate
		}
	case coordinator.DeleteCandidate:
		_, body := r.lookUp(e.atNs, coordination.KindLeaseCandidate, name)
		if status, _ = r.request(e.atNs, "DELETE", path(coordination.KindLeaseCandidate, name), ""); status == 200 {
			r.at(e.atNs+int64(r.constants.Latency),
				event{kind: shown, input: r.informerInput(coordination.KindLeaseCandidate, body, true)})
		}
	}
	in.Result = resultOf(q.Verb, status)
	if e.life == r.life {
		r.at(e.atNs+int64(r.constants.Latency), event{kind: answered, input: in})
	}
}

// resultOf returns the result that a client derives from a status.
func resultOf(v coordinator.Verb, status int) step.Result {
	switch status {
	case 200, 201:
		return step.Success
	case 404:
		return step.NotFound
	case 409:
		if v == coordinator.CreateLease {
			return step.AlreadyExists
		}
		return step.Conflict
	case 422:
		return step.Invalid
	}
	return step.InternalError
}

// answerPing makes a candidate answer our ping as it answered the recorded ping with the same number.
func (r *run) answerPing(atNs int64, name string) {
	r.pings[name]++
	if a, ok := r.script.replies[name][r.pings[name]]; ok {
		storedNs := atNs + a.afterNs
		r.at(storedNs, event{kind: replies, name: name, stamp: Instant((storedNs - a.agoNs) / 1000)})
	}
}

// sender says who sends a write, and the kind of the written object.
type sender struct {
	by, method, kind string
}

// write sends a create or a replace. It records the controller's writes and passes every write to the informers.
func (r *run) write(atNs int64, s sender, o *object) int {
	method, kind := s.method, s.kind
	name := ""
	if method == "PUT" {
		name = o.Metadata.Name
	}
	status, body := r.request(atNs, method, path(kind, name), string(o.withTimes(kind)))
	if status != 200 && status != 201 {
		r.tell(atNs, s.by, fmt.Sprintf("%s %s %s: %d", method, kind, o.Metadata.Name, status))
		if s.by == "client" && status != 409 {
			r.fail("%s of %s %s: %d %s", method, kind, o.Metadata.Name, status, body)
		}
		return status
	}
	r.tell(atNs, s.by, fmt.Sprintf("stores %s %s %s", kind, o.Metadata.Name, recorded.Line(o.Spec)))
	if s.by == "controller" {
		r.out.ControllerWrites = append(r.out.ControllerWrites,
			ControllerWrite{T: seconds(atNs), Kind: kind, Name: o.Metadata.Name, Spec: o.Spec})
	}
	r.at(atNs+int64(r.constants.Latency), event{kind: shown, input: r.informerInput(kind, body, false)})
	return status
}

func seconds(ns int64) float64 { return math.Round(float64(ns)/1e7) / 100 }

// path returns the path of an object, or of all objects.
func path(kind, name string) string {
	p := "/apis/" + coordination.CandidateAPIVersion + "/namespaces/" + namespace + "/leasecandidates"
	if kind == coordination.KindLease {
		p = "/apis/" + coordination.APIVersion + "/namespaces/" + namespace + "/leases"
	}
	if name != "" {
		p += "/" + name
	}
	return p
}

func (r *run) request(atNs int64, method, path, body string) (int, []byte) {
	answer := r.server.Handle(time.Unix(0, world.EpochUnixNs+atNs).UTC(), &apiserver.Request{
		Method: method, Path: path, Header: map[string]string{"content-type": "application/json"}, Body: []byte(body),
	})
	return answer.Status, answer.Body
}

// lookUp returns a stored object and its JSON. The JSON is nil if the object does not exist.
func (r *run) lookUp(atNs int64, kind, name string) (object, []byte) {
	status, body := r.request(atNs, "GET", path(kind, name), "")
	if status != 200 {
		return object{}, nil
	}
	o, err := decode(kind, body)
	if err != nil {
		r.fail("%s %s: %w", kind, name, err)
	}
	return o, body
}
