//go:build !page

package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/study/heat"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/study/sliced"
)

// GoTest is a test in Go: the name of its file, and the file's text.
type GoTest struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// HistoryParams asks what happened within a span of a scenario's run, in a format for other tools.
type HistoryParams struct {
	Scenario json.RawMessage `json:"scenario"`
	Format   string          `json:"format"` // ndjson, csv or leaders
	From     int64           `json:"from"`
	To       int64           `json:"to"`
}

// HeatFields lists fields that suit the axes of a map. Any other path works too.
type HeatFields struct {
	Fields []heat.Field `json:"fields"`
}

// HeatStudy is the specification of a map: two fields, and the seeds from First to First+Seeds-1 for each pair of
// values.
type HeatStudy struct {
	Scenario  json.RawMessage `json:"scenario"`
	X         heat.Axis       `json:"x"`
	Y         heat.Axis       `json:"y"`
	First     uint64          `json:"first"`
	Seeds     int             `json:"seeds"`
	VaryPhase bool            `json:"varyPhase,omitempty"` // draw the instant of the first act from the seed
	Duration  string          `json:"duration,omitempty"`  // duration of each run, such as 5m; "" for the scenario's
}

// HeatParams asks for the cells of a map.
type HeatParams struct {
	Study HeatStudy `json:"study"`
}

// HeatPlan describes the cells of a map: cell y*len(X)+x has the values X[x] and Y[y].
type HeatPlan struct {
	X        []string       `json:"x"`
	Y        []string       `json:"y"`
	Refused  []HeatRefused  `json:"refused"`
	Measures []heat.Measure `json:"measures"`
	Presets  []heat.Preset  `json:"presets"`
	Command  string         `json:"command"` // the command line that makes the same runs
}

// HeatRefused is a cell whose values break a rule of the format.
type HeatRefused struct {
	Cell int    `json:"cell"`
	Rule string `json:"rule"`
}

// HeatCellsParams asks for the first runs of some cells.
type HeatCellsParams struct {
	Study HeatStudy `json:"study"`
	Cells []int     `json:"cells"`
	Seeds int       `json:"seeds"`
}

// HeatCells contains the results of these cells.
type HeatCells struct {
	Cells []HeatCell `json:"cells"`
}

// HeatCell is what the runs of a cell measured, in the order of HeatPlan.Measures. Row is its line of `leaselab sweep
// -o json`.
type HeatCell struct {
	Cell    int             `json:"cell"`
	Runs    int             `json:"runs"`
	Values  []float64       `json:"values"`
	AtLeast []bool          `json:"atLeast"` // the value is a lower bound, because a run ended too early
	Row     json.RawMessage `json:"row"`
}

// HeatRunsParams asks for the runs of a cell, the worst by a measure first.
type HeatRunsParams struct {
	Study   HeatStudy `json:"study"`
	Cell    int       `json:"cell"`
	Seeds   int       `json:"seeds"`
	Measure string    `json:"measure"`
}

// HeatOpenParams asks for one run of a cell.
type HeatOpenParams struct {
	Study   HeatStudy `json:"study"`
	Cell    int       `json:"cell"`
	Seed    uint64    `json:"seed"`
	Measure string    `json:"measure"`
}

// StudiedRun is a run of a study as a document, the instant of its worst event, and its end.
type StudiedRun struct {
	Scenario json.RawMessage `json:"scenario"`
	At       int64           `json:"at"`
	End      int64           `json:"end"`
}

// NumbersParams asks what three durations lead to, such as 15s/10s/2s. NumbersGo makes runs for some milliseconds.
type NumbersParams struct {
	Setting    string `json:"setting"`
	Candidates int    `json:"candidates"`
	Ms         int    `json:"ms,omitempty"`
	Seed       uint64 `json:"seed,omitempty"` // of the run that NumbersOpen returns
}

// NumbersAnswer is the answer from the runs so far.
type NumbersAnswer struct {
	Over   bool           `json:"over"`
	Answer numbers.Answer `json:"answer"`
	Badge  string         `json:"badge"` // SVG, for a README
}

// StudyFormParams asks for the fields of a kind of study.
type StudyFormParams struct {
	Kind     string          `json:"kind"` // "advise" | "hunt" | "shrink" | "explore"
	Scenario json.RawMessage `json:"scenario"`
}

// StudySpec contains everything that a study depends on.
type StudySpec struct {
	Kind     string          `json:"kind"` // "advise" | "hunt" | "shrink" | "explore"
	Scenario json.RawMessage `json:"scenario"`
	Values   []sliced.Filled `json:"values"`
}

// StudyGoParams asks to continue a study for some milliseconds. If the last request was about another study, this
// request begins the study.
type StudyGoParams struct {
	Study StudySpec `json:"study"`
	Ms    int       `json:"ms"`
	Took  int       `json:"took,omitempty"`  // milliseconds so far, without pauses
	Quiet bool      `json:"quiet,omitempty"` // omit the report, unless the study is over
	// hand out up to this many parts for other workers, instead of making runs here
	Parts   int          `json:"parts,omitempty"`
	Results []PartResult `json:"results,omitempty"` // results of parts that went to other workers
	Begin   bool         `json:"begin,omitempty"`   // start again, even if the last request was about the same study
}

// PartResult is another worker's result for a part.
type PartResult struct {
	Part   int             `json:"part"`
	Result json.RawMessage `json:"result"`
}

// StudyAnswer contains the progress of a study.
type StudyAnswer struct {
	Over   bool           `json:"over"`
	Report *sliced.Report `json:"report,omitempty"`
	Parts  []sliced.Part  `json:"parts"`
}

// StudyMakeParams asks a worker to compute a part of another worker's study.
type StudyMakeParams struct {
	Study StudySpec   `json:"study"`
	Part  sliced.Part `json:"part"`
}

// RerollParams names the run, the change or violation, and how many futures to roll again.
type RerollParams struct {
	Scenario json.RawMessage `json:"scenario"`
	Until    int64           `json:"until"`
	Kind     string          `json:"kind"` // "change" | "violation"
	Number   int             `json:"number"`
	Runs     int             `json:"runs"`   // futures per instant
	Points   int             `json:"points"` // number of instants
}
