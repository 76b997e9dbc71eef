package incoming_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// A request is attributed by its path, its header, its token or its user agent; credentials do not reach the API.
func TestNodeOf(t *testing.T) {
	for _, c := range []struct{ path, name, value, want, rest string }{
		{"/leaselab/nodes/a/api/v1", "", "", "a", "/api/v1"},
		{"/leaselab/nodes/a", "", "", "a", "/"},
		{"/leaselab/nodes/", "", "", "", "/leaselab/nodes/"},
		{"/api/v1", "X-Leaselab-Node", "b", "b", "/api/v1"},
		{"/api/v1", "Authorization", "Bearer node-c", "c", "/api/v1"},
		{"/api/v1", "Authorization", "Bearer s3cret", "", "/api/v1"},
		{"/api/v1", "User-Agent", "operator/v0.0.0 (linux/amd64) kubernetes/abc/node-web-0", "web-0", "/api/v1"},
		{"/api/v1", "User-Agent", "kubectl/v1.36.0", "", "/api/v1"},
	} {
		r := httptest.NewRequest("GET", c.path, nil)
		if c.name != "" {
			r.Header.Set(c.name, c.value)
		}
		assert.Equal(t, c.want, incoming.NodeOf(r), "%+v", c)
		plain := incoming.WithoutNode(r)
		assert.Equal(t, c.rest, plain.URL.Path)
		assert.Empty(t, plain.Header.Get(incoming.NodeHeader))
		assert.Equal(t, r.Header.Get("Authorization"), plain.Header.Get("Authorization"), "its sender is a user, too")
	}
}
