package rbac

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// recording is a set of roles and bindings, and what upstream decided about requests under them.
type recording struct {
	Roles    []json.RawMessage
	Requests []struct {
		User, Method, Path string
		Header             map[string][]string
		Acts               *struct { // as whom an allowed request acts
			Name, UID string
			Groups    []string
			Extra     map[string][]string
		}
		Code    int
		Message string
		Details map[string]any
	}
}

// Decisions and messages equal kube-apiserver v1.36.2's: its filter WithConstrainedImpersonation before its filter
// WithAuthorization, with its RBAC authorizer, ran on random roles and requests.
func TestDecisionsAsRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/decisions.json")
	require.NoError(t, err)
	var all []recording
	require.NoError(t, json.Unmarshal(data, &all))
	allowed, refused := 0, 0
	for i, one := range all {
		list, err := json.Marshal(map[string]any{"kind": "List", "items": one.Roles})
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "roles.json")
		require.NoError(t, os.WriteFile(path, list, 0o600))
		policy, err := Load(path)
		require.NoError(t, err, i)
		authority := New(Config{Anonymous: true, Policy: policy, Users: map[string]User{
			"admin": Admin(), "u": UserNamed("u"), "bot": UserNamed("system:serviceaccount:ns-a:bot"), "a": UserNamed("a", Nodes),
		}})
		var acts User
		server := apiserver.New(apiserver.Config{FirstRevision: 1, Guard: func(r *apiserver.Request, asks apiserver.Attributes) ([]string, *apiserver.Refusal) {
			acts, _, _ = authority.sender(r, asks)
			return authority.Guard(r, asks)
		}})
		for k, asked := range one.Requests {
			r := httptest.NewRequest(asked.Method, asked.Path, nil)
			for name, values := range asked.Header {
				r.Header[name] = values
			}
			if asked.User != "nobody" {
				r.Header.Set("Authorization", "Bearer "+asked.User)
			}
			answer := server.Handle(time.Unix(0, 0), incoming.Request(r, nil))
			if asked.Acts != nil {
				allowed++
				assert.NotEqual(t, 403, answer.Status, "%d/%d: %s", i, k, answer.Body)
				assert.Equal(t, User(*asked.Acts), acts, "%d/%d", i, k)
				continue
			}
			refused++
			var status struct {
				Message string
				Details map[string]any
			}
			require.NoError(t, json.Unmarshal(answer.Body, &status), "%d/%d: %s", i, k, answer.Body)
			assert.Equal(t, asked.Code, answer.Status, "%d/%d", i, k)
			assert.Equal(t, asked.Message, status.Message, "%d/%d", i, k)
			if len(asked.Details)+len(status.Details) > 0 {
				assert.Equal(t, asked.Details, status.Details, "%d/%d", i, k)
			}
		}
	}
	assert.Greater(t, allowed, 50)
	assert.Greater(t, refused, 300)
}
