package bridge

// CauseParams names a change of leader or a violation.
type CauseParams struct {
	Kind   string `json:"kind"` // "change" | "violation"
	Number int    `json:"number"`
}

// RerollParams says what to re-roll, and how often.
type RerollParams struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	Runs   int    `json:"runs"`   // futures of each instant
	Points int    `json:"points"` // instants
}

// TryParams names a line of whatIf.
type TryParams struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	Line   int    `json:"line"` // WhatIfLine.number
}

// wonder asks why, and what else could have been.
func (b *Bridge) wonder(r *Request) (any, error) {
	switch r.Op {
	case "beliefs":
		return b.lab.Beliefs(), nil
	case "reroll":
		p, err := params[RerollParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Reroll(p.Kind, p.Number, p.Runs, p.Points)
	}
	p, err := params[CauseParams](r)
	if err != nil {
		return nil, err
	}
	if r.Op == "whatIf" {
		return b.lab.WhatIf(p.Kind, p.Number)
	}
	return b.lab.Cause(p.Kind, p.Number)
}

// try makes a branch of one of the runs with something changed.
func (b *Bridge) try(r *Request) (any, error) {
	p, err := params[TryParams](r)
	if err != nil {
		return nil, err
	}
	if err := b.lab.Try(p.Kind, p.Number, p.Line); err != nil {
		return nil, err
	}
	b.pacer.Reset()
	return b.stand(), nil
}
