package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes/scheme"
)

// auditing is a proxy in front of the API that writes what kube-apiserver's audit log at level RequestResponse says of leases.
type auditing struct {
	next http.Handler

	mu    sync.Mutex
	lines bytes.Buffer
	count int
}

func newAuditing(api string) (*auditing, error) {
	there, err := url.Parse(api)
	if err != nil {
		return nil, err
	}
	proxy := httputil.NewSingleHostReverseProxy(there)
	proxy.FlushInterval = -1 // a watch goes on at once
	return &auditing{next: proxy}, nil
}

type auditEvent struct {
	Kind           string            `json:"kind"`
	APIVersion     string            `json:"apiVersion"`
	Level          string            `json:"level"`
	AuditID        string            `json:"auditID"`
	Stage          string            `json:"stage"`
	RequestURI     string            `json:"requestURI"`
	Verb           string            `json:"verb"`
	User           map[string]any    `json:"user"`
	SourceIPs      []string          `json:"sourceIPs"`
	UserAgent      string            `json:"userAgent"`
	ObjectRef      map[string]string `json:"objectRef"`
	ResponseStatus map[string]any    `json:"responseStatus"`
	RequestObject  json.RawMessage   `json:"requestObject,omitempty"`
	ResponseObject json.RawMessage   `json:"responseObject,omitempty"`
	Received       string            `json:"requestReceivedTimestamp"`
	StageAt        string            `json:"stageTimestamp"`
}

// kept keeps the status and the body of an answer.
type kept struct {
	http.ResponseWriter
	code int
	body bytes.Buffer
}

func (k *kept) WriteHeader(code int) { k.code = code; k.ResponseWriter.WriteHeader(code) }

func (k *kept) Write(b []byte) (int, error) { k.body.Write(b); return k.ResponseWriter.Write(b) }

func (k *kept) Unwrap() http.ResponseWriter { return k.ResponseWriter }

func (a *auditing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "/leases/demo") && !(r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/leases")) {
		a.next.ServeHTTP(w, r)
		return
	}
	received := time.Now().UTC()
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away in the middle of its request
	}
	r.Body = io.NopCloser(bytes.NewReader(asked))
	answer := &kept{ResponseWriter: w, code: 200}
	defer func() {
		ended := recover()
		a.write(r, asked, answer, received)
		if ended != nil {
			panic(ended)
		}
	}()
	a.next.ServeHTTP(answer, r)
}

const stampLayout = "2006-01-02T15:04:05.000000Z07:00"

func (a *auditing) write(r *http.Request, asked []byte, answer *kept, received time.Time) {
	e := auditEvent{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: "RequestResponse", Stage: "ResponseComplete", RequestURI: r.URL.RequestURI(),
		Verb: map[string]string{"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}[r.Method],
		User: map[string]any{"username": "electors", "groups": []string{"system:authenticated"}}, SourceIPs: []string{"127.0.0.1"}, UserAgent: r.UserAgent(),
		ObjectRef:      map[string]string{"resource": "leases", "namespace": "ns-a", "name": "demo", "apiGroup": "coordination.k8s.io", "apiVersion": "v1"},
		ResponseStatus: map[string]any{"metadata": map[string]any{}, "code": answer.code},
		Received:       received.Format(stampLayout), StageAt: time.Now().UTC().Format(stampLayout),
	}
	e.RequestObject, e.ResponseObject = asJSON(asked), asJSON(answer.body.Bytes())
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count++
	e.AuditID = fmt.Sprintf("00000000-0000-4000-8000-%012d", a.count)
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // plain data
	}
	a.lines.Write(append(line, '\n'))
}

// asJSON is an object as an audit log writes it, whichever way it came; nil for anything else.
func asJSON(body []byte) json.RawMessage {
	if len(body) == 0 || json.Valid(body) {
		return body
	}
	object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil
	}
	object.GetObjectKind().SetGroupVersionKind(*kind) // a decoder leaves it out
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

func (a *auditing) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lines.String()
}
