package main

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// canary is a text that a client with a token writes. Nobody without a token may read it.
const canary = "canary-7f3a"

// defaultLeases is the path of the Leases in the namespace default.
const defaultLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// sited is a page in which nothing is secret.
var sited = fstest.MapFS{"index.html": {Data: []byte("<head></head>home")}, "404.html": {Data: []byte("nothing here")}}

// opened is a server in one of the modes.
type opened struct {
	url, auditLog string
	doors         []door
}

// openMode starts a server in a mode. Its administrator has the token adm, and the users a, b and bob have the tokens
// ta, tb and tbob.
func openMode(t *testing.T, mode string, roles bool) opened {
	t.Helper()
	dir := t.TempDir()
	f := serveFlags{addr: "127.0.0.1:0", authorization: "AlwaysAllow", anonymous: true, speed: 1, controllers: true,
		tokens: []string{"adm"}, users: tokenUsers{"ta": "a", "tb": "b", "tbob": "bob"},
		auditPath: filepath.Join(dir, "audit.jsonl"), auditLevel: "RequestResponse"}
	if roles {
		f.rbac = filepath.Join(dir, "roles.yaml")
		require.NoError(t, os.WriteFile(f.rbac, []byte(rolesOfA), 0o600))
	}
	switch mode {
	case "--scenario":
		f.scenario = "crash"
	case "--faults", "test":
		f.faults = faultFile(t, "1m", "{at: 50s, act: fail, target: b, error: http503}")
	}
	if mode == "--faults" {
		f.record = filepath.Join(dir, "run.ndjson")
		require.NoError(t, os.WriteFile(f.record, nil, 0o644))
	}
	live, api, err := f.backend(io.Discard)
	require.NoError(t, err)
	if live != nil {
		go live.cluster.Drive()
		t.Cleanup(func() { _, _ = live.end(live.cluster.Now()) })
	}
	authority, err := f.authority()
	require.NoError(t, err)
	access, err := serve.NewAccess(f.addr, nil, nil)
	require.NoError(t, err)
	if mode == "--faults" {
		info, err := os.Stat(f.record)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a record has all objects")
	}
	require.NoError(t, os.WriteFile(f.auditPath, []byte(`{"kind":"Event","half`), 0o600))
	log, closeAudit, err := f.openAuditLog(authority, io.Discard, io.Discard)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, closeAudit()) })
	h := house{access: access, authority: authority, log: log}
	o := opened{auditLog: f.auditPath, doors: f.doors(live, api, fs.FS(sited))}
	if mode == "test" {
		o.doors = live.doors(sited)
	}
	server := httptest.NewServer(h.handler(o.doors))
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

// rolesOfA allow user a to elect, and nothing to others.
const rolesOfA = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: elector, namespace: default}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: elector, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: elector}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: a}]
`

// faultFile writes a scenario with these acts.
func faultFile(t *testing.T, duration, acts string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "faults.yaml")
	text := "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: real\nduration: " + duration + "\ncandidates: [{name: a}, {name: b}]\nactions: [" + acts + "]\n"
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// ask sends a request with a bearer token and further headers, "NAME: VALUE".
func ask(t *testing.T, method, url, token, body string, headers ...string) (status int, said string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(data)
}

// pathsOf lists paths behind every door, and every path that the API itself names.
func pathsOf(t *testing.T, o *opened) []string {
	t.Helper()
	paths := []string{"/", "/index.html", "/nothing", "/leaselab/", "/leaselab/run?after=0", "/leaselab/record?follow",
		defaultLeases, defaultLeases + "/demo", defaultLeases + "?watch=true", "/apis/coordination.k8s.io/v1/leases",
		"/apis/coordination.k8s.io/v1/watch/leases", "/api/v1/namespaces/default/events", "/api/v1/namespaces/default/configmaps"}
	for _, d := range o.doors {
		paths = append(paths, d.path, d.path+"demo", strings.TrimSuffix(d.path, "/"))
	}
	_, text := ask(t, "GET", o.url+"/", "adm", "")
	for _, word := range strings.Fields(strings.NewReplacer(`"`, " ", ",", " ").Replace(text)) {
		if strings.HasPrefix(word, "/") {
			paths = append(paths, word)
		}
	}
	slices.Sort(paths)
	if paths = slices.Compact(paths); o.doors[0].path != recordPath {
		return paths
	}
	for _, path := range paths {
		paths = append(paths, incoming.NodesPath+"a"+path)
	}
	return paths
}

