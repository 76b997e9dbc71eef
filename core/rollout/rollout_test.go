package rollout

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Module sim/conformance/deployment compares every state with Kubernetes; these are the cases to read.
func TestNext(t *testing.T) {
	surge, missing := Strategy{Replicas: 3, Surge: 1}, Strategy{Replicas: 3, Unavailable: 1}
	for _, c := range []struct {
		what string
		s    Strategy
		p    Pods
		want Step
	}{
		{"a pod more", surge, Pods{Old: 3, OldReady: 3}, Step{Add: 1}},
		{"the new pod is not ready", surge, Pods{Old: 3, OldReady: 3, New: 1}, Step{}},
		{"it is", surge, Pods{Old: 3, OldReady: 3, New: 1, NewReady: 1}, Step{DeleteReady: 1}},
		{"no pod more", missing, Pods{Old: 3, OldReady: 3}, Step{DeleteReady: 1}},
		{"a deleted pod counts for nothing", missing, Pods{Old: 2, OldReady: 2}, Step{Add: 1}},
		{"unready pods go first", Strategy{Replicas: 3, Unavailable: 2}, Pods{Old: 3, OldReady: 2},
			Step{DeleteUnready: 1, DeleteReady: 1}},
		{"only the leader is ready", surge, Pods{Old: 3, OldReady: 1, New: 1}, Step{}},
		{"all are new", surge, Pods{New: 3, NewReady: 1}, Step{}},
	} {
		assert.Equal(t, c.want, c.s.Next(c.p), c.what)
	}
}

// Percentages round in the direction that Kubernetes documents, and a strategy that could do nothing may lose a pod.
func TestResolve(t *testing.T) {
	up, _ := Scale("25%", 3, true)
	down, _ := Scale("25%", 3, false)
	assert.Equal(t, [2]int{1, 0}, [2]int{up, down})
	pods, ok := Scale("2", 3, true)
	assert.True(t, ok)
	assert.Equal(t, 2, pods)
	for _, text := range []string{"", "%", "-1", "1.5", "one", "99999999999"} {
		_, ok := Scale(text, 3, true)
		assert.False(t, ok, text)
	}
	assert.Equal(t, Strategy{Replicas: 3, Unavailable: 1}, Strategy{Replicas: 3}.Resolve())
	assert.Equal(t, 0, Strategy{Replicas: 1, Surge: 1, Unavailable: 5}.Resolve().MinReady())
}
