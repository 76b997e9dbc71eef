package scenario

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// ActRollingUpdate replaces all candidates one by one. It is a shorthand for the add and stop acts that Parts
// returns, and must have exactly their effect. For example, an update of a, b and c at 10 s, with every 10s, is:
//
//	10 s  add a-v2
//	20 s  stop a     add b-v2
//	30 s  stop b     add c-v2
//	40 s  stop c
//
// If candidate a leads, the Lease may pass to b, then to c, then to a new pod: three leader changes in one update.
const ActRollingUpdate = "rollingUpdate"

// The times of a rolling update: Kubernetes' default terminationGracePeriodSeconds, and how long a new pod needs to
// become ready.
const (
	DefaultTerminationGrace = Duration(30 * time.Second)
	DefaultPodReady         = Duration(10 * time.Second)
)

// maxRollingUpdates limits the cost of finding the candidates that each update replaces.
const maxRollingUpdates = 100

func fillRollingUpdate(a *Action) {
	a.Every, a.Grace = orDefault(a.Every, DefaultPodReady), orDefault(a.Grace, DefaultTerminationGrace)
}

// checkRollingUpdate registers the new pods. It refuses an update during another update, because the second update
// would have to replace pods that are still starting. The number of candidates grows with each update, so it checks
// MaxCandidates before it creates any.
func checkRollingUpdate(v *validator, a Action, path string) {
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
	v.updatedAt = parts[len(parts)-1].At
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
	act := *a
	fillRollingUpdate(&act)
	var parts []Part
	at := act.At
	for _, pod := range podsAt(s, act.At) {
		stop := Part{Action: Action{Act: ActStop, Target: pod.Name, Grace: act.Grace}}
		pod.replace()
		parts = append(parts, Part{Action: Action{At: at, Act: ActAdd, Candidate: pod}})
		at += act.Every
		stop.At = at
		parts = append(parts, stop)
	}
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
