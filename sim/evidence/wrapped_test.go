package evidence

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logged is a line of the paused incident's logs.
type logged struct {
	pod, text string
	at        time.Time
	message   string // without klog's header
	fields    map[string]string
}

func (l *logged) iso() string { return l.at.Format("2006-01-02T15:04:05.000000000Z") }

// wrappedIncident is the paused one: its report has a change, a gap and an overlap, and each line counts.
var wrappedIncident = "testdata/pause-1"

// loggedLines returns the lines of the three logs of the paused incident, in the order of their times.
func loggedLines(t *testing.T) (all []logged) {
	names, err := filepath.Glob(wrappedIncident + "/*.klog")
	require.NoError(t, err)
	for _, name := range names {
		pod := strings.TrimSuffix(filepath.Base(name), ".klog")
		for _, text := range strings.Split(strings.TrimSpace(string(contents(t, name))), "\n") {
			at, err := time.Parse("20060102 15:04:05.999999", "2026"+text[1:21])
			require.NoError(t, err)
			_, body, _ := strings.Cut(text, "] ")
			message, rest := unquote(body)
			all = append(all, logged{pod, text, at, message, pairsOf(rest)})
		}
	}
	slices.SortStableFunc(all, func(a, b logged) int { return a.at.Compare(b.at) })
	return all
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

type object = map[string]any

var processNumber = regexp.MustCompile(`^(.\d{4} \S+ +)\d+ `)

// eachLine wraps each line of the logs. Without a pod in the wrapping, each pod has its own file.
func eachLine(perPod bool, wrap func(l *logged) string) func(*testing.T) map[string]string {
	return func(t *testing.T) map[string]string {
		files := map[string]string{}
		for _, l := range loggedLines(t) {
			name := l.pod + ".log"
			if !perPod {
				// In containers, each process has number 1, so only the wrapping tells them apart.
				name, l.text = "all.log", processNumber.ReplaceAllString(l.text, "${1}1 ")
			}
			files[name] += wrap(&l) + "\n"
		}
		return files
	}
}

// numbered wraps each line with its number.
func numbered(perPod bool, wrap func(l *logged, n int) string) func(*testing.T) map[string]string {
	n := 0
	return eachLine(perPod, func(l *logged) string { n++; return wrap(l, n) })
}

// listed wraps all lines into one document.
func listed(wrap func(all []logged) string) func(*testing.T) map[string]string {
	return func(t *testing.T) map[string]string {
		all := loggedLines(t)
		for i := range all {
			all[i].text = processNumber.ReplaceAllString(all[i].text, "${1}1 ")
		}
		return map[string]string{"all.json": wrap(all)}
	}
}

// eachAudit wraps each event of the audit log.
func eachAudit(wrap func(event string, at time.Time) string) func(*testing.T) map[string]string {
	return func(t *testing.T) map[string]string {
		var out strings.Builder
		for _, event := range auditEvents(t) {
			out.WriteString(wrap(event, timeOf(event)) + "\n")
		}
		return map[string]string{"audit": out.String()}
	}
}

func timeOf(event string) time.Time {
	var e struct{ StageTimestamp time.Time }
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		panic(err)
	}
	return e.StageTimestamp
}

func auditEvents(t *testing.T) []string {
	return strings.Split(strings.TrimSpace(string(contents(t, wrappedIncident+"/audit.jsonl.gz"))), "\n")
}

func allAudit(wrap func(events []string) string) func(*testing.T) map[string]string {
	return func(t *testing.T) map[string]string { return map[string]string{"audit": wrap(auditEvents(t))} }
}

// withFields makes a structured line: its keys for the time and the message, and the fields of klog's line.
func withFields(l *logged, more object) string {
	out := object{}
	for k, v := range l.fields {
		out[k] = v
	}
	maps.Copy(out, more)
	return text(out)
}

func pairsText(l *logged, head string) string {
	for _, key := range slices.Sorted(maps.Keys(l.fields)) {
		value := l.fields[key]
		if strings.ContainsAny(value, " =\"") {
			value = strconv.Quote(value)
		}
		head += " " + key + "=" + value
	}
	return head
}

// google makes an audit record of Google's from an event.
func google(event string) object {
	var e struct {
		Verb, UserAgent               string
		User                          struct{ Username string }
		ObjectRef                     struct{ Resource, Namespace, Name string }
		ResponseStatus                struct{ Code int }
		RequestObject, ResponseObject json.RawMessage
		StageTimestamp                string
	}
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		panic(err)
	}
	payload := object{"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "serviceName": "k8s.io",
		"methodName":         "io.k8s.coordination.v1." + e.ObjectRef.Resource + "." + e.Verb,
		"resourceName":       "coordination.k8s.io/v1/namespaces/" + e.ObjectRef.Namespace + "/leases/" + e.ObjectRef.Name,
		"authenticationInfo": object{"principalEmail": e.User.Username},
		"requestMetadata":    object{"callerIp": "10.0.0.1", "callerSuppliedUserAgent": e.UserAgent},
		"status":             object{"code": map[int]int{200: 0, 201: 0, 404: 5, 409: 10}[e.ResponseStatus.Code]}}
	if e.RequestObject != nil {
		payload["request"] = e.RequestObject
	}
	if e.ResponseObject != nil {
		payload["response"] = e.ResponseObject
	}
	return object{"insertId": "x", "logName": "projects/x/logs/cloudaudit.googleapis.com%2Factivity",
		"protoPayload": payload, "timestamp": e.StageTimestamp, "resource": object{"type": "k8s_cluster"}}
}

