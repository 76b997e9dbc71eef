package apiserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io"

// An Accept header gets the best alternative that the server can send. Without one, the route or the handler refuses,
// each in its own words.
func TestAccept(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	for accept, want := range map[string]string{
		"":                                      "application/json",
		"*/*":                                   "application/json",
		"*":                                     "route",
		"application/*":                         "route",
		"application/*, application/yaml;q=0.1": "application/yaml", // upstream's order puts wildcards last, whatever their quality
		"application/json;q=0.5, application/yaml":  "application/yaml",
		"application/yaml;q=x, application/json":    "application/json",
		"application/yaml;q=0":                      "application/yaml",
		"application/json;stream=watch":             "application/json",
		"application/yaml;stream=watch":             "handler",
		"application/json;stream=other":             "handler",
		"application/json;sv=v1":                    "application/json",
		"application/json;sv=v2":                    "handler",
		"application/json;unknown=1":                "application/json",
		"application/json;v=v1;g=meta.k8s.io":       "handler",
		asTable + ", application/yaml":              "application/json",
		"application/json;as=Bogus,*/*":             "application/json",
		"application/vnd.kubernetes.protobuf, */*":  "application/json",
		"Application/JSON":                          "route",
		"application/json/x, application/yaml":      "application/yaml",
		"text/html, application/xhtml+xml, */*;q=8": "application/json",
	} {
		r := c.do("GET", leasesA+"/a", "", "accept", accept)
		got := r.Get("content-type")
		switch {
		case r.Status == 406 && strings.Contains(string(r.Body), "Available representations"):
			got = "route"
		case r.Status == 406:
			got = "handler"
		}
		assert.Equal(t, want, got, accept)
	}
	a := c.ask("POST", leasesA, "", "accept", "text/html")
	assert.Equal(t, 415, a.Status, "a write without a body gets the error about the body's type")
}

// The server never sends or reads protobuf, although its errors list it.
func TestProtobufIsNotSent(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	const protobuf = "application/vnd.kubernetes.protobuf"
	a := c.ask("GET", leasesA+"/a", "", "accept", protobuf)
	assert.Equal(t, 406, a.Status)
	assert.Contains(t, a.Message, "Available representations: application/json, application/yaml, "+protobuf)
	assert.Equal(t, 406, c.ask("GET", "/api", "", "accept", protobuf).Status)
	assert.Equal(t, 406, c.ask("GET", "/apis", "", "accept", protobuf).Status)
	r := c.do("GET", leasesA+"/a", "", "accept", protobuf+",application/json")
	assert.Equal(t, "application/json", r.Get("content-type"))
	assert.Equal(t, 415, c.ask("POST", leasesA, "k8s\x00\n", "content-type", protobuf).Status)
	assert.Equal(t, 400, c.ask("POST", leasesA, "{}", "content-type", protobuf).Status)
}

// A failure negotiates by itself: as YAML, as indented JSON for browsers, and as indented JSON if nothing fits.
func TestFailuresAreNegotiated(t *testing.T) {
	c := newClient(t)
	for accept, begins := range map[string]string{
		"application/json": `{"kind":"Status"`, "application/yaml": "apiVersion: v1\ncode: 404", asTable: "{\n  \"kind\": \"Status\"",
	} {
		r := c.do("GET", leasesA+"/none", "", "accept", accept)
		assert.Equal(t, 404, r.Status)
		assert.True(t, strings.HasPrefix(string(r.Body), begins), "%s: %s", accept, r.Body)
	}
	for query, indented := range map[string]bool{"pretty=1": true, "pretty=true": true, "pretty=yes": false, "pretty=0": false, "pretty=": true, "": true} {
		r := c.do("GET", leasesA+"/none?"+query, "", "user-agent", "curl/8.0")
		assert.Equal(t, indented, strings.HasPrefix(string(r.Body), "{\n"), query)
		assert.Equal(t, !indented, strings.HasSuffix(string(r.Body), "\n"), query)
	}
}

