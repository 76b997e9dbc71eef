package timeline

import "github.com/leaselab/leaselab/sim/explain"

// Cursor: A place in a run: the instant, and how many records of that instant are already behind it. n = -1: after all of them.
type Cursor struct {
	T int64 `json:"t"`
	N int32 `json:"n"`
}

// Latest is the later of two cursors.
func Latest(a, b Cursor) Cursor {
	if a.Before(b) {
		return b
	}
	return a
}

// Before reports whether a cursor lies before another; n = -1 is after all of an instant.
func (a Cursor) Before(b Cursor) bool {
	if a.T != b.T {
		return a.T < b.T
	}
	return a.N >= 0 && (b.N < 0 || a.N < b.N)
}

// CursorOf is the cursor at a place that an explanation names.
func CursorOf(p explain.Place) Cursor {
	if p.Ordinal < 0 {
		return Cursor{T: p.AtNs, N: -1}
	}
	return Cursor{T: p.AtNs, N: p.Ordinal}
}

// Tick is one request of a node.
type Tick struct {
	T       int64  `json:"t"`   // sent
	End     int64  `json:"end"` // answered or given up; = t while open
	Verb    string `json:"verb"`
	Outcome string `json:"outcome"` // "ok" | "conflict" | "notFound" | "error" | "lost" | "open"
	Write   bool   `json:"write"`   // an accepted write: tall tick
	N       int32  `json:"n"`       // cursor n of the record at `end`
}

// RampPoint: From t on, the countdown reaches zero at zeroAt (it falls one second a second); zeroAt = t means there is none.
type RampPoint struct {
	T       int64 `json:"t"`
	ZeroAt  int64 `json:"zeroAt"`
	Leading bool  `json:"leading"`
}

// Buckets: What a lane did in equal stretches of time, one after the other without a hole.
type Buckets struct {
	From     int64   `json:"from"`
	WidthNs  int64   `json:"widthNs"`
	Requests []int   `json:"requests"`
	WorstNs  []int64 `json:"worstNs"` // smallest remaining countdown in each, -1: none ran
}

// EventRow is one row of the event list.
type EventRow struct {
	T       int64  `json:"t"`
	N       int32  `json:"n"`
	Node    string `json:"node"`    // "" = administrator, network
	Index   int    `json:"index"`   // -1 likewise
	Text    string `json:"text"`    // "reads the Lease: unchanged for 12.900 s, a still holds it."
	Detail  string `json:"detail"`  // "PUT 200, v12, 5.0 ms"
	Kind    string `json:"kind"`    // "request" | "write" | "lead" | "fault" | "violation" | "act" | "callback"
	Outcome string `json:"outcome"` // as Tick.outcome, "" otherwise
	Version int    `json:"version"` // Lease version written, 0 otherwise
}

// Landmark is an instant of the run that is worth going to.
type Landmark struct {
	T    int64  `json:"t"`
	N    int32  `json:"n"`
	Kind string `json:"kind"` // "leader" | "fault" | "lost" | "violation" | "act"
	Text string `json:"text"`
}

// Cursor is where the landmark stands.
func (m *Landmark) Cursor() Cursor { return Cursor{T: m.T, N: m.N} }
