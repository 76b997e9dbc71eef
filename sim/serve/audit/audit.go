// Package audit writes an audit log of a served API, as kube-apiserver writes it with --audit-log-path: an Event of audit.k8s.io/v1 as
// JSON on each line.
//
// Guarantee: each request that is answered has an Event with stage ResponseComplete, a watch also one with ResponseStarted when its
// answer begins. Bearer tokens are in none. Non-guarantee: there is no stage RequestReceived, and no policy that tells requests apart. A
// request that never gets an answer has an Event once its connection ends. A line that cannot be written is lost; Failed tells of the
// first.
// Source: apiserver v0.36 pkg/apis/audit/v1 types.go, pkg/audit/request.go.
package audit

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// Level says how much of a request an Event has.
type Level string

const (
	Metadata        Level = "Metadata"        // who, what and when
	Request         Level = "Request"         // and the object that it sends
	RequestResponse Level = "RequestResponse" // and the one that is answered
)

// Levels are all levels.
var Levels = []string{string(Metadata), string(Request), string(RequestResponse)}

// Log writes Events.
type Log struct {
	level  Level
	nodeOf func(*http.Request) string
	failed func(error)

	mu  sync.Mutex
	out io.Writer
}

// New returns a log that writes to out. nodeOf attributes requests to nodes, "" to none. failed is told once of a line that could not be
// written.
func New(out io.Writer, level Level, nodeOf func(*http.Request) string, failed func(error)) *Log {
	told := sync.Once{}
	return &Log{level: level, nodeOf: nodeOf, out: out, failed: func(err error) { told.Do(func() { failed(err) }) }}
}

// event is an Event, with its members in upstream's order.
type event struct {
	Kind          string            `json:"kind"`
	APIVersion    string            `json:"apiVersion"`
	Level         Level             `json:"level"`
	AuditID       string            `json:"auditID"`
	Stage         string            `json:"stage"`
	RequestURI    string            `json:"requestURI"`
	Verb          string            `json:"verb"`
	User          user              `json:"user"`
	SourceIPs     []string          `json:"sourceIPs,omitempty"`
	UserAgent     string            `json:"userAgent,omitempty"`
	ObjectRef     *reference        `json:"objectRef,omitempty"`
	Status        status            `json:"responseStatus"`
	RequestObject json.RawMessage   `json:"requestObject,omitempty"`
	Response      json.RawMessage   `json:"responseObject,omitempty"`
	Received      string            `json:"requestReceivedTimestamp"`
	At            string            `json:"stageTimestamp"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type user struct {
	Username string   `json:"username"`
	Groups   []string `json:"groups,omitempty"`
}

type reference struct {
	Resource    string `json:"resource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	APIGroup    string `json:"apiGroup,omitempty"`
	APIVersion  string `json:"apiVersion,omitempty"`
	Subresource string `json:"subresource,omitempty"`
}

