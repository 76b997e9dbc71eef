package scenario

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withRest is a scenario of two candidates with more fields.
func withRest(rest string) (Scenario, error) {
	return Decode([]byte(`{"apiVersion":"` + APIVersion + `","kind":"Scenario","seed":1,"duration":"2m","candidates":[{"name":"a"},{"name":"b"}],` + rest + `}`))
}

// What is wrong with the network, the server or a fault is refused with path, value and rule.
func TestNetworkRefuses(t *testing.T) {
	for rest, message := range map[string]string{
		`"network":{"requestLatency":"1s","requestDistribution":{"max":"2s"}}`: `network.requestLatency "1s" contradicts requestDistribution; keep one of them`,
		`"network":{"responseDistribution":{"window":"2s"}}`:                   `network.responseDistribution: has no lengths; it needs max (with min), mean (with min), p50 with p99, or quantiles`,
		`"network":{"requestDistribution":{"max":"2s","mean":"1s"}}`:           `network.requestDistribution: has more than one way to draw; keep one of max (with min), mean (with min), p50 with p99, or quantiles`,
		`"network":{"requestDistribution":{"p50":"2s","min":"1s","p99":"3s"}}`: `network.requestDistribution.min "1s" belongs to max or to mean`,
		`"network":{"requestDistribution":{"max":"1s","min":"2s"}}`:            `network.requestDistribution.max "1s" must not be shorter than min "2s"`,
		`"network":{"requestDistribution":{"p99":"1s"}}`:                       `network.requestDistribution.p50: missing; p99 needs it`,
		`"network":{"requestDistribution":{"p50":"2s","p99":"1s"}}`:            `network.requestDistribution.p99 "1s" must not be shorter than p50 "2s"`,
		`"network":{"requestDistribution":{"quantiles":["1s"]}}`:               `network.requestDistribution.quantiles: needs at least two lengths, the shortest and the longest`,
		`"network":{"requestDistribution":{"quantiles":["1s","2s","1s"]}}`:     `network.requestDistribution.quantiles[2] "1s" must not be shorter than the one before it`,
		`"network":{"requestDistribution":{"max":"-1s"}}`:                      `network.requestDistribution.max "-1s" must not be negative`,

		`"server":{"ratePerSecond":-1}`:                            `server.ratePerSecond -1 must be between 0 and 1,000,000`,
		`"server":{"queue":3}`:                                     `server.queue 3 needs ratePerSecond: without it nothing waits`,
		`"server":{"queueTimeout":"3s"}`:                           `server.queueTimeout "3s" needs ratePerSecond: without it nothing waits`,
		`"server":{"ratePerSecond":3,"whenFull":"drop"}`:           `server.whenFull "drop" needs queue: without it the queue is never full`,
		`"server":{"ratePerSecond":3,"queue":2,"whenFull":"drip"}`: `server.whenFull "drip" must be http429 or drop; did you mean "drop"?`,
		`"server":{"newLeaderLatency":"1s"}`:                       `server.newLeaderFor: missing; say how long newLeaderLatency lasts after a leader starts`,
		`"server":{"newLeaderFor":"1s"}`:                           `server.newLeaderLatency: missing; newLeaderFor says how long it lasts`,

		`"actions":[{"at":"1s","act":"server"}]`:                                                                 `actions[0].server: missing; act "server" needs it`,
		`"actions":[{"at":"1s","act":"server","server":{"queue":3}}]`:                                            `actions[0].server.queue 3 needs ratePerSecond: without it nothing waits`,
		`"actions":[{"at":"1s","act":"rollback"}]`:                                                               `actions[0].to: missing; act "rollback" needs it`,
		`"actions":[{"at":"1s","act":"rollback","to":"1s"}]`:                                                     `actions[0].to "1s" must lie before the act at 1s: a store can only go back`,
		`"actions":[{"at":"1s","act":"rollback","to":"2s"}]`:                                                     `actions[0].to "2s" must lie before the act at 1s: a store can only go back`,
		`"apiServers":[{"name":"x"}],"actions":[{"at":"1s","act":"rollback","to":"0s"}]`:                         `actions[0].act "rollback" does not work with apiServers: their controllers' caches would not go back`,
		`"actions":[{"at":"1s","act":"latency","target":"a","request":"1s","every":"5s"}]`:                       `actions[0].every "5s" needs "for": how long the act lasts each time`,
		`"actions":[{"at":"1s","act":"latency","target":"a","request":"1s","every":"5s","for":"5s"}]`:            `actions[0].every "5s" must be longer than for "5s"; leave it out if the act never stops`,
		`"actions":[{"at":"1s","act":"fail","target":"a","error":"stall","every":"5s","for":"1s"}]`:              `actions[0].every "5s" cannot be repeated with error "stall"; write the acts one by one`,
		`"actions":[{"at":"1s","act":"latency","target":"a","request":"1s","requestDistribution":{"max":"1s"}}]`: `actions[0].request "1s" contradicts requestDistribution; keep one of them`,
		`"actions":[{"at":"1s","act":"set","target":"a","network":{"requestDistribution":{"p99":"1s"}}}]`:        `actions[0].network.requestDistribution.p50: missing; p99 needs it`,

		`"actions":[{"at":"1s","act":"cut","target":"a","mode":"hold"},{"at":"2s","act":"cut","target":"a"}]`:                                   `actions[1].mode "drop" contradicts the cut of "a" at 1s, which is still in effect with mode "hold"; heal it first`,
		`"actions":[{"at":"1s","act":"cut","target":"*","mode":"refuse","for":"5s"},{"at":"5s","act":"cut","target":"a","direction":"up"}]`:     `actions[1].mode "drop" contradicts the cut of "*" at 1s, which is still in effect with mode "refuse"; heal it first`,
		`"actions":[{"at":"1s","act":"cut","target":"a","direction":"up"},{"at":"1s","act":"cut","target":"*","mode":"late","direction":"up"}]`: `actions[1].mode "late" contradicts the cut of "a" at 1s, which is still in effect with mode "drop"; heal it first`,
	} {
		_, err := withRest(rest)
		var e *FieldError
		require.True(t, errors.As(err, &e), "%s: %v", rest, err)
		assert.Equal(t, message, e.Message)
		assert.NotEmpty(t, e.Rule)
	}
}