// azureRow makes a row of Azure's table AKSAudit from an event.
func azureRow(event string) object {
	var e map[string]json.RawMessage
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		panic(err)
	}
	row := object{"TimeGenerated": e["stageTimestamp"], "Type": "AKSAudit", "Level": e["level"], "AuditId": e["auditID"],
		"RequestUri": e["requestURI"], "PodName": "kube-apiserver-1"}
	for column, member := range azureColumns {
		if value := e[member]; value != nil {
			row[column] = value
		}
	}
	return row
}

// azureTable makes the answer to a query: an object in a column is a text.
func azureTable(events []string) object {
	names := append([]string{"TimeGenerated", "Level", "AuditId"}, slices.Sorted(maps.Keys(azureColumns))...)
	var rows [][]string
	for _, event := range events {
		row, values := azureRow(event), []string{}
		for _, name := range names {
			value, _ := row[name].(json.RawMessage)
			word := string(value)
			if unquoted, err := strconv.Unquote(word); err == nil {
				word = unquoted
			} else if name == "RequestObject" && word == "" {
				word = "skipped-too-big-size-object"
			}
			values = append(values, word)
		}
		rows = append(rows, values)
	}
	var columns []object
	for _, name := range names {
		columns = append(columns, object{"name": name})
	}
	return object{"name": "PrimaryResult", "columns": columns, "rows": rows}
}

func csvOf(rows [][]string) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		panic(err)
	}
	return out.String()
}

func ndjson(events []string) string { return strings.Join(events, "\n") + "\n" }

