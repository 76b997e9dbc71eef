//go:build !page

package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/protocol"
)

// EvidenceBeginParams says which evidence to read.
type EvidenceBeginParams struct {
	Lease  string         `json:"lease,omitempty"`  // namespace/name; empty for every Lease
	Around string         `json:"around,omitempty"` // an RFC 3339 time; empty for everything
	Year   int            `json:"year"`             // year of klog's lines if no other file has one
	Nodes  []EvidenceNode `json:"nodes,omitempty"`
}

// EvidenceNode names the candidate whose log a file is.
type EvidenceNode struct {
	File string `json:"file"`
	Node string `json:"node"`
}

// EvidenceEndParams says that a file is complete.
type EvidenceEndParams struct {
	Name string `json:"name"`
}

// EvidenceFound contains what the files show.
type EvidenceFound struct {
	Files        []EvidenceFile     `json:"files"`
	Problems     []evidence.Problem `json:"problems"`
	ProblemCount int                `json:"problemCount"`
	Leases       []EvidenceLease    `json:"leases"` // Leases with two leaders first
	// the files show the Leases of a cluster and nothing else: the check-up comes first
	Cluster bool `json:"cluster"`
}

// EvidenceTextParams asks for the report as `leaselab import` prints it.
type EvidenceTextParams struct {
	Format string `json:"format"` // "text" | "json" | "markdown"
}

// EvidenceFile is a file with the kinds of evidence found in it.
type EvidenceFile struct {
	Name  string   `json:"name"`
	Lines int      `json:"lines"`
	Kinds []string `json:"kinds"` // "103 audit"
	Says  string   `json:"says"`
	Node  string   `json:"node"` // the candidate whose log the file is; empty for the logs of several

	Run *EvidenceRun `json:"run,omitempty"` // only for a trace file that matches a run of this engine
}

// EvidenceRun contains the run of a trace file, and the instant at which the file ends.
type EvidenceRun struct {
	Says     string          `json:"says"`
	Scenario json.RawMessage `json:"scenario"`
	End      int64           `json:"end"`
}

// EvidenceLease is what happened to one Lease. Instants are nanoseconds since From.
type EvidenceLease struct {
	Name         string             `json:"name"`
	Headline     string             `json:"headline"` // Answer, Cause and Confidence in one
	Answer       string             `json:"answer"`
	Cause        string             `json:"cause"` // "" without one
	Confidence   float64            `json:"confidence"`
	Changes      int                `json:"changes"`
	Overlaps     int                `json:"overlaps"`
	From         string             `json:"from"`
	To           string             `json:"to"`
	Length       int64              `json:"length"`
	Moments      []evidence.Moment  `json:"moments"`  // the most important moments
	Unlisted     int                `json:"unlisted"` // number of moments that Moments leaves out
	Renewals     evidence.Renewals  `json:"renewals"`
	Settings     []evidence.Setting `json:"settings"`
	Clocks       []evidence.Clock   `json:"clocks"`
	Limits       []string           `json:"limits"`
	Unattributed int                `json:"unattributed"`
}

// EvidenceChartParams asks for a window of a Lease's timeline. With To 0 the window covers the whole timeline. Steps
// is how many marks a row can show.
type EvidenceChartParams struct {
	Lease string `json:"lease"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Steps int    `json:"steps"`
}

// EvidenceAgainParams asks for a scenario of what happened to a Lease.
type EvidenceAgainParams struct {
	Lease string `json:"lease"`
	Cause string `json:"cause,omitempty"` // one of EvidenceAgain.Causes; empty for the likeliest
}

// EvidenceAgain contains such a scenario, how far its run differs from the evidence, and what would have helped. Kind
// and Number name the leader change or the violation that the cures are for, as in the parameters of `try`.
type EvidenceAgain struct {
	Scenario json.RawMessage       `json:"scenario"`
	At       int64                 `json:"at"` // when that leader change or violation ends
	End      int64                 `json:"end"`
	Fit      []string              `json:"fit"`
	Kind     string                `json:"kind"` // "change" | "violation"
	Number   int                   `json:"number"`
	Cures    []protocol.WhatIfLine `json:"cures"`
	Nothing  string                `json:"nothing"` // why no change helps; "" if one does
	Beyond   string                `json:"beyond"`  // what helps where no setting does, or ""
	Likes    []Like                `json:"likes"`
	Causes   []string              `json:"causes"` // causes that fit the evidence, each with a run

	FailoverNs int64 `json:"failoverNs"` // the longest failover with these settings
}

// Like is an exhibit of the museum that resembles a scenario.
type Like struct {
	Name  string `json:"name"`
	ID    string `json:"id"` // in the museum's catalogue
	Title string `json:"title"`
	Why   string `json:"why"` // a sentence
}

// EvidenceHistoryParams asks what happened to a Lease, in a format for other tools.
type EvidenceHistoryParams struct {
	Lease  string `json:"lease"`
	Format string `json:"format"` // ndjson, csv or leaders
}

// EvidenceCheckupParams says how long the API stalls, in nanoseconds.
type EvidenceCheckupParams struct {
	Stall int64 `json:"stall"`
}
