package protocol

import (
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/timeline"
)

// Addend is one part of a gap. The ns of all addends add up to gapTo − gapFrom. The shown strings add up to the shown
// total, because the largest remainders round up.
type Addend struct {
	Ns     int64           `json:"ns"`
	Shown  string          `json:"shown"` // "13.165"
	Text   string          `json:"text"`  // "left on b's countdown"
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Cursor timeline.Cursor `json:"cursor"` // the event that explains the addend

	Counting bool `json:"counting,omitempty"` // the countdown of the new leader filled the time
}

// Why is the chain of causes of a leader change.
type Why struct {
	Change   ChangeRef `json:"change"`
	Title    string    `json:"title"`
	Addends  []Addend  `json:"addends"`
	Story    []WhyLine `json:"story"` // the chain, in order of time
	Surprise string    `json:"surprise"`
	Counts   []Count   `json:"counts"`   // the countdowns under way at the change, the new leader's first
	LookedAt int64     `json:"lookedAt"` // when the new leader sent the request that made it leader
}

// Count is the time for which the Lease is valid for one node, starting at the last change that the node observed.
type Count struct {
	Node  string `json:"node"`
	Index int    `json:"index"`
	Seen  int64  `json:"seen"`
	Until int64  `json:"until"`
}

// WhyLine is a sentence, with the event that it is about.
type WhyLine struct {
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// Swept is the progress of a sweep, which runs the same acts with other seeds, both with the run's settings and with
// changed ones.
type Swept struct {
	Done int `json:"done"` // number of seeds so far
	Of   int `json:"of"`
	// the gap of this run's seed with the changed settings; absent if it did not end
	HereNs        *int64 `json:"hereNs,omitempty"`
	MedianNs      *int64 `json:"medianNs,omitempty"`      // median of the seeds so far, with the changed settings
	PlainMedianNs *int64 `json:"plainMedianNs,omitempty"` // median of the same seeds, with the run's settings
}

// Cause explains a leader change with its gap, or a violation. Every part and every sentence names its event.
type Cause struct {
	Run    int             `json:"run"`
	Kind   string          `json:"kind"`   // "change" | "violation"
	Number int             `json:"number"` // index among the leader changes, or among the violations
	Title  string          `json:"title"`
	Cursor timeline.Cursor `json:"cursor"`
	Parts  []Addend        `json:"parts"`  // the parts of the gap, or of the violation's length
	Chain  []Addend        `json:"chain"`  // change: everything the new leader did since the last renewal it observed
	Ending []Addend        `json:"ending"` // change: everything the previous leader did since its last renewal
	Story  []WhyLine       `json:"story"`
	// what Reroll counts: "more than one active worker", "nobody leads for more than 14 s"
	Bound   string     `json:"bound"`
	Subject []CauseRef `json:"subject"` // all subjects of questions, up to the live instant
}

// CauseRef is a subject of questions: a leader change or a violation.
type CauseRef struct {
	Kind   string          `json:"kind"` // "change" | "violation"
	Number int             `json:"number"`
	Rule   string          `json:"rule"` // for a violation; "" for a change
	Title  string          `json:"title"`
	Cursor timeline.Cursor `json:"cursor"`
}

// WhatIf is the progress of runs of the same seed, each with one thing changed. The smallest remaining gap or
// violation comes first.
type WhatIf struct {
	Done  int          `json:"done"` // number of runs so far
	Of    int          `json:"of"`
	Lines []WhatIfLine `json:"lines"`

	FailoverNs int64 `json:"failoverNs"` // the longest failover without a change
}

// WhatIfLine is one of these runs.
type WhatIfLine struct {
	Number   int    `json:"number"`   // the number that the op try takes
	Label    string `json:"label"`    // "releaseOnCancel"
	Sentence string `json:"sentence"` // "releaseOnCancel: 2.100 s, 11.900 s shorter"
	Effect   string `json:"effect"`   // "better" | "same" | "worse"

	// Only in evidence: the length of the gap, or of the time in which the rule is broken; 0 without one.
	LengthNs   int64 `json:"lengthNs,omitempty"`
	FailoverNs int64 `json:"failoverNs,omitempty"` // the longest failover with this change
}

// Rerolled is the progress of a re-roll. A re-roll computes futures from instants of the run with fresh randomness,
// and counts how many of them end the same way.
type Rerolled struct {
	Done    int    `json:"done"` // number of futures so far
	Of      int    `json:"of"`
	Runs    int    `json:"runs"` // number of futures per instant
	Happens *int64 `json:"happens,omitempty"`
	// the first instant from which at least 99 % of the futures end this way; absent if unknown yet or none exists
	Inevitable *int64        `json:"inevitable,omitempty"`
	Points     []RerollPoint `json:"points"`
	Turn       *RerollTurn   `json:"turn,omitempty"`
}

// RerollPoint is the result for one instant.
type RerollPoint struct {
	T     int64   `json:"t"`
	Hits  int     `json:"hits"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // lower end of the 95 % interval
	High  float64 `json:"high"`
}

// RerollTurn is the steepest part of the curve, and what happened there.
type RerollTurn struct {
	From     int64     `json:"from"`
	To       int64     `json:"to"`
	Before   float64   `json:"before"` // ratio of futures that end this way
	After    float64   `json:"after"`
	Happened []WhyLine `json:"happened"`
}

// WhyLines returns the lines of an explanation with the cursors of their events.
func WhyLines(lines []explain.Line) []WhyLine {
	return elements.Of(lines, func(line explain.Line) WhyLine {
		return WhyLine{Text: line.Text, Cursor: timeline.CursorOf(line.Event)}
	})
}
