package apiserver_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
	"github.com/leaselab/leaselab/sim/serve/rbac"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// serverErrors lists every answer of 500 and above that kube-apiserver gives too. A named case was recorded.
var serverErrors = []struct {
	code          int
	text, because string
}{
	{500, `^resourceVersion should not be set on objects to be created$`, "a POST with a revision (lease-create)"},
	{500, `^strconv\.ParseUint: parsing ".*": (invalid syntax|value out of range)$`, "a revision that is not a number in PUT and PATCH (lease-update)"},
	{500, `^resourceVersion: Invalid value: ".*": strconv\.ParseUint: parsing ".*": (invalid syntax|value out of range)$`, "the same in GET of one and watch (lease-resourceversion)"},
	{500, `^failed to create typed patch object \(`, "an apply of an unknown field or a value of a wrong type (lease-apply)"},
	{500, `^failed to convert new object \(`, "apply of a number or an instant that cannot be read (lease-apply)"},
	{500, `^failed to convert new object: `, "the same where a manager of another version owns a field (candidate-versions)"},
	{500, `^failed to prune fields: failed `, "the same where the manager applied in another version before (candidate-versions)"},
	{500, `^invalid key: "/`, "a namespace of dots (lease-names)"},
	{500, `^Internal error occurred: invalid resource name `, "a create in a namespace whose name cannot be part of a key (lease-names)"},
	{500, `^failed to decode managed fields: `, "apply to an object whose entries cannot be read; apimachinery fieldmanager.go Apply"},
	{500, `^unknown patch type: `, "an unknown directive in a strategic merge patch (lease-patch)"},
	{500, `^map: .* does not contain declared merge key: `, "an object without its key in a list under a strategic merge patch; strategicpatch patch.go"},
	{500, `^expected a .*, but received a `, "a value of another kind under a directive; strategicpatch patch.go, mergepatch errors.go ErrBadArgType"},
	{500, `^list element types are not identical: `, "mixed lists under a strategic merge patch; strategicpatch patch.go sliceElementType"},
	{500, `^no elements in any of the given slices$`, "the same of empty lists"},
	{500, `^cannot merge lists without merge key for `, "objects in a list of scalars under a strategic merge patch"},
	{500, `^merging lists cannot yet be specified in the patch$`, "$patch: merge in a list"},
	{500, `^value for key \d+ is not a map$`, "a scalar in a list of objects under a strategic merge patch"},
	{500, `^merging an object in json but data type is not struct, instead is: `, "an object below a value that is not an object; forked/golang/json fields.go"},
	{500, `^unable to find api field in struct `, "an unknown field of two lists or objects under a strategic merge patch; the same"},
	{500, `^expected slice or array type, but got: `, "a list directive for a value that is not a list; the same"},
	{500, `^The order in patch list:\n`, "items in another order than $setElementOrder; strategicpatch patch.go validatePatchWithSetOrderList"},
	{500, `^The value of \$setElementOrder `, "the same"},
	{500, `^Invalid JSON Document$`, "a merge patch of a value that is not an object; json-patch v4 merge.go"},
	{500, `^This request caused apiserver to panic\. Look in the logs for details\.\n$`, "patches on which upstream panics (lease-patch)"},
	{500, `^(invalid|unable|unknown|expected).*watch`, "GET …/v1/watch, as text (lease-watch-legacy)"},
	{504, `^Timeout: Too large resource version: \d+, current: \d+$`, "a read of a future revision (lease-resourceversion)"},
}

func init() {
	for i := range serverErrors {
		compiled = append(compiled, regexp.MustCompile("(?s)"+serverErrors[i].text))
	}
}

var (
	compiled  []*regexp.Regexp
	documents = openapi.Documents()
)

func knownServerError(code int, message string) bool {
	for i, known := range serverErrors {
		if known.code == code && compiled[i].MatchString(message) {
			return true
		}
	}
	return false
}

