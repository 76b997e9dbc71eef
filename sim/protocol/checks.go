package protocol

import "github.com/leaselab/leaselab/sim/timeline"

// ChecksView is what every checker reports at the cursor, in the order of the rules.
type ChecksView struct {
	Run       int             `json:"run"`
	Cursor    timeline.Cursor `json:"cursor"`
	Checks    []CheckView     `json:"checks"`
	Margin    *MarginFigures  `json:"margin,omitempty"` // after the first term
	Failovers Failovers       `json:"failovers"`
}

// CheckView is one rule: whether it holds, the measurement, and its first violation.
type CheckView struct {
	Rule     string           `json:"rule"`     // "moreThanOneActive"
	Number   int              `json:"number"`   // 1 to 16
	Severity string           `json:"severity"` // "safety" | "liveness" | "observation"
	State    string           `json:"state"`    // "ok" | "off" | "observed" | "violated" | "notEvaluated"
	Title    string           `json:"title"`    // "more than one active worker"
	Figure   string           `json:"figure"`
	Count    int              `json:"count"`
	Text     string           `json:"text"`            // the first violation in a sentence, or ""
	First    *timeline.Cursor `json:"first,omitempty"` // the subject's position
}

// MarginFigures is the margin meter: L − R − P − d in nanoseconds.
type MarginFigures struct {
	LastNs  int64 `json:"lastNs"`  // margin at the last renewal
	LeastNs int64 `json:"leastNs"` // the least margin so far
	// the least time so far from a stop to the next start; negative if they overlapped
	NearestNs *int64 `json:"nearestNs,omitempty"`
}

// Failovers is the histogram of failovers after a crash by whole seconds without a leader, with the formula's bounds.
type Failovers struct {
	Counts  []int `json:"counts"` // from second 0 to the last second that is not empty
	BestNs  int64 `json:"bestNs"` // according to the formula; 0 if unknown yet
	WorstNs int64 `json:"worstNs"`
}
