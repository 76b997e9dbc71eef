package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// openHouse is a house that everybody may enter.
func openHouse(t *testing.T) *house {
	access, err := serve.NewAccess("127.0.0.1:8765", []string{"example.com"}, nil) // httptest's host
	require.NoError(t, err)
	return &house{access: access, authority: rbac.New(rbac.Config{Open: true})}
}

// The service worker stores every file of the site by its name, so each must answer under its own name, including an
// index.html in a folder.
func TestEveryFileOfTheSiteIsServedByItsName(t *testing.T) {
	site := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(site, "docs"), 0o755))
	for _, name := range []string{"index.html", "docs/index.html", "docs/acts.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(site, name), []byte("<title>"+name+"</title>"), 0o644))
	}
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	handler := openHouse(t).handler(withPage(nil, os.DirFS(site), "", api))
	for _, name := range []string{"index.html", "docs/index.html", "docs/acts.html"} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		assert.Equal(t, http.StatusOK, answer.Code, name)
		assert.Contains(t, answer.Body.String(), name)
	}
}

// A browser gets a folder's index, and the page's own 404 where nothing is. Other clients and the API's paths get the API's answer.
func TestFoldersAndUnknownPaths(t *testing.T) {
	site := fstest.MapFS{"index.html": {Data: []byte("home")}, "docs/index.html": {Data: []byte("docs")}, "stills/a.svg": {},
		"404.html": {Data: []byte("<title>Nothing here</title>"), ModTime: time.Unix(1e9, 0)}}
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	handler := openHouse(t).handler(withPage(nil, site, "", api))
	get := func(target, accept string) (int, string) {
		answer, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil)
		request.Header.Set("Accept", accept)
		request.Header.Set("If-Modified-Since", "Sat, 01 Jan 2050 00:00:00 GMT")
		handler.ServeHTTP(answer, request)
		return answer.Code, answer.Body.String()
	}
	for target, want := range map[string]int{"/docs/": 200, "/docs": 301, "/nothing": 404, "/stills/": 404, "/docs/x/y": 404,
		"/apis": http.StatusTeapot, "/api/v1/x": http.StatusTeapot, "/healthz": http.StatusTeapot} {
		code, body := get(target, "text/html,*/*")
		assert.Equal(t, want, code, target)
		assert.Equal(t, want == http.StatusNotFound, strings.Contains(body, "Nothing here"), target)
	}
	code, _ := get("/nothing", "application/json")
	assert.Equal(t, http.StatusTeapot, code)
}

// The page of a running simulation is told to follow it, at / only; the run is told with the acts that a page does not have.
func TestThePageOfASimulation(t *testing.T) {
	site := t.TempDir()
	const page = "<head><title>x</title></head>"
	for _, name := range []string{"index.html", "other.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(site, name), []byte(page), 0o644))
	}
	f := serveFlags{scenario: "crash", speed: 1, authorization: "AlwaysAllow"}
	api, err := f.handler(io.Discard)
	require.NoError(t, err)
	handler := openHouse(t).handler(f.doors(nil, api, os.DirFS(site)))
	get := func(target, accept string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, target, nil)
		request.Header.Set("Accept", accept)
		handler.ServeHTTP(answer, request)
		return answer
	}
	assert.Contains(t, get("/", "text/html").Body.String(), followMark+"</head>")
	zipped, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/index.html", nil)
	request.Header.Set("Accept-Encoding", "gzip")
	handler.ServeHTTP(zipped, request)
	assert.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	assert.Contains(t, get("/index.html", "*/*").Body.String(), followMark)
	assert.NotContains(t, get("/other.html", "text/html").Body.String(), followMark)
	assert.Contains(t, get("/", "*/*").Body.String(), `"paths"`, "any other client gets the API")

	patch := httptest.NewRequest(http.MethodPost, "/apis/coordination.k8s.io/v1/namespaces/default/leases", strings.NewReader(`{"metadata":{"name":"mine"}}`))
	patch.Header.Set("Content-Type", "application/json")
	written := httptest.NewRecorder()
	handler.ServeHTTP(written, patch)
	require.Equal(t, http.StatusCreated, written.Code, written.Body)
	var told servedRun
	require.NoError(t, json.Unmarshal(get("/leaselab/run", "*/*").Body.Bytes(), &told))
	assert.Len(t, told.Acts, 1)
	assert.Len(t, told.Hash, 16)
	assert.Positive(t, told.Now)
	assert.Contains(t, string(told.Scenario), `"name":"crash"`)
	require.NoError(t, json.Unmarshal(get("/leaselab/run?after=1", "*/*").Body.Bytes(), &told))
	assert.Empty(t, told.Acts)
}

// The page comes from --site if it is given, else from the command itself, else from the default folder; without any there is none.
func TestWhereThePageComesFrom(t *testing.T) {
	built := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(built, "index.html"), nil, 0o644))
	siteGiven := pflag.NewFlagSet("", pflag.ContinueOnError)
	siteGiven.String("site", "", "")
	require.NoError(t, siteGiven.Set("site", built))
	given := serveFlags{site: built, flags: siteGiven}
	site, err := given.page()
	require.NoError(t, err)
	assert.NotNil(t, site)
	missing := serveFlags{site: t.TempDir(), flags: siteGiven}
	_, err = missing.page()
	assert.ErrorContains(t, err, "make site")
	assert.ErrorContains(t, err, releases)
	for _, f := range []serveFlags{{site: ""}, {site: "", flags: siteGiven}} {
		site, err = f.page()
		require.NoError(t, err)
		assert.Nil(t, site)
	}
	byDefault := serveFlags{site: t.TempDir()}
	site, err = byDefault.page()
	require.NoError(t, err)
	assert.Equal(t, builtIn() != nil, site != nil)
}

// A server without the page says where users get one that has it. A server with the page says nothing, and neither does
// one that shall have none.
func TestAServerWithoutThePageSaysWhereToGetIt(t *testing.T) {
	if builtIn() != nil {
		t.Skip("this leaselab contains the page")
	}
	built := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(built, "index.html"), nil, 0o644))
	for site, says := range map[string]string{t.TempDir(): releases, built: "", "": ""} {
		f, warned := serveFlags{site: site, addr: "127.0.0.1:0", authorization: "AlwaysAllow"}, strings.Builder{}
		api, err := f.handler(io.Discard)
		require.NoError(t, err)
		_, _, closeAudit, err := f.answers(nil, api, io.Discard, &warned)
		require.NoError(t, err)
		require.NoError(t, closeAudit())
		assert.Equal(t, says != "", strings.Contains(warned.String(), releases), site)
		assert.Equal(t, says != "", warned.Len() > 0, site)
	}
}