func indented(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

func raws(events []string) (all []json.RawMessage) {
	for _, one := range events {
		all = append(all, json.RawMessage(one))
	}
	return all
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(data)
	z.Close()
	return out.Bytes()
}

// longName makes the paths of members too long for the header of tar.
var longName = strings.Repeat("long", 30)

// members has the audit log and the three logs as members, some of them packed.
func members(t *testing.T) map[string][]byte {
	all := map[string][]byte{"cluster/audit_logs/kube-apiserver/audit.log.gz": gzipped([]byte(ndjson(auditEvents(t)))),
		"cluster/version": []byte("v1.35.1"), "cluster/core.bin": {0, 1, 2, 3, 0, 0, 1}}
	for _, l := range loggedLines(t) {
		name := "cluster/namespaces/ns-a/pods/" + l.pod + "/" + longName + "/logs/current.log"
		all[name] = append(all[name], l.text+"\n"...)
	}
	return all
}

// shortened has names that the header of tar divides into two fields.
func shortened(members map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, data := range members {
		out[strings.ReplaceAll(name, longName, longName[:80])] = data
	}
	return out
}

func tarOf(t *testing.T, members map[string][]byte, format tar.Format) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(members[name])), Format: format}))
		_, err := w.Write(members[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// zipOf writes a zip archive; without a stream, the sizes precede the data, as most programs write them.
func zipOf(t *testing.T, members map[string][]byte, method uint16, stream bool) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		h := &zip.FileHeader{Name: name, Method: method}
		if stream {
			f, err := w.CreateHeader(h)
			require.NoError(t, err)
			_, err = f.Write(members[name])
			require.NoError(t, err)
			continue
		}
		data := members[name]
		if method == zip.Deflate {
			packed := gzipped(data)
			data = packed[10 : len(packed)-8]
		}
		h.CRC32, h.CompressedSize64, h.UncompressedSize64 = binary.LittleEndian.Uint32([]byte{0, 0, 0, 0}), uint64(len(data)),
			uint64(len(members[name]))
		f, err := w.CreateRaw(h)
		require.NoError(t, err)
		_, err = f.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func utf16Of(text string, order binary.AppendByteOrder, mark bool) string {
	if mark {
		text = "\ufeff" + text
	}
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// wrapping is a form of logs; its kind is logs, audit or both.
type wrapping struct {
	name, kind string
	make       func(*testing.T) map[string]string
}

// wrappings has the paused incident in the forms in which people have logs. Each form has a subset of the files: the
// logs, the audit log, or both.
var wrappings = []wrapping{
	{"kubectl logs --timestamps", "logs", eachLine(true, func(l *logged) string { return l.iso() + " " + l.text })},
	{"kubectl logs --prefix", "logs", eachLine(false, func(l *logged) string { return "[pod/" + l.pod + "/manager] " + l.text })},
	{"kubectl logs --prefix --timestamps", "logs", eachLine(false, func(l *logged) string {
		return "[pod/" + l.pod + "/manager] " + l.iso() + " " + l.text
	})},
	{"kubetail", "logs", eachLine(false, func(l *logged) string { return "[" + l.pod + "] " + l.text })},
	{"kubetail with containers", "logs", eachLine(false, func(l *logged) string { return "[" + l.pod + " manager] " + l.text })},
	{"kail", "logs", eachLine(false, func(l *logged) string { return "ns-a/" + l.pod + "[manager]: " + l.text })},
	{"stern", "logs", eachLine(false, func(l *logged) string { return l.pod + " manager " + l.text })},
	{"stern with colors", "logs", eachLine(false, func(l *logged) string {
		return "\x1b[38;5;2m" + l.pod + "\x1b[0m \x1b[36mmanager\x1b[0m " + l.text
	})},
	{"stern --all-namespaces", "logs", eachLine(false, func(l *logged) string { return "ns-a " + l.pod + " manager " + l.text })},
	{"stern --timestamps", "logs", eachLine(false, func(l *logged) string { return l.pod + " manager " + l.iso() + " " + l.text })},
	{"stern -o json", "logs", eachLine(false, func(l *logged) string {
		return text(object{"message": l.text, "nodeName": "ip-10", "namespace": "ns-a", "podName": l.pod, "containerName": "manager"})
	})},
	{"docker compose", "logs", eachLine(false, func(l *logged) string { return l.pod + "  | " + l.text })},
	{"docker json-file", "logs", eachLine(true, func(l *logged) string {
		return text(object{"log": l.text + "\n", "stream": "stderr", "time": l.iso()})
	})},
	{"CRI", "logs", eachLine(true, func(l *logged) string { return l.iso() + " stderr F " + l.text })},
	{"CRI with split lines", "logs", eachLine(true, func(l *logged) string {
		return l.iso() + " stderr P " + l.text[:40] + "\n" + l.iso() + " stderr F " + l.text[40:]
	})},
	{"journald short", "logs", eachLine(false, func(l *logged) string {
		return l.at.Format("Jan _2 15:04:05 ") + l.pod + " kube-scheduler[17779]: " + l.text
	})},
	{"journald short-precise", "logs", eachLine(false, func(l *logged) string {
		return l.at.Format("Jan _2 15:04:05.000000 ") + l.pod + " kube-scheduler[17779]: " + l.text
	})},
	{"journald short-iso", "logs", eachLine(false, func(l *logged) string {
		return l.at.Format("2006-01-02T15:04:05-0700 ") + l.pod + " kube-scheduler[17779]: " + l.text
	})},
	{"journald short-iso of plain text", "logs", eachLine(false, func(l *logged) string {
		return pairsText(l, l.at.Format("2006-01-02T15:04:05.000000-07:00 ")+l.pod+" kube-scheduler[17779]: "+strconv.Quote(l.message))
	})},
	{"journald JSON", "logs", eachLine(false, func(l *logged) string {
		return text(object{"__REALTIME_TIMESTAMP": strconv.FormatInt(l.at.UnixMicro(), 10), "_HOSTNAME": l.pod, "SYSLOG_IDENTIFIER": "kubelet",
			"MESSAGE": l.text})
	})},
	{"syslog RFC 5424", "logs", eachLine(false, func(l *logged) string {
		return "<14>1 " + l.iso() + " " + l.pod + " manager 1 - - " + l.text
	})},
	{"klog JSON", "logs", eachLine(true, func(l *logged) string {
		return withFields(l, object{"ts": float64(l.at.UnixMicro()) / 1000, "msg": l.message, "v": 0})
	})},
	{"zap JSON", "logs", eachLine(true, func(l *logged) string {
		return withFields(l, object{"level": "info", "ts": float64(l.at.UnixMicro()) / 1e6, "logger": "klog", "msg": l.message})
	})},
	{"zap JSON of klog's text", "logs", eachLine(true, func(l *logged) string {
		return text(object{"level": "info", "ts": float64(l.at.UnixMicro()) / 1e6, "msg": l.text})
	})},
	{"zap console", "logs", eachLine(true, func(l *logged) string {
		return l.at.Format("2006-01-02T15:04:05.000000Z") + "\tINFO\tklog\t" + l.message + "\t" + withFields(l, nil)
	})},
	{"zap console with spaces", "logs", eachLine(true, func(l *logged) string {
		return l.at.Format("2006-01-02T15:04:05.000000Z") + "  INFO  " + l.message + "  " + withFields(l, nil)
	})},
	{"slog JSON", "logs", eachLine(true, func(l *logged) string {
		return withFields(l, object{"time": l.iso(), "level": "INFO", "msg": l.message})
	})},
	{"slog text", "logs", eachLine(true, func(l *logged) string {
		return pairsText(l, "time="+l.at.Format("2006-01-02T15:04:05.000Z")+" level=INFO msg="+strconv.Quote(l.message))
	})},
	{"logrus text", "logs", eachLine(true, func(l *logged) string {
		return pairsText(l, `time="`+l.at.Format(time.RFC3339)+`" level=info msg=`+strconv.Quote(l.message))
	})},
	{"slog text in CRI under a prefix", "logs", eachLine(false, func(l *logged) string {
		return pairsText(l, "[pod/"+l.pod+"/manager] "+l.iso()+" stdout F time="+l.at.Format("2006-01-02T15:04:05.000Z")+" level=INFO msg="+
			strconv.Quote(l.message))
	})},
	{"Loki's API", "logs", listed(func(all []logged) string {
		var streams []object
		pods := map[string]bool{}
		for _, l := range all {
			pods[l.pod] = true
		}
		for _, pod := range slices.Sorted(maps.Keys(pods)) {
			var values [][]string
			for _, l := range slices.Backward(all) { // the newest line first
				if l.pod == pod {
					values = append(values, []string{strconv.FormatInt(l.at.UnixNano(), 10), l.text})
				}
			}
			streams = append(streams, object{"stream": object{"namespace": "ns-a", "pod": pod}, "values": values})
		}
		return indented(object{"status": "success", "data": object{"resultType": "streams", "result": streams}})
	})},
	{"logcli", "logs", eachLine(false, func(l *logged) string {
		return l.iso() + ` {container="manager", namespace="ns-a", pod="` + l.pod + `"} ` + l.text
	})},
	{"logcli -o jsonl", "logs", eachLine(false, func(l *logged) string {
		return text(object{"labels": object{"pod": l.pod, "container": "manager"}, "line": l.text, "timestamp": l.iso()})
	})},
	{"Grafana's JSON", "logs", listed(func(all []logged) string {
		var out []object
		for _, l := range slices.Backward(all) {
			out = append(out, object{"line": l.text, "timestamp": strconv.FormatInt(l.at.UnixNano(), 10), "date": l.iso(), "fields": object{"pod": l.pod}})
		}
		return indented(out)
	})},
	{"Grafana's text, without pods", "logs", func(t *testing.T) map[string]string {
		files := eachLine(true, func(l *logged) string { return l.iso() + "\t" + l.text })(t)
		lines := strings.Split(strings.TrimSpace(files["node-a.log"]+files["node-b.log"]+files["node-c.log"]), "\n")
		slices.Sort(lines)
		return map[string]string{"all.log": ndjson(lines)}
	}},
	{"Grafana's CSV", "logs", listed(func(all []logged) string {
		rows := [][]string{{"Time", "Line", "pod"}}
		for _, l := range all {
			rows = append(rows, []string{l.at.Format("2006-01-02 15:04:05.000"), l.text, l.pod})
		}
		return csvOf(rows)
	})},
	{"fluent-bit", "logs", eachLine(false, func(l *logged) string {
		return text(object{"date": float64(l.at.UnixMicro()) / 1e6, "log": l.text, "stream": "stderr", "logtag": "F",
			"kubernetes": object{"pod_name": l.pod, "namespace_name": "ns-a", "host": "ip-10", "labels": object{"app": "demo"}}})
	})},
	{"Elastic's answer", "logs", listed(func(all []logged) string {
		var hits []object
		for _, l := range slices.Backward(all) {
			hits = append(hits, object{"_index": "logs", "_source": object{"@timestamp": l.iso(), "message": l.text,
				"kubernetes": object{"pod": object{"name": l.pod}, "node": object{"name": "ip-10"}}, "log": object{"offset": 3}}})
		}
		return indented(object{"took": 3, "hits": object{"total": object{"value": len(hits)}, "hits": hits}})
	})},
	{"Kibana's CSV", "logs", listed(func(all []logged) string {
		rows := [][]string{{"@timestamp", "kubernetes.pod.name", "message"}}
		for _, l := range all {
			rows = append(rows, []string{l.at.Format("Jan 2, 2006 @ 15:04:05.000"), l.pod, l.text})
		}
		return csvOf(rows)
	})},
	{"Google's container logs", "logs", eachLine(false, func(l *logged) string {
		_, body, _ := strings.Cut(l.text, "] ")
		return text(object{"insertId": "x", "jsonPayload": object{"message": body, "pid": "1"}, "timestamp": l.iso(),
			"resource": object{"type": "k8s_container", "labels": object{"pod_name": l.pod, "namespace_name": "ns-a"}}})
	})},
	{"Google's text", "logs", listed(func(all []logged) string {
		var out []object
		for _, l := range all {
			out = append(out, object{"textPayload": l.text, "timestamp": l.iso(), "resource": object{"labels": object{"pod_name": l.pod}}})
		}
		return indented(out)
	})},
	{"Azure's ContainerLogV2", "logs", listed(func(all []logged) string {
		var out []object
		for _, l := range all {
			out = append(out, object{"TimeGenerated": l.iso(), "PodName": l.pod, "LogMessage": l.text, "LogSource": "stderr"})
		}
		return text(out)
	})},
	{"Splunk", "logs", eachLine(false, func(l *logged) string {
		return text(object{"preview": false, "result": object{"_raw": l.text, "_time": l.iso(), "pod": l.pod}})
	})},
	{"CloudWatch of fluent-bit", "logs", eachLine(false, func(l *logged) string {
		return text(object{"timestamp": l.at.UnixMilli(), "message": text(object{"log": l.text, "stream": "stderr",
			"kubernetes": object{"pod_name": l.pod}}), "logStreamName": "ip-10-application.var.log.containers"})
	})},
	{"fluentd's files", "logs", eachLine(false, func(l *logged) string {
		return l.at.Format(time.RFC3339) + "\tkube.var.log.containers." + l.pod + "_ns-a_manager-0123456789abcdef.log\t" +
			text(object{"log": l.text + "\n", "stream": "stderr"})
	})},
	{"CloudWatch's container logs", "logs", listed(func(all []logged) string {
		var out []object
		for _, l := range all {
			out = append(out, object{"timestamp": l.at.UnixMilli(), "message": text(object{"log": l.text}),
				"logStreamName": "ip-10-0-0-1.ec2.internal-application.var.log.containers." + l.pod + "_ns-a_manager-0123.log"})
		}
		return indented(object{"events": out})
	})},
	{"Datadog", "logs", eachLine(false, func(l *logged) string {
		return text(object{"id": "x", "attributes": object{"timestamp": l.iso(), "host": "ip-10", "message": l.text,
			"attributes": object{"kubernetes": object{"pod_name": l.pod}}}})
	})},
	{"Datadog's answer", "logs", listed(func(all []logged) string {
		var out []object
		for _, l := range slices.Backward(all) {
			out = append(out, object{"id": "x", "type": "log", "attributes": object{"host": "ip-10", "service": "manager",
				"message": l.text, "timestamp": l.iso(), "tags": []string{"kube_namespace:ns-a", "pod_name:" + l.pod}}})
		}
		return indented(object{"data": out, "meta": object{"status": "done"}})
	})},
	{"Datadog's archive", "logs", eachLine(false, func(l *logged) string {
		return text(object{"_id": "x", "date": l.iso(), "host": "ip-10", "message": l.text, "ddtags": "env:x,pod_name:" + l.pod})
	})},
	{"Datadog's CSV", "logs", listed(func(all []logged) string {
		rows := [][]string{{"Date", "Host", "Message", "kube_pod_name"}}
		for _, l := range all {
			rows = append(rows, []string{l.iso(), "ip-10", l.text, l.pod})
		}
		return csvOf(rows)
	})},
	{"Splunk's OpenTelemetry", "logs", eachLine(false, func(l *logged) string {
		return text(object{"result": object{"_raw": l.text, "_time": l.iso(), "host": "ip-10", "k8s.node.name": "ip-10",
			"k8s.pod.name": l.pod, "k8s.container.name": "manager"}})
	})},
	{"Splunk, the file of the kubelet", "logs", eachLine(false, func(l *logged) string {
		return text(object{"result": object{"_raw": text(object{"log": l.text, "stream": "stderr", "host": "ip-10"}), "_time": l.iso(),
			"host": "ip-10", "source": "/var/log/pods/ns-a_" + l.pod + "_0-1/manager/0.log"}})
	})},
	{"Splunk of fluent-bit", "logs", eachLine(false, func(l *logged) string {
		return text(object{"result": object{"_raw": text(object{"log": l.text, "hostname": "ip-10"}), "host": "ip-10", "pod_name": l.pod}})
	})},
	{"GELF", "logs", eachLine(false, func(l *logged) string {
		return text(object{"version": "1.1", "host": l.pod, "short_message": l.text, "timestamp": float64(l.at.UnixMicro()) / 1e6})
	})},
	{"OpenTelemetry", "logs", eachLine(false, func(l *logged) string {
		return text(object{"resourceLogs": []object{{
			"resource": object{"attributes": []object{{"key": "k8s.pod.name", "value": object{"stringValue": l.pod}}}},
			"scopeLogs": []object{{"logRecords": []object{{"timeUnixNano": strconv.FormatInt(l.at.UnixNano(), 10),
				"body": object{"stringValue": l.text}}}}}}}})
	})},
	{"journald short-full", "logs", eachLine(false, func(l *logged) string {
		return l.at.Format("Mon 2006-01-02 15:04:05 MST ") + l.pod + " kube-scheduler[17779]: " + l.text
	})},
	{"old klog's sentences", "logs", eachLine(true, func(l *logged) string {
		head, _, _ := strings.Cut(l.text, "] ")
		switch {
		case l.fields["holder"] != "":
			return head + "] lock is held by " + l.fields["holder"] + " and has not yet expired"
		case l.fields["err"] != "" && l.fields["lock"] != "" && strings.Contains(l.message, "renew"):
			return head + "] failed to renew lease " + l.fields["lock"] + ": " + l.fields["err"]
		}
		return head + "] " + strings.TrimRight(strings.ToLower(strings.TrimSuffix(l.message, "..."))+" "+l.fields["lock"]+": "+
			l.fields["err"], ": ")
	})},
	{"CR alone", "logs", func(t *testing.T) map[string]string {
		files := eachLine(true, func(l *logged) string { return l.text })(t)
		for name := range files {
			files[name] = strings.ReplaceAll(files[name], "\n", "\r")
		}
		return files
	}},
	{"UTF-16", "logs", func(t *testing.T) map[string]string {
		files := eachLine(true, func(l *logged) string { return l.text + "\r" })(t)
		files["node-a.log"] = utf16Of(files["node-a.log"], binary.LittleEndian, true)
		files["node-b.log"] = utf16Of(files["node-b.log"], binary.BigEndian, true)
		files["node-c.log"] = utf16Of(files["node-c.log"], binary.LittleEndian, false)
		return files
	}},

	{"grep -n", "logs", numbered(true, func(l *logged, n int) string { return strconv.Itoa(n) + ":" + l.text })},
	{"grep -n in several files", "logs", numbered(false, func(l *logged, n int) string {
		return "logs/" + l.pod + ".log:" + strconv.Itoa(n) + ":" + l.text
	})},
	{"grep in several files", "logs", numbered(false, func(l *logged, _ int) string { return l.pod + ".log:" + l.text })},
	{"grep -n -C 1 in several files", "logs", numbered(false, func(l *logged, n int) string {
		sign := []string{":", "-", "-"}[n%3]
		return l.pod + ".log" + sign + strconv.Itoa(n) + sign + l.text + strings.Repeat("\n--", n%2)
	})},
	{"grep of kubectl logs --prefix", "logs", numbered(false, func(l *logged, n int) string {
		return "all.log:" + strconv.Itoa(n) + ":[pod/" + l.pod + "/manager] " + l.text
	})},
	{"grep of the files of the kubelet", "logs", numbered(false, func(l *logged, n int) string {
		return "/var/log/pods/ns-a_" + l.pod + "_0-1/manager/0.log:" + strconv.Itoa(n) + ":" + l.iso() + " stderr F " + l.text
	})},
	{"cat -n", "logs", numbered(true, func(l *logged, n int) string { return fmt.Sprintf("%6d\t%s", n, l.text) })},
	{"a quotation", "logs", eachLine(true, func(l *logged) string { return "> > " + l.text })},
	{"an issue", "logs", func(t *testing.T) map[string]string {
		files := eachLine(true, func(l *logged) string { return l.text })(t)
		for name := range files {
			files[name] = "This is what it says, after the update:\n\n```text\n" + files[name] + "```\n\nIs it a bug?\n"
		}
		return files
	}},
	{"a web page's text", "logs", eachLine(true, func(l *logged) string { return html.EscapeString(l.text) })},
	{"a web page's text, with names for the signs", "logs", eachLine(true, func(l *logged) string {
		return "&gt; " + strings.ReplaceAll(html.EscapeString(l.text), "&#34;", "&quot;")
	})},

	{"grep of an audit log", "audit", allAudit(func(events []string) string {
		return "audit.log:12:" + strings.Join(events, "\naudit-2026-11-20T10-00-00.000.log:13:") + "\n"
	})},
	{"a quoted list", "audit", allAudit(func(events []string) string {
		return "> ```json\n> " + strings.ReplaceAll(strings.TrimSpace(indented(raws(events))), "\n", "\n> ") + "\n> ```\n"
	})},
	{"a web page's text of an audit log", "audit", allAudit(func(events []string) string {
		return html.EscapeString(ndjson(events))
	})},
	{"CloudWatch tail", "audit", eachAudit(func(event string, at time.Time) string {
		return at.Format("2006-01-02T15:04:05.000000-07:00") + " kube-apiserver-audit-0123456789abcdef " + event
	})},
	{"CloudWatch tail, short", "audit", eachAudit(func(event string, at time.Time) string {
		return at.Format("2006-01-02T15:04:05 ") + event
	})},
	{"CloudWatch filter", "audit", allAudit(func(events []string) string {
		var out []object
		for _, e := range events {
			out = append(out, object{"logStreamName": "kube-apiserver-audit-0", "timestamp": timeOf(e).UnixMilli(), "message": e, "eventId": "1"})
		}
		return indented(object{"events": out, "searchedLogStreams": []string{}})
	})},
	{"CloudWatch in S3", "audit", eachAudit(func(event string, at time.Time) string {
		return text(object{"messageType": "DATA_MESSAGE", "logStream": "kube-apiserver-audit-0",
			"logEvents": []object{{"id": "1", "timestamp": at.UnixMilli(), "message": event}}})
	})},
	{"CloudWatch Insights, CSV", "audit", allAudit(func(events []string) string {
		rows := [][]string{{"@timestamp", "@message"}}
		for _, e := range events {
			rows = append(rows, []string{timeOf(e).Format("2006-01-02 15:04:05.000"), e})
		}
		return csvOf(rows)
	})},
	{"CloudWatch Insights, JSON", "audit", allAudit(func(events []string) string {
		var out [][]object
		for _, e := range events {
			out = append(out, []object{{"field": "@timestamp", "value": timeOf(e).Format("2006-01-02 15:04:05.000")},
				{"field": "@message", "value": e}})
		}
		return indented(object{"results": out, "status": "Complete"})
	})},
	{"Azure's records", "audit", eachAudit(func(event string, _ time.Time) string {
		return text(object{"category": "kube-audit", "properties": object{"log": event + "\n", "stream": "stdout", "pod": "kube-apiserver-1"}})
	})},
	{"Azure's Event Hubs", "audit", allAudit(func(events []string) string {
		var out []object
		for _, e := range events {
			out = append(out, object{"category": "kube-audit", "properties": object{"log": e}})
		}
		return text(object{"records": out})
	})},
	{"Azure's Log Analytics", "audit", allAudit(func(events []string) string {
		var out []object
		for _, e := range events {
			out = append(out, object{"TimeGenerated": timeOf(e).Format(time.RFC3339Nano), "Category": "kube-audit", "log_s": e})
		}
		return text(out)
	})},
	{"Azure's tables", "audit", allAudit(func(events []string) string {
		var rows [][]string
		for _, e := range events {
			rows = append(rows, []string{timeOf(e).Format(time.RFC3339Nano), "kube-audit", e})
		}
		return text(object{"tables": []object{{"name": "PrimaryResult", "columns": []object{{"name": "TimeGenerated", "type": "datetime"},
			{"name": "Category"}, {"name": "log_s"}}, "rows": rows}}})
	})},
	{"Azure's AKSAudit", "audit", eachAudit(func(event string, _ time.Time) string { return text(azureRow(event)) })},
	{"Azure's AKSAuditAdmin, queried", "audit", allAudit(func(events []string) string {
		return text(object{"tables": []object{azureTable(events)}})
	})},
	{"Azure's AKSAudit, CSV of the portal", "audit", allAudit(func(events []string) string {
		table := azureTable(events)
		rows := [][]string{{}}
		for _, column := range table["columns"].([]object) {
			rows[0] = append(rows[0], column["name"].(string))
		}
		rows[0][0] += " [UTC]"
		return csvOf(append(rows, table["rows"].([][]string)...))
	})},
	{"Elastic's kubernetes.audit", "audit", eachAudit(func(event string, at time.Time) string {
		return text(object{"_source": object{"@timestamp": at.Format(time.RFC3339Nano), "kubernetes": object{"audit": json.RawMessage(event)}}})
	})},
	{"Google's audit records", "audit", allAudit(func(events []string) string {
		var out []object
		for _, e := range events {
			out = append(out, google(e))
		}
		return indented(out)
	})},
	{"Google's audit records, a line each", "audit", eachAudit(func(event string, _ time.Time) string { return text(google(event)) })},
	{"fluent-bit of an audit log", "audit", eachAudit(func(event string, at time.Time) string {
		return text(object{"date": float64(at.UnixMicro()) / 1e6, "log": event, "kubernetes": object{"pod_name": "kube-apiserver-1"}})
	})},
	{"fluent-bit that merged an audit log", "audit", eachAudit(func(event string, at time.Time) string {
		return event[:len(event)-1] + `,"date":1795202199.1,"kubernetes":{"pod_name":"kube-apiserver-1","labels":{"a":"b"}}}`
	})},
	{"CRI of an audit log", "audit", eachAudit(func(event string, at time.Time) string {
		return at.Format(time.RFC3339Nano) + " stdout P " + event[:50] + "\n" + at.Format(time.RFC3339Nano) + " stdout F " + event[50:]
	})},
	{"oc adm node-logs", "audit", eachAudit(func(event string, _ time.Time) string { return "master-0 " + event })},
	{"a list", "audit", allAudit(func(events []string) string { return "[" + strings.Join(events, ",") + "]" })},
	{"a list, an event per line", "audit", allAudit(func(events []string) string { return "[\n" + strings.Join(events, ",\n") + "\n]\n" })},
	{"an indented list", "audit", allAudit(func(events []string) string { return indented(raws(events)) })},
	{"an EventList", "audit", allAudit(func(events []string) string {
		return text(object{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "items": raws(events)})
	})},
	{"an indented EventList", "audit", allAudit(func(events []string) string {
		return indented(object{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "items": raws(events)})
	})},
	{"a mark of the byte order", "audit", allAudit(func(events []string) string { return "\ufeff" + ndjson(events) })},
	{"gzip", "audit", allAudit(func(events []string) string { return string(gzipped([]byte(ndjson(events)))) })},
	{"gzip in gzip", "audit", allAudit(func(events []string) string { return string(gzipped(gzipped([]byte(ndjson(events))))) })},

	{"tar", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.tar": string(tarOf(t, members(t), tar.FormatPAX))}
	}},
	{"GNU's tar in gzip", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.tgz": string(gzipped(tarOf(t, members(t), tar.FormatGNU)))}
	}},
	{"zip", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.zip": string(zipOf(t, members(t), zip.Deflate, false))}
	}},
	{"zip, stored", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.zip": string(zipOf(t, members(t), zip.Store, false))}
	}},
	{"zip, streamed", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.zip": string(zipOf(t, members(t), zip.Deflate, true))}
	}},
	{"a tar in a zip", "both", func(t *testing.T) map[string]string {
		return map[string]string{"x.zip": string(zipOf(t, map[string][]byte{"a/b.tar": tarOf(t, shortened(members(t)), tar.FormatUSTAR)}, zip.Deflate, true))}
	}},
}