// fuzzServer returns a server with objects of every kind.
func fuzzServer(mode byte) *apiserver.Server {
	config := apiserver.Config{
		Coordinated: mode&1 == 0, Versions: []string{"v1beta1", "v1alpha2"}, Seed: 1, FirstRevision: 5, KeptEvents: 64, YAML: yaml.YAMLToJSON, OpenAPI: documents,
		StrictYAML: func(data []byte) error {
			_, err := yaml.YAMLToJSONStrict(data)
			return err
		},
	}
	if mode&2 != 0 {
		config.Versions = []string{"v1alpha1"}
	}
	if mode&4 != 0 {
		users := rbac.Config{Users: map[string]rbac.User{exchange.Token: rbac.Admin()}, Policy: rbac.Defaults(), Anonymous: mode&8 != 0}
		authority := rbac.New(users)
		config.Guard, config.Reviews = authority.Guard, authority.Reviews()
	}
	s := apiserver.New(config)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, object := range []string{
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns-a"}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"going","deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["f/a"]},"status":{"phase":"Terminating"}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","namespace":"ns-a","labels":{"a":"1"},"annotations":{"a":"1"},"finalizers":["f/a","f/b"],
			"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},"spec":{"holderIdentity":"h","leaseTransitions":1,"renewTime":"2026-01-01T00:00:00.000000Z"}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"y","namespace":"ns-a"},"spec":{}}`,
		`{"apiVersion":"coordination.k8s.io/v1beta1","kind":"LeaseCandidate","metadata":{"name":"c","namespace":"ns-a"},
			"spec":{"leaseName":"x","binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"OldestEmulationVersion"}}`,
	} {
		if err := s.Load(at, []byte(object)); err != nil {
			panic(err)
		}
	}
	return s
}

// FuzzHandle sends any request to any path, twice. Every answer is readable and the same from two equal servers, and it
// is a server error only where kube-apiserver has one. Its cost is bounded, and where target, headers or body have
// parts for bounded.Repeat, the cost grows no faster than n·log(n).
func FuzzHandle(f *testing.F) {
	cases, err := exchange.Cases()
	require.NoError(f, err)
	names := strings.NewReplacer("ns-b", "ns-a", "<rv:1>", "7", "<rv:2>", "8")
	for i := range cases {
		for n, step := range cases[i].Steps {
			target := names.Replace(step.Path)
			for k, q := range step.Query {
				target += []string{"?", "&"}[min(k, 1)] + url.QueryEscape(q[0]) + "=" + url.QueryEscape(names.Replace(q[1]))
			}
			if len(step.Body) > 4000 || testing.Short() && (i+n)%5 != 0 {
				continue // TestRecordedExchanges sends all of them
			}
			headers := ""
			for _, name := range []string{"Accept", "Content-Type", "User-Agent"} {
				if value, has := step.Header[strings.ToLower(name)]; has {
					headers += name + ": " + value + "\n"
				} else if value, has := step.Header[name]; has {
					headers += name + ": " + value + "\n"
				}
			}
			f.Add(byte(0), step.Method, target, headers, names.Replace(step.Body))
		}
	}
	f.Add(byte(7), "GET", leasesA+"?watch=1&timeoutSeconds=3&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan", "authorization: Bearer "+exchange.Token, "")
	f.Add(byte(2), "POST", "/apis/coordination.k8s.io/v1alpha1/namespaces/ns-a/leasecandidates", "content-type: application/yaml", "spec: {leaseName: x, preferredStrategies: [a/b]}")
	for _, seed := range grownRequests {
		f.Add(byte(0), seed.method, seed.target, seed.headers, seed.body)
	}
	f.Fuzz(func(t *testing.T, mode byte, method, target, headers, body string) {
		if bounded.Repeats(target+bounded.End+headers+bounded.End+body) && !testing.Short() {
			bounded.Growth(t, 128, 1024, func(n int) func() {
				s, now := fuzzServer(mode), time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
				r := requestOf(method, bounded.Repeat(target, n), bounded.Repeat(headers, n), bounded.Repeat(body, n))
				s.Handle(now, r) // grows with n
				return func() { s.Handle(now, r) }
			})
		}
		target, headers, body = bounded.Repeat(target, 3), bounded.Repeat(headers, 3), bounded.Repeat(body, 3)
		r := requestOf(method, target, headers, body)
		run := func() string {
			s, now := fuzzServer(mode), time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
			all := ""
			for range 2 { // the second round meets what the first has stored
				sent := *r
				sent.Body = slices.Clone(r.Body)
				answer := s.Handle(now, &sent)
				readable(t, r, answer)
				all += string(answer.Body)
				if w := answer.Watch; w != nil {
					for range 8 {
						frames, ended := s.Poll(now, w)
						for _, frame := range frames {
							require.True(t, json.Valid(frame), "%s", frame)
							all += string(frame)
						}
						if ended {
							break
						}
						if due := s.NextDeadline(w); due.After(now) {
							now = due
						}
					}
				}
				now = now.Add(time.Second)
			}
			read := apiserver.Request{Method: "GET", Path: leasesA, Header: map[string]string{"authorization": "Bearer " + exchange.Token}}
			list := s.Handle(now, &read)
			require.Equal(t, 200, list.Status, "%s", list.Body)
			require.True(t, json.Valid(list.Body), "%s", list.Body)
			return all + string(list.Body)
		}
		answers := func() (all string) {
			handleCost.Do(t, len(target)+len(headers)+len(body), func() { all = run() })
			return all
		}
		require.Equal(t, answers(), answers())
	})
}

