package protocol

import "github.com/leaselab/leaselab/sim/timeline"

// CandidateView is a node's LeaseCandidate as stored, and the result of a controller's last check of it.
type CandidateView struct {
	Name             string `json:"name"`
	Exists           bool   `json:"exists"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	PingTime         *int64 `json:"pingTime,omitempty"` // time on its writer's clock
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Unacked          bool   `json:"unacked"`  // pingTime is later than renewTime
	Mark             string `json:"mark"`     // "counts" | "waits" | "out" | "none"
	Standing         string `json:"standing"` // mark in words, with the reason
	JudgedAt         *int64 `json:"judgedAt,omitempty"`
	JudgedBy         string `json:"judgedBy,omitempty"`
	Place            int    `json:"place"`            // rank in that check, 1 for the electee; 0 if not ranked
	Behind           string `json:"behind,omitempty"` // "behind c: older emulationVersion (1.35.0, not 1.36.0)"
}

// ServerView is an API server.
type ServerView struct {
	Version        string `json:"version"`
	Up             bool   `json:"up"`
	RunsController bool   `json:"runsController"`
}

// DecisionView is a controller's check of the candidates of the Lease, step by step.
type DecisionView struct {
	Run        int              `json:"run"`
	Number     int              `json:"number"`  // 1-based, among the decisions in the events; 0 if none has happened
	Numbers    int              `json:"numbers"` // number of decisions up to the live instant
	Cursor     timeline.Cursor  `json:"cursor"`  // cursor of the decision's event
	By         string           `json:"by"`      // "api-1"
	Title      string           `json:"title"`   // "c is elected."
	Index      int              `json:"index"`   // index of the electee, or -1
	Reason     string           `json:"reason"`  // "older emulationVersion (1.35.0, not 1.36.0) than b"
	Steps      []DecisionStep   `json:"steps"`
	Considered []ConsideredView `json:"considered"` // candidates in the controller's order
	Latest     string           `json:"latest"`     // the last check at the cursor, even if no event reports it
}

// DecisionStep is one step of a decision in words.
type DecisionStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Mark  string `json:"mark"` // "" | "yes" | "no" | "waits"
}

// ConsideredView is one LeaseCandidate as a decision saw it.
type ConsideredView struct {
	Name             string `json:"name"`
	Index            int    `json:"index"`
	BinaryVersion    string `json:"binaryVersion"`
	EmulationVersion string `json:"emulationVersion"`
	PingTime         *int64 `json:"pingTime,omitempty"`
	RenewTime        *int64 `json:"renewTime,omitempty"`
	Mark             string `json:"mark"` // "counts" | "waits" | "out" | "none"
	Standing         string `json:"standing"`
	Behind           string `json:"behind,omitempty"`
}

// LaneNote is a small event of one lane: a ping, an ack, a handover request.
type LaneNote struct {
	T     int64  `json:"t"`
	N     int32  `json:"n"`
	Index int    `json:"index"` // index of the lane
	Other int    `json:"other"` // for handOver: lane of the preferred holder, else -1
	Kind  string `json:"kind"`  // "ping" | "ack" | "gone" | "handOver"
	Text  string `json:"text"`
}
