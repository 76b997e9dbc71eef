package protocol

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/timeline"
)

// Side is one of two runs to compare. It is a branch of the session up to its live instant, or a scenario (shipped or
// whole) up to the instant "until" or, if that is missing, up to its end. seed overrides the run's seed.
type Side struct {
	Branch   *int              `json:"branch,omitempty"`
	Scenario any               `json:"scenario,omitempty"`
	Patch    []PatchEntry      `json:"patch,omitempty"`
	Actions  []json.RawMessage `json:"actions,omitempty"`
	Seed     *uint64           `json:"seed,omitempty"`
	Until    *int64            `json:"until,omitempty"`
	Title    string            `json:"title,omitempty"`
}

// Compared is one of the two runs: everything that the page draws of it, and the side with which a link finds it
// again.
type Compared struct {
	Title    string   `json:"title"`
	Scenario string   `json:"scenario"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`  // trace hash at the end of the comparison
	Until    int64    `json:"until"` // the end of the comparison
	Side     Side     `json:"side"`
	View     *View    `json:"view"` // the view at the end of the comparison
	Timeline Timeline `json:"timeline"`
}

// Comparison is two runs on one time axis, with their differences.
type Comparison struct {
	A           Compared        `json:"a"`
	B           Compared        `json:"b"`
	To          int64           `json:"to"`   // end of the common axis
	Same        bool            `json:"same"` // the runs do not differ in the part that both cover
	Differences []Difference    `json:"differences"`
	Changes     []ChangePair    `json:"changes"`
	Totals      []ComparedTotal `json:"totals"`
	Settings    []SettingPair   `json:"settings"` // fields in which the scenarios differ
}

// SettingPair is a field of two scenarios. "" stands for a missing value.
type SettingPair struct {
	Path  string `json:"path"`
	Label string `json:"label"` // the path, in words if it belongs to an act: "crash of a at 20s: for"
	A     string `json:"a"`
	B     string `json:"b"`
}

// Difference is one difference between two runs. kind: "first" (the first event that differs) | "change" | "violation".
type Difference struct {
	T       int64            `json:"t"`
	Kind    string           `json:"kind"` // "first" | "change" | "violation"
	In      string           `json:"in"`   // "a" | "b" | "both"
	Text    string           `json:"text"`
	TextA   string           `json:"textA,omitempty"` // for first: text of the event in a
	TextB   string           `json:"textB,omitempty"`
	CursorA *timeline.Cursor `json:"cursorA,omitempty"`
	CursorB *timeline.Cursor `json:"cursorB,omitempty"`
}

// ChangePair is a pair of leader changes of two runs, matched in order.
type ChangePair struct {
	A      *ChangeRef `json:"a,omitempty"`
	B      *ChangeRef `json:"b,omitempty"`
	AtNs   *int64     `json:"atNs,omitempty"`  // b's instant minus a's
	GapNs  *int64     `json:"gapNs,omitempty"` // b's gap minus a's
	Differ bool       `json:"differ"`
}

// ComparedTotal is a figure of both runs, ready to print.
type ComparedTotal struct {
	Label  string `json:"label"`
	A      string `json:"a"`
	B      string `json:"b"`
	Delta  string `json:"delta"`            // "" if they are equal
	Better string `json:"better,omitempty"` // "a" | "b": the better run, for figures that can be better
}

// ComparedRun is one of two runs to compare, computed up to Look.Live: the input of Compared. It does not cross to the
// page.
type ComparedRun struct {
	Look    timeline.Look
	Title   string
	Share   *Share
	Session SessionView
}
