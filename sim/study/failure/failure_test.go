package failure_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study/failure"
)

func failures(t *testing.T, name string, change func(*scenario.Scenario)) []failure.Failure {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known)
	change(&s)
	r := run.WithAll(s)
	r.To(r.EndNs(), nil)
	return failure.Of(r, func(*check.Violation) bool { return true })
}

// The same thing at another time, to another candidate and with another seed has the same key; another cause has another one.
func TestKeys(t *testing.T) {
	plain := failures(t, "paused-leader", func(*scenario.Scenario) {})
	require.NotEmpty(t, plain)
	assert.Equal(t, rules.MoreThanOneActive, plain[0].Rule)
	assert.Equal(t, rules.Safety, plain[0].Severity)
	require.NotEmpty(t, plain[0].Causes)
	for _, cause := range plain[0].Causes {
		assert.False(t, strings.ContainsAny(cause, "0123456789"), cause)
	}
	later := failures(t, "paused-leader", func(s *scenario.Scenario) {
		s.Seed, s.Actions[0].At = 17, s.Actions[0].At+scenario.Duration(1234567890)
		for i := range s.Candidates {
			s.Candidates[i].Name = "node-" + s.Candidates[i].Name
		}
	})
	require.NotEmpty(t, later)
	assert.Equal(t, plain[0].Key(), later[0].Key())
	other := failures(t, "paused-leader", func(s *scenario.Scenario) { s.Actions[0].Act = scenario.ActSuspend })
	require.NotEmpty(t, other)
	assert.NotEqual(t, plain[0].Key(), other[0].Key())
	assert.Empty(t, failures(t, "crash", func(*scenario.Scenario) {}))
}

// Safety counts more than liveness, and observations count nothing.
func TestWorst(t *testing.T) {
	c := check.New()
	all := func(*check.Violation) bool { return true }
	c.Violations = []check.Violation{{Rule: rules.NeedlessChange, Severity: rules.Observation}}
	assert.Equal(t, -1, failure.Worst(&c, all))
	c.Violations = append(c.Violations, check.Violation{Rule: rules.NoRecovery, Severity: rules.Liveness}, check.Violation{Rule: rules.WriteByNonHolder})
	assert.Equal(t, 2, failure.Worst(&c, all))
	assert.Equal(t, 1, failure.Worst(&c, func(v *check.Violation) bool { return v.Severity == rules.Liveness }))
}
