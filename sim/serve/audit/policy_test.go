package audit_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/serve/audit"
)

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

// line writes an Event short.
func (e *noted) line() string {
	has := ""
	if e.RequestObject != nil {
		has += " request"
	}
	if e.ResponseObject != nil {
		has += " response"
	}
	return e.Level + " " + e.Verb + " " + e.Stage + has
}

func parsed(t *testing.T, text string) *audit.Policy {
	t.Helper()
	p, err := audit.Parse([]byte(text))
	require.NoError(t, err)
	return p
}

// A policy decides by its first rule that fits, of each request, over HTTP: levels, stages, and what objects have.
func TestPolicy(t *testing.T) {
	out, ask := logged(t, parsed(t, `
apiVersion: audit.k8s.io/v1
kind: Policy
omitManagedFields: true
rules:
- {level: None, verbs: [watch], users: [b]}
- {level: Metadata, verbs: [watch]}
- {level: RequestResponse, verbs: [create, patch], resources: [{group: coordination.k8s.io, resources: [leases]}], omitStages: [RequestReceived]}
- {level: Request, userGroups: [team], verbs: [update], omitManagedFields: false}
- {level: Metadata, resources: [{group: coordination.k8s.io, resources: [leases], resourceNames: [demo]}], omitStages: [RequestReceived, ResponseStarted]}
- {level: None, nonResourceURLs: [/healthz*]}
- {level: Metadata, nonResourceURLs: ["*"], omitStages: [ResponseComplete]}
- {level: None, namespaces: [""]}
`))
	status, said := ask("POST", path, lease("a", ""))
	require.Equal(t, 201, status, said)
	require.Contains(t, said, "managedFields", "the client gets all")
	status, _ = ask("PUT", path+"/demo", said)
	require.Equal(t, 200, status)
	ask("GET", path+"/demo", "")
	ask("GET", path+"?watch=true&timeoutSeconds=1", "")
	ask("GET", "/healthz/ping", "")
	ask("GET", "/version", "")
	ask("GET", "/api/v1/namespaces", "")
	ask("DELETE", path+"/none", "")
	events := eventsIn(t, out)
	var lines []string
	for i := range events {
		lines = append(lines, events[i].line())
	}
	require.Equal(t, []string{
		"RequestResponse create ResponseComplete request response",
		"Request update RequestReceived", "Request update ResponseComplete request",
		"Metadata get ResponseComplete",
		"Metadata watch RequestReceived", "Metadata watch ResponseStarted", "Metadata watch ResponseComplete",
		"Metadata get RequestReceived",
	}, lines)
	created, received, updated := events[0], events[1], events[2]
	assert.Nil(t, received.ResponseStatus, "there is no answer yet")
	assert.Nil(t, received.Annotations)
	assert.Equal(t, "demo", created.ObjectRef["name"], "as the object says")
	assert.NotContains(t, created.ResponseObject["metadata"], "managedFields")
	assert.Contains(t, updated.RequestObject["metadata"], "managedFields", "the rule says so")
	assert.NotEmpty(t, updated.ObjectRef["uid"])
	assert.NotEmpty(t, updated.ObjectRef["resourceVersion"])
	assert.Empty(t, received.ObjectRef["uid"], "the body is not read yet")
	assert.Equal(t, "allow", updated.Annotations["authorization.k8s.io/decision"])
}

// Lists and tables lose managedFields of their items, too.
func TestPolicyOfLists(t *testing.T) {
	out, ask := logged(t, parsed(t, `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitManagedFields":true,"omitStages":["RequestReceived"],"rules":[{"level":"RequestResponse"}]}`))
	ask("POST", path, lease("a", ""))
	_, said := ask("GET", path, "")
	require.Contains(t, said, "managedFields")
	events := eventsIn(t, out)
	require.Len(t, events, 2)
	items := events[1].ResponseObject["items"].([]any)
	require.Len(t, items, 1)
	assert.NotContains(t, items[0].(map[string]any)["metadata"], "managedFields")
}

