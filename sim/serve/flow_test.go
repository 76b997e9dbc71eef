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

// budgetKinds are requests by name: a method, a target below the API, a media type or Accept header, and a body.
func budgetKinds() map[string][4]string {
	const one, all = path + "/fat", path
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
	kinds := map[string][4]string{
		"list":                      {"GET", all, "application/json", ""},
		"YAML list":                 {"GET", all, "application/yaml", ""},
		"pretty list":               {"GET", all + "?pretty=1", "application/json", ""},
		"Table":                     {"GET", all, "application/json;as=Table;v=v1;g=meta.k8s.io", ""},
		"Table with objects":        {"GET", all + "?includeObject=Object", "application/json;as=Table;v=v1;g=meta.k8s.io", ""},
		"partial list":              {"GET", all, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", ""},
		"limited list":              {"GET", all + "?limit=49000", "application/json", ""},
		"list of the past":          {"GET", all + "?resourceVersion=%d&resourceVersionMatch=Exact", "application/json", ""},
		"list with a selector":      {"GET", all + "?labelSelector=" + terms(100), "application/json", ""},
		"list with a long choice":   {"GET", all + "?labelSelector=a%20in%20(" + strings.ReplaceAll(terms(100), "%21%3Dv", "") + ")", "application/json", ""},
		"fat object":                {"GET", one, "application/json", ""},
		"fat object in YAML":        {"GET", one, "application/yaml", ""},
		"fat replace":               {"PUT", one, "application/json", `{"metadata":{"name":"fat","resourceVersion":"%d"},"spec":{"holderIdentity":"` + fat + `"}}`},
		"fat create":                {"POST", all, "application/json", `{"metadata":{"name":"fat2"},"spec":{"holderIdentity":"` + fat + `"}}`},
		"fat YAML":                  {"POST", all, "application/yaml", "metadata: {name: fat3}\nspec: {holderIdentity: " + fat + "}\n"},
		"wide create":               {"POST", all, "application/json", `{"metadata":{"name":"wide","labels":{` + manyLabels(4_900) + `}}}`},
		"fat merge patch":           {"PATCH", one, "application/merge-patch+json", `{"spec":{"holderIdentity":"` + fat + `z"}}`},
		"small merge patch":         {"PATCH", one, "application/merge-patch+json", `{"metadata":{"labels":{"a":"b"}}}`},
		"fat strategic patch":       {"PATCH", one, "application/strategic-merge-patch+json", `{"spec":{"holderIdentity":"` + fat + `x"}}`},
		"fat apply":                 {"PATCH", one + "?fieldManager=x&force=true", "application/apply-patch+yaml", `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"fat"},"spec":{"holderIdentity":"` + fat + `"}}`},
		"wide apply":                {"PATCH", path + "/wide?fieldManager=x&force=true", "application/apply-patch+yaml", `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"wide","labels":{` + manyLabels(4_900) + `}}}`},
		"JSON patch of many tests":  {"PATCH", one, "application/json-patch+json", ops(`{"op":"test","path":"/metadata/name","value":"fat"}`, 10_000)},
		"JSON patch of many copies": {"PATCH", one, "application/json-patch+json", ops(`{"op":"copy","from":"/spec/holderIdentity","path":"/spec/b"}`, 8_000)},
		"watch of everything":       {"WATCH", all + "?watch=1&timeoutSeconds=1", "application/json", ""},
		"Table watch of everything": {"WATCH", all + "?watch=1&timeoutSeconds=1", "application/json;as=Table;v=v1;g=meta.k8s.io", ""},
		"watch of the past":         {"WATCH", all + "?watch=1&timeoutSeconds=1&resourceVersion=%d", "application/json", ""},
		"discovery":                 {"GET", "/apis", "application/json", ""},
		"deletion of all":           {"DELETE", all, "application/json", ""},
	}
	return kinds
}

func manyLabels(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"l%d":"v"`, i))
	}
	return strings.Join(all, ",")
}

// No request of any kind holds the lock for more than 50 ms beside 50,000 objects.
func TestLockBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures milliseconds: runs without -short")
	}
	server := fresh(t, clock.New())
	put := func(name, more string) {
		r := &apiserver.Request{Method: "POST", Path: path, Header: map[string]string{"content-type": "application/json"},
			Body: fmt.Appendf(nil, `{"metadata":{"name":%q},"spec":{"leaseDurationSeconds":15%s}}`, name, more)}
		require.Equal(t, 201, server.Handle(time.Now(), r).Status)
	}
	for i := range 50_000 {
		put(fmt.Sprintf("l%05d", i), "")
	}
	past := server.Revision() - 20_000
	put("fat", `,"holderIdentity":"`+strings.Repeat("x", 1_400_000)+`"`)
	h := serve.New(server, clock.New())
	kinds := budgetKinds()
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		longest := time.Hour
		for range 3 { // other programs use the processors, too
			var held time.Duration
			h.Held(func(d time.Duration) { held = max(held, d) })
			method, target, body := k[0], k[1], k[3]
			if strings.Contains(target, "resourceVersion=%d") {
				target = fmt.Sprintf(target, past)
			}
			if strings.HasPrefix(body, `{"metadata":{"name":"fat","resourceVersion":"%d"`) {
				body = strings.Replace(body, "%d", fmt.Sprint(server.Revision()), 1)
			}
			if method == "WATCH" {
				method = "GET"
			}
			r := httptest.NewRequest(method, target, strings.NewReader(body))
			r.Header.Set("Accept", k[2])
			if body != "" {
				r.Header.Set("Accept", "application/json")
				r.Header.Set("Content-Type", k[2])
			}
			w := httptest.NewRecorder()
			begun := time.Now()
			h.ServeHTTP(w, r)
			t.Logf("%s: %d, %d bytes, %s, the lock %s", name, w.Code, w.Body.Len(), time.Since(begun).Round(time.Millisecond), held.Round(10*time.Microsecond))
			longest = min(longest, held)
		}
		assert.Less(t, longest, 50*time.Millisecond, name)
	}
}
