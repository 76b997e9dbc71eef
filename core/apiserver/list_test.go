package apiserver_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

func escapeQuery(text string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "=", "%3D", "!", "%21", ",", "%2C", "&", "%26", "+", "%2B", "\x00", "%00").Replace(text)
}

func TestLabelSelectors(t *testing.T) {
	c := newClient(t)
	for _, lease := range []string{
		`{"metadata":{"name":"a","labels":{"n":"5","in":"x"}}}`, `{"metadata":{"name":"b","labels":{"n":"","k":"in"}}}`, `{"metadata":{"name":"c","labels":{"n":"15"}}}`, `{"metadata":{"name":"d"}}`,
	} {
		c.make(leasesA, lease)
	}
	for selector, want := range map[string]string{
		"":                    "a b c d",
		" n = 5 ":             "a",
		"n==5,in":             "a",
		"n!=5":                "b c d",
		"n=":                  "b",
		"n in (5,,15)":        "a b c",
		"n in ()":             "b",
		"n notin (5)":         "b c d",
		"!n":                  "d",
		"n>5":                 "c",
		"n<15":                "a",
		"k in (in)":           "b",
		"k=in":                "b",
		"in in (x)":           "a",
		"n,!k,n!=15,n!=other": "a",
	} {
		list := c.ask("GET", leasesA+"?labelSelector="+escapeQuery(selector), "")
		assert.Equal(t, want, list.names(), selector)
	}
	for selector, want := range map[string]string{
		"a b":             "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"a,":              "found '', expected: identifier after ','",
		"a=b c":           "found 'c', expected: ',' or 'end of string'",
		"!a=b":            "found '=', expected: ',' or 'end of string'",
		"(a)":             "found '(', expected: !, identifier, or 'end of string'",
		"a in b":          "unable to parse requirement: found 'b' expected: '('",
		"a in (b c)":      "unable to parse requirement: found 'c', expected: ',' or ')'",
		"a in (":          "unable to parse requirement: found '', expected: ',', ')' or identifier",
		"a=(":             "unable to parse requirement: found '(', expected: identifier",
		"a>x":             `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
		"-a":              `unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		"a=_":             `unable to parse requirement: values[0][a]: Invalid value: "_": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		"!":               "unable to parse requirement: found '', expected: identifier",
		"a in (b, \x00c)": "unable to parse requirement: found '', expected: ',', or identifier",
		"a\x00b":          "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"x/y/z":           `unable to parse requirement: <nil>: Invalid value: "x/y/z": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
		"a>x y,b":         "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
		"n in (5, =)":     "unable to parse requirement: found '=', expected: ',', or identifier",
		"n in (5) notin)": "found 'notin', expected: ',' or 'end of string'",
	} {
		answer := c.ask("GET", leasesA+"?labelSelector="+escapeQuery(selector), "")
		assert.Equal(t, 400, answer.Status, selector)
		assert.Equal(t, want, answer.Message, selector)
	}
}

// A later page shows the state at the revision of the first page, regardless of later writes.
func TestPagesAreOfOneRevision(t *testing.T) {
	c := newClient(t)
	c.lease("a", "b", "c", "d")
	first := c.ask("GET", leasesA+"?limit=1", "")
	require.Equal(t, "a", first.names())
	require.EqualValues(t, 3, *first.Metadata.RemainingItemCount)
	c.do("DELETE", leasesA+"/b", "")
	c.lease("bb")
	second := c.ask("GET", leasesA+"?limit=2&continue="+first.Metadata.Continue, "")
	assert.Equal(t, "b c", second.names())
	assert.Equal(t, first.Metadata.ResourceVersion, second.Metadata.ResourceVersion)
	assert.EqualValues(t, 1, *second.Metadata.RemainingItemCount)
	third := c.ask("GET", leasesA+"?continue="+second.Metadata.Continue, "")
	assert.Equal(t, "d", third.names())
	assert.Empty(t, third.Metadata.Continue)

	c.server.Restart()
	gone := c.ask("GET", leasesA+"?limit=2&continue="+first.Metadata.Continue, "")
	assert.Equal(t, 410, gone.Status)
	assert.Equal(t, "Expired", gone.Reason)
	on := c.ask("GET", leasesA+"?continue="+gone.Metadata.Continue, "")
	assert.Equal(t, "bb c d", on.names())
}

