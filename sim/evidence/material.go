package evidence

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// write is a state of the Lease that the store accepted. An audit log adds the client and the duration of the
// request; a watch adds the time of receipt; a copy has only what the Lease itself says.
type write struct {
	atNs, renewNs, acquireNs int64 // atNs: by the clock of the source
	holder                   string
	transitions, duration    int64
	resourceVersion          int64
	replaces                 int64   // the version that the client had read; 0 if unknown
	by                       *sender // never nil
	secondNs                 int64   // by the server's clock, in whole seconds; 0 if unknown
	created, deleted, edit   bool    // edit: another client than an elector changed the holder
	lacks                    bool    // no line shows the state that it replaced
	listed                   bool    // a list shows it: writes before it may be missing
	ns                       int64   // on the timeline
	places                   []Place
}

// sender is who sent a request, as far as a file says. Millions of records share a few senders.
type sender struct {
	kind    Kind   // of the file
	client  string // user, address and agent; empty if the file is not an audit log
	who     string // user and agent: a program, wherever it runs
	agent   string
	manager string // from managedFields
}

// tools are the beginnings of user agents and field managers of programs that people use. A library's agent does not
// belong here, because an elector may use the library, and neither does helm-controller's.
var tools = []string{"kubectl", "oc/", "curl/", "Wget/", "k9s/", "helm/", "Helm/", "Lens", "Mozilla/", "HashiCorp/"}

// isTool reports whether a person or a deployment tool sent the request.
func (s *sender) isTool() bool {
	return slices.ContainsFunc(tools, func(tool string) bool {
		return strings.HasPrefix(s.agent, tool) || strings.HasPrefix(s.manager, tool)
	})
}

// sentBy is what a file of some kind says about a sender.
type sentBy struct {
	kind                          Kind
	user, address, agent, manager string
}

// sender returns the one copy of a sender.
func (r *Reader) sender(from sentBy) *sender {
	return oneCopy(r.senders, from, func() *sender {
		one := &sender{kind: from.kind, agent: from.agent, manager: from.manager}
		if from.user+from.address+from.agent != "" {
			one.client = from.user + " " + from.address + " " + from.agent
			one.who = from.user + " " + from.agent
		}
		return one
	})
}

// attempt is a candidate's write that the server refused, usually with 409. It proves that the candidate was alive at
// that instant.
type attempt struct {
	holder                   string
	atNs, renewNs, acquireNs int64
	code                     int64
	failure                  string
	place                    Place
}

// ofServer reports whether an HTTP status means that the server itself was in trouble. An answer to a client that no
// longer listens does not count.
func ofServer(code int64, failure string) bool {
	return (code >= 500 || code == 429) && !strings.Contains(failure, "context canceled")
}

// get is a read of the Lease by an elector. It names no candidate: every elector reads the same object, often with
// the same user and agent. `attribute` tries to find out which candidate sent it.
type get struct {
	stageNs int64
	from    *sender
	holder  string // in the answer; empty if the audit log has no answers
	version int64  // of the answer, or 0
	code    int64
	failure string
	place   Place
	by      string // "" until attributed
	exact   bool   // the evidence shows the clock of the server that handled it
	ns      int64
}

// Meanings of log lines.
type logMeaning uint8

const (
	saidOther    logMeaning = iota
	saidAttempt             // attempting to acquire
	saidAcquired            // became the leader
	saidHeld                // another holds the Lease
	saidFollows             // an attempt to acquire failed: a leader makes none
	saidLost                // stopped leading
	saidFailed              // a request failed
	saidReleased
	saidFault // a trace says what happened to the node
)

// saying is what a log line says. Hundreds of thousands of lines share a few of them.
type saying struct {
	says    logMeaning
	holder  string
	failure string
}

// saying returns the one copy of what a line says.
func (r *Reader) saying(one saying) *saying {
	return oneCopy(r.sayings, one, func() *saying { return &one })
}

