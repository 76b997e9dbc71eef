package audit_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

func lease(holder, version string) string {
	return `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"demo","namespace":"default","resourceVersion":"` + version + `"},"spec":{"holderIdentity":"` + holder +
		`","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"` + time.Now().UTC().Format("2006-01-02T15:04:05.000000Z") + `","leaseTransitions":0}}`
}

// senderOf tells the users of the requests of logged: "Bearer node-a" is a, in group team, and another token than such
// a one is nobody's.
func senderOf(r *http.Request, _ *apiserver.Request, _ apiserver.Attributes) audit.Sender {
	name := incoming.NodeOf(r)
	if name == "" {
		return audit.Sender{}
	}
	u := rbac.UserNamed(name, "team")
	return audit.Sender{User: &u}
}

// serveLogged serves the API with a log and returns the function that asks it.
func serveLogged(t *testing.T, level audit.Level) (out *bytes.Buffer, ask func(method, uri, body string) (int, string)) {
	t.Helper()
	config := apiserver.Config{Seed: 1, FirstRevision: 1000}
	serve.Native(&config)
	server := apiserver.New(config)
	require.NoError(t, serve.Prepare(server, time.Now(), ""))
	out = &bytes.Buffer{}
	log := audit.New(out, level, senderOf, func(err error) { t.Error(err) })
	api := httptest.NewServer(log.Wrap(serve.New(server, clock.New()), true))
	t.Cleanup(api.Close)
	return out, func(method, uri, body string) (int, string) {
		r, err := http.NewRequest(method, api.URL+uri, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer node-a")
		r.Header.Set("User-Agent", "elector/v1")
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		var said bytes.Buffer
		_, err = said.ReadFrom(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, said.String()
	}
}

// Events have what kube-apiserver's have, each level its own, and no token.
func TestEvents(t *testing.T) {
	for level, bodies := range map[audit.Level]int{audit.Metadata: 0, audit.Request: 1, audit.RequestResponse: 2} {
		out, ask := serveLogged(t, level)
		status, said := ask("POST", path, lease("a", ""))
		require.Equal(t, 201, status, said)
		ask("GET", path+"/none", "")
		ask("GET", path+"?watch=true&timeoutSeconds=1", "")
		ask("GET", "/version", "")
		type event struct {
			Kind, APIVersion, Level, AuditID, Stage, RequestURI, Verb, UserAgent string
			User                                                                 struct{ Username string }
			ObjectRef                                                            map[string]string
			ResponseStatus                                                       struct {
				Code   int
				Reason string
			}
			RequestObject, ResponseObject            map[string]any
			RequestReceivedTimestamp, StageTimestamp string
		}
		var events []event
		for lines := bufio.NewScanner(out); lines.Scan(); {
			assert.NotContains(t, lines.Text(), "node-a")
			var e event
			require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
			assert.Equal(t, "Event audit.k8s.io/v1 "+string(level), e.Kind+" "+e.APIVersion+" "+e.Level)
			assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, e.AuditID)
			assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, e.StageTimestamp)
			assert.LessOrEqual(t, e.RequestReceivedTimestamp, e.StageTimestamp)
			assert.Equal(t, "a", e.User.Username)
			events = append(events, e)
		}
		require.Len(t, events, 5)
		verbs := ""
		for _, e := range events {
			verbs += e.Verb + " " + e.Stage + " "
		}
		assert.Equal(t, "create ResponseComplete get ResponseComplete watch ResponseStarted watch ResponseComplete get ResponseComplete ", verbs)
		assert.Equal(t, map[string]string{"resource": "leases", "namespace": "default", "name": "demo", "apiGroup": "coordination.k8s.io", "apiVersion": "v1"}, events[0].ObjectRef)
		assert.Equal(t, bodies > 0, events[0].RequestObject != nil)
		assert.Equal(t, bodies > 1, events[0].ResponseObject != nil)
		assert.Equal(t, 404, events[1].ResponseStatus.Code)
		assert.Equal(t, "NotFound", events[1].ResponseStatus.Reason)
		assert.Nil(t, events[4].ObjectRef)
	}
}

// noted is an Event as these tests read it.
type noted struct {
	Level, Stage, Verb, RequestURI string
	User                           struct {
		Username string
		Groups   []string
	}
	ObjectRef                     map[string]string
	ResponseStatus                *struct{ Code int }
	RequestObject, ResponseObject map[string]any
	Annotations                   map[string]string
}