// Pages do not count what a selector filters out, and a page may be the last although the store has more objects.
func TestPagesUnderASelector(t *testing.T) {
	c := newClient(t)
	c.make(leasesA, `{"metadata":{"name":"a","labels":{"k":"v"}}}`)
	c.lease("b")
	page := c.ask("GET", leasesA+"?limit=1&labelSelector=k", "")
	assert.Equal(t, "a", page.names())
	assert.Nil(t, page.Metadata.RemainingItemCount)
	require.NotEmpty(t, page.Metadata.Continue)
	page = c.ask("GET", leasesA+"?limit=1&labelSelector=k&continue="+page.Metadata.Continue, "")
	assert.Empty(t, page.names())
	assert.Empty(t, page.Metadata.Continue)
}

func TestContinueTokens(t *testing.T) {
	c := newClient(t)
	for token, want := range map[string]string{
		"!": "illegal base64 data at input byte 0",
		"x": "illegal base64 data at input byte 0",
		base64.RawURLEncoding.EncodeToString([]byte(`[]`)):                                           "json: cannot unmarshal array into Go value of type storage.continueToken",
		base64.RawURLEncoding.EncodeToString([]byte(`{"v":"v2","rv":1,"start":"a"}`)):                "server does not recognize this encoded version v2",
		base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","start":"a"}`)):           "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
		base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","rv":1}`)):                "encoded start key empty (version meta.k8s.io/v1)",
		base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","rv":1,"start":"../x"}`)): "../x",
	} {
		answer := c.ask("GET", leasesA+"?continue="+token, "")
		assert.Equal(t, 400, answer.Status, token)
		assert.Equal(t, "invalid continue token: continue key is not valid: "+want, answer.Message)
	}
}

// A read of a future revision asks its caller to wait. A selector that names one object makes it fail at once.
func TestRevisionsToCome(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	for query, waits := range map[string]bool{
		"?resourceVersion=99": true, "?resourceVersion=99&resourceVersionMatch=Exact": true, "?resourceVersion=99&limit=1": true,
		"/a?resourceVersion=99": true, "?resourceVersion=18446744073709551615": true, "?resourceVersion=99&fieldSelector=metadata.name%3Da": true,
		"?resourceVersion=99&limit=1&fieldSelector=metadata.name%3Da": false, "?resourceVersion=99&resourceVersionMatch=Exact&fieldSelector=metadata.name%3Da": false,
	} {
		r := c.do("GET", leasesA+query, "")
		assert.Equal(t, 504, r.Status, query)
		if !waits {
			assert.Nil(t, r.Hold, query)
			assert.Empty(t, r.Get("retry-after"), query)
			continue
		}
		require.NotNil(t, r.Hold, query)
		assert.Equal(t, 3*time.Second, r.Hold.For, query)
		assert.GreaterOrEqual(t, r.Hold.Revision, int64(99), query)
		assert.Equal(t, "1", r.Get("retry-after"), query)
	}
}

func TestSelectorsOfNamespaces(t *testing.T) {
	c := newClient(t)
	c.do("DELETE", "/api/v1/namespaces/ns-b", "")
	list := c.ask("GET", "/api/v1/namespaces?fieldSelector=status.phase%3DTerminating", "")
	assert.Equal(t, "ns-b", list.names())
	list = c.ask("GET", "/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name%3Dns-a", "")
	assert.Equal(t, "ns-a", list.names())
	refused := c.ask("GET", "/api/v1/namespaces?fieldSelector=metadata.namespace%3Dx", "")
	assert.Equal(t, "field label not supported: metadata.namespace", refused.Message)
}

func TestTimeoutThatIsNone(t *testing.T) {
	c := newClient(t)
	for _, target := range []string{leasesA + "?timeout=1", leasesA + "/x?timeout=1"} {
		refused := c.ask("GET", target, "")
		assert.Equal(t, 400, refused.Status)
		assert.Equal(t, `invalid timeout specified in the request URL - time: missing unit in duration "1"`, refused.Message)
	}
	c.watch(leasesA + "?watch=1&timeout=1")
}

// BenchmarkList lists 10,000 Leases.
func BenchmarkList(b *testing.B) {
	c := newClient(b, func(config *apiserver.Config) { config.KeptEvents = 100 })
	c.many(10000)
	for b.Loop() {
		if r := c.do("GET", leasesA, ""); r.Status != 200 {
			b.Fatal(string(r.Body))
		}
	}
}
