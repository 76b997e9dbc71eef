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
	"github.com/leaselab/leaselab/core/wire"
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

// A server that keeps the JSON of its objects answers as one that keeps none: after creates, updates,
// patches, dry runs and deletions, in both forms of a list, in every version and on a watch.
func TestKeptEncodingsChangeNoAnswer(t *testing.T) {
	requests := 1500
	if testing.Short() {
		requests = 400
	}
	for _, inParts := range []bool{false, true} {
		config := Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, InParts: inParts}
		keeps, forgets := New(config), New(config)
		forgets.encoded.bytes = mostEncodedBytes // it keeps nothing
		both := func(n int, r Request) {
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
				got, _ := keeps.Poll(time.Unix(int64(n), 0), w)
				want, _ := forgets.Poll(time.Unix(int64(n), 0), v)
				assert.Equal(t, want, got)
				frames += len(want)
			}
		}
		assert.Greater(t, frames, requests/15)
		assert.Positive(t, keeps.encoded.bytes)
		assert.Equal(t, mostEncodedBytes, forgets.encoded.bytes)
	}
}

// The memory of all JSON beside trees is bounded.
func TestEncodingsAreBounded(t *testing.T) {
	var e encodings
	json, v := make([]byte, longestEncoded), &leases.versions[0]
	all := make([]kept, 2*mostEncodedBytes/len(json))
	for i := range all {
		e.keep(stored{kept: &all[i]}, leases, v, json)
		require.LessOrEqual(t, e.bytes, mostEncodedBytes)
	}
	for i := range all {
		e.retire(&all[i])
	}
	assert.Zero(t, e.bytes)
	long := stored{kept: &kept{}}
	e.keep(long, leases, v, make([]byte, longestEncoded+1))
	assert.Empty(t, e.of(long, v))
}

// A past version is its JSON, and reads as it was: in a list of the past, in a watch with a selector, and when it was deleted.
func TestPastVersionsReadAsTheyWere(t *testing.T) {
	s, past := New(Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1", "v1alpha1"}}), New(Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1", "v1alpha1"}})
	past.encoded.bytes = mostEncodedBytes // its versions stay trees
	ask := func(r Request) string {
		a, b := s.Handle(time.Unix(0, 0), &r), past.Handle(time.Unix(0, 0), &r)
		require.Equal(t, bodyOf(b), bodyOf(a), "%s %s", r.Method, r.Path)
		return bodyOf(a)
	}
	const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	ask(Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"default"}}`)})
	ask(Request{Method: "POST", Path: path, Body: []byte(`{"metadata":{"name":"l","labels":{"a":"1"},"finalizers":["x/y"]},"spec":{"holderIdentity":"<h>","renewTime":"2026-01-01T00:00:00.000001Z"}}`)})
	first := s.Revision()
	for _, label := range []string{"1", "2", "1"} {
		ask(Request{
			Method: "PATCH", Path: path + "/l", Header: map[string]string{"content-type": "application/apply-patch+yaml"}, Query: []Param{{"fieldManager", "m"}, {"force", "true"}},
			Body: []byte(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l","labels":{"a":"` + label + `"},"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u` + label + `"}]}}`),
		})
	}
	ask(Request{Method: "PATCH", Path: path + "/l", Header: map[string]string{"content-type": mergePatchMedia}, Body: []byte(`{"metadata":{"finalizers":null}}`)})
	ask(Request{Method: "DELETE", Path: path + "/l"})

	events := s.store.After(first-1, 100)
	require.Greater(t, len(events), 4)
	for i, was := range past.store.After(first-1, 100) {
		if was.New == nil {
			continue
		}
		require.Nil(t, events[i].New.Value.tree, "the past is JSON")
		require.Equal(t, encodedSets(was.New.Value.tree), encodedSets(events[i].New.Value.read()))
	}
	for _, query := range [][]Param{nil, {{"labelSelector", "a=1"}}, {{"fieldSelector", "metadata.name=l"}}} {
		from := Param{"resourceVersion", fmt.Sprint(first)}
		ask(Request{Method: "GET", Path: path, Query: append([]Param{from, {"resourceVersionMatch", "Exact"}}, query...)})
		for _, accept := range []string{"", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"} {
			r := Request{Method: "GET", Path: path, Query: append([]Param{{"watch", "1"}, from}, query...), Header: map[string]string{"accept": accept}}
			v, w := s.Handle(time.Unix(0, 0), &r).Watch, past.Handle(time.Unix(0, 0), &r).Watch
			got, _ := s.Poll(time.Unix(0, 0), v)
			want, _ := past.Poll(time.Unix(0, 0), w)
			require.NotEmpty(t, want)
			assert.Equal(t, want, got, "%v %s", query, accept)
		}
	}
}

