// Package audit writes an audit log of a served API in the form of kube-apiserver's --audit-log-path: on each line an
// audit.k8s.io/v1 Event as JSON. The level is the same for all requests and decides what an Event contains. Log.Wrap
// wraps the API's handler.
//
// Guarantee: each request gets an Event ResponseComplete, and a watch also gets ResponseStarted when its answer
// begins. No Event contains a bearer token. Non-guarantee: no Event has the stage RequestReceived or Panic, or
// latencies in its annotations. A request without an answer gets its last Event when its connection ends. If a write
// fails, the line is lost; for the first lost line the log calls the function failed. Source: apiserver v0.36
// pkg/apis/audit/v1 types.go, pkg/audit/request.go, pkg/endpoints/filters audit.go, authn_audit.go.
package audit

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// Level says how much of a request an Event contains.
type Level string

const (
	Metadata        Level = "Metadata"        // who, what and when
	Request         Level = "Request"         // also the object in the request
	RequestResponse Level = "RequestResponse" // also the object in the answer
)

// Levels lists the levels that write Events.
var Levels = []string{string(Metadata), string(Request), string(RequestResponse)}

// stage is the stage of a request at which the log writes an Event.
type stage string

const (
	responseStarted  stage = "ResponseStarted"  // a watch's answer begins, before its first event
	responseComplete stage = "ResponseComplete" // the answer is complete
)

// Sender is who sends a request.
type Sender struct {
	User *rbac.User // nil if the server does not know the token
	As   *rbac.User // the impersonated user; nil for nobody
}

// Log writes Events.
type Log struct {
	level  Level
	who    func(*http.Request, *apiserver.Request, apiserver.Attributes) Sender
	failed func(error)

	mu   sync.Mutex
	out  io.Writer
	torn bool // the last line has no end
	lost error
}

// New returns a log that writes Events of a level to out. The function who returns the sender of a request. The log
// calls the function failed once, for the first line that it cannot write.
func New(out io.Writer, level Level, who func(*http.Request, *apiserver.Request, apiserver.Attributes) Sender,
	failed func(error)) *Log {
	once := sync.Once{}
	return &Log{level: level, who: who, out: out, failed: func(err error) { once.Do(func() { failed(err) }) }}
}

// event is an Event, with its members in upstream's order.
type event struct {
	Kind           string            `json:"kind"`
	APIVersion     string            `json:"apiVersion"`
	Level          Level             `json:"level"`
	AuditID        string            `json:"auditID"`
	Stage          stage             `json:"stage"`
	RequestURI     string            `json:"requestURI"`
	Verb           string            `json:"verb"`
	User           user              `json:"user"`
	Impersonated   *user             `json:"impersonatedUser,omitempty"`
	SourceIPs      []string          `json:"sourceIPs,omitempty"`
	UserAgent      string            `json:"userAgent,omitempty"`
	ObjectRef      *reference        `json:"objectRef,omitempty"`
	Status         *status           `json:"responseStatus,omitempty"`
	RequestObject  json.RawMessage   `json:"requestObject,omitempty"`
	ResponseObject json.RawMessage   `json:"responseObject,omitempty"`
	Received       string            `json:"requestReceivedTimestamp"`
	At             string            `json:"stageTimestamp"`
	Annotations    map[string]string `json:"annotations,omitempty"`
}

type user struct {
	Username string              `json:"username,omitempty"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Extra    map[string][]string `json:"extra,omitempty"`
}

func userOf(u *rbac.User) *user {
	if u == nil {
		return nil
	}
	return &user{u.Name, u.UID, u.Groups, u.Extra}
}

type reference struct {
	Resource        string `json:"resource,omitempty"`
	Namespace       string `json:"namespace,omitempty"`
	Name            string `json:"name,omitempty"`
	UID             string `json:"uid,omitempty"`
	APIGroup        string `json:"apiGroup,omitempty"`
	APIVersion      string `json:"apiVersion,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	Subresource     string `json:"subresource,omitempty"`
}

