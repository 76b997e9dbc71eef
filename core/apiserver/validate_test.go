package apiserver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/apiserver"
)

const (
	candidatesA = "/apis/coordination.k8s.io/v1beta1/namespaces/ns-a/leasecandidates"
	oldestA     = "/apis/coordination.k8s.io/v1alpha1/namespaces/ns-a/leasecandidates"
)

// The errors of invalid creates, after "is invalid: ".
func TestInvalidCreates(t *testing.T) {
	c := newClient(t)
	for _, test := range []struct{ path, body, want string }{
		{leasesA, `{"metadata":{"generateName":"a-","name":""}}`, ""},
		{leasesA, `{"metadata":{"name":"a","generateName":"-"}}`, "metadata.generateName"},
		{leasesA, `{"metadata":{"name":"a","labels":{"example.com/":"x","/a":"-"}}}`,
			`[metadata.labels: Invalid value: "/a": prefix part must be non-empty, metadata.labels: Invalid value: "-": a valid label must`},
		{leasesA, `{"metadata":{"name":"a","annotations":{"UPPER.example.com/Key":"x"}}}`, ""},
		{leasesA, `{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"coordination.k8s.io/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",` +
			`"fieldsV1":{"f:spec":{}},"subresource":"` + strings.Repeat("s", 257) + `"}]}}`,
			"metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes"},
		{leasesA, `{"metadata":{"name":"a"},"spec":{"strategy":"a/b/c"}}`, `spec.strategy.strategy: Invalid value: "a/b/c": a valid label key must consist`},
		{leasesA, `{"metadata":{"name":"a"},"spec":{"strategy":"","preferredHolder":"h"}}`,
			"[spec.strategy.strategy: Unsupported value: \"\": supported values: \"OldestEmulationVersion\", spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined]"},
		{leasesA, `{"metadata":{"name":"a"},"spec":{"preferredHolder":""}}`, ""},
		{candidatesA, `{"metadata":{"name":"..x"},"spec":{"leaseName":"l","binaryVersion":"v1","emulationVersion":"1.2","strategy":"OldestEmulationVersion"}}`,
			"[metadata.name: Invalid value: \"..x\": must not start with '..', spec.emulationVersion: Invalid value: \"1.2\": must be a valid semantic version, " +
				"spec.binaryVersion: Invalid value: \"v1\": must be a valid semantic version, spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion']"},
		{candidatesA, `{"metadata":{"name":"x"},"spec":{"leaseName":"l","binaryVersion":"1.0.0-rc.1","emulationVersion":"1.0.0-rc.1+build","strategy":"a/b"}}`, ""},
		{candidatesA, `{"metadata":{"name":"x"},"spec":{"leaseName":"l","binaryVersion":"1.0.0-rc.1","emulationVersion":"1.0.0","strategy":"a/b"}}`,
			"spec.binaryVersion: Invalid value: \"1.0.0-rc.1\": must be greater than or equal to `emulationVersion`"},
		{"/api/v1/namespaces", `{"metadata":{"name":"a.b"}}`, `metadata.name: Invalid value: "a.b": must not contain dots`},
		{"/api/v1/namespaces", `{"metadata":{"name":"` + strings.Repeat("n", 64) + `"}}`, "must be no more than 63 characters"},
	} {
		a := c.ask("POST", test.path+"?dryRun=All", test.body)
		if test.want == "" {
			assert.Equal(t, 201, a.Status, "%s: %s", test.body, a.Message)
			continue
		}
		assert.Equal(t, 422, a.Status, test.body)
		assert.Contains(t, a.Message, test.want)
	}
}

// The server validates an update twice, by the common rules and by the resource's; labels even three times. The message
// omits duplicates.
func TestFaultsOfUpdatesStandTwice(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	r := c.do("PUT", leasesA+"/a", `{"metadata":{"name":"a","resourceVersion":"4","labels":{"a":"-"}}}`)
	assert.Equal(t, 422, r.Status)
	assert.Equal(t, 3, strings.Count(string(r.Body), `"reason":"FieldValueInvalid"`), "%s", r.Body)
	assert.NotContains(t, string(r.Body), `is invalid: [`)
}

