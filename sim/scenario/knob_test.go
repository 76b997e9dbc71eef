package scenario

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func small(t *testing.T) Scenario {
	t.Helper()
	s, err := Decode([]byte(document()))
	require.NoError(t, err)
	return s
}

func TestSetThenGet(t *testing.T) {
	for _, c := range []struct{ path, value string }{
		{"elector.leaseDuration", "20s"},
		{"seed", "8"},
		{"duration", "1h0m0s"},
		{"network.requestLatency", "5ms"},
		{"elector.releaseOnCancel", "true"},
		{"candidates[1].clock.offset", "-1h0m0s"},
		{"candidates[0].clock.ratePpm", "600000"},
		{"candidates[0].identity", "other"},
		{"candidates[0].jitterDraws", "[0,0.25]"},
		{"candidates[0].jitterDraws[0]", "0.5"},
		{"lease.name", "other"},
		{"streams", "recorded"},
		{"title", "A title"},
		{"actions[0].target", "holder"},
	} {
		s := small(t)
		if c.path == "candidates[0].jitterDraws[0]" {
			s.Candidates[0].JitterDraws = []float64{0}
		}
		before := string(Encode(s))
		changed, err := Set(s, c.path, c.value)
		require.NoError(t, err, c.path)
		assert.Equal(t, c.value, Get(changed, c.path), c.path)
		assert.Equal(t, before, string(Encode(s)), "Set must not change its argument (%s)", c.path)
		again, err := Decode(Encode(changed))
		require.NoError(t, err)
		assert.Equal(t, changed, again, c.path)
	}
}

// A field that is left out answers with what is in force.
func TestGetKnowsDefaultsAndInheritance(t *testing.T) {
	s := small(t)
	for path, want := range map[string]string{
		"elector.requestTimeout":            "5s",
		"elector.coordinated":               "false",
		"candidates[0].elector.retryPeriod": "2s",
		"candidates[1].elector.retryPeriod": "1s",
		"candidates[0].network":             `{"requestLatency":"2ms","responseLatency":"3ms","deadPeerTime":"0s","readLag":"0s"}`,
		"candidates[0].clock.ratePpm":       "1000000",
		"candidates[0].clock.offset":        "0s",
		"candidates[0].identity":            "a",
		"candidates[2].identity":            "",
		"lease.namespace":                   "default",
		"lease.name":                        "demo",
		"streams":                           "named",
		"expect":                            "",
		"no.such.field":                     "",
		"candidates[9].name":                "",
		"":                                  "",
	} {
		assert.Equal(t, want, Get(s, path), path)
	}
}

func TestSetBackToTheDefault(t *testing.T) {
	s, err := Set(small(t), "elector.leaseDuration", "30s")
	require.NoError(t, err)
	s, err = Set(s, "elector.leaseDuration", "")
	require.NoError(t, err)
	assert.Nil(t, s.Elector.LeaseDuration)
	assert.Equal(t, "15s", Get(s, "elector.leaseDuration"))
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct{ path, value, message string }{
		{"elector.leaseDuration", "10s", `elector.renewDeadline "10s" must be shorter than leaseDuration "10s" (client-go refuses it: leaseDuration must be greater than renewDeadline)`},
		{"elector.leaseDuration", "-5s", `elector.leaseDuration "-5s" must not be negative`},
		{"elector.leaseDuration", "20", `elector.leaseDuration "20" must have a unit; write "20s" if you mean seconds`},
		{"elector.leaseDuraton", "20s", `elector.leaseDuraton: unknown field; did you mean "leaseDuration"?`},
		{"elector.releaseOnCancel", "yes", `elector.releaseOnCancel "yes" must be true or false`},
		{"seed", "many", `seed "many" must be a whole number`},
		{"seed", "-1", `seed -1 must be between 0 and 9,007,199,254,740,991`},
		{"duration", "10s", `actions[0].at "20s" lies after the end of the run at 10s`},
		{"candidates[3].name", "x", `candidates[3]: no such entry; the list has 3`},
		{"candidates[x].name", "x", `candidates[x]: no such entry; the list has 3`},
		{"seed.low", "1", `seed.low: unknown field; seed is a single value`},
		{"", "1", `"": not a field; write a path like "elector.leaseDuration"`},
		{"candidates[0].jitterDraws", "[1,", `candidates[0].jitterDraws "[1," must be JSON, such as ["a"] or {"min":"1s"}`},
	} {
		s := small(t)
		unchanged, err := Set(s, c.path, c.value)
		assert.EqualError(t, err, c.message)
		assert.Equal(t, small(t), unchanged, "the page keeps what it had")
	}
}

func TestResolveFillsEverything(t *testing.T) {
	r := Resolve(small(t))
	names := []string{}
	for _, c := range r.Candidates {
		names = append(names, c.Name)
	}
	assert.Equal(t, []string{"a", "b", "w-0", "w-1"}, names)
	ownElector, ownProcess := defaults.Elector, defaults.Process
	ownElector.RetryPeriod = new(Duration(time.Second))
	ownProcess.DrainAfterCancel, ownProcess.DrainAfterLoss = new(Duration(0)), new(Duration(0))
	assert.Equal(t, ResolvedCandidate{
		Name: "b", Stream: "b", Identity: "b", StartAt: 50 * time.Millisecond,
		Elector: ownElector, Network: defaults.Network, Process: ownProcess, Client: defaults.Client, RatePpm: 1_000_000,
	}, r.Candidates[1])
	assert.Equal(t, 500*time.Millisecond, r.Candidates[3].StartAt, "1 s for two replicas: half a second apart")
	assert.Equal(t, "default", r.Namespace)
	assert.Equal(t, "demo", r.LeaseName)
	assert.Equal(t, StreamsNamed, r.Streams)
}

func TestResolveSortsActionsByTimeThenList(t *testing.T) {
	s := small(t)
	s.Actions = []Action{
		{At: 3, Act: ActCut, Target: "a"},
		{At: 1, Act: ActStop, Target: "b"},
		{At: 3, Act: ActHeal, Target: "a"},
		{At: 1, Act: ActWrite, Op: OpPut},
	}
	r := Resolve(s)
	assert.Equal(t, []Action{
		{At: 1, Act: ActStop, Target: "b"},
		{At: 1, Act: ActWrite, Op: OpPut, Spec: &LeaseSpec{}},
		{At: 3, Act: ActCut, Target: "a", Direction: DirectionBoth, Mode: ModeDrop},
		{At: 3, Act: ActHeal, Target: "a"},
	}, r.Actions)
	assert.Empty(t, s.Actions[0].Direction, "the scenario stays as it was")
}

// 10,000 replicas over 90 days: i times the spread would overflow.
func TestSpreadDoesNotOverflow(t *testing.T) {
	total := time.Duration(MaxDuration)
	assert.Equal(t, time.Duration(0), spread(total, 0, MaxCandidates))
	assert.Equal(t, total/MaxCandidates*9999, spread(total, 9999, MaxCandidates))
	assert.Equal(t, 666*time.Millisecond, spread(999*time.Millisecond, 2, 3))
}
