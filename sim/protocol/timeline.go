package protocol

import "github.com/leaselab/leaselab/sim/timeline"

// ChangeRef names a leader change by its index.
type ChangeRef struct {
	Index        int    `json:"index"`
	At           int64  `json:"at"`
	From         string `json:"from"`
	To           string `json:"to"`
	LeaderlessNs int64  `json:"leaderlessNs"`
}

// Timeline is everything drawn between two instants, up to the live instant.
type Timeline struct {
	Run        int                 `json:"run"`
	From       int64               `json:"from"`
	To         int64               `json:"to"`
	Live       int64               `json:"live"`   // spans that are still open at the end extend to this instant
	Detail     bool                `json:"detail"` // true: the lanes have ticks and ramps; false: they have buckets
	Lanes      []Lane              `json:"lanes"`
	Holder     []HolderSpan        `json:"holder"` // the holders of the stored Lease
	Bands      []Band              `json:"bands"`  // stretches without an active leader, or with two
	Faults     []FaultSpan         `json:"faults"`
	Violations []ViolationMark     `json:"violations"`
	Changes    []ChangeRef         `json:"changes"`
	Landmarks  []timeline.Landmark `json:"landmarks"`
	Notes      []LaneNote          `json:"notes,omitempty"` // only with coordinated election
	Resource   *ResourceLane       `json:"resource,omitempty"`

	Observations []ViolationMark `json:"observations,omitempty"` // violations of rules that are not errors
}

// ResourceLane is what leaders write to a resource that the scenario has.
type ResourceLane struct {
	// the token that the resource compares: "none" | "leaseTransitions" | "resourceVersion"
	Fence  string           `json:"fence"`
	Writes []timeline.Write `json:"writes"`
}

// Lane is what one node did in the window.
type Lane struct {
	Node    string               `json:"node"`
	Index   int                  `json:"index"`
	Spans   []RoleSpan           `json:"spans"`
	Ticks   []timeline.Tick      `json:"ticks"`             // only with detail
	Ramp    []timeline.RampPoint `json:"ramp"`              // only with detail
	Buckets *timeline.Buckets    `json:"buckets,omitempty"` // only without detail
	Server  bool                 `json:"server,omitempty"`  // the lane of an API server
	// how the monitors see the node: "ready" | "notReady" | "disputed"
	Ready []RoleSpan `json:"ready,omitempty"`
}

// RoleSpan is a stretch of time in which a node had one role.
type RoleSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Role string `json:"role"` // see NodeView.role
	// For "paused" only: the node is an active leader that does no work.
	Active bool `json:"active,omitempty"`
}

// HolderSpan is a stretch of time in which the stored Lease named one holder.
type HolderSpan struct {
	From         int64  `json:"from"`
	To           int64  `json:"to"`
	Holder       string `json:"holder"`       // name of the node, or identity of a stranger; "" for none
	Index        int    `json:"index"`        // -1 if none
	RenewedUntil int64  `json:"renewedUntil"` // from here on, the holder no longer renewed (drawn as an outline)
}

// Band is a stretch of time with no active leader, with more than one, or with a paused one that does no work.
type Band struct {
	From     int64    `json:"from"`
	To       int64    `json:"to"`
	Kind     string   `json:"kind"`               // "nobody" | "two" | "idle"
	Open     bool     `json:"open"`               // not over at the live instant
	Change   int      `json:"change"`             // index of the leader change that ends it, or -1
	Addends  []Addend `json:"addends"`            // the brackets; only for "nobody"
	PausedNs int64    `json:"pausedNs,omitempty"` // for "two": how long one of the leaders was paused
}

// FaultSpan is a stretch of time in which a fault is in effect.
type FaultSpan struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Open bool   `json:"open"`
	Node string `json:"node"` // "" means the API
	Kind string `json:"kind"` // "down" | "paused" | "cut" | "resource" | "errors" | "slow" | "held" | "lost"
	Text string `json:"text"` // "a is down", "a cut off (both ways)"
}

// ViolationMark is a violation of a rule, with its beginning and end.
type ViolationMark struct {
	From   int64           `json:"from"`
	To     int64           `json:"to"`
	Rule   string          `json:"rule"` // "more than one active worker"
	Kind   string          `json:"kind"` // "safety" | "liveness" | "observation"
	Text   string          `json:"text"`
	Cursor timeline.Cursor `json:"cursor"`
}

// PaceSpan is the factor of story speed from the instant t on.
type PaceSpan struct {
	T      int64   `json:"t"`
	Factor float64 `json:"factor"`
}