// A Table's rows include the requested objects, and only the first frame of a watch names the columns.
func TestTables(t *testing.T) {
	c := newClient(t)
	c.make(leasesA, `{"metadata":{"name":"a"},"spec":{"holderIdentity":"h"}}`)
	c.now = c.now.Add(90 * time.Second)
	r := c.do("GET", leasesA+"?includeObject=None", "", "accept", asTable)
	assert.Equal(t, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"4"},"columnDefinitions":[`+
		`{"name":"Name","type":"string","format":"name","priority":0},{"name":"Holder","type":"string","format":"","priority":0},`+
		`{"name":"Age","type":"string","format":"","priority":0}],"rows":[{"cells":["a","h","90s"],"object":null}]}`+"\n", string(r.Body))
	r = c.do("GET", leasesB, "", "accept", asTable)
	assert.Contains(t, string(r.Body), `"rows":[]}`)
	r = c.do("GET", "/api/v1/namespaces?includeObject=None", "", "accept", asTable)
	assert.Contains(t, string(r.Body), `{"cells":["ns-b","Active","90s"],"object":null}`)

	w := c.watch(leasesA+"?watch=1", "accept", asTable)
	frames, _ := c.server.Poll(c.now, w)
	require.Len(t, frames, 1)
	assert.Contains(t, string(frames[0]), `"columnDefinitions":[{`)
	c.lease("b")
	frames, _ = c.server.Poll(c.now, w)
	require.Len(t, frames, 1)
	assert.Contains(t, string(frames[0]), `"columnDefinitions":null,"rows":[{"cells":["b","","0s"],"object":{"kind":"PartialObjectMetadata"`)

	// The server does the write before it checks whether it can show the answer.
	a := c.ask("POST", leasesA+"?includeObject=x", `{"metadata":{"name":"c"}}`, "accept", asTable)
	assert.Equal(t, 400, a.Status)
	assert.Equal(t, 200, c.ask("GET", leasesA+"/c", "").Status)
}

// A watch of lists of partial objects cannot show an object, so it ends at the first.
func TestWatchOfPartialLists(t *testing.T) {
	c := newClient(t)
	w := c.watch(leasesA+"?watch=1", "accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
	assert.Empty(t, c.pollText(w))
	r := c.do("GET", leasesA, "", "accept", "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io")
	assert.Equal(t, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1beta1","metadata":{"resourceVersion":"3"},"items":null}`+"\n", string(r.Body))
	c.lease("a")
	assert.Equal(t, "end", c.pollText(w))
}

// The server truncates warnings that are too long together, and omits a warning with control characters.
func TestWarnings(t *testing.T) {
	c := newClient(t)
	count := func(body string) (warnings []string) {
		for _, h := range c.do("POST", leasesA+"?dryRun=All", body).Header {
			if h.Name == "warning" {
				warnings = append(warnings, h.Value)
			}
		}
		return warnings
	}
	assert.Equal(t, []string{`299 - "unknown field \"a\\\"b\""`}, count(`{"metadata":{"name":"a"},"a\"b":1}`))
	assert.Len(t, count(`{"metadata":{"name":"a"},"x":1,"x":2}`), 1, "each once")
	long := count(`{"metadata":{"name":"a"},"x":1,"` + strings.Repeat("y", 5000) + `":1}`)
	require.Len(t, long, 2)
	assert.Len(t, long[1], 256+len(`299 - ""`)+len(`\`))
}

// Ages get coarser units as they grow.
func TestAges(t *testing.T) {
	c := newClient(t)
	c.make(leasesA, `{"metadata":{"name":"a"}}`)
	born := c.now
	for after, want := range map[time.Duration]string{
		-3 * time.Second: `\u003cinvalid\u003e`, -1500 * time.Millisecond: "0s", 0: "0s", 119 * time.Second: "119s", 120 * time.Second: "2m", 121 * time.Second: "2m1s",
		10 * time.Minute: "10m", 179 * time.Minute: "179m", 3 * time.Hour: "3h", 3*time.Hour + time.Minute: "3h1m", 47 * time.Hour: "47h",
		48 * time.Hour: "2d", 49 * time.Hour: "2d1h", 8 * 24 * time.Hour: "8d", 729 * 24 * time.Hour: "729d", 730 * 24 * time.Hour: "2y",
		731 * 24 * time.Hour: "2y1d", 2920 * 24 * time.Hour: "8y",
	} {
		c.now = born.Add(after)
		assert.Contains(t, string(c.do("GET", leasesA+"/a", "", "accept", asTable).Body), `"a","","`+want+`"]`, after)
	}
}

// Every kind of discovery lists only the served groups.
func TestOnlyServedGroupsAreListed(t *testing.T) {
	c := newClient(t, func(config *apiserver.Config) { config.Versions = []string{"v1alpha1"} })
	assert.Equal(t, `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"coordination.k8s.io","versions":[{"groupVersion":"coordination.k8s.io/v1","version":"v1"},`+
		`{"groupVersion":"coordination.k8s.io/v1alpha1","version":"v1alpha1"}],"preferredVersion":{"groupVersion":"coordination.k8s.io/v1","version":"v1"}}]}`+"\n",
		string(c.do("POST", "/apis", "").Body))
	assert.Equal(t, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"namespaces","singularName":"namespace","namespaced":false,"kind":"Namespace",`+
		`"verbs":["create","delete","get","list","patch","update","watch"],"shortNames":["ns"],"storageVersionHash":"Q3oi5N2YM8M="},`+
		`{"name":"namespaces/finalize","singularName":"","namespaced":false,"kind":"Namespace","verbs":["update"]},`+
		`{"name":"namespaces/status","singularName":"","namespaced":false,"kind":"Namespace","verbs":["get","patch","update"]}]}`+"\n",
		string(c.do("GET", "/api/v1", "").Body))
	const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	r := c.do("GET", "/api", "", "accept", aggregated+",application/json")
	assert.Equal(t, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},"versions":[{"version":"v1","resources":[`+
		`{"resource":"namespaces","responseKind":{"group":"","version":"","kind":"Namespace"},"scope":"Cluster","singularResource":"namespace",`+
		`"verbs":["create","delete","get","list","patch","update","watch"],"shortNames":["ns"],"subresources":[`+
		`{"subresource":"finalize","responseKind":{"group":"","version":"","kind":"Namespace"},"verbs":["update"]},`+
		`{"subresource":"status","responseKind":{"group":"","version":"","kind":"Namespace"},"verbs":["get","patch","update"]}]}],"freshness":"Current"}]}]}`+"\n", string(r.Body))
	tag := r.Get("etag")
	r = c.do("GET", "/api", "", "accept", aggregated, "if-none-match", tag)
	assert.Equal(t, 304, r.Status)
	assert.Empty(t, r.Body)
	for _, target := range []string{"/apis/apps/v1", "/apis/apps", "/apis/coordination.k8s.io.x/v1", "/openapi/v3", "/metrics", "//api"} {
		r := c.do("GET", target, "")
		assert.Equal(t, "404 page not found\n", string(r.Body), target)
	}
	for _, target := range []string{"/api/v2", "/apis/coordination.k8s.io/v1beta1", "/apis/coordination.k8s.io/v1/x", "/version/x"} {
		assert.Equal(t, "NotFound", c.ask("GET", target, "").Reason, target)
	}
}

// A path that ends after "watch" has no kind, and the server says so before it authenticates.
func TestPathWithoutKind(t *testing.T) {
	c := newClient(t)
	r := c.do("GET", "/apis/coordination.k8s.io/v1/watch?a=<", "")
	assert.Equal(t, 500, r.Status)
	assert.Equal(t, "Internal Server Error: \"/apis/coordination.k8s.io/v1/watch?a=&lt;\": failed to create RequestInfo: "+
		"unable to determine kind and namespace from url, /apis/coordination.k8s.io/v1/watch?a=&lt;\n", string(r.Body))
}

// OpenAPI has an index of the served documents; clients ask for a document by its hash.
func TestOpenAPI(t *testing.T) {
	c := newClient(t, func(config *apiserver.Config) {
		config.OpenAPI = func(path string) []byte {
			if strings.HasSuffix(path, "v1alpha2") {
				return nil
			}
			return []byte(`{"openapi":"` + path + `"}`)
		}
	})
	index := c.do("GET", "/openapi/v3", "")
	assert.Equal(t, "text/plain; charset=utf-8", index.Get("content-type"))
	urls := strings.Split(string(index.Body), `"serverRelativeURL":"`)
	require.Len(t, urls, 4, "%s", index.Body)
	url, _, _ := strings.Cut(urls[2], `"`)
	require.True(t, strings.HasPrefix(url, "/openapi/v3/apis/coordination.k8s.io/v1?hash="), url)
	plain, hash, _ := strings.Cut(url, "?hash=")
	assert.Regexp(t, "^[0-9A-F]{16}$", hash, "upstream's has 128 digits")

	r := c.do("GET", url, "", "accept", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf, application/json")
	assert.Equal(t, `{"openapi":"apis/coordination.k8s.io/v1"}`, string(r.Body))
	assert.Equal(t, "public, immutable", r.Get("cache-control"))
	assert.Equal(t, "Fri, 01 Oct 2027 09:30:00 UTC", r.Get("expires"))
	assert.Equal(t, `"`+hash+`"`, r.Get("etag"))
	r = c.do("GET", plain+"?hash=0", "")
	assert.Equal(t, 301, r.Status)
	assert.Equal(t, url, r.Get("location"))
	assert.Equal(t, 304, c.do("GET", plain, "", "if-none-match", `"`+hash+`"`).Status)
	assert.Equal(t, 406, c.do("GET", plain, "", "accept", "application/yaml").Status)
	for _, path := range []string{"/v2", "/apis/coordination.k8s.io/v1alpha2", "/apis/coordination.k8s.io/v1alpha1", "x"} {
		r := c.do("GET", "/openapi/v3/"+strings.TrimPrefix(path, "/"), "")
		assert.Equal(t, 404, r.Status, path)
		assert.Empty(t, r.Body, path)
	}
	assert.Equal(t, "404 page not found\n", string(c.do("GET", "/openapi/v2", "").Body))
	assert.Equal(t, "404 page not found\n", string(c.do("GET", "/openapi/v3x", "").Body))
}

func TestHealth(t *testing.T) {
	c := newClient(t)
	for target, want := range map[string]string{
		"/healthz": "ok", "/livez/ping": "ok", "/readyz?verbose": "[+]ping ok\nreadyz check passed\n", "/healthz/": "404 page not found\n",
	} {
		assert.Equal(t, want, string(c.do("GET", target, "").Body), target)
	}
	assert.Contains(t, string(c.do("GET", "/", "").Body), `"/apis/coordination.k8s.io/v1beta1",`)
	r := c.do("HEAD", "/version", "")
	assert.Equal(t, 405, r.Status)
	assert.Empty(t, r.Body)
}
