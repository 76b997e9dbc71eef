package serve_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/serve"
)

func access(t *testing.T, addr string, accept, embedFrom []string) *serve.Access {
	t.Helper()
	a, err := serve.NewAccess(addr, accept, embedFrom)
	require.NoError(t, err)
	return a
}

// from returns a request with headers, "Host" among them.
func from(method, target, body string, headers map[string]string) *http.Request {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, content)
	r.Host = "127.0.0.1:8001"
	for name, value := range headers {
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	return r
}

func answerOf(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// assertRefusal asserts that a refusal is a Status that says what to do.
func assertRefusal(t *testing.T, w *httptest.ResponseRecorder, code int, says string) {
	t.Helper()
	assert.Equal(t, code, w.Code, w.Body)
	var status struct{ Kind, Message, Reason string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &status), w.Body)
	assert.Equal(t, "Status", status.Kind)
	assert.Contains(t, status.Message, says)
}

// A certificate gets the names in --accept-hosts, and no regular expression.
func TestNamesIn(t *testing.T) {
	assert.Equal(t, []string{"lab.example", "::1"}, serve.NamesIn([]string{"Lab.example.", `.*\.dev`, "[::1]", "a|b"}))
}

// Access refuses a foreign Host: an attacker's name may resolve to this server.
func TestAccessByHost(t *testing.T) {
	api := serve.New(fresh(t, clock.NewMock()), clock.NewMock())
	for _, c := range []struct {
		addr   string
		accept []string
		host   string
		fine   bool
	}{
		{"127.0.0.1:8001", nil, "127.0.0.1:8001", true},
		{"127.0.0.1:8001", nil, "127.0.0.1", true},
		{"127.0.0.1:8001", nil, "127.1.2.3:9", true},
		{"127.0.0.1:8001", nil, "LocalHost:8001", true},
		{"127.0.0.1:8001", nil, "localhost.:8001", true},
		{"127.0.0.1:8001", nil, "[::1]:8001", true},
		{"127.0.0.1:8001", nil, "[::1]", true},
		{"127.0.0.1:8001", nil, "", false},
		{"127.0.0.1:8001", nil, "evil.example", false},
		{"127.0.0.1:8001", nil, "evil.example:8001", false},
		{"127.0.0.1:8001", nil, "localhost.evil.example", false},
		{"127.0.0.1:8001", nil, "127.0.0.1.evil.example", false},
		{"127.0.0.1:8001", nil, "10.1.2.3:8001", false},
		{"10.1.2.3:8001", nil, "10.1.2.3:8001", true},
		{"10.1.2.3:8001", nil, "10.1.2.4:8001", false},
		{"lab.example:8001", nil, "lab.example:8001", true},
		{":8001", nil, "10.1.2.3:8001", true},
		{"0.0.0.0:8001", nil, "[fd00::7]:8001", true},
		{"[::]:8001", nil, "evil.example", false},
		{"127.0.0.1:8001", []string{"lab.example"}, "lab.example:8001", true},
		{"127.0.0.1:8001", []string{"lab.example"}, "labXexample", false},
		{"127.0.0.1:8001", []string{"lab.example"}, "lab.example.evil.example", false},
		{"127.0.0.1:8001", []string{`^.*\.example$`, "b"}, "a.example", true},
		{"127.0.0.1:8001", []string{`.*\.example`}, "a.example.evil", false},
		{"127.0.0.1:8001", []string{".*"}, "anything", true},
	} {
		a := access(t, c.addr, c.accept, nil)
		page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
		for _, h := range []http.Handler{a.API(api), a.Page(page)} {
			w := answerOf(h, from("GET", "/version", "", map[string]string{"Host": c.host}))
			if c.fine {
				assert.Equal(t, 200, w.Code, "%+v", c)
			} else {
				assertRefusal(t, w, 403, "--accept-hosts="+strings.TrimSuffix(c.host, ":8001"))
			}
		}
	}
	for flag, make := range map[string]func() error{
		"--addr":         func() error { _, err := serve.NewAccess("8001", nil, nil); return err },
		"--accept-hosts": func() error { _, err := serve.NewAccess(":1", []string{"("}, nil); return err },
		"--embed-from":   func() error { _, err := serve.NewAccess(":1", nil, []string{"docs.example.com/"}); return err },
	} {
		assert.ErrorContains(t, make(), flag)
	}
}

