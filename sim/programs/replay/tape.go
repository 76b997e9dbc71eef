package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Tape is the known part of a record. It grows while the record grows, and any number of runs can read it.
type Tape struct {
	heading  Heading
	scenario scenario.Scenario
	setup    *world.Setup // nil before the first line
	more     func(*apiserver.Config)
	entries  []entry
	requests map[uint64]int // the entries that are requests, by number
	untilNs  int64          // the tape knows the run up to this instant
	printed  []Line         // what the programs printed, which no run needs
	spare    int64          // number of the world's steps after the last entry up to untilNs
	hash     string         // hash of the trace at untilNs; "" if the record does not say
	whole    bool           // the tape has the record's last line
	asked    int32          // writes of administrators
	part     []byte         // the beginning of an incomplete line
	lines    int
	closed   bool
	err      error

	// The fields below hold what the most advanced run has worked out for the others.
	desk  *Desk
	count int64 // number of calls and steps that some run has already carried out
	begun []bool
}

// entry is one call, with what the first run worked out about it.
type entry struct {
	Call
	line  int
	node  string
	known bool // whether the first run has filled in Node, asked and slot
	asked world.ProgramRequest
	slot  int32
	of    int // CallAbandon: the entry of the request
	done  *Done
}

// NewTape returns an empty tape. The function `more` adds to the API server's configuration what the recording server
// had. It may be nil.
func NewTape(more func(*apiserver.Config)) *Tape {
	return &Tape{more: more, requests: map[uint64]int{}}
}

// Scenario returns the record's acts as a scenario. It is empty before the first line.
func (t *Tape) Scenario() scenario.Scenario { return t.scenario }

// Setup returns the setup of the world, or nil before the first line.
func (t *Tape) Setup() *world.Setup { return t.setup }

// KnownNs returns the instant up to which the tape knows the run.
func (t *Tape) KnownNs() int64 { return t.untilNs }

// EndNs returns the instant at which the run ends. While the run goes on, it is at least the end of the acts.
func (t *Tape) EndNs() int64 {
	if t.GoesOn() {
		return max(t.untilNs, int64(t.scenario.Duration))
	}
	return t.untilNs
}

// GoesOn reports whether the record may still grow.
func (t *Tape) GoesOn() bool { return !t.whole && !t.closed && t.err == nil }

// Whole reports whether the tape has the last line of the record.
func (t *Tape) Whole() bool { return t.whole }

// Err returns why the tape ends early, or nil if no run has found any damage.
func (t *Tape) Err() error { return t.err }

// Append takes the next bytes of the record. An error names a line, and the tape ends before that line.
func (t *Tape) Append(data []byte) error {
	for len(data) > 0 && t.err == nil {
		one, rest, whole := bytes.Cut(data, []byte("\n"))
		if len(t.part)+len(one) > MaxLineBytes {
			t.err = fmt.Errorf("line %d: a line of a record has at most %d MiB", t.lines+1, MaxLineBytes>>20)
			break
		}
		if !whole {
			t.part = append(t.part, one...)
			break
		}
		if len(t.part) > 0 {
			one = append(t.part, one...)
		}
		t.part, data = nil, rest
		t.takeLine(one)
	}
	return t.err
}

// Close handles the end of the record. It drops an incomplete last line, which a writer leaves behind when it dies.
func (t *Tape) Close() error {
	t.closed = true
	if one := t.part; t.err == nil && json.Valid(one) {
		t.part = nil
		t.takeLine(one)
	}
	if t.setup == nil && t.err == nil {
		t.err = errors.New("the record is empty")
	}
	return t.err
}

func (t *Tape) takeLine(data []byte) {
	t.lines++
	data = bytes.TrimSpace(data)
	if len(data) == 0 || IsTrace(data) && t.setup != nil && !t.whole {
		return
	}
	err := errors.New("the record has lines after its end")
	switch {
	case t.setup == nil:
		err = t.head(data)
	case !t.whole:
		err = t.take(data)
	}
	if err != nil {
		t.err = fmt.Errorf("line %d: %w", t.lines, err)
	}
}

func (t *Tape) head(data []byte) error {
	var h Heading
	if err := json.Unmarshal(data, &h); err != nil {
		return errors.New("a record begins with its scenario: " + scenario.SayJSON(err))
	}
	switch {
	case h.Record != Version:
		return fmt.Errorf("record is %q; this leaselab reads %q", h.Record, Version)
	case h.Engine != world.Engine:
		return fmt.Errorf(
			"the record comes from engine %d, but this leaselab has engine %d; read it with the leaselab that made it",
			h.Engine, world.Engine)
	}
	s, err := scenario.Decode(h.Scenario)
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	t.heading = h
	t.scenario, t.setup = s, Setup(s, h.Administered, h.Serves, t.more)
	return nil
}

func (t *Tape) take(data []byte) error {
	var l Line
	if err := json.Unmarshal(data, &l); err != nil {
		return errors.New(scenario.SayJSON(err))
	}
	switch {
	case l.Events != nil:
		return nil
	case l.Do == CallPrints:
		t.printed = append(t.printed, l)
		return nil
	}
	if l.AtNs < 0 || l.Steps < 0 || len(t.entries) > 0 && l.AtNs < t.entries[len(t.entries)-1].AtNs {
		return errUnfit
	}
	e := entry{Call: l.call(), line: t.lines, node: l.Node}
	switch l.Do {
	case CallPasses, CallEnd:
		t.untilNs, t.spare, t.hash, t.whole = max(t.untilNs, l.AtNs), l.Steps, l.Hash, l.Do == CallEnd
		return nil
	case CallRequest:
		if _, twice := t.requests[l.Number]; twice || l.Number == 0 {
			return errUnfit
		}
		t.requests[l.Number] = len(t.entries)
	case CallAbandon:
		of, there := t.requests[l.Number]
		if !there {
			return errUnfit
		}
		e.of = of
	case CallAdministers:
		e.slot = t.asked
		t.asked++
	case CallEvent, CallAttemptEnds, CallLeads, CallStopsLeading, CallStopsWork, CallReturns, CallCrashes:
	default:
		return fmt.Errorf(
			"do is %q; a record has request, abandon, event, attemptEnds, leads, stopsLeading, stopsWork, returns, "+
				"crashes, administers, prints and end", l.Do)
	}
	t.entries = append(t.entries, e)
	t.untilNs, t.spare, t.hash = max(t.untilNs, l.AtNs), 0, ""
	return nil
}

// errUnfit is the error of a line that no recorder could have written.
var errUnfit = errors.New(
	"the line does not fit the lines before it: the file has changed, or another leaselab made it")

// `fail` ends the tape before an entry that no run can carry out.
func (t *Tape) fail(k int, err error) {
	line := t.lines
	if k < len(t.entries) {
		line = t.entries[k].line
		t.untilNs = 0
		if k > 0 {
			t.untilNs = t.entries[k-1].AtNs
		}
		t.entries = t.entries[:k]
	}
	t.spare, t.hash = 0, ""
	if t.err == nil {
		t.err = fmt.Errorf("line %d: %w", line, err)
	}
}
