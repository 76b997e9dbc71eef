package evidence

import (
	"path"
	"strings"
)

// Collectors wrap each line of a log into their JSON. envelope.go knows the members with which they do it: the
// line, when the collector saw it, and the pod that wrote it. One table serves them all, because their names differ
// more than their meanings:
//
//	the line    log (Docker, fluent-bit, Azure), message (stern, CloudWatch, Elastic), MESSAGE (journald), line
//	            (logcli, Grafana), textPayload (Google), LogMessage (Azure), _raw (Splunk), body (OpenTelemetry)
//	the time    @timestamp, TimeGenerated, date, __REALTIME_TIMESTAMP
//	the pod     pod, podName, kubernetes.pod_name, k8s.pod.name, the tag pod_name:…, _HOSTNAME, a file's path
//
// The value of such a member is a line, an object, or a list of them.

// wrapMember parses a member of a collector's envelope.
func (s *scan) wrapMember(r *record, key []byte) bool {
	switch string(key) {
	case "log", "log_s", "LogMessage", "LogEntry", "textPayload", "line", "MESSAGE", "@message", "_raw", "raw", "body",
		"Body", "RawData", "original", "content", "properties", "_source", "jsonPayload", "data", "hits", "logEvents",
		"records", "Records", "results", "entries", "event", "short_message", "audit", "resourceLogs", "scopeLogs",
		"logRecords", "stringValue", "tables":
		s.wrapped(r)
	case "value", "values":
		r.values = s.raw()
	case "columns", "rows":
		r.table[key[0]&1] = s.raw() // c is odd, r is even
	case "@timestamp", "TimeGenerated", "__REALTIME_TIMESTAMP", "date", "_time", "Timestamp", "timeUnixNano":
		r.seenNs = s.instant()
	case "logtag", "_p":
		r.tag = s.word()
	case "metric":
		r.metric = map[string]string{}
		s.object(func(key []byte) {
			name := string(key)
			r.metric[name] = s.word()
		})
	case "protoPayload":
		s.googleAudit(r)
	case "reason":
		r.event.reason = s.word()
	case "note":
		r.message = s.text()
	case "firstTimestamp":
		r.event.firstNs = s.instant()
	case "lastTimestamp", "eventTime":
		if ns := s.instant(); ns != 0 {
			r.event.lastNs = ns
		}
	case "involvedObject", "regarding":
		o := s.objectOf()
		r.event.kind, r.event.namespace, r.event.name = o.kind, o.namespace, o.name
	default:
		return s.azureAudit(r, string(key)) || s.source(r, string(key))
	}
	return true
}

// azureColumns are the columns of Azure's tables AKSAudit and AKSAuditAdmin, which have the members of an audit Event.
var azureColumns = map[string]string{"Verb": "verb", "Stage": "stage", "User": "user", "UserAgent": "userAgent",
	"SourceIps": "sourceIPs", "ObjectRef": "objectRef", "ResponseStatus": "responseStatus",
	"RequestObject": "requestObject", "ResponseObject": "responseObject",
	"RequestReceivedTime": "requestReceivedTimestamp", "StageReceivedTime": "stageTimestamp"}

// azureAudit parses a column of those tables. A column with an object has it as such, or as a text.
func (s *scan) azureAudit(r *record, column string) bool {
	member := azureColumns[column]
	if member == "" {
		return false
	}
	r.azure = r.azure || member == "objectRef"
	if s.err != nil || s.space() != '"' {
		return s.auditMember(r, []byte(member))
	}
	from := s.at
	if text := s.readQuoted(); s.err == nil && isJSON(text) {
		inner := &scan{data: text, words: s.words}
		return inner.auditMember(r, []byte(member))
	}
	s.at = from
	return s.auditMember(r, []byte(member))
}

// objectOf parses a reference to an object.
func (s *scan) objectOf() (o leaseObject) {
	s.object(func(key []byte) {
		s.member(key, wordOf{"kind", &o.kind}, wordOf{"namespace", &o.namespace}, wordOf{"name", &o.name})
	})
	return o
}

// wrapped keeps a string, an object or a list that a collector wrapped. It skips other values.
func (s *scan) wrapped(r *record) {
	if s.err != nil {
		return
	}
	var inner []byte
	switch s.space() {
	case '"':
		inner = s.readQuoted()
	case '{', '[':
		inner = s.raw()
	default:
		s.skip()
	}
	if inner != nil && s.err == nil {
		r.inner = append(r.inner, inner)
	}
}

// shortKey returns a key without the signs that differ between collectors, and whether its value is a pod's name.
func shortKey(key string) (short string, pod bool) {
	short = strings.Map(func(c rune) rune {
		if c == '.' || c == '_' || c == '@' {
			return -1
		}
		return c
	}, strings.ToLower(key))
	return short, short == "pod" || strings.HasSuffix(short, "podname")
}

