package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// endless is a backend whose lists do not end before the test releases them.
type endless struct {
	serve.Backend
	begun    atomic.Int64
	released chan struct{}
}

func (e *endless) Revision() int64 { return 0 }

func (e *endless) Handle(_ time.Time, r *apiserver.Request) apiserver.Response {
	answer := apiserver.Response{Status: 200}
	if r.Path == "/api/v1/namespaces" {
		e.begun.Add(1)
		answer.Parts = func(yield func([]byte) bool) {
			<-e.released
			yield([]byte("list"))
		}
	}
	return answer
}

// Too many requests of one kind get 429 with Retry-After. Health checks, renewals and other kinds still get through.
func TestTooManyRequests(t *testing.T) {
	backend := &endless{released: make(chan struct{})}
	h := serve.New(backend, clock.New())
	h.Impatient()
	send := func(method, target, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
		return w
	}
	var lists sync.WaitGroup
	for range h.MostReads() {
		lists.Go(func() { assert.Equal(t, "list", send("GET", "/api/v1/namespaces", "").Body.String()) })
	}
	require.Eventually(t, func() bool { return backend.begun.Load() == int64(h.MostReads()) }, time.Minute, time.Millisecond)
	for _, target := range []string{"/api/v1/namespaces", "/api/v1/namespaces/a?watch=1", "/apis", "/healthzz"} {
		refused := send("GET", target, "")
		assert.Equal(t, 429, refused.Code, target)
		assert.Equal(t, "1", refused.Header().Get("Retry-After"))
		assert.Equal(t, "Too many requests, please try again later.\n", refused.Body.String())
	}
	for _, target := range []string{"/healthz", "/readyz", "/livez", "/readyz/ping", path + "/demo"} {
		assert.Equal(t, 200, send("GET", target, "").Code, target)
	}
	assert.Equal(t, 200, send("PUT", path+"/demo", "{}").Code)
	assert.Equal(t, 200, send("POST", "/api/v1/namespaces/default/configmaps", "{}").Code)
	close(backend.released)
	lists.Wait()
	assert.Equal(t, 200, send("GET", "/apis", "").Code, "there is room again")
}

// Others may write while the server computes a patch. If one of them writes the same object, the patch starts over.
func TestAPatchStartsOver(t *testing.T) {
	server := fresh(t, clock.New())
	do := func(method, media, body string) apiserver.Response {
		target := path
		if method != "POST" {
			target += "/demo"
		}
		return server.Handle(time.Now(), &apiserver.Request{Method: method, Path: target, Header: map[string]string{"content-type": media}, Body: []byte(body)})
	}
	require.Equal(t, 201, do("POST", "application/json", `{"metadata":{"name":"demo"}}`).Status)
	const jsonPatch, strategic = "application/json-patch+json", "application/strategic-merge-patch+json"
	begin := func() apiserver.Response {
		return do("PATCH", jsonPatch, `[{"op":"add","path":"/spec/holderIdentity","value":"patch"}]`)
	}
	beside := func(n int) {
		require.Equal(t, 200, do("PATCH", strategic, fmt.Sprintf(`{"metadata":{"labels":{"a":"%d"}}}`, n)).Status)
	}
	r := begin()
	require.True(t, r.Free)
	r = r.Resume()
	beside(1)
	require.False(t, r.Free)
	r = r.Resume()
	require.True(t, r.Free, "it starts over")
	r = r.Resume()
	r = r.Resume()
	require.Equal(t, 200, r.Status, "%s", r.Body)
	assert.Contains(t, string(r.Body), `"labels":{"a":"1"}`)
	assert.Contains(t, string(r.Body), `"holderIdentity":"patch"`)

	r = begin()
	for n := range 5 {
		require.True(t, r.Free)
		beside(10 + n)
		r = r.Resume()
		r = r.Resume()
	}
	require.Equal(t, 409, r.Status, "%s", r.Body)
	assert.Contains(t, string(r.Body), "the object has been modified; please apply your changes")
}

