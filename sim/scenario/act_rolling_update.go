package scenario

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/rollout"
)

// ActRollingUpdate replaces all candidates as a Deployment does. It is a shorthand for the add and stop acts that Parts
// returns, and must have exactly their effect. For example, an update of a, b and c at 10 s, with every 10s, is:
//
//	10 s  add a-v2
//	20 s  stop a     add b-v2
//	30 s  stop b     add c-v2
//	40 s  stop c
//
// If candidate a leads, the Lease may pass to b, then to c, then to a new pod: three leader changes in one update.
//
// With readiness leader, only the run shows which pod is ready when. Then Parts is a plan that package world replaces
// by its own decisions.
const ActRollingUpdate = "rollingUpdate"

// The times of a rolling update: Kubernetes' default terminationGracePeriodSeconds, and how long a new pod needs to
// become ready.
const (
	DefaultTerminationGrace = Duration(30 * time.Second)
	DefaultPodReady         = Duration(10 * time.Second)

	// After a preStop hook, a container has at least this long between SIGTERM and SIGKILL, even if the hook took the
	// whole grace period. Source: minimumGracePeriodInSeconds in pkg/kubelet/kuberuntime.
	graceAfterHook = Duration(2 * time.Second)
)

// Words of Action.readiness: which pods count as ready.
const (
	ReadinessAlways = "always"
	ReadinessLeader = "leader" // the readiness probe fails unless the pod leads
)

// maxRollingUpdates limits the cost of finding the candidates that each update replaces.
const maxRollingUpdates = 100

func fillRollingUpdate(a *Action) {
	a.Every, a.Grace = orDefault(a.Every, DefaultPodReady), orDefault(a.Grace, DefaultTerminationGrace)
	a.Readiness = orDefault(a.Readiness, ReadinessAlways)
}

// Shutdown returns how long after a pod's deletion SIGTERM comes, and how long after SIGTERM comes SIGKILL. A preStop
// hook delays SIGTERM, and its time counts as part of the grace period.
func (a *Action) Shutdown() (hook, grace Duration) {
	if a.PreStop == 0 {
		return 0, a.Grace
	}
	hook = min(a.PreStop, a.Grace)
	return hook, max(a.Grace-hook, graceAfterHook)
}

// Strategy returns what the update of n pods may do. Left out, maxSurge is 1 and maxUnavailable 0.
func (a *Action) Strategy(n int) rollout.Strategy {
	s := rollout.Strategy{Replicas: n, Surge: 1}
	if a.MaxSurge != nil {
		s.Surge = *a.MaxSurge
	}
	if a.MaxUnavailable != nil {
		s.Unavailable = *a.MaxUnavailable
	}
	return s.Resolve()
}

// checkRollingUpdate registers the new pods. It refuses an update during another update, because the second update
// would have to replace pods that are still starting. The number of candidates grows with each update, so it checks
// MaxCandidates before it creates any.
func checkRollingUpdate(v *validator, a Action, path string) {
	if a.MaxSurge != nil && a.MaxUnavailable != nil && *a.MaxSurge+*a.MaxUnavailable == 0 {
		v.add(refuseField(join(path, "maxUnavailable"), "must be at least 1 if maxSurge is 0, because otherwise no "+
			"step is possible; Kubernetes refuses such a Deployment, too"))
		return
	}
	if a.At < v.updatedAt {
		v.add(refuseDuration(join(path, "at"), a.At, "lies within another rolling update, which ends at "+
			v.updatedAt.String()))
		return
	}
	if v.updates++; v.updates > maxRollingUpdates {
		v.add(refuse(join(path, "act"), a.Act, "is one of more than "+strconv.Itoa(maxRollingUpdates)+
			", the limit of a scenario"))
		return
	}
	parts := Parts(v.s, &a)
	if len(parts) == 0 {
		v.relate(refuse(join(path, "act"), a.Act, "finds no candidate to replace: all are gone"), "candidates")
		return
	}
	if v.updatedAt = parts[len(parts)-1].At; a.Readiness == ReadinessLeader {
		v.updatedAt = v.s.Duration // it may never end
	}
	if v.total += len(parts) / 2; v.total > MaxCandidates {
		v.add(refuseField(path, "makes "+thousands(int64(v.total))+
			" candidates, with replicas and added ones; the limit is "+thousands(MaxCandidates)))
		return
	}
	for i := range parts {
		part := &parts[i].Action
		if part.Candidate != nil && part.At <= v.s.Duration { // otherwise the run ends before that
			checkAdd(v, *part, path)
		}
	}
}

// Part is one act of a shorthand. For a rolling update, package compile puts the parts into the world. For a crash or
// a stop, the act's control also covers the conditional second act.
type Part struct {
	Action
	If string // the condition under which it happens; "" if it always does
}