// No request of a foreign page reaches the API, whatever its method; requests of programs other than browsers do.
func TestAccessByOrigin(t *testing.T) {
	c := clock.NewMock()
	api := serve.New(fresh(t, c), c)
	h := access(t, "127.0.0.1:8001", nil, nil).API(api)
	elsewhere := map[string]map[string]string{
		"origin":         {"Origin": "http://evil.example"},
		"another port":   {"Origin": "http://127.0.0.1:3000"},
		"another name":   {"Origin": "http://localhost:8001"},
		"no origin":      {"Origin": "null"},
		"cross-site":     {"Sec-Fetch-Site": "cross-site"},
		"same-site":      {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:8001"},
		"a link":         {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
		"a future value": {"Sec-Fetch-Site": "other"},
	}
	for name, headers := range elsewhere {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"} {
			for _, target := range []string{path, "/", "/version", "/nothing"} {
				w := answerOf(h, from(method, target, "", headers))
				assert.Equal(t, 403, w.Code, "%s: %s %s", name, method, target)
			}
		}
	}
	for name, headers := range map[string]map[string]string{
		"no browser":       {},
		"the page":         {"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8001"},
		"typed by hand":    {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
		"an older browser": {"Origin": "http://127.0.0.1:8001"},
	} {
		assert.Equal(t, 200, answerOf(h, from("GET", path, "", headers)).Code, name)
	}
}

// A Blob without a type needs no preflight request and has no Content-Type.
func TestAccessOfBodiesWithoutAType(t *testing.T) {
	c := clock.NewMock()
	h := access(t, "127.0.0.1:8001", nil, nil).API(serve.New(fresh(t, c), c))
	body := `{"metadata":{"name":"x"}}`
	same := map[string]string{"Sec-Fetch-Site": "same-origin"}
	assertRefusal(t, answerOf(h, from("POST", path, body, same)), 415, "Content-Type")
	assertRefusal(t, answerOf(h, from("POST", path, body, map[string]string{"Origin": "http://127.0.0.1:8001"})), 415, "Content-Type")
	chunked := from("POST", path, body, same)
	chunked.ContentLength = -1
	assertRefusal(t, answerOf(h, chunked), 415, "Content-Type")
	same["Content-Type"] = "application/json"
	assert.Equal(t, 201, answerOf(h, from("POST", path, body, same)).Code)
	assert.Equal(t, 200, answerOf(h, from("DELETE", path+"/x", "", map[string]string{"Sec-Fetch-Site": "same-origin"})).Code, "no body, no type")
	assert.Equal(t, 201, answerOf(h, from("POST", path, body, nil)).Code, "a program gets upstream's answer")
}

// Links to the page and frames of it get an answer; its headers say which pages may frame it.
func TestAccessToThePage(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	a := access(t, "127.0.0.1:8001", nil, nil)
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
	w := answerOf(a.Page(page), from("GET", "/", "", link))
	assert.Equal(t, 200, w.Code)
	assert.Equal(t, "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*; base-uri 'none'; form-action 'none'", w.Header().Get("Content-Security-Policy"))
	assert.Empty(t, w.Header().Get("X-Frame-Options"), "the header cannot name an origin")
	assertRefusal(t, answerOf(a.Page(page), from("HEAD", "/", "", link)), 403, "only link to this page or embed it")
	assertRefusal(t, answerOf(a.Page(page), from("GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})), 403, "only link to this page or embed it")

	framed := access(t, "127.0.0.1:8001", nil, []string{"https://docs.example.com", "http://localhost:3000"})
	w = answerOf(framed.Page(page), from("GET", "/", "", link))
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "http://127.0.0.1:* https://docs.example.com http://localhost:3000;")
	assert.Empty(t, w.Header().Get("X-Frame-Options"), "the header cannot name an origin")
	w = answerOf(framed.API(page), from("GET", "/", "", nil))
	assert.Equal(t, "default-src 'none'; frame-ancestors 'none'", w.Header().Get("Content-Security-Policy"), "no page may frame the API")
	assert.Equal(t, "DENY", w.Header().Get("X-Frame-Options"))
}

// Every answer forbids content sniffing.
func TestAccessIsNotSniffed(t *testing.T) {
	c := clock.NewMock()
	a := access(t, "127.0.0.1:8001", nil, nil)
	h := a.API(serve.New(fresh(t, c), c))
	for _, r := range []*http.Request{
		from("GET", path, "", nil), from("GET", path+"/none", "", nil), from("GET", "/livez", "", nil), from("GET", "/none", "", nil),
		from("GET", path, "", map[string]string{"Host": "evil.example"}), from("GET", path, "", map[string]string{"Origin": "null"}),
		from("POST", path, "{}", map[string]string{"Sec-Fetch-Site": "none"}),
	} {
		assert.Equal(t, "nosniff", answerOf(h, r).Header().Get("X-Content-Type-Options"), r.URL.Path)
		assert.Equal(t, "nosniff", answerOf(a.Page(h), r).Header().Get("X-Content-Type-Options"), r.URL.Path)
	}
}