// What a client writes with a token appears nowhere without one: in no mode, on no path, by no method. Every request is in the audit log.
func TestNobodyReadsWithoutAToken(t *testing.T) {
	const lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s"},"spec":{"holderIdentity":"` + canary + `","leaseDurationSeconds":15}}`
	for _, mode := range []string{"serve", "--scenario", "--faults", "test"} {
		for _, roles := range []bool{false, true} {
			t.Run(fmt.Sprint(mode, " roles=", roles), func(t *testing.T) {
				t.Parallel()
				o := openMode(t, mode, roles)
				asked := 0
				ask := func(method, path, token, body string, headers ...string) (int, string) {
					asked++
					return ask(t, method, o.url+path, token, body, headers...)
				}
				status, text := ask("POST", defaultLeases, "adm", fmt.Sprintf(lease, canary), "User-Agent: "+canary)
				require.Equal(t, 201, status, text)
				if mode == "--faults" || mode == "test" {
					status, text = ask("POST", incoming.NodesPath+"a"+defaultLeases, "ta", fmt.Sprintf(lease, "demo"), "User-Agent: "+canary)
					require.Equal(t, 201, status, text)
				}
				shown := map[string]string{"--scenario": runPath, "--faults": recordPath, "test": recordPath}[mode]
				if shown != "" {
					_, text = ask("GET", shown, "adm", "")
					assert.Contains(t, text, canary, "an administrator reads it")
					_, text = ask("GET", shown, "", "", "Authorization: Basic "+basic("any", "adm"))
					assert.Contains(t, text, canary, "in a browser, too")
					status, text = ask("GET", shown, "tbob", "")
					assert.Equal(t, roles, status == 403, text)
					assert.Equal(t, !roles, strings.Contains(text, canary))
				}
				before := asked
				paths := pathsOf(t, &o)
				asked++ // pathsOf asks once
				for _, path := range paths {
					for _, with := range []string{"Accept: */*", "Accept: text/html", "Authorization: Bearer wrong", "Authorization: Basic " + basic("adm", "wrong")} {
						_, text := ask("GET", path, "", "", with)
						assert.NotContains(t, text, canary, "GET %s %s", path, with)
					}
					for _, method := range []string{"PUT", "HEAD", "POST", "DELETE", "PATCH", "OPTIONS"} {
						if method != "PUT" && strings.HasPrefix(path, incoming.NodesPath) {
							break // each request meets the latency of the network
						}
						_, text := ask(method, path, "", "{}")
						assert.NotContains(t, text, canary, "%s %s", method, path)
					}
				}
				assert.Greater(t, asked-before, 400)
				for _, with := range []string{"Host: evil.example", "Origin: http://evil.example"} {
					for _, path := range append(paths[:13:13], runPath, recordPath) {
						status, text := ask("GET", path, "adm", "", with)
						assert.Equal(t, 403, status, "%s %s", path, with)
						assert.NotContains(t, text, canary)
					}
				}
				isAudited(t, &o, asked)
			})
		}
	}
}

// isAudited checks that the log has each request, refused ones included, and no token.
func isAudited(t *testing.T, o *opened, requests int) {
	t.Helper()
	var text string
	ended := func() int {
		data, err := os.ReadFile(o.auditLog)
		require.NoError(t, err)
		text = string(data)
		unknown := strings.Count(text, `"message":"Authentication failed`) // one Event, without an end
		return unknown + strings.Count(text, `"stage":"ResponseComplete"`)
	}
	assert.Eventually(t, func() bool { return ended() >= requests }, 5*time.Second, 10*time.Millisecond)
	assert.Equal(t, requests, ended())
	assert.Contains(t, text, `does not accept the host \"evil.example\"`)
	assert.Contains(t, text, "comes from a page of another origin")
	assert.NotContains(t, text, "Bearer")
	assert.Equal(t, strings.Count(text, "\n"), strings.Count(text, `{"kind":"Event"`), "a line each, and the torn one")
}

func basic(name, password string) string {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(name, password)
	_, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return text
}

// Only the candidate itself reports its work: with its token, if it has one, and otherwise with a token that the API accepts.
func TestWorkReportsNeedTheCandidatesToken(t *testing.T) {
	t.Parallel()
	for _, roles := range []bool{false, true} {
		o := openMode(t, "--faults", roles)
		own, byHeader := o.url+incoming.NodesPath+"a"+programs.WorkPath, o.url+programs.WorkPath
		for token, want := range map[string]int{"": 401, "wrong": 401, "tb": 403, "tbob": 403, "adm": 403, "ta": 204} {
			for _, method := range []string{"PUT", "POST", "DELETE"} {
				status, text := ask(t, method, own, token, "")
				assert.Equal(t, want, status, "%s with %q: %s", method, token, text)
				status, text = ask(t, method, byHeader, token, "", incoming.NodeHeader+": a")
				assert.Equal(t, want, status, "%s with %q: %s", method, token, text)
			}
		}
	}
	authority := rbac.New(rbac.Config{Users: map[string]rbac.User{"adm": rbac.Admin()}})
	guard := authority.GuardOf("a")
	for token, want := range map[string]bool{"": false, "wrong": false, "adm": true} {
		r := httptest.NewRequest("PUT", "/leaselab/work", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		sent := incoming.Request(r, nil)
		_, refused := guard(sent, sent.Attributes())
		assert.Equal(t, want, refused == nil, token)
	}
}

// No two doors of a mode are the same, and the last one is for everything else.
func TestEveryPathHasAnOwner(t *testing.T) {
	for _, mode := range []string{"serve", "--scenario", "--faults", "test"} {
		o := openMode(t, mode, false)
		last := o.doors[len(o.doors)-1]
		assert.True(t, last.path == "/" && last.fits == nil && last.owner == apiUsers, mode)
		for i, d := range o.doors {
			isPage := d.path == "/" && d.fits != nil || d.path == recordPath+".css"
			assert.Equal(t, isPage, d.owner == anyone, "%s: only the page is for everyone: %s", mode, d.path)
			for _, other := range o.doors[:i] {
				assert.False(t, other.path == d.path && other.fits == nil, "%s: nobody reaches the second door at %s", mode, d.path)
			}
		}
		for path, want := range map[string]int{"/leaselab/other": 404, runPath + "/x": 404, "/metrics": 404} {
			status, _ := ask(t, "GET", o.url+path, "adm", "")
			assert.Equal(t, want, status, path)
			status, _ = ask(t, "GET", o.url+path, "", "")
			assert.Equal(t, 401, status, path)
		}
	}
}
