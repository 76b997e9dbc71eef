// Package rollout is the arithmetic of a Deployment's rolling update: how many pods its controller adds or deletes
// next.
//
//	     state of the pods            Next
//	old 3, 3 ready   new 0     ──> add 1                     maxSurge 1 allows 4 pods
//	old 3, 3 ready   new 1     ──> nothing                   the new pod is not ready, and 3 must be
//	old 3, 3 ready   new 1, 1 ready  ──> delete 1 ready      4 are ready, 3 must be
//
// A pod that shuts down counts for nothing: the controller forgets it as soon as it has deleted it. So with maxSurge 0
// an old pod and its successor still overlap, for as long as the old pod needs to end.
//
// Guarantee: Next takes the same step as the deployment controller of Kubernetes 1.36, for a Deployment with one old
// and one new ReplicaSet. Non-guarantee: it knows neither a pause of the rollout nor a change of replicas during it.
package rollout

import (
	"strconv"
	"strings"
)

// Strategy is a Deployment's size and what its rolling update may do, in pods.
type Strategy struct{ Replicas, Surge, Unavailable int }

// Pods counts the pods of both templates, without the deleted ones.
type Pods struct{ Old, OldReady, New, NewReady int }

// Step says what the controller does next.
type Step struct{ Add, DeleteUnready, DeleteReady int }

// Scale reads a number of pods or a percentage of all replicas, as in "1" or "25%". Kubernetes rounds maxSurge up and
// maxUnavailable down.
func Scale(text string, replicas int, up bool) (pods int, ok bool) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseUint(digits, 10, 24)
	if pods = int(n); percent {
		pods *= replicas
		if up {
			pods += 99
		}
		pods /= 100
	}
	return pods, err == nil
}

// Resolve applies the limits of Kubernetes. If both numbers round to 0, no step would be possible, so one pod may be
// unavailable.
func (s Strategy) Resolve() Strategy {
	if s.Surge == 0 && s.Unavailable == 0 {
		s.Unavailable = 1
	}
	s.Unavailable = min(s.Unavailable, s.Replicas)
	return s
}

// MinReady is the number of pods that must stay ready.
func (s Strategy) MinReady() int { return s.Replicas - s.Unavailable }

// Next returns the controller's next step, which may be empty. The controller adds pods if it may. Otherwise it deletes
// old pods, the unready ones first: they cost no availability.
func (s Strategy) Next(p Pods) (step Step) {
	step.Add = max(0, min(s.Replicas+s.Surge-p.Old-p.New, s.Replicas-p.New))
	spare := p.Old + p.New - s.MinReady() - (p.New - p.NewReady)
	if step.Add > 0 || p.Old == 0 || spare <= 0 {
		return step
	}
	step.DeleteUnready = min(spare, p.Old-p.OldReady)
	step.DeleteReady = max(0, min(p.OldReady+p.NewReady-s.MinReady(), p.Old-step.DeleteUnready))
	return step
}
