package evidence

import (
	"math"
	"strconv"
	"time"
)

// leaseObject is a Lease as an API object. Instants are nanoseconds since 1970, or 0 if absent.
type leaseObject struct {
	kind, namespace, name string
	resourceVersion       int64
	isLease               bool
	holder                string
	durationSeconds       int64
	transitions           int64
	acquireNs, renewNs    int64
	code                  int64  // the code of a Status
	manager               string // who last wrote holderIdentity, according to managedFields
	unread                string // which field of spec has no such value, and which it takes
	secondNs              int64  // the latest time in managedFields: the server's clock, in whole seconds
}

// record is one JSON object in any of the formats. Its members determine its format. Since all formats share one
// type, decode can walk an object once without knowing its kind: the member that names the kind may come last.
type record struct {
	object                                     leaseObject // the record, if the record is a Lease
	request, response, watched                 leaseObject
	kind, apiVersion                           string
	stage, verb, user, address, agent          string
	resource, namespace, name                  string
	code                                       int64
	refusal                                    string // the message of the answer
	receivedNs, stageNs, watchedNs, logNs      int64
	hasObject, hasMessage, hasEvents, hasItems bool
	kindOfEvent                                string // a watch event's type
	message, lock, holder, failure, logger     string
	seconds                                    float64
	node, text, result                         string
	events                                     []string
	transitions                                int64
	hasTransitions                             bool
	epochNs                                    int64 // set for a trace of evidence
	traced                                     string
	leaseSeconds                               int64 // leaseDuration of a trace's run; 0 if the trace does not say
	hasScenario                                bool
	// for a record of real programs: the record's version, and what one of its lines does
	recorded, call string

	inner  [][]byte // what a collector wrapped into the record
	values []byte   // of a stream of Loki, or of a series of Prometheus
	seenNs int64    // when the collector saw the line
	names  []string
	metric map[string]string // labels of a series
	event  eventObject
	stream string // stdout or stderr
	tag    string // P for a part of a line
	google bool   // an audit record of Google
	azure  bool   // a row of Azure's table AKSAudit
	pod    bool   // the first of the names is a pod's

	table [2][]byte // rows and columns of an answer of Log Analytics
}

// eventObject is what a Kubernetes Event has beside its message.
type eventObject struct {
	reason, namespace, name, kind string
	firstNs, lastNs               int64
}

// decode reads one object. Text after the object is an error, because otherwise a second object on the line would
// silently get lost.
func decode(data []byte, w words) (r record, err error) {
	s := &scan{data: data, words: w}
	s.object(func(key []byte) {
		_ = s.auditMember(&r, key) || s.logMember(&r, key) || s.objectMember(&r, key) || s.wrapMember(&r, key)
	})
	if s.err == nil {
		for ; s.at < len(data); s.at++ {
			if c := data[s.at]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				return r, errSyntax
			}
		}
	}
	return r, s.err
}

// auditMember parses a member of an audit.k8s.io/v1 Event. It returns false if an Event has no member with that key.
// The request came from the first of the sourceIPs; the others are proxies.
func (s *scan) auditMember(r *record, key []byte) bool {
	switch string(key) {
	case "user":
		s.under("username", func() { r.user = s.word() })
	case "sourceIPs":
		s.array(func() {
			if address := s.word(); r.address == "" {
				r.address = address
			}
		})
	case "objectRef":
		s.object(func(key []byte) {
			s.member(key, wordOf{"resource", &r.resource}, wordOf{"namespace", &r.namespace}, wordOf{"name", &r.name})
		})
	case "responseStatus":
		s.object(func(key []byte) {
			switch string(key) {
			case "code":
				r.code = int64(s.number())
			case "message":
				r.refusal = s.word()
			}
		})
	case "requestObject":
		r.request = s.lease()
	case "responseObject":
		r.response = s.lease()
	case "requestReceivedTimestamp":
		r.receivedNs = s.instant()
	case "stageTimestamp":
		r.stageNs = s.instant()
	case "level", "auditID", "requestURI", "annotations":
	default:
		return s.member(key, wordOf{"stage", &r.stage}, wordOf{"verb", &r.verb}, wordOf{"userAgent", &r.agent})
	}
	return true
}

// logMember parses a member of a log line or of leaselab's own files. The JSON of zap, slog and klog has different
// keys for the instant and the message, so several keys have the same meaning.
func (s *scan) logMember(r *record, key []byte) bool {
	switch string(key) {
	case "ts", "timestamp", "time":
		r.logNs = s.instant()
	case "msg", "message":
		r.message, r.hasMessage = s.text(), true
	case "err", "error":
		r.failure = s.text()
	case "logger":
		r.logger = s.text()
	case "t":
		r.seconds = s.number()
	case "text":
		r.text = s.text()
	case "result":
		if s.err == nil && s.space() != '"' {
			s.wrapped(r)
		} else {
			r.result = s.word()
		}
	case "transitions":
		r.transitions, r.hasTransitions = int64(s.number()), true
	case "epoch":
		r.epochNs = s.instant()
	case "lease":
		r.traced = s.text()
	case "leaseDurationSeconds":
		r.leaseSeconds = int64(s.number())
	case "scenario":
		r.hasScenario = true
		s.under("elector", func() {
			s.under("leaseDuration", func() {
				if d, err := time.ParseDuration(s.text()); err == nil {
					r.leaseSeconds = int64(d / time.Second)
				}
			})
		})
	case "record":
		r.recorded = s.text()
	case "do":
		r.call = s.text()
	case "events": // of a trace: words; of CloudWatch: objects
		s.array(func() {
			if s.space() == '{' {
				s.wrapped(r)
				return
			}
			r.hasEvents = true
			r.events = append(r.events, s.word())
		})
	default:
		return s.member(key, wordOf{"lock", &r.lock}, wordOf{"holder", &r.holder}, wordOf{"node", &r.node})
	}
	return true
}