// A list that the server has kept is the one that it would make: it is of the newest revision, the namespace and the version asked
// for, and a list that asks for anything else is another.
func TestKeptListsAreCurrent(t *testing.T) {
	s := New(Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, InParts: true})
	const path = "/apis/coordination.k8s.io/v1"
	ask := func(r Request) string {
		answer := s.Handle(time.Unix(0, 0), &r)
		return bodyOf(answer)
	}
	for _, namespace := range []string{"a", "b"} {
		ask(Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"` + namespace + `"}}`)})
		for i := range partItems + 1 {
			body := fmt.Appendf(nil, `{"metadata":{"name":"l%d"},"spec":{"holderIdentity":"h"}}`, i)
			ask(Request{Method: "POST", Path: path + "/namespaces/" + namespace + "/leases", Body: body})
			body = fmt.Appendf(nil, `{"metadata":{"name":"l%d"},"spec":{"leaseName":"x","binaryVersion":"1.0.0","emulationVersion":"1.0.0","strategy":"OldestEmulationVersion"}}`, i)
			ask(Request{Method: "POST", Path: path + "beta1/namespaces/" + namespace + "/leasecandidates", Body: body})
		}
	}
	both := func(what string, r Request, keeps bool) {
		s.encoded.lists = nil
		want := ask(r)
		require.Equal(t, keeps, len(s.encoded.lists) == 1, what)
		for _, other := range []string{"/leases", "beta1/leasecandidates", "alpha2/leasecandidates", "/namespaces/a/leases", "/namespaces/b/leases"} {
			ask(Request{Method: "GET", Path: path + other})
		}
		require.LessOrEqual(t, len(s.encoded.lists), mostLists, what)
		assert.Equal(t, want, ask(r), what)
		assert.Equal(t, want, ask(r), what)
	}
	all := Request{Method: "GET", Path: path + "/leases"}
	both("all namespaces", all, true)
	both("one namespace", Request{Method: "GET", Path: path + "/namespaces/b/leases"}, true)
	both("another version", Request{Method: "GET", Path: path + "alpha2/leasecandidates"}, true)
	both("revision 0", Request{Method: "GET", Path: all.Path, Query: []Param{{"resourceVersion", "0"}, {"limit", "7"}}}, true)
	both("a page", Request{Method: "GET", Path: all.Path, Query: []Param{{"limit", "150"}}}, false)
	both("a selection", Request{Method: "GET", Path: all.Path, Query: []Param{{"fieldSelector", "metadata.name!=l1"}}}, false)
	both("a table", Request{Method: "GET", Path: all.Path, Header: map[string]string{"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}}, false)
	both("indented", Request{Method: "GET", Path: all.Path, Query: []Param{{"pretty", "true"}}}, false)

	before := ask(all)
	ask(Request{Method: "PUT", Path: path + "/namespaces/b/leases/l7", Body: []byte(`{"metadata":{"name":"l7","resourceVersion":"` + fmt.Sprint(liveRevision(s, "b", "l7")) + `"},"spec":{"holderIdentity":"new"}}`)})
	after := ask(all)
	assert.NotContains(t, before, `"holderIdentity":"new"`)
	assert.Contains(t, after, `"holderIdentity":"new"`)
	assert.Len(t, s.encoded.lists, 1)
}

func liveRevision(s *Server, namespace, name string) int64 {
	e, _ := s.store.Get(leases.key(namespace, name))
	return e.Revision
}

// encodedSets is the JSON of an object: of a field set, a tree and its JSON are the same.
func encodedSets(o object) string { return string(wire.Encode(nil, o, leases.stored().kind)) }
