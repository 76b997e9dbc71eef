package apiserver_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzLoad loads any document as an object of a fixture. The server refuses it, or serves it in every version; loading
// it twice fails.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n","namespace":"ns-keep","uid":"u","creationTimestamp":"2020-01-01T00:00:00Z","labels":{"a":"1"}},"spec":{"holderIdentity":"h","strategy":"x"}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n","resourceVersion":"7","managedFields":[{"manager":"m","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n","managedFields":[{}]},"spec":{"renewTime":"2026-01-01T00:00:00.000001Z","leaseDurationSeconds":-1}}`,
		`{"apiVersion":"coordination.k8s.io/v1beta1","kind":"LeaseCandidate","metadata":{"name":"c"},"spec":{"leaseName":"n","binaryVersion":"1.36.0","strategy":"OldestEmulationVersion"}}`,
		`{"apiVersion":"coordination.k8s.io/v1alpha1","kind":"LeaseCandidate","metadata":{"name":"c"},"spec":{"leaseName":"n","preferredStrategies":["a/b","c/d"]}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n","deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["f/a"]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"}}`, `{"kind":"Lease"}`, `[]`, `null`, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"../x","namespace":".."}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n","finalizers":[` + bounded.List + `"-` + bounded.Index + `"` + bounded.End + `]}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n","labels":{` + bounded.List + `"-` + bounded.Index + `":"-"` + bounded.End + `}}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease",` + bounded.List + `"u` + bounded.Index + `":1` + bounded.End + `}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":` + bounded.Chain + `{"metadata":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End + `}`,
	} {
		f.Add([]byte(seed))
	}
	cost := bounded.Limit{Fixed: 4 << 20, PerByte: 200}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, data []byte) {
		server := func() *apiserver.Server {
			s := apiserver.New(apiserver.Config{Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, Seed: 1})
			for _, name := range []string{"default", "ns-keep"} {
				require.NoError(t, s.Load(now, []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+name+`"}}`)))
			}
			return s
		}
		if bounded.Repeats(string(data)) && !testing.Short() {
			bounded.Growth(t, 128, 1024, func(n int) func() {
				s, large := server(), []byte(bounded.Repeat(string(data), n))
				return func() { _ = s.Load(now, large) }
			})
		}
		data = []byte(bounded.Repeat(string(data), 3))
		cost.Do(t, len(data), func() {
			s := server()
			before := s.Revision()
			if err := s.Load(now, data); err != nil {
				require.NotEmpty(t, err.Error())
				require.Equal(t, before, s.Revision(), "a refused object is not stored: %s", err)
				return
			}
			require.Error(t, s.Load(now, data), "twice")
			candidates := countListed(t, s, now, "/apis/coordination.k8s.io/v1beta1/leasecandidates")
			require.Equal(t, candidates, countListed(t, s, now, "/apis/coordination.k8s.io/v1alpha2/leasecandidates"))
			items := candidates + countListed(t, s, now, "/api/v1/namespaces") + countListed(t, s, now, "/apis/coordination.k8s.io/v1/leases")
			require.Equal(t, int64(items), s.Revision()-before+2, "no version serves it")
		})
	})
}

// countListed lists a target, checks the members that every object has, and returns the number of objects.
func countListed(t *testing.T, s *apiserver.Server, now time.Time, target string) int {
	answer := s.Handle(now, &apiserver.Request{Method: "GET", Path: target})
	require.Equal(t, 200, answer.Status, "%s", answer.Body)
	var list struct{ Items []json.RawMessage }
	require.NoError(t, json.Unmarshal(answer.Body, &list), "%s", answer.Body)
	for _, item := range list.Items {
		var o struct {
			Metadata struct{ Name, Namespace, UID, ResourceVersion, CreationTimestamp string }
		}
		require.NoError(t, json.Unmarshal(item, &o), "%s", item)
		require.True(t, o.Metadata.Name != "" && o.Metadata.UID != "" && o.Metadata.ResourceVersion != "" && o.Metadata.CreationTimestamp != "", "%s", item)
	}
	return len(list.Items)
}
