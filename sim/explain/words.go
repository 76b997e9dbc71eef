package explain

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/world"
)

// percent describes a draw in words. A draw is a number in [0, 1). It determines where the wait lies between
// retryPeriod and 2.2 × retryPeriod.
func percent(draw float64) string { return fmt.Sprintf("%d %% of the range", int(draw*100+0.5)) }

// resultLines has a line for each result, in their order: why a request failed, or "ok". The texts fit after
// "failed: " and in parentheses.
//
//go:embed results.txt
var resultLines string

var resultWords = strings.Split(resultLines, "\n")

func resultWord(r step.Result) string { return resultWords[r] }

// LargestRemainder rounds the parts of a sum to a unit, so that the rounded parts add up to the rounded total. It
// rounds every part down first. Then it adds the missing units to the parts that lost the most. Example in tenths:
// 1.34, 1.34 and 1.34 s must add up to 4.0 s. Rounded down, each is 1.3, so the first one becomes 1.4. Parts must not
// be negative.
func LargestRemainder(partsNs []int64, unitNs int64) []int64 {
	total := int64(0)
	for _, p := range partsNs {
		total += p
	}
	want := (total + unitNs/2) / unitNs
	shown := make([]int64, len(partsNs))
	sum := int64(0)
	for i, p := range partsNs {
		shown[i] = p / unitNs
		sum += shown[i]
	}
	for ; sum < want; sum++ {
		best := -1
		for i, p := range partsNs {
			if best < 0 || p-shown[i]*unitNs > partsNs[best]-shown[best]*unitNs {
				best = i
			}
		}
		shown[best]++
	}
	return shown
}

// lockWords contains words for the object that holds a lock's record.
var lockWords = [...]string{elector.Leases: "Lease", elector.ConfigMaps: "ConfigMap", elector.ConfigMapsLeases: "lock"}

// either returns what to say about a node: a text for an elector, or a text for a real program, of which the world sees
// only what it does.
func either(w *world.World, i int32, elector, program string) string {
	if w.Node(i).RunsProgram() {
		return program
	}
	return elector
}

// ofLock replaces the word Lease in a text with the object that a candidate's lock uses.
func ofLock(w *world.World, i int32, text string) string {
	if w == nil || w.Node(i).Lock() == elector.Leases {
		return text
	}
	return strings.ReplaceAll(text, "Lease", lockWords[w.Node(i).Lock()])
}
