package electiontest_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// with returns a scenario of three candidates with acts.
func with(t *testing.T, actions string) *scenario.Scenario {
	t.Helper()
	return electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 2m
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
actions: [`+actions+`]
`)
}

// The leader is cut off: another leads when leaseDuration is over, and the rules find nothing.
func TestTheLeaderIsCutOff(t *testing.T) {
	r := electiontest.Run(t, with(t, `{at: 30s, act: cut, target: holder, for: 40s}`), func(c *electiontest.Cluster) {
		c.Start(elect)
		c.Until(29 * time.Second)
		assert.Equal(t, []string{"a"}, c.Workers())
		assert.Equal(t, "a", c.Holder())
		c.Until(60 * time.Second)
		assert.Equal(t, []string{"c"}, c.Workers())
		require.Len(t, c.Work("a"), 1)
		assert.Positive(t, c.Work("a")[0].Until)
	})
	require.Len(t, r.Changes, 2)
	assert.Empty(t, r.Violations)
	assert.Empty(t, r.File)
}

// Every shipped scenario either runs or is refused with a sentence, and a seed gives the same run each time.
func TestShippedScenarios(t *testing.T) {
	ran := 0
	for _, s := range shipped.List() {
		t.Run(s.Name, func(t *testing.T) {
			one := electiontest.Shipped(t, s.Name)
			if len(one.Candidates) > 100 || one.Duration > scenario.Duration(time.Hour) {
				t.Skip("too long for a test")
			}
			if err := electiontest.Expressible(one); err != nil {
				assert.Regexp(t, `(which|and|cannot|only|;) `, err.Error())
				return
			}
			ran++
			hash := func() string {
				reports := &electiontest.Reports{}
				r := electiontest.Run(t, one, func(c *electiontest.Cluster) { c.Start(elect) }, electiontest.ReportTo(reports))
				assert.NotContains(t, reports.Text.String(), "goroutine")
				assert.NotZero(t, r.Requests)
				return r.Hash
			}
			assert.Equal(t, hash(), hash())
		})
	}
	assert.GreaterOrEqual(t, ran, 40)
}

// The package brings the standard library, core and sim, and nothing of Kubernetes: the program brings its own.
func TestDependencies(t *testing.T) {
	data, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for path := range strings.FieldsSeq(string(data)) {
		assert.NotContains(t, path, "k8s.io")
	}
}