// logLine is a log line that says something about an election.
type logLine struct {
	*saying       // never nil
	*voice        // never nil
	ns      int64 // on the timeline; until alignLogs moves it, on the candidate's clock
	place   Place
	speaker int32 // of Reader.speakers; unset for a trace
	begins  bool  // a new process of the candidate begins with this line
	follows bool  // the process followed when it wrote the line
	refused bool  // the line counts for nobody
	traced  bool  // from a trace, not from a candidate's log
}

// voice is the candidate of a line. The lines of a candidate share one.
type voice struct {
	node    string // empty until identify finds it
	movedNs int64  // what alignLogs added to ns in these lines
	errorNs int64  // how exact ns is then; -1 if unknown
}

// voiceKey keeps the lines that alignLogs moves apart from the others: lines of a trace, and lines that identify has
// not seen.
type voiceKey struct {
	node  string
	moves bool
}

// voice returns the one copy of a candidate's voice.
func (m *material) voice(key voiceKey) *voice {
	one := m.voices[key]
	if one == nil {
		one = &voice{node: key.node}
		m.voices[key] = one
	}
	return one
}

// oneCopy returns the one copy for a key, which the function fresh makes for a new key. A map with wordsMost keys takes
// no more.
func oneCopy[K comparable, V any](all map[K]*V, key K, fresh func() *V) *V {
	one := all[key]
	if one == nil {
		if one = fresh(); len(all) < wordsMost {
			all[key] = one
		}
	}
	return one
}

// material is everything that the Reader has found about one Lease. It grows while the Reader reads, and a caller may
// ask for a report in between.
type material struct {
	name     string
	writes   pile[write]
	attempts pile[attempt]
	gets     pile[get]
	lines    pile[logLine]
	coarse   pile[coarseSign]
	unnamed  int // requests that nothing attributes to a candidate
	metadata int // the ones of them whose audit event has level Metadata
	voices   map[voiceKey]*voice
	agents   map[string]string
}

// `of` returns the material of a Lease, or nil if a limit keeps the Reader from adding the record. Thanks to the
// limits, a log that spans years becomes a Problem instead of using up a browser tab's memory.
func (r *Reader) of(name string, p Place) *material {
	if r.options.Lease != "" && r.options.Lease != name {
		return nil
	}
	most := cmp.Or(r.options.Most, MaxObservations)
	if r.observed++; r.observed > most {
		r.refuse(&r.full, p,
			"leaselab reads at most %d Lease records and stops before this one; "+
				"narrow the input to one Lease, or to the time around the incident", most)
		return nil
	}
	m := r.found[name]
	if m == nil {
		if len(r.found) >= MaxLeases {
			r.refuse(&r.crowded, p,
				"leaselab keeps the first %d Leases, and this record belongs to another: name the Lease that you "+
					"look for", MaxLeases)
			return nil
		}
		m = &material{name: name, agents: map[string]string{}, voices: map[voiceKey]*voice{}}
		r.found[name] = m
	}
	return m
}

// refuse reports a kind of file that leaselab does not read. It reports each kind once, at the first line.
func (r *Reader) refuse(said *bool, p Place, format string, args ...any) {
	if *said {
		return
	}
	*said = true
	r.unreadable++
	r.problems = append(r.problems, Problem{File: r.files[p.file].name, Line: int(p.line),
		Says: fmt.Sprintf(format, args...)})
}

// `near` reports whether an instant lies in the time window that the options select.
func (r *Reader) near(ns int64) bool {
	o := &r.options
	return o.AroundNs == 0 || ns >= o.AroundNs-o.WithinNs && ns <= o.AroundNs+o.WithinNs
}

