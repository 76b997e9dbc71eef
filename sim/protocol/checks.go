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

// Beliefs is what every node believes at the cursor. It also has the recent stretches in which no node, or more than
// one, believed that it was the leader, and the margins that keep a leader and its successor apart.
type Beliefs struct {
	Run     int            `json:"run"`
	Server  string         `json:"server"` // the API server's wall clock, which is true
	From    int64          `json:"from"`   // start of the bands
	To      int64          `json:"to"`
	Nodes   []Belief       `json:"nodes"`
	Bands   []BeliefBand   `json:"bands"`
	Margins []LeaderMargin `json:"margins"`         // one for each leader
	Least   *int64         `json:"least,omitempty"` // the smallest margin so far, after the first renewal
	// the shortest time so far from a stop to the next start; negative if they overlapped
	Nearest *int64 `json:"nearest,omitempty"`
}

// Belief is one node's own view.
type Belief struct {
	Name   string           `json:"name"`
	Index  int              `json:"index"`
	Alive  bool             `json:"alive"`
	Wall   string           `json:"wall"` // the node's wall clock
	MonoNs int64            `json:"monoNs"`
	Leads  bool             `json:"leads"` // the node believes that it is the leader
	Holder string           `json:"holder"`
	Seen   *timeline.Cursor `json:"seen,omitempty"`  // when the node last observed a change of the Lease
	Until  *int64           `json:"until,omitempty"` // until when the Lease is valid for the node
}

// BeliefBand is a stretch in which no node, or more than one, believed that it was the leader.
type BeliefBand struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"` // "nobody" | "two"
	Who  string `json:"who"`  // "a and c"
}

// LeaderMargin is leaseDuration − renewDeadline − retryPeriod − the time that the last answer took to arrive. It is
// the time between a leader's last chance to stop and another node's first chance to take over.
type LeaderMargin struct {
	Node     string `json:"node"`
	Index    int    `json:"index"`
	LeaseNs  int64  `json:"leaseNs"` // L, from the Lease
	RenewNs  int64  `json:"renewNs"` // R, on the node's own clock, in true time
	RetryNs  int64  `json:"retryNs"` // P, also on the node's own clock, in true time
	AnswerNs int64  `json:"answerNs"`
	MarginNs int64  `json:"marginNs"`
	Stops    *int64 `json:"stops,omitempty"` // when the leader must stop unless a renewal succeeds
	Takes    *int64 `json:"takes,omitempty"` // when the first other node may take over
	By       string `json:"by"`
	Paused   bool   `json:"paused"` // a paused process cannot stop
}
