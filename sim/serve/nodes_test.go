package serve_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/serve"
)

// The token names the node, and nothing else does.
func TestNodeOf(t *testing.T) {
	nodes := serve.NewNodes(map[string]string{"s3cret": "a", "other": "b"})
	for header, want := range map[string]string{
		"Bearer s3cret": "a", "bearer s3cret": "a", "Bearer other more": "b", "Bearer  s3cret": "", "Bearer": "", "Bearer s3cret2": "", "Basic s3cret": "", "": "",
	} {
		seen := "not called"
		h := nodes.Attribute(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = serve.NodeOf(r) }))
		answerOf(h, from("GET", path, "", map[string]string{"Authorization": header, "X-Remote-User": "a"}))
		assert.Equal(t, want, seen, header)
	}
	assert.Empty(t, serve.NodeOf(from("GET", path, "", map[string]string{"Authorization": "Bearer s3cret"})), "without Attribute")
}
