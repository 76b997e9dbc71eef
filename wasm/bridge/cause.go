package bridge

// CauseParams names a leader change or a violation.
type CauseParams struct {
	Kind   string `json:"kind"` // "change" | "violation"
	Number int    `json:"number"`
}

// RerollParams names what to re-roll, and how often.
type RerollParams struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	Runs   int    `json:"runs"`   // futures per instant
	Points int    `json:"points"` // number of instants
}

// TryParams names a line of whatIf.
type TryParams struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	Line   int    `json:"line"` // WhatIfLine.number
}
