package view_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

const oneOfBoth = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: one-of-both
seed: 1
duration: 60s
elector: {lock: configmapsleases, dialect: [noFastPath, blindRelease]}
candidates: [{name: a}]
actions: [{at: 10s, act: write, op: delete, object: configmap}]
`

func locksLab(t *testing.T, ns int64) *lab.Lab {
	t.Helper()
	s, err := yaml.Decode([]byte(oneOfBoth))
	require.NoError(t, err)
	l := lab.New(nil)
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &timeline.Cursor{T: ns, N: -1}, Live: &timeline.Cursor{T: ns, N: -1}}))
	return l
}

// The ConfigMap is an object like the Lease, with its own versions, and with the record as the API would send it.
func TestTheConfigMapIsShown(t *testing.T) {
	l := locksLab(t, 9e9)
	both := []protocol.ObjectRef{{Kind: coordination.KindLease, Name: "demo"}, {Kind: "ConfigMap", Name: "demo"}}
	lease, err := view.Object(l.Look(), "", "", 0)
	require.NoError(t, err)
	assert.Equal(t, both, lease.Objects)
	o, err := view.Object(l.Look(), "ConfigMap", "demo", 0)
	require.NoError(t, err)
	assert.Equal(t, 5, o.Versions, "one create and four writes: two in the same second count once")
	assert.Equal(t, 6, lease.Versions)
	assert.Equal(t, "a", o.By)
	newest := 0
	for _, row := range view.Events(l.Look(), view.Rows{Around: timeline.Cursor{T: 9e9, N: -1}, Count: 500}).Rows {
		newest = max(newest, row.Version)
	}
	assert.Equal(t, lease.Versions, newest, "events lead to the Lease's versions")
	var sent struct {
		Kind, APIVersion string
		Metadata         struct {
			Name, Namespace, UID, ResourceVersion string
			Annotations                           map[string]string
		}
		Spec any
	}
	require.NoError(t, json.Unmarshal([]byte(o.Raw), &sent))
	assert.Equal(t, "ConfigMap", sent.Kind)
	assert.Equal(t, "v1", sent.APIVersion)
	assert.Equal(t, "demo", sent.Metadata.Name)
	assert.Equal(t, "default", sent.Metadata.Namespace)
	assert.NotEmpty(t, sent.Metadata.ResourceVersion)
	assert.NotContains(t, lease.Raw, sent.Metadata.UID, "each object has its own uid")
	assert.Nil(t, sent.Spec)
	assert.Equal(t, `{"holderIdentity":"a","leaseDurationSeconds":15,"acquireTime":"2000-01-01T00:00:00Z","renewTime":"2000-01-01T00:00:08Z","leaderTransitions":0}`,
		sent.Metadata.Annotations["control-plane.alpha.kubernetes.io/leader"])

	l = locksLab(t, 11e9)
	o, err = view.Object(l.Look(), "ConfigMap", "demo", 6)
	require.NoError(t, err)
	assert.Equal(t, "# deleted\n", o.Text)
	_, err = view.Object(l.Look(), "ConfigMap", "demo", 99)
	assert.ErrorContains(t, err, "the ConfigMap has versions 1 to ")
	_, err = view.Object(l.Look(), "ConfigMap", "other", 0)
	assert.ErrorContains(t, err, "this run has no ConfigMap other")
}

// A request shows the object that it is about, as it goes over the wire.
func TestExchangesOfALock(t *testing.T) {
	l := locksLab(t, 20e9)
	var targets, versions []string
	for _, row := range view.Events(l.Look(), view.Rows{Around: timeline.Cursor{T: 20e9, N: -1}, Count: 500}).Rows {
		e, err := view.Exchange(l.Look(), timeline.Cursor{T: row.T, N: row.N})
		if err != nil || len(targets) == 5 {
			continue
		}
		targets = append(targets, e.Method+" "+e.Target)
		var body struct{ Kind, APIVersion string }
		if e.Answer != "" {
			require.NoError(t, json.Unmarshal([]byte(e.Answer), &body), e.Answer)
		}
		versions = append(versions, body.APIVersion+" "+body.Kind)
	}
	t.Log(targets, versions)
	assert.Equal(t, []string{
		"GET /api/v1/namespaces/default/configmaps/demo", "POST /api/v1/namespaces/default/configmaps",
		"POST /apis/coordination.k8s.io/v1/namespaces/default/leases", "GET /api/v1/namespaces/default/configmaps/demo",
		"GET /apis/coordination.k8s.io/v1/namespaces/default/leases/demo",
	}, targets)
	assert.Equal(t, []string{"v1 Status", "v1 ConfigMap", "coordination.k8s.io/v1 Lease", "v1 ConfigMap", "coordination.k8s.io/v1 Lease"}, versions)
}
