//go:build !page

package apiserver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/random"
)

// bodyOf returns the whole body of an answer.
func bodyOf(answer Response) string {
	if answer.Parts == nil {
		return string(answer.Body)
	}
	var all strings.Builder
	for part := range answer.Parts {
		all.Write(part)
	}
	return all.String()
}

// A server that keeps the JSON of its objects answers as one that forgets it before each request: after creates, updates,
// patches, dry runs and deletions, in both forms of a list, in every version and on a watch.
func TestKeptEncodingsChangeNoAnswer(t *testing.T) {
	requests := 1500
	if testing.Short() {
		requests = 400
	}
	for _, inParts := range []bool{false, true} {
		config := Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, InParts: inParts}
		keeps, forgets := New(config), New(config)
		both := func(n int, r Request) {
			forgets.encoded = encodings{}
			now := time.Unix(int64(n), 0)
			a, b := keeps.Handle(now, &r), forgets.Handle(now, &r)
			require.Equal(t, b.Status, a.Status, "%d: %s %s", n, r.Method, r.Path)
			require.Equal(t, bodyOf(b), bodyOf(a), "%d: %s %s", n, r.Method, r.Path)
		}
		both(0, Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"default"}}`)})
		lists := map[string]string{
			"v1":       "/apis/coordination.k8s.io/v1/namespaces/default/leases",
			"v1beta1":  "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates",
			"v1alpha2": "/apis/coordination.k8s.io/v1alpha2/namespaces/default/leasecandidates",
		}
		versions := []string{"v1", "v1beta1", "v1alpha2"}
		watch := Request{Method: "GET", Path: lists["v1"], Query: []Param{{"watch", "1"}, {"resourceVersion", "0"}}}
		w, v := keeps.Handle(time.Unix(0, 0), &watch).Watch, forgets.Handle(time.Unix(0, 0), &watch).Watch
		stream, frames := random.New(1), 0
		for n := range requests {
			version := versions[stream.Uint64()%3]
			one := lists[version] + fmt.Sprintf("/l%d", stream.Uint64()%150)
			spec := fmt.Sprintf(`"holderIdentity":"h%d"`, stream.Uint64()%1000)
			if version != "v1" {
				spec = fmt.Sprintf(`"leaseName":"x","binaryVersion":"1.%d.0","emulationVersion":"1.0.0","strategy":"OldestEmulationVersion"`, stream.Uint64()%1000)
			}
			body := []byte(fmt.Sprintf(`{"metadata":{"name":%q},"spec":{%s}}`, one[strings.LastIndex(one, "/")+1:], spec))
			r := Request{Method: "GET", Path: one}
			switch stream.Uint64() % 12 {
			case 0, 1, 2, 3:
				r.Method, r.Path, r.Body = "POST", lists[version], body
			case 4, 5, 6:
				r.Method, r.Body, r.Header = "PATCH", body, map[string]string{"content-type": mergePatchMedia}
			case 7:
				r.Method, r.Body, r.Header, r.Query = "PATCH", body, map[string]string{"content-type": mergePatchMedia}, []Param{{"dryRun", "All"}}
			case 8:
				r.Method = "DELETE"
			case 9, 10:
				r.Path = lists[version]
			}
			both(n+1, r)
			if n%50 == 0 {
				forgets.encoded = encodings{}
				got, _ := keeps.Poll(time.Unix(int64(n), 0), w)
				want, _ := forgets.Poll(time.Unix(int64(n), 0), v)
				assert.Equal(t, want, got)
				frames += len(want)
			}
		}
		assert.Greater(t, frames, requests/15)
		assert.NotEmpty(t, keeps.encoded.by)
		assert.Positive(t, keeps.encoded.bytes)
	}
}

// The memory of all kept JSON is bounded.
func TestEncodingsAreBounded(t *testing.T) {
	var e encodings
	json, v := make([]byte, longestEncoded), &leases.versions[0]
	for n := range 2 * mostEncodedBytes / len(json) {
		e.keep(stored{revision: int64(n), key: fmt.Sprint(n)}, v, json)
		require.LessOrEqual(t, e.bytes, mostEncodedBytes+len(json))
		require.Equal(t, len(e.by)*len(json), e.bytes)
	}
	e.keep(stored{revision: 1, key: "long"}, v, make([]byte, longestEncoded+1))
	assert.Nil(t, e.of(stored{revision: 1, key: "long"}, v))
}