type status struct {
	Metadata struct{} `json:"metadata"`
	Status   string   `json:"status,omitempty"`
	Message  string   `json:"message,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Code     int      `json:"code"`
}

// bodyBytes is one byte more than the API server accepts of a body, and the most that an Event has of an answer.
const bodyBytes = 3<<20 + 1

// microTime is how an Event writes an instant.
const microTime = "2006-01-02T15:04:05.000000Z"

// Around wraps a handler of the API.
func (l *Log) Around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received := time.Now()
		body, err := io.ReadAll(io.LimitReader(r.Body, bodyBytes))
		if err != nil {
			http.Error(w, "cannot read the request body", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		e := l.begin(r, body, received)
		answer := &answer{ResponseWriter: w, keeps: l.level == RequestResponse && e.Verb != "watch"}
		if e.Verb == "watch" {
			answer.begun = func() { l.write(e, "ResponseStarted", answer) }
		}
		defer l.write(e, "ResponseComplete", answer) // even if the handler breaks the connection
		next.ServeHTTP(answer, r)
	})
}

// begin returns the Event of a request without its stage.
func (l *Log) begin(r *http.Request, body []byte, received time.Time) event {
	plain := incoming.WithoutNode(r)
	e := event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: l.level, AuditID: newID(), RequestURI: plain.URL.RequestURI(), Verb: strings.ToLower(r.Method),
		User: user{Username: "system:admin", Groups: []string{"system:masters", "system:authenticated"}}, UserAgent: r.UserAgent(),
		Received:    received.UTC().Format(microTime),
		Annotations: map[string]string{"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""},
	}
	if node := l.nodeOf(r); node != "" {
		e.User = user{Username: node, Groups: []string{"system:authenticated"}}
	}
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		e.SourceIPs = []string{host}
	}
	e.ObjectRef = referenceOf(plain.URL.Path)
	if e.ObjectRef == nil {
		return e
	}
	e.Verb = verbOf(r, e.ObjectRef.Name != "")
	sent := incoming.Request(plain, body).Body
	if e.ObjectRef.Name == "" && r.Method == http.MethodPost {
		var object struct{ Metadata struct{ Name string } }
		if json.Unmarshal(sent, &object) == nil {
			e.ObjectRef.Name = object.Metadata.Name
		}
	}
	if l.level != Metadata && json.Valid(sent) {
		e.RequestObject = sent
	}
	return e
}

// verbOf is the verb of a request about a resource.
// Source: apiserver v0.36 pkg/endpoints/request/requestinfo.go.
func verbOf(r *http.Request, named bool) string {
	switch r.Method {
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodPatch:
		return "patch"
	case http.MethodDelete:
		if named {
			return "delete"
		}
		return "deletecollection"
	}
	switch watch := r.URL.Query().Get("watch"); {
	case watch == "true" || watch == "1":
		return "watch"
	case named:
		return "get"
	}
	return "list"
}

// referenceOf is the object that a path names, nil if it names no resource.
func referenceOf(path string) *reference {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	o := &reference{}
	switch {
	case len(parts) > 3 && parts[0] == "apis":
		o.APIGroup, o.APIVersion, parts = parts[1], parts[2], parts[3:]
	case len(parts) > 2 && parts[0] == "api":
		o.APIVersion, parts = parts[1], parts[2:]
	default:
		return nil
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		o.Namespace, parts = parts[1], parts[2:]
	} else if len(parts) == 2 && parts[0] == "namespaces" {
		o.Namespace = parts[1]
	}
	o.Resource = parts[0]
	if len(parts) > 1 {
		o.Name = parts[1]
	}
	if len(parts) > 2 {
		o.Subresource = parts[2]
	}
	return o
}

// write writes the Event of a stage.
func (l *Log) write(e event, stage string, a *answer) {
	e.Stage, e.At = stage, time.Now().UTC().Format(microTime)
	e.Status.Code = a.code
	if a.code >= 300 {
		var said struct{ Status, Message, Reason string }
		if json.Unmarshal(a.body.Bytes(), &said) == nil && said.Status != "" {
			e.Status.Status, e.Status.Message, e.Status.Reason = said.Status, said.Message, said.Reason
		}
		if a.code == http.StatusForbidden || a.code == http.StatusUnauthorized {
			e.Annotations = map[string]string{"authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": said.Message}
		}
	}
	if stage == "ResponseComplete" && l.level == RequestResponse && a.keeps && json.Valid(a.body.Bytes()) {
		e.Response = a.body.Bytes()
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(e)
	if err == nil {
		l.mu.Lock()
		_, err = l.out.Write(line.Bytes())
		l.mu.Unlock()
	}
	if err != nil {
		l.failed(fmt.Errorf("the audit log has lost a line: %w", err))
	}
}

// answer is the http.ResponseWriter of a request whose answer is noted.
type answer struct {
	http.ResponseWriter
	keeps bool
	begun func() // nil: not told
	code  int    // 0: there is no answer
	body  bytes.Buffer
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
		if a.begun != nil {
			a.begun()
		}
	}
	a.ResponseWriter.WriteHeader(code)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.code == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if (a.keeps || a.code >= 300) && a.body.Len() < bodyBytes {
		a.body.Write(p) // a body that is longer is no JSON in the end, and left out
	}
	return a.ResponseWriter.Write(p)
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