func readFiles(files map[string]string, chunk int) Report {
	r := NewReader(Options{Lease: "ns-a/demo", Year: 2026})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for rest := files[name]; rest != ""; {
			n := min(chunk, len(rest))
			r.Feed(name, []byte(rest[:n]))
			rest = rest[n:]
		}
		r.End(name)
	}
	return r.Report()
}

// The report of each wrapping has the leaders, the changes and the causes of the files without it, and the sizes of
// the chunks do not change it.
func TestWrappings(t *testing.T) {
	for _, incident := range []string{"slow-1", "suffix", "pause-1"} {
		wrappedIncident = "testdata/" + incident
		t.Run(incident, testWrappings)
	}
}

func testWrappings(t *testing.T) {
	plain := map[string]map[string]string{"logs": eachLine(true, func(l *logged) string { return l.text })(t),
		"audit": allAudit(ndjson)(t)}
	plain["both"] = maps.Clone(plain["logs"])
	maps.Copy(plain["both"], plain["audit"])
	wanted := map[string]*LeaseReport{}
	for kind, files := range plain {
		report := readFiles(files, 1<<20)
		require.Len(t, report.Leases, 1)
		wanted[kind] = &report.Leases[0]
		require.NotEmpty(t, wanted[kind].LeaderChanges)
	}
	for _, one := range wrappings {
		t.Run(one.name, func(t *testing.T) {
			files := one.make(t)
			got := readFiles(files, 1<<20)
			assert.Empty(t, got.Problems)
			require.Len(t, got.Leases, 1, "%+v", got.Files)
			l, want := &got.Leases[0], wanted[one.kind]
			require.Len(t, l.LeaderChanges, len(want.LeaderChanges))
			for i := range l.LeaderChanges {
				a, b := &l.LeaderChanges[i], &want.LeaderChanges[i]
				assert.Equal(t, []string{b.From, b.To, b.Causes()}, []string{a.From, a.To, a.Causes()})
				assert.NotEmpty(t, a.Lines)
				at, _ := time.Parse(time.RFC3339Nano, a.At)
				wantAt, _ := time.Parse(time.RFC3339Nano, b.At)
				assert.InDelta(t, 0, at.Sub(wantAt).Seconds(), 1)
			}
			require.Len(t, l.Overlaps, len(want.Overlaps))
			for i := range l.Overlaps {
				assert.InDelta(t, want.Overlaps[i].Seconds, l.Overlaps[i].Seconds, 1)
			}
			if wrappedIncident == "testdata/pause-1" {
				for _, chunk := range []int{1, 4096} {
					assert.Equal(t, got, readFiles(files, chunk), "in chunks of %d", chunk)
				}
			}
		})
	}
}

// The report names the line of an element, not the line at which its list begins.
func TestLinesOfLists(t *testing.T) {
	for _, name := range []string{"an indented list", "Grafana's JSON", "Loki's API", "CloudWatch filter"} {
		i := slices.IndexFunc(wrappings, func(w wrapping) bool { return w.name == name })
		files := wrappings[i].make(t)
		report := readFiles(files, 1<<20)
		for file, content := range files {
			lines := strings.Split(content, "\n")
			place, _ := strings.CutPrefix(report.Leases[0].LeaderChanges[1].Lines[0], file+":")
			n, err := strconv.Atoi(place)
			require.NoError(t, err)
			near := strings.Join(lines[n-1:min(n+120, len(lines))], "\n")
			assert.Contains(t, near, "19:17:13.56", name)
			assert.Greater(t, n, 5, name)
		}
	}
}