// requestOf returns a request; headers has one header per line.
func requestOf(method, target, headers, body string) *apiserver.Request {
	r := &apiserver.Request{Method: method, Body: []byte(body), Header: map[string]string{}}
	r.Path, r.Query, _ = apiserver.ParseTarget(target)
	for _, line := range strings.Split(headers, "\n") {
		if name, value, is := strings.Cut(line, ":"); is {
			r.Header[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
		}
	}
	return r
}

// handleCost bounds what a server with a few objects, two requests and a list may allocate.
var handleCost = bounded.Limit{Fixed: 4 << 20, PerByte: 400}

// grownRequests are requests with parts for bounded.Repeat.
var grownRequests = []struct{ method, target, headers, body string }{
	{"POST", leasesA, "", `{"metadata":{"name":"n","finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}`},
	{"POST", leasesA, "", `{"metadata":{"name":"n","finalizers":[` + bounded.List + `"-` + bounded.Index + `"` + bounded.End + `]}}`},
	{"POST", leasesA, "", `{"metadata":{"name":"n","labels":{` + bounded.List + `"-` + bounded.Index + `":"-"` + bounded.End + `}}}`},
	{"POST", leasesA, "", `{"metadata":{"name":"n","annotations":{` + bounded.List + `"-` + bounded.Index + `":"-"` + bounded.End + `}}}`},
	{"POST", leasesA, "", `{"metadata":{"name":"n","ownerReferences":[` + bounded.List + `{"uid":"` + bounded.Index + `"}` + bounded.End + `]}}`},
	{"POST", leasesA, "", `{"metadata":{"name":"n","managedFields":[` + bounded.List + `{"manager":"` + bounded.Index + `","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}` + bounded.End + `]}}`},
	{"POST", leasesA, "", `{` + bounded.List + `"u` + bounded.Index + `":1` + bounded.End + `}`},
	{"POST", leasesA, "", bounded.Chain + `{"a":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End},
	{"POST", leasesA, "content-type: application/yaml", "metadata:\n  name: n\n  finalizers:\n" + bounded.Chain + "  - f/" + bounded.Index + "\n" + bounded.End},
	{"POST", leasesA, "content-type: application/yaml", bounded.Chain + "[" + bounded.End},
	{"PUT", leasesA + "/x", "", `{"metadata":{"name":"x","finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}`},
	{"GET", leasesA + "?labelSelector=a+in+(" + bounded.List + bounded.Index + bounded.End + ")", "", ""},
	{"GET", leasesA + "?labelSelector=" + bounded.List + "l" + bounded.Index + "=-" + bounded.End, "", ""},
	{"GET", leasesA + "?fieldSelector=" + bounded.List + "metadata.name!=" + bounded.Index + bounded.End, "", ""},
	{"GET", leasesA + "?" + bounded.Chain + "&limit=" + bounded.Index + bounded.End, "", ""},
	{"GET", bounded.Chain + "/a" + bounded.Index + bounded.End, "", ""},
	{"GET", leasesA, "accept: " + bounded.List + "application/x" + bounded.Index + ";q=0.5" + bounded.End, ""},
	{"POST", leasesA, "content-type: application/json" + bounded.Chain + ";a" + bounded.Index + "=b" + bounded.End, "{}"},
	{"DELETE", leasesA + "/x", "", `{"dryRun":[` + bounded.List + `"x` + bounded.Index + `"` + bounded.End + `]}`},
}

// parts are the pieces of the recorded requests.
type parts struct{ methods, paths, bodies, accepts, types, names, values []string }

func recordedParts(t testing.TB) *parts {
	cases, err := exchange.Cases()
	require.NoError(t, err)
	p := &parts{methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}, types: []string{jsonPatch, mergePatch, strategicPatch, applyPatch, "application/yaml"}}
	names := strings.NewReplacer("ns-b", "ns-a", "<rv:1>", "7", "<rv:2>", "8", "<rv:3>", "9")
	for i := range cases {
		for _, step := range cases[i].Steps {
			p.paths = append(p.paths, names.Replace(step.Path), leasesA, leasesA+"/x", leasesA+"/y")
			if len(step.Body) < 4000 && step.Body != "" {
				p.bodies = append(p.bodies, names.Replace(step.Body))
			}
			for _, q := range step.Query {
				p.names, p.values = append(p.names, q[0]), append(p.values, names.Replace(q[1]))
			}
			p.accepts, p.types = append(p.accepts, step.Header["accept"]), append(p.types, step.Header["content-type"])
		}
	}
	return p
}

// FuzzRequests recombines recorded requests, methods with other paths, parameters with other values, and sends them to
// one server. Each answer must be what FuzzHandle expects, and every opened watch must stay readable.
func FuzzRequests(f *testing.F) {
	p := recordedParts(f)
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		requestsCost.Do(t, 0, func() { sendMixed(t, p, seed) })
	})
}

// requestsCost bounds what sixty requests of at most 4,000 bytes may allocate.
var requestsCost = bounded.Limit{Fixed: 16 << 20}

func sendMixed(t *testing.T, p *parts, seed uint64) {
	d := rand.New(rand.NewPCG(seed, 1))
	one := func(of []string) string { return of[d.IntN(len(of))] }
	s, now := fuzzServer(byte(d.IntN(2)*2)), time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
	var watches []*apiserver.Watch
	for range 60 {
		now = now.Add(time.Duration(d.IntN(3)) * time.Second)
		r := apiserver.Request{Method: one(p.methods), Header: map[string]string{}}
		r.Path, r.Query, _ = apiserver.ParseTarget(one(p.paths))
		if d.IntN(2) == 0 {
			r.Path = strings.Replace(r.Path, "/v1/", one([]string{"/v1/", "/v1beta1/", "/v1alpha2/", "/v1alpha1/", "/v1/watch/"}), 1)
		}
		for d.IntN(3) > 0 {
			at := d.IntN(len(p.names))
			q := apiserver.Param{Name: p.names[at], Value: p.values[at]}
			if d.IntN(5) == 0 {
				q.Value = one(p.values)
			}
			r.Query = append(r.Query, q)
		}
		if d.IntN(3) > 0 {
			r.Body = []byte(one(p.bodies))
		}
		if d.IntN(2) == 0 {
			r.Header["accept"] = one(p.accepts)
		}
		switch {
		case r.Method == "PATCH":
			r.Header["content-type"] = one(p.types[:4])
		case d.IntN(4) == 0:
			r.Header["content-type"] = one(p.types)
		}
		said := fmt.Sprintf("%s %s %v %v %s", r.Method, r.Path, r.Query, r.Header, r.Body)
		answer := s.Handle(now, &r)
		readable(t, &r, answer)
		if answer.Watch != nil {
			watches = append(watches, answer.Watch)
		}
		for _, w := range watches {
			frames, _ := s.Poll(now, w)
			for _, frame := range frames {
				require.True(t, json.Valid(frame), "%s\n%s", said, frame)
			}
		}
	}
}

// readable checks one answer.
func readable(t *testing.T, r *apiserver.Request, answer apiserver.Response) {
	require.True(t, answer.Status >= 200 && answer.Status < 600, "status %d", answer.Status)
	message := string(answer.Body)
	if strings.HasPrefix(answer.Get("content-type"), "application/json") && len(answer.Body) > 0 && answer.Watch == nil {
		var status struct{ Message string }
		require.NoError(t, json.Unmarshal(answer.Body, &status), "%s", answer.Body)
		message = status.Message
	} else if strings.HasPrefix(answer.Get("content-type"), "application/yaml") {
		var status struct{ Message string }
		require.NoError(t, yaml.Unmarshal(answer.Body, &status), "%s", answer.Body)
		message = status.Message
	}
	if answer.Status >= 500 && r.Method != "HEAD" {
		require.True(t, knownServerError(answer.Status, message), "%d %q", answer.Status, message)
	}
}
