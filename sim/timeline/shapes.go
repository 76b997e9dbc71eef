package timeline

import "github.com/leaselab/leaselab/sim/explain"

// Cursor is a place in a run: the instant T in ns, and the number N of records of that instant before it. N = -1
// means after all of them.
type Cursor struct {
	T int64 `json:"t"`
	N int32 `json:"n"`
}

// Latest returns the later of two cursors.
func Latest(a, b Cursor) Cursor {
	if a.Before(b) {
		return b
	}
	return a
}

// Before reports whether one cursor comes before another. N = -1 is after all records of an instant.
func (a Cursor) Before(b Cursor) bool {
	if a.T != b.T {
		return a.T < b.T
	}
	return a.N >= 0 && (b.N < 0 || a.N < b.N)
}

// CursorOf returns the cursor for a place that an explanation names.
func CursorOf(p explain.Place) Cursor {
	if p.Ordinal < 0 {
		return Cursor{T: p.AtNs, N: -1}
	}
	return Cursor{T: p.AtNs, N: p.Ordinal}
}

// Tick is one request of a node. Instants are virtual ns.
type Tick struct {
	T       int64  `json:"t"`   // when the client sent it
	End     int64  `json:"end"` // when it got its answer or its client gave up; equals t while it is open
	Verb    string `json:"verb"`
	Outcome string `json:"outcome"`         // "ok" | "conflict" | "notFound" | "error" | "lost" | "open"
	Write   bool   `json:"write"`           // an accepted write, which the page draws as a tall tick
	Error   string `json:"error,omitempty"` // for outcome "error": "connection reset by peer"
	N       int32  `json:"n"`               // cursor n of the record at end
	// Served is when the server carried the request out. It is 0 if the server did not, or if the page shows too long
	// a time to draw it.
	Served int64 `json:"served,omitempty"`
	// Version is the version of the Lease that an accepted write made. It is 0 if Served is 0.
	Version int `json:"version,omitempty"`
	// HeldFrom and HeldTo say from when to when an act held the request or its answer. Both are 0 if no act did.
	// HeldTo is also 0 if an act still held it at End.
	HeldFrom int64 `json:"heldFrom,omitempty"`
	HeldTo   int64 `json:"heldTo,omitempty"`
	// Call is when the call sent its first request, if the client retried. If the call has no other request, Call is
	// 0.
	Call int64 `json:"call,omitempty"`
}

// RampPoint starts a countdown at t. The countdown reaches zero at zeroAt and falls one second per second. If zeroAt
// equals t, no countdown runs.
type RampPoint struct {
	T       int64 `json:"t"`
	ZeroAt  int64 `json:"zeroAt"`
	Leading bool  `json:"leading"`
}

// Buckets are the counts of a lane in consecutive stretches of equal length.
type Buckets struct {
	From     int64   `json:"from"`
	WidthNs  int64   `json:"widthNs"`
	Requests []int   `json:"requests"`
	WorstNs  []int64 `json:"worstNs"` // smallest remaining countdown in each stretch, or -1 if no countdown ran
}

// Write is a write to the resource, at the instant when it arrived or got lost. Several similar writes close together
// form one Write.
type Write struct {
	T         int64  `json:"t"`
	To        int64  `json:"to"`      // instant of the last of several writes; t if the write stands alone
	N         int32  `json:"n"`       // cursor n of the first of several writes
	Index     int32  `json:"index"`   // index of the node that writes
	Outcome   string `json:"outcome"` // "accepted" | "refused" | "lost" | "givenUp" | "kept"
	Stale     bool   `json:"stale"`   // another candidate was the last to acquire the Lease
	Token     int64  `json:"token"`
	LastToken int64  `json:"lastToken"`
	Highest   int64  `json:"highest"` // highest token that the resource had seen
	Count     int    `json:"count"`
}

// EventRow is one row of the event list.
type EventRow struct {
	T       int64  `json:"t"`
	N       int32  `json:"n"`
	Node    string `json:"node"`    // "" for an administrator or the network
	Index   int    `json:"index"`   // index of the node, or -1
	Text    string `json:"text"`    // "reads the Lease: unchanged for 12.900 s, a still holds it."
	Detail  string `json:"detail"`  // "PUT 200, v12, 5.0 ms"
	Kind    string `json:"kind"`    // "request" | "write" | "lead" | "fault" | "violation" | "act" | "callback"
	Outcome string `json:"outcome"` // "" | "ok" | "conflict" | "notFound" | "error" | "lost" | "open"
	Version int    `json:"version"` // Lease version written, or 0
}

// Landmark is an instant of the run worth visiting.
type Landmark struct {
	T    int64  `json:"t"`
	N    int32  `json:"n"`
	Kind string `json:"kind"` // "leader" | "fault" | "lost" | "violation" | "act"
	Text string `json:"text"`
}

// Cursor returns the cursor of the landmark.
func (m *Landmark) Cursor() Cursor { return Cursor{T: m.T, N: m.N} }