// The server reads long YAML, every apply and long patches without its lock.
func TestLongBodiesNeedNoLock(t *testing.T) {
	config := apiserver.Config{Seed: 1, InParts: true}
	serve.Native(&config)
	server := apiserver.New(config)
	require.NoError(t, serve.Prepare(server, time.Now(), ""))
	long, short := strings.Repeat("x", 20_000), "x"
	const head = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: demo}\nspec:\n  holderIdentity: "
	for _, test := range []struct {
		method, target, media, body string
		free                        bool
		status                      int
	}{
		{"POST", path, "application/yaml", head + short, false, 201},
		{"PUT", path + "/demo", "application/yaml", head + long, true, 200},
		{"POST", path, "application/yaml", head + long, true, 409},
		{"PATCH", path + "/demo?fieldManager=x", "application/apply-patch+yaml", head + long, true, 200},
		{"PATCH", path + "/demo", "application/strategic-merge-patch+json", `{"spec":{"holderIdentity":"` + long + `"}}`, true, 200},
		{"PATCH", path + "/demo", "application/strategic-merge-patch+json", `{"spec":{"holderIdentity":"` + short + `"}}`, false, 200},
	} {
		target, query, _ := strings.Cut(test.target, "?")
		r := &apiserver.Request{Method: test.method, Path: target, Header: map[string]string{"content-type": test.media}, Body: []byte(test.body)}
		if name, value, has := strings.Cut(query, "="); has {
			r.Query = []apiserver.Param{{Name: name, Value: value}}
		}
		if test.method == "PUT" {
			r.Body = []byte(strings.Replace(test.body, "{name: demo}", fmt.Sprintf("{name: demo, resourceVersion: %q}", fmt.Sprint(server.Revision())), 1))
		}
		answer := server.Handle(time.Now(), r)
		assert.Equal(t, test.free, answer.Free, "%s %s", test.method, test.media)
		for answer.Resume != nil {
			answer = answer.Resume()
		}
		assert.Equal(t, test.status, answer.Status, "%s %s: %.300s", test.method, test.media, answer.Body)
	}
}

// Watches of equal form send the same frame, which the server encodes once.
func TestEqualFramesAreEncodedOnce(t *testing.T) {
	c := clock.NewMock()
	server := fresh(t, c)
	h, s := startServer(t, server, c)
	var watches []*bufio.Scanner
	for i := range 12 {
		r, err := http.NewRequest("GET", s.URL+path+"?watch=1", nil)
		require.NoError(t, err)
		if i%2 == 1 {
			r.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
		}
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { answer.Body.Close() })
		watches = append(watches, bufio.NewScanner(answer.Body))
	}
	const writes = 5
	for i := range writes {
		code, body := ask(t, "POST", s.URL+path, fmt.Sprintf(`{"metadata":{"name":"l%d"}}`, i))
		require.Equal(t, 201, code, body)
	}
	code, _ := ask(t, "DELETE", s.URL+path+"/l0", "")
	require.Equal(t, 200, code)
	var first [2][]string
	for i, lines := range watches {
		var told []string
		for range writes + 1 {
			require.True(t, lines.Scan())
			told = append(told, lines.Text())
		}
		if i < 2 {
			first[i] = told
		}
		assert.Equal(t, first[i%2], told)
	}
	assert.Contains(t, first[1][0], "columnDefinitions\":[")
	assert.Equal(t, 2*(writes+1), h.Encoded())
}

