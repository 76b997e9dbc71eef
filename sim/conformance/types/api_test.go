package types

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

// api is the API server as a function.
type api struct {
	t      testing.TB
	server *apiserver.Server
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

func newAPI(t testing.TB) *api {
	t.Helper()
	a := &api{t: t, server: apiserver.New(apiserver.Config{Coordinated: true, Seed: 1})}
	require.NoError(t, a.server.Load(time.Unix(0, 0), []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`)))
	return a
}

// do sends a request and returns the status and the answer as a tree.
func (a *api) do(method, path string, query url.Values, media string, body []byte) (int, map[string]any) {
	r := &apiserver.Request{Method: method, Path: path, Header: map[string]string{"content-type": media}, Body: body}
	for name, values := range query {
		for _, value := range values {
			r.Query = append(r.Query, apiserver.Param{Name: name, Value: value})
		}
	}
	answer := a.server.Handle(time.Unix(0, 0), r)
	var tree map[string]any
	if err := json.Unmarshal(answer.Body, &tree); err != nil { // the answer to a crash of upstream is plain text
		tree = map[string]any{"message": string(answer.Body)}
	}
	return answer.Status, tree
}