// objectMember parses a member of an API object, a List or a watch event.
func (s *scan) objectMember(r *record, key []byte) bool {
	switch string(key) {
	case "kind":
		r.kind = s.word()
		r.object.kind, r.object.isLease = r.kind, r.kind == "Lease"
	case "apiVersion":
		r.apiVersion = s.word()
	case "receivedAt":
		r.watchedNs = s.instant()
	case "type":
		r.kindOfEvent = s.word()
	case "object":
		from := s.at
		if r.watched, r.hasObject = s.lease(), true; r.watched.kind == "Event" && s.err == nil {
			r.inner = append(r.inner, s.data[from:s.at])
		}
	case "metadata":
		s.metadata(&r.object)
	case "spec":
		s.spec(&r.object)
	case "items":
		r.hasItems = true
		s.array(func() { s.wrapped(r) })
	default:
		return false
	}
	return true
}

func (s *scan) lease() (l leaseObject) {
	s.object(func(key []byte) {
		switch string(key) {
		case "kind":
			l.kind = s.word()
			l.isLease = l.kind == "Lease"
		case "metadata":
			s.metadata(&l)
		case "spec":
			s.spec(&l)
		case "code":
			l.code = int64(s.number())
		}
	})
	return l
}

func (s *scan) metadata(l *leaseObject) {
	s.object(func(key []byte) {
		switch string(key) {
		case "resourceVersion":
			l.resourceVersion = int64(s.number())
		case "managedFields":
			s.array(func() { s.manager(l) })
		default:
			s.member(key, wordOf{"name", &l.name}, wordOf{"namespace", &l.namespace})
		}
	})
}

// `manager` parses an entry of managedFields. Its time is the server's, and its fields say whether this manager set
// the holder.
func (s *scan) manager(l *leaseObject) {
	name, holds := "", false
	s.object(func(key []byte) {
		switch string(key) {
		case "manager":
			name = s.word()
		case "time":
			l.secondNs = max(l.secondNs, s.instant())
		case "fieldsV1":
			s.under("f:spec", func() { s.under("f:holderIdentity", func() { holds = true }) })
		}
	})
	if holds {
		l.manager = name
	}
}

// `spec` parses the fields of a Lease's spec. A field that is absent, or null, stays 0 or empty.
func (s *scan) spec(l *leaseObject) {
	s.object(func(key []byte) {
		switch string(key) {
		case "holderIdentity":
			l.holder = s.word()
		case "leaseDurationSeconds":
			if s.space() == '"' {
				l.unread = "leaseDurationSeconds must be a number, such as 15"
				return
			}
			if l.durationSeconds = int64(s.number()); l.durationSeconds < 0 {
				l.unread, l.durationSeconds = "leaseDurationSeconds must be above 0, such as 15", 0
			}
		case "leaseTransitions":
			l.transitions = int64(s.number())
		case "acquireTime":
			l.acquireNs = s.timeOf(l, "acquireTime")
		case "renewTime":
			l.renewNs = s.timeOf(l, "renewTime")
		}
	})
}

// timeOf parses a time of the spec. Null is an absent time.
func (s *scan) timeOf(l *leaseObject, field string) int64 {
	absent := s.space() == 'n'
	ns := s.instant()
	if ns == 0 && !absent {
		l.unread = field + " must be a time as in RFC 3339, such as 2026-11-20T19:17:00.000000Z"
	}
	return ns
}

// instant parses a date and time, or a number of seconds or smaller units since 1970. By default zap writes seconds
// with a fraction, but some configurations write milliseconds. A number above 1e11 must be in a smaller unit, since as
// seconds it would be after the year 5000.
func (s *scan) instant() int64 {
	if s.err != nil {
		return 0
	}
	if s.space() == '"' {
		return parseInstant(string(s.readQuoted()))
	}
	n := s.number()
	for range 3 {
		if math.Abs(n) > 1e11 {
			n /= 1000
		}
	}
	if math.Abs(n) > 9e9 {
		return 0
	}
	return int64(math.Round(n * 1e9))
}

// instantLayouts are the forms of a date and time, most frequent first. A form without an offset means UTC.
var instantLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700", "2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04:05.999999999", "2006/01/02 15:04:05.999999999", "2006-01-02 15:04:05.999999999 -0700",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST", "1/2/2006, 3:04:05.999 PM",
	"Jan 2, 2006 @ 15:04:05.999"}

// parseInstant parses a date and time, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970.
// The size of a number tells its unit. It returns 0 for anything else, and for years that do not fit into 64 bits of
// nanoseconds since 1970.
func parseInstant(text string) int64 {
	if len(text) < len("2026-11-2") {
		return 0
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		for unit := int64(1e9); unit > 0 && n > 1e8; unit /= 1000 {
			if n < 1e11*(1e9/unit) {
				return n * unit
			}
		}
		return 0
	}
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			if t.Year() < 1970 || t.Year() > 2260 {
				return 0
			}
			return t.UnixNano()
		}
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 1e8 && n < 1e11 {
		return int64(math.Round(n * 1e9))
	}
	return 0
}