// What only looks like a contradiction is none.
func TestNetworkAccepts(t *testing.T) {
	for _, rest := range []string{
		`"network":{"requestDistribution":{"max":"2s","window":"1m"},"responseDistribution":{"quantiles":["0s","0s","1s"]}}`,
		`"network":{"requestDistribution":{"min":"1s","mean":"2s"},"responseDistribution":{"p50":"1s","p99":"1s"}}`,
		`"server":{"ratePerSecond":5,"queue":2,"whenFull":"drop","queueTimeout":"1s","slowPerRequest":"1ms","newLeaderFor":"1s","newLeaderLatency":"1s","requestTimeout":"34s"}`,
		`"actions":[{"at":"1s","act":"cut","target":"a","mode":"hold","for":"1s"},{"at":"2s","act":"cut","target":"a"}]`,
		`"actions":[{"at":"1s","act":"cut","target":"a","mode":"hold"},{"at":"2s","act":"heal","target":"*"},{"at":"2s","act":"cut","target":"a"}]`,
		`"actions":[{"at":"1s","act":"cut","target":"a","mode":"refuse","direction":"up"},{"at":"2s","act":"cut","target":"a","direction":"down"}]`,
		`"actions":[{"at":"1s","act":"cut","target":"a"},{"at":"2s","act":"cut","target":"b","mode":"late"}]`,
		`"actions":[{"at":"1s","act":"rollback","to":"0s"},{"at":"9s","act":"fail","target":"*","error":"hang","verb":"writes","for":"1s","every":"2s"}]`,
	} {
		s, err := withRest(rest)
		require.NoError(t, err, rest)
		again, err := Decode(Encode(s))
		require.NoError(t, err)
		assert.Equal(t, s, again)
	}
}

// A candidate's constant replaces the scenario's distribution, and its distribution the constant.
func TestDistributionsAreInherited(t *testing.T) {
	s, err := withRest(`"network":{"requestDistribution":{"max":"2s"},"responseLatency":"4ms"}`)
	require.NoError(t, err)
	s.Candidates[0].Network = &Network{RequestLatency: new(Duration(5)), ResponseDistribution: &Distribution{Max: 7}}
	r := Resolve(s)
	assert.Nil(t, r.Candidates[0].Network.RequestDistribution)
	assert.Equal(t, &Distribution{Max: 7}, r.Candidates[0].Network.ResponseDistribution)
	assert.Equal(t, s.Network.RequestDistribution, r.Candidates[1].Network.RequestDistribution)
	assert.Nil(t, r.Candidates[1].Network.ResponseDistribution)
	_, err = Set(s, "network.responseDistribution.p50", "1s")
	require.Error(t, err)
	changed, err := Set(s, "candidates[1].network.requestDistribution", `{"p50":"1s","p99":"9s"}`)
	require.NoError(t, err)
	assert.Equal(t, `{"p50":"1s","p99":"9s"}`, Get(changed, "candidates[1].network.requestDistribution"))
}

// A paused process cannot be paused or stopped again: the second act would silently be lost.
func TestPausesDoNotOverlap(t *testing.T) {
	with := func(actions string) error {
		_, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"2m","candidates":[{"name":"a"},{"name":"b"}],"actions":[` + actions + `]}`))
		return err
	}
	assert.ErrorContains(t, with(`{"at":"10s","act":"pause","target":"a","for":"5s"},{"at":"12s","act":"suspend","target":"a","for":"10s"}`),
		`actions[1].act "suspend" overlaps the pause of "a" at 10s, which lasts until 15s; a paused process cannot be paused again`)
	assert.ErrorContains(t, with(`{"at":"10s","act":"hang","target":"a"},{"at":"12s","act":"pause","target":"a"}`), `which lasts until it is resumed`)
	for _, fine := range []string{
		`{"at":"10s","act":"pause","target":"a","for":"5s"},{"at":"15s","act":"pause","target":"a","for":"5s"}`,
		`{"at":"10s","act":"pause","target":"a","for":"5s"},{"at":"12s","act":"pause","target":"b","for":"5s"}`,
		`{"at":"10s","act":"pause","target":"a"},{"at":"12s","act":"resume","target":"a"},{"at":"13s","act":"pause","target":"a"}`,
		`{"at":"10s","act":"pause","target":"a"},{"at":"12s","act":"crash","target":"*"},{"at":"13s","act":"restart","target":"a"},{"at":"14s","act":"pause","target":"a"}`,
	} {
		assert.NoError(t, with(fine), fine)
	}
}
