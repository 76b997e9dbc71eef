// Package fencing holds the two machines behind fencing tokens: a writer, which is a leader's loop of writes, and the
// resource that it writes to, which may refuse a write with an old token.
//
// Guarantee: the machines are plain values; the resource decides only by the tokens that it has seen. Non-guarantee:
// they keep no clock and send nothing; the caller carries out a writer's output and passes every write that arrives
// to the resource. A fence rejects writes from an older term, but does not keep two leaders from working at once.
// Source: Martin Kleppmann, How to do distributed locking, section "Making the lock safe with fencing".
package fencing

// Fence says which token of a write the resource compares with the highest one that it has seen.
type Fence uint8

const (
	NoFence Fence = iota
	TransitionsFence
	VersionFence
)

// CleanUp says whether and how a leader gives up the resource in its last step.
type CleanUp uint8

const (
	NoCleanUp CleanUp = iota // leaders take no such step, and nobody owns the resource
	CleanUpWorks
	CleanUpFails
)

// Settings configures a resource and its writers. With WriteEveryNs 0 the run has no resource.
type Settings struct {
	Fence        Fence
	CleanUp      CleanUp
	WriteEveryNs int64
	LatencyNs    int64 // latency from a writer to the resource
}

// Resource is what leaders write to. The zero value has seen no token. It has no Lease and no clock; it only
// compares numbers:
//
//	a leads with token 4 and writes     accepted    highest 4
//	a pauses; b leads with token 5
//	a resumes and writes, token 4       accepted    highest 4: b has not written yet
//	b writes, token 5                   accepted    highest 5
//	a writes, token 4                   refused
type Resource struct {
	highest int64
}

// Write is a write that arrives at the resource or gets lost on the way.
type Write struct {
	Token    int64
	CleansUp bool // the write gives up the resource and carries no token
	Lost     bool
}

// Outcome is the result of a write.
type Outcome uint8

const (
	Accepted Outcome = iota
	Refused          // the write's token is lower than the highest one seen
	Lost
	GivenUp
	Kept // the write that should have given up the resource got lost
)

// Step decides whether to accept a write.
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

// Highest returns the highest token that the resource has seen, or 0.
func (r *Resource) Highest() int64 { return r.highest }

// Writer is a candidate's loop of writes, together with what the candidate knows of its Lease. The zero value has
// never led.
type Writer struct {
	transitions int64 // leaseTransitions of the Lease when the candidate last read its own name there
	version     int64 // resourceVersion of the Lease at that read
	serial      int32 // number of the loop of writes; every term starts a new one
}

// InputKind says what happens to a writer.
type InputKind uint8

const (
	Read  InputKind = iota // the candidate reads a Lease that names it: Transitions, Version
	Leads                  // the candidate starts leading
	Due                    // the timer with Serial is due: Active, Works
)

// Input is something that happens to a writer.
type Input struct {
	Kind        InputKind
	Active      bool // the process does a leader's work
	Works       bool // the process does a leader's work and is not paused
	Serial      int32
	Transitions int64
	Version     int64
}

// Output says what the caller must do for a writer, in the order of the fields.
type Output struct {
	Send   bool  // send a write with Token
	Timer  bool  // pass the writer Due with Serial after AfterNs
	Defer  bool  // pass the writer Due with Serial again when its process resumes
	Serial int32 // number of the loop, for Timer and Defer

	Token   int64
	AfterNs int64
}

// Step passes an input to a writer. If a write falls due while the process is paused, the process sends it after it
// resumes: the classic late write.
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
