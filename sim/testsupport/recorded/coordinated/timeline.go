package coordinated

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Timeline is a recorded run of a real kube-apiserver's coordinated leader election.
type Timeline struct {
	Name            string     `json:"name"`
	DurationSeconds float64    `json:"durationSeconds"`
	Timeline        []Recorded `json:"timeline"`
}

// Recorded is one line of a timeline: an event of a watch, or an action of the recorder or a client.
type Recorded struct {
	T float64 `json:"t"` // seconds since the start

	// The members of a watch's line. By is client or controller.
	Watch           string `json:"watch"`
	Type            string `json:"type"`
	Name            string `json:"name"`
	By              string `json:"by"`
	ResourceVersion string `json:"resourceVersion"`
	Spec            Spec   `json:"spec"`

	// The members of an actor's line.
	Actor  string `json:"actor"`
	Op     string `json:"op"`
	Status *int   `json:"status"`
}

// Spec is the spec of a Lease or a LeaseCandidate, with its times as text. Fields have the order of the wire.
type Spec struct {
	HolderIdentity       *string  `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32   `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *Instant `json:"acquireTime,omitempty"`
	LeaseName            *string  `json:"leaseName,omitempty"`
	PingTime             *Instant `json:"pingTime,omitempty"`
	RenewTime            *Instant `json:"renewTime,omitempty"`
	LeaseTransitions     *int32   `json:"leaseTransitions,omitempty"`
	BinaryVersion        *string  `json:"binaryVersion,omitempty"`
	EmulationVersion     *string  `json:"emulationVersion,omitempty"`
	Strategy             *string  `json:"strategy,omitempty"`
	PreferredHolder      *string  `json:"preferredHolder,omitempty"`
}

// Instant is a time in microseconds since the start of the timeline, written as "<t+5.02>".
type Instant int64

// MarshalJSON writes hundredths of a second, as the recordings do.
func (s Instant) MarshalJSON() ([]byte, error) {
	return []byte(`"` + s.String() + `"`), nil
}

// String writes hundredths of a second: "<t+5.02>".
func (s Instant) String() string {
	sign, us := byte('+'), int64(s)
	if us < 0 {
		sign, us = '-', -us
	}
	hundredths := (us + 5_000) / 10_000
	return fmt.Sprintf("<t%c%d.%02d>", sign, hundredths/100, hundredths%100)
}

// UnmarshalJSON parses "<t+5.02>".
func (s *Instant) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	inner, ok := strings.CutPrefix(text, "<t")
	number, closed := strings.CutSuffix(inner, ">")
	seconds, err := strconv.ParseFloat(number, 64)
	if !ok || !closed || err != nil || !(math.Abs(seconds) < 1e9) {
		return fmt.Errorf("%s is not a time like <t+5.02>", data)
	}
	*s = Instant(math.Round(seconds * 1e6))
	return nil
}

// ControllerWrite is one write of our controller that the store accepted.
type ControllerWrite struct {
	T    float64 `json:"t"` // seconds since the start, to hundredths
	Kind string  `json:"kind"`
	Name string  `json:"name"`
	Spec Spec    `json:"spec"`
}

// Run is the result of running a timeline: the writes of our controller.
type Run struct {
	Name             string            `json:"name"`
	ControllerWrites []ControllerWrite `json:"controllerWrites"`

	// CrashedAt lists the seconds at which the controller crashed the API server's process.
	CrashedAt []float64 `json:"-"`
}

// Parse parses one timeline or an array of timelines.
func Parse(data []byte) ([]Timeline, error) {
	all, _, err := recorded.OneOrMany[Timeline](data)
	if err != nil {
		return nil, fmt.Errorf("neither a timeline of coordinated leader election nor an array of them: %w", err)
	}
	for i := range all {
		t := &all[i]
		if !(t.DurationSeconds > 0 && t.DurationSeconds <= maxSeconds) {
			return nil, fmt.Errorf("timeline %q: durationSeconds %v is not above 0 and at most %v", t.Name,
				t.DurationSeconds, maxSeconds)
		}
		for k := range t.Timeline {
			if s := t.Timeline[k].T; !(math.Abs(s) <= maxSeconds) {
				return nil, fmt.Errorf("timeline %q: line %d is at %v s", t.Name, k, s)
			}
		}
	}
	return all, nil
}