// source parses a member that says where a line comes from. A pod's name goes before names of hosts and files.
func (s *scan) source(r *record, key string) bool {
	short, pod := shortKey(key)
	switch {
	case short == "tags", short == "ddtags": // of Datadog
		s.tags(r)
	case pod, short == "hostname", short == "host", short == "nodename", short == "instance",
		strings.HasPrefix(short, "logstream"), short == "filename", short == "filepath", short == "path",
		short == "source":
		s.sourceNames(r, pod)
	case short == "kubernetes", short == "stream", short == "labels", short == "resource", short == "fields",
		short == "attributes":
		if s.err != nil {
			return true
		}
		switch s.space() {
		case '"':
			r.stream = s.word()
		case '[': // of OpenTelemetry: {"key": "k8s.pod.name", "value": {"stringValue": "node-a"}}
			s.array(func() { s.attribute(r) })
		default:
			s.object(func(key []byte) {
				if string(key) == "audit" || string(key) == "message" {
					s.wrapped(r) // of Elastic, of Datadog
				} else {
					s.source(r, string(key))
				}
			})
		}
	default:
		return false
	}
	return true
}

// tags parses a list of tags, or tags with commas between them: pod_name:node-a,kube_namespace:ns-a
func (s *scan) tags(r *record) {
	if s.err == nil && s.space() == '[' {
		s.array(func() { s.tags(r) })
		return
	}
	for _, tag := range strings.Split(s.text(), ",") {
		key, name, _ := strings.Cut(tag, ":")
		if _, pod := shortKey(key); pod && name != "" {
			r.names, r.pod = append([]string{s.words.of([]byte(name))}, r.names...), true
		}
	}
}

// attribute parses an attribute of OpenTelemetry.
func (s *scan) attribute(r *record) {
	name := ""
	s.object(func(key []byte) {
		switch string(key) {
		case "key":
			name = s.text()
		case "value":
			s.object(func([]byte) { s.source(r, name) })
		}
	})
}

// sourceNames parses a name, a list of names, or an object with a name.
func (s *scan) sourceNames(r *record, pod bool) {
	if s.err != nil {
		return
	}
	switch s.space() {
	case '"':
		name := s.word()
		if name == "" {
			return
		}
		if pod || podOfPath(name) != "" {
			r.names, r.pod = append(namesOfPath(name), r.names...), true
		} else {
			r.names = append(r.names, namesOfPath(name)...)
		}
	case '[':
		s.array(func() { s.sourceNames(r, pod) })
	default:
		s.under("name", func() { s.sourceNames(r, pod) })
	}
}

// googleCodes translates the codes of gRPC in Google's audit records to HTTP's codes.
var googleCodes = map[int64]int64{0: 200, 3: 400, 4: 504, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 13: 500,
	14: 503, 16: 401}

// googleAudit parses an audit record of Google Kubernetes Engine. It has the same contents as an audit Event of
// Kubernetes, under other names.
func (s *scan) googleAudit(r *record) {
	r.google, r.stage = true, "ResponseComplete"
	s.object(func(key []byte) {
		switch string(key) {
		case "methodName": // io.k8s.coordination.v1.leases.update
			parts := strings.Split(s.text(), ".")
			if n := len(parts); n > 1 {
				r.resource, r.verb = s.words.of([]byte(parts[n-2])), s.words.of([]byte(parts[n-1]))
			}
		case "resourceName": // coordination.k8s.io/v1/namespaces/ns-a/leases/demo
			parts := strings.Split(s.text(), "/")
			for i := 0; i+1 < len(parts); i++ {
				switch parts[i] {
				case "namespaces":
					r.namespace = s.words.of([]byte(parts[i+1]))
				case "leases":
					r.name = s.words.of([]byte(parts[i+1]))
				}
			}
		case "authenticationInfo":
			s.under("principalEmail", func() { r.user = s.word() })
		case "requestMetadata":
			s.object(func(key []byte) {
				s.member(key, wordOf{"callerIp", &r.address}, wordOf{"callerSuppliedUserAgent", &r.agent})
			})
		case "status":
			s.under("code", func() { r.code = int64(s.number()) })
		case "request":
			r.request = s.lease()
		case "response":
			r.response = s.lease()
		}
	})
	if code, known := googleCodes[r.code]; known {
		r.code = code
	}
}

// podOfPath returns the pod of the path of a log, or "". Kubernetes writes
// /var/log/pods/NAMESPACE_POD_UID/CONTAINER/0.log and /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log.
func podOfPath(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		switch fields := strings.Split(parts[i+1], "_"); {
		case part == "pods" && i+2 < len(parts):
			return fields[min(1, len(fields)-1)]
		case part == "containers" && len(fields) == 3:
			return fields[0]
		}
	}
	return ""
}

// namesOfPath lists the names that a path contains, the most telling ones first: the pod, the file's stem, then the
// folders from the innermost.
func namesOfPath(name string) (all []string) {
	if pod := podOfPath(name); pod != "" {
		all = append(all, pod)
	}
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '/' || c == '\\' || c == ':' })
	for i := len(parts) - 1; i >= 0; i-- {
		part := parts[i]
		if i == len(parts)-1 {
			stem := strings.TrimSuffix(part, ".gz")
			if ext := path.Ext(stem); ext != "" && len(ext) < len(stem) {
				stem = strings.TrimSuffix(stem, ext)
			}
			all = append(all, stem)
			if cut := strings.IndexByte(part, '.'); cut > 0 {
				all = append(all, part[:cut])
			}
			for _, ending := range []string{"-previous", "_previous", ".previous"} {
				if short, ends := strings.CutSuffix(stem, ending); ends {
					all = append(all, short)
				}
			}
			part = stem
		} else {
			all = append(all, part)
		}
		if fields := strings.Split(part, "_"); len(fields) == 3 {
			all = append(all, fields[0], fields[1], fields[0][strings.LastIndexByte(fields[0], '.')+1:])
		}
	}
	return all
}