func eventsIn(t *testing.T, out *bytes.Buffer) (all []noted) {
	t.Helper()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e noted
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		all = append(all, e)
	}
	return all
}

// A request with a token of nobody has one Event, without a user.
func TestNobody(t *testing.T) {
	var out bytes.Buffer
	log := audit.New(&out, audit.RequestResponse, senderOf, func(err error) { t.Error(err) })
	api := log.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }), true)
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Authorization", "Bearer s3cret")
	api.ServeHTTP(httptest.NewRecorder(), r)
	assert.Contains(t, out.String(), `"user":{},`)
	assert.Contains(t, out.String(), `"message":"Authentication failed, attempted: bearer"`)
	assert.NotContains(t, out.String(), "s3cret")
	events := eventsIn(t, &out)
	require.Len(t, events, 1)
	assert.Equal(t, "ResponseStarted", events[0].Stage)
	assert.Equal(t, 401, events[0].ResponseStatus.Code)
}

// A request whose connection ends without an answer has an Event with the code 0.
func TestNoAnswer(t *testing.T) {
	var out bytes.Buffer
	log := audit.New(&out, audit.Metadata, senderOf, func(err error) { t.Error(err) })
	api := log.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), true)
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Authorization", "Bearer node-a")
	assert.Panics(t, func() { api.ServeHTTP(httptest.NewRecorder(), r) })
	events := eventsIn(t, &out)
	require.Len(t, events, 1)
	assert.Equal(t, 0, events[0].ResponseStatus.Code)
}

// What `leaselab import` reads of a log is what has happened.
func TestImport(t *testing.T) {
	out, ask := serveLogged(t, audit.RequestResponse)
	version := ""
	for _, holder := range []string{"a", "a", "b", "b"} {
		method, uri := "PUT", path+"/demo"
		if version == "" {
			method, uri = "POST", path
		}
		status, said := ask(method, uri, lease(holder, version))
		require.Less(t, status, 300, said)
		var stored struct {
			Metadata struct{ ResourceVersion string }
		}
		require.NoError(t, json.Unmarshal([]byte(said), &stored))
		version = stored.Metadata.ResourceVersion
	}
	reader := evidence.NewReader(evidence.Options{Year: 2026})
	reader.Feed("audit.jsonl", out.Bytes())
	reader.End("audit.jsonl")
	report := reader.Report()
	require.Len(t, report.Leases, 1)
	assert.Equal(t, "default/demo", report.Leases[0].Name)
	var holders []string
	for _, change := range report.Leases[0].LeaderChanges {
		holders = append(holders, change.To)
	}
	assert.Equal(t, []string{"a", "b"}, holders)
	assert.Empty(t, report.Problems)
}

type full struct {
	mu    sync.Mutex
	lines int
}

func (f *full) Write([]byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines++
	return 0, errors.New("no space left on device")
}

// A log that cannot be written says so once, and the API answers.
func TestFullDisk(t *testing.T) {
	var told []string
	log := audit.New(&full{}, audit.Metadata, senderOf, func(err error) { told = append(told, err.Error()) })
	api := log.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }), true)
	for range 3 {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		assert.Equal(t, http.StatusTeapot, w.Code)
	}
	assert.Equal(t, []string{"the audit log has lost a line: no space left on device"}, told)
	assert.ErrorContains(t, log.Err(), "no space left on device")
}

// short is a disk that has room for a part of the first line only, and for all later ones.
type short struct{ bytes.Buffer }

func (s *short) Write(data []byte) (int, error) {
	if s.Len() > 0 {
		return s.Buffer.Write(data)
	}
	n, _ := s.Buffer.Write(data[:20])
	return n, errors.New("no space left on device")
}

// A torn line takes no other Event with it.
func TestTornLine(t *testing.T) {
	out := short{}
	log := audit.New(&out, audit.Metadata, senderOf, func(error) {})
	api := log.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), true)
	for range 3 {
		api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	assert.False(t, json.Valid([]byte(lines[0])))
	assert.True(t, json.Valid([]byte(lines[1])) && json.Valid([]byte(lines[2])))
	require.Error(t, log.Err(), "the first loss counts")
}