// A watch that falls too far behind, because its client does not read, ends with a frame that says so.
func TestASlowWatchEndsWithAFrame(t *testing.T) {
	server := apiserver.New(apiserver.Config{Seed: 1, KeptEvents: 50})
	require.NoError(t, serve.Prepare(server, time.Now(), ""))
	h, s := startServer(t, server, clock.New())
	lines, _ := watching(t, s.URL+path+"?watch=1")
	lines.Buffer(nil, 1<<20)
	fill := strings.Repeat("x", 100_000)
	for i := range 300 { // 30 MB, which no connection buffers
		r := &apiserver.Request{Method: "POST", Path: path, Header: map[string]string{"content-type": "application/json"},
			Body: fmt.Appendf(nil, `{"metadata":{"name":"l%d","annotations":{"a":%q}}}`, i, fill)}
		require.Equal(t, 201, h.Handle(r).Status)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	require.NoError(t, lines.Err())
	var told struct {
		Type   string
		Object struct {
			Code   int
			Reason string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(last), &told), "%.300s", last)
	assert.Equal(t, "ERROR 410 Expired", fmt.Sprint(told.Type, " ", told.Object.Code, " ", told.Object.Reason))
}

// budgetKind is a kind of request, with the status and the minimum length of its answer.
type budgetKind struct {
	method, target string
	media          string // Accept or, with a body, Content-Type
	body           string
	status, least  int
}

func budgetKinds() map[string]budgetKind {
	const one, all, mb = path + "/fat", path, 1_000_000
	const table, partial = "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
	const jsonPatch, merge, strategic, apply = "application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"
	fat := strings.Repeat("y", 1_400_000)
	ops := func(op string, n int) string {
		return "[" + strings.Repeat(op+",", n-1) + op + "]"
	}
	terms := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("l%d%%21%%3Dv", i))
		}
		return strings.Join(all, ",")
	}
	applied := func(name, rest string) string {
		return `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"` + name + `"` + rest + `}`
	}
	wide := `,"labels":{` + manyLabels(4_900) + `}}`
	return map[string]budgetKind{
		"list":                      {"GET", all, "application/json", "", 200, 10 * mb},
		"YAML list":                 {"GET", all, "application/yaml", "", 200, 10 * mb},
		"pretty list":               {"GET", all + "?pretty=1", "application/json", "", 200, 10 * mb},
		"Table":                     {"GET", all, table, "", 200, 10 * mb},
		"Table with objects":        {"GET", all + "?includeObject=Object", table, "", 200, 10 * mb},
		"partial list":              {"GET", all, partial, "", 200, 10 * mb},
		"limited list":              {"GET", all + "?limit=49000", "application/json", "", 200, 10 * mb},
		"list of the past":          {"GET", all + "?resourceVersion=%d&resourceVersionMatch=Exact", "application/json", "", 200, 5 * mb},
		"list with a selector":      {"GET", all + "?labelSelector=" + terms(100), "application/json", "", 200, 10 * mb},
		"list with a long choice":   {"GET", all + "?labelSelector=a%20in%20(" + strings.ReplaceAll(terms(100), "%21%3Dv", "") + ")", "application/json", "", 200, 100},
		"fat object":                {"GET", one, "application/json", "", 200, mb},
		"fat object in YAML":        {"GET", one, "application/yaml", "", 200, mb},
		"fat replace":               {"PUT", one, "application/json", `{"metadata":{"name":"fat","resourceVersion":"%d"},"spec":{"holderIdentity":"` + fat + `"}}`, 200, mb},
		"fat create":                {"POST", all, "application/json", `{"metadata":{"name":"fat2"},"spec":{"holderIdentity":"` + fat + `"}}`, 201, mb},
		"fat YAML":                  {"POST", all, "application/yaml", "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: fat2\nspec:\n  holderIdentity: " + fat + "\n", 201, mb},
		"wide create":               {"POST", all, "application/json", `{"metadata":{"name":"wide2"` + wide + `}`, 201, 50_000},
		"fat merge patch":           {"PATCH", one, merge, `{"spec":{"holderIdentity":"` + fat + `"}}`, 200, mb},
		"small merge patch":         {"PATCH", one, merge, `{"metadata":{"labels":{"a":"b"}}}`, 200, mb},
		"fat strategic patch":       {"PATCH", one, strategic, `{"spec":{"holderIdentity":"` + fat + `"}}`, 200, mb},
		"fat apply":                 {"PATCH", one + "?fieldManager=x&force=true", apply, applied("fat", `},"spec":{"holderIdentity":"`+fat+`"}`), 200, mb},
		"wide apply that creates":   {"PATCH", path + "/wide2?fieldManager=x&force=true", apply, applied("wide2", wide), 201, 50_000},
		"wide apply":                {"PATCH", path + "/wide?fieldManager=x&force=true", apply, applied("wide", wide), 200, 50_000},
		"wide strategic patch":      {"PATCH", path + "/wide", strategic, `{"metadata":{"name":"wide"` + wide + `}`, 200, 50_000},
		"JSON patch of many tests":  {"PATCH", one, jsonPatch, ops(`{"op":"test","path":"/metadata/name","value":"fat"}`, 1000), 200, mb},
		"JSON patch of many copies": {"PATCH", one, jsonPatch, ops(`{"op":"copy","from":"/spec/holderIdentity","path":"/spec/b"}`, 1000), 422, 100},
		"watch of everything":       {"WATCH", all + "?watch=1&timeoutSeconds=1", "application/json", "", 200, mb},
		"Table watch of everything": {"WATCH", all + "?watch=1&timeoutSeconds=1", table, "", 200, mb},
		"watch of the past":         {"WATCH", all + "?watch=1&timeoutSeconds=1&resourceVersion=%d", "application/json", "", 200, mb},
		"discovery":                 {"GET", "/apis", "application/json", "", 200, 200},
		"deletion of one":           {"DELETE", one, "application/json", "", 200, 100},
		"deletion of all":           {"DELETE", all, "application/json", "", 200, 10 * mb},
	}
}

