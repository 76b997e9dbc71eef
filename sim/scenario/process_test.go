package scenario

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decodeWith(fields string) (Scenario, error) {
	return Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"60s",` + fields + `}`))
}

// What contradicts something else, or is out of range, is refused with path, value and rule.
func TestConductRefuses(t *testing.T) {
	const one = `"candidates":[{"name":"a"}]`
	for fields, message := range map[string]string{
		one + `,"elector":{"dialect":["forLive"]}`:                                                                   `elector.dialect[0] "forLive" must be `,
		one + `,"elector":{"dialect":[""]}`:                                                                          `elector.dialect[0] "" must be `,
		one + `,"elector":{"dialect":["noFastPath","noFastPath"]}`:                                                   `elector.dialect[1] "noFastPath" is given twice`,
		one + `,"elector":{"dialect":["noFastPath","blindRelease","releaseWithoutRetry"]}`:                           `elector.dialect[2] "releaseWithoutRetry" contradicts dialect "blindRelease"`,
		one + `,"elector":{"dialect":["wallClockExpiry","forLife"]}`:                                                 `elector.dialect[1] "forLife" contradicts dialect "wallClockExpiry"`,
		one + `,"elector":{"dialect":["current","forLife"]}`:                                                         `elector.dialect[0] "current" contradicts dialect "forLife", which means unchanged client-go`,
		one + `,"elector":{"coordinated":true,"dialect":["forLife"]}`:                                                `elector.dialect[0] "forLife" contradicts elector.coordinated: dialects change only the plain elector`,
		one + `,"elector":{"dialect":["noRequestTimeout"],"requestTimeout":"5s"}`:                                    `elector.requestTimeout "5s" contradicts dialect "noRequestTimeout"; leave it out or write 0s`,
		one + `,"elector":{"releaseOnCancel":true,"releaseChecksHolder":true,"dialect":["blindRelease"]}`:            `elector.releaseChecksHolder true contradicts dialect "blindRelease", which does not read the holder`,
		one + `,"elector":{"releaseAfterWork":true}`:                                                                 `elector.releaseAfterWork true needs releaseOnCancel: true; without it a leader never releases`,
		one + `,"elector":{"releaseOnCancel":true,"releaseAfterWork":true},"process":{"onLoss":"ignore"}`:            `elector.releaseAfterWork true contradicts process.onLoss "ignore": the work it would wait for never ends`,
		one + `,"elector":{"expiryFactor":1.5}`:                                                                      `elector.expiryFactor 1.5 needs dialect ttlLock: only then does the server decide when the lock expires`,
		one + `,"elector":{"lockDelay":"15s"}`:                                                                       `elector.lockDelay "15s" needs dialect ttlLock: only then does the server decide when the lock expires`,
		one + `,"elector":{"lock":"configmapslease"}`:                                                                `elector.lock "configmapslease" must be leases, configmaps or configmapsleases; did you mean "configmapsleases"?`,
		one + `,"elector":{"coordinated":true,"lock":"configmaps"}`:                                                  `elector.lock "configmaps" contradicts elector.coordinated: the controller elects on Leases`,
		`"elector":{"dialect":["ttlLock"]},"candidates":[{"name":"a","elector":{"lock":"configmapsleases"}}]`:        `candidates[0].elector.lock "configmapsleases" contradicts dialect "ttlLock": that server keeps only one lock`,
		one + `,"actions":[{"at":"1s","act":"set","target":"a","elector":{"coordinated":true,"lock":"configmaps"}}]`: `actions[0].elector.lock "configmaps" contradicts elector.coordinated`,
		one + `,"actions":[{"at":"1s","act":"write","op":"delete","object":"ConfigMap"}]`:                            `actions[0].object "ConfigMap" must be lease or configmap; did you mean "configmap"?`,
		one + `,"actions":[{"at":"1s","act":"crash","target":"a","object":"configmap"}]`:                             `actions[0].object: does not belong to act "crash", which takes target`,
		one + `,"elector":{"dialect":["ttlLock"],"expiryFactor":2.5}`:                                                `elector.expiryFactor 2.5 must be between 1 and 2`,
		one + `,"elector":{"jitterFactor":1.3}`:                                                                      `elector.jitterFactor 1.3 must be between 0 and 1.2`,
		one + `,"elector":{"jitterFactor":-1}`:                                                                       `elector.jitterFactor -1 must be between 0 and 1.2`,
		one + `,"client":{"qps":20000}`:                                                                              `client.qps 20000 must be between 0 and 10000`,
		one + `,"client":{"burst":0}`:                                                                                `client.burst 0 must be between 1 and 10,000`,
		one + `,"client":{"workQps":5}`:                                                                              `client.workQps 5 needs client.qps: without a limit, no request waits`,
		one + `,"process":{"watchdogPeriod":"0s"}`:                                                                   `process.watchdogPeriod "0s" must be at least 100ms: shorter periods make too many probes`,
		one + `,"process":{"watchdogFailures":0}`:                                                                    `process.watchdogFailures 0 must be between 1 and 1,000`,
		one + `,"process":{"onLoss":"exits"}`:                                                                        `process.onLoss "exits" must be exit or ignore; did you mean "exit"?`,
		one + `,"process":{"drainAfterLoss":"-1s"}`:                                                                  `process.drainAfterLoss "-1s" must not be negative`,
		`"candidates":[{"name":"a","restart":"same","process":{"onLoss":"exit"}}]`:                                   `candidates[0].restart "same" contradicts process.onLoss "exit": a new process has a new elector`,
		`"candidates":[{"name":"a","elector":{"dialect":["ttlLock","observeFromSend"]}}]`:                            `candidates[0].elector.dialect[1] "observeFromSend" contradicts dialect "ttlLock"`,
		`"elector":{"coordinated":true},"candidates":[{"name":"a","process":{"identityAtRestart":"new"}}]`:           `candidates[0].process.identityAtRestart "new" contradicts elector.coordinated: a LeaseCandidate keeps its name`,
		one + `,"actions":[{"at":"1s","act":"burst","target":"a"}]`:                                                  `actions[0].count: missing; act "burst" needs it`,
		one + `,"actions":[{"at":"1s","act":"hang","target":"a","jump":"1s"}]`:                                       `actions[0].jump: does not belong to act "hang", which takes target and for`,
		one + `,"actions":[{"at":"1s","act":"set","target":"a","elector":{"dialect":["forLife","ttlLock"]}}]`:        `actions[0].elector.dialect[1] "ttlLock" contradicts dialect "forLife"`,
	} {
		_, err := decodeWith(fields)
		if assert.Error(t, err, fields) {
			assert.True(t, strings.Contains(err.Error(), message), "%s\nis: %v\nnot: %s", fields, err, message)
		}
	}
}

// The scenario's groups are the candidates' defaults, field by field; dialects are replaced as a whole, and "current"
// takes them back.
func TestConductIsInherited(t *testing.T) {
	s, err := decodeWith(`"elector":{"dialect":["noFastPath","blindRelease"],"jitterFactor":0},"process":{"drainAfterLoss":"3s","watchdogTolerance":"0s"},"client":{"qps":5},
		"candidates":[{"name":"a"},{"name":"b","workTail":"1s","elector":{"dialect":["current"]},"process":{"drainAfterLoss":"0s","onLoss":"exit"},"client":{"burst":1}}]`)
	require.NoError(t, err)
	r := Resolve(s).Candidates
	assert.Equal(t, []string{"noFastPath", "blindRelease"}, r[0].Elector.Dialect)
	assert.Equal(t, []string{"current"}, r[1].Elector.Dialect)
	assert.Zero(t, *r[1].Elector.JitterFactor)
	assert.Equal(t, Client{QPS: new(5.0), Burst: new(10), OwnLeaseClient: new(false), WorkQPS: new(0.0)}, r[0].Client)
	assert.Equal(t, Client{QPS: new(5.0), Burst: new(1), OwnLeaseClient: new(false), WorkQPS: new(0.0)}, r[1].Client)
	assert.NotNil(t, r[0].Process.WatchdogTolerance, "a tolerance of 0s is one")
	assert.Nil(t, r[0].Process.RestartAfterCrash)
	assert.Equal(t, Duration(3*time.Second), *r[0].Process.DrainAfterLoss)
	assert.Zero(t, *r[0].Process.DrainAfterCancel)
	assert.Zero(t, *r[1].Process.DrainAfterLoss)
	assert.Equal(t, Duration(time.Second), *r[1].Process.DrainAfterCancel, "workTail is what both drains are left out for")
	again, err := Decode(Encode(s))
	require.NoError(t, err)
	assert.Equal(t, s, again)
}

// Without a request timeout there is none, and a knob says what is in force.
func TestConductAsKnobs(t *testing.T) {
	s, err := decodeWith(`"candidates":[{"name":"a"}]`)
	require.NoError(t, err)
	assert.Equal(t, "1.2", Get(s, "elector.jitterFactor"))
	assert.Equal(t, "10", Get(s, "client.burst"))
	assert.Equal(t, "keep", Get(s, "process.identityAtRestart"))
	assert.Equal(t, "", Get(s, "elector.dialect"))
	s, err = Set(s, "elector.dialect", `["noRequestTimeout"]`)
	require.NoError(t, err)
	assert.Equal(t, "0s", Get(s, "elector.requestTimeout"))
	assert.Equal(t, `["noRequestTimeout"]`, Get(s, "elector.dialect"))
	s, err = Set(s, "process.onLoss", "exit")
	require.NoError(t, err)
	_, err = Set(s, "candidates[0].restart", "same")
	assert.Error(t, err)
}