// Parts lists the acts that a shorthand stands for, in order, or returns nil for any other act. The scenario must
// contain the act. The first part keeps the act's instant. A crash with for and a stop with grace are shorthands,
// too. Their second act happens only under the condition in the field If, since another act may have restarted or ended
// the process by then.
func Parts(s Scenario, a *Action) []Part {
	first, then := *a, Action{Target: a.Target}
	switch {
	case a.Act == ActCrash && a.For > 0:
		first.For, then.At, then.Act = 0, a.At+a.For, ActRestart
		return []Part{{Action: first}, {then, "it is still down"}}
	case a.Act == ActStop && a.Grace > 0:
		first.Grace, then.At, then.Act = 0, a.At+a.Grace, ActCrash
		return []Part{{Action: first}, {then, "it has not ended by then: SIGKILL"}}
	case a.Act != ActRollingUpdate:
		return nil
	}
	return rollingParts(s, *a)
}

// rollingParts lists the acts of a rolling update whose pods are ready as soon as they have started up.
func rollingParts(s Scenario, a Action) (parts []Part) {
	fillRollingUpdate(&a)
	pods := podsAt(s, a.At)
	strategy, p := a.Strategy(len(pods)), rollout.Pods{Old: len(pods), OldReady: len(pods)}
	hook, grace := a.Shutdown()
	var started []Duration // when each new pod started
	for at := a.At; p.Old > 0; at = started[p.NewReady] + a.Every {
		for ; p.NewReady < p.New && started[p.NewReady]+a.Every <= at; p.NewReady++ {
		}
		for step := strategy.Next(p); step != (rollout.Step{}); step = strategy.Next(p) {
			for range step.Add {
				pod := *pods[p.New]
				pod.replace()
				parts = append(parts, Part{Action: Action{At: at, Act: ActAdd, Candidate: &pod}})
				started, p.New = append(started, at), p.New+1
			}
			for range step.DeleteReady {
				old := pods[len(pods)-p.Old].Name
				parts = append(parts, Part{Action: Action{At: at + hook, Act: ActStop, Target: old, Grace: grace}})
				p.Old, p.OldReady = p.Old-1, p.OldReady-1
			}
		}
		if p.NewReady == p.New {
			break
		}
	}
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].At < parts[j].At })
	return parts
}

// `replace` turns a candidate into the pod that replaces it. It drops the recorded draws and the LeaseCandidate's name,
// because they belong to the old process. startAt counts from the act that adds the pod.
func (c *Candidate) replace() {
	if c.Stream != "" {
		c.Stream = Successor(c.Stream)
	}
	c.Name, c.StartAt, c.JitterDraws, c.LeaseCandidate = Successor(c.Name), 0, nil, ""
}

// Successor names the pod that replaces another: a-v2 after a, a-v3 after a-v2. A name that already ends in -v2 gets
// -v3, so a second update does not make a-v2-v2.
func Successor(name string) string {
	if before, number, found := strings.Cut(name, "-v"); found {
		if n, err := strconv.Atoi(number); err == nil && n > 1 {
			return before + "-v" + strconv.Itoa(n+1)
		}
	}
	return name + "-v2"
}

// podsAt lists the candidates that exist at an instant, with a separate entry for each. To find them it replays the
// earlier acts that add, remove or replace candidates. Crashes do not matter, because a Deployment updates a crashed
// pod as well.
func podsAt(s Scenario, at Duration) []*Candidate {
	var pods []*Candidate
	join := func(c *Candidate) {
		for i := range c.count() {
			pod := new(*c)
			if c.Stream != "" {
				pod.Stream = c.replica(c.Stream, i)
			}
			pod.Name, pod.Replicas, pod.SpreadStart = c.replicaName(i), 0, 0
			pods = append(pods, pod)
		}
	}
	for i := range s.Candidates {
		join(&s.Candidates[i])
	}
	var earlier []*Action
	for i := range s.Actions {
		a := &s.Actions[i]
		if a.At < at && (a.Candidate != nil || a.Act == ActRemove || a.Act == ActRollingUpdate) {
			earlier = append(earlier, a)
		}
	}
	sort.SliceStable(earlier, func(i, j int) bool { return earlier[i].At < earlier[j].At })
	gone := map[string]bool{} // no later candidate has the same name
	dropGone := func() {
		pods = slices.DeleteFunc(pods, func(c *Candidate) bool { return gone[c.Name] })
	}
	for _, a := range earlier {
		switch {
		case a.Candidate != nil:
			join(a.Candidate)
		case a.Target == TargetEverybody:
			pods = nil
		case a.Act == ActRemove:
			gone[a.Target] = true
		default:
			dropGone()
			for _, pod := range pods {
				pod.replace()
			}
		}
	}
	dropGone()
	return pods
}
