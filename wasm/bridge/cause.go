package bridge

// CauseParams names a leader change or a violation.
type CauseParams struct {
	Kind   string `json:"kind"` // "change" | "violation"
	Number int    `json:"number"`
}

// TryParams names a line of whatIf.
type TryParams struct {
	Kind   string `json:"kind"` // "change" | "violation"
	Number int    `json:"number"`
	Line   int    `json:"line"` // WhatIfLine.number
}
