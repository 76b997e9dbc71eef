package audit_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// Random policies are refused, and decide, as kube-apiserver's own: k8s.io/apiserver v0.36.2 pkg/audit/policy LoadPolicyFromBytes and
// EvaluatePolicyRule, with its RequestInfoFactory, answered what the file has.
func TestDecisionsAsRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/policies.json")
	require.NoError(t, err)
	var all []struct {
		Policy  json.RawMessage
		Refused bool
		Asked   []struct {
			User, Method, Path string
			Groups             []string
			Level              audit.Level
			OmitStages         []audit.Stage
			OmitManagedFields  bool
		}
	}
	require.NoError(t, json.Unmarshal(data, &all))
	refused, levels := 0, map[audit.Level]int{}
	for i, one := range all {
		policy, err := audit.Parse(one.Policy)
		if one.Refused {
			refused++
			assert.Error(t, err, "%d: %s", i, one.Policy)
			continue
		}
		require.NoError(t, err, "%d: %s", i, one.Policy)
		for k, asked := range one.Asked {
			var u *rbac.User
			if asked.User != "" {
				u = &rbac.User{Name: asked.User, Groups: asked.Groups}
			}
			d := policy.Decide(u, incoming.Request(httptest.NewRequest(asked.Method, asked.Path, nil), nil).Attributes())
			omitted := slices.Clone(d.OmitStages)
			slices.Sort(omitted)
			assert.Equal(t, asked.Level, d.Level, "%d/%d: %s", i, k, one.Policy)
			assert.Equal(t, slices.Compact(asked.OmitStages), slices.Compact(append([]audit.Stage{}, omitted...)), "%d/%d", i, k)
			assert.Equal(t, asked.OmitManagedFields, d.OmitManagedFields, "%d/%d", i, k)
			levels[d.Level]++
		}
	}
	assert.Greater(t, refused, 20)
	for _, level := range append([]string{string(audit.None)}, audit.Levels...) {
		assert.Greater(t, levels[audit.Level(level)], 50, level)
	}
}