// maxSeconds is a day.
const maxSeconds = 86_400

// JSON encodes runs as `conform cle` prints them: an array with one timeline per line.
func JSON(runs []Run) []byte {
	out := []byte("[")
	for i := range runs {
		if i > 0 {
			out = append(out, ",\n "...)
		}
		run := runs[i]
		if run.ControllerWrites == nil {
			run.ControllerWrites = []ControllerWrite{}
		}
		out = append(out, recorded.Line(run)...)
	}
	return append(out, "]\n"...)
}

// actKind is a kind of recorded act.
type actKind uint8

const (
	clientWrites actKind = iota
	staleRenewal         // a renewal that got a conflict: sent with an old resourceVersion of the Lease
	stopsHolder          // a holder sees preferredHolder and stops renewing
	processExits
	processReady // the process is ready again, and its controller may campaign
)

// act is one recorded act from outside the controller.
type act struct {
	atNs   int64
	kind   actKind
	object string // kind of the object: Lease or LeaseCandidate
	name   string
	verb   string // ADDED, MODIFIED or DELETED
	from   Spec   // the object before the act in the recording
	to     Spec
	holder string // the holder of a renewal
}

// reply is a candidate's answer to a ping. It has two recorded delays, both up to the stored answer: from the ping,
// and from the answer's own timestamp.
type reply struct {
	afterNs int64
	agoNs   int64
}

// script is a timeline split into the acts at fixed instants and the replies to our controller's pings, by candidate
// and by the number of the ping.
type script struct {
	acts    []act
	replies map[string]map[int]reply
}

type objectKey struct{ kind, name string }

// newScript splits a timeline. It uses the controller's recorded writes only to learn the delays of replies, the order
// of writes within a hundredth of a second, and the state before a client's write.
func newScript(t *Timeline) script {
	s := script{replies: map[string]map[int]reply{}}
	watched := inStoredOrder(t.Timeline)
	spread := spreadTies(watched)
	stored := map[objectKey]Spec{}
	pings := map[string]int{}
	lastPing := map[string]Recorded{}
	for i, e := range watched {
		key := objectKey{e.Watch, e.Name}
		before := stored[key]
		stored[key] = e.Spec
		if e.Type == "DELETED" {
			delete(stored, key)
		}
		switch {
		case e.By == "controller":
			if e.Watch == coordination.KindLeaseCandidate && e.Type == "MODIFIED" {
				pings[e.Name]++
				lastPing[e.Name] = e
			}
		case answers(&e, &before):
			if s.replies[e.Name] == nil {
				s.replies[e.Name] = map[int]reply{}
			}
			ping := lastPing[e.Name]
			s.replies[e.Name][pings[e.Name]] = reply{
				afterNs: nanoseconds(e.T - ping.T), agoNs: nanoseconds(e.T) - int64(*e.Spec.RenewTime)*1000,
			}
		default:
			s.acts = append(s.acts, act{
				atNs: spread[i], kind: clientWrites, object: e.Watch, name: e.Name, verb: e.Type, from: before,
				to: e.Spec, holder: renewer(t, &e, &before),
			})
		}
	}
	for _, e := range t.Timeline {
		s.actor(&e)
	}
	sort.SliceStable(s.acts, func(i, j int) bool { return s.acts[i].atNs < s.acts[j].atNs })
	return s
}

// actor adds an act from an actor's line, since such acts do not appear in a watch.
func (s *script) actor(e *Recorded) {
	a := act{atNs: nanoseconds(e.T)}
	holder, isHolder := strings.CutPrefix(e.Actor, "holder:")
	switch {
	case e.Watch != "":
		return
	case strings.HasPrefix(e.Op, "renew lease") && e.Status != nil && *e.Status == 409:
		a.kind, a.holder = staleRenewal, holder
	case isHolder && strings.HasPrefix(e.Op, "sees preferredHolder"):
		a.kind, a.holder = stopsHolder, holder
	case e.Actor == "kube-apiserver" && strings.HasPrefix(e.Op, "process exits"):
		a.kind = processExits
	case e.Actor == "kube-apiserver" && strings.HasPrefix(e.Op, "ready again"):
		a.kind = processReady
	default:
		return
	}
	s.acts = append(s.acts, a)
}