// audit adds an event from an audit log. The audit policy's level determines what the event shows: at RequestResponse
// the stored Lease, at Request what the candidate asked for, at Metadata only that a client wrote. Metadata names no
// holder, so such writes count as unattributed.
func (r *Reader) audit(e *record, p Place) {
	if e.resource != "leases" || e.stage == "RequestReceived" || e.stage == "ResponseStarted" || e.verb == "watch" ||
		e.verb == "list" || !r.near(e.stageNs) {
		return
	}
	if e.stageNs == 0 {
		r.problem(r.files[p.file], int(p.line), "the audit event has no stageTimestamp in RFC 3339 form")
		return
	}
	namespace, name := e.namespace, e.name
	for _, o := range []*leaseObject{&e.request, &e.response} {
		if name == "" && o.isLease {
			namespace, name = o.namespace, o.name
		}
	}
	if name == "" {
		return
	}
	m := r.of(namespace+"/"+name, p)
	if m == nil {
		return
	}
	by := r.sender(sentBy{Audit, e.user, e.address, e.agent, e.response.manager})
	switch {
	case e.verb == "get" && by.isTool():
	case e.verb == "get":
		m.gets.add(get{stageNs: e.stageNs, from: by, holder: e.response.holder,
			version: e.response.resourceVersion, code: e.code, failure: e.refusal, place: p})
	case e.verb == "delete" && e.code < 300:
		m.writes.add(write{atNs: e.stageNs, renewNs: e.stageNs, deleted: true, by: by, places: []Place{p}})
	case e.verb == "delete":
	case !e.request.isLease && !e.response.isLease:
		m.unnamed++ // level Metadata
		m.metadata++
	case e.code >= 200 && e.code < 300:
		o := e.response
		if !o.isLease {
			o = e.request
			o.resourceVersion = 0 // the version before this write
		}
		if !by.isTool() {
			m.agents[o.holder] = e.agent
		}
		w := o.write(e.stageNs, by, p)
		w.replaces, w.created = e.request.resourceVersion, e.verb == "create"
		m.writes.add(w)
	case e.request.isLease:
		m.attempts.add(attempt{holder: e.request.holder, atNs: e.receivedNs, renewNs: e.request.renewNs,
			acquireNs: e.request.acquireNs, code: e.code, failure: e.refusal, place: p})
	default:
		m.unnamed++
	}
}

// showing describes how a watch or a get showed a Lease.
type showing struct {
	receivedNs int64 // 0 if the file does not say when
	event      string
	kind       Kind
	listed     bool
}

// addLease adds a Lease that a watch or a get showed. If the file does not say when its writer saw the Lease, the
// only time is the holder's renewTime. Such a state counts as a copy, and its clock is the holder's.
func (r *Reader) addLease(o *leaseObject, as showing, p Place) {
	at := cmp.Or(as.receivedNs, o.renewNs)
	if o.name == "" {
		r.problem(r.files[p.file], int(p.line), "the Lease has no metadata.name")
		return
	}
	if o.unread != "" {
		r.problem(r.files[p.file], int(p.line), o.namespace+"/"+o.name+": spec."+o.unread+
			"; it counts as absent")
	}
	if !r.near(at) {
		return
	}
	if m := r.of(o.namespace+"/"+o.name, p); m != nil {
		if as.receivedNs == 0 {
			as.kind = Lease
		}
		by := r.sender(sentBy{kind: as.kind, manager: o.manager})
		if as.event == "DELETED" {
			m.writes.add(write{atNs: at, renewNs: at, deleted: true, by: by,
				resourceVersion: o.resourceVersion, places: []Place{p}})
			return
		}
		w := o.write(at, by, p)
		w.listed, w.created = as.listed, as.event == "ADDED" && o.acquireNs == o.renewNs && o.renewNs > 0
		m.writes.add(w)
	}
}

// write returns the write that left a Lease in this state.
func (o *leaseObject) write(atNs int64, by *sender, p Place) write {
	return write{atNs: atNs, renewNs: o.renewNs, acquireNs: o.acquireNs, holder: o.holder, transitions: o.transitions,
		duration: o.durationSeconds, resourceVersion: o.resourceVersion, secondNs: o.secondNs, by: by,
		places: []Place{p}}
}

