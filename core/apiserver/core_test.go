package apiserver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
)

// Clients that ask for OpenAPI v2 as protobuf, as client-go does, get it from a server with the core group. Nobody
// gets it as JSON.
func TestOpenAPIv2(t *testing.T) {
	const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
	for _, core := range []bool{true, false} {
		c := newClient(t, func(config *apiserver.Config) { config.OpenAPI, config.Core = openapi.Documents(), core })
		r := c.do("GET", "/openapi/v2", "", "accept", asked)
		if core {
			assert.Equal(t, 200, r.Status)
			assert.Contains(t, string(r.Body), "io.k8s.api.core.v1.ConfigMap")
			assert.Equal(t, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf", r.Get("content-type"))
		} else {
			assert.Equal(t, 404, r.Status)
		}
		assert.Equal(t, 404, c.do("GET", "/openapi/v2", "", "accept", "application/json").Status)
		code := map[bool]int{true: 200, false: 404}[core]
		assert.Equal(t, code, c.do("GET", "/openapi/v3/api/v1", "").Status)
		assert.Equal(t, code, c.do("GET", "/openapi/v3/apis/events.k8s.io", "").Status)
		assert.Equal(t, code, c.do("GET", "/openapi/v3/apis/events.k8s.io/v1", "").Status)
		assert.Equal(t, code == 200, strings.Contains(string(c.do("GET", "/openapi/v3", "").Body), "apis/events.k8s.io/v1"))
		assert.Equal(t, code == 200, strings.Contains(string(r.Body), "io.k8s.api.events.v1.EventList"))
		assert.Equal(t, code, c.do("GET", "/api/v1/configmaps", "").Status)
		assert.Equal(t, code, c.do("GET", "/api/v1/namespaces/default/events", "").Status)
	}
}
