package apiserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// repeatText joins n texts that contain their number.
func repeatText(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

const (
	yamlBody       = "application/yaml"
	jsonPatchBody  = "application/json-patch+json"
	mergePatchBody = "application/merge-patch+json"
)

// Each limit has a separate error, and a request just below the limit succeeds.
func TestCostIsBounded(t *testing.T) {
	c := newClient(t)
	c.lease("x")
	labels := func(n int) string {
		return `{"metadata":{"name":"y","labels":{` + repeatText(n, `"l%d":""`) + `}}}`
	}
	c.make(leasesA, `{"metadata":{"name":"many","finalizers":[`+repeatText(9000, `"a/%d"`)+`]}}`)
	finalizers := func(n int) string { return `{"metadata":{"finalizers":[` + repeatText(n, `"c/%d"`) + `]}}` }
	operations := func(n int) string {
		return `[` + repeatText(n, `{"op":"add","path":"/metadata/finalizers/0","value":"b/%d"}`) + `]`
	}
	deep := func(n int) string {
		return `[{"op":"add","path":"` + strings.Repeat("/a", n) + `","value":"` + strings.Repeat("x", 1<<20) + `"}]`
	}
	for _, test := range []struct {
		name, method, target, media string
		body                        func(n int) string
		fine, much                  int
		says                        string
	}{
		{"values of a body", "POST", leasesA + "?dryRun=All", "application/json", labels, 9_990, 10_000,
			"Request entity too large: the body holds more than 10000 JSON values"},
		{"values of a merge patch", "PATCH", leasesA + "/x?dryRun=All", mergePatchBody, labels, 0, 10_000,
			"Request entity too large: the body holds more than 10000 JSON values"},
		{"values of an apply", "PATCH", leasesA + "/y?dryRun=All&fieldManager=x", "application/apply-patch+yaml", func(n int) string {
			return strings.Replace(labels(n), "{", `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease",`, 1)
		}, 4_900, 5_000, "Request entity too large: the body holds more than 5000 JSON values"},
		{"lines and separators of YAML", "POST", leasesA + "?dryRun=All", yamlBody,
			func(n int) string { return "metadata:\n name: y\n labels: {" + repeatText(n, "l%d: a") + "}\n" }, 9_900, 20_001,
			"Request entity too large: the body has more than 40000 lines, indicators and separators"},
		{"values of a YAML body", "POST", leasesA + "?dryRun=All", yamlBody,
			func(n int) string { return "metadata: {name: y}\na: [" + repeatText(n, "%d") + "]\n" }, 9_900, 10_000,
			"Request entity too large: the body holds more than 10000 JSON values"},
		{"YAML with aliases", "POST", leasesA + "?dryRun=All", yamlBody,
			func(n int) string {
				return "metadata: {name: y}\na: &a [1]\nb: [" + strings.Repeat("*a, ", n) + "]\n"
			}, 900, 1000, "Request entity too large: the body has more than 1000 lines, indicators and separators"},
		{"operations on a list", "PATCH", leasesA + "/many?dryRun=All", jsonPatchBody, operations, 500, 2000,
			"Request entity too large: the operations of the patch on that object take more than 15000000 steps"},
		{"deep paths", "PATCH", leasesA + "/x?dryRun=All", jsonPatchBody, deep, 0, 20,
			"Request entity too large: the paths of the patch in that object take more than 15000000 steps"},
		{"values of a stored object", "PATCH", leasesA + "/many?dryRun=All", "application/strategic-merge-patch+json", finalizers, 10, 9000,
			"Request entity too large: the object holds more than 30000 JSON values"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fine := c.ask(test.method, test.target, test.body(test.fine), "content-type", test.media)
			require.NotEqual(t, 413, fine.Status, fine.Message)
			much := c.ask(test.method, test.target, test.body(test.much), "content-type", test.media)
			require.Equal(t, test.says, much.Message)
			require.Equal(t, 413, much.Status)
			require.Equal(t, "RequestEntityTooLarge", much.Reason)
		})
	}
}

// The server refuses a selector that is too long by itself, and one that is too long for the number of objects.
func TestSelectorsAreBounded(t *testing.T) {
	c := newClient(t)
	for i := range 2000 {
		c.make(leasesA, fmt.Sprintf(`{"metadata":{"name":"x%d"}}`, i))
	}
	for _, test := range []struct {
		query, format string
		fine, much    int
		says          string
	}{
		{"labelSelector", "!l%d", 4000, 10_001, "Request entity too large: labelSelector has more than 10000 terms"},
		{"fieldSelector", "metadata.name!=%d", 3000, 6000, "Request entity too large: fieldSelector has more than 10000 terms"},
		{"labelSelector", "l%d", 7000, 9000, "Request entity too large: the terms of the selector over all objects take more than 15000000 steps"},
	} {
		for n, says := range map[int]string{test.fine: "", test.much: test.says} {
			a := c.ask("GET", leasesA+"?"+test.query+"="+repeatText(n, test.format), "")
			require.Equal(t, says, a.Message, "%s of %d", test.query, n)
		}
	}
}

// An error lists the first thousand causes and says that more exist. The server truncates warnings before they exceed
// what clients read.
func TestErrorsAndWarningsAreCapped(t *testing.T) {
	c := newClient(t)
	r := c.do("POST", leasesA, `{"metadata":{"name":"x","finalizers":[`+repeatText(5000, `"-/%d-"`)+`]}}`)
	require.Equal(t, 422, r.Status)
	require.Less(t, len(r.Body), 2<<20)
	require.Contains(t, string(r.Body), `the errors after the first 1000 are left out`)
	controllers := `{"metadata":{"name":"x","ownerReferences":[` + repeatText(1500, `{"apiVersion":"v1","kind":"P","name":"%d","uid":"u","controller":true}`) + `]}}`
	r = c.do("POST", leasesA, controllers)
	require.Equal(t, 422, r.Status)
	require.Less(t, len(r.Body), 8<<20, "each of these errors shows all owners")
	require.Contains(t, string(r.Body), `are left out`)

	r = c.do("POST", leasesA, `{"metadata":{"name":"y"},`+repeatText(500, `"u%d":1`)+`}`)
	require.Equal(t, 201, r.Status)
	warnings, last := 0, ""
	for _, h := range r.Header {
		if h.Name == "warning" {
			warnings, last = warnings+1, h.Value
		}
	}
	require.Equal(t, 64, warnings)
	require.Equal(t, `299 - "the warnings after the first 63 are left out"`, last)
}
