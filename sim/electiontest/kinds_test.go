package electiontest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
)

const widgets = `# two documents
kind: Kustomization
---
kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

// definitions returns a folder with the definition of a kind.
func definitions(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "widgets.yaml"), []byte(widgets), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "README.md"), []byte("{"), 0o600))
	return folder
}

// asks sends requests from a program, each as METHOD, path and body, and returns the statuses.
func asks(t *testing.T, n *electiontest.Node, requests ...[3]string) (statuses []int) {
	t.Helper()
	for _, one := range requests {
		r, err := http.NewRequestWithContext(n.Context(), one[0], n.Host+one[1], strings.NewReader(one[2]))
		require.NoError(t, err)
		answer, err := n.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		statuses = append(statuses, answer.StatusCode)
	}
	return statuses
}

// The API server of a test has the stable kinds of a cluster, and the kinds of the test's definitions. Discovery takes no time.
func TestKinds(t *testing.T) {
	const own = "/apis/example.com/v1/namespaces/default/widgets"
	s := with(t, "{at: 30s, act: cut, target: a, mode: refuse, for: 10s}")
	electiontest.Run(t, s, func(c *electiontest.Cluster) {
		n := c.Node("a")
		assert.Equal(t, []int{201, 201, 200, 404}, asks(t, n,
			[3]string{"POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"x"}}`},
			[3]string{"POST", own, `{"metadata":{"name":"x"},"spec":{"size":3}}`},
			[3]string{"GET", own + "/x", ""}, [3]string{"GET", own + "/y", ""}))
		status, body, took, err := timeGet(n.Context(), n, "/apis/example.com/v1")
		require.NoError(t, err)
		assert.Equal(t, []any{200, time.Duration(0)}, []any{status, took})
		assert.Contains(t, body, `"kind":"Widget"`)
		assert.Equal(t, []int{404}, asks(t, n, [3]string{"GET", "/apis/other.example.com/v1", ""}))
	}, electiontest.CRDs(definitions(t)), electiontest.Absent("other.example.com/v1"), electiontest.Allow("leaderlessTooLong", "noRecovery"))
}

// A program that asks for a kind that nobody serves fails the test, once for each group and version, with its name and the fix.
func TestUnknownKinds(t *testing.T) {
	report, _ := failing(t, "", func(c *electiontest.Cluster) {
		n := c.Node("a")
		asks(t, n, [3]string{"GET", "/apis/example.com/v1", ""}, [3]string{"GET", "/apis/example.com/v1/widgets", ""},
			[3]string{"GET", "/apis/batch/v1/namespaces/default/works", ""}, [3]string{"GET", "/apis/batch/v1/jobs", ""}, [3]string{"GET", "/apis", ""})
	}, electiontest.Allow("leaderlessTooLong", "noRecovery"))
	assert.Contains(t, report, `a program asks for /apis/example.com/v1, which the API server does not have. electiontest.CRDs adds the kinds of CustomResourceDefinitions; `+
		`electiontest.Absent("example.com/v1") lets programs look for kinds that are not there`)
	assert.Contains(t, report, "/apis/batch/v1/namespaces/default/works")
	assert.Equal(t, 2, strings.Count(report, "a program asks for"))
	report, _ = failing(t, "", func(*electiontest.Cluster) { t.Error("the test has begun") }, electiontest.CRDs("none"))
	assert.Equal(t, "electiontest: stat none: no such file or directory; name a folder or a file with CustomResourceDefinitions\n", report)
}
