// Package deployment compares core/rollout with the arithmetic of the Deployment controller.
package deployment

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	upstream "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/leaselab/leaselab/core/rollout"
)

// Four sizes with six strategies each, among them percentages that round and limits of 0.
var (
	sizes      = []int32{1, 2, 3, 10}
	strategies = [][2]string{{"25%", "25%"}, {"1", "0"}, {"0", "1"}, {"0", "30%"}, {"50%", "100%"}, {"3", "2"}}
)

// Every state of the pods of 24 Deployments leads to the step that the controller takes.
func TestStepsEqualTheControllers(t *testing.T) {
	states := 0
	for _, size := range sizes {
		for _, s := range strategies {
			t.Run(fmt.Sprintf("%d replicas, surge %s, unavailable %s", size, s[0], s[1]), func(t *testing.T) {
				d := deployment(size, s[0], s[1])
				ours := strategy(t, int(size), s[0], s[1])
				assert.Equal(t, int(upstream.MaxSurge(*d)), ours.Surge)
				assert.Equal(t, int(upstream.MaxUnavailable(*d)), ours.Unavailable)
				assert.Equal(t, int(upstream.MinAvailable(d)), ours.MinReady())
				for p := range everyState(int(size), ours.Surge) {
					require.Equal(t, controllersStep(t, d, p), ours.Next(p), "%+v", p)
					states++
				}
			})
		}
	}
	assert.Greater(t, states, 10_000)
}

// everyState yields every count of pods that may exist, also after a rollback in the middle of an update.
func everyState(size, surge int) func(func(rollout.Pods) bool) {
	return func(yield func(rollout.Pods) bool) {
		for old := range size + surge + 1 {
			for oldReady := range old + 1 {
				for added := range size + 1 {
					for newReady := range added + 1 {
						if !yield(rollout.Pods{Old: old, OldReady: oldReady, New: added, NewReady: newReady}) {
							return
						}
					}
				}
			}
		}
	}
}

// controllersStep is one pass of rolloutRolling in pkg/controller/deployment/rolling.go for one old ReplicaSet. Its
// methods are not exported, so this follows them line by line and takes every number from the exported helpers.
func controllersStep(t *testing.T, d *apps.Deployment, p rollout.Pods) (step rollout.Step) {
	t.Helper()
	old, added := replicaSet(p.Old, p.OldReady), replicaSet(p.New, p.NewReady)
	both := []*apps.ReplicaSet{old, added}
	if *added.Spec.Replicas != *d.Spec.Replicas { // reconcileNewReplicaSet
		want, err := upstream.NewRSNewReplicas(d, both, added)
		require.NoError(t, err)
		if step.Add = int(want) - p.New; step.Add != 0 {
			return step
		}
	}
	if upstream.GetReplicaCountForReplicaSets([]*apps.ReplicaSet{old}) == 0 { // reconcileOldReplicaSets
		return step
	}
	minAvailable := upstream.MinAvailable(d)
	unavailable := *added.Spec.Replicas - added.Status.AvailableReplicas
	most := upstream.GetReplicaCountForReplicaSets(both) - minAvailable - unavailable
	if most <= 0 {
		return step
	}
	if *old.Spec.Replicas != old.Status.AvailableReplicas { // cleanupUnhealthyReplicas
		step.DeleteUnready = int(min(most, *old.Spec.Replicas-old.Status.AvailableReplicas))
		*old.Spec.Replicas -= int32(step.DeleteUnready)
	}
	// scaleDownOldReplicaSetsForRollingUpdate
	if available := upstream.GetAvailableReplicaCountForReplicaSets(both); available > minAvailable {
		step.DeleteReady = int(min(*old.Spec.Replicas, available-minAvailable))
	}
	return step
}

func replicaSet(replicas, ready int) *apps.ReplicaSet {
	return &apps.ReplicaSet{Spec: apps.ReplicaSetSpec{Replicas: new(int32(replicas))},
		Status: apps.ReplicaSetStatus{Replicas: int32(replicas), AvailableReplicas: int32(ready)}}
}

func deployment(replicas int32, surge, unavailable string) *apps.Deployment {
	return &apps.Deployment{Spec: apps.DeploymentSpec{Replicas: &replicas, Strategy: apps.DeploymentStrategy{
		Type: apps.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: new(amount(surge)),
			MaxUnavailable: new(amount(unavailable))},
	}}}
}

func amount(text string) intstr.IntOrString {
	if n, err := strconv.Atoi(text); err == nil && !strings.HasSuffix(text, "%") {
		return intstr.FromInt32(int32(n))
	}
	return intstr.FromString(text)
}

func strategy(t *testing.T, replicas int, surge, unavailable string) rollout.Strategy {
	t.Helper()
	up, known := rollout.Scale(surge, replicas, true)
	require.True(t, known)
	down, known := rollout.Scale(unavailable, replicas, false)
	require.True(t, known)
	return rollout.Strategy{Replicas: replicas, Surge: up, Unavailable: down}.Resolve()
}