// A request with a token of nobody has one Event, without a user.
func TestNobody(t *testing.T) {
	var out bytes.Buffer
	log := audit.New(&out, audit.Always(audit.RequestResponse), who, func(err error) { t.Error(err) })
	api := log.Around(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
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
	log := audit.New(&out, audit.Always(audit.Metadata), who, func(err error) { t.Error(err) })
	api := log.Around(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Authorization", "Bearer node-a")
	assert.Panics(t, func() { api.ServeHTTP(httptest.NewRecorder(), r) })
	events := eventsIn(t, &out)
	require.Len(t, events, 1)
	assert.Equal(t, 0, events[0].ResponseStatus.Code)
}

// Each mistake in a policy gets a sentence with its field and the fix.
func TestBadPolicies(t *testing.T) {
	const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n"
	for text, says := range map[string]string{
		"":                               "must hold one object",
		"- a":                            "must hold one object",
		"a: [":                           "yaml",
		"apiVersion: v1\nkind: Policy":   `apiVersion "v1", kind "Policy": the file must hold a Policy of audit.k8s.io/v1`,
		head:                             "rules: the policy must have at least one",
		head + "rules: []":               "rules: the policy must have at least one",
		head + "rules: {level: Request}": "rules: a map stands where a list belongs",
		head + "rule: [{level: None}]":   `the policy: unknown field "rule"; it has apiVersion, kind, metadata, rules`,
		head + "rules: [{level: Loud}]":  `rules[0].level: "Loud" must be None, Metadata, Request or RequestResponse`,
		head + "rules: [{level: None}, {verbs: [get]}]":                                                      "rules[1].level is missing; it must be None",
		head + "rules: [{level: None, user: [a]}]":                                                           `rules[0]: unknown field "user"; it has level, users`,
		head + "rules: [{level: None, users: a}]":                                                            "rules[0].users: a string stands where a list belongs",
		head + "rules: [{level: None, omitManagedFields: 'yes'}]":                                            "rules[0].omitManagedFields: a string stands where a boolean belongs",
		head + "rules: [{level: None, nonResourceURLs: [healthz]}]":                                          "rules[0].nonResourceURLs[0]: \"healthz\" must begin with a slash",
		head + "rules: [{level: None, nonResourceURLs: [/a*b]}]":                                             "may have a * at its end only",
		head + "rules: [{level: None, nonResourceURLs: [/a], namespaces: [x]}]":                              "make two rules",
		head + "rules: [{level: None, resources: [{group: coordination.k8s.io/v1}]}]":                        "rules[0].resources[0].group: \"coordination.k8s.io/v1\" must be a name without a version",
		head + "rules: [{level: None, resources: [{group: coordination.k8s.io, resourceNames: [a]}]}]":       "rules[0].resources[0].resourceNames needs resources beside it",
		head + "rules: [{level: None, resources: [{grup: a}]}]":                                              `unknown field "grup"`,
		head + "rules: [{level: None, omitStages: [Received]}]":                                              `rules[0].omitStages[0]: "Received" must be RequestReceived, ResponseStarted, ResponseComplete or Panic`,
		head + "omitStages: [RequestReceived, Later]\nrules: [{level: None}]":                                `omitStages[1]: "Later" must be`,
		head + "rules: [{level: None}]\nrules: [{level: Metadata}]":                                          "already",
		head + "rules: [{level: 5}]":                                                                         "rules[0].level: a number stands where a string belongs",
		head + "rules: [{level: None, resources: [leases]}]":                                                 "rules[0].resources",
		strings.Replace(head, "audit.k8s.io/v1", "audit.k8s.io/v1beta1", 1) + "rules: [{level: Metadata}]\n": "must hold a Policy of audit.k8s.io/v1",
	} {
		name := filepath.Join(t.TempDir(), "policy.yaml")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := audit.Load(name)
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), says)
			assert.Contains(t, err.Error(), name)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
	_, err := audit.Load(filepath.Join(t.TempDir(), "none.yaml"))
	assert.ErrorContains(t, err, "none.yaml")
}
