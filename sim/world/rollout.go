package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/rollout"
	"github.com/leaselab/leaselab/sim/trace"
)

// Rollout is a rolling update whose pods are ready only while they lead. Whether it goes on depends on the run, so a
// control looks at the pods at an interval, as the readiness probe does, and then takes the deployment controller's
// next steps. A run changes none of this: each look makes a copy.
type Rollout struct {
	rollout.Strategy
	Old     []coordination.Symbol // the pods to delete, until the first look
	New     []Candidate           // the pods that it has not added yet
	EveryNs int64                 // time between two looks
	HookNs  int64                 // time between a pod's deletion and SIGTERM
	GraceNs int64                 // time between SIGTERM and SIGKILL

	old, added []int32 // the nodes
	told       int32   // the node that was last said to block the update, plus 1
}

// rollOut takes the steps that are possible now, and looks again later.
func (c *Control) rollOut(w *World) {
	r, next := *c.Rollout, *c
	r.old = slices.Clone(r.old)
	for _, name := range r.Old {
		r.old = append(r.old, w.nodeNamed(name))
	}
	r.Old = nil
	for step := r.next(w); step != (rollout.Step{}); step = r.next(w) {
		for range step.Add {
			c.join(w, &r.New[0])
			r.added = append(slices.Clip(r.added), int32(len(w.nodes)-1))
			r.New = r.New[1:]
		}
		r.delete(w, c.Source, step.DeleteUnready, false)
		r.delete(w, c.Source, step.DeleteReady, true)
	}
	r.tell(w, c.Source)
	next.AtNs, next.Rollout = w.now+r.EveryNs, &r
	w.acts.again(next)
}

// `next` counts the pods and returns the next step.
func (r *Rollout) next(w *World) rollout.Step {
	return r.Next(rollout.Pods{Old: len(r.old), OldReady: w.ready(r.old), New: len(r.added),
		NewReady: w.ready(r.added)})
}

// ready counts the pods that lead. An elector that leads says so, right or wrong.
func (w *World) ready(pods []int32) (n int) {
	for _, i := range pods {
		if w.isReady(i) {
			n++
		}
	}
	return n
}

func (w *World) isReady(i int32) bool {
	return i >= 0 && w.nodes[i].process.Alive && w.nodes[i].leads()
}

// `delete` deletes old pods that are ready, or that are not.
func (r *Rollout) delete(w *World, source int32, pods int, ready bool) {
	for ; pods > 0; pods-- {
		k := slices.IndexFunc(r.old, func(i int32) bool { return w.isReady(i) == ready })
		if i := r.old[k]; i >= 0 {
			stop := Control{AtNs: w.now + r.HookNs, Kind: DoStop, TargetName: w.nodes[i].name, Source: source}
			kill := stop
			kill.AtNs, kill.Auto = stop.AtNs+r.GraceNs, true
			w.Insert(stop, kill)
		}
		r.old = slices.Delete(r.old, k, k+1)
	}
}

// tell records once which pod blocks the update: the only ready one, which leads until something else stops it.
func (r *Rollout) tell(w *World, source int32) {
	if w.ready(r.old)+w.ready(r.added) != 1 || len(r.old) == 0 && r.Replicas == 1 {
		return
	}
	for _, i := range slices.Concat(r.old, r.added) {
		if w.isReady(i) && r.told != i+1 {
			r.told = i + 1
			w.emit(trace.Record{Kind: trace.Skipped, Candidate: i, Control: source,
				Payload: trace.Skip{Control: int32(DoRollout), Left: int64(len(r.old))}.Payload()})
		}
	}
}