// Create and replace check a request in a fixed order and report the first error.
func TestOrderOfFaults(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	big := strings.Repeat(" ", 3<<20+1)
	for _, test := range []struct {
		method, target, body, media string
		want                        int
	}{
		{"POST", leasesA + "?dryRun=x", big, "text/plain", 415},
		{"POST", leasesA + "?dryRun=x", big, "application/json", 413},
		{"POST", leasesA + "?dryRun=x", "{", "application/json", 422},
		{"POST", leasesA, "{", "application/json", 400},
		{"PUT", leasesA + "/a?dryRun=x", big, "text/plain", 413},
		{"PUT", leasesA + "/a?dryRun=x", "{", "text/plain", 422},
		{"PUT", leasesA + "/a", "{", "text/plain", 415},
		{"PUT", leasesA + "/a", "{", "application/json", 400},
	} {
		assert.Equal(t, test.want, c.ask(test.method, test.target, test.body, "content-type", test.media).Status, "%s %s", test.method, test.target)
	}
	assert.Contains(t, c.ask("PUT", leasesA+"/a", `{"metadata":{"name":"b","namespace":"c"}}`).Message, "namespace")
	// A create checks resourceVersion last, and not at all if it stores nothing.
	assert.Equal(t, 422, c.ask("POST", leasesA, `{"metadata":{"name":"A","resourceVersion":"5"}}`).Status)
	assert.Equal(t, 500, c.ask("POST", leasesA, `{"metadata":{"name":"a","resourceVersion":"5"}}`).Status)
	assert.Equal(t, 201, c.ask("POST", leasesA+"?dryRun=All", `{"metadata":{"name":"b","resourceVersion":"5"}}`).Status)
	assert.Equal(t, 201, c.ask("POST", leasesA, `{"metadata":{"name":"b","resourceVersion":"abc"}}`).Status)
}

// The server parses the media type of a body as mime.ParseMediaType does.
func TestMediaOfBodies(t *testing.T) {
	c := newClient(t)
	for media, want := range map[string]int{
		"": 201, "application/json;charset=utf-8": 201, ` Application/JSON ; a="b;c" ; d=e `: 201, "application/json;": 201,
		"application/json; charset": 415, "application/json;a=1;a=2": 415, `application/json;a="`: 415, "application/json,text/plain": 415, "json": 415, "*/*": 415,
	} {
		assert.Equal(t, want, c.ask("POST", leasesA+"?dryRun=All", `{"metadata":{"name":"a"}}`, "content-type", media).Status, media)
	}
}

// The server cannot convert a body of another registered kind. A body of an unknown kind is not registered.
func TestKindsOfBodies(t *testing.T) {
	c := newClient(t)
	for body, want := range map[string]string{
		`{"kind":"Pod","apiVersion":"v1"}`:                                                    "converting (v1.Pod) to (coordination.Lease): unknown conversion",
		`{"KIND":"PodList","ApiVersion":"v1"}`:                                                "converting (v1.PodList) to (coordination.Lease)",
		`{"kind":"DeleteOptions","apiVersion":"coordination.k8s.io/v1beta1"}`:                 "converting (v1.DeleteOptions) to (coordination.Lease)",
		`{"kind":"LeaseCandidate","apiVersion":"coordination.k8s.io/v1alpha2"}`:               "converting (v1alpha2.LeaseCandidate) to (coordination.Lease)",
		`{"kind":"LeaseCandidate","apiVersion":"coordination.k8s.io/v1alpha1"}`:               `no kind "LeaseCandidate" is registered for version "coordination.k8s.io/v1alpha1"`,
		`{"kind":"Lease","apiVersion":"example.com/"}`:                                        `Lease in version "" cannot be handled as a Lease: Object 'apiVersion' is missing in '{"kind":"Lease","apiVersion":"example.com/"}'`,
		`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1beta1","spec":{"renewTime":""}}`: `Lease in version "v1beta1" cannot be handled as a Lease: parsing time`,
		`{"kind":"FlowSchema","apiVersion":"flowcontrol.apiserver.k8s.io/v1beta3"}`:           `no kind "FlowSchema" is registered`,
	} {
		a := c.ask("POST", leasesA, body)
		assert.Equal(t, 400, a.Status, body)
		assert.Contains(t, a.Message, want)
	}
	for _, body := range []string{`{"apiVersion":"/"}`, `{"apiVersion":"coordination.k8s.io/"}`, `{"kind":null,"apiVersion":null}`} {
		assert.Contains(t, c.ask("POST", leasesA, body).Message, "metadata.name: Required value", body)
	}
}

