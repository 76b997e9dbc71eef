package advise

import (
	"fmt"
	"math"
	"slices"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// `overlapping` proves that no setting can meet both the goal for the time with two leaders and the goal for the
// takeover. It returns nil if it finds no proof.
//
//	last renewal of a                                            a stops
//	     |---- retryPeriod ----|---------- renewDeadline ----------|
//	     |~ poll ~|------ leaseDuration ------|~ poll ~| b leads
//	                                                   |- overlap -|
//
// A leader that loses its network gives up retryPeriod + renewDeadline after its last renewal: it waits until the
// next attempt and then tries for renewDeadline. Another candidate sees that renewal, waits for leaseDuration, and
// takes the lock at its next poll. So there are two leaders for retryPeriod + renewDeadline - leaseDuration, minus
// the delay of that candidate's polls; see late.
func overlapping(goals []Goal, known ground) []string {
	k := slices.IndexFunc(goals, func(g Goal) bool { return g.Name == Overlap })
	if k < 0 || boundOf(goals, Latency) > 0 || !known.plain {
		return nil // random latencies would delay the polls
	}
	var retry bound
	for _, one := range bounds(goals, known) {
		if one.retryNs > retry.retryNs {
			retry = one
		}
	}
	if retry.retryNs == 0 {
		return nil // a shorter retryPeriod means less time with two leaders
	}
	renew := leastRenew(goals, known)
	overlap := &goals[k]
	late := late(known.candidates-1, known.runs, renew.ns-float64(overlap.Bound) <= 1.2*retry.retryNs)
	lease := renew.ns + (1-late)*retry.retryNs - float64(overlap.Bound) - messages*known.latencyNs
	if lease <= renew.ns {
		return nil // leaseDuration is longer than renewDeadline anyway
	}
	proof := slices.Clone(retry.proof)
	if renew.ns > retry.ns {
		proof = append(proof, renew.proof...)
	}
	proof = append(proof,
		"A leader that is cut off leads until retryPeriod + renewDeadline after its last renewal; another candidate "+
			"waits for leaseDuration after it saw that renewal, and takes the lock at its next poll.",
		fmt.Sprintf(
			"The odds that both polls come late by more than %.2f × retryPeriod in total, in all of %s runs, are "+
				"below one in a million. So two lead for more than renewDeadline + %.2f × retryPeriod - leaseDuration.",
			late, words.Thousands(int64(known.runs)), 1-late),
		fmt.Sprintf("For an overlap of at most %s, leaseDuration > renewDeadline + %.2f × retryPeriod - %s > %s.",
			overlap.value(overlap.Bound), 1-late, words.Seconds(overlap.Bound+int64(messages*known.latencyNs)),
			words.Seconds(int64(lease))))
	for i := range goals {
		g := &goals[i]
		age := 1 - g.Share
		// As in contradicts, the crash comes at most "age" retryPeriods after the last renewal. If retryPeriod grows,
		// the leaseDuration that it needs grows by even more.
		least := lease - age*(retry.retryNs+known.latencyNs)
		if g.Name != Takeover || late+age >= 1 || least < float64(g.Bound) {
			continue
		}
		return append(proof, g.tooLate(least))
	}
	return nil
}

// messages is the number of latencies that may shorten the time with two leaders: one for the renewal's answer, and
// two for the requests that take the lock.
const messages = 3

// `late` returns how late another candidate's polls are in the luckiest run, as a share of retryPeriod. It adds up two
// delays: one of the poll after the leader's last renewal, and one of the poll after leaseDuration. If too few runs
// are that lucky, the share is 1 or more. If short is true, leaseDuration is so short that the second poll directly
// follows the first.
func late(others, runs int, short bool) float64 {
	chanceOf := func(share float64) float64 {
		// Polls come every 1 to 2.2 retryPeriods. The first poll's density is at least a half: 0.57 if all candidates
		// began together four renewals earlier, and 0.625 in the long run. The second poll contributes the other
		// factor. If that poll directly follows the first, its density is 1/1.2. Otherwise its lowest density is
		// (s-2)/1.44, at 2.2 retryPeriods, when the poll between the two is over.
		second := share * share / 2 / 1.2
		if !short {
			second = (float64((study.Power(0.2+share, 3)-0.008)/3) - float64(0.04*share)) / 2.88
		}
		return float64(others) * second / 2
	}
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; chanceOf(middle)*float64(runs) < chance {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Ceil(high*100) / 100
}
