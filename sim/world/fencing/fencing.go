// Package fencing holds the two machines behind fencing tokens: a writer, which is a leader's loop of writes, and the
// resource that it writes to, which may refuse a write with an old token.
//
// Guarantee: the machines are plain values; the resource decides by nothing but the tokens that it has seen.
// Non-guarantee: they keep no clock and send nothing; the caller carries a writer's output out and hands the resource
// what arrives. A fence keeps the writes of an older term out. It does not keep two leaders from working. Source:
// Martin Kleppmann, How to do distributed locking, section "Making the lock safe with fencing".
package fencing

// Fence says which token of a write a resource compares with the highest that it has seen.
type Fence uint8

const (
	NoFence Fence = iota
	TransitionsFence
	VersionFence
)

// CleanUp says how the step ends with which a leader gives the resource up.
type CleanUp uint8

const (
	NoCleanUp CleanUp = iota // there is no such step, and nobody owns the resource
	CleanUpWorks
	CleanUpFails
)

// Settings configure a resource and its writers. WriteEveryNs 0: there is no resource.
type Settings struct {
	Fence        Fence
	CleanUp      CleanUp
	WriteEveryNs int64
	LatencyNs    int64 // from a writer to the resource
}

// Resource is what leaders write to. The zero value has seen no token.
type Resource struct {
	highest int64
}

// Write is a write as it arrives, or as it is lost on its way.
type Write struct {
	Token    int64
	CleansUp bool // it gives the resource up, and carries no token
	Lost     bool
}

// Outcome is the result of a write.
type Outcome uint8

const (
	Accepted Outcome = iota
	Refused          // its token is lower than the highest that the resource has seen
	Lost
	GivenUp
	Kept // it should have given the resource up, and was lost
)

// Step hands the resource a write.
func (r *Resource) Step(s *Settings, in Write) Outcome {
	switch {
	case in.Lost && in.CleansUp:
		return Kept
	case in.CleansUp:
		return GivenUp
	case in.Lost:
		return Lost
	case s.Fence != NoFence && in.Token < r.highest:
		return Refused
	}
	r.highest = max(r.highest, in.Token)
	return Accepted
}

// Highest is the highest token that the resource has seen, 0 for none.
func (r *Resource) Highest() int64 { return r.highest }

// Writer is a candidate's loop of writes, and what the candidate knows of its own Lease. The zero value has never led.
type Writer struct {
	transitions int64 // leaseTransitions of the Lease when the candidate last read its own name there
	version     int64 // and its resourceVersion
	serial      int32 // of the loop: every term has its own
}

// InputKind says what happens to a writer.
type InputKind uint8

const (
	Read  InputKind = iota // its candidate reads a Lease that names it: Transitions, Version
	Leads                  // its candidate starts leading
	Due                    // the timer with Serial is due: Active, Works
)

// Input is something that happens to a writer.
type Input struct {
	Kind        InputKind
	Active      bool // its process does a leader's work
	Works       bool // and is not paused
	Serial      int32
	Transitions int64
	Version     int64
}

// Output is what the caller does for a writer, in this order.
type Output struct {
	Send   bool  // send a write with Token
	Timer  bool  // hand it Due with Serial after AfterNs
	Defer  bool  // hand it Due with Serial again when its process is resumed
	Serial int32 // of Timer and Defer

	Token   int64
	AfterNs int64
}

// Step hands a writer an input. A paused process sends the write that fell due when it is resumed: the classic late
// write.
func (w *Writer) Step(s *Settings, in *Input) Output {
	switch in.Kind {
	case Read:
		w.transitions, w.version = in.Transitions, in.Version
	case Leads:
		w.serial++
		return Output{Timer: true, Serial: w.serial}
	case Due:
		switch {
		case in.Serial != w.serial, !in.Active:
		case !in.Works:
			return Output{Defer: true, Serial: w.serial}
		default:
			return Output{Send: true, Token: w.token(s.Fence), Timer: true, Serial: w.serial, AfterNs: s.WriteEveryNs}
		}
	}
	return Output{}
}

func (w *Writer) token(f Fence) int64 {
	if f == VersionFence {
		return w.version
	}
	return w.transitions
}