// The server completes generateName, and its conflict has another text when it could not find a free name.
func TestGeneratedNames(t *testing.T) {
	c := newClient(t)
	c.lease("a")
	a := c.ask("POST", leasesA, `{"metadata":{"generateName":"`+strings.Repeat("x", 70)+`"}}`)
	assert.Len(t, a.Metadata.Name, 63)
	r := c.do("POST", leasesA, `{"metadata":{"name":"a","generateName":"a"}}`)
	assert.Equal(t, 409, r.Status)
	assert.Equal(t, "1", r.Get("retry-after"))
	assert.Contains(t, string(r.Body), "already exists, the server was not able to generate a unique name for the object")
	c.make(leasesA, `{"metadata":{"name":"going","finalizers":["a.example/b"]}}`)
	c.do("DELETE", leasesA+"/going", "")
	assert.Equal(t, `object is being deleted: leases.coordination.k8s.io "going" already exists`, c.ask("POST", leasesA, `{"metadata":{"name":"going"}}`).Message)
}

// The server drops duplicate owner references with a warning; only completely equal references are duplicates.
func TestRepeatedOwners(t *testing.T) {
	c := newClient(t)
	const owner = `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}`
	r := c.do("POST", leasesA, `{"metadata":{"name":"a","ownerReferences":[`+owner+`,`+owner+`,`+strings.Replace(owner, `"p"`, `"q"`, 1)+`]}}`)
	assert.Equal(t, 2, strings.Count(string(r.Body), `"kind":"Pod"`), "%s", r.Body)
	assert.Contains(t, r.Get("warning"), "duplicate UID(s) observed: u")
}

// The manager's name is the start of User-Agent, shortened and without unprintable characters.
func TestManagers(t *testing.T) {
	c := newClient(t)
	for agent, want := range map[string]string{
		"a\x00b\x7f/1": "ab", strings.Repeat("é", 80): strings.Repeat("é", 64), "/": "unknown", "x y (z)": "x y (z)",
	} {
		r := c.do("POST", leasesA+"?dryRun=All", `{"metadata":{"name":"a"},"spec":{"holderIdentity":"h"}}`, "user-agent", agent)
		assert.Contains(t, string(r.Body), `"manager":"`+want+`"`, agent)
	}
}

// v1alpha1 of a candidate has a list of strategies. A list of one is the newer versions' strategy; the server keeps a
// longer list, and the newer versions show its first.
func TestStrategiesOfVersions(t *testing.T) {
	c := newClient(t, func(config *apiserver.Config) { config.Versions = []string{"v1beta1", "v1alpha1"} })
	spec := func(strategies string) string {
		return `"spec":{"leaseName":"l","binaryVersion":"1.2.3","emulationVersion":"1.2.0",` + strategies + `}}`
	}
	c.make(candidatesA, `{"metadata":{"name":"one"},`+spec(`"strategy":"a/b"`))
	c.make(oldestA, `{"metadata":{"name":"single"},`+spec(`"preferredStrategies":["a/b"]`))
	c.make(oldestA, `{"metadata":{"name":"several"},`+spec(`"preferredStrategies":["OldestEmulationVersion","a/b"]`))
	for _, name := range []string{"one", "single"} {
		assert.Contains(t, string(c.do("GET", oldestA+"/"+name, "").Body), spec(`"preferredStrategies":["a/b"]`))
		assert.Contains(t, string(c.do("GET", candidatesA+"/"+name, "").Body), spec(`"strategy":"a/b"`))
	}
	assert.Contains(t, string(c.do("GET", oldestA+"/several", "").Body), spec(`"preferredStrategies":["OldestEmulationVersion","a/b"]`))
	assert.Contains(t, string(c.do("GET", candidatesA+"/several", "").Body), spec(`"strategy":"OldestEmulationVersion"`))
	assert.Contains(t, string(c.do("GET", candidatesA, "").Body), spec(`"strategy":"OldestEmulationVersion"`))

	a := c.ask("GET", candidatesA+"/several", "")
	replaced := c.ask("PUT", candidatesA+"/several", `{"metadata":{"name":"several","resourceVersion":"`+a.Metadata.ResourceVersion+`"},`+spec(`"strategy":"c/d"`))
	assert.Equal(t, 200, replaced.Status, replaced.Message)
	assert.Contains(t, string(c.do("GET", oldestA+"/several", "").Body), spec(`"preferredStrategies":["c/d"]`))

	a = c.ask("POST", oldestA, `{"metadata":{"name":"x"},"spec":{"leaseName":"l","preferredStrategies":["OldestEmulationVersion","x"]}}`)
	assert.Contains(t, a.Message, "[spec.binaryVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion', "+
		"spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion', spec.preferredStrategies[1].strategy: Unsupported value: \"x\"")
	a = c.ask("POST", oldestA, `{"metadata":{"name":"x"},"spec":{"leaseName":"l"}}`)
	assert.Contains(t, a.Message, "spec.preferredStrategies: Required value: must contain at least one strategy")
}