func manyLabels(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"l%d":"v"`, i))
	}
	return strings.Join(all, ",")
}

// budgeted is a server with many Leases, the Lease "fat" of 1.4 MB, and the Lease "wide" with many labels.
type budgeted struct {
	t      *testing.T
	server *apiserver.Server
	past   int64 // a revision before many of the Leases
}

func (b *budgeted) do(method, target, body string) int {
	r := &apiserver.Request{Method: method, Path: target, Header: map[string]string{"content-type": "application/json"}, Body: []byte(body)}
	answer := b.server.Handle(time.Now(), r)
	for answer.Resume != nil {
		answer = answer.Resume()
	}
	return answer.Status
}

// seed restores the objects after a request.
func (b *budgeted) seed() {
	put := func(name, meta, spec string) {
		body := fmt.Sprintf(`{"metadata":{"name":%q%s},"spec":{"leaseDurationSeconds":15%s}}`, name, meta, spec)
		require.Equal(b.t, 201, b.do("POST", path, body))
	}
	for _, name := range []string{"fat", "fat2", "wide", "wide2"} {
		b.do("DELETE", path+"/"+name, "") // it may not exist
	}
	if b.do("GET", path+"/l00000", "") == 404 {
		for i := range 50_000 {
			put(fmt.Sprintf("l%05d", i), "", "")
		}
		b.past = b.server.Revision() - 20_000
	}
	put("fat", "", `,"holderIdentity":"`+strings.Repeat("x", 1_400_000)+`"`)
	put("wide", `,"labels":{`+manyLabels(4_900)+`}`, "")
}

// No request of any kind holds the lock for more than 50 ms beside 50,000 objects.
func TestLockBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures milliseconds: runs without -short")
	}
	config := apiserver.Config{Seed: 1, InParts: true, ObjectBytes: serve.ObjectBytes, Quota: 1 << 30}
	serve.Native(&config)
	b := &budgeted{t: t, server: apiserver.New(config)}
	require.NoError(t, serve.Prepare(b.server, time.Now(), ""))
	kinds := budgetKinds()
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		longest := time.Hour
		for range 3 { // other programs use the processors, too
			b.seed()
			h := serve.New(b.server, clock.New())
			var held time.Duration
			h.Held(func(d time.Duration) { held = max(held, d) })
			target := strings.Replace(k.target, "%d", fmt.Sprint(b.past), 1)
			body := strings.Replace(k.body, "%d", fmt.Sprint(b.server.Revision()-1), 1) // the revision of "fat"
			r := httptest.NewRequest(strings.Replace(k.method, "WATCH", "GET", 1), target, strings.NewReader(body))
			r.Header.Set("Accept", k.media)
			if body != "" {
				r.Header.Set("Accept", "application/json")
				r.Header.Set("Content-Type", k.media)
			}
			w := httptest.NewRecorder()
			begun := time.Now()
			h.ServeHTTP(w, r)
			t.Logf("%s: %d, %d bytes, %s, the lock %s", name, w.Code, w.Body.Len(), time.Since(begun).Round(time.Millisecond), held.Round(10*time.Microsecond))
			require.Equal(t, k.status, w.Code, "%s: %.300s", name, w.Body)
			require.GreaterOrEqual(t, w.Body.Len(), k.least, name)
			longest = min(longest, held)
		}
		assert.Less(t, longest, 50*time.Millisecond, name)
	}
}