type status struct {
	Metadata struct{} `json:"metadata"`
	Status   string   `json:"status,omitempty"`
	Message  string   `json:"message,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Code     int      `json:"code"`
}

// bodyBytes is one byte more than the API server accepts in a body. It also limits the part of an answer that an
// Event contains.
const bodyBytes = 3<<20 + 1

// microTime is the format of an instant in an Event.
const microTime = "2006-01-02T15:04:05.000000Z"

// Wrap wraps a handler. The Events of its requests contain objects only if the argument "objects" is true, and the
// log's level says so. A log that is nil returns the handler unchanged.
func (l *Log) Wrap(next http.Handler, objects bool) http.Handler {
	if l == nil {
		return next
	}
	level := l.level
	if !objects {
		level = Metadata
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received := time.Now()
		body, err := io.ReadAll(io.LimitReader(r.Body, bodyBytes))
		if err != nil {
			http.Error(w, "cannot read the request body", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		plain := incoming.WithoutNode(r)
		sent := incoming.Request(plain, body)
		asks := sent.Attributes()
		sender := l.who(r, sent, asks)
		n := &note{log: l, event: begin(plain, sent, asks, sender)}
		n.event.Level, n.event.Received = level, received.UTC().Format(microTime)
		answer := &answer{ResponseWriter: w, keeps: level == RequestResponse && asks.Verb != "watch"}
		if sender.User == nil {
			// A request without a known sender has one Event. Source: apiserver v0.36 pkg/endpoints/filters
			// authn_audit.go.
			n.event.Status = &status{Message: "Authentication failed, " + attemptedCredentials(r)}
			defer n.write(responseStarted, answer)
			next.ServeHTTP(answer, r)
			return
		}
		n.event.Impersonated = userOf(sender.As)
		n.event.describe(sent)
		if asks.Verb == "watch" {
			answer.begun = func() { n.write(responseStarted, answer) }
		}
		defer n.write(responseComplete, answer) // even if the handler breaks the connection
		next.ServeHTTP(answer, r)
	})
}

// attemptedCredentials says how a request tried to authenticate.
func attemptedCredentials(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return "no credentials provided"
	}
	return "attempted: bearer"
}

// note is one request in the log.
type note struct {
	log   *Log
	event event
}

// `begin` makes the Event of a request that has just arrived.
func begin(plain *http.Request, sent *apiserver.Request, asks apiserver.Attributes, sender Sender) event {
	e := event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", AuditID: newID(),
		RequestURI: plain.URL.RequestURI(), Verb: asks.Verb, UserAgent: agentOf(plain),
	}
	if u := userOf(sender.User); u != nil {
		e.User = *u
	}
	if host, _, err := net.SplitHostPort(plain.RemoteAddr); err == nil {
		e.SourceIPs = []string{host}
	}
	if asks.OnResource {
		e.ObjectRef = &reference{
			Resource: asks.Resource, Namespace: asks.Namespace, Name: asks.Name, APIGroup: asks.Group,
			APIVersion: versionOf(sent.Path, asks.Group), Subresource: asks.Subresource,
		}
	}
	return e
}

// agentBytes is the longest user agent in an Event.
const agentBytes = 1024

func agentOf(r *http.Request) string {
	agent := r.UserAgent()
	if len(agent) > agentBytes {
		return agent[:agentBytes] + "...TRUNCATED"
	}
	return agent
}

// versionOf returns the API version in the path of a resource.
func versionOf(path, group string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if group != "" {
		return parts[2]
	}
	return parts[1]
}

// `describe` adds the object in the body, and the reference to that object.
func (e *event) describe(sent *apiserver.Request) {
	e.Annotations = map[string]string{"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""}
	if e.ObjectRef == nil || len(sent.Body) == 0 || !json.Valid(sent.Body) {
		return
	}
	if e.Verb == "create" || e.Verb == "update" {
		var object struct {
			Metadata struct{ Name, Namespace, UID, ResourceVersion string }
		}
		if json.Unmarshal(sent.Body, &object) == nil {
			m, ref := object.Metadata, e.ObjectRef
			for to, from := range map[*string]string{&ref.Name: m.Name, &ref.Namespace: m.Namespace, &ref.UID: m.UID,
				&ref.ResourceVersion: m.ResourceVersion} {
				if *to == "" {
					*to = from
				}
			}
		}
	}
	if e.Level != Metadata {
		e.RequestObject = sent.Body
	}
}

// `write` writes the Event of a stage.
func (n *note) write(at stage, a *answer) {
	e := n.event
	e.Stage, e.At = at, time.Now().UTC().Format(microTime)
	e.noteAnswer(a)
	if at == responseComplete && a.keeps && json.Valid(a.body.Bytes()) {
		e.ResponseObject = a.body.Bytes()
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(e)
	l := n.log
	if err == nil {
		err = l.writeLine(line.Bytes())
	}
	if err != nil {
		l.failed(fmt.Errorf("the audit log has lost a line: %w", err))
	}
}

// writeLine writes a line. After a line that it could write only in part, it begins a new one, so that the log loses
// one Event and not two.
func (l *Log) writeLine(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		line = append([]byte("\n"), line...)
	}
	n, err := l.out.Write(line)
	if n > 0 {
		l.torn = n < len(line) && line[n-1] != '\n'
	}
	l.lost = cmp.Or(l.lost, err)
	return err
}

// Err returns why the log has lost a line, or nil.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// noteAnswer adds the status of an answer to the Event.
//
// Deviation: a request whose connection ends without an answer has the code 0; upstream says 200, "Connection closed
// early". Pinned by TestNoAnswer.
func (e *event) noteAnswer(a *answer) {
	said := status{}
	if e.Status != nil {
		said = *e.Status
	}
	said.Code = a.code
	if a.code >= 300 {
		var sent struct{ Status, Message, Reason string }
		if json.Unmarshal(a.body.Bytes(), &sent) == nil && sent.Status != "" && said.Message == "" {
			said.Status, said.Message, said.Reason = sent.Status, sent.Message, sent.Reason
		}
		if a.code == http.StatusForbidden {
			e.Annotations = map[string]string{"authorization.k8s.io/decision": "forbid",
				"authorization.k8s.io/reason": sent.Message}
		}
	}
	e.Status = &said
}

// answer is an http.ResponseWriter that records the answer.
type answer struct {
	http.ResponseWriter
	keeps bool
	begun func() // called when the answer begins; nil for nobody
	code  int    // 0 without an answer
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
		a.body.Write(p) // the Event leaves out a longer body, which would be broken JSON
	}
	return a.ResponseWriter.Write(p)
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