// traceEpochNs is where a trace of a run begins: 2000-01-01 00:00:00 UTC. Runs have no date.
const traceEpochNs = 946684800 * int64(time.Second)

// addTrace takes an event from a leaselab trace. It uses the faults, and otherwise only what a real cluster might
// also show. So a trace is evidence with a known cause, and tests check the inferences against it.
func (r *Reader) addTrace(e *record, p Place) {
	epoch, name := traceEpochNs, "trace/lease"
	f := r.files[p.file]
	if f.traceEpochNs != 0 {
		epoch, name = f.traceEpochNs, f.traceLease
	}
	at := epoch + int64(math.Round(e.seconds*1e9))
	if !r.near(at) {
		return
	}
	m := r.of(name, p)
	if m == nil {
		return
	}
	for _, name := range e.events {
		var l saying
		switch name {
		case "requestServed":
			if e.verb == "create" && e.result == "created" || e.verb == "update" && e.result == "updated" {
				m.writes.add(write{
					atNs: at, renewNs: at, holder: e.holder, transitions: e.transitions, duration: f.traceSeconds,
					by: r.sender(sentBy{kind: Trace}), created: e.verb == "create", places: []Place{p},
				})
			} else if e.verb == "update" {
				m.attempts.add(attempt{holder: e.node, atNs: at, renewNs: at, place: p})
			}
			return
		case "startedLeading":
			l.says = saidAcquired
		case "stoppedLeading":
			l.says = saidLost
		case "crashed", "paused", "cutBegan":
			l.says, l.failure = saidFault, name
		case "requestTimedOut":
			l.says, l.failure = saidFailed, "context deadline exceeded"
		default:
			continue
		}
		who := m.voice(voiceKey{node: e.node})
		m.lines.add(logLine{saying: r.saying(l), voice: who, ns: at, place: p, traced: true})
		return
	}
}

// logMessage is a message of client-go's elector or of controller-runtime, with its fields.
type logMessage struct{ lock, holder, failure string }

// addLog adds a message from a log. If the line names no lock, it belongs to the lock that the same process named
// last, because one process rarely competes for two Leases.
func (r *Reader) addLog(f *file, message string, o origin) {
	says, named, held := meaning(message)
	lock, holder, failure := cmp.Or(o.fields.lock, named), cmp.Or(o.fields.holder, held), o.fields.failure
	if says == saidOther {
		if failure == "" || !strings.Contains(failure+message, "Client.Timeout") &&
			!strings.Contains(failure, "deadline exceeded") {
			return
		}
		says = saidFailed
	}
	if !r.near(o.ns) {
		return
	}
	number := r.speaker(f, &o)
	who := r.speakers[number]
	lock = cmp.Or(lock, who.lastLock)
	who.lastLock = r.words.of([]byte(lock))
	if says == saidFollows && r.found[lock].marks(number, o.ns) {
		return
	}
	p := Place{file: f.number, line: int32(o.line)}
	if found := r.of(who.lastLock, p); found != nil {
		if at := strings.Index(message, ": "); failure == "" && at > 0 && (says == saidFailed || says == saidLost) {
			failure = message[at+2:]
		}
		// Copy the strings, because a substring would keep the whole line in memory.
		found.lines.add(logLine{speaker: number, ns: o.ns, place: p, voice: found.voice(voiceKey{}), saying: r.saying(
			saying{says, r.words.of([]byte(holder)), r.words.of([]byte(failure))})})
	}
}

// marks notes on the latest line that the process followed. It reports false if that line is not the process's read of
// the holder, which an elector logs right before it logs that its attempt failed.
func (m *material) marks(speaker int32, ns int64) bool {
	if m == nil || m.lines.len() == 0 {
		return false
	}
	l := m.lines.last()
	if l.says != saidHeld || l.traced || l.speaker != speaker || max(ns-l.ns, l.ns-ns) > nearReadNs {
		return false
	}
	l.follows = true
	return true
}
