package heartbeat

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A kubelet tries five times at once, then waits for its interval; an answer that comes too late changes nothing.
func TestKubeletTriesFiveTimes(t *testing.T) {
	var k Kubelet
	assert.Equal(t, Renew, k.Step(Start))
	for range Tries - 1 {
		assert.Equal(t, Renew, k.Step(Failed))
	}
	assert.Equal(t, Wait, k.Step(Failed))
	assert.Equal(t, Nothing, k.Step(Stored))
	assert.Equal(t, Renew, k.Step(Due))
	assert.Equal(t, Wait, k.Step(Stored))
	assert.Equal(t, Renew, k.Step(Due))
	assert.Equal(t, Renew, k.Step(Failed), "the tries begin anew with each heartbeat")
}

// A node is ready up to the end of its grace period, and a monitor says nothing twice.
func TestMonitorWaitsForTheGracePeriod(t *testing.T) {
	m := NewMonitor(2, 40)
	assert.Empty(t, m.Evaluate(5, nil), "no heartbeat seen, no change")
	m.See(10, 1, 1)
	assert.Equal(t, []Change{{AgeNs: 40, Kubelet: 1, Ready: true}}, m.Evaluate(50, nil))
	assert.Equal(t, []Change{{AgeNs: 41, Kubelet: 1}}, m.Evaluate(51, nil))
	assert.Empty(t, m.Evaluate(60, nil))
	m.See(70, 1, 1)
	assert.Empty(t, m.Evaluate(70, nil), "an old renewal is no news")
	copied := m.Clone()
	m.See(80, 1, 2)
	assert.Equal(t, []Change{{Kubelet: 1, Ready: true}}, m.Evaluate(80, nil))
	ready, known := copied.Ready(1)
	assert.True(t, !ready && known, "the copy is independent")
}

// A new process of a monitor has seen nothing: a node keeps its readiness until its grace period has passed once more.
func TestMonitorRestarts(t *testing.T) {
	m := NewMonitor(1, 40)
	m.See(10, 0, 7)
	m.Evaluate(10, nil)
	m.Restart()
	assert.Empty(t, m.Evaluate(1000, nil))
	m.See(1000, 0, 7)
	assert.Equal(t, []Change{{AgeNs: 41, Kubelet: 0}}, m.Evaluate(1041, nil))
}
