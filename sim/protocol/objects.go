package protocol

import "github.com/leaselab/leaselab/sim/timeline"

// Events is a window of the event list.
type Events struct {
	Run   int                 `json:"run"`
	Total int                 `json:"total"` // rows of the filtered list up to the live instant
	From  int                 `json:"from"`  // index of rows[0] in the filtered list
	Rows  []timeline.EventRow `json:"rows"`
	At    int                 `json:"at"` // index of the row at the cursor, or -1
}

// ObjectView is one version of a stored object: as YAML with its changes, as JSON, and as the API's bytes.
type ObjectView struct {
	Run      int        `json:"run"`
	Kind     string     `json:"kind"` // "Lease"
	Name     string     `json:"name"`
	Version  int        `json:"version"`
	Versions int        `json:"versions"`
	T        int64      `json:"t"`
	By       string     `json:"by"`
	YAML     []YamlLine `json:"yaml"`
	JSON     string     `json:"json"` // the API's bytes, indented again
	Raw      string     `json:"raw"`  // the bytes that the API would send
	Text     string     `json:"text"` // the YAML as a text, for copying

	Objects []ObjectRef `json:"objects,omitempty"` // other objects that exist up to the live instant
}

// ObjectRef names an object that the page can show.
type ObjectRef struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// YamlLine is one line of YAML. mark: "" unchanged, "old" removed, "new" added or changed.
type YamlLine struct {
	Text  string `json:"text"`
	Mark  string `json:"mark"`
	Field string `json:"field"` // "spec.renewTime", "" for none
}

// RestAnswer is the answer to a request to the API server of the run.
type RestAnswer struct {
	Status  int      `json:"status"`
	Headers []string `json:"headers"` // "name: value"
	Body    string   `json:"body"`
	Watch   int      `json:"watch,omitempty"`   // number of an opened watch, whose frames the page polls
	Changed bool     `json:"changed,omitempty"` // the write has become an act of the scenario
	View    *View    `json:"view,omitempty"`    // the new view after a change
}

// RestFrames holds the frames of a watch since the last poll.
type RestFrames struct {
	Frames []string `json:"frames"` // each is a line of JSON with its line break
	Ended  bool     `json:"ended"`
}

// Exchange is a candidate's request as it went over the wire.
type Exchange struct {
	Node    string   `json:"node"`
	Index   int      `json:"index"`
	Method  string   `json:"method"`
	Target  string   `json:"target"`
	Headers []string `json:"headers"`
	Body    string   `json:"body"`
	Sent    int64    `json:"sent"`
	Served  *int64   `json:"served,omitempty"`
	Ended   *int64   `json:"ended,omitempty"`
	Status  int      `json:"status,omitempty"`  // 0 without an answer
	Answer  string   `json:"answer"`            // the part of the body that the client got
	Outcome string   `json:"outcome,omitempty"` // outcome as the client saw it

	AnswerHeaders []string `json:"answerHeaders,omitempty"`
}