// answers reports whether a client's write answers a ping. A write does if it renews a candidate with an unanswered
// ping.
func answers(e *Recorded, before *Spec) bool {
	if e.Watch != coordination.KindLeaseCandidate || e.Type != "MODIFIED" || before.PingTime == nil ||
		e.Spec.RenewTime == nil {
		return false
	}
	if before.RenewTime != nil && (*before.RenewTime >= *before.PingTime || *before.RenewTime == *e.Spec.RenewTime) {
		return false
	}
	return true
}

// renewer returns the holder that renews the Lease with a write, or "" if the write is not a renewal.
func renewer(t *Timeline, e *Recorded, before *Spec) string {
	if e.Watch != coordination.KindLease || e.Type != "MODIFIED" || before.HolderIdentity == nil ||
		e.Spec.HolderIdentity == nil || *e.Spec.HolderIdentity != *before.HolderIdentity {
		return "" // a holder that releases the Lease does not renew it
	}
	for _, a := range t.Timeline {
		if a.Actor == "holder:"+*before.HolderIdentity && strings.HasPrefix(a.Op, "renew lease") &&
			math.Abs(a.T-e.T) < 0.25 {
			return *before.HolderIdentity
		}
	}
	return ""
}

// inStoredOrder sorts the watches' lines by resourceVersion, because lines from two watches at the same time have no
// order.
func inStoredOrder(lines []Recorded) []Recorded {
	var watched []Recorded
	for _, e := range lines {
		if e.Watch != "" {
			watched = append(watched, e)
		}
	}
	number := func(e *Recorded) int {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(e.ResourceVersion, "<rv:"), ">"))
		if err != nil {
			return -1
		}
		return n
	}
	sort.SliceStable(watched, func(i, j int) bool {
		a, b := number(&watched[i]), number(&watched[j])
		if a < 0 || b < 0 {
			return watched[i].T < watched[j].T
		}
		return a < b
	})
	return watched
}

// spreadTies gives writes recorded at the same hundredth of a second distinct instants within it, in the order of
// their versions. A controller that answers within milliseconds distinguishes them.
func spreadTies(watched []Recorded) []int64 {
	const width = int64(10_000_000)
	at := make([]int64, len(watched))
	for from := 0; from < len(watched); {
		to := from
		for to < len(watched) && watched[to].T == watched[from].T {
			to++
		}
		n := int64(to - from)
		for i := from; i < to; i++ {
			at[i] = max(nanoseconds(watched[i].T)+width*(2*int64(i-from)+1-n)/(2*n), 0)
		}
		from = to
	}
	for i := 1; i < len(at); i++ {
		at[i] = max(at[i], at[i-1])
	}
	return at
}

func nanoseconds(seconds float64) int64 { return int64(math.Round(seconds*1e3)) * 1_000_000 }

// patch returns an object's spec after a recorded change. It takes only the fields that the recording changed.
func patch(now, from, to *Spec) Spec {
	return Spec{
		HolderIdentity:       field(now.HolderIdentity, from.HolderIdentity, to.HolderIdentity),
		LeaseDurationSeconds: field(now.LeaseDurationSeconds, from.LeaseDurationSeconds, to.LeaseDurationSeconds),
		AcquireTime:          field(now.AcquireTime, from.AcquireTime, to.AcquireTime),
		LeaseName:            field(now.LeaseName, from.LeaseName, to.LeaseName),
		PingTime:             field(now.PingTime, from.PingTime, to.PingTime),
		RenewTime:            field(now.RenewTime, from.RenewTime, to.RenewTime),
		LeaseTransitions:     field(now.LeaseTransitions, from.LeaseTransitions, to.LeaseTransitions),
		BinaryVersion:        field(now.BinaryVersion, from.BinaryVersion, to.BinaryVersion),
		EmulationVersion:     field(now.EmulationVersion, from.EmulationVersion, to.EmulationVersion),
		Strategy:             field(now.Strategy, from.Strategy, to.Strategy),
		PreferredHolder:      field(now.PreferredHolder, from.PreferredHolder, to.PreferredHolder),
	}
}

// field returns `to` if the recording changed the field, and `now` otherwise.
func field[T comparable](now, from, to *T) *T {
	if (from == nil) != (to == nil) || (from != nil && *from != *to) {
		return to
	}
	return now
}
