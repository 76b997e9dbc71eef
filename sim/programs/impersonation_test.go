package programs_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// A request for a resource that impersonates is refused, by any of the headers and for every sender; discovery is answered.
func TestImpersonationIsRefused(t *testing.T) {
	front := &programs.Front{Names: []string{"a"}, Others: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}
	for _, c := range []struct {
		path, header string
		want         int
	}{
		{"/apis/coordination.k8s.io/v1/leases", "Impersonate-User", http.StatusForbidden},
		{"/apis/coordination.k8s.io/v1/leases", "Impersonate-Group", http.StatusForbidden},
		{"/apis/coordination.k8s.io/v1/leases", "Impersonate-Extra-Scopes", http.StatusForbidden},
		{"/api/v1/namespaces", "Impersonate-Uid", http.StatusForbidden},
		{incoming.NodesPath + "a/api/v1/namespaces", "Impersonate-User", http.StatusForbidden},
		{"/apis/coordination.k8s.io/v1", "Impersonate-User", http.StatusTeapot},
		{"/api/v1", "Impersonate-User", http.StatusTeapot},
		{"/apis/coordination.k8s.io/v1/leases", "X-Other", http.StatusTeapot},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Header.Set(c.header, "bob")
		w := httptest.NewRecorder()
		front.ServeHTTP(w, r)
		assert.Equal(t, c.want, w.Code, "%s %s", c.path, c.header)
		if c.want != http.StatusForbidden {
			continue
		}
		var status struct{ Kind, Reason, Message string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &status))
		assert.Equal(t, "Status Forbidden", status.Kind+" "+status.Reason)
		assert.Contains(t, status.Message, "nobody may impersonate here")
	}
}
