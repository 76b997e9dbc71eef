package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// nodeLeases is the namespace in which kubelets renew one Lease for each node.
const nodeLeases = "kube-node-lease/"

// rank puts the Leases that a reader looks for first: two leaders, then other incidents, then nodes that stopped, then
// healthy Leases by name. In each group, the longest comes first.
func rank(all []LeaseReport) {
	endNs := int64(0)
	for i := range all {
		endNs = max(endNs, all[i].toNs)
	}
	for i := range all {
		all[i].markStopped(endNs)
	}
	slices.SortStableFunc(all, func(a, b LeaseReport) int {
		x, y := a.group(), b.group()
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(b.worstSeconds(), a.worstSeconds()))
	})
}

// markStopped notes when a node's heartbeats stopped. The Lease expired before the latest record of any Lease.
func (l *LeaseReport) markStopped(endNs int64) {
	if !strings.HasPrefix(l.Name, nodeLeases) || len(l.terms) == 0 || l.leaseNs == 0 {
		return
	}
	if last := l.terms[len(l.terms)-1].lastNs; last+l.leaseNs < endNs {
		l.Stopped, l.stoppedNs = instantText(last), endNs-last
	}
}

// The groups of Leases, in the order of a report.
const (
	twoLeaders = iota
	incident
	stoppedNode
	healthy
)

func (l *LeaseReport) group() int {
	switch {
	case len(l.Overlaps) > 0:
		return twoLeaders
	case len(l.Gaps)+len(l.Leaderless) > 0 || len(l.LeaderChanges) > 1 || l.Cause != "none" && l.Cause != "":
		return incident
	case l.Stopped != "":
		return stoppedNode
	}
	return healthy
}

// Incident reports whether something happened to the Lease that needs more than a line.
func (l *LeaseReport) Incident() bool { return l.group() <= incident }

func (l *LeaseReport) worstSeconds() float64 {
	worst := 0.0
	for _, o := range l.Overlaps {
		worst = max(worst, o.Seconds)
	}
	if worst > 0 {
		return worst
	}
	for _, g := range append(slices.Clone(l.Gaps), l.Leaderless...) {
		worst = max(worst, g.Seconds)
	}
	return max(worst, seconds(l.stoppedNs))
}

// Brief says in one line what a Lease without an incident shows.
func (l *LeaseReport) Brief() string {
	node := strings.TrimPrefix(l.Name, nodeLeases)
	switch {
	case l.Stopped != "":
		return fmt.Sprintf("node %s stopped heartbeating at %s, %.3f s before the last record.", node, l.Stopped,
			seconds(l.stoppedNs))
	case l.Renewals.Count == 0:
		return l.Answer()
	}
	return fmt.Sprintf("%s %d renewals, every %.3f s, at most %.3f s apart.", l.Answer(), l.Renewals.Count,
		l.Renewals.P50Seconds, l.Renewals.MaxSeconds)
}
