package apiserver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// A body that the caller has parsed gets the answer of the body alone.
func TestParsedBodies(t *testing.T) {
	const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	for _, body := range []string{
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","resourceVersion":"RV"},"spec":{"holderIdentity":"b","leaseDurationSeconds":15}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","resourceVersion":"RV","generation":0,"labels":{}},"spec":{"holderIdentity":""}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","resourceVersion":"1"}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":{"holderIdentity":7}}`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"other"}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"}}`,
		`{"metadata":{"name":"x","unknown":1}}`,
	} {
		answer := func(parsed bool) apiserver.Response {
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			s := apiserver.New(apiserver.Config{Seed: 1})
			s.Place(apiserver.Change{Key: apiserver.NamespaceKey("default"), Revision: 1, Object: wire.Map{"metadata": wire.Map{"name": "default"}}})
			header := map[string]string{"content-type": "application/json"}
			created := s.Handle(now, &apiserver.Request{Method: "POST", Path: path, Header: header, Body: []byte(`{"metadata":{"name":"x"},"spec":{"holderIdentity":"a"}}`)})
			require.Equal(t, 201, created.Status, string(created.Body))
			n, err := wire.Parse([]byte(body))
			require.NoError(t, err)
			tree, _ := wire.Tree(n).(wire.Map)
			if wire.Text(tree, "metadata", "resourceVersion") == "RV" {
				m, err := wire.Parse(created.Body)
				require.NoError(t, err)
				live, _ := wire.Tree(m).(wire.Map)
				wire.Set(tree, wire.Text(live, "metadata", "resourceVersion"), "metadata", "resourceVersion")
			}
			r := &apiserver.Request{Method: "PUT", Path: path + "/x", Header: header, Body: wire.Encode(nil, tree, nil)}
			if parsed {
				r.Parsed = tree
			}
			return s.Handle(now.Add(time.Second), r)
		}
		want, got := answer(false), answer(true)
		assert.Equal(t, want.Status, got.Status, body)
		assert.Equal(t, string(want.Body), string(got.Body), body)
	}
}
