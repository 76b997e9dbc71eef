package rebuild

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
)

// What would have prevented the overlap of the recorded pause.
func TestCuresOfAPause(t *testing.T) {
	s, fit, err := Scenario(demo(t, "pause-1/audit.jsonl.gz"))
	require.NoError(t, err)
	c := CuresOf(s, fit, func() {})
	assert.True(t, c.Subject.Violation)
	assert.Positive(t, c.AtNs)
	require.NotEmpty(t, c.Tried)
	assert.True(t, c.Tried[0].Better)
	assert.Zero(t, c.Tried[0].Totals.TwoNs)
}

// Over the whole incident, a cure makes the time with two leaders shorter, or else the time with none, by more than the
// fit is off. Its price is in the sentence. A change that does not help is not offered.
func TestCuresAreWorthTheirPrice(t *testing.T) {
	for incident, want := range map[string]struct{ there, missing string }{
		"pause-1":    {"leaseDuration 30 s: two never led; its price: after a crash the takeover takes up to", "retryPeriod 4 s"},
		"deploy-rel": {"no stop of node-a at 10.539s: a leader throughout", "retryPeriod"},
		"etcd":       {"leaseDuration 60 s and renewDeadline 40 s: a leader throughout", "retryPeriod"},
		"edited":     {"no write of an administrator at 10.449s: two never led", "retryPeriod 4 s"},
		"slow-1": {"releaseOnCancel: nobody led for 2.973 s instead of 7.973 s; its price: a leader that is cut off stops " +
			"0.000 s before its Lease expires, instead of 5.000 s", "a network of 1 ms"},
		"crash-1": {"leaseDuration 7 s and renewDeadline 5 s: nobody led for 6.607 s instead of 17.435 s; its price: a leader " +
			"survives an outage of 5.000 s instead of 10.000 s", "a network of 1 ms"},
	} {
		s, fit, err := Scenario(demo(t, incident+"/[anw]*.[jk]*"))
		require.NoError(t, err)
		c := CuresOf(s, fit, func() {})
		var offered []string
		for k := range c.Tried {
			if total := &c.Tried[k].Totals; c.Tried[k].Better {
				offered = append(offered, c.Sentence(k))
				gain := c.Base.LeaderlessNs - total.LeaderlessNs
				if c.Base.TwoNs > 0 {
					gain = c.Base.TwoNs - total.TwoNs
				}
				assert.Greater(t, gain, max(fit.ChangeNs, fit.StopNs, fit.WriteNs), c.Sentence(k))
				assert.LessOrEqual(t, total.TwoNs, c.Base.TwoNs, c.Sentence(k))
			}
		}
		assert.Len(t, offered, c.Helpful(100))
		assert.Contains(t, strings.Join(offered, "\n"), want.there, incident)
		assert.NotContains(t, strings.Join(offered, "\n"), want.missing, incident)
	}
	none := CuresOf(scenario.Scenario{}, Fit{}, func() {})
	assert.Zero(t, none.Helpful(1))
	assert.Contains(t, none.Nothing(Fit{}), "tried no change: the run differs from the evidence")
	assert.Contains(t, none.Nothing(Fit{SameLeaders: true}), "tried no change: the leader never changed")
	none.Tried = make([]Cure, 3)
	assert.Equal(t, "None of the 3 tried changes would have helped for sure.", none.Nothing(Fit{SameLeaders: true}))
	none.Tried[0].Better = true
	assert.Empty(t, none.Nothing(Fit{SameLeaders: true}))
}

// What helps where no setting does depends on the cause.
func TestBeyondTheSettings(t *testing.T) {
	two, one := Cures{Base: Totals{TwoNs: 1}}, Cures{}
	for cause, says := range map[string]string{"edited": "let RBAC allow it only to the electors", "deleted": "let RBAC allow",
		"pause": "against every pause", "partition": "after every fault"} {
		assert.Contains(t, two.Beyond(cause), says)
	}
	assert.Contains(t, one.Beyond("edited"), "let RBAC allow it only to the electors")
	assert.Empty(t, one.Beyond("pause"))
	assert.Empty(t, one.Beyond("crash"))
}

// Candidates that never led are part of the run, and read when their logs say so.
func TestBystandersTakePart(t *testing.T) {
	l := demo(t, "pause-1/[anw]*.[jk]*")
	s, fit, err := Scenario(l)
	require.NoError(t, err)
	assert.Equal(t, "node-c", s.Candidates[2].Name)
	assert.NotEmpty(t, s.Candidates[2].JitterDraws)
	assert.Equal(t, 1, fit.Stops)
	assert.Less(t, fit.StopNs, int64(10*time.Millisecond))
}
